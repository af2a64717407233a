// Kernels whose blocks read or write the shared memory of the other blocks of their cluster while they compute.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block brings one tile of a row of tiles into its shared memory and stores that of the block beside it.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) rotate_tiles(const float *in, float *out)
{
    __shared__ float tile[1024];
    auto cluster = cg::this_cluster();
    int first = blockIdx.x * 1024;
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        tile[k] = in[first + k];
    cluster.sync();
    const float *other = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % SIZE);
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        out[first + k] = other[k];
    cluster.sync();
}

// The same, but each block writes its tile into the shared memory of the block beside it.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) push_tiles(const float *in, float *out)
{
    __shared__ float tile[1024];
    auto cluster = cg::this_cluster();
    int first = blockIdx.x * 1024;
    float *other = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % SIZE);
    cluster.sync();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        other[k] = in[first + k];
    cluster.sync();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        out[first + k] = tile[k];
}

// Steps of diffusion along a line of SIZE blocks, which exchange the values at their borders after each step.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) diffuse_line(float *values, int steps)
{
    __shared__ float cells[2][1026];
    auto cluster = cg::this_cluster();
    int rank = cluster.block_rank(), t = threadIdx.x, first = blockIdx.x * blockDim.x;
    cells[0][t + 1] = values[first + t];
    for (int s = 0; s < steps; s++) {
        float *now = cells[s % 2];
        if (t == 0 && rank > 0)
            cluster.map_shared_rank(now, rank - 1)[blockDim.x + 1] = now[1];
        if (t == blockDim.x - 1 && rank < SIZE - 1)
            cluster.map_shared_rank(now, rank + 1)[0] = now[blockDim.x];
        if (t == 0 && rank == 0)
            now[0] = 0;
        if (t == blockDim.x - 1 && rank == SIZE - 1)
            now[blockDim.x + 1] = 0;
        cluster.sync();
        cells[(s + 1) % 2][t + 1] = 0.25f * now[t] + 0.5f * now[t + 1] + 0.25f * now[t + 2];
    }
    values[first + t] = cells[steps % 2][t + 1];
    cluster.sync();
}

// A product of matrices in tiles of 32, of which the two blocks of a cluster share the tile of the left matrix: each
// loads half of it and reads the other half where it lies.
__global__ void __cluster_dims__(2) product_shared_left(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[32][32], right[32][32];
    auto cluster = cg::this_cluster();
    int rank = cluster.block_rank(), x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float (*other)[32] = cluster.map_shared_rank(left, 1 - rank);
    float sum = 0;
    for (int tile = 0; tile < n; tile += 32) {
        if (y / 16 == rank)
            left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        cluster.sync();
        float (*mine)[32] = y / 16 == rank ? left : other;
        for (int k = 0; k < 32; k++)
            sum += mine[y][k] * right[k][x];
        cluster.sync();
    }
    c[row * n + column] = sum;
}

// A bitonic sort of 1024 numbers a block, SIZE blocks together; distant partners are in other blocks.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) sort_together(int *keys)
{
    __shared__ int part[1024];
    auto cluster = cg::this_cluster();
    int rank = cluster.block_rank(), t = threadIdx.x, at = rank * 1024 + t;
    part[t] = keys[blockIdx.x * 1024 + t];
    cluster.sync();
    for (int length = 2; length <= 1024 * SIZE; length *= 2)
        for (int d = length / 2; d > 0; d /= 2) {
            int partner = at ^ d;
            int mine = part[t];
            int theirs = d >= 1024 ? cluster.map_shared_rank(part, partner / 1024)[t] : part[partner % 1024];
            bool smaller = (at < partner) == ((at & length) == 0);
            int kept = smaller ? min(mine, theirs) : max(mine, theirs);
            if (d >= 1024)
                cluster.sync();
            else
                __syncthreads();
            part[t] = kept;
            if (d >= 1024)
                cluster.sync();
            else
                __syncthreads();
        }
    keys[blockIdx.x * 1024 + t] = part[t];
    cluster.sync();
}

// Numbers of a table that is spread over the shared memory of a cluster, looked up at random places.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) look_up(const int *table, const int *places, int *out, int count)
{
    __shared__ int part[4096];
    auto cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        part[k] = table[cluster.block_rank() * 4096 + k];
    cluster.sync();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        int place = places[k] % (4096 * SIZE);
        out[k] = cluster.map_shared_rank(part, place / 4096)[place % 4096];
    }
    cluster.sync();
}
