// Inclusive scan of a block: in step d every element adds the one d places before it. Two buffers take turns.
__global__ void scan_hillis_steele(const int *input, int *output)
{
    extern __shared__ int buffer[];

    unsigned int tid = threadIdx.x;
    unsigned int n = blockDim.x;
    unsigned int from = 0;
    unsigned int to = n;
    buffer[tid] = input[blockIdx.x * n + tid];
    __syncthreads();

    for (unsigned int d = 1; d < n; d *= 2) {
        int sum = buffer[from + tid];
        if (tid >= d)
            sum += buffer[from + tid - d];
        buffer[to + tid] = sum;
        unsigned int swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    output[blockIdx.x * n + tid] = buffer[from + tid];
}
