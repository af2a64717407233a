// Arithmetic of CUDA that rounds down, up or to zero. Each result is the nearest number, or its neighbour where the exact
// value lies on the other side of it: its error is known, as the exact difference or from numbers scaled to about 1.
#pragma once

#define __WV_ZERO 0
#define __WV_DOWN 1
#define __WV_UP 2

__device__ inline bool __wv_steps_down(bool positive, double beyond, int mode) {
    return beyond < 0 && (mode == __WV_DOWN || (mode == __WV_ZERO && positive));
}
__device__ inline bool __wv_steps_up(bool negative, double beyond, int mode) {
    return beyond > 0 && (mode == __WV_UP || (mode == __WV_ZERO && negative));
}

// The number that nearest + beyond rounds to, where beyond is less than half the distance to a neighbour.
__device__ inline float __wv_directed(float nearest, double beyond, int mode) {
    bool down = __wv_steps_down(nearest > 0, beyond, mode), up = __wv_steps_up(nearest < 0, beyond, mode);
    if (!down && !up) return nearest;
    if (nearest == 0) return up ? __int_as_float(1) : __int_as_float(0x80000001);
    int bits = __float_as_int(nearest);
    return __int_as_float((bits >= 0) == up ? bits + 1 : bits - 1);
}
__device__ inline double __wv_directed(double nearest, double beyond, int mode) {
    bool down = __wv_steps_down(nearest > 0, beyond, mode), up = __wv_steps_up(nearest < 0, beyond, mode);
    if (!down && !up) return nearest;
    if (nearest == 0) return __longlong_as_double(up ? 1ll : (long long)0x8000000000000001ull);
    long long bits = __double_as_longlong(nearest);
    return __longlong_as_double((bits >= 0) == up ? bits + 1 : bits - 1);
}

// What a sum of two doubles is beyond the one that it is rounded to (Knuth's TwoSum).
__device__ inline double __wv_sum_error(double a, double b, double sum) {
    double part = __dsub_rn(sum, a);
    return __dadd_rn(__dsub_rn(a, __dsub_rn(sum, part)), __dsub_rn(b, part));
}

__device__ inline float __wv_sum_to_float(double a, double b, float nearest, int mode) {
    double sum = __dadd_rn(a, b);
    if (mode == __WV_DOWN && sum == 0 && (signbit(a) || signbit(b))) return -0.0f;
    return __wv_directed(nearest, __dadd_rn(__dsub_rn(sum, nearest), __wv_sum_error(a, b, sum)), mode);
}
__device__ inline float __wv_quotient_to_float(float a, float b, int mode) {
    float nearest = __fdiv_rn(a, b);
    double rest = __dsub_rn(a, __dmul_rn(nearest, b));
    return __wv_directed(nearest, signbit(b) ? -rest : rest, mode);
}
__device__ inline float __wv_root_to_float(float a, int mode) {
    float nearest = __fsqrt_rn(a);
    return __wv_directed(nearest, __dsub_rn(a, __dmul_rn(nearest, nearest)), mode);
}

__device__ inline double __wv_sum(double a, double b, int mode) {
    double sum = __dadd_rn(a, b);
    if (!isfinite(a) || !isfinite(b)) return sum;
    if (isinf(sum)) return __wv_directed(sum, -sum, mode);
    if (mode == __WV_DOWN && sum == 0 && (signbit(a) || signbit(b))) return -0.0;
    return __wv_directed(sum, __wv_sum_error(a, b, sum), mode);
}
__device__ inline double __wv_product(double a, double b, int mode) {
    double nearest = __dmul_rn(a, b);
    if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0) return nearest;
    int i, j;
    double x = frexp(a, &i), y = frexp(b, &j);
    return __wv_directed(nearest, __fma_rn(x, y, -ldexp(nearest, -i - j)), mode);
}
__device__ inline double __wv_quotient(double a, double b, int mode) {
    double nearest = __ddiv_rn(a, b);
    if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0) return nearest;
    int i, j;
    double x = frexp(a, &i), y = frexp(b, &j);
    double rest = __fma_rn(-ldexp(nearest, j - i), y, x);
    return __wv_directed(nearest, signbit(b) ? -rest : rest, mode);
}
__device__ inline double __wv_root(double a, int mode) {
    double nearest = __dsqrt_rn(a);
    if (!(a > 0) || isinf(a)) return nearest;
    int i;
    double x = frexp(a, &i);
    if (i & 1) x *= 2, i -= 1;
    double root = ldexp(nearest, -i / 2);
    return __wv_directed(nearest, __fma_rn(-root, root, x), mode);
}

// The error of a fused multiplication and addition: Boldo and Muller, Some functions computable with a fused-mac (2005).
__device__ inline double __wv_fma_error(double a, double b, double c, double nearest) {
    double product = __dmul_rn(a, b), low = __fma_rn(a, b, -product);
    double carried = __dadd_rn(c, low), rest = __wv_sum_error(c, low, carried);
    double sum = __dadd_rn(product, carried), left = __wv_sum_error(product, carried, sum);
    return __dadd_rn(__dadd_rn(__dsub_rn(sum, nearest), left), rest);
}
__device__ inline double __wv_fma(double a, double b, double c, int mode) {
    double nearest = __fma_rn(a, b, c);
    if (!isfinite(a) || !isfinite(b) || !isfinite(c)) return nearest;
    if (a == 0 || b == 0) return __wv_sum(__dmul_rn(a, b), c, mode);
    int i, j;
    double x = frexp(a, &i), y = frexp(b, &j);
    double scaled = ldexp(c, -i - j), result = ldexp(nearest, -i - j);
    if (isinf(result)) return __wv_directed(nearest, isinf(nearest) ? -nearest : __dmul_rn(x, y), mode);
    double beyond = __wv_fma_error(x, y, scaled, result);
    if (nearest == 0 && beyond == 0 && mode == __WV_DOWN && c != 0) return -0.0;
    return __wv_directed(nearest, beyond == 0 && scaled == 0 ? c : beyond, mode);
}

__device__ inline float __wv_whole_to_float(double high, double low, float nearest, int mode) {
    double sum = __dadd_rn(high, low);
    return __wv_directed(nearest, __dadd_rn(__dsub_rn(sum, nearest), __wv_sum_error(high, low, sum)), mode);
}
__device__ inline double __wv_high(long long a) { return __dmul_rn(__int2double_rn((int)(a >> 32)), 4294967296.0); }
__device__ inline double __wv_high(unsigned long long a) {
    return __dmul_rn(__uint2double_rn((unsigned int)(a >> 32)), 4294967296.0);
}

#define __WV_DIRECTION(R, MODE) \
    __device__ inline float __fadd_##R(float a, float b) { return __wv_sum_to_float(a, b, __fadd_rn(a, b), MODE); } \
    __device__ inline float __fsub_##R(float a, float b) { return __wv_sum_to_float(a, -b, __fsub_rn(a, b), MODE); } \
    __device__ inline float __fmul_##R(float a, float b) { \
        float nearest = __fmul_rn(a, b); \
        return __wv_directed(nearest, __dsub_rn(__dmul_rn(a, b), nearest), MODE); \
    } \
    __device__ inline float __fmaf_##R(float a, float b, float c) { \
        return __wv_sum_to_float(__dmul_rn(a, b), c, __fmaf_rn(a, b, c), MODE); \
    } \
    __device__ inline float __fmaf_ieee_##R(float a, float b, float c) { return __fmaf_##R(a, b, c); } \
    __device__ inline float __fdiv_##R(float a, float b) { return __wv_quotient_to_float(a, b, MODE); } \
    __device__ inline float __frcp_##R(float a) { return __wv_quotient_to_float(1.0f, a, MODE); } \
    __device__ inline float __fsqrt_##R(float a) { return __wv_root_to_float(a, MODE); } \
    __device__ inline double __dadd_##R(double a, double b) { return __wv_sum(a, b, MODE); } \
    __device__ inline double __dsub_##R(double a, double b) { return __wv_sum(a, -b, MODE); } \
    __device__ inline double __dmul_##R(double a, double b) { return __wv_product(a, b, MODE); } \
    __device__ inline double __ddiv_##R(double a, double b) { return __wv_quotient(a, b, MODE); } \
    __device__ inline double __drcp_##R(double a) { return __wv_quotient(1.0, a, MODE); } \
    __device__ inline double __dsqrt_##R(double a) { return __wv_root(a, MODE); } \
    __device__ inline double __fma_##R(double a, double b, double c) { return __wv_fma(a, b, c, MODE); } \
    __device__ inline float __double2float_##R(double a) { \
        float nearest = __double2float_rn(a); \
        return __wv_directed(nearest, __dsub_rn(a, nearest), MODE); \
    } \
    __device__ inline float __int2float_##R(int a) { return __double2float_##R(__int2double_rn(a)); } \
    __device__ inline float __uint2float_##R(unsigned int a) { return __double2float_##R(__uint2double_rn(a)); } \
    __device__ inline float __ll2float_##R(long long a) { \
        return __wv_whole_to_float(__wv_high(a), __uint2double_rn((unsigned int)a), __ll2float_rn(a), MODE); \
    } \
    __device__ inline float __ull2float_##R(unsigned long long a) { \
        return __wv_whole_to_float(__wv_high(a), __uint2double_rn((unsigned int)a), __ull2float_rn(a), MODE); \
    } \
    __device__ inline double __ll2double_##R(long long a) { \
        return __wv_sum(__wv_high(a), __uint2double_rn((unsigned int)a), MODE); \
    } \
    __device__ inline double __ull2double_##R(unsigned long long a) { \
        return __wv_sum(__wv_high(a), __uint2double_rn((unsigned int)a), MODE); \
    }
__WV_DIRECTION(rz, __WV_ZERO)
__WV_DIRECTION(rd, __WV_DOWN)
__WV_DIRECTION(ru, __WV_UP)
