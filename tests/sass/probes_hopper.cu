// What compute capability 9.0 brought: barriers in shared memory, bulk copies, atomics on vectors; with matrices of bits,
// limits that tell which source they took, and the sums of small floats. The parameters are those of probes.cu.
#include <cuda_fp16.h>
#define KERNEL(name) extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
#define PROBE(name, ...)                                      \
    KERNEL(name)                                              \
    {                                                         \
        int i = blockIdx.x * blockDim.x + threadIdx.x;        \
        int t = threadIdx.x;                                  \
        unsigned a = pa[i], b = pb[i], c = pc[i];             \
        (void)c, (void)t;                                     \
        __VA_ARGS__                                           \
    }
#define OUT4(x, y, z, w) o[4 * i] = (x), o[4 * i + 1] = (y), o[4 * i + 2] = (z), o[4 * i + 3] = (w);
#define F(x) __uint_as_float(x)
#define U(x) __float_as_uint(x)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

// The word of VIMNMX is changed to each of its kinds afterwards.
#define LIMIT(name) PROBE(name, bool h; bool l; unsigned x = __vibmax_s16x2(a, b, &h, &l); OUT4(x, h, l, i))
LIMIT(v_0) LIMIT(v_1) LIMIT(v_2) LIMIT(v_3) LIMIT(v_4) LIMIT(v_5) LIMIT(v_6) LIMIT(v_7) LIMIT(v_8) LIMIT(v_9) LIMIT(v_10) LIMIT(v_11)

// Sums of floats of which many are subnormal: by REDG, by ATOMG, of vectors, in shared memory, by a generic address.
#define SMALL(x) ((x) & 0x81ffffff)
PROBE(f_red, a = SMALL(a); b = SMALL(b); c = SMALL(c); o[4 * i] = a; atomicAdd((float *)o + 4 * i, F(b)); o[4 * i + 1] = b;
      float r = atomicAdd((float *)o + 4 * i + 1, F(c)); o[4 * i + 2] = U(r); o[4 * i + 3] = i;)
PROBE(f_wide, o[4 * i] = a; atomicAdd((float *)o + 4 * i, F(b)); o[4 * i + 1] = b; float r = atomicAdd((float *)o + 4 * i + 1, F(c)); o[4 * i + 2] = U(r); o[4 * i + 3] = i;)
PROBE(f_pair, a = SMALL(a); b = SMALL(b); c = SMALL(c); o[4 * i] = a; o[4 * i + 1] = b; float2 r = atomicAdd((float2 *)(o + 4 * i), make_float2(F(b), F(c))); o[4 * i + 2] = U(r.x); o[4 * i + 3] = U(r.y);)
PROBE(f_shared, __shared__ unsigned s[512]; a = SMALL(a); b = SMALL(b); c = SMALL(c); s[t] = a; s[t + 256] = b; float r = atomicAdd((float *)s + t, F(b)); atomicAdd((float *)s + t + 256, F(c)); OUT4(U(r), s[t], s[t + 256], i))
PROBE(f_generic, __shared__ unsigned s[256]; a = SMALL(a); b = SMALL(b); s[t] = a; o[4 * i] = a; unsigned *p = c & 1 ? s + t : o + 4 * i; asm volatile("" : "+l"(p)); float r = atomicAdd((float *)p, F(b)); o[4 * i + 1] = U(r); o[4 * i + 2] = *p; o[4 * i + 3] = i;)
PROBE(f_double, unsigned long long x = (unsigned long long)(a & 0x803fffff) << 32 | b; *(unsigned long long *)(o + 4 * i) = x; unsigned long long y = (unsigned long long)(c & 0x803fffff) << 32 | a;
      double r = atomicAdd((double *)(o + 4 * i), __longlong_as_double(y)); o[4 * i + 2] = __double2hiint(r); o[4 * i + 3] = __double2loint(r);)

// Atomics on vectors of halves.
#define ATOM2(op, type) asm volatile("atom.global.v2." type "." op ".noftz {%0, %1}, [%2], {%3, %4};" : "=r"(r), "=r"(q) : "l"(o + 4 * i), "r"(a), "r"(b) : "memory");
#define VECTOR2(name, op, type) PROBE(name, unsigned r; unsigned q; o[4 * i] = b; o[4 * i + 1] = c; ATOM2(op, type) o[4 * i + 2] = r; o[4 * i + 3] = q;)
VECTOR2(x_add, "add", "f16x2") VECTOR2(x_min, "min", "f16x2") VECTOR2(x_max, "max", "f16x2")
VECTOR2(x_addb, "add", "bf16x2") VECTOR2(x_minb, "min", "bf16x2") VECTOR2(x_maxb, "max", "bf16x2")
#define RED4(op, type) asm volatile("red.global.v4." type "." op ".noftz [%0], {%1, %2, %3, %4};" :: "l"(o + 4 * i), "r"(a), "r"(b), "r"(c), "r"(a ^ b) : "memory");
#define VECTOR4(name, op, type) PROBE(name, OUT4(b, c, a, c ^ a) RED4(op, type))
VECTOR4(x_red_add, "add", "f16x2") VECTOR4(x_red_min, "min", "f16x2") VECTOR4(x_red_max, "max", "f16x2")
VECTOR4(x_red_addb, "add", "bf16x2") VECTOR4(x_red_minb, "min", "bf16x2") VECTOR4(x_red_maxb, "max", "bf16x2")
PROBE(x_one, unsigned short r; unsigned short q; OUT4(b, c, a, c) asm volatile("atom.global.v2.f16.max.noftz {%0, %1}, [%2], {%3, %4};" : "=h"(r), "=h"(q) : "l"(o + 4 * i), "h"((unsigned short)a), "h"((unsigned short)c) : "memory");
      o[4 * i + 1] = r | q << 16; asm volatile("red.global.v2.bf16.min.noftz [%0], {%1, %2};" :: "l"(o + 4 * i + 2), "h"((unsigned short)b), "h"((unsigned short)c) : "memory");)

// Exchanges of 128 bits.
PROBE(x_wide, unsigned long long x; unsigned long long y; OUT4(b, c, a, a ^ c) unsigned long long lo = (unsigned long long)a << 32 | b; unsigned long long hi = (unsigned long long)c << 32 | (b ^ c);
      asm volatile("{ .reg .b128 s, d; mov.b128 s, {%3, %4}; atom.exch.b128 d, [%2], s; mov.b128 {%0, %1}, d; }" : "=l"(x), "=l"(y) : "l"(o + 4 * i), "l"(lo), "l"(hi) : "memory");
      if (c & 1) lo ^= a & 2; unsigned long long z; unsigned long long w; asm volatile("{ .reg .b128 s, t, d; mov.b128 t, {%3, %4}; mov.b128 s, {%5, %6}; atom.cas.b128 d, [%2], t, s; mov.b128 {%0, %1}, d; }" : "=l"(z), "=l"(w) : "l"(o + 4 * i), "l"(lo), "l"(hi), "l"(x), "l"(y) : "memory");
      o[4 * i + 3] ^= (unsigned)(z ^ w);)

// Matrices of bits; each warp has a product of its own.
#define BITS256(name, op) PROBE(name, unsigned x = a; unsigned y = b; unsigned z = c; unsigned w = a ^ b;                              \
    asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32." op ".popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"  \
        : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "r"(a), "r"(b), "r"(c), "r"(a + b), "r"(b ^ c), "r"(a - c)); OUT4(x, y, z, w))
#define BITS128(name, op) PROBE(name, unsigned x = a; unsigned y = b; unsigned z = c; unsigned w = a ^ b;                              \
    asm volatile("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32." op ".popc {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"           \
        : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "r"(a), "r"(b), "r"(b ^ c)); OUT4(x, y, z, w))
#define BITS88(name, op) PROBE(name, unsigned x = a; unsigned y = b;                                                                   \
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32." op ".popc {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(x), "+r"(y) : "r"(a), "r"(b ^ c)); OUT4(x, y, 0, i))
BITS256(m_and256, "and") BITS256(m_xor256, "xor") BITS128(m_and128, "and") BITS128(m_xor128, "xor") BITS88(m_and88, "and") BITS88(m_xor88, "xor")
PROBE(m_fp8, float x = 1; float y = 2; float z = 3; float w = 4; a &= 0x3f3f3f3f; b &= 0xbfbfbfbf; asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(x), "+f"(y), "+f"(z), "+f"(w) : "r"(a), "r"(b), "r"(a ^ 0x80808080), "r"(b ^ 0x01010101), "r"(b), "r"(a)); OUT4(U(x), U(y), U(z), U(w)))

// Lanes and warps.
PROBE(w_elect, unsigned x = 99; unsigned y = 0; if (a & 3) asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }" : "=r"(x), "=r"(y) : "r"(__activemask())); OUT4(x, y, 0, i))
PROBE(w_store, __shared__ __align__(16) unsigned s[4096]; for (int k = t; k < 4096; k += 256) s[k] = k; __syncthreads(); unsigned at = AT(s) + 16 * (t ^ 5);
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(at), "r"(a), "r"(b), "r"(c), "r"(a ^ b) : "memory");
      asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" :: "r"(at + 4096), "r"(a), "r"(b) : "memory");
      asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(at + 8192), "r"(c) : "memory");
      asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(at + 12288), "r"(c), "r"(b), "r"(a), "r"(a ^ c) : "memory");
      __syncthreads(); OUT4(s[t] ^ s[t + 256] * 3 ^ s[t + 512] * 5 ^ s[t + 768] * 7, s[t + 1024] ^ s[t + 1280] * 3 ^ s[t + 1536] * 5 ^ s[t + 1792] * 7,
      s[t + 2048] ^ s[t + 2304] * 3 ^ s[t + 2560] * 5 ^ s[t + 2816] * 7, s[t + 3072] ^ s[t + 3328] * 3 ^ s[t + 3584] * 5 ^ s[t + 3840] * 7))
PROBE(w_complex, __half2 x = *(__half2 *)&a; __half2 y = *(__half2 *)&b; __half2 z = *(__half2 *)&c; __half2 r = __hcmadd(x, y, z); OUT4(*(unsigned *)&r, 0, 0, i))
PROBE(w_numbers, unsigned x; unsigned y; unsigned z; unsigned w; unsigned u; unsigned v; asm volatile("mov.u32 %0, %smid;" : "=r"(x)); asm volatile("mov.u32 %0, %warpid;" : "=r"(y)); asm volatile("mov.u32 %0, %nwarpid;" : "=r"(z));
      asm volatile("mov.u32 %0, %nsmid;" : "=r"(w)); asm volatile("mov.u32 %0, %total_smem_size;" : "=r"(u)); asm volatile("mov.u32 %0, %aggr_smem_size;" : "=r"(v)); OUT4(x, y | z << 16, w, u | v << 16))

// Barriers: each thread has one, and goes through operations at random; after each, the words of the barrier, the token,
// how many are awaited, and what the tests say are written.
#define STEPS 24
KERNEL(y_barrier)
{
    __shared__ unsigned long long s[64];
    int t = threadIdx.x;
    unsigned at = AT(s + t), expected = 1 + (pa[t] & 15), pending = expected, tx = 0;
    unsigned long long token = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(expected) : "memory");
    #pragma unroll 1
    for (int k = -1; k < STEPS; ++k) {
        unsigned w = k < 0 ? 9 : pb[t * STEPS + k], what = w % 10, count = pending ? 1 + (w >> 8) % pending : 1, bytes = 16 * (1 + (w >> 16 & 255)), arrives = 0, drops = 0;
        if ((what < 6 || what == 8) && pending == 0) what = 7;
        if (what == 3 || what == 4) if (expected <= count) what = 1;
        if (what == 7 && tx == 0) what = 6;
        switch (what) {
        case 0: asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory"); arrives = 1; break;
        case 1: asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"(count) : "memory"); arrives = count; break;
        case 2: asm volatile("mbarrier.arrive.shared.b64 _, [%0], %1;" :: "r"(at), "r"(count) : "memory"); arrives = count; break;
        case 3: asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory"); arrives = drops = 1; break;
        case 4: asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"(count) : "memory"); arrives = drops = count; break;
        case 5: asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"(bytes) : "memory"); arrives = 1; tx += bytes; break;
        case 6: asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at), "r"(bytes) : "memory"); tx += bytes; break;
        case 7: if (w >> 28 > 7) bytes = tx; else if (bytes > tx) bytes = tx; asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" :: "r"(at), "r"(bytes) : "memory"); tx -= bytes; break;
        case 8: asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;" :: "r"(at), "r"(1) : "memory"); arrives = 1; break;
        }
        pending -= arrives, expected -= drops;
        if (!pending && !tx) pending = expected;
        unsigned zero, one, past, awaited;
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(zero) : "r"(at) : "memory");
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(one) : "r"(at) : "memory");
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(past) : "r"(at), "l"(token) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(awaited) : "l"(token));
        unsigned long long now = *(volatile unsigned long long *)(s + t);
        unsigned *q = o + ((k + 1) * 64 + t) * 8;
        q[0] = now, q[1] = now >> 32, q[2] = token, q[3] = token >> 32, q[4] = zero | one << 1 | past << 2, q[5] = awaited, q[6] = what | arrives << 8 | drops << 16, q[7] = tx;
    }
    unsigned soon; unsigned late;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0, 40; selp.u32 %0, 1, 0, p; }" : "=r"(soon) : "r"(at) : "memory");
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1, 40; selp.u32 %0, 1, 0, p; }" : "=r"(late) : "r"(at) : "memory");
    asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at) : "memory");
    unsigned long long now = *(volatile unsigned long long *)(s + t);
    unsigned *q = o + ((STEPS + 1) * 64 + t) * 8;
    q[0] = now, q[1] = now >> 32, q[2] = soon, q[3] = late;
}

// Copies that a barrier waits for: LDGSTS with ARRIVES, and bulk copies to and from shared memory.
PROBE(y_copies, __shared__ __align__(128) unsigned s[1024]; __shared__ unsigned long long bar[3]; unsigned at = AT(s);
      if (t == 0) { asm volatile("mbarrier.init.shared.b64 [%0], 256;" :: "r"(AT(bar)) : "memory"); asm volatile("mbarrier.init.shared.b64 [%0], 512;" :: "r"(AT(bar + 1)) : "memory");
                    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(AT(bar + 2)) : "memory"); asm volatile("fence.proxy.async;"); }
      __syncthreads();
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at + 4 * t), "l"(pa + (i ^ 3)) : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(AT(bar)) : "memory");
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at + 1024 + 4 * t), "l"(pb + (i ^ 1)) : "memory");
      asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(AT(bar + 1)) : "memory");
      unsigned long long x; asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(x) : "r"(AT(bar + 1)) : "memory");
      if (t == 0) { unsigned long long y; asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 1024;" : "=l"(y) : "r"(AT(bar + 2)) : "memory");
                    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" :: "r"(at + 2048), "l"(pc + (i & ~255)), "r"(AT(bar + 2)) : "memory"); }
      for (int k = 0; k < 3; ++k) { unsigned done = 0; while (!done) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(AT(bar + k)) : "memory"); }
      s[768 + t] = s[512 + (t ^ 9)]; asm volatile("fence.proxy.async;"); __syncthreads();
      if (t == 0) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" :: "l"(o + 4 * i), "r"(at + 3072) : "memory"); asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group 0;"); }
      __syncthreads(); unsigned z = *(volatile unsigned *)(o + 4 * (i - t) + t); __syncthreads(); OUT4(s[t] + s[t + 256], z, s[t + 512], (unsigned)(bar[0] >> 32)))
