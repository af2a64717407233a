// Every value adds to its bin in global memory. Values that agree queue up for the same word.
__global__ void histogram_global(const int *values, int *bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[values[i]], 1);
}
