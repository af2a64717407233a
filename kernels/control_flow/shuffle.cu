// The four shuffles: from a named lane, from below, from above, and across.
__global__ void shuffle_idioms(const int *input, int *broadcast, int *rotated, int *prefix, int *total)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    int value = input[i];

    broadcast[i] = __shfl_sync(0xffffffffu, value, 0);
    rotated[i] = __shfl_sync(0xffffffffu, value, (lane + 1) % 32);

    int sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d)
            sum += below;
    }
    prefix[i] = sum;

    int all = value;
    for (int m = 16; m > 0; m /= 2)
        all += __shfl_xor_sync(0xffffffffu, all, m);
    total[i] = all;
}
