// The shift within each block, in place: without the barrier a warp would overwrite what another has yet to read.
__global__ void circular_shift_block(float *values)
{
    extern __shared__ float block[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + tid;
    block[tid] = values[i];
    __syncthreads();
    values[i] = block[(tid + blockDim.x - 1) % blockDim.x];
}
