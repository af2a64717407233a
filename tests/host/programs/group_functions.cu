// What cooperative groups compute: reductions and scans of tiles, and a thread that is chosen.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sums(const int *in, int *out, float *f, int n) {
    __shared__ int partial[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int v = 0;
    for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size()) v += in[i];
    int sum = cg::reduce(warp, v, cg::plus<int>());
    if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        int p = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0;
        p = cg::reduce(warp, p, cg::plus<int>());
        cg::invoke_one(warp, [&] { atomicAdd(out, p); });
    }
    auto quarter = cg::tiled_partition<8>(block);
    int biggest = cg::reduce(quarter, in[block.thread_rank()], cg::greater<int>());
    int least = cg::reduce(quarter, in[block.thread_rank()], cg::less<int>());
    int inclusive = cg::inclusive_scan(quarter, in[block.thread_rank()]);
    int exclusive = cg::exclusive_scan(quarter, in[block.thread_rank()], cg::plus<int>());
    if (block.group_index().x == 0) {
        out[1 + block.thread_rank()] = biggest * 1000000 + least * 10000 + inclusive * 100 + exclusive;
        f[block.thread_rank()] = cg::reduce(quarter, block.thread_rank() * 0.5f, [](float a, float b) { return a > b ? a : b; });
    }
}
int main() {
    const int n = 5000;
    int *in, *out; float *f;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 300 * sizeof(int));
    cudaMallocManaged(&f, 256 * sizeof(float));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + 3) % 11;
    for (int i = 0; i < 300; ++i) out[i] = 0;
    sums<<<4, 128>>>(in, out, f, n);
    cudaDeviceSynchronize();
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i];
    printf("%d %d\n", out[0], expected);
    for (int i = 1; i < 20; ++i) printf("%d ", out[i]);
    printf("\n%g %g %g\n", f[0], f[9], f[127]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in); cudaFree(out); cudaFree(f);
}
