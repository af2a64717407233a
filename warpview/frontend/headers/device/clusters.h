// Clusters of thread blocks: what sm_90_rt.h of CUDA computes from the special registers.
#pragma once

__device__ inline dim3 __clusterDim() {
    return dim3(__wv_cluster_dim.x, __wv_cluster_dim.y, __wv_cluster_dim.z);
}
__device__ inline dim3 __clusterRelativeBlockIdx() {
    return dim3(blockIdx.x % __wv_cluster_dim.x, blockIdx.y % __wv_cluster_dim.y, blockIdx.z % __wv_cluster_dim.z);
}
__device__ inline dim3 __clusterIdx() {
    return dim3(blockIdx.x / __wv_cluster_dim.x, blockIdx.y / __wv_cluster_dim.y, blockIdx.z / __wv_cluster_dim.z);
}
__device__ inline dim3 __clusterGridDimInClusters() {
    return dim3(gridDim.x / __wv_cluster_dim.x, gridDim.y / __wv_cluster_dim.y, gridDim.z / __wv_cluster_dim.z);
}
__device__ inline unsigned int __clusterSizeInBlocks() {
    return __wv_cluster_dim.x * __wv_cluster_dim.y * __wv_cluster_dim.z;
}
__device__ inline unsigned int __clusterDimIsSpecified() { return 1; }
