// What numbers of 16 bits rest on in host code: on the device these functions are instructions.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

namespace wv {

enum Rounding { TO_NEAREST, TO_ZERO, DOWN, UP };

// A format: the digits behind the point, and the bias of the exponent.
template <int DIGITS, int BIAS> struct Sixteen {
    static constexpr unsigned INFINITE = (2 * BIAS + 1u) << DIGITS, NONE = 0x7fff, SIGN = 0x8000;

    static unsigned short rounded(double a, Rounding rounding = TO_NEAREST) {
        if (std::isnan(a)) return NONE;
        const bool negative = std::signbit(a);
        const unsigned sign = negative ? SIGN : 0;
        if (std::isinf(a)) return sign | INFINITE;
        int exponent;
        std::frexp(a, &exponent);
        const int last = (a == 0 || exponent - 1 < 1 - BIAS ? 1 - BIAS : exponent - 1) - DIGITS;  // of the last digit
        const double digits = std::ldexp(std::fabs(a), -last), whole = std::floor(digits), rest = digits - whole;
        const bool away = rounding == DOWN ? negative : rounding == UP && !negative;
        const bool nearer = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1);
        const bool up = rounding == TO_NEAREST ? nearer : away && rest > 0;
        const double pattern = std::ldexp(last + DIGITS + BIAS - 1, DIGITS) + whole + up;
        if (pattern < INFINITE) return sign | static_cast<unsigned>(pattern);
        return sign | (rounding == TO_NEAREST || away ? INFINITE : INFINITE - 1);
    }
    static double value(unsigned short bits) {
        const unsigned size = bits & ~SIGN, exponent = size >> DIGITS, digits = size & ((1u << DIGITS) - 1);
        double a = exponent ? std::ldexp((1u << DIGITS) + digits, static_cast<int>(exponent) - BIAS - DIGITS)
                            : std::ldexp(digits, 1 - BIAS - DIGITS);
        if (size >= INFINITE) a = digits ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
        return bits & SIGN ? -a : a;
    }
    static unsigned short lesser(unsigned short a, unsigned short b, bool least) {
        const double x = value(a), y = value(b);
        if (std::isnan(x)) return std::isnan(y) ? NONE : b;
        if (std::isnan(y) || x != y) return std::isnan(y) || (x < y) == least ? a : b;
        return (a & SIGN) != 0 ? (least ? a : b) : (least ? b : a);
    }
};

// A whole number as CUDA converts to it: what is too large becomes the largest, what is no number 0.
template <class T> T whole(double a, Rounding rounding) {
    if (std::isnan(a)) return 0;
    a = rounding == TO_NEAREST ? std::rint(a) : rounding == TO_ZERO ? std::trunc(a)
        : rounding == DOWN ? std::floor(a) : std::ceil(a);
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return a <= static_cast<double>(least) ? least : a >= static_cast<double>(most) ? most : static_cast<T>(a);
}

}  // namespace wv

// What numbers of 8 bits need.
inline int __double2hiint(double x) { long long bits; std::memcpy(&bits, &x, 8); return static_cast<int>(bits >> 32); }
inline float __double2float_rz(double x) {
    const float nearest = static_cast<float>(x);
    return std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

#define WV_SIXTEEN(F, DIGITS, BIAS) \
    inline float __wv_##F##_to_float(unsigned short a) { return wv::Sixteen<DIGITS, BIAS>::value(a); } \
    inline double __wv_##F##_to_double(unsigned short a) { return wv::Sixteen<DIGITS, BIAS>::value(a); } \
    WV_ROUNDED_SIXTEEN(F, DIGITS, BIAS, rn, wv::TO_NEAREST) WV_ROUNDED_SIXTEEN(F, DIGITS, BIAS, rz, wv::TO_ZERO) \
    WV_ROUNDED_SIXTEEN(F, DIGITS, BIAS, rm, wv::DOWN) WV_ROUNDED_SIXTEEN(F, DIGITS, BIAS, rp, wv::UP) \
    WV_SUM_OF_SIXTEEN(F, DIGITS, BIAS, add, x + y) WV_SUM_OF_SIXTEEN(F, DIGITS, BIAS, sub, x - y) \
    WV_SUM_OF_SIXTEEN(F, DIGITS, BIAS, mul, x * y) \
    inline unsigned short __wv_min_##F(unsigned short a, unsigned short b) { \
        return wv::Sixteen<DIGITS, BIAS>::lesser(a, b, true); \
    } \
    inline unsigned short __wv_max_##F(unsigned short a, unsigned short b) { \
        return wv::Sixteen<DIGITS, BIAS>::lesser(a, b, false); \
    } \
    inline unsigned short __wv_fma_##F(unsigned short a, unsigned short b, unsigned short c) { \
        using S = wv::Sixteen<DIGITS, BIAS>; \
        return S::rounded(std::fma(S::value(a), S::value(b), S::value(c))); \
    }
#define WV_ROUNDED_SIXTEEN(F, DIGITS, BIAS, R, ROUNDING) \
    inline unsigned short __wv_float_to_##F##_##R(float a) { return wv::Sixteen<DIGITS, BIAS>::rounded(a, ROUNDING); } \
    inline unsigned short __wv_double_to_##F##_##R(double a) { return wv::Sixteen<DIGITS, BIAS>::rounded(a, ROUNDING); }
#define WV_SUM_OF_SIXTEEN(F, DIGITS, BIAS, OP, RESULT) \
    inline unsigned short __wv_##OP##_##F(unsigned short a, unsigned short b) { \
        const double x = wv::Sixteen<DIGITS, BIAS>::value(a), y = wv::Sixteen<DIGITS, BIAS>::value(b); \
        return wv::Sixteen<DIGITS, BIAS>::rounded(RESULT); \
    } \
    WV_SAME_OF_SIXTEEN(F, OP, alone) WV_SAME_OF_SIXTEEN(F, OP, low) WV_SAME_OF_SIXTEEN(F, OP, high)
#define WV_SAME_OF_SIXTEEN(F, OP, LANE) \
    inline unsigned short __wv_##OP##_##F##_##LANE(unsigned short a, unsigned short b) { \
        return __wv_##OP##_##F(a, b); \
    }
WV_SIXTEEN(f16, 10, 15)
WV_SIXTEEN(bf16, 7, 127)
#undef WV_SIXTEEN
#undef WV_ROUNDED_SIXTEEN
#undef WV_SUM_OF_SIXTEEN
#undef WV_SAME_OF_SIXTEEN

#define WV_WHOLE(R, ROUNDING) \
    inline int __float2int_##R(float a) { return wv::whole<int>(a, ROUNDING); } \
    inline unsigned int __float2uint_##R(float a) { return wv::whole<unsigned int>(a, ROUNDING); } \
    inline long long __float2ll_##R(float a) { return wv::whole<long long>(a, ROUNDING); } \
    inline unsigned long long __float2ull_##R(float a) { return wv::whole<unsigned long long>(a, ROUNDING); }
WV_WHOLE(rn, wv::TO_NEAREST)
WV_WHOLE(rz, wv::TO_ZERO)
WV_WHOLE(rd, wv::DOWN)
WV_WHOLE(ru, wv::UP)
#undef WV_WHOLE
