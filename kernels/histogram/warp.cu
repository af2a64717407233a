// Each warp has bins of its own: warps never wait for one another, only lanes of a warp do.
template <int BINS, int WARPS>
__global__ void histogram_warp(const int *values, int *bins, int n)
{
    __shared__ int local[WARPS][BINS];
    int warp = threadIdx.x / 32;
    for (int b = threadIdx.x; b < BINS * WARPS; b += blockDim.x)
        local[b / BINS][b % BINS] = 0;
    __syncthreads();

    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[warp][values[i]], 1);
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        int sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += local[w][b];
        atomicAdd(&bins[b], sum);
    }
}
