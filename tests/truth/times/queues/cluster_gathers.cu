// Measures accesses of a warp to the shared memory of several blocks of its cluster at once, and how fast clusters
// follow one another. Prints one line a figure: figure, cluster size, warps a block, value.
//
//     nvcc -O3 -std=c++17 -arch=native -o cluster_gathers cluster_gathers.cu && ./cluster_gathers
#include <cooperative_groups.h>

#include "timing.h"

namespace cg = cooperative_groups;

enum Kind { LOAD, STORE, ADD };
enum Places { RANDOM, OWN_RANDOM, NEXT_RANDOM, ONE_LINE_EACH, TWO_BLOCKS_RANDOM };

// Each lane accesses ``8 * rounds`` words of a block of the cluster, as ``places`` say, eight of them in turn.
template <int KIND>
__global__ void gather(int places, int rounds, long long *clocks, int *sink)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < 5120; k += blockDim.x)
        data[k] = 0;
    int size = cluster.num_blocks(), rank = cluster.block_rank();
    unsigned hash = (threadIdx.x + 1024 * blockIdx.x) * 2654435761u;
    hash ^= hash >> 15;
    int target = hash >> 7, word = hash & 4095;
    if (places == OWN_RANDOM)
        target = rank;
    if (places == NEXT_RANDOM)
        target = rank + 1;
    if (places == ONE_LINE_EACH)
        target = threadIdx.x % size, word = threadIdx.x & 4095;
    if (places == TWO_BLOCKS_RANDOM)
        target = rank + 1 + (hash >> 7 & 1);
    unsigned own = (unsigned)__cvta_generic_to_shared(data + word), at, sum = 0;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(own), "r"((unsigned)target % size));
    cluster.sync();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (KIND == LOAD)
                asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v[k]) : "r"(at + (sum & 1) + 512 * k) : "memory");
            if (KIND == STORE)
                asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at + 512 * k), "r"(0) : "memory");
            if (KIND == ADD)
                asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v[k]) : "r"(at + 512 * k), "r"(0) : "memory");
        }
        if (KIND != STORE)
#pragma unroll
            for (int k = 0; k < 8; k++)
                sum |= v[k];
    }
    cluster.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Blocks that last for a while; those of a cluster end together where ``together``.
__global__ void last(int cycles, int together)
{
    long long start = clock64();
    while (clock64() - start < cycles)
        ;
    if (together)
        cg::this_cluster().sync();
}

template <class... Args>
static void launch(void (*kernel)(Args...), int size, int blocks, int threads, int shared, Args... args)
{
    ClusterLaunch config(size, blocks, threads, shared);
    if (shared > 48 << 10)
        CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaLaunchKernelEx(&config, kernel, args...));
}

template <int KIND>
static void gathers(const char *name, long long *clocks, int *sink)
{
    const char *places[] = {"random", "own_random", "next_random", "one_line_each", "two_blocks_random"};
    for (int size : {2, 4, 8})
        for (int place = 0; place < 5; place++)
            for (int warps : {1, 4, 16, 32}) {
                const int rounds = 16;
                long long host;
                for (int k = 0; k < 2; k++)
                    launch(gather<KIND>, size, 64, 32 * warps, 200 << 10, place, rounds, clocks, sink);
                CHECK(cudaDeviceSynchronize());
                CHECK(cudaMemcpy(&host, clocks, sizeof host, cudaMemcpyDeviceToHost));
                printf("%s_%s,%d,%d,%.5g\n", name, places[place], size, warps, (double)host / (8 * rounds * warps));
            }
}

// Cycles from one wave of blocks to the next beside the time for which each lasts, at 1755 MHz.
static void waves()
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int together : {0, 1})
        for (int size : {0, 1, 2, 4, 8})
            for (int threads : {64, 256, 1024}) {
                if (together && size < 2)
                    continue;
                int resident = threads == 64 ? 32 : 2048 / threads, blocks = 64 / resident * resident * 120;
                float ms[2];
                for (int half = 1; half <= 2; half++)
                    for (int k = 0; k < 3; k++) {
                        CHECK(cudaEventRecord(begin));
                        launch(last, size, blocks * half, threads, 0, 10000, together);
                        CHECK(cudaEventRecord(end));
                        CHECK(cudaEventSynchronize(end));
                        float now;
                        CHECK(cudaEventElapsedTime(&now, begin, end));
                        ms[half - 1] = k && ms[half - 1] < now ? ms[half - 1] : now;
                    }
                printf("%s,%d,%d,%.6g\n", together ? "blocks_together" : "blocks_apart", size, threads / 32,
                       (ms[1] - ms[0]) * 1e3 / blocks * 1e3);
            }
}

int main()
{
    long long *clocks;
    int *sink;
    CHECK(cudaMalloc(&clocks, 1 << 16));
    CHECK(cudaMalloc(&sink, 1 << 20));
    printf("figure,blocks,warps,value\n");
    gathers<LOAD>("load", clocks, sink);
    gathers<STORE>("store", clocks, sink);
    gathers<ADD>("add", clocks, sink);
    waves();
}
