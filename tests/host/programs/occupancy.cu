#include <cstdio>

__global__ void small(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void heavyShared(int *p) {
    __shared__ int s[8192];
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = p[i];
    __syncthreads();
    p[threadIdx.x] = s[8191 - threadIdx.x];
}

int main() {
    for (int threads : {32, 128, 256, 1024}) {
        int blocks;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, threads, 0);
        printf("small, %4d threads: %d blocks\n", threads, blocks);
    }
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavyShared, 128, 0);
    printf("heavyShared: %d blocks\n", blocks);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 20000);
    printf("small with 20000 dynamic bytes: %d blocks\n", blocks);
    int minGrid, best;
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &best, small, 0, 0);
    printf("best block size %d with %d blocks\n", best, minGrid);
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, heavyShared);
    printf("heavyShared has %zu bytes of shared memory, blocks of up to %d threads\n", a.sharedSizeBytes,
           a.maxThreadsPerBlock);
    return cudaGetLastError();
}
