// Lanes hand their sums to one another in registers; shared memory only carries one sum a warp.
__device__ int warp_sum(int sum)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    return sum;
}

__global__ void reduce_shuffle(const int *input, int *output, int n)
{
    __shared__ int warp_sums[32];

    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int sum = i < n ? input[i] : 0;
    if (i + blockDim.x < n)
        sum += input[i + blockDim.x];

    sum = warp_sum(sum);
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
        sum = warp_sum(sum);
        if (lane == 0)
            output[blockIdx.x] = sum;
    }
}
