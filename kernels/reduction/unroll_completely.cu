// The block's size is a template argument, so the compiler drops every step that it does not need.
template <unsigned int block_size>
__device__ void add_last_warp(volatile int *sdata, unsigned int tid)
{
    if (block_size >= 64) sdata[tid] += sdata[tid + 32];
    if (block_size >= 32) sdata[tid] += sdata[tid + 16];
    if (block_size >= 16) sdata[tid] += sdata[tid + 8];
    if (block_size >= 8) sdata[tid] += sdata[tid + 4];
    if (block_size >= 4) sdata[tid] += sdata[tid + 2];
    if (block_size >= 2) sdata[tid] += sdata[tid + 1];
}

template <unsigned int block_size>
__global__ void reduce_unroll_completely(const int *input, int *output, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (block_size * 2) + threadIdx.x;
    int sum = i < n ? input[i] : 0;
    if (i + block_size < n)
        sum += input[i + block_size];
    sdata[tid] = sum;
    __syncthreads();

    if (block_size >= 512) {
        if (tid < 256) sdata[tid] += sdata[tid + 256];
        __syncthreads();
    }
    if (block_size >= 256) {
        if (tid < 128) sdata[tid] += sdata[tid + 128];
        __syncthreads();
    }
    if (block_size >= 128) {
        if (tid < 64) sdata[tid] += sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
        add_last_warp<block_size>(sdata, tid);

    if (tid == 0)
        output[blockIdx.x] = sdata[0];
}
