// Integers in pairs of 16 bits, their atomics, conversions to bfloat16, reductions at barriers with a number; with the
// parameters of probes.cu, launched by 256 threads in one block.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define PROBE(name, ...)                                                                                     \
    extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, \
                                    int n)                                                                   \
    {                                                                                                        \
        int i = threadIdx.x;                                                                                 \
        unsigned a = pa[i], b = pb[i], c = pc[i];                                                            \
        (void)c;                                                                                             \
        __VA_ARGS__                                                                                          \
    }
#define OUT4(x, y, z, w) o[4 * i] = (x), o[4 * i + 1] = (y), o[4 * i + 2] = (z), o[4 * i + 3] = (w);
#define BITS(x) __bfloat16_as_ushort(x)

PROBE(s_sums, OUT4(__vadd2(a, b), __vsub2(a, b), __viaddmax_s16x2(a, b, c), __viaddmin_u16x2(a, b, c)))
PROBE(s_limits, OUT4(__viaddmin_s16x2(a, b, c), __viaddmax_u16x2(a, b, c), __viaddmax_s16x2_relu(a, b, c),
                     __viaddmin_s16x2_relu(a, b, c)))
PROBE(s_three, OUT4(__vimax3_s16x2(a, b, c), __vimin3_u16x2(a, b, c), __vimax3_s16x2_relu(a, b, c),
                    __vimin3_s16x2_relu(a, b, c)))
PROBE(s_relu, OUT4(__vimax_s16x2_relu(a, b), __vimin_s16x2_relu(a, b), __vimax3_u16x2(a, b, c), __vimin3_s16x2(a, b, c)))
PROBE(s_which, bool h, l, g, k, p, q; unsigned x = __vibmax_s16x2(a, b, &h, &l), y = __vibmin_u16x2(a, b, &g, &k);
      unsigned z = __vibmax_s32((int)a, (int)b, &p), w = __vibmin_u32(a, b, &q);
      OUT4(x, y, z ^ w, h | l << 1 | g << 2 | k << 3 | p << 4 | q << 5))
PROBE(s_bf16, float x = __uint_as_float(a); OUT4(BITS(__float2bfloat16_rd(x)) | BITS(__float2bfloat16_ru(x)) << 16,
      BITS(__float2bfloat16_rz(x)) | BITS(__float2bfloat16_rn(x)) << 16, BITS(__double2bfloat16(__hiloint2double(a, b))),
      BITS(__double2bfloat16(__hiloint2double((a & 0x800fffff) | (0x380 + (b & 63)) << 20, c & 1 ? 0 : c)))))
PROBE(s_atomics, __shared__ unsigned s[256]; s[i] = a; o[4 * i] = a; o[4 * i + 1] = a; o[4 * i + 2] = c; o[4 * i + 3] = b;
      __syncthreads(); __half2 u = *(__half2 *)&b; __nv_bfloat162 v = *(__nv_bfloat162 *)&b;
      __half2 before = atomicAdd((__half2 *)(o + 4 * i), u); atomicAdd((__nv_bfloat162 *)(o + 4 * i + 1), v);
      __nv_bfloat162 was = atomicAdd((__nv_bfloat162 *)(o + 4 * i + 2), v);
      atomicAdd((__half2 *)(s + i), *(__half2 *)&c); __syncthreads();
      o[4 * i + 3] = s[i ^ 1] ^ *(unsigned *)&before ^ *(unsigned *)&was;)
PROBE(s_single, unsigned short *p = (unsigned short *)(o + 4 * i); o[4 * i] = a; o[4 * i + 1] = b; o[4 * i + 2] = c;
      __half u = __ushort_as_half(b); __nv_bfloat16 v = __ushort_as_bfloat16(b >> 16);
      atomicAdd((__half *)p, u); atomicAdd((__half *)p + 1, u); atomicAdd((__nv_bfloat16 *)p + 2, v);
      unsigned short x = atomicCAS(p + 4, (unsigned short)(c & 1 ? c : a), (unsigned short)b);
      o[4 * i + 3] = x;)
PROBE(s_reduce, unsigned w, x, y, z; unsigned k = 3 + (n >> 20), m = n;
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, 1, 256, p; }" : "=r"(w) : "r"(a & 1));
      asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red.and.pred q, 2, p; selp.u32 %0, 1, 0, q; }"
                   : "=r"(x) : "r"(b | 1));
      asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red.or.pred q, %2, p; selp.u32 %0, 1, 0, q; }"
                   : "=r"(y) : "r"((int)(i == 77)), "r"(k));
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, %2, %3, p; }"
                   : "=r"(z) : "r"(c & 2), "r"(k + 1), "r"(m));
      OUT4(w, x, y, z))
PROBE(s_halves, unsigned r; asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, %2, 128, p; }"
                                         : "=r"(r) : "r"(a & 1), "r"(1 + (i >> 7)));
      OUT4(r, 0, 0, 0))
PROBE(s_mask, unsigned x, y, k = (unsigned)n >> 3, m = (unsigned)n >> 5; unsigned z, w;
      asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(x) : "r"(k), "r"(m)); asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(y) : "r"(k), "r"(m));
      asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(z) : "r"(m), "r"(k)); asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(w) : "r"(m + 40), "r"(k + 31));
      OUT4(x, y, z, w))
