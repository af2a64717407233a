// Instructions of PTX within CUDA: registers of lanes, bits, carries, named barriers, accesses and roundings.
#include <cstdio>
#include <cstdint>
__device__ __forceinline__ uint32_t lane_id() {
    uint32_t r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
__device__ __forceinline__ uint32_t lanemask_lt() {
    uint32_t r;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    return r;
}
__device__ __forceinline__ uint32_t bfe(uint32_t v, int p, int n) {
    uint32_t r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(p), "r"(n));
    return r;
}
__device__ __forceinline__ uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
__device__ __forceinline__ float4 ld_nc(const float4 *p) {
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}
__device__ __forceinline__ void add3(uint32_t &hi, uint32_t &lo, uint32_t a, uint32_t b) {
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;" : "=r"(lo), "=r"(hi) : "r"(a), "r"(b));
}
__device__ __forceinline__ uint64_t mulwide(uint32_t a, uint32_t b) {
    uint64_t r;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
    return r;
}
__device__ __forceinline__ float fma_rz(float a, float b, float c) {
    float r;
    asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
    return r;
}
__device__ __forceinline__ void named_bar(int id, int n) {
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory");
}
__device__ __forceinline__ int vote_any(int p) {
    int r;
    asm volatile("{ .reg .pred q, s; setp.ne.s32 q, %1, 0; vote.sync.any.pred s, q, 0xffffffff; selp.s32 %0, 1, 0, s; }" : "=r"(r) : "r"(p));
    return r;
}
__device__ __forceinline__ uint32_t smem_addr(const void *p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__global__ void k(const float4 *in, float *f, uint32_t *out) {
    __shared__ uint32_t s[64];
    uint32_t l = lane_id(), hi, lo;
    add3(hi, lo, 0xffffff00u, l * 16);
    s[threadIdx.x] = bfe(0xdeadbeef, l & 15, 8) + lop3(l, 0x55, 0xf0f0) + __popc(lanemask_lt());
    named_bar(1 + threadIdx.x / 32, 32);
    uint32_t v; asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(smem_addr(&s[threadIdx.x ^ 1])));
    float4 q = ld_nc(in + (threadIdx.x & 7));
    f[threadIdx.x] = fma_rz(q.x, q.y, q.z) + q.w;
    out[threadIdx.x] = v + hi * 1000 + lo + (uint32_t)(mulwide(l + 1, 0x80000001u) >> 32) + vote_any(l == 5) + __byte_perm(l, 0x01020304, 0x5410);
}
int main() {
    float4 h[8]; for (int i = 0; i < 8; ++i) h[i] = make_float4(1.1f * i, 0.7f, 0.1f, i);
    float4 *in; float *f, hf[64]; uint32_t *o, ho[64];
    cudaMalloc(&in, sizeof h); cudaMalloc(&f, sizeof hf); cudaMalloc(&o, sizeof ho);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(in, f, o);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost); cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
    uint32_t x = 0; for (uint32_t v : ho) x = x * 31 + v;
    printf("%u %u %u %.9g %.9g\n", x, ho[0], ho[63], hf[3], hf[7]);
    cudaFree(in); cudaFree(f); cudaFree(o);
}
