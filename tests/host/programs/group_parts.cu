// Parts of groups by a predicate and a label, copies by a group, aggregated atomics.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void oddEven(const int *in, unsigned n, int *counts) {
  cg::thread_block cta = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) {
    int elem = in[i];
    auto sub = cg::binary_partition(tile, elem & 1);
    int sum = cg::reduce(sub, elem, cg::plus<int>());
    if (sub.thread_rank() == 0) atomicAdd(&counts[(elem & 1)], sub.size()), atomicAdd(&counts[2 + (elem & 1)], sum);
  }
}
__global__ void labels(const int *in, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto group = cg::labeled_partition(warp, in[threadIdx.x] % 3);
  out[threadIdx.x] = group.size() * 100 + group.thread_rank();
}
template <int N> __global__ void staged(const float *in, float *out) {
  __shared__ float tile[N];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * N, sizeof(float) * N);
  cg::wait(block);
  float s = 0;
  for (int i = block.thread_rank(); i < N; i += block.num_threads()) s += tile[i];
  s = cg::reduce(cg::tiled_partition<32>(block), s, cg::plus<float>());
  if (block.thread_rank() == 0) out[blockIdx.x] = s;
}
__global__ void aggregated(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 3) {
    cg::coalesced_group g = cg::coalesced_threads();
    int base; if (g.thread_rank() == 0) base = atomicAdd(count, g.size());
    out[g.shfl(base, 0) + g.thread_rank()] = in[i];
  }
}
int main() {
  int h[256]; float f[256]; for (int i = 0; i < 256; i++) h[i] = (i * 37) % 11, f[i] = i;
  int *d, *c; float *df, *o; cudaMalloc(&d, sizeof h); cudaMalloc(&c, 1024 * 4); cudaMalloc(&df, sizeof f); cudaMalloc(&o, 64);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice); cudaMemset(c, 0, 4096);
  oddEven<<<2, 64>>>(d, 256, c);
  int r[32]; cudaMemcpy(r, c, 16, cudaMemcpyDeviceToHost); printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
  labels<<<1, 32>>>(d, c); cudaMemcpy(r, c, 128, cudaMemcpyDeviceToHost); printf("%d %d %d\n", r[0], r[15], r[31]);
  staged<64><<<4, 32>>>(df, o); float s[4]; cudaMemcpy(s, o, 16, cudaMemcpyDeviceToHost); printf("%g %g %g %g\n", s[0], s[1], s[2], s[3]);
  cudaMemset(c, 0, 4096);
  aggregated<<<4, 64>>>(d, c + 1, c, 256); cudaMemcpy(r, c, 4, cudaMemcpyDeviceToHost); printf("%d\n", r[0]);
  cudaFree(d); cudaFree(c); cudaFree(df); cudaFree(o);
}
