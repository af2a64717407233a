// The longest common subsequence by anti-diagonals.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__global__ void diagonal(const char *a, const char *b, int *table, int n, int m, int d) {
    int i = max(1, d - m) + blockIdx.x * blockDim.x + threadIdx.x, j = d - i;
    if (i > n || j < 1) return;
    int w = m + 1;
    table[i * w + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * w + j - 1] + 1 : max(table[(i - 1) * w + j], table[i * w + j - 1]);
}

int main() {
    std::string a, b;
    for (int i = 0; i < 60; ++i) a += "ACGT"[(i * i + i / 3) % 4], b += "ACGT"[(i * 5 + i / 7) % 4];
    int n = a.size(), m = b.size();
    char *d_a, *d_b;
    int *table;
    cudaMalloc(&d_a, n);
    cudaMalloc(&d_b, m);
    cudaMalloc(&table, (n + 1) * (m + 1) * sizeof(int));
    cudaMemcpy(d_a, a.data(), n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), m, cudaMemcpyHostToDevice);
    cudaMemset(table, 0, (n + 1) * (m + 1) * sizeof(int));
    for (int d = 2; d <= n + m; ++d) diagonal<<<(std::min(n, m) + 31) / 32, 32>>>(d_a, d_b, table, n, m, d);
    std::vector<int> t((n + 1) * (m + 1));
    cudaMemcpy(t.data(), table, t.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::string common;
    for (int i = n, j = m; i && j;) {
        if (a[i - 1] == b[j - 1]) common += a[--i], --j;
        else if (t[(i - 1) * (m + 1) + j] >= t[i * (m + 1) + j - 1]) --i;
        else --j;
    }
    std::reverse(common.begin(), common.end());
    printf("%d: %s\n", t.back(), common.c_str());
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(table);
    return (int)common.size() != t.back();
}
