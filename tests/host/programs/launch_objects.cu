// The reductions of NVIDIA's samples, launched with a configuration object; shared memory of a type by a class.
#include <cstdio>
#include <utility>
template <typename T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; } };
template <> struct SharedMemory<double> { __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; } };
template <class T, unsigned int blockSize, bool nIsPow2> __global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x, gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum; __syncthreads();
    if ((blockSize >= 128) && (tid < 64)) { sdata[tid] = mySum = mySum + sdata[tid + 64]; }
    __syncthreads();
    if (tid < 32) {
        if (blockSize >= 64) mySum += sdata[tid + 32];
        for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(0xffffffff, mySum, offset);
    }
    if (tid == 0) g_odata[blockIdx.x] = mySum;
}
bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }
template <class T> void reduce(int n, int threads, int blocks, T *in, T *out) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks, 1, 1);
    config.blockDim = dim3(threads, 1, 1);
    config.dynamicSmemBytes = threads * sizeof(T);
    if (isPow2(n)) switch (threads) {
        case 128: cudaLaunchKernelEx(&config, reduce6<T, 128, true>, in, out, (unsigned)n);
        break;
        case 64: reduce6<T, 64, true><<<blocks, threads, threads * sizeof(T)>>>(in, out, n);
        break;
    }
    else switch (threads) {
        case 128: cudaLaunchKernelEx(&config, reduce6<T, 128, false>, in, out, (unsigned)n);
        break;
        default: printf("no\n");
    }
}
template <class T> void test(int n) {
    T *h = new T[n], *in, *out, part[8], sum = 0;
    for (int i = 0; i < n; ++i) h[i] = T(i % 17);
    cudaMalloc((void **)&in, n * sizeof(T));
    cudaMalloc((void **)&out, 8 * sizeof(T));
    cudaMemcpy(in, h, n * sizeof(T), cudaMemcpyHostToDevice);
    reduce(n, 128, 8, in, out);
    cudaMemcpy(part, out, sizeof part, cudaMemcpyDeviceToHost);
    for (T p : part) sum += p;
    printf("%.1f %s\n", (double)sum, cudaGetErrorString(cudaGetLastError()));
    cudaFree(in); cudaFree(out); delete[] h;
}
int main() { test<float>(4096); test<double>(5000); test<int>(4096); }
