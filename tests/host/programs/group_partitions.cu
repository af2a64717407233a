#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void parts(const int *in, int *out, int n) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int v = in[block.thread_rank()];
    auto same = cg::labeled_partition(warp, v % 5);
    int sum = cg::reduce(same, v, cg::plus<int>());
    int pre = cg::exclusive_scan(same, v);
    auto odd = cg::binary_partition(warp, v & 1);
    int most = cg::reduce(odd, v, cg::greater<int>());
    int *o = out + block.thread_rank() * 8;
    o[0] = same.size(); o[1] = same.thread_rank(); o[2] = sum; o[3] = pre; o[4] = odd.size(); o[5] = most;
    auto tile = cg::tiled_partition<8>(warp);
    o[6] = tile.meta_group_rank() * 100 + tile.meta_group_size() + cg::inclusive_scan(tile, v, cg::bit_xor<int>());
    if (v > n) { auto active = cg::coalesced_threads(); o[7] = active.size() * 1000 + active.thread_rank() * 10 + (int)active.shfl(v, 0) % 10; int winners = active.ballot(v & 4) ; o[7] += winners & 3; } else o[7] = -1;
    tile.sync(); block.sync();
    if (block.thread_rank() == 0) { int total = 0; for (unsigned r = 0; r < block.size(); r++) total += out[r * 8 + 2]; out[block.size() * 8] = total + block.group_dim().x + block.dim_threads().y + block.group_index().x + warp.num_threads(); }
}
__global__ void update(int *counter, const int *keys) {
    auto g = cg::coalesced_threads();
    auto same = cg::labeled_partition(g, keys[threadIdx.x]);
    int before = 0;
    if (same.thread_rank() == 0) before = atomicAdd(&counter[keys[threadIdx.x]], (int)same.size());
    before = same.shfl(before, 0) + same.thread_rank();
    counter[16 + threadIdx.x] = before;
    if (same.any(threadIdx.x == 5) && same.all(keys[threadIdx.x] < 8)) counter[15] = same.num_threads();
}
int main() {
    int *in, *out; cudaMallocManaged(&in, 4096); cudaMallocManaged(&out, 8192);
    for (int i = 0; i < 64; i++) in[i] = (i * 37 + 11) % 53;
    parts<<<1, 64>>>(in, out, 20); cudaDeviceSynchronize();
    for (int k = 0; k < 8; k++) { long long h = 0; for (int i = 0; i < 64; i++) h = h * 7 % 1000003 + out[i * 8 + k]; printf("%lld ", h); } printf("%d\n", out[512]);
    for (int i = 0; i < 32; i++) in[i] = (i * i) % 7; for (int i = 0; i < 64; i++) out[i] = 0;
    update<<<1, 32>>>(out, in); cudaDeviceSynchronize();
    for (int i = 0; i < 16; i++) printf("%d ", out[i]); int s = 0; for (int i = 16; i < 48; i++) s += out[i]; printf("| %d\n", s);
}
