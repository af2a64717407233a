// Inclusive scan of a block: each warp scans in registers, the first warp scans the warps' sums.
__device__ int warp_scan(int value, unsigned int lane)
{
    for (unsigned int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d)
            value += below;
    }
    return value;
}

__global__ void scan_shuffle(const int *input, int *output)
{
    __shared__ int warp_sums[32];

    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    unsigned int warp = threadIdx.x / 32;
    int value = warp_scan(input[i], lane);
    if (lane == 31)
        warp_sums[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
        warp_sums[lane] = warp_scan(sum, lane);
    }
    __syncthreads();
    if (warp > 0)
        value += warp_sums[warp - 1];
    output[i] = value;
}
