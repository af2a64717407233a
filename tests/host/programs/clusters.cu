// Thread block clusters: a histogram in distributed shared memory, a ring of neighbours, a reduction over a cluster.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
#include <numeric>
namespace cg = cooperative_groups;
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e_)); return 1; } } while (0)
__global__ void clusterHist_kernel(int *bins, const int nbins, const int bins_per_block, const int *__restrict__ input, size_t array_size) {
    extern __shared__ int smem[];
    int tid = cg::this_grid().thread_rank();
    cg::cluster_group cluster = cg::this_cluster();
    unsigned int clusterBlockRank = cluster.block_rank();
    int cluster_size = cluster.dim_blocks().x;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
    cluster.sync();
    for (int i = tid; i < array_size; i += blockDim.x * gridDim.x) {
        int ldata = input[i];
        int binid = ldata;
        if (ldata < 0) binid = 0; else if (ldata >= nbins) binid = nbins - 1;
        int dst_block_rank = (int)(binid / bins_per_block);
        int dst_offset = binid % bins_per_block;
        int *dst_smem = cluster.map_shared_rank(smem, dst_block_rank);
        atomicAdd(dst_smem + dst_offset, 1);
    }
    cluster.sync();
    int *lbins = bins + cluster.block_rank() * bins_per_block;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&lbins[i], smem[i]);
}
__global__ void __cluster_dims__(4, 1, 1) ring(int *out) {
    __shared__ int mine[32]; __shared__ float4 wide;
    auto cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    mine[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
    if (threadIdx.x == 0) wide = make_float4(rank, 1, 2, 3);
    cluster.barrier_arrive();
    int before = threadIdx.x * 2;
    cluster.barrier_wait();
    const int *theirs = cluster.map_shared_rank(mine, next);
    int got = theirs[31 - threadIdx.x];
    float4 w = *cluster.map_shared_rank(&wide, next);
    cluster.sync();
    if (threadIdx.x == 5) cluster.map_shared_rank(mine, (rank + 2) % 4)[7] = -(int)rank;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = got + before + mine[7] + (int)w.x * 1000 + cluster.query_shared_rank(theirs) * 10000 + cluster.thread_rank() % 3;
}
__global__ void __cluster_dims__(2, 2, 1) plane(int *out) {
    __shared__ int sum;
    auto c = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    c.sync();
    int *first = c.map_shared_rank(&sum, 0);
    atomicAdd(first, threadIdx.x + c.block_rank());
    c.sync();
    if (threadIdx.x == 0) {
        int block = blockIdx.y * gridDim.x + blockIdx.x; dim3 at = c.block_index(), d = c.dim_blocks();
        out[block] = c.block_rank() == 0 ? sum : -(int)(at.x + at.y * 10 + d.x * 100 + d.y * 1000 + c.num_threads() * 10000);
    }
}
int main() {
    const int n = 5000, nbins = 256; std::vector<int> h(n); for (int i = 0; i < n; i++) h[i] = (i * 37 + i / 7) % 300 - 20;
    int *in, *bins; CHECK(cudaMalloc(&in, n * 4)); CHECK(cudaMalloc(&bins, nbins * 4)); CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    for (int cluster_size : {1, 2, 4, 8}) {
        CHECK(cudaMemset(bins, 0, nbins * 4));
        cudaLaunchConfig_t config = {0}; config.gridDim = 8; config.blockDim = 64; int per = nbins / cluster_size; config.dynamicSmemBytes = per * sizeof(int);
        cudaLaunchAttribute attribute[1]; attribute[0].id = cudaLaunchAttributeClusterDimension; attribute[0].val.clusterDim.x = cluster_size; attribute[0].val.clusterDim.y = 1; attribute[0].val.clusterDim.z = 1; config.numAttrs = 1; config.attrs = attribute;
        int active = 0; CHECK(cudaOccupancyMaxActiveClusters(&active, clusterHist_kernel, &config));
        CHECK(cudaLaunchKernelEx(&config, clusterHist_kernel, bins, nbins, per, (const int *)in, (size_t)n)); CHECK(cudaDeviceSynchronize());
        std::vector<int> b(nbins); CHECK(cudaMemcpy(b.data(), bins, nbins * 4, cudaMemcpyDeviceToHost)); printf("%d: %d %d %d, all %d, some fit %d\n", cluster_size, b[0], b[100], b[255], std::accumulate(b.begin(), b.end(), 0), active > 0);
    }
    int *out; CHECK(cudaMallocManaged(&out, 8 * 32 * 4)); ring<<<8, 32>>>(out); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); for (int i = 0; i < 256; i += 13) printf("%d ", out[i]); puts("");
    plane<<<dim3(4, 2), 64>>>(out); CHECK(cudaDeviceSynchronize()); for (int i = 0; i < 8; i++) printf("%d ", out[i]); puts("");
    ring<<<6, 32>>>(out); printf("six blocks: %s\n", cudaGetErrorName(cudaGetLastError())); cudaDeviceSynchronize();
    cudaLaunchConfig_t big = {0}; big.gridDim = 16; big.blockDim = 32; big.dynamicSmemBytes = 64; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeClusterDimension; a[0].val.clusterDim.x = 16; a[0].val.clusterDim.y = 1; a[0].val.clusterDim.z = 1; big.attrs = a; big.numAttrs = 1;
    printf("sixteen: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&big, clusterHist_kernel, bins, 16, 1, (const int *)in, (size_t)n))); cudaGetLastError();
    CHECK(cudaFuncSetAttribute(clusterHist_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)); printf("allowed: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&big, clusterHist_kernel, bins, 16, 1, (const int *)in, (size_t)n))); printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
