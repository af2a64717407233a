// FINDING: exit code
#include <cstdio>
#include <vector>
__global__ void square(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[n - 1];
}
int main() {
    const int n = 100;
    std::vector<int> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = i;
    int *d_a, *d_b;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    square<<<2, 64>>>(d_a, d_b, n);
    cudaMemcpy(b.data(), d_b, n * sizeof(int), cudaMemcpyDeviceToHost);  // WRONG
    cudaFree(d_a);
    cudaFree(d_b);
    for (int i = 0; i < n; ++i)
        if (b[i] != i * i) {
            printf("wrong at %d: %d\n", i, b[i]);
            return 1;
        }
    printf("right\n");
}
