// Blocks that stream tiles of 1,024 floats through shared memory, by every interface that CUDA has for asynchronous
// copies; each thread sums up a polynomial of its four floats.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <cstdint>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
constexpr int TILE = 1024;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ float polynomial(float x) {
    float sum = x;
#pragma unroll
    for (int k = 0; k < 8; k++) sum = sum * x + 0.5f;
    return sum;
}
__device__ float consumed(const float *tile, int thread) {
    const float4 v = reinterpret_cast<const float4 *>(tile)[thread];
    return polynomial(v.x) + polynomial(v.y) + polynomial(v.z) + polynomial(v.w);
}

__global__ void stream_plain(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float tile[TILE];
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        reinterpret_cast<float4 *>(tile)[threadIdx.x] = from[t * 256 + threadIdx.x];
        __syncthreads();
        sum += consumed(tile, 255 - threadIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int STAGES> __global__ void stream_primitives(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float tile[STAGES][TILE];
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    float sum = 0;
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles) __pipeline_memcpy_async(&tile[t][4 * threadIdx.x], from + t * 256 + threadIdx.x, 16);
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        const int next = t + STAGES - 1;
        if (next < tiles)
            __pipeline_memcpy_async(&tile[next % STAGES][4 * threadIdx.x], from + next * 256 + threadIdx.x, 16);
        __pipeline_commit();
        sum += consumed(tile[t % STAGES], 255 - threadIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void stream_group(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float4 tile[2][TILE / 4];
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    auto block = cg::this_thread_block();
    float sum = 0;
    cg::memcpy_async(block, tile[0], from, cuda::aligned_size_t<16>(TILE * sizeof(float)));
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            cg::memcpy_async(block, tile[(t + 1) & 1], from + (t + 1) * 256,
                             cuda::aligned_size_t<16>(TILE * sizeof(float)));
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        sum += consumed(reinterpret_cast<const float *>(tile[t & 1]), 255 - threadIdx.x);
        block.sync();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void stream_own_pipeline(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float4 tile[2][TILE / 4];
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    auto pipe = cuda::make_pipeline();
    float sum = 0;
    for (int t = 0, fetched = 0; t < tiles; t++) {
        for (; fetched < tiles && fetched < t + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[fetched & 1][threadIdx.x], from + fetched * 256 + threadIdx.x,
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += consumed(reinterpret_cast<const float *>(tile[t & 1]), threadIdx.x);
        pipe.consumer_release();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void stream_shared_pipeline(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float4 tile[2][TILE / 4];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int t = 0, fetched = 0; t < tiles; t++) {
        for (; fetched < tiles && fetched < t + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[fetched & 1][threadIdx.x], from + fetched * 256 + threadIdx.x,
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += consumed(reinterpret_cast<const float *>(tile[t & 1]), 255 - threadIdx.x);
        pipe.consumer_release();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One warp of nine copies, the others compute.
__global__ void stream_roles(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float4 tile[4][TILE / 4];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    auto block = cg::this_thread_block();
    const bool copies = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (copies) {
        for (int t = 0; t < tiles; t++) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < 256; k += 32)
                cuda::memcpy_async(&tile[t & 3][k], from + t * 256 + k, cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0;
        for (int t = 0; t < tiles; t++) {
            pipe.consumer_wait();
            sum += consumed(reinterpret_cast<const float *>(tile[t & 3]), 287 - threadIdx.x);
            pipe.consumer_release();
        }
        out[blockIdx.x * 256 + threadIdx.x - 32] = sum;
    }
}

__global__ void stream_barriers(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float4 tile[2][TILE / 4];
    __shared__ block_barrier full[2];
    const float4 *from = reinterpret_cast<const float4 *>(in + (size_t)blockIdx.x * tiles * TILE);
    auto block = cg::this_thread_block();
    if (threadIdx.x < 2) init(&full[threadIdx.x], blockDim.x);
    block.sync();
    float sum = 0;
    cuda::memcpy_async(&tile[0][threadIdx.x], from + threadIdx.x, cuda::aligned_size_t<16>(16), full[0]);
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles)
            cuda::memcpy_async(&tile[(t + 1) & 1][threadIdx.x], from + (t + 1) * 256 + threadIdx.x,
                               cuda::aligned_size_t<16>(16), full[(t + 1) & 1]);
        full[t & 1].arrive_and_wait();
        sum += consumed(reinterpret_cast<const float *>(tile[t & 1]), 255 - threadIdx.x);
        block.sync();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int STAGES> __global__ void stream_bulk(const float *in, float *out, int tiles) {
    __shared__ alignas(128) float tile[STAGES][TILE];
    __shared__ uint64_t full[STAGES];
    const float *from = in + (size_t)blockIdx.x * tiles * TILE;
    if (threadIdx.x == 0)
        for (int k = 0; k < STAGES; k++) ptx::mbarrier_init(&full[k], 1);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    auto fetch = [&](int t) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[t % STAGES],
                                       (uint32_t)(TILE * sizeof(float)));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[t % STAGES], from + (size_t)t * TILE,
                           (uint32_t)(TILE * sizeof(float)), &full[t % STAGES]);
    };
    if (threadIdx.x == 0)
        for (int t = 0; t < STAGES - 1 && t < tiles; t++) fetch(t);
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        while (!ptx::mbarrier_try_wait_parity(&full[t % STAGES], (uint32_t)(t / STAGES & 1))) {}
        sum += consumed(tile[t % STAGES], 255 - threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0 && t + STAGES - 1 < tiles) fetch(t + STAGES - 1);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
