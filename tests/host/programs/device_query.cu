#include <cstdio>
#include <cuda_runtime.h>

int main() {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) return printf("no device: %s\n", cudaGetErrorString(error)), 1;
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("Device: %s\n", p.name);
    printf("  compute capability            %d.%d\n", p.major, p.minor);
    printf("  multiprocessors               %d\n", p.multiProcessorCount);
    printf("  warp size                     %d\n", p.warpSize);
    printf("  threads per block             %d\n", p.maxThreadsPerBlock);
    printf("  threads per multiprocessor    %d\n", p.maxThreadsPerMultiProcessor);
    printf("  shared memory per block       %zu\n", p.sharedMemPerBlock);
    printf("  shared memory per block opt-in %zu\n", p.sharedMemPerBlockOptin);
    printf("  registers per block           %d\n", p.regsPerBlock);
    printf("  registers per multiprocessor  %d\n", p.regsPerMultiprocessor);
    printf("  constant memory               %zu\n", p.totalConstMem);
    printf("  L2 cache                      %d\n", p.l2CacheSize);
    printf("  memory bus width              %d\n", p.memoryBusWidth);
    printf("  block  %d x %d x %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    printf("  grid   %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    int value;
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
    printf("  blocks per multiprocessor     %d\n", value);
    cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0);
    printf("  cooperative launch            %s\n", value ? "yes" : "no");
    return cudaSetDevice(count + 7) == cudaErrorInvalidDevice ? 0 : 1;
}
