// One launch does it all: each warp adds up in registers, and its first lane adds the sum to the result.
__global__ void reduce_atomic(const int *input, int *output, int n)
{
    int sum = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += input[i];

    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);

    if (threadIdx.x % 32 == 0)
        atomicAdd(output, sum);
}
