// Exclusive scan of two elements a thread: sums climb a tree, then partial sums come down it again.
// The strides are powers of two, and so are the bank conflicts.
__global__ void scan_blelloch(const int *input, int *output)
{
    extern __shared__ int tree[];

    unsigned int tid = threadIdx.x;
    unsigned int n = 2 * blockDim.x;
    unsigned int first = blockIdx.x * n;
    tree[tid] = input[first + tid];
    tree[tid + blockDim.x] = input[first + tid + blockDim.x];

    unsigned int stride = 1;
    for (unsigned int active = blockDim.x; active > 0; active /= 2) {
        __syncthreads();
        if (tid < active) {
            unsigned int left = stride * (2 * tid + 1) - 1;
            unsigned int right = stride * (2 * tid + 2) - 1;
            tree[right] += tree[left];
        }
        stride *= 2;
    }
    if (tid == 0)
        tree[n - 1] = 0;
    for (unsigned int active = 1; active < n; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (tid < active) {
            unsigned int left = stride * (2 * tid + 1) - 1;
            unsigned int right = stride * (2 * tid + 2) - 1;
            int below = tree[left];
            tree[left] = tree[right];
            tree[right] += below;
        }
    }
    __syncthreads();
    output[first + tid] = tree[tid];
    output[first + tid + blockDim.x] = tree[tid + blockDim.x];
}
