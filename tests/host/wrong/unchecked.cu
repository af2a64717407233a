// FINDING: unchecked error
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    fill<<<1, dim3(32, 64)>>>(d);  // WRONG
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
}
