// make_float4 and its like.
#pragma once

#include "vector_types.h"

#define WV_MAKE(T, C) \
    constexpr C##1 make_##C##1(T x) { return C##1{x}; } \
    constexpr C##2 make_##C##2(T x, T y) { return C##2{x, y}; } \
    constexpr C##3 make_##C##3(T x, T y, T z) { return C##3{x, y, z}; } \
    constexpr C##4 make_##C##4(T x, T y, T z, T w) { return C##4{x, y, z, w}; }
WV_MAKE(signed char, char)
WV_MAKE(unsigned char, uchar)
WV_MAKE(short, short)
WV_MAKE(unsigned short, ushort)
WV_MAKE(int, int)
WV_MAKE(unsigned int, uint)
WV_MAKE(long, long)
WV_MAKE(unsigned long, ulong)
WV_MAKE(long long, longlong)
WV_MAKE(unsigned long long, ulonglong)
WV_MAKE(float, float)
WV_MAKE(double, double)
#undef WV_MAKE
