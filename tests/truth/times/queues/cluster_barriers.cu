// Measures what a barrier of a cluster consists of: the fence, arriving and waiting without one, and both behind stores,
// one block a multiprocessor. Prints one line a figure: figure, cluster size, warps a block, cycles a round.
//
//     nvcc -O3 -std=c++17 -arch=native -o cluster_barriers cluster_barriers.cu && ./cluster_barriers
#include <cooperative_groups.h>

#include "timing.h"

namespace cg = cooperative_groups;

enum Kind { FENCE, RELAXED, RELEASED, BEHIND_REMOTE_STORE, BEHIND_GLOBAL_STORE, FENCE_BEHIND_REMOTE_STORE };

__device__ void arrive_and_wait(bool relaxed)
{
    if (relaxed)
        asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    else
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <int KIND>
__global__ void rounds_of(int rounds, int *global, long long *clocks)
{
    extern __shared__ int data[];
    auto cluster = cg::this_cluster();
    unsigned own = (unsigned)__cvta_generic_to_shared(data + threadIdx.x), at;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(own), "r"((cluster.block_rank() + 1) % cluster.num_blocks()));
    cluster.sync();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        if (KIND == BEHIND_REMOTE_STORE || KIND == FENCE_BEHIND_REMOTE_STORE)
            asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(r) : "memory");
        if (KIND == BEHIND_GLOBAL_STORE)
            global[blockIdx.x * blockDim.x + threadIdx.x] = r;
        if (KIND == FENCE || KIND == FENCE_BEHIND_REMOTE_STORE)
            __threadfence();
        else
            arrive_and_wait(KIND == RELAXED);
    }
    long long end = clock64();
    cluster.sync();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - start;
}

template <int KIND>
static void measure(const char *name, int *global, long long *clocks)
{
    CHECK(cudaFuncSetAttribute((const void *)rounds_of<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    for (int size : {1, 2, 8})
        for (int warps : {1, 4, 8, 16, 32}) {
            ClusterLaunch config(size, 64, 32 * warps, 200 << 10);
            const int rounds = 64;
            for (int k = 0; k < 2; k++)
                CHECK(cudaLaunchKernelEx(&config, rounds_of<KIND>, rounds, global, clocks));
            long long host;
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(&host, clocks, sizeof host, cudaMemcpyDeviceToHost));
            printf("%s,%d,%d,%.5g\n", name, size, warps, (double)host / rounds);
        }
}

int main()
{
    int *global;
    long long *clocks;
    CHECK(cudaMalloc(&global, 1 << 20));
    CHECK(cudaMalloc(&clocks, 1 << 16));
    printf("figure,blocks,warps,cycles\n");
    measure<FENCE>("fence", global, clocks);
    measure<RELAXED>("relaxed", global, clocks);
    measure<RELEASED>("released", global, clocks);
    measure<BEHIND_REMOTE_STORE>("behind_remote_store", global, clocks);
    measure<BEHIND_GLOBAL_STORE>("behind_global_store", global, clocks);
    measure<FENCE_BEHIND_REMOTE_STORE>("fence_behind_remote_store", global, clocks);
}
