// Kernels that synchronise their grid; test_grid_truth.py launches them as they were launched on an H200.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void rotate(unsigned *a, unsigned *b, int rounds) {
    cg::grid_group grid = cg::this_grid();
    __shared__ unsigned s[64];
    int n = gridDim.x * blockDim.x, i = grid.thread_rank();
    for (int k = 0; k < rounds; ++k) {
        s[threadIdx.x] = a[(i + blockDim.x) % n] + 1;
        __syncthreads();
        b[i] = s[63 - threadIdx.x];
        grid.sync();
        unsigned *t = a; a = b; b = t;
    }
}

extern "C" __global__ void total(unsigned *a, unsigned *b, int n) {
    cg::grid_group grid = cg::this_grid();
    unsigned sum = 0;
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) sum += a[i];
    b[grid.thread_rank()] = sum;
    cg::sync(grid);
    for (unsigned active = grid.size() / 2; active > 0; active /= 2) {
        if (grid.thread_rank() < active) b[grid.thread_rank()] += b[grid.thread_rank() + active];
        grid.sync();
    }
    if (grid.thread_rank() == 0) a[0] = b[0];
}

extern "C" __global__ void plane(unsigned *a, unsigned *b, int n) {
    cg::grid_group grid = cg::this_grid();
    dim3 at = grid.block_index();
    unsigned i = grid.thread_rank();
    if (grid.is_valid()) a[i] = at.x + 10 * at.y + 100 * at.z;
    grid.sync();
    b[i] = a[grid.size() - 1 - i] + grid.num_blocks() + grid.dim_blocks().x;
}

extern "C" __global__ void apart(unsigned *a, unsigned *b, int n) {
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank();
    a[i] = 3 * i;
    auto token = grid.barrier_arrive();
    b[i] = a[i] + 1;
    grid.barrier_wait(static_cast<decltype(token) &&>(token));
    b[i] += a[(i + n) % grid.size()];
}
