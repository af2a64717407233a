// Traces the fences of one multiprocessor, whose warps access memory, fence, and wait for a while that differs from
// round to round: by its own clock when each warp begins, when its access has been issued or is there, and when it has
// passed its fence. Prints one line a round of a warp: what it does, blocks a multiprocessor, warps a block, block, warp,
// round and the three clocks.
//
//     nvcc -O3 -std=c++17 -arch=native -o fence_traces fence_traces.cu && ./fence_traces
#include <cooperative_groups.h>

#include "timing.h"

namespace cg = cooperative_groups;

enum Kind { FENCE, LOAD_WAITED, LOAD, STORE, FAR_STORE, FAR_LOAD, ONE_FAR_STORE, SHARED, KINDS };
const int ROUNDS = 48, WARPS = 64;

template <int KIND>
__global__ void trace(int *global, unsigned *clocks, int *places, int gap)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), value = t;
    unsigned sm, random = (blockIdx.x * 64 + t / 32) * 2654435761u;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    int *far = cluster.map_shared_rank(data, (rank + 1) % cluster.num_blocks());
    data[t] = t;
    cluster.sync();
    unsigned *row = clocks + (blockIdx.x * (blockDim.x / 32) + t / 32) * ROUNDS * 3;
    unsigned kept[3];
    for (int r = 0; r < ROUNDS; r++) {
        random = random * 1664525u + 1013904223u;
        unsigned until = clock() + (gap ? (random >> 8) % gap : 0);
        while ((int)(clock() - until) < 0) {
        }
        kept[0] = clock();
        if (KIND == LOAD_WAITED || KIND == LOAD)
            value = *(volatile int *)&global[blockIdx.x * blockDim.x + t];
        if (KIND == STORE)
            *(volatile int *)&global[blockIdx.x * blockDim.x + t] = r;
        if (KIND == FAR_STORE || (KIND == ONE_FAR_STORE && t < 32))
            *(volatile int *)&far[t] = r;
        if (KIND == FAR_LOAD)
            value = *(volatile int *)&far[t];
        if (KIND == SHARED)
            value = *(volatile int *)&data[t];
        if (KIND == LOAD_WAITED && value == -777)
            global[0] = 1;
        kept[1] = clock();
        __threadfence();
        kept[2] = clock();
        if (value == -777)
            global[0] = 1;
        // The clocks are stored to shared memory, so that no store of them is on its way.
        if (t % 32 == 0)
            for (int k = 0; k < 3; k++)
                data[1100 + (t / 32 * ROUNDS + r) * 3 + k] = kept[k];
    }
    cluster.sync();
    for (int k = t % 32; k < ROUNDS * 3; k += 32)
        row[k] = data[1100 + t / 32 * ROUNDS * 3 + k];
    if (t == 0)
        places[blockIdx.x] = sm;
}

template <int KIND>
static void measure(int *global, unsigned *clocks, int *places)
{
    static const char *NAMES[] = {
        "fence", "load_waited", "load", "store", "far_store", "far_load", "one_far_store", "shared"
    };
    CHECK(cudaFuncSetAttribute((const void *)trace<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    CHECK(cudaFuncSetAttribute((const void *)trace<KIND>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    const int shapes[][3] = {{1, 1, 700}, {8, 1, 700}, {1, 8, 700}, {8, 1, 0}, {8, 2, 700}, {2, 8, 0}};
    for (auto &[blocks, warps, gap] : shapes) {
        const int size = 2;
        const int shared = blocks == 1 ? 200 << 10 : blocks == 2 ? 100 << 10 : 26 << 10;
        ClusterLaunch config(size, size, 32 * warps, shared);
        int clusters;
        CHECK(cudaOccupancyMaxActiveClusters(&clusters, trace<KIND>, &config));
        int n = clusters * size;
        config.gridDim = n;
        for (int k = 0; k < 2; k++)
            CHECK(cudaLaunchKernelEx(&config, trace<KIND>, global, clocks, places, gap));
        CHECK(cudaDeviceSynchronize());
        std::vector<unsigned> taken(n * warps * ROUNDS * 3);
        std::vector<int> place(n);
        CHECK(cudaMemcpy(taken.data(), clocks, taken.size() * 4, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(place.data(), places, n * 4, cudaMemcpyDeviceToHost));
        for (int b = 0; b < n; b++)
            if (place[b] == place[0] || place[b] == place[n / 2])
                for (int w = 0; w < warps; w++)
                    for (int r = 0; r < ROUNDS; r++) {
                        unsigned *row = &taken[((b * warps + w) * ROUNDS + r) * 3];
                        printf("%s,%d,%d,%d,%d,%d,%d,%d,%u,%u,%u\n", NAMES[KIND], blocks, warps, gap, place[b], b, w, r,
                               row[0], row[1], row[2]);
                    }
    }
}

template <int KIND>
static void measure_from(int *global, unsigned *clocks, int *places)
{
    measure<KIND>(global, clocks, places);
    if constexpr (KIND + 1 < KINDS)
        measure_from<KIND + 1>(global, clocks, places);
}

int main()
{
    int *global, *places;
    unsigned *clocks;
    CHECK(cudaMalloc(&global, 8 << 20));
    CHECK(cudaMemset(global, 0, 8 << 20));
    CHECK(cudaMalloc(&clocks, 132 * WARPS * ROUNDS * 3 * 4));
    CHECK(cudaMalloc(&places, 132 * 32 * 4));
    printf("figure,resident,warps,gap,multiprocessor,block,warp,round,begin,issued,passed\n");
    measure_from<0>(global, clocks, places);
}
