#include <cstdio>
#include <vector>

__inline__ __device__ long long warpSum(long long v) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void sumKernel(const int *data, unsigned long long *total, size_t n) {
    __shared__ long long parts[32];
    long long v = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) v += data[i];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warpSum(v);
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? parts[lane] : 0;
    if (warp == 0) v = warpSum(v);
    if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)v);
}

int main() {
    const size_t n = 1000003;
    std::vector<int> h(n);
    long long expected = 0;
    for (size_t i = 0; i < n; ++i) expected += h[i] = (int)((i * 2654435761u) >> 16) - 20000;
    int *d;
    unsigned long long *total, result = 0;
    cudaMalloc(&d, n * sizeof *d);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    cudaMemcpy(d, h.data(), n * sizeof *d, cudaMemcpyHostToDevice);
    sumKernel<<<120, 256>>>(d, total, n);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    printf("sum %lld, expected %lld\n", (long long)result, expected);
    cudaFree(d);
    cudaFree(total);
    return (long long)result != expected;
}
