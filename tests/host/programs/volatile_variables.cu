// Device variables that are volatile: a lock, and the sum of the last block to finish, whose counter is reset plainly.
#include <cstdio>

__device__ int lock = 0;
__device__ volatile int total = 5;
__device__ volatile float partial[8];
__device__ unsigned finished = 0;

__global__ void add_locked() {
    if (threadIdx.x) return;
    while (atomicCAS(&lock, 0, 1) != 0) { }
    __threadfence();
    total += blockIdx.x + 1;
    __threadfence();
    atomicExch(&lock, 0);
}
__global__ void sum(const float *values, float *out) {
    __shared__ bool is_last;
    float mine = values[blockIdx.x * 32 + threadIdx.x];
    for (int distance = 16; distance; distance /= 2) mine += __shfl_down_sync(0xffffffff, mine, distance);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float all = 0;
        for (int block = 0; block < gridDim.x; ++block) all += partial[block];
        *out = all;
        finished = 0;
    }
}

int main() {
    add_locked<<<10, 64>>>();
    int found;
    cudaMemcpyFromSymbol(&found, total, sizeof found);
    const int start = 100;
    cudaMemcpyToSymbol(total, &start, sizeof start);
    add_locked<<<3, 32>>>();
    int again;
    cudaMemcpyFromSymbol(&again, total, sizeof again);
    float values[256], *in, *out, result[2];
    for (int i = 0; i < 256; ++i) values[i] = i % 9;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    for (int k = 0; k < 2; ++k) sum<<<8, 32>>>(in, out + k);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    void *address;
    cudaGetSymbolAddress(&address, partial);
    printf("%d %d, %g %g, %d\n", found, again, result[0], result[1], address != nullptr);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
