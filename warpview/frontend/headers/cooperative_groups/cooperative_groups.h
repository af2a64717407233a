// The group of the threads of a cluster; the compiler knows the other groups itself.
#pragma once

namespace cooperative_groups {
class cluster_group {
public:
    struct arrival_token {};
    __device__ static void sync() { __cluster_barrier_arrive(); __cluster_barrier_wait(); }
    __device__ static arrival_token barrier_arrive() { __cluster_barrier_arrive(); return arrival_token(); }
    __device__ static void barrier_wait() { __cluster_barrier_wait(); }
    __device__ static void barrier_wait(arrival_token) { __cluster_barrier_wait(); }
    __device__ static unsigned int query_shared_rank(const void *address) { return __cluster_query_shared_rank(address); }
    template <typename T> __device__ static T *map_shared_rank(T *address, int rank) {
        return __cluster_map_shared_rank(address, rank);
    }
    __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    __device__ static dim3 dim_blocks() { return __clusterDim(); }
    __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    __device__ static dim3 thread_index() {
        const dim3 block = __clusterRelativeBlockIdx();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    __device__ static unsigned int thread_rank() {
        return __clusterRelativeBlockRank() * (blockDim.x * blockDim.y * blockDim.z)
            + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    __device__ static dim3 dim_threads() {
        return dim3(__wv_cluster_dim.x * blockDim.x, __wv_cluster_dim.y * blockDim.y, __wv_cluster_dim.z * blockDim.z);
    }
    __device__ static unsigned int num_threads() {
        return __clusterSizeInBlocks() * (blockDim.x * blockDim.y * blockDim.z);
    }
    __device__ static unsigned int size() { return num_threads(); }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }
}  // namespace cooperative_groups
