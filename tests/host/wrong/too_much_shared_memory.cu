// FINDING: too much shared memory
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void use(int *p) { extern __shared__ int s[]; s[threadIdx.x] = 1; p[threadIdx.x] = s[threadIdx.x]; }
int main() {
    int *d;
    cudaMalloc(&d, 128);
    use<<<1, 32, 100 * 1024>>>(d);  // WRONG
    cudaDeviceSynchronize();
    cudaFree(d);
}
