// Reverses each block's elements. A thread reads what a thread of another warp stores, and nobody waits.
__global__ void missing_barrier(const int *in, int *out)
{
    extern __shared__ int tile[];
    int first = blockIdx.x * blockDim.x;

    tile[threadIdx.x] = in[first + threadIdx.x];
    // __syncthreads() belongs here
    out[first + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
