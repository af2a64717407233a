// Measures shared memory of other blocks of a cluster, barriers of clusters and of the whole grid, one block a
// multiprocessor unless it is said. Prints one line a figure: figure, cluster size (or blocks), parameter, value, unit.
//
//     nvcc -O3 -std=c++17 -arch=native -o cluster_times cluster_times.cu && ./cluster_times
#include <cooperative_groups.h>

#include "timing.h"

namespace cg = cooperative_groups;

static long long *clocks;  // [1024]
static int *sink;
constexpr int WORDS = 8192, WHOLE = 200 << 10;

enum Kind { LOAD, LOAD_4, STORE, STORE_4, REDUCE, ADD };

// What lane ``t`` of the block's warps addresses of the block ``ahead`` places further on: words ``stride`` apart, and in
// other lines each time, as the compiler joins accesses to the same place.
template <int KIND>
__global__ void stream(int ahead, int stride, int rounds, int active, long long *clocks, int *sink)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < WORDS + 1024; k += blockDim.x)
        data[k] = 0;
    int target = ahead < 0 ? 0 : (cluster.block_rank() + ahead) % cluster.num_blocks();
    unsigned own = (unsigned)__cvta_generic_to_shared(data), at, sum = 0;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(own), "r"(target));
    int first = (threadIdx.x / 32 * 128 + threadIdx.x % 32 * stride * (KIND == LOAD_4 || KIND == STORE_4 ? 4 : 1)) % WORDS;
    at += 4 * first;
    cluster.sync();
    bool works = active == 0 || (int)cluster.block_rank() < active;
    long long start = clock64();
    if (works)
        for (int r = 0; r < rounds; r++) {
            unsigned v[8][4];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                if (KIND == LOAD)
                    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v[k][0]) : "r"(at + (sum & 1) + 512 * k) : "memory");
                if (KIND == LOAD_4)
                    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "r"(at + (sum & 1) + 512 * k) : "memory");
                if (KIND == STORE)
                    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at + 512 * k), "r"(0) : "memory");
                if (KIND == STORE_4)
                    asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at + 512 * k), "r"(0) : "memory");
                if (KIND == REDUCE)
                    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at + 512 * k), "r"(0) : "memory");
                if (KIND == ADD)
                    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v[k][0]) : "r"(at + 512 * k), "r"(0) : "memory");
            }
            if (KIND == LOAD || KIND == LOAD_4 || KIND == ADD)
#pragma unroll
                for (int k = 0; k < 8; k++)
                    sum |= KIND == LOAD_4 ? v[k][0] | v[k][1] | v[k][2] | v[k][3] : v[k][0];
        }
    __syncthreads();
    long long issued = clock64() - start;
    cluster.sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        clocks[0] = clock64() - start;
        clocks[1] = issued;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A chain of dependent accesses by some lanes of one warp.
template <int KIND>
__global__ void chain(int ahead, int lanes, int rounds, long long *clocks, int *sink)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    for (int k = threadIdx.x; k < WORDS; k += blockDim.x)
        data[k] = 0;
    unsigned own = (unsigned)__cvta_generic_to_shared(data), at, v = 0;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(own), "r"((cluster.block_rank() + ahead) % cluster.num_blocks()));
    at += threadIdx.x * 4;
    cluster.sync();
    long long start = clock64(), end = start;
    if (cluster.block_rank() == 0 && (int)threadIdx.x < lanes) {
        for (int r = 0; r < rounds; r++)
            if (KIND == LOAD)
                asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at + v) : "memory");
            else
                asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(at + v), "r"(0) : "memory");
        end = clock64() + (v & 1);
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        clocks[0] = end - start;
    cluster.sync();
    sink[threadIdx.x] = v;
}

__global__ void cluster_syncs(int rounds, long long *clocks)
{
    auto cluster = cg::this_cluster();
    cluster.sync();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        cluster.sync();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

// Of which the last block to arrive is late: how long after it the others go on.
__global__ void late_sync(int delay, long long *clocks)
{
    auto cluster = cg::this_cluster();
    cluster.sync();
    cluster.sync();
    long long start = clock64();
    if (cluster.block_rank() == cluster.num_blocks() - 1)
        while (clock64() - start < delay)
            ;
    long long before = clock64();
    cluster.sync();
    if (threadIdx.x == 0) {
        clocks[2 * blockIdx.x] = clock64() - start;
        clocks[2 * blockIdx.x + 1] = clock64() - before;
    }
}

__global__ void block_syncs(int rounds, long long *clocks)
{
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

__global__ void grid_syncs(int rounds, int written, int *data, long long *clocks)
{
    auto grid = cg::this_grid();
    grid.sync();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        if (written)
            data[grid.thread_rank()] = r;
        grid.sync();
    }
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

__global__ void empty(int *sink) { if (sink == (int *)1) *sink = 0; }

static double value(int k = 0)
{
    long long host;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&host, clocks + k, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host;
}

template <class... Args>
static void launch(void (*kernel)(Args...), int cluster, int blocks, int threads, int shared, bool cooperative, Args... args)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {(unsigned)cluster, 1, 1};
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    config.attrs = cluster ? attributes : attributes + 1;
    config.numAttrs = cluster || cooperative ? 1 : 0;
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    if (shared > 48 << 10)
        CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    if (cluster > 8)
        CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaLaunchKernelEx(&config, kernel, args...));
}

template <int KIND>
static void streams(const char *name)
{
    struct Pattern { const char *name; int ahead, stride, active; };
    for (int size : {1, 2, 4, 8, 16})
        for (Pattern p : {Pattern{"own", 0, 1, 0}, {"next", 1, 1, 0}, {"next_stride_2", 1, 2, 0}, {"next_stride_32", 1, 32, 0},
                          {"next_one_word", 1, 0, 0}, {"next_one_active", 1, 1, 1}, {"to_first", -1, 1, 0}}) {
            if (size == 1 && p.ahead)
                continue;
            if (size > 2 && p.stride != 1)
                continue;
            for (int warps : {1, 4, 32}) {
                int rounds = 16, blocks = size == 16 ? 16 : 64;
                double cycles, issued;
                for (int k = 0; k < 2; k++) {
                    launch(stream<KIND>, size, blocks, 32 * warps, WHOLE, false, p.ahead, p.stride, rounds, p.active, clocks, sink);
                    cycles = value(0), issued = value(1);
                }
                printf("%s_%s,%d,%d,%.5g,cycles\n", name, p.name, size, warps, cycles / (8 * rounds * warps));
                printf("%s_%s_issued,%d,%d,%.5g,cycles\n", name, p.name, size, warps, issued / (8 * rounds * warps));
            }
        }
}

int main()
{
    CHECK(cudaMalloc(&clocks, 1 << 16));
    CHECK(cudaMalloc(&sink, 4 << 20));
    printf("figure,blocks,parameter,value,unit\n");
    for (int size : {1, 2, 4, 8, 16})
        for (int ahead = 0; ahead < size; ahead++)
            for (int lanes : {1, 32}) {
                double cycles[2];
                for (int k = 0; k < 2; k++) {
                    launch(chain<LOAD>, size, size, 32, WHOLE, false, ahead, lanes, 64, clocks, sink);
                    cycles[0] = value();
                    launch(chain<ADD>, size, size, 32, WHOLE, false, ahead, lanes, 64, clocks, sink);
                    cycles[1] = value();
                }
                printf("chain_load_%d,%d,%d,%.5g,cycles\n", lanes, size, ahead, cycles[0] / 64);
                printf("chain_add_%d,%d,%d,%.5g,cycles\n", lanes, size, ahead, cycles[1] / 64);
            }
    streams<LOAD>("load");
    streams<LOAD_4>("load_4");
    streams<STORE>("store");
    streams<STORE_4>("store_4");
    streams<REDUCE>("reduce");
    streams<ADD>("add");
    for (int warps : {1, 4, 8, 32}) {
        for (int k = 0; k < 2; k++)
            launch(block_syncs, 0, 1, 32 * warps, 0, false, 64, clocks);
        printf("block_sync,1,%d,%.5g,cycles\n", warps, value() / 64);
        for (int size : {1, 2, 4, 8, 16})
            for (int blocks : {size, size == 16 ? 64 : 120}) {
                for (int k = 0; k < 2; k++)
                    launch(cluster_syncs, size, blocks, 32 * warps, WHOLE, false, 64, clocks);
                printf("cluster_sync_of_%d,%d,%d,%.5g,cycles\n", blocks, size, warps, value() / 64);
            }
    }
    for (int size : {2, 4, 8})
        for (int k = 0; k < 2; k++) {
            launch(late_sync, size, size, 32, WHOLE, false, 3000, clocks);
            if (k)
                printf("late_sync,%d,0,%.5g,cycles\nlate_sync,%d,1,%.5g,cycles\n", size, value(0) - 3000, size, value(2 * size - 1));
        }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    for (int threads : {32, 256, 1024})
        for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132, 264})
            for (int written : {0, 1}) {
                int fit = blocks <= multiprocessors ? WHOLE : 100 << 10;
                for (int k = 0; k < 2; k++)
                    launch(grid_syncs, 0, blocks, threads, fit, true, 64, written, sink, clocks);
                printf("grid_sync%s,%d,%d,%.5g,cycles\n", written ? "_written" : "", blocks, threads, value() / 64);
            }
    // Launches of clusters: what empty ones cost.
    for (int size : {0, 1, 2, 4, 8})
        printf("empty,%d,%d,%.5g,us\n", size, 26400, median_microseconds(11, [] {}, [&] { launch(empty, size, 26400, 128, 0, false, sink); }));
}
