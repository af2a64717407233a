// One block holds the whole matrix in shared memory and does all k steps in a single launch.
__global__ void apsp_shared(int *distance, int n)
{
    extern __shared__ int d[];

    int j = threadIdx.x;
    int i = threadIdx.y;
    d[i * n + j] = distance[i * n + j];
    __syncthreads();

    for (int k = 0; k < n; ++k) {
        int through = d[i * n + k] + d[k * n + j];
        __syncthreads();
        if (through < d[i * n + j])
            d[i * n + j] = through;
        __syncthreads();
    }
    distance[i * n + j] = d[i * n + j];
}
