// FINDING: event not awaited
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *d;
    float ms;
    cudaEvent_t a, b;
    cudaMalloc(&d, 128);
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    fill<<<1, 32>>>(d);
    cudaEventRecord(b);
    cudaEventElapsedTime(&ms, a, b);  // WRONG
    cudaDeviceSynchronize();
    cudaFree(d);
}
