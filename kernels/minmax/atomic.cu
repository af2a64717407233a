// The largest element: one atomic a thread, all on the same address.
__global__ void max_atomic(const int *input, int *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(largest, input[i]);
}
