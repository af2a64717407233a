// The last warp's steps as compute capability 7.0 and later want them: load, wait for the warp, store, wait.
__global__ void reduce_syncwarp(const int *input, int *output, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int sum = i < n ? input[i] : 0;
    if (i + blockDim.x < n)
        sum += input[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 16; s >>= 1) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32) {
        for (unsigned int s = 16; s > 0; s >>= 1) {
            int other = sdata[tid + s];
            __syncwarp();
            sum += other;
            sdata[tid] = sum;
            __syncwarp();
        }
    }

    if (tid == 0)
        output[blockIdx.x] = sum;
}
