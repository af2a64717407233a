// What the runtime says to calls that cannot be right.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *p, int v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void staticShared(int *p) {
    __shared__ int s[1024];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamicShared(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

void report(const char *what, cudaError_t error) {
    printf("%-28s %s: %s\n", what, cudaGetErrorName(error), cudaGetErrorString(error));
}

int main() {
    int *d, host[32];
    report("cudaMalloc", cudaMalloc(&d, 1024 * sizeof(int)));
    fill<<<1, 2048>>>(d, 1);
    report("block too large", cudaGetLastError());
    report("asked again", cudaGetLastError());
    fill<<<0, 32>>>(d, 1);
    report("empty grid", cudaPeekAtLastError());
    report("peeked", cudaGetLastError());
    fill<<<dim3(1, 70000), 32>>>(d, 1);
    report("grid too high", cudaGetLastError());
    dynamicShared<<<1, 32, 60 * 1024>>>(d);
    report("too much shared memory", cudaGetLastError());
    report("opt in",
           cudaFuncSetAttribute(dynamicShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024));
    dynamicShared<<<1, 32, 60 * 1024>>>(d);
    report("now", cudaGetLastError());
    report("copy too long", cudaMemcpy(d, host, 8192, cudaMemcpyHostToDevice));
    report("null pointer", cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
    report("no such device", cudaSetDevice(99));
    report("huge allocation", cudaMalloc(&d, (size_t)1 << 50));
    report("cudaGetLastError", cudaGetLastError());
    report("cudaFree(0)", cudaFree(0));
    report("not an allocation", cudaFree(host));
    report("cudaGetLastError", cudaGetLastError());
    report("cudaDeviceSynchronize", cudaDeviceSynchronize());
    return EXIT_SUCCESS;
}
