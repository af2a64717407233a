// Functions of CUDA's mathematics library that others make up, within the errors that CUDA documents for them.
#pragma once

// ---- parts of a number
__device__ inline double frexp(double x, int *exponent) {
    long long bits = __double_as_longlong(x);
    int field = (int)(bits >> 52) & 0x7ff, shift = 0;
    if (field == 0 && x != 0) {
        bits = __double_as_longlong(__dmul_rn(x, 0x1p54));
        field = (int)(bits >> 52) & 0x7ff, shift = 54;
    }
    if (field == 0 || field == 0x7ff) {
        *exponent = 0;
        return x + x;
    }
    *exponent = field - shift - 1022;
    return __longlong_as_double((bits & ~(0x7ffll << 52)) | 1022ll << 52);
}
__device__ inline float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
__device__ inline float frexp(float x, int *exponent) { return frexpf(x, exponent); }
__device__ inline double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(isinf(x) ? 0.0 : __dsub_rn(x, *whole), x);
}
__device__ inline float modff(float x, float *whole) {
    *whole = truncf(x);
    return copysignf(isinf(x) ? 0.0f : __fsub_rn(x, *whole), x);
}
__device__ inline float modf(float x, float *whole) { return modff(x, whole); }
__device__ inline int ilogb(double x) {
    int exponent;
    if (isnan(x) || x == 0) return -2147483647 - 1;
    if (isinf(x)) return 2147483647;
    frexp(x, &exponent);
    return exponent - 1;
}
__device__ inline int ilogbf(float x) { return ilogb((double)x); }
__device__ inline int ilogb(float x) { return ilogb((double)x); }
__device__ inline double logb(double x) {
    if (isnan(x)) return x + x;
    if (isinf(x)) return __longlong_as_double(0x7ff0000000000000ll);
    return x == 0 ? __longlong_as_double((long long)0xfff0000000000000ull) : (double)ilogb(x);
}
__device__ inline float logbf(float x) { return (float)logb((double)x); }
__device__ inline float logb(float x) { return (float)logb((double)x); }
#define __WV_OF_INTEGERS(RESULT, F) /* as the standard library has it */ \
    template <class T> __device__ inline RESULT F(T x) { return F((double)x); }
__WV_OF_INTEGERS(int, ilogb)
__WV_OF_INTEGERS(double, logb)
__device__ inline double scalbln(double x, long int n) { return ldexp(x, (int)min(max(n, -5000l), 5000l)); }
__device__ inline float scalblnf(float x, long int n) { return ldexpf(x, (int)min(max(n, -5000l), 5000l)); }
__device__ inline float scalbln(float x, long int n) { return scalblnf(x, n); }
__device__ inline double nextafter(double x, double y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return __longlong_as_double(y > 0 ? 1ll : (long long)0x8000000000000001ull);
    long long bits = __double_as_longlong(x);
    return __longlong_as_double((x < y) == (x > 0) ? bits + 1 : bits - 1);
}
__device__ inline float nextafterf(float x, float y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return __int_as_float(y > 0 ? 1 : 0x80000001);
    int bits = __float_as_int(x);
    return __int_as_float((x < y) == (x > 0) ? bits + 1 : bits - 1);
}
__device__ inline float nextafter(float x, float y) { return nextafterf(x, y); }
template <typename A, typename B> __device__ inline double nextafter(A x, B y) { return nextafter((double)x, (double)y); }
__device__ inline double nan(const char *tag) { return __longlong_as_double(0x7fffffffffffffffll); }
__device__ inline float nanf(const char *tag) { return __int_as_float(0x7fffffff); }

// ---- quotients
// The remainder, and the last bits of the quotient: both sides are made smaller by powers of two, without an error.
__device__ inline double remquo(double x, double y, int *quotient) {
    *quotient = 0;
    if (isnan(x) || isnan(y) || isinf(x) || y == 0) return __longlong_as_double(0x7fffffffffffffffll);
    if (isinf(y)) return x;
    double rest = fmod(fabs(x), 8 * fabs(y)), size = fabs(y);
    if (isinf(8 * size)) rest = fabs(x);
    int bits = 0;
    if (rest >= 4 * size) rest -= 4 * size, bits += 4;
    if (rest >= 2 * size) rest -= 2 * size, bits += 2;
    if (rest >= size) rest -= size, bits += 1;
    double other = size - rest;
    if (rest > other || (rest == other && bits & 1)) rest = -other, bits += 1;
    bits &= 7;
    *quotient = signbit(x) != signbit(y) ? -bits : bits;
    return signbit(x) ? -rest : rest;
}
__device__ inline float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
__device__ inline float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
__device__ inline double fdivide(double x, double y) { return x / y; }
__device__ inline float fdividef(float x, float y) { return x / y; }
__device__ inline float fdivide(float x, float y) { return x / y; }

// ---- roots and norms
__device__ inline double rcbrt(double x) {
    double root = 1 / cbrt(x);
    if (x == 0 || isinf(root) || root == 0 || isnan(x)) return root;
    int exponent;
    double part = frexp(x, &exponent);
    int thirds = exponent / 3;
    double scaled = ldexp(root, thirds), value = ldexp(part, exponent - 3 * thirds);
    double cube = __dmul_rn(scaled, scaled), low = __fma_rn(scaled, scaled, -cube);
    double high = __dmul_rn(cube, scaled), rest = __fma_rn(low, scaled, __fma_rn(cube, scaled, -high));
    double error = __fma_rn(-value, rest, __fma_rn(-value, high, 1.0));
    return ldexp(__fma_rn(__dmul_rn(scaled, error), 1.0 / 3.0, scaled), -thirds);
}
__device__ inline float rcbrtf(float x) { return (float)rcbrt((double)x); }
__device__ inline float rcbrt(float x) { return rcbrtf(x); }
__device__ inline double norm(int dim, const double *p) {
    double most = 0, sum = 0;
    for (int i = 0; i < dim; i++) {
        if (isinf(p[i])) return fabs(p[i]);
        most = fmax(most, fabs(p[i]));
    }
    if (most == 0) return most;
    int exponent;
    frexp(most, &exponent);
    for (int i = 0; i < dim; i++) {
        double part = ldexp(p[i], -exponent);
        sum = fma(part, part, sum);
    }
    return ldexp(sqrt(sum), exponent);
}
__device__ inline float normf(int dim, const float *p) {
    double sum = 0;
    for (int i = 0; i < dim; i++) {
        if (isinf(p[i])) return fabsf(p[i]);
        sum = fma((double)p[i], (double)p[i], sum);
    }
    return (float)sqrt(sum);
}
__device__ inline double rnorm(int dim, const double *p) { return 1 / norm(dim, p); }
__device__ inline float rnormf(int dim, const float *p) { return 1 / normf(dim, p); }

// ---- inverse hyperbolic functions
__device__ inline double asinh(double x) {
    double a = fabs(x), square = a * a;
    double result = a > 0x1p28 ? log(a) + 0.69314718055994531 : log1p(a + square / (1 + sqrt(square + 1)));
    return copysign(result, x);
}
__device__ inline double acosh(double x) {
    if (x < 1) return __longlong_as_double(0x7fffffffffffffffll);
    if (x > 0x1p28) return log(x) + 0.69314718055994531;
    double above = x - 1;
    return log1p(above + sqrt(2 * above + above * above));
}
__device__ inline double atanh(double x) {
    double a = fabs(x), twice = a + a;
    double ratio = a < 0.5 ? twice + twice * a / (1 - a) : twice / (1 - a);
    return copysign(0.5 * log1p(ratio), x);
}

// ---- the error function: its inverses by Newton's method on the ratio of the complement to what it is to be
__device__ inline double erfcx(double x) {
    if (x < -26.628735713751489) return __longlong_as_double(0x7ff0000000000000ll);
    if (x < 8) {
        double square = __dmul_rn(x, x), low = __fma_rn(x, x, -square), size = exp(square);
        return __fma_rn(size, low, size) * erfc(x);
    }
    if (x > 1e8) return 0.56418958354775629 / x;
    double rest = x;
    for (int i = 40; i > 0; i--) rest = x + 0.5 * i / rest;
    return 0.56418958354775629 / rest;
}
__device__ inline double erfcinv(double z) {
    if (!(z >= 0 && z <= 2)) return __longlong_as_double(0x7fffffffffffffffll);
    if (z == 0 || z == 2) return __longlong_as_double(z == 0 ? 0x7ff0000000000000ll : (long long)0xfff0000000000000ull);
    double near = z > 1 ? 2 - z : z, root = 1.1283791670955126;
    double most = log(near * (2 - near)), half = 4.330746750799873 + 0.5 * most;
    double y = sqrt(sqrt(half * half - most / 0.147) - half);
    for (int i = 0; i < 5; i++) {
        double reached = erfc(y), step;
        if (near < 1e-290)
            step = (log(erfcx(y)) - y * y - log(near)) * erfcx(y) / root;
        else if (near < 0.5)
            step = log(reached / near) * reached / (root * exp(-y * y));
        else
            step = ((1 - near) - erf(y)) / -(root * exp(-y * y)), step = step / (1 - y * step);
        y += near < 0.5 ? step : -step;
    }
    return z > 1 ? -y : y;
}
__device__ inline double erfinv(double x) {
    double a = fabs(x);
    if (!(a <= 1)) return __longlong_as_double(0x7fffffffffffffffll);
    if (a > 0.5) return copysign(erfcinv(1 - a), x);
    double y = a * 0.8862269254527580;
    y += y * a * a * 0.2617993877991494;
    for (int i = 0; i < 5; i++) {
        double step = (erf(y) - a) / (1.1283791670955126 * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return copysign(y, x);
}
__device__ inline double normcdf(double x) {
    if (isnan(x)) return x;
    if (x < -38.5) return 0;
    if (x > 10) return 1;
    double high = __dmul_rn(x, -0.70710678118654757);
    double low = __fma_rn(x, 4.8336466567264567e-17, __fma_rn(x, -0.70710678118654757, -high));
    double whole = erfc(high);
    return 0.5 * (whole - 1.1283791670955126 * exp(-high * high) * low);
}
__device__ inline double normcdfinv(double x) {
    if (x > 0.25 && x < 0.75) return 1.4142135623730951 * erfinv(2 * x - 1);
    return x < 0.5 ? -1.4142135623730951 * erfcinv(2 * x) : 1.4142135623730951 * erfcinv(2 * (1 - x));
}

#define __WV_SINGLE(F) \
    __device__ inline float F##f(float x) { return (float)F((double)x); } \
    __device__ inline float F(float x) { return F##f(x); }
__WV_SINGLE(asinh)
__WV_SINGLE(acosh)
__WV_SINGLE(atanh)
__WV_OF_INTEGERS(double, asinh)
__WV_OF_INTEGERS(double, acosh)
__WV_OF_INTEGERS(double, atanh)
__WV_SINGLE(erfinv)
__WV_SINGLE(erfcinv)
__WV_SINGLE(erfcx)
__WV_SINGLE(normcdf)
__WV_SINGLE(normcdfinv)
