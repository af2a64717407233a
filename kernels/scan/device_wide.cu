// A scan of any length in three launches: scan blocks, scan their sums, add the sums of the blocks before.
__global__ void scan_blocks(const int *input, int *output, int *sums)
{
    extern __shared__ int buffer[];

    unsigned int tid = threadIdx.x;
    unsigned int n = blockDim.x;
    unsigned int i = blockIdx.x * n + tid;
    buffer[tid] = input[i];
    __syncthreads();
    for (unsigned int d = 1; d < n; d *= 2) {
        int below = tid >= d ? buffer[tid - d] : 0;
        __syncthreads();
        buffer[tid] += below;
        __syncthreads();
    }
    output[i] = buffer[tid];
    if (tid == n - 1)
        sums[blockIdx.x] = buffer[tid];
}

__global__ void add_block_sums(int *output, const int *scanned_sums)
{
    if (blockIdx.x > 0)
        output[blockIdx.x * blockDim.x + threadIdx.x] += scanned_sums[blockIdx.x - 1];
}
