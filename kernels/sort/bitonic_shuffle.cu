// The network within a warp: partners exchange registers, and nothing but the data's order decides.
__global__ void bitonic_sort_warp(int *values)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    int value = values[i];

    for (unsigned int size = 2; size <= 32; size *= 2) {
        for (unsigned int bit = size / 2; bit > 0; bit /= 2) {
            int other = __shfl_xor_sync(0xffffffffu, value, bit);
            bool ascending = (lane & size) == 0;
            bool lower = (lane & bit) == 0;
            value = ascending == lower ? min(value, other) : max(value, other);
        }
    }
    values[i] = value;
}
