#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#define R 2
#define W 70
#define H 50
__constant__ float kernelWeights[2 * R + 1];
__device__ unsigned int saturated;
__device__ float limits[2] = {0.0f, 100.0f};

__global__ void blurRows(const float *in, size_t inPitch, float *out, size_t outPitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    const float *row = (const float *)((const char *)in + y * inPitch);
    float sum = 0;
#pragma unroll
    for (int k = -R; k <= R; ++k) {
        int xx = min(max(x + k, 0), W - 1);
        sum += kernelWeights[k + R] * row[xx];
    }
    if (sum > limits[1]) { sum = limits[1]; atomicInc(&saturated, 0xffffffffu); }
    ((float *)((char *)out + y * outPitch))[x] = sum;
}

int main() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    float *host, *back, w[2 * R + 1] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    cudaMallocHost((void **)&host, W * H * sizeof(float));
    cudaHostAlloc((void **)&back, W * H * sizeof(float), cudaHostAllocDefault);
    for (int i = 0; i < W * H; ++i) host[i] = (float)((i * 37) % 121);
    float *in, *out;
    size_t p1, p2;
    cudaMallocPitch((void **)&in, &p1, W * sizeof(float), H);
    cudaMallocPitch((void **)&out, &p2, W * sizeof(float), H);
    printf("pitch %zu\n", p1);
    cudaMemset2DAsync(out, p2, 0, W * sizeof(float), H, stream);
    cudaMemcpyToSymbolAsync(kernelWeights, w, sizeof(w), 0, cudaMemcpyHostToDevice, stream);
    float high = 80.0f;
    cudaMemcpyToSymbol(limits, &high, sizeof(float), sizeof(float));
    cudaMemcpy2DAsync(in, p1, host, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice, stream);
    dim3 block(16, 16), grid((W + 15) / 16, (H + 15) / 16);
    blurRows<<<grid, block, 0, stream>>>(in, p1, out, p2);
    cudaMemcpy2DAsync(back, W * sizeof(float), out, p2, W * sizeof(float), H, cudaMemcpyDeviceToHost, stream);
    unsigned int count = 0;
    cudaMemcpyFromSymbolAsync(&count, saturated, sizeof(count), 0, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, kernelWeights);
    cudaGetSymbolSize(&size, kernelWeights);
    double sum = 0;
    for (int i = 0; i < W * H; ++i) sum += back[i];
    printf("sum %.3f, %u saturated, symbol of %zu bytes, address %s\n", sum, count, size, address ? "known" : "unknown");
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFreeHost(host); cudaFreeHost(back); cudaFree(in); cudaFree(out);
    cudaStreamDestroy(stream);
    return 0;
}
