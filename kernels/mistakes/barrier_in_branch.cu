// Only half of each warp goes to the barrier. The other half waits for its partners in the shuffle.
__global__ void barrier_in_branch(const int *in, int *out)
{
    extern __shared__ int tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];

    if (threadIdx.x % 32 < 16) {
        tile[threadIdx.x] = value;
        __syncthreads();
        value += tile[threadIdx.x ^ 1];
    }
    out[i] = value + __shfl_xor_sync(0xffffffffu, value, 16);
}
