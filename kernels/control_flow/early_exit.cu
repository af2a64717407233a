// The smallest divisor: a lane that has found one returns, and its place in the warp stays empty.
__global__ void smallest_divisor(const int *input, int *output, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int value = input[i];
    for (int d = 2; d * d <= value; ++d) {
        if (value % d == 0) {
            output[i] = d;
            return;
        }
    }
    output[i] = value;
}
