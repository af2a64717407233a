// FINDING: uninitialised read
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
__global__ void sum(const int *p, int *s, int n) { int t = 0; for (int i = 0; i < n; ++i) t += p[i]; *s = t; }  // WRONG
int main() {
    int *d, *s;
    cudaMalloc(&d, 1000 * sizeof(int));
    cudaMalloc(&s, sizeof(int));
    fill<<<1000 / 256, 256>>>(d, 1000);
    sum<<<1, 1>>>(d, s, 1000);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFree(s);
}
