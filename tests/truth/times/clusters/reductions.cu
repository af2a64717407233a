// Kernels whose blocks combine what each of a cluster has found.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float sum_of_block(float value)
{
    __shared__ float parts[32];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(~0u, value, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    if (threadIdx.x < 32)
        for (int d = 16; d > 0; d /= 2)
            value += __shfl_down_sync(~0u, value, d);
    return value;
}

// One atomic addition a cluster.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) sum_together(const float *in, float *out, int n)
{
    __shared__ float total;
    auto cluster = cg::this_cluster();
    float sum = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        sum += in[k];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        total = sum;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        for (int rank = 1; rank < SIZE; rank++)
            sum += *cluster.map_shared_rank(&total, rank);
        atomicAdd(out, sum);
    }
    cluster.sync();
}

// The same without clusters.
__global__ void sum_by_blocks(const float *in, float *out, int n)
{
    float sum = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        sum += in[k];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

// Rows that are brought to mean 0 and variance 1, a row to a cluster, whose blocks keep their parts in shared memory.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) normalise_rows(const float *in, float *out, int width)
{
    extern __shared__ float part[];
    __shared__ float sums[2];
    auto cluster = cg::this_cluster();
    int own = width / SIZE, first = blockIdx.x / SIZE * width + cluster.block_rank() * own;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < own; k += blockDim.x) {
        part[k] = in[first + k];
        sum += part[k];
        squares += part[k] * part[k];
    }
    sum = sum_of_block(sum);
    __syncthreads();
    squares = sum_of_block(squares);
    if (threadIdx.x == 0)
        sums[0] = sum, sums[1] = squares;
    cluster.sync();
    sum = squares = 0;
    for (int rank = 0; rank < SIZE; rank++) {
        const float *theirs = cluster.map_shared_rank(sums, rank);
        sum += theirs[0];
        squares += theirs[1];
    }
    float mean = sum / width, scale = rsqrtf(squares / width - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < own; k += blockDim.x)
        out[first + k] = (part[k] - mean) * scale;
    cluster.sync();
}

// Counts of 1024 * SIZE kinds, which are spread over the shared memory of a cluster.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) count_together(const int *in, int *out, int n)
{
    __shared__ int bins[1024];
    auto cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        bins[k] = 0;
    cluster.sync();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        int kind = in[k] % (1024 * SIZE);
        atomicAdd(cluster.map_shared_rank(bins, kind / 1024) + kind % 1024, 1);
    }
    cluster.sync();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        if (bins[k])
            atomicAdd(out + cluster.block_rank() * 1024 + k, bins[k]);
}

// A matrix times a vector: the blocks of a cluster share the columns of 32 rows, and add their sums up in the first.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) vector_by_columns(const float *matrix, const float *vector, float *out, int n)
{
    __shared__ float sums[32];
    auto cluster = cg::this_cluster();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x / SIZE * 32;
    if (threadIdx.x < 32)
        sums[threadIdx.x] = 0;
    cluster.sync();
    for (int r = warp; r < 32; r += blockDim.x / 32) {
        float sum = 0;
        for (int k = cluster.block_rank() * (n / SIZE) + lane; k < (cluster.block_rank() + 1) * (n / SIZE); k += 32)
            sum += matrix[(row + r) * n + k] * vector[k];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(~0u, sum, d);
        if (lane == 0)
            atomicAdd(cluster.map_shared_rank(sums, 0) + r, sum);
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32)
        out[row + threadIdx.x] = sums[threadIdx.x];
}

// Sums of all numbers up to each one, of SIZE * 1024 numbers: each block adds the totals of those before it.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) prefix_together(const int *in, int *out)
{
    __shared__ int warps[32], total;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, lane = t % 32, value = in[blockIdx.x * 1024 + t], sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int before = __shfl_up_sync(~0u, sum, d);
        if (lane >= d)
            sum += before;
    }
    if (lane == 31)
        warps[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        int all = warps[t];
        for (int d = 1; d < 32; d *= 2) {
            int before = __shfl_up_sync(~0u, all, d);
            if (lane >= d)
                all += before;
        }
        warps[t] = all;
        if (t == 31)
            total = all;
    }
    cluster.sync();
    int before = t >= 32 ? warps[t / 32 - 1] : 0;
    for (int rank = 0; rank < cluster.block_rank(); rank++)
        before += *cluster.map_shared_rank(&total, rank);
    out[blockIdx.x * 1024 + t] = before + sum;
    cluster.sync();
}
