// Times launches by CUDA events, for the programs of this folder.
#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess)                                                                                     \
            printf("# %s in line %d\n", cudaGetErrorString(error_), __LINE__);                                         \
    } while (0)

// Returns the median time of some launches, with something done before each that is not timed.
template <class Prepare, class Launch>
static double median_microseconds(int launches, Prepare prepare, Launch launch)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int k = 0; k < launches; k++) {
        float t;
        prepare();
        CHECK(cudaEventRecord(start));
        launch();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&t, start, stop));
        times.push_back(t);
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[launches / 2] * 1000;
}

// The configuration of a launch of blocks in clusters of ``size``; without clusters where that is 0.
struct ClusterLaunch : cudaLaunchConfig_t {
    cudaLaunchAttribute dimension = {};

    ClusterLaunch(int size, int blocks, int threads, int shared = 0) : cudaLaunchConfig_t{}
    {
        dimension.id = cudaLaunchAttributeClusterDimension;
        dimension.val.clusterDim = {(unsigned)size, 1, 1};
        attrs = &dimension;
        numAttrs = size > 0;
        gridDim = blocks;
        blockDim = threads;
        dynamicSmemBytes = shared;
    }
    ClusterLaunch(const ClusterLaunch &) = delete; // it has its own address
};
