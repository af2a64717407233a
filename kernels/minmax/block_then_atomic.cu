// Smallest and largest element: each block finds its own in shared memory, one atomic a block does the rest.
__global__ void minmax_block(const int *input, int *smallest, int *largest, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *low = sdata;
    int *high = sdata + blockDim.x;
    low[tid] = high[tid] = input[i < n ? i : 0];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            low[tid] = min(low[tid], low[tid + s]);
            high[tid] = max(high[tid], high[tid + s]);
        }
        __syncthreads();
    }
    if (tid == 0) {
        atomicMin(smallest, low[0]);
        atomicMax(largest, high[0]);
    }
}
