// Every element moves one place on, the last one to the front.
__global__ void circular_shift(const float *input, float *output, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        output[(i + 1) % n] = input[i];
}
