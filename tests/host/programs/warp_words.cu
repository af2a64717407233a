// Warp-level primitives of newer toolkits and bit tricks.
#include <cstdio>
#include <vector>
union Bits { float f; unsigned int u; };
__device__ __forceinline__ unsigned int lane_id() { unsigned int l; asm volatile("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
__global__ void words(const unsigned int *in, unsigned int *out, volatile int *flag) {
    unsigned int v = in[threadIdx.x], lane = lane_id();
    out[threadIdx.x] = __reduce_add_sync(0xffffffff, v);
    out[64 + threadIdx.x] = __match_any_sync(0xffffffff, v % 4);
    int pred;
    unsigned all = __match_all_sync(0xffffffff, v >> 31, &pred);
    out[128 + threadIdx.x] = __popc(all) * 2 + pred + __ffs(v) + __clz(v) + __brev(v) % 7;
    out[192 + threadIdx.x] = __syncthreads_count(v & 1) * 100 + __syncthreads_or(v == 5) * 10 + __syncthreads_and(1);
    Bits b; b.f = 1.0f + lane;
    out[256 + threadIdx.x] = b.u >> 20;
    out[320 + threadIdx.x] = __byte_perm(v, lane, 0x3210) ^ __funnelshift_l(v, lane, 8) ^ (unsigned)__umulhi(v, 0x80000000u);
    if (__any_sync(0xffffffff, lane == 31) && threadIdx.x == 0) { __threadfence_system(); *flag = 1; }
    long long t0 = clock64();
    out[384 + threadIdx.x] = __ldg(&in[63 - threadIdx.x]) + __ldcg(in) + (clock64() >= t0) + __sad(3, 9, v);
}
int main() {
    std::vector<unsigned> h(64), r(448);
    for (int i = 0; i < 64; ++i) h[i] = i * 2654435761u >> 3;
    unsigned *in, *out; int *flag;
    cudaMalloc(&in, 256); cudaMalloc(&out, 448 * 4); cudaMallocManaged(&flag, 4);
    *flag = 0;
    cudaMemcpy(in, h.data(), 256, cudaMemcpyHostToDevice);
    words<<<1, 64>>>(in, out, flag);
    cudaMemcpy(r.data(), out, 448 * 4, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 7; ++k) { unsigned s = 0; for (int i = 0; i < 64; ++i) s = s * 31 + r[64 * k + i]; printf("%d: %u\n", k, s); }
    printf("flag %d\n", *flag);
    cudaFree(in); cudaFree(out); cudaFree(flag);
}
