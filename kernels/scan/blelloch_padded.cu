// The same tree with one empty word after every 32: elements a power of two apart fall into different banks.
#define PADDED(i) ((i) + (i) / 32)

__global__ void scan_blelloch_padded(const int *input, int *output)
{
    extern __shared__ int tree[];

    unsigned int tid = threadIdx.x;
    unsigned int n = 2 * blockDim.x;
    unsigned int first = blockIdx.x * n;
    tree[PADDED(tid)] = input[first + tid];
    tree[PADDED(tid + blockDim.x)] = input[first + tid + blockDim.x];

    unsigned int stride = 1;
    for (unsigned int active = blockDim.x; active > 0; active /= 2) {
        __syncthreads();
        if (tid < active) {
            unsigned int left = stride * (2 * tid + 1) - 1;
            unsigned int right = stride * (2 * tid + 2) - 1;
            tree[PADDED(right)] += tree[PADDED(left)];
        }
        stride *= 2;
    }
    if (tid == 0)
        tree[PADDED(n - 1)] = 0;
    for (unsigned int active = 1; active < n; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (tid < active) {
            unsigned int left = stride * (2 * tid + 1) - 1;
            unsigned int right = stride * (2 * tid + 2) - 1;
            int below = tree[PADDED(left)];
            tree[PADDED(left)] = tree[PADDED(right)];
            tree[PADDED(right)] += below;
        }
    }
    __syncthreads();
    output[first + tid] = tree[PADDED(tid)];
    output[first + tid + blockDim.x] = tree[PADDED(tid + blockDim.x)];
}
