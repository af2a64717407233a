// FINDING: race between streams
#include <cstdio>
__global__ void fill(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int *p, int *sum) { atomicAdd(sum, p[blockIdx.x * blockDim.x + threadIdx.x]); }
int main() {
    const int n = 1024;
    int *d, *sum, total = 0;
    cudaStream_t one, two;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(d, 0, n * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    fill<<<n / 256, 256, 0, one>>>(d, 2);
    add<<<n / 256, 256, 0, two>>>(d, sum);  // WRONG
    cudaDeviceSynchronize();
    cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(d);
    cudaFree(sum);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
