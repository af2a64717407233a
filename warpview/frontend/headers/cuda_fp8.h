// Numbers of 8 bits: E4M3 has 3 digits behind the point and exponents from -6 to 8, E5M2 has 2 and from -14 to 15. They
// are stored and converted; arithmetic is that of the types that they convert to.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
struct __align__(4) __half2_raw {
    unsigned short x, y;
    __host__ __device__ operator __half2() const { return __half2(__ushort_as_half(x), __ushort_as_half(y)); }
};

#define __WV_FP8 __host__ __device__ inline

// ------------------------------------------------------------------------------------------------- from other types
__WV_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    const bool is_fine = kind == __NV_E4M3;
    const unsigned int bits = __float_as_uint(a), size = bits & 0x7fffffffu, dropped = is_fine ? 20 : 21;
    const unsigned int least = (is_fine ? 121u : 113u) << 23, most = is_fine ? 0x7e : 0x7b, sign = bits >> 24 & 0x80;
    if (size > 0x7f800000u) return 0x7f;
    unsigned int result;
    if (size < least) {  // so many of the smallest number above 0
        result = (unsigned int)__float2int_rn(__uint_as_float(size) * (is_fine ? 512.0f : 65536.0f));
    } else {
        const unsigned int half = (1u << (dropped - 1)) - 1, odd = size >> dropped & 1;
        result = ((size + half + odd) >> dropped) - ((is_fine ? 120u << 3 : 112u << 2));
    }
    if (result > most) result = saturation == __NV_SATFINITE ? most : is_fine ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(result | sign);
}
__WV_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    if (a != a) {
        const unsigned int high = __double2hiint(a), digits = kind == __NV_E4M3 ? 0x7f : 0x7e | (high >> 18 & 3);
        return (__nv_fp8_storage_t)(digits | (high >> 24 & 0x80));
    }
    float cut = __double2float_rz(a);  // what is cut off makes the last digit odd, so that it is rounded once
    if ((double)cut != a) cut = __uint_as_float(__float_as_uint(cut) | 1u);
    return __nv_cvt_float_to_fp8(cut, saturation, kind);
}
__WV_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__half2float(__half(a)), saturation, kind);
}
__WV_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(a)), saturation, kind);
}
__WV_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(a.y, saturation, kind) << 8
                                  | __nv_cvt_float_to_fp8(a.x, saturation, kind));
}
__WV_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(a.y, saturation, kind) << 8
                                  | __nv_cvt_double_to_fp8(a.x, saturation, kind));
}
__WV_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw a, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float2_to_fp8x2(__half22float2((__half2)a), saturation, kind);
}

// --------------------------------------------------------------------------------------------------- to other types
__WV_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t kind)
{
    const unsigned int size = a & 0x7fu, sign = (a & 0x80u) << 8;
    unsigned int bits = size << 8;
    if (kind == __NV_E5M2) {
        bits = size > 0x7c ? 0x7fff : bits | sign;
    } else if (size == 0x7f) {
        bits = 0x7fff;
    } else {
        const unsigned int small = __half_as_ushort(__float2half_rn((float)size * 0.001953125f));
        bits = (size < 8 ? small : (size << 7) + (8u << 10)) | sign;
    }
    return __half_raw{(unsigned short)bits};
}
__WV_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a, __nv_fp8_interpretation_t kind)
{
    const __half_raw x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, kind);
    const __half_raw y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(a >> 8), kind);
    return __half2_raw{x.x, y.x};
}

// ------------------------------------------------------------------------------------------------------------ types
#define __WV_FROM_INTEGER(NAME, TYPE) __WV_FP8 explicit NAME(TYPE a) : NAME((float)a) {}
#define __WV_TO_INTEGER(TYPE, KIND) __WV_FP8 explicit operator TYPE() const { return (TYPE)(float)*this; }
#define __WV_FP8_TYPE(NAME, KIND) \
    struct NAME { \
        __nv_fp8_storage_t __x; \
        NAME() = default; \
        __WV_FP8 explicit NAME(float a) : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        __WV_FP8 explicit NAME(double a) : __x(__nv_cvt_double_to_fp8(a, __NV_SATFINITE, KIND)) {} \
        __WV_FP8 explicit NAME(__half a) : NAME(__half2float(a)) {} \
        __WV_FP8 explicit NAME(__nv_bfloat16 a) : NAME(__bfloat162float(a)) {} \
        __WV_FROM_INTEGER(NAME, short) \
        __WV_FROM_INTEGER(NAME, unsigned short) \
        __WV_FP8 explicit NAME(int a) : NAME((double)a) {} \
        __WV_FP8 explicit NAME(unsigned int a) : NAME((double)a) {} \
        __WV_FP8 explicit NAME(long long a) : NAME((double)a) {} \
        __WV_FP8 explicit NAME(unsigned long long a) : NAME((double)a) {} \
        __WV_FP8 explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); } \
        __WV_FP8 explicit operator float() const { return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, KIND))); } \
        __WV_FP8 explicit operator double() const { return (double)(float)*this; } \
        __WV_FP8 explicit operator __nv_bfloat16() const { return __float2bfloat16_rz((float)*this); } \
        __WV_FP8 explicit operator bool() const { return (__x & 0x7f) != 0; } \
        __WV_TO_INTEGER(int, KIND) \
        __WV_TO_INTEGER(unsigned int, KIND) \
    };
#define __WV_FP8_PAIR(NAME, KIND) \
    struct __align__(2) NAME { \
        __nv_fp8x2_storage_t __x; \
        NAME() = default; \
        __WV_FP8 explicit NAME(float2 a) : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        __WV_FP8 explicit NAME(double2 a) : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, KIND)) {} \
        __WV_FP8 explicit NAME(__half2 a) : NAME(__half22float2(a)) {} \
        __WV_FP8 explicit NAME(__nv_bfloat162 a) : NAME(__bfloat1622float2(a)) {} \
        __WV_FP8 explicit operator __half2() const { return (__half2)__nv_cvt_fp8x2_to_halfraw2(__x, KIND); } \
        __WV_FP8 explicit operator float2() const \
        { \
            return __half22float2((__half2)__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); \
        } \
    };
#define __WV_FP8_QUAD(NAME, KIND) \
    struct __align__(4) NAME { \
        __nv_fp8x4_storage_t __x; \
        NAME() = default; \
        __WV_FP8 explicit NAME(float4 a) \
            : __x(__nv_cvt_float2_to_fp8x2(float2{a.x, a.y}, __NV_SATFINITE, KIND) \
                  | (unsigned int)__nv_cvt_float2_to_fp8x2(float2{a.z, a.w}, __NV_SATFINITE, KIND) << 16) \
        { \
        } \
        __WV_FP8 explicit NAME(__half2 low, __half2 high) \
            : NAME(float4{__half22float2(low).x, __half22float2(low).y, __half22float2(high).x, \
                          __half22float2(high).y}) \
        { \
        } \
        __WV_FP8 explicit NAME(__nv_bfloat162 low, __nv_bfloat162 high) \
            : NAME(float4{__bfloat1622float2(low).x, __bfloat1622float2(low).y, __bfloat1622float2(high).x, \
                          __bfloat1622float2(high).y}) \
        { \
        } \
        __WV_FP8 explicit operator float4() const \
        { \
            const float2 low = __half22float2((__half2)__nv_cvt_fp8x2_to_halfraw2((unsigned short)__x, KIND)); \
            const float2 high = \
                __half22float2((__half2)__nv_cvt_fp8x2_to_halfraw2((unsigned short)(__x >> 16), KIND)); \
            return float4{low.x, low.y, high.x, high.y}; \
        } \
    };
__WV_FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
__WV_FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
__WV_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
__WV_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
__WV_FP8_QUAD(__nv_fp8x4_e4m3, __NV_E4M3)
__WV_FP8_QUAD(__nv_fp8x4_e5m2, __NV_E5M2)
