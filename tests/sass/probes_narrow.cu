// Barriers that reduce, 16-bit atomics, narrow conversions and formats of 8 bits, with the parameters of probes.cu.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define PROBE(name, ...)                                                                                     \
    extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, \
                                    int n)                                                                   \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        unsigned a = pa[i], b = pb[i], c = pc[i];                                                            \
        __VA_ARGS__                                                                                          \
    }
#define OUT4(x, y, z, w) o[4 * i] = (x), o[4 * i + 1] = (y), o[4 * i + 2] = (z), o[4 * i + 3] = (w);
#define F(x) __uint_as_float(x)
#define D(x, y) __hiloint2double(x, y)
#define U(x) (*(unsigned *)&(x))
#define S(x) (*(unsigned short *)&(x))
// A conversion of one register by its name in PTX: to 32 bits by way of 16, as PTX asks of 8 bits.
#define TO16(cvt, from, x) ({ short r; asm volatile(cvt " %0, %1;" : "=h"(r) : from(x)); (unsigned)(unsigned short)r; })
#define TO32(cvt, from, x) ({ unsigned r; asm volatile(cvt " %0, %1;" : "=r"(r) : from(x)); r; })
#define TWO(cvt, from, x, y) ({ unsigned r; asm volatile(cvt " %0, %1, %2;" : "=r"(r) : from(x), from(y)); r; })
#define TWO16(cvt, from, x, y) ({ unsigned short r; asm volatile(cvt " %0, %1, %2;" : "=h"(r) : from(x), from(y)); (unsigned)r; })
#define LOW(x) ((unsigned short)(x))

// Barriers: all threads of the block at a numbered one, half of them each at its own, and a number in a register.
#define RED(op, k, m, p) ({ unsigned r; asm volatile("{.reg .pred q, s; setp.ne.u32 q, %1, 0;\n\t barrier.red." op ".pred s, " k ", " m ", q;\n\t selp.u32 %0, 1, 0, s;}" : "=r"(r) : "r"((unsigned)(p))); r; })
#define POPC(k, m, p) ({ unsigned r; asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0;\n\t barrier.red.popc.u32 %0, " k ", " m ", q;}" : "=r"(r) : "r"((unsigned)(p))); r; })
PROBE(o_bars, OUT4(POPC("3", "256", a & 1), RED("and", "5", "256", a | 1), RED("or", "15", "256", a == b && !(a & 4)), POPC("1", "256", b & 2)))
PROBE(o_bar_parts, unsigned x, y, z; if (threadIdx.x & 128) { x = POPC("4", "128", a & 1); y = RED("and", "5", "128", a != b || c); z = RED("or", "4", "128", (a & 31) == 5 && (b & 7) == 1); }
      else { x = POPC("6", "128", a & 2); y = RED("and", "7", "128", (a & 1023) != 5); z = RED("or", "7", "128", a == b); } OUT4(x, y, z, i))
PROBE(o_bar_whole, unsigned x, y, z; asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0;\n\t barrier.red.popc.u32 %0, 2, q;}" : "=r"(x) : "r"(a & 1));
      asm volatile("{.reg .pred q, s; setp.ne.u32 q, %1, 0;\n\t barrier.red.and.pred s, 2, !q;\n\t selp.u32 %0, 1, 0, s;}" : "=r"(y) : "r"((unsigned)(a == b && a != c))); z = __syncthreads_count(c & 1); OUT4(x, y, z, i))
PROBE(o_bar_register, unsigned x, y, k = 1 + (n >> 20), m = n >> 5; asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0;\n\t barrier.red.popc.u32 %0, %2, %3, q;}" : "=r"(x) : "r"(a & 1), "r"(k), "r"(m));
      k += i >> 7 & 1; asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0;\n\t barrier.red.popc.u32 %0, %2, 128, q;}" : "=r"(y) : "r"(b & 1), "r"(k)); OUT4(x, y, k, i))
PROBE(o_bar_aligned, unsigned x, y, z; asm volatile("{.reg .pred q; setp.ne.u32 q, %1, 0;\n\t bar.red.popc.u32 %0, 9, 256, q;}" : "=r"(x) : "r"(a & 1));
      if (threadIdx.x < 64) { asm volatile("{.reg .pred q, s; setp.ne.u32 q, %1, 0;\n\t bar.red.or.pred s, 10, 64, q;\n\t selp.u32 %0, 1, 0, s;}" : "=r"(y) : "r"((unsigned)(c == a))); } else y = 7;
      if (threadIdx.x < 64) asm volatile("bar.arrive 11, 256;"); else asm volatile("bar.sync 11, 256;"); z = x ^ y; OUT4(x, y, z, i))

// Atomics of 16 bits: each thread on its own word, so that the result does not depend on the order.
PROBE(o_half2, o[4 * i] = b; o[4 * i + 2] = c; __half2 r = atomicAdd((__half2 *)(o + 4 * i), *(__half2 *)&a); o[4 * i + 1] = U(r); atomicAdd((__half2 *)(o + 4 * i + 2), *(__half2 *)&a); o[4 * i + 3] = i;)
PROBE(o_bf162, o[4 * i] = b; o[4 * i + 2] = c; __nv_bfloat162 r = atomicAdd((__nv_bfloat162 *)(o + 4 * i), *(__nv_bfloat162 *)&a); o[4 * i + 1] = U(r); atomicAdd((__nv_bfloat162 *)(o + 4 * i + 2), *(__nv_bfloat162 *)&a); o[4 * i + 3] = i;)
PROBE(o_half, o[4 * i] = b; o[4 * i + 2] = c; __half r = atomicAdd((__half *)(o + 4 * i) + (c & 1), *(__half *)&a); o[4 * i + 1] = S(r); atomicAdd((__half *)(o + 4 * i + 2) + (b & 1), *(__half *)&a); o[4 * i + 3] = i;)
PROBE(o_bf16, o[4 * i] = b; o[4 * i + 2] = c; __nv_bfloat16 r = atomicAdd((__nv_bfloat16 *)(o + 4 * i) + (c & 1), *(__nv_bfloat16 *)&a); o[4 * i + 1] = S(r); atomicAdd((__nv_bfloat16 *)(o + 4 * i + 2) + (b & 1), *(__nv_bfloat16 *)&a); o[4 * i + 3] = i;)
PROBE(o_cas16, o[4 * i] = b; unsigned short *p = (unsigned short *)(o + 4 * i) + (c & 1); unsigned short old = *p, x = atomicCAS(p, (unsigned short)(c & 2 ? old : old + 1), (unsigned short)a); o[4 * i + 1] = x; unsigned short y = atomicCAS(p, LOW(a), LOW(c)); o[4 * i + 2] = y; o[4 * i + 3] = i;)
PROBE(o_shared16, __shared__ unsigned s[512]; int t = threadIdx.x; s[t] = b; s[t + 256] = c; __half2 r = atomicAdd((__half2 *)(s + t), *(__half2 *)&a); __nv_bfloat162 q = atomicAdd((__nv_bfloat162 *)(s + t + 256), *(__nv_bfloat162 *)&a);
      OUT4(U(r), s[t], U(q), s[t + 256]))
PROBE(o_shared_one16, __shared__ unsigned s[512]; int t = threadIdx.x; s[t] = b; s[t + 256] = c; __half r = atomicAdd((__half *)(s + t) + (c & 1), *(__half *)&a); __nv_bfloat16 q = atomicAdd((__nv_bfloat16 *)(s + t + 256) + (b & 1), *(__nv_bfloat16 *)&a);
      unsigned short *p = (unsigned short *)(s + t); unsigned short w = atomicCAS(p, p[0], LOW(c)); OUT4(S(r) | w << 16, s[t], S(q), s[t + 256]))
PROBE(o_generic16, __shared__ unsigned s[256]; int t = threadIdx.x; s[t] = b; o[4 * i] = b; unsigned *p = c & 1 ? s + t : o + 4 * i; __half2 r = atomicAdd((__half2 *)p, *(__half2 *)&a); __nv_bfloat162 q = atomicAdd((__nv_bfloat162 *)p, *(__nv_bfloat162 *)&c);
      o[4 * i + 1] = U(r); o[4 * i + 2] = U(q); o[4 * i + 3] = *p;)
PROBE(o_contended, __half2 k = __floats2half2_rn((float)(a & 7), (float)(b & 3)); if (i < 512) atomicAdd((__half2 *)(o + (i & 7)), k); else if (i < 768) atomicAdd((__nv_bfloat162 *)(o + 8 + (i & 7)), __floats2bfloat162_rn((float)(a & 1), (float)(b & 3)));
      else if (i < 1024) atomicAdd((__half *)(o + 16) + (i & 7), __float2half((float)(a & 3))); else o[4 * i] = U(k);)
PROBE(o_minmax16, unsigned r, q; o[4 * i] = b; o[4 * i + 1] = b; asm volatile("atom.global.v2.f16x2.add.noftz {%0, %1}, [%2], {%3, %4};" : "=r"(r), "=r"(q) : "l"(o + 4 * i), "r"(a), "r"(c) : "memory"); o[4 * i + 2] = r; o[4 * i + 3] = q;)
PROBE(o_limits16, unsigned r, q; o[4 * i] = b; o[4 * i + 1] = b; asm volatile("atom.global.v2.f16x2.min.noftz {%0, %1}, [%2], {%3, %4};" : "=r"(r), "=r"(q) : "l"(o + 4 * i), "r"(a), "r"(c) : "memory"); o[4 * i + 2] = r; o[4 * i + 3] = q;
      asm volatile("red.global.v2.bf16x2.max.noftz [%0], {%1, %2};" :: "l"(o + 4 * i + 2), "r"(c), "r"(a) : "memory");)
PROBE(o_float2, float2 k = make_float2(F(a), F(b)); o[4 * i] = c; o[4 * i + 1] = a; float2 r = atomicAdd((float2 *)(o + 4 * i), k); o[4 * i + 2] = __float_as_uint(r.x); o[4 * i + 3] = __float_as_uint(r.y);)
PROBE(o_float4, float4 k = make_float4(F(a), F(b), F(c), F(a ^ c)); OUT4(b, c, a, a) atomicAdd((float4 *)(o + 4 * i), k);)

// Conversions to and from narrow integers.
PROBE(o_s8_f32, OUT4(TO16("cvt.rzi.s8.f32", "f", F(a)), TO16("cvt.rni.s8.f32", "f", F(b)), TO16("cvt.rmi.s8.f32", "f", F(c)), TO16("cvt.rpi.sat.s8.f32", "f", F(a))))
PROBE(o_u8_f32, OUT4(TO16("cvt.rzi.u8.f32", "f", F(a)), TO16("cvt.rni.u8.f32", "f", F(b)), TO16("cvt.rmi.u8.f32", "f", F(c)), TO16("cvt.rpi.sat.u8.f32", "f", F(a))))
PROBE(o_s16_f32, OUT4(TO16("cvt.rzi.s16.f32", "f", F(a)), TO16("cvt.rni.u16.f32", "f", F(b)), TO16("cvt.rmi.s16.f32", "f", F(c)), TO16("cvt.rpi.ftz.u16.f32", "f", F(a))))
PROBE(o_s8_f64, OUT4(TO16("cvt.rzi.s8.f64", "d", D(a, b)), TO16("cvt.rni.u8.f64", "d", D(b, c)), TO16("cvt.rmi.s16.f64", "d", D(c, a)), TO16("cvt.rpi.u16.f64", "d", D(a, c))))
PROBE(o_s8_f16, OUT4(TO16("cvt.rzi.s8.f16", "h", LOW(a)), TO16("cvt.rni.u8.f16", "h", LOW(b)), TO16("cvt.rmi.s16.f16", "h", LOW(c)), TO16("cvt.rpi.u16.f16", "h", LOW(a))))
PROBE(o_s8_bf16, OUT4(TO16("cvt.rzi.s16.bf16", "h", LOW(a)), TO16("cvt.rni.u16.bf16", "h", LOW(b)), TO16("cvt.rmi.s16.bf16", "h", LOW(c)), TO16("cvt.rpi.u16.bf16", "h", LOW(a))))
PROBE(o_signed_sink, signed char x = (signed char)(int)F(a); unsigned char y = (unsigned char)F(b); short z = (short)F(c); unsigned short w = (unsigned short)F(a); OUT4((unsigned)(int)x, y, (unsigned)(int)z, w))
PROBE(o_f_s8, OUT4(__float_as_uint((float)(signed char)a), __float_as_uint((float)(unsigned char)(b >> 8)), __float_as_uint((float)(short)(c >> 16)), __float_as_uint((float)(signed char)(a >> 24))))
PROBE(o_d_s8, double x = (double)(signed char)(a >> 8); double y = (double)(unsigned short)(b >> 16); OUT4(__double2hiint(x), __double2loint(x), __double2hiint(y), __double2hiint((double)(unsigned char)(c >> 16))))
PROBE(o_h_s8, OUT4(TO16("cvt.rn.f16.s8", "h", LOW(a)), TO16("cvt.rn.f16.u8", "h", LOW(b)), TO16("cvt.rz.f16.s16", "h", LOW(c)), TO16("cvt.rp.f16.u16", "h", LOW(a))))
PROBE(o_b_s8, OUT4(TO16("cvt.rn.bf16.s16", "h", LOW(a)), TO16("cvt.rn.bf16.u16", "h", LOW(b)), TO16("cvt.rz.bf16.s16", "h", LOW(c)), TO16("cvt.rp.bf16.u16", "h", LOW(a))))
PROBE(o_sat_int, OUT4(TO16("cvt.sat.s8.s32", "r", a) | TO16("cvt.sat.u8.s32", "r", b) << 16, TO16("cvt.sat.s8.u32", "r", c), TO16("cvt.sat.s16.s32", "r", a) | TO16("cvt.sat.u16.s32", "r", c) << 16, TO16("cvt.sat.u16.u32", "r", b)))
PROBE(o_sat_short, OUT4(TO16("cvt.sat.s8.s16", "h", LOW(a)), TO16("cvt.sat.u8.s16", "h", LOW(b)), TO16("cvt.sat.u8.u16", "h", LOW(c)), TO16("cvt.sat.s8.u16", "h", LOW(a))))
PROBE(o_sat_long, unsigned long long x = (unsigned long long)a << 32 | b; OUT4(TO32("cvt.sat.s32.s64", "l", x), TO32("cvt.sat.u32.s64", "l", x), TO32("cvt.sat.s32.u64", "l", x), TO16("cvt.sat.s8.s64", "l", x)))
PROBE(o_pack, unsigned r, q; asm volatile("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); asm volatile("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(q) : "r"(a), "r"(b), "r"(c));
      OUT4(r, q, TWO("cvt.pack.sat.s16.s32", "r", a, b), TWO("cvt.pack.sat.u16.s32", "r", b, c)))
// Conversions to and from tf32 and formats of 8 bits.
PROBE(o_tf32, OUT4(TO32("cvt.rna.tf32.f32", "f", F(a)), TO32("cvt.rn.tf32.f32", "f", F(b)), TO32("cvt.rz.tf32.f32", "f", F(c)), TO32("cvt.rn.relu.tf32.f32", "f", F(a))))
PROBE(o_tf32_more, OUT4(TO32("cvt.rz.relu.tf32.f32", "f", F(a)), TO32("cvt.rna.tf32.f32", "f", F(b)), 0, i))
PROBE(o_e4m3_f32, OUT4(TWO16("cvt.rn.satfinite.e4m3x2.f32", "f", F(a), F(b)), TWO16("cvt.rn.satfinite.e4m3x2.f32", "f", F(b), F(c)), TWO16("cvt.rn.satfinite.relu.e4m3x2.f32", "f", F(a), F(b)), i))
PROBE(o_e5m2_f32, OUT4(TWO16("cvt.rn.satfinite.e5m2x2.f32", "f", F(a), F(b)), TWO16("cvt.rn.satfinite.e5m2x2.f32", "f", F(b), F(c)), TWO16("cvt.rn.satfinite.relu.e5m2x2.f32", "f", F(a), F(b)), i))
PROBE(o_e4m3_f16, OUT4(TO16("cvt.rn.satfinite.e4m3x2.f16x2", "r", a), TO16("cvt.rn.satfinite.relu.e4m3x2.f16x2", "r", b), TO16("cvt.rn.satfinite.e5m2x2.f16x2", "r", a), TO16("cvt.rn.satfinite.relu.e5m2x2.f16x2", "r", b)))
PROBE(o_f16_e4m3, OUT4(TO32("cvt.rn.f16x2.e4m3x2", "h", LOW(a)), TO32("cvt.rn.relu.f16x2.e4m3x2", "h", LOW(b)), TO32("cvt.rn.f16x2.e5m2x2", "h", LOW(a)), TO32("cvt.rn.relu.f16x2.e5m2x2", "h", LOW(b))))
PROBE(o_f16_high, OUT4(TO32("cvt.rn.f16x2.e4m3x2", "h", LOW(a >> 16)), TO32("cvt.rn.f16x2.e5m2x2", "h", LOW(b >> 16)), TWO16("cvt.rn.satfinite.e4m3x2.f32", "f", F(a), F(b)) | TWO16("cvt.rn.satfinite.e4m3x2.f32", "f", F(c), F(a)) << 16, i))
PROBE(o_relu_f32, OUT4(TWO("cvt.rn.relu.f16x2.f32", "f", F(a), F(b)), TWO("cvt.rz.relu.f16x2.f32", "f", F(b), F(c)), TWO("cvt.rn.relu.bf16x2.f32", "f", F(a), F(b)), TWO("cvt.rz.relu.bf16x2.f32", "f", F(b), F(c))))
PROBE(o_one_relu, OUT4(TO16("cvt.rn.relu.f16.f32", "f", F(a)), TO16("cvt.rz.relu.f16.f32", "f", F(b)), TO16("cvt.rn.relu.bf16.f32", "f", F(a)), TO16("cvt.rz.relu.bf16.f32", "f", F(b))))
PROBE(o_bf16_f64, OUT4(TO16("cvt.rn.bf16.f64", "d", D(a, b)), TO16("cvt.rn.f16.f64", "d", D(b, c)), TO16("cvt.rz.f16.f64", "d", D(a, c)), TO16("cvt.rp.f16.f64", "d", D(c, b))))
PROBE(o_h_long, unsigned long long x = (unsigned long long)(a >> 16 & c) << 32 | b; OUT4(TO16("cvt.rn.f16.s64", "l", x), TO16("cvt.rz.f16.u64", "l", x), TO16("cvt.rn.bf16.s64", "l", x), TO16("cvt.rz.bf16.u64", "l", x)))
PROBE(o_long_h, long long x, y; asm volatile("cvt.rzi.s64.f16 %0, %1;" : "=l"(x) : "h"(LOW(a))); asm volatile("cvt.rni.u64.bf16 %0, %1;" : "=l"(y) : "h"(LOW(b))); OUT4((unsigned)x, (unsigned)(x >> 32), (unsigned)y, (unsigned)(y >> 32)))
PROBE(o_bf16_f16, OUT4(TO16("cvt.rn.bf16.f16", "h", LOW(a)), TO16("cvt.rn.f16.bf16", "h", LOW(b)), TO16("cvt.rz.bf16.f16", "h", LOW(c)), TO16("cvt.rni.f16.f16", "h", LOW(a)) | TO16("cvt.rni.bf16.bf16", "h", LOW(b)) << 16))
PROBE(o_sat_f, float x, y; double d; asm volatile("cvt.sat.f32.f32 %0, %1;" : "=f"(x) : "f"(F(a))); asm volatile("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(y) : "d"(D(a, b))); asm volatile("cvt.sat.f64.f32 %0, %1;" : "=d"(d) : "f"(F(b)));
      OUT4(__float_as_uint(x), __float_as_uint(y), __double2hiint(d), __double2loint(d)))
PROBE(o_sat_h, OUT4(TO16("cvt.rn.sat.f16.f32", "f", F(a)), TO16("cvt.sat.f16.f16", "h", LOW(b)), TO32("cvt.sat.f32.f16", "h", LOW(c)), TO16("cvt.rzi.sat.f16.f16", "h", LOW(a))))
