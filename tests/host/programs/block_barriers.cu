// Barriers of libcu++: arriving before waiting, producers and consumers, copies.
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void split(int *data) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  for (int k = 0; k < 3; k++) {
    tile[block.thread_rank()] = data[block.thread_rank()] + k;
    barrier::arrival_token token = bar.arrive();
    int own = k * 10;
    bar.wait(std::move(token));
    data[block.thread_rank()] = tile[(block.thread_rank() + 1) % block.size()] + own;
    bar.arrive_and_wait();
  }
}
__global__ void producer(const int *in, int *out, int rounds) {
  __shared__ barrier ready, filled;
  __shared__ int buffer[32];
  if (threadIdx.x == 0) { init(&ready, 64); init(&filled, 64); }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < rounds; k++) {
    if (threadIdx.x < 32) {
      ready.arrive_and_wait();
      buffer[threadIdx.x] = in[k * 32 + threadIdx.x];
      barrier::arrival_token t = filled.arrive();
    } else {
      barrier::arrival_token t = ready.arrive();
      filled.arrive_and_wait();
      sum += buffer[threadIdx.x - 32];
    }
  }
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
__global__ void copied(const int *in, int *out) {
  __shared__ barrier bar;
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof(int) * 64, bar);
  bar.arrive_and_wait();
  out[block.thread_rank()] = tile[63 - block.thread_rank()];
}
int main() {
  int h[512], *d, *o; for (int i = 0; i < 512; i++) h[i] = i;
  cudaMalloc(&d, sizeof h); cudaMalloc(&o, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  producer<<<1, 64>>>(d, o, 4); cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); printf("%d %d\n", h[0], h[31]);
  copied<<<1, 64>>>(d, o); cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost); printf("%d %d\n", h[0], h[63]);
  split<<<1, 128>>>(d); cudaMemcpy(h, d, 512, cudaMemcpyDeviceToHost); printf("%d %d\n", h[0], h[127]);
  cudaFree(d); cudaFree(o);
}
