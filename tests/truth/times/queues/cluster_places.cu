// Notes on which multiprocessor each block of a launch of clusters runs, and from when to when, in ns. Prints one line a
// block: cluster size, blocks, threads, block, multiprocessor, start, end; and how many clusters fit on the device.
//
//     nvcc -O3 -std=c++17 -arch=native -o cluster_places cluster_places.cu && ./cluster_places
#include <cooperative_groups.h>
#include <vector>

#include "timing.h"

struct Stay { unsigned multiprocessor; long long start, end; };

__device__ long long now()
{
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__global__ void last(int cycles, Stay *stays)
{
    long long begin = now(), start = clock64();
    while (clock64() - start < cycles)
        ;
    cooperative_groups::this_cluster().sync();
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    if (threadIdx.x == 0)
        stays[blockIdx.x] = {multiprocessor, begin, now()};
}

int main()
{
    Stay *stays;
    CHECK(cudaMalloc(&stays, 4096 * sizeof(Stay)));
    printf("blocks,launched,threads,block,multiprocessor,start,end\n");
    const int launches[][3] = {{8, 128, 512}, {8, 128, 1024}, {8, 128, 256}, {4, 512, 512}, {2, 256, 512}, {8, 512, 512},
                               {4, 128, 1024}, {8, 256, 1024}, {2, 128, 512}, {4, 128, 256}};
    for (auto &[size, blocks, threads] : launches) {
        ClusterLaunch config(size, blocks, threads);
        for (int k = 0; k < 2; k++)
            CHECK(cudaLaunchKernelEx(&config, last, 40000, stays));
        CHECK(cudaDeviceSynchronize());
        int fit = 0;
        CHECK(cudaOccupancyMaxActiveClusters(&fit, last, &config));
        printf("# %d clusters of %d blocks of %d threads fit\n", fit, size, threads);
        std::vector<Stay> host(blocks);
        CHECK(cudaMemcpy(host.data(), stays, blocks * sizeof(Stay), cudaMemcpyDeviceToHost));
        long long first = host[0].start;
        for (const Stay &stay : host)
            first = stay.start < first ? stay.start : first;
        for (int b = 0; b < blocks; b++)
            printf("%d,%d,%d,%d,%u,%lld,%lld\n", size, blocks, threads, b, host[b].multiprocessor, host[b].start - first,
                   host[b].end - first);
    }
}
