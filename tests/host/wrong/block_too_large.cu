// FINDING: invalid configuration
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *d;
    cudaMalloc(&d, 2048 * sizeof(int));
    fill<<<1, 2048>>>(d);  // WRONG
    cudaDeviceSynchronize();
    cudaFree(d);
}
