#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void init(int n, float *a, float *b) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) { a[i] = 1.0f; b[i] = 2.0f; }
}
__global__ void add(int n, const float *a, float *b) {
    int stride = blockDim.x * gridDim.x;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) b[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
    float *a, *b;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    int device = -1;
    cudaGetDevice(&device);
    int concurrent = 0;
    cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device);
#if CUDART_VERSION >= 13000
    cudaMemLocation gpu = {cudaMemLocationTypeDevice, device}, cpu = {cudaMemLocationTypeHost, 0};
    cudaMemAdvise(a, n * sizeof(float), cudaMemAdviseSetPreferredLocation, gpu);
    cudaMemAdvise(a, n * sizeof(float), cudaMemAdviseSetReadMostly, gpu);
    cudaMemPrefetchAsync(a, n * sizeof(float), gpu, 0);
    cudaMemPrefetchAsync(b, n * sizeof(float), gpu, 0, 0);
#else
    cudaMemAdvise(a, n * sizeof(float), cudaMemAdviseSetPreferredLocation, device);
    cudaMemAdvise(a, n * sizeof(float), cudaMemAdviseSetReadMostly, device);
    cudaMemPrefetchAsync(a, n * sizeof(float), device, NULL);
    cudaMemPrefetchAsync(b, n * sizeof(float), device);
#endif
    init<<<32, 256>>>(n, a, b);
    for (int k = 0; k < 3; ++k) add<<<32, 256>>>(n, a, b);
#if CUDART_VERSION >= 13000
    cudaMemPrefetchAsync(b, n * sizeof(float), cpu, 0, 0);
#else
    cudaMemPrefetchAsync(b, n * sizeof(float), cudaCpuDeviceId, 0);
#endif
    if (cudaDeviceSynchronize() != cudaSuccess) { printf("failed\n"); return 1; }
    float maxError = 0.0f;
    for (int i = 0; i < n; i++) maxError = fmaxf(maxError, fabsf(b[i] - 5.0f));
    printf("Max error: %f\n", maxError);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, b);
    printf("managed: %d, concurrent: %d\n", attributes.type == cudaMemoryTypeManaged, concurrent);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
