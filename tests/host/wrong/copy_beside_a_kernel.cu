// FINDING: race between streams
#include <cstdio>
__global__ void scale(float *p, float by) { p[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
int main() {
    const int n = 2048;
    float *d, *host;
    cudaStream_t work, transfers;
    cudaMalloc(&d, n * sizeof(float));
    cudaMallocHost(&host, n * sizeof(float));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMemcpy(d, host, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaStreamCreate(&work);
    cudaStreamCreate(&transfers);
    scale<<<n / 256, 256, 0, work>>>(d, 2.0f);
    cudaMemcpyAsync(host, d, n * sizeof(float), cudaMemcpyDeviceToHost, transfers);  // WRONG
    cudaDeviceSynchronize();
    printf("%g\n", host[n - 1]);
    cudaFree(d);
    cudaFreeHost(host);
    cudaStreamDestroy(work);
    cudaStreamDestroy(transfers);
}
