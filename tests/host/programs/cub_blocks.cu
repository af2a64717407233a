// Algorithms of a block from CUB: a load that transposes, a prefix sum, a maximum.
#include <cub/cub.cuh>
#include <cstdio>
template <int THREADS, int ITEMS> __global__ void k(const int *in, int *out) {
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::BlockReduce<int, THREADS> Reduce;
    __shared__ union { typename Load::TempStorage load; typename Scan::TempStorage scan; typename Reduce::TempStorage reduce; }
    temp;
    int data[ITEMS];
    Load(temp.load).Load(in + blockIdx.x * THREADS * ITEMS, data);
    __syncthreads();
    int total; Scan(temp.scan).ExclusiveSum(data, data, total);
    __syncthreads();
    int top = Reduce(temp.reduce).Reduce(data[ITEMS - 1], cuda::maximum<>{});
    for (int i = 0; i < ITEMS; ++i) out[(blockIdx.x * THREADS + threadIdx.x) * ITEMS + i] = data[i];
    if (threadIdx.x == 0) printf("%d %d\n", total, top);
}
int main() {
    int h[512], *in, *out; for (int i = 0; i < 512; ++i) h[i] = i % 7;
    cudaMalloc(&in, sizeof h); cudaMalloc(&out, sizeof h); cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    k<128, 4><<<1, 128>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[5], h[511]);
    cudaFree(in);
    cudaFree(out);
}
