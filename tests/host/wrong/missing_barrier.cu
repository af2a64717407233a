// FINDING: race
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void reverse(int *p) {
    __shared__ int s[256];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[255 - threadIdx.x];  // WRONG
}
int main() {
    int *d;
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    reverse<<<1, 256>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
