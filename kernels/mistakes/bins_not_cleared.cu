// Shared memory holds anything when a block starts. These bins are counted up from there.
__global__ void bins_not_cleared(const int *values, int *bins, int n)
{
    __shared__ int local[64];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&local[values[i]], 1);
    __syncthreads();

    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
