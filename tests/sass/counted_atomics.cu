// Kernels whose counters are recorded: atomics on vectors of floats and halves, floats, and barriers in shared memory.
#define KERNEL extern "C" __global__ void
#define PARAMETERS (float *o, const unsigned *where, const unsigned *on, int n)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define ATOMIC(name, type, value)                                                              \
    KERNEL red_##name PARAMETERS { int t = threadIdx.x; if (on[t]) atomicAdd((type *)o + where[t], value); } \
    KERNEL atom_##name PARAMETERS { int t = threadIdx.x; if (on[t]) { type r = atomicAdd((type *)o + where[t], value); o[32768 + t] = *(float *)&r; } }
ATOMIC(1, float, 1.f)
ATOMIC(2, float2, make_float2(1, 2))
ATOMIC(4, float4, make_float4(1, 2, 3, 4))
KERNEL red_h4 PARAMETERS { int t = threadIdx.x; if (on[t]) asm volatile("red.global.v2.f16x2.add.noftz [%0], {%1, %2};" :: "l"(o + 2 * where[t]), "r"(n), "r"(n) : "memory"); }
KERNEL red_h8 PARAMETERS { int t = threadIdx.x; if (on[t]) asm volatile("red.global.v4.f16x2.add.noftz [%0], {%1, %1, %1, %1};" :: "l"(o + 4 * where[t]), "r"(n) : "memory"); }
KERNEL atom_h8 PARAMETERS { int t = threadIdx.x; unsigned x = 0, y, z, w; if (on[t]) asm volatile("atom.global.v4.f16x2.add.noftz {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(o + 4 * where[t]), "r"(n) : "memory"); o[32768 + t] = x; }
KERNEL bar_arrive PARAMETERS
{
    __shared__ unsigned long long s[256]; int t = threadIdx.x;
    for (int k = t; k < 256; k += blockDim.x) asm volatile("mbarrier.init.shared.b64 [%0], 1000;" :: "r"(AT(s + k)) : "memory");
    __syncthreads();
    unsigned long long x;
    if (on[t]) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(x) : "r"(AT(s + where[t] % 256)) : "memory");
}
KERNEL bar_test PARAMETERS
{
    __shared__ unsigned long long s[256]; int t = threadIdx.x; unsigned r = 0;
    for (int k = t; k < 256; k += blockDim.x) asm volatile("mbarrier.init.shared.b64 [%0], 1000;" :: "r"(AT(s + k)) : "memory");
    __syncthreads();
    if (on[t]) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(AT(s + where[t] % 256)) : "memory");
    o[t] = r;
}
