// The lanes of a warp that hold the same value find one another, and one of them adds for all.
__global__ void histogram_aggregated(const int *values, int *bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        int value = values[i];
        unsigned int peers = __match_any_sync(__activemask(), value);
        int leader = __ffs(peers) - 1;
        if ((threadIdx.x & 31) == leader)
            atomicAdd(&bins[value], __popc(peers));
    }
}
