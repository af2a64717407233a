#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <numeric>
#include <vector>
namespace cg = cooperative_groups;

template <int TileSize>
__global__ void tile_sums(const int *in, int *out, int n) {
    auto block = cg::this_thread_block();
    cg::thread_block_tile<TileSize> tile = cg::tiled_partition<TileSize>(block);
    int i = block.group_index().x * block.group_dim().x + block.thread_rank();
    int v = i < n ? in[i] : 0;
    int sum = cg::reduce(tile, v, cg::plus<int>());
    int top = cg::reduce(tile, v, cg::greater<int>());
    if (tile.thread_rank() == 0) {
        int slot = (i / TileSize);
        out[2 * slot] = sum;
        out[2 * slot + 1] = top;
    }
}

__device__ int aggregated_add(int *counter) {
    cg::coalesced_group g = cg::coalesced_threads();
    int first;
    if (g.thread_rank() == 0) first = atomicAdd(counter, (int)g.size());
    return g.shfl(first, 0) + g.thread_rank();
}
__global__ void filter(const int *in, int *out, int *counter, int n) {
    int i = cg::this_grid().thread_rank();
    if (i < n && in[i] % 3 == 0) out[aggregated_add(counter)] = in[i];
}
__global__ void scan_warp(const int *in, int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[cg::this_grid().thread_rank()];
    int before = cg::exclusive_scan(warp, v, cg::plus<int>());
    int upto = cg::inclusive_scan(warp, v);
    out[cg::this_grid().thread_rank()] = before * 1000 + upto;
    unsigned int large = warp.ballot(v > 20);
    if (warp.meta_group_rank() == 0 && warp.thread_rank() == 31)
        printf("groups of warps: %u, ballot %08x\n", warp.meta_group_size(), large);
    warp.sync();
}
int main() {
    const int n = 1000;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = (i * 7) % 31;
    int *in, *out, *counter;
    cudaMalloc(&in, 1024 * sizeof(int));
    cudaMalloc(&out, 1024 * sizeof(int));
    cudaMalloc(&counter, sizeof(int));
    cudaMemset(in, 0, 1024 * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> r(1024);
    tile_sums<16><<<4, 256>>>(in, out, n);
    cudaMemcpy(r.data(), out, 128 * sizeof(int), cudaMemcpyDeviceToHost);
    long sum = 0, top = 0;
    for (int i = 0; i < 64; ++i) { sum += r[2 * i]; top += r[2 * i + 1]; }
    printf("tiles of 16: %ld (host %d), tops %ld\n", sum, std::accumulate(h.begin(), h.end(), 0), top);
    tile_sums<8><<<4, 256>>>(in, out, n);
    cudaMemcpy(r.data(), out, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("first tile of 8: %d, %d\n", r[0], r[1]);
    cudaMemset(counter, 0, sizeof(int));
    filter<<<4, 256>>>(in, out, counter, n);
    int found;
    cudaMemcpy(&found, counter, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(r.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d multiples of three, sum %d\n", found, std::accumulate(r.begin(), r.begin() + found, 0));
    scan_warp<<<1, 64>>>(in, out);
    cudaMemcpy(r.data(), out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("scan: %d %d %d\n", r[1], r[31], r[63]);
    cudaFree(in); cudaFree(out); cudaFree(counter);
    return 0;
}
