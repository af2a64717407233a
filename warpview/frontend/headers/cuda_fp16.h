// Half precision: 10 digits behind the point and exponents from -14 to 15.
#pragma once
#include "sixteen_bits.h"

__WV_NUMBERS(__half, __half2, half, f16)
#ifdef __CUDA_ARCH__
__device__ inline __half atomicAdd(__half *p, __half a) {
    return __ushort_as_half(__wv_add_halves((unsigned short *)p, a.__x));
}
__device__ inline __half2 atomicAdd(__half2 *p, __half2 a) {
    unsigned int old = __wv_add_halves((unsigned int *)p, a.x.__x | (unsigned int)a.y.__x << 16);
    return __half2(__ushort_as_half(old), __ushort_as_half(old >> 16));
}
#endif
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
