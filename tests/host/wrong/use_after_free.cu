// FINDING: use after free
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *d;
    cudaMalloc(&d, 128);
    cudaFree(d);
    fill<<<1, 32>>>(d);  // WRONG
    cudaDeviceSynchronize();
}
