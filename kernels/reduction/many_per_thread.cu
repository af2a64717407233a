// The number of blocks is fixed; each thread walks over the input in steps of the grid and adds on its way.
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
__global__ void reduce_many_per_thread(const int *input, int *output, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (block_size * 2) + tid;
    unsigned int step = block_size * 2 * gridDim.x;
    int sum = 0;
    while (i < n) {
        sum += input[i] + input[i + block_size];
        i += step;
    }
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
