// FINDING: out of bounds
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void fill(int *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] = i;  // WRONG
}
int main() {
    int *d;
    cudaMalloc(&d, 100);
    fill<<<1, 128>>>(d, 100);
    cudaDeviceSynchronize();
    cudaFree(d);
}
