// CUDA's vector types and dim3.
#pragma once

#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__ static
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#ifndef __noinline__
#define __noinline__
#endif
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

#define WV_VECTORS(T, C, A2, A4) \
    struct C##1 { T x; }; \
    struct alignas(A2) C##2 { T x, y; }; \
    struct C##3 { T x, y, z; }; \
    struct alignas(A4) C##4 { T x, y, z, w; };
WV_VECTORS(signed char, char, 2, 4)
WV_VECTORS(unsigned char, uchar, 2, 4)
WV_VECTORS(short, short, 4, 8)
WV_VECTORS(unsigned short, ushort, 4, 8)
WV_VECTORS(int, int, 8, 16)
WV_VECTORS(unsigned int, uint, 8, 16)
WV_VECTORS(long, long, 16, 16)
WV_VECTORS(unsigned long, ulong, 16, 16)
WV_VECTORS(long long, longlong, 16, 16)
WV_VECTORS(unsigned long long, ulonglong, 16, 16)
WV_VECTORS(float, float, 8, 16)
WV_VECTORS(double, double, 16, 16)
#undef WV_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

typedef unsigned char uchar;
#if defined(_WIN32) || defined(__APPLE__)
typedef unsigned int uint;
typedef unsigned short ushort;
#else
#include <sys/types.h>
#endif
