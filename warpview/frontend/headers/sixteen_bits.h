// Numbers of 16 bits: __WV_NUMBERS declares a type H, pairs H2 of it, and their functions. N is what the type is called
// in the names of functions, F in those of the instructions that compute with patterns of 16 bits.
#pragma once
#ifndef __CUDA_ARCH__
#include "sixteen_bit_functions.h"
#endif

// A whole number of 53 digits at most that rounds to 16 bits as the one given does: a last digit stands for those lost.
__device__ inline double __wv_sticky(unsigned long long a) {
    return (double)(a >> 53 ? a & ~0xfffull | (unsigned long long)((a & 0xfff) != 0) << 12 : a);
}
__device__ inline double __wv_sticky(long long a) {
    double size = __wv_sticky((unsigned long long)(a < 0 ? -a : a));
    return a < 0 ? -size : size;
}

#define __WV_INLINE __host__ __device__ inline
#define __WV_FROM(H, F, S, VALUE) __WV_INLINE H(S a) : __x(__wv_double_to_##F##_rn(VALUE)) {}

#define __WV_TYPES(H, H2, F) \
    struct __align__(2) H##_raw { unsigned short x; }; \
    struct __align__(2) H { \
        unsigned short __x; \
        H() = default; \
        __WV_INLINE H(const H##_raw &a) : __x(a.x) {} \
        __WV_INLINE H(float a) : __x(__wv_float_to_##F##_rn(a)) {} \
        __WV_FROM(H, F, double, a) __WV_FROM(H, F, short, a) __WV_FROM(H, F, unsigned short, a) \
        __WV_FROM(H, F, int, a) __WV_FROM(H, F, unsigned int, a) \
        __WV_FROM(H, F, long, __wv_sticky((long long)a)) \
        __WV_FROM(H, F, unsigned long, __wv_sticky((unsigned long long)a)) \
        __WV_FROM(H, F, long long, __wv_sticky(a)) __WV_FROM(H, F, unsigned long long, __wv_sticky(a)) \
        __WV_INLINE operator float() const { return __wv_##F##_to_float(__x); } \
    }; \
    struct __align__(4) H2 { \
        H x, y; \
        H2() = default; \
        __WV_INLINE H2(const H &a, const H &b) : x(a), y(b) {} \
    };

// ---- conversions
#define __WV_ROUNDED(H, N, F, R, M) \
    __WV_INLINE H __float2##N##_##R(float a) { return __ushort_as_##N(__wv_float_to_##F##_##M(a)); } \
    __WV_INLINE H __short2##N##_##R(short a) { return __ushort_as_##N(__wv_float_to_##F##_##M(a)); } \
    __WV_INLINE H __ushort2##N##_##R(unsigned short a) { return __ushort_as_##N(__wv_float_to_##F##_##M(a)); } \
    __WV_INLINE H __int2##N##_##R(int a) { return __ushort_as_##N(__wv_double_to_##F##_##M(a)); } \
    __WV_INLINE H __uint2##N##_##R(unsigned int a) { return __ushort_as_##N(__wv_double_to_##F##_##M(a)); } \
    __WV_INLINE H __ll2##N##_##R(long long a) { return __ushort_as_##N(__wv_double_to_##F##_##M(__wv_sticky(a))); } \
    __WV_INLINE H __ull2##N##_##R(unsigned long long a) { \
        return __ushort_as_##N(__wv_double_to_##F##_##M(__wv_sticky(a))); \
    } \
    __WV_INLINE int __##N##2int_##R(H a) { return __float2int_##R(a); } \
    __WV_INLINE unsigned int __##N##2uint_##R(H a) { return __float2uint_##R(a); } \
    __WV_INLINE long long __##N##2ll_##R(H a) { return __float2ll_##R(a); } \
    __WV_INLINE unsigned long long __##N##2ull_##R(H a) { return __float2ull_##R(a); } \
    __WV_INLINE short __##N##2short_##R(H a) { return min(max(__float2int_##R(a), -32768), 32767); } \
    __WV_INLINE unsigned short __##N##2ushort_##R(H a) { return min(__float2uint_##R(a), 65535u); }

#define __WV_CONVERSIONS(H, H2, N, F) \
    __WV_INLINE H __ushort_as_##N(unsigned short a) { return H(H##_raw{a}); } \
    __WV_INLINE H __short_as_##N(short a) { return __ushort_as_##N(a); } \
    __WV_INLINE unsigned short __##N##_as_ushort(H a) { return a.__x; } \
    __WV_INLINE short __##N##_as_short(H a) { return a.__x; } \
    __WV_ROUNDED(H, N, F, rn, rn) __WV_ROUNDED(H, N, F, rz, rz) \
    __WV_ROUNDED(H, N, F, rd, rm) __WV_ROUNDED(H, N, F, ru, rp) \
    __WV_INLINE signed char __##N##2char_rz(H a) { return min(max(__float2int_rz(a), -128), 127); } \
    __WV_INLINE unsigned char __##N##2uchar_rz(H a) { return min(__float2uint_rz(a), 255u); } \
    __WV_INLINE H __float2##N(float a) { return H(a); } \
    __WV_INLINE H __double2##N(double a) { return H(a); } \
    __WV_INLINE float __##N##2float(H a) { return a; } \
    __WV_INLINE H2 make_##N##2(H a, H b) { return H2(a, b); } \
    __WV_INLINE H2 __halves2##N##2(H a, H b) { return H2(a, b); } \
    __WV_INLINE H2 __##N##2##N##2(H a) { return H2(a, a); } \
    __WV_INLINE H2 __float2##N##2_rn(float a) { return H2(H(a), H(a)); } \
    __WV_INLINE H2 __floats2##N##2_rn(float a, float b) { return H2(H(a), H(b)); } \
    __WV_INLINE H2 __float22##N##2_rn(float2 a) { return H2(H(a.x), H(a.y)); } \
    __WV_INLINE float2 __##N##22float2(H2 a) { return make_float2(a.x, a.y); } \
    __WV_INLINE H __low2##N(H2 a) { return a.x; } \
    __WV_INLINE H __high2##N(H2 a) { return a.y; } \
    __WV_INLINE float __low2float(H2 a) { return a.x; } \
    __WV_INLINE float __high2float(H2 a) { return a.y; } \
    __WV_INLINE H2 __low2##N##2(H2 a) { return H2(a.x, a.x); } \
    __WV_INLINE H2 __high2##N##2(H2 a) { return H2(a.y, a.y); } \
    __WV_INLINE H2 __lows2##N##2(H2 a, H2 b) { return H2(a.x, b.x); } \
    __WV_INLINE H2 __highs2##N##2(H2 a, H2 b) { return H2(a.y, b.y); } \
    __WV_INLINE H2 __lowhigh2highlow(H2 a) { return H2(a.y, a.x); }

// ---- arithmetic
#define __WV_UNSATURATED_f16(FN) FN
#define __WV_UNSATURATED_bf16(FN) FN##_rn // NVIDIA's headers write a product plus a third number
#define __WV_BINARY(H, H2, N, F, OP, FN) \
    __WV_INLINE H FN(H a, H b) { return __ushort_as_##N(__wv_##OP##_##F(a.__x, b.__x)); } \
    __WV_INLINE H2 FN##2(H2 a, H2 b) { return H2(FN(a.x, b.x), FN(a.y, b.y)); }
#define __WV_SUM(H, H2, N, F, OP, SIGN) /* those without _rn may become one operation with another */ \
    __WV_INLINE H __h##OP(H a, H b) { return __ushort_as_##N(__wv_##OP##_##F##_alone(a.__x, b.__x)); } \
    __WV_INLINE H2 __h##OP##2(H2 a, H2 b) { \
        return H2(__ushort_as_##N(__wv_##OP##_##F##_low(a.x.__x, b.x.__x)), \
                  __ushort_as_##N(__wv_##OP##_##F##_high(a.y.__x, b.y.__x))); \
    } \
    __WV_INLINE H __h##OP##_rn(H a, H b) { return __ushort_as_##N(__wv_##OP##_##F(a.__x, b.__x)); } \
    __WV_INLINE H2 __h##OP##2_rn(H2 a, H2 b) { return H2(__h##OP##_rn(a.x, b.x), __h##OP##_rn(a.y, b.y)); } \
    __WV_INLINE H __h##OP##_sat(H a, H b) { return __wv_saturated(__WV_UNSATURATED_##F(__h##OP)(a, b)); } \
    __WV_INLINE H2 __h##OP##2_sat(H2 a, H2 b) { \
        H2 result = __WV_UNSATURATED_##F(__h##OP##2)(a, b); \
        return H2(__wv_saturated(result.x), __wv_saturated(result.y)); \
    } \
    __WV_OPERATOR(H, SIGN, __h##OP) __WV_OPERATOR(H2, SIGN, __h##OP##2)
#define __WV_OPERATOR(T, SIGN, FN) \
    __WV_INLINE T operator SIGN(const T &a, const T &b) { return FN(a, b); } \
    __WV_INLINE T &operator SIGN##=(T &a, const T &b) { return a = FN(a, b); }
#define __WV_STEPS(T, ONE) \
    __WV_INLINE T operator+(const T &a) { return a; } \
    __WV_INLINE T &operator++(T &a) { return a = a + ONE; } \
    __WV_INLINE T &operator--(T &a) { return a = a - ONE; } \
    __WV_INLINE T operator++(T &a, int) { T old = a; a = a + ONE; return old; } \
    __WV_INLINE T operator--(T &a, int) { T old = a; a = a - ONE; return old; }

#define __WV_ARITHMETIC(H, H2, N, F) \
    __WV_INLINE bool __hisnan(H a) { return isnan((float)a); } \
    __WV_INLINE int __hisinf(H a) { return isinf((float)a) ? (a.__x >> 15 ? -1 : 1) : 0; } \
    __WV_INLINE H2 __hisnan2(H2 a) { return H2(H(__hisnan(a.x) ? 1.0f : 0.0f), H(__hisnan(a.y) ? 1.0f : 0.0f)); } \
    __WV_BINARY(H, H2, N, F, min, __hmin) __WV_BINARY(H, H2, N, F, max, __hmax) \
    __WV_INLINE H __hmin_nan(H a, H b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_##N(0x7fff) : __hmin(a, b); } \
    __WV_INLINE H __hmax_nan(H a, H b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_##N(0x7fff) : __hmax(a, b); } \
    __WV_INLINE H2 __hmin2_nan(H2 a, H2 b) { return H2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); } \
    __WV_INLINE H2 __hmax2_nan(H2 a, H2 b) { return H2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); } \
    __WV_INLINE H __wv_saturated(H a) { return __hmin(__hmax(a, H(0.0f)), H(1.0f)); } \
    __WV_INLINE H __hneg(H a) { return __ushort_as_##N(__wv_sub_##F(0x8000, a.__x)); } \
    __WV_INLINE H __habs(H a) { return __ushort_as_##N(a.__x & 0x7fff); } \
    __WV_INLINE H2 __hneg2(H2 a) { return H2(__hneg(a.x), __hneg(a.y)); } \
    __WV_INLINE H2 __habs2(H2 a) { return H2(__habs(a.x), __habs(a.y)); } \
    __WV_SUM(H, H2, N, F, add, +) __WV_SUM(H, H2, N, F, sub, -) __WV_SUM(H, H2, N, F, mul, *) \
    __WV_INLINE H __hdiv(H a, H b) { return H((float)a / (float)b); } \
    __WV_INLINE H2 __h2div(H2 a, H2 b) { return H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); } \
    __WV_OPERATOR(H, /, __hdiv) __WV_OPERATOR(H2, /, __h2div) \
    __WV_STEPS(H, H(1.0f)) __WV_STEPS(H2, H2(H(1.0f), H(1.0f))) \
    __WV_INLINE H operator-(const H &a) { return __hneg(a); } \
    __WV_INLINE H2 operator-(const H2 &a) { return __hneg2(a); } \
    __WV_INLINE H __hfma(H a, H b, H c) { return __ushort_as_##N(__wv_fma_##F(a.__x, b.__x, c.__x)); } \
    __WV_INLINE H __hfma_sat(H a, H b, H c) { return __wv_saturated(__hfma(a, b, c)); } \
    __WV_INLINE H __hfma_relu(H a, H b, H c) { return __hmax_nan(__hfma(a, b, c), H(0.0f)); } \
    __WV_INLINE H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); } \
    __WV_INLINE H2 __hfma2_sat(H2 a, H2 b, H2 c) { return H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); } \
    __WV_INLINE H2 __hfma2_relu(H2 a, H2 b, H2 c) { return H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); } \
    __WV_INLINE H2 __hcmadd(H2 a, H2 b, H2 c) { /* of complex numbers */ \
        return H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))); \
    } \
    __WV_INLINE H htanh_approx(H a) { \
        unsigned short tangent; \
        asm("tanh.approx." #F " %0, %1;" : "=h"(tangent) : "h"(a.__x)); \
        return __ushort_as_##N(tangent); \
    } \
    __WV_INLINE H2 h2tanh_approx(H2 a) { return H2(htanh_approx(a.x), htanh_approx(a.y)); }

// ---- comparisons: with a number that is none they do not hold, but for != and those whose name ends in u
#define __WV_COMPARED(H, H2, C, HOLDS) \
    __WV_INLINE bool __h##C(H p, H q) { float a = p, b = q; return HOLDS; } \
    __WV_INLINE H2 __h##C##2(H2 a, H2 b) { \
        return H2(H(__h##C(a.x, b.x) ? 1.0f : 0.0f), H(__h##C(a.y, b.y) ? 1.0f : 0.0f)); \
    } \
    __WV_INLINE bool __hb##C##2(H2 a, H2 b) { return __h##C(a.x, b.x) && __h##C(a.y, b.y); } \
    __WV_INLINE unsigned int __h##C##2_mask(H2 a, H2 b) { \
        return (__h##C(a.x, b.x) ? 0xffffu : 0u) | (__h##C(a.y, b.y) ? 0xffff0000u : 0u); \
    }
#define __WV_COMPARISON(H, H2, C, SIGN, ORDERED, UNORDERED) \
    __WV_COMPARED(H, H2, C, ORDERED) __WV_COMPARED(H, H2, C##u, UNORDERED) \
    __WV_INLINE bool operator SIGN(const H &a, const H &b) { return __h##C(a, b); } \
    __WV_INLINE bool operator SIGN(const H2 &a, const H2 &b) { return __hb##C##2(a, b); }
#define __WV_COMPARISONS(H, H2) \
    __WV_COMPARISON(H, H2, lt, <, a < b, !(a >= b)) __WV_COMPARISON(H, H2, le, <=, a <= b, !(a > b)) \
    __WV_COMPARISON(H, H2, gt, >, a > b, !(a <= b)) __WV_COMPARISON(H, H2, ge, >=, a >= b, !(a < b)) \
    __WV_COMPARISON(H, H2, eq, ==, a == b, !(a < b || a > b)) \
    __WV_COMPARED(H, H2, ne, a < b || a > b) __WV_COMPARED(H, H2, neu, a != b) \
    __WV_INLINE bool operator!=(const H &a, const H &b) { return __hneu(a, b); } \
    __WV_INLINE bool operator!=(const H2 &a, const H2 &b) { return __hbneu2(a, b); }

// ---- mathematical functions
// Patterns p for which the float nearest to a result lies in the middle between two numbers of 16 bits, and the result
// does not: the step from the even one, to which the float is rounded.
#define __WV_STEP_f16_exp(p) -(p == 0x1f79 || p == 0x25cf)
#define __WV_STEP_f16_exp2(p) (p == 0x9bf2 || p == 0xa86d)
#define __WV_STEP_f16_exp10(p) 0
#define __WV_STEP_f16_log(p) -(p == 0x1d78)
#define __WV_STEP_f16_log10(p) (p == 0x33f8 || p == 0x69d0) - (p == 0x338f || p == 0x57e1 || p == 0x719d)
#define __WV_STEP_f16_sin(p) ((p & 0x7fff) == 0x32b3) - ((p & 0x7fff) == 0x5cb0)
#define __WV_STEP_f16_cos(p) ((p & 0x7fff) == 0x2b7c)
#define __WV_STEP_bf16_exp(p) 0
#define __WV_STEP_bf16_exp2(p) 0
#define __WV_STEP_bf16_exp10(p) -(p == 0xbc95)
#define __WV_STEP_bf16_log(p) 0
#define __WV_STEP_bf16_log10(p) 0
#define __WV_STEP_bf16_sin(p) 0
#define __WV_STEP_bf16_cos(p) 0
#define __WV_FUNCTION(H, H2, FN, OF) \
    __WV_INLINE H h##FN(H a) { return H(OF); } \
    __WV_INLINE H2 h2##FN(H2 a) { return H2(h##FN(a.x), h##FN(a.y)); }
#define __WV_STEPPED(H, H2, N, F, FN, OF) \
    __WV_FUNCTION(H, H2, FN, __ushort_as_##N(H(OF).__x + (__WV_STEP_##F##_##FN(a.__x))))
#define __WV_FUNCTIONS(H, H2, N, F) \
    __WV_FUNCTION(H, H2, sqrt, sqrtf(a)) __WV_FUNCTION(H, H2, rsqrt, rsqrtf(a)) \
    __WV_FUNCTION(H, H2, rcp, 1.0f / (float)a) \
    __WV_STEPPED(H, H2, N, F, exp, expf(a)) __WV_STEPPED(H, H2, N, F, exp2, exp2f(a)) \
    __WV_STEPPED(H, H2, N, F, exp10, exp10f(a)) \
    __WV_STEPPED(H, H2, N, F, log, logf(a)) __WV_FUNCTION(H, H2, log2, log2f(a)) \
    __WV_STEPPED(H, H2, N, F, log10, log10f(a)) \
    __WV_STEPPED(H, H2, N, F, sin, sinf(a)) __WV_STEPPED(H, H2, N, F, cos, cosf(a)) \
    __WV_FUNCTION(H, H2, tanh, tanhf(a)) \
    __WV_FUNCTION(H, H2, trunc, truncf(a)) __WV_FUNCTION(H, H2, ceil, ceilf(a)) \
    __WV_FUNCTION(H, H2, floor, floorf(a)) __WV_FUNCTION(H, H2, rint, rintf(a))

// ---- warps and memory; a sum in memory is exchanged until no other thread has come between
#define __WV_SHUFFLE(H, H2, N, WAY, S) \
    __device__ inline H __shfl##WAY##_sync(unsigned int mask, H a, S lane, int width = 32) { \
        return __ushort_as_##N(__shfl##WAY##_sync(mask, (unsigned int)a.__x, lane, width)); \
    } \
    __device__ inline H2 __shfl##WAY##_sync(unsigned int mask, H2 a, S lane, int width = 32) { \
        unsigned int word = __shfl##WAY##_sync(mask, a.x.__x | (unsigned int)a.y.__x << 16, lane, width); \
        return H2(__ushort_as_##N(word), __ushort_as_##N(word >> 16)); \
    }
#define __WV_MEMORY(H, H2, N) \
    __WV_SHUFFLE(H, H2, N, , int) __WV_SHUFFLE(H, H2, N, _up, unsigned int) \
    __WV_SHUFFLE(H, H2, N, _down, unsigned int) __WV_SHUFFLE(H, H2, N, _xor, int) \
    __device__ inline H __ldg(const H *p) { return *p; } \
    __device__ inline H2 __ldg(const H2 *p) { return *p; }
#define __WV_ATOMIC_SWAPS(H, H2, N) \
    __device__ inline H atomicAdd(H *p, H a) { \
        unsigned short *place = (unsigned short *)p, old = *place, seen; \
        while ((seen = atomicCAS(place, old, __hadd_rn(__ushort_as_##N(old), a).__x)) != old) old = seen; \
        return __ushort_as_##N(old); \
    } \
    __device__ inline H2 atomicAdd(H2 *p, H2 a) { return H2(atomicAdd(&p->x, a.x), atomicAdd(&p->y, a.y)); }

#ifdef __CUDA_ARCH__
#define __WV_OF_DEVICE(H, H2, N, F) __WV_FUNCTIONS(H, H2, N, F) __WV_MEMORY(H, H2, N)
#else
#define __WV_OF_DEVICE(H, H2, N, F)
#endif
#define __WV_NUMBERS(H, H2, N, F) \
    __WV_TYPES(H, H2, F) \
    __WV_CONVERSIONS(H, H2, N, F) \
    __WV_ARITHMETIC(H, H2, N, F) \
    __WV_COMPARISONS(H, H2) \
    __WV_OF_DEVICE(H, H2, N, F)
