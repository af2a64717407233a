// Kernels whose counters are recorded: generic addresses, calls by register, branches to several places.
#define KERNEL extern "C" __global__ void
__constant__ unsigned table[64];
__device__ unsigned place[4096];
#define IDENTITY int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x; (void)i, (void)t;
// Asm keeps the compiler from finding out which space an address lies in.
#define HIDE(p) asm volatile("" : "+l"(p))
#define LOAD(r, p) asm volatile("ld.u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory")
#define LOAD2(r, q, p) asm volatile("ld.v2.u32 {%0, %1}, [%2];" : "=r"(r), "=r"(q) : "l"(p) : "memory")
#define LOAD4(r, q, s, u, p) asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r), "=r"(q), "=r"(s), "=r"(u) : "l"(p) : "memory")
#define LOADB(r, p) asm volatile("ld.u8 %0, [%1];" : "=r"(r) : "l"(p) : "memory")
#define STORE(p, x) asm volatile("st.u32 [%0], %1;" :: "l"(p), "r"(x) : "memory")
#define STORE2(p, x, y) asm volatile("st.v2.u32 [%0], {%1, %2};" :: "l"(p), "r"(x), "r"(y) : "memory")

// `how` (pc[t]): where each lane's address points, and `which` (pa[t]): at which word of it.
KERNEL g_mixed(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ unsigned s[1024]; unsigned own[64];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) own[k] = pb[k] + t;
    __syncthreads();
    unsigned how = pc[t], which = pa[t];
    const unsigned *p = how == 0 ? s + which % 1024 : how == 1 ? own + which % 64 : pb + which % 4096;
    HIDE(p);
    unsigned r = 0;
    if (how < 3) LOAD(r, p);
    o[i] = r + own[n & 63];
}
KERNEL g_wide(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ __align__(16) unsigned s[1024]; __align__(16) unsigned own[64];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) own[k] = pb[k] + t;
    __syncthreads();
    unsigned how = pc[t], which = pa[t] & ~3u;
    const unsigned *p = how == 0 ? s + which % 1024 : how == 1 ? own + which % 64 : pb + which % 4096;
    HIDE(p);
    unsigned r = 0, q = 0, u = 0, v = 0, w = 0, x = 0;
    if (how < 3) LOAD2(r, q, p);
    if (how < 3) LOAD4(u, v, w, x, p);
    o[i] = r + q + u + v + w + x + own[n & 63];
}
KERNEL g_byte(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ unsigned s[1024]; unsigned own[64];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) own[k] = pb[k] + t;
    __syncthreads();
    unsigned how = pc[t], which = pa[t];
    const char *p = how == 0 ? (const char *)s + which % 4096 : how == 1 ? (const char *)own + which % 256 : (const char *)pb + which % 16384;
    HIDE(p);
    unsigned r = 0;
    if (how < 3) LOADB(r, p);
    o[i] = r + own[n & 63];
}
KERNEL g_store(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ __align__(16) unsigned s[1024]; __align__(16) unsigned own[64];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) own[k] = pb[k] + t;
    __syncthreads();
    unsigned how = pc[t], which = pa[t];
    unsigned *p = how == 0 ? s + which % 1024 : how == 1 ? own + which % 64 : place + which % 4096;
    HIDE(p);
    if (how < 3) STORE(p, (unsigned)t * 3 + (how == 0 ? which : 0) * 0);
    which &= ~1u;
    p = how == 0 ? s + which % 1024 : how == 1 ? own + which % 64 : place + which % 4096;
    HIDE(p);
    if (how < 3) STORE2(p, which, which + 1);
    __syncthreads();
    o[i] = own[n & 63] + s[t & ~1];
}
// One space for the whole warp: an address that the hardware, not the compiler, resolves.
KERNEL g_shared(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ unsigned s[1024];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    __syncthreads();
    unsigned *p = s + pa[t] % 1024, r; HIDE(p); LOAD(r, p); __syncthreads(); STORE(p, pa[t] % 1024); __syncthreads(); o[i] = r + s[(t + n) & 1023];
}
KERNEL g_local(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY unsigned own[64];
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) own[k] = pb[k] + t;
    unsigned *p = own + pa[t] % 64, r; HIDE(p); LOAD(r, p); STORE(p, r + 1); o[i] = r + own[n & 63];
}
KERNEL g_global(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY const unsigned *p = pb + pa[t] % 4096; unsigned r; HIDE(p); LOAD(r, p); unsigned *q = place + i; HIDE(q); STORE(q, r); o[i] = r;
}
KERNEL g_constant(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY const unsigned *p = pc[t] ? table + pa[t] % 64 : pb + pa[t] % 4096; unsigned r; HIDE(p); LOAD(r, p); o[i] = r;
}
// Atomics by generic addresses.
KERNEL g_atomic(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY __shared__ unsigned s[1024];
    for (int k = t; k < 1024; k += blockDim.x) s[k] = pb[k];
    __syncthreads();
    unsigned how = pc[t], which = pa[t], r = 0;
    unsigned *p = how == 0 ? s + which % 1024 : place + which % 4096;
    HIDE(p);
    if (how < 3) atomicAdd(p, 1u);
    if (how < 3) r = atomicMax(p, 5u);
    __syncthreads();
    o[i] = (how == 0 ? r : 0) * 0 + s[t];
}
// Calls by register.
typedef unsigned (*Function)(unsigned, unsigned);
#define F(name, body) __device__ __noinline__ unsigned name(unsigned x, unsigned y) { return body; }
F(f0, x + y) F(f1, x * y + 3) F(f2, x ^ (y << 3)) F(f3, x / (y | 1)) F(f4, x % (y | 1)) F(f5, __brev(x) - y) F(f6, __popc(x & y)) F(f7, x > y ? x - y : f3(y, x | 5))
__device__ Function functions[8] = {f0, f1, f2, f3, f4, f5, f6, f7};
__constant__ Function constants[8] = {f7, f6, f5, f4, f3, f2, f1, f0};
KERNEL c_table(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY if (pc[t] == 99) { o[i] = 1; return; } o[i] = functions[pc[t] & 7](pa[t], pb[t]);
}
KERNEL c_loop(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY unsigned r = pa[t];
    for (int k = 0; k < (int)(pb[t] & 7); ++k) r = constants[(pc[t] + k) & 7](r, pb[t] + k);
    o[i] = r;
}
__device__ __noinline__ unsigned twice(Function f, unsigned x, unsigned y) { return f(f(x, y), y + 1); }
KERNEL c_passed(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    IDENTITY unsigned r = 0; if (pc[t] & 1) r = twice(functions[pc[t] & 7], pa[t], pb[t]); else r = functions[pc[t] >> 1 & 7](pa[t], 9); o[i] = r;
}
// Branches to several places: the place of each lane is pc[t]; 99 stays out.
#define CASE(k) case k: r = a * (2 * k + 3) ^ b; r += p[r & 63]; break;
#define EIGHT(k) CASE(k) CASE(k + 1) CASE(k + 2) CASE(k + 3) CASE(k + 4) CASE(k + 5) CASE(k + 6) CASE(k + 7)
KERNEL b_switch(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *p, int n)
{
    IDENTITY unsigned a = pa[t], b = pb[t], r = 7, k = p[64 + t];
    if (k == 99) { o[i] = 1; return; }
    switch (k) { EIGHT(0) EIGHT(8) default: r = 5; }
    o[i] = r;
}
// The same, with places that asm names, of different lengths.
KERNEL b_index(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *p, int n)
{
    IDENTITY unsigned a = pa[t], b = pb[t], r = 7, k = p[64 + t];
    if (k != 99)
    asm volatile("{ targets: .branchtargets L0, L1, L2, L3, L4, L5, L6, L7;\n\t.reg .u32 k; and.b32 k, %3, 7;\n\t brx.idx k, targets;\n\t"
        "L0: mad.lo.u32 %0, %1, 3, %2; bra DONE;\n\t L1: mul.lo.u32 %0, %1, %2; xor.b32 %0, %0, %1; bra DONE;\n\t L2: popc.b32 %0, %1; bra DONE;\n\t"
        "L3: brev.b32 %0, %1; add.u32 %0, %0, %2; mul.lo.u32 %0, %0, %1; bra DONE;\n\t L4: xor.b32 %0, %1, %2; bra DONE;\n\t L5: clz.b32 %0, %1; bra DONE;\n\t"
        "L6: shl.b32 %0, %1, 3; sub.u32 %0, %0, %2; bra DONE;\n\t L7: mul.hi.u32 %0, %1, %2; DONE: }" : "+r"(r) : "r"(a), "r"(b), "r"(k));
    o[i] = r;
}
