#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void bitonic(int *values, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, partner = i ^ j;
    if (partner > i) {
        bool ascending = (i & k) == 0;
        if ((values[i] > values[partner]) == ascending) {
            int t = values[i];
            values[i] = values[partner];
            values[partner] = t;
        }
    }
}

int main() {
    const int n = 4096;
    std::vector<int> h(n);
    unsigned x = 123456789;
    for (int &v : h) x ^= x << 13, x ^= x >> 17, x ^= x << 5, v = int(x % 100000);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, &h[0], n * sizeof(int), cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) bitonic<<<n / 512, 512>>>(d, j, k);
    std::vector<int> sorted(n);
    cudaMemcpy(&sorted[0], d, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(h.begin(), h.end());
    printf("smallest %d, median %d, largest %d: %s\n", sorted[0], sorted[n / 2], sorted[n - 1], h == sorted ? "sorted" : "WRONG");
    cudaFree(d);
    return h != sorted;
}
