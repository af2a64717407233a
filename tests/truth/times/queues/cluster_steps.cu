// Measures a barrier of a cluster behind accesses of shared memory, near and far, and of global memory, where one block
// or several share a multiprocessor. Prints one line a figure: what a round does, blocks a cluster, warps a block,
// blocks a multiprocessor, blocks at once, cycles a round in the mean of all blocks, and, of the warps of all blocks in the mean, the
// cycles from the start of the round on until the first and the last one has passed its fence.
//
//     nvcc -O3 -std=c++17 -arch=native -o cluster_steps cluster_steps.cu && ./cluster_steps
#include <cooperative_groups.h>

#include "timing.h"

namespace cg = cooperative_groups;

enum Kind {
    NOTHING, BLOCK_BARRIER, STORE, LOAD, STORE_LOAD, STENCIL, STENCIL_BLOCK, STENCIL_ONE_FAR, FAR_LOAD, ONE_WARP_FAR,
    GLOBAL_LOAD, FENCE_STORE, FENCE_LOAD, FENCE_GLOBAL_LOAD, ONE_WARP_GLOBAL, KINDS
};
const int ROUNDS = 64;

template <int KIND>
__global__ void rounds_of(int *global, long long *clocks, int *fenced)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), value = t, sum = 0;
    int *far = cluster.map_shared_rank(data, (rank + 1) % cluster.num_blocks());
    data[t] = data[t + 1100] = t;
    cluster.sync();
    long long start = clock64();
    for (int r = 0; r < ROUNDS; r++) {
        volatile int *now = data + r % 2 * 1100, *next = data + (r + 1) % 2 * 1100;
        int begin = clock();
        if (KIND == BLOCK_BARRIER)
            __syncthreads();
        if (KIND == STORE || KIND == STORE_LOAD || KIND == FENCE_STORE)
            next[t] = value + r;
        if (KIND == LOAD || KIND == STORE_LOAD || KIND == FENCE_LOAD)
            value += now[t];
        if (KIND == STENCIL || KIND == STENCIL_BLOCK || KIND == STENCIL_ONE_FAR) {
            if (KIND == STENCIL_ONE_FAR && t == 0)
                far[1098] = now[0];
            if (KIND == STENCIL_ONE_FAR && t == blockDim.x - 1)
                far[1099] = now[t];
        }
        if (KIND == ONE_WARP_FAR && t < 32)
            far[2200 + t] = value;
        if (KIND == FAR_LOAD)
            value += *(volatile int *)&far[t];
        if (KIND == GLOBAL_LOAD || KIND == FENCE_GLOBAL_LOAD || (KIND == ONE_WARP_GLOBAL && t < 32))
            value += *(volatile int *)&global[blockIdx.x * blockDim.x + t];
        if (KIND == LOAD || KIND == STORE_LOAD || KIND == FENCE_LOAD || KIND == FAR_LOAD || KIND == GLOBAL_LOAD
            || KIND == FENCE_GLOBAL_LOAD || KIND == ONE_WARP_GLOBAL)
            asm volatile("" ::"r"(value * 3) : "memory");
        if (KIND == FENCE_STORE || KIND == FENCE_LOAD || KIND == FENCE_GLOBAL_LOAD) {
            __threadfence();
            sum += clock() - begin;
        } else if (KIND == STENCIL_BLOCK)
            __syncthreads();
        else {
            asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
            int passed = clock() - begin;
            asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
            sum += passed;
        }
        if (KIND == STENCIL || KIND == STENCIL_BLOCK || KIND == STENCIL_ONE_FAR)
            next[t] = now[t] + 2 * now[t + 1] + now[t + 2];
    }
    long long end = clock64();
    cluster.sync();
    if (t % 32 == 0)
        fenced[blockIdx.x * 32 + t / 32] = sum / ROUNDS;
    if (t == 0)
        clocks[blockIdx.x] = end - start;
    if (value == -12345)
        global[0] = value;
}

template <int KIND>
static void measure(int *global, long long *clocks, int *fenced)
{
    static const char *NAMES[] = {
        "nothing", "block_barrier", "store", "load", "store_load", "stencil", "stencil_block", "stencil_one_far",
        "far_load", "one_warp_far", "global_load", "fence_store", "fence_load", "fence_global_load", "one_warp_global"
    };
    CHECK(cudaFuncSetAttribute((const void *)rounds_of<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    CHECK(cudaFuncSetAttribute((const void *)rounds_of<KIND>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    for (int size : {1, 2, 8})
        for (int warps : {1, 4, 8, 16, 32})
            for (int blocks : {1, 2, 8}) {
                if (warps * blocks > 64 || (blocks == 2 && warps < 16))
                    continue;
                const int shared = blocks == 1 ? 200 << 10 : blocks == 2 ? 100 << 10 : 20 << 10;
                ClusterLaunch config(size, size, 32 * warps, shared);
                int clusters;
                CHECK(cudaOccupancyMaxActiveClusters(&clusters, rounds_of<KIND>, &config));
                int n = clusters * size;
                config.gridDim = n;
                for (int k = 0; k < 2; k++)
                    CHECK(cudaLaunchKernelEx(&config, rounds_of<KIND>, global, clocks, fenced));
                CHECK(cudaDeviceSynchronize());
                std::vector<long long> taken(n);
                std::vector<int> passed(n * 32);
                CHECK(cudaMemcpy(taken.data(), clocks, taken.size() * 8, cudaMemcpyDeviceToHost));
                CHECK(cudaMemcpy(passed.data(), fenced, passed.size() * 4, cudaMemcpyDeviceToHost));
                double all = 0, first = 0, last = 0;
                for (int b = 0; b < n; b++) {
                    all += taken[b];
                    int least = 1 << 30, most = 0;
                    for (int w = 0; w < warps; w++) {
                        least = std::min(least, passed[b * 32 + w]);
                        most = std::max(most, passed[b * 32 + w]);
                    }
                    first += least, last += most;
                }
                printf("%s,%d,%d,%d,%d,%.1f,%.1f,%.1f\n", NAMES[KIND], size, warps, blocks, n, all / n / ROUNDS, first / n,
                       last / n);
            }
}

template <int KIND>
static void measure_from(int *global, long long *clocks, int *fenced)
{
    measure<KIND>(global, clocks, fenced);
    if constexpr (KIND + 1 < KINDS)
        measure_from<KIND + 1>(global, clocks, fenced);
}

int main()
{
    int *global, *fenced;
    long long *clocks;
    CHECK(cudaMalloc(&global, 8 << 20));
    CHECK(cudaMemset(global, 0, 8 << 20));
    CHECK(cudaMalloc(&clocks, 132 * 8 * 8));
    CHECK(cudaMalloc(&fenced, 132 * 8 * 32 * 4));
    printf("figure,blocks,warps,resident,running,cycles,first,last\n");
    measure_from<0>(global, clocks, fenced);
}
