// What nvcc includes before every file: the CUDA runtime, and the functions of device code that also exist on the host.
#pragma once

#include <algorithm>
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
#include <math.h>  // its functions without std::, for every type

#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "math_constants.h"

// min and max of nvcc, which need no std::.
#define WV_MINIMUM(T) \
    inline T min(T a, T b) { return b < a ? b : a; } \
    inline T max(T a, T b) { return a < b ? b : a; }
WV_MINIMUM(int)
WV_MINIMUM(unsigned int)
WV_MINIMUM(long)
WV_MINIMUM(unsigned long)
WV_MINIMUM(long long)
WV_MINIMUM(unsigned long long)
WV_MINIMUM(float)
WV_MINIMUM(double)
#undef WV_MINIMUM
inline unsigned int min(unsigned int a, int b) { return min(a, static_cast<unsigned int>(b)); }
inline unsigned int min(int a, unsigned int b) { return min(static_cast<unsigned int>(a), b); }
inline unsigned int max(unsigned int a, int b) { return max(a, static_cast<unsigned int>(b)); }
inline unsigned int max(int a, unsigned int b) { return max(static_cast<unsigned int>(a), b); }
inline double min(float a, double b) { return min(static_cast<double>(a), b); }
inline double min(double a, float b) { return min(a, static_cast<double>(b)); }
inline double max(float a, double b) { return max(static_cast<double>(a), b); }
inline double max(double a, float b) { return max(a, static_cast<double>(b)); }

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float sinpif(float x) { return static_cast<float>(std::sin(M_PI * x)); }
inline float cospif(float x) { return static_cast<float>(std::cos(M_PI * x)); }
inline double sinpi(double x) { return std::sin(M_PI * x); }
inline double cospi(double x) { return std::cos(M_PI * x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
inline float normcdff(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
inline float __saturatef(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; }
inline float __int_as_float(int x) { float y; std::memcpy(&y, &x, 4); return y; }
inline int __float_as_int(float x) { int y; std::memcpy(&y, &x, 4); return y; }
inline float __uint_as_float(unsigned x) { float y; std::memcpy(&y, &x, 4); return y; }
inline unsigned __float_as_uint(float x) { unsigned y; std::memcpy(&y, &x, 4); return y; }
