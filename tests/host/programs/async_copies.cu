// Copies to shared memory on the side: primitives, pipelines of a block and of a thread.
#include <cuda_pipeline.h>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void primitives(const float *a, float *out, int n) {
  __shared__ float4 stage[2][32];
  float s = 0;
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &a4[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  for (int k = 1; k <= n; k++) {
    if (k < n) __pipeline_memcpy_async(&stage[k % 2][threadIdx.x], &a4[k * 32 + threadIdx.x], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float4 v = stage[(k - 1) % 2][31 - threadIdx.x];
    s += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
template <size_t stages> __global__ void staged(const int *in, int *out, size_t batches) {
  auto block = cg::this_thread_block();
  extern __shared__ int shared[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, stages> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (size_t compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + stages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, shared + (fetch % stages) * block.size(), in + fetch * block.size(), sizeof(int) * block.size(), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += shared[(compute % stages) * block.size() + (block.thread_rank() + 1) % block.size()];
    pipeline.consumer_release();
  }
  out[block.thread_rank()] = sum;
}
__global__ void own(const int *in, int *out) {
  __shared__ int tile[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<4>(sizeof(int)), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  pipe.consumer_release();
}
int main() {
  float h[512], *a, *o; int g[512], *b, *r;
  for (int i = 0; i < 512; i++) h[i] = i % 13, g[i] = i;
  cudaMalloc(&a, sizeof h); cudaMalloc(&o, 256); cudaMalloc(&b, sizeof g); cudaMalloc(&r, 512);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice); cudaMemcpy(b, g, sizeof g, cudaMemcpyHostToDevice);
  primitives<<<1, 32>>>(a, o, 4);
  cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); printf("%g %g\n", h[0], h[31]);
  staged<2><<<1, 64, 2 * 64 * sizeof(int)>>>(b, r, 8);
  cudaMemcpy(g, r, 256, cudaMemcpyDeviceToHost); printf("%d %d\n", g[0], g[63]);
  own<<<1, 64>>>(b, r);
  cudaMemcpy(g, r, 256, cudaMemcpyDeviceToHost); printf("%d %d\n", g[0], g[63]);
  cudaFree(a); cudaFree(o); cudaFree(b); cudaFree(r);
}
