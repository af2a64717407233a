// Integers of 128 bits, __int128 and unsigned __int128, of two words of 64.
#pragma once
#include <type_traits>

template <class T, class W> __host__ __device__ T wv_rounded(const W &value);

template <bool SIGNED> struct alignas(16) wv_wide {
    unsigned long long low, high;

    __host__ __device__ constexpr wv_wide() : low(0), high(0) {}
    __host__ __device__ constexpr wv_wide(unsigned long long low, unsigned long long high) : low(low), high(high) {}
    __host__ __device__ constexpr wv_wide(const wv_wide<!SIGNED> &other) : low(other.low), high(other.high) {}
    template <class T> __host__ __device__ constexpr wv_wide(T value) : low(0), high(0) {
        if constexpr (std::is_floating_point_v<T>) {
            const double size = value < 0 ? -(double)value : (double)value;
            high = (unsigned long long)(size * 0x1p-64);
            low = (unsigned long long)(size - (double)high * 0x1p64);
            if (value < 0) *this = -*this;
        } else {
            low = (unsigned long long)value;
            high = std::is_signed_v<T> && (long long)value < 0 ? ~0ull : 0;
        }
    }
    __host__ __device__ constexpr operator bool() const { return (low | high) != 0; }
#define WV_CONVERSION(T) __host__ __device__ constexpr operator T() const { return (T)low; }
    WV_CONVERSION(char)
    WV_CONVERSION(signed char)
    WV_CONVERSION(unsigned char)
    WV_CONVERSION(short)
    WV_CONVERSION(unsigned short)
    WV_CONVERSION(int)
    WV_CONVERSION(unsigned int)
    WV_CONVERSION(long)
    WV_CONVERSION(unsigned long)
    WV_CONVERSION(long long)
    WV_CONVERSION(unsigned long long)
#undef WV_CONVERSION
    __host__ __device__ operator float() const { return wv_rounded<float>(*this); }
    __host__ __device__ operator double() const { return wv_rounded<double>(*this); }
    __host__ __device__ constexpr bool is_negative() const { return SIGNED && (long long)high < 0; }

    __host__ __device__ constexpr wv_wide operator+() const { return *this; }
    __host__ __device__ constexpr wv_wide operator~() const { return wv_wide(~low, ~high); }
    __host__ __device__ constexpr wv_wide operator-() const { return wv_wide(-low, ~high + (low == 0)); }
    __host__ __device__ constexpr bool operator!() const { return (low | high) == 0; }
    __host__ __device__ constexpr wv_wide &operator++() { return *this = *this + wv_wide(1, 0); }
    __host__ __device__ constexpr wv_wide &operator--() { return *this = *this - wv_wide(1, 0); }
    __host__ __device__ constexpr wv_wide operator++(int) {
        const wv_wide before = *this;
        ++*this;
        return before;
    }
    __host__ __device__ constexpr wv_wide operator--(int) {
        const wv_wide before = *this;
        --*this;
        return before;
    }
    __host__ __device__ constexpr wv_wide left_by(int count) const {
        if (count == 0) return *this;
        return count >= 64 ? wv_wide(0, low << (count - 64)) : wv_wide(low << count, high << count | low >> (64 - count));
    }
    __host__ __device__ constexpr wv_wide right_by(int count) const {
        if (count == 0) return *this;
        const unsigned long long sign = is_negative() ? ~0ull : 0;
        if (count == 64) return wv_wide(high, sign);
        const unsigned long long filled = sign << (64 - count % 64);
        if (count > 64) return wv_wide(high >> (count - 64) | filled, sign);
        return wv_wide(low >> count | high << (64 - count), high >> count | filled);
    }
    template <typename I> __host__ __device__ constexpr wv_wide operator<<(I count) const {
        return left_by(static_cast<int>(count));
    }
    template <typename I> __host__ __device__ constexpr wv_wide operator>>(I count) const {
        return right_by(static_cast<int>(count));
    }
};

typedef wv_wide<true> wv_int128;
typedef wv_wide<false> wv_uint128;

template <bool S> __host__ __device__ constexpr wv_wide<S> wv_sum(wv_wide<S> a, wv_wide<S> b) {
    const unsigned long long low = a.low + b.low;
    return wv_wide<S>(low, a.high + b.high + (low < a.low));
}
template <bool S> __host__ __device__ constexpr wv_wide<S> wv_difference(wv_wide<S> a, wv_wide<S> b) {
    return wv_wide<S>(a.low - b.low, a.high - b.high - (a.low < b.low));
}
template <bool S> __host__ __device__ constexpr wv_wide<S> wv_product(wv_wide<S> a, wv_wide<S> b) {
    return wv_wide<S>(a.low * b.low, __umul64hi(a.low, b.low) + a.low * b.high + a.high * b.low);
}
template <bool S> __host__ __device__ constexpr bool wv_less(wv_wide<S> a, wv_wide<S> b) {
    if (a.high == b.high) return a.low < b.low;
    return S ? (long long)a.high < (long long)b.high : a.high < b.high;
}
// The nearest floating-point number: of what lies below the upper 64 bits only whether there is anything matters.
template <class T, class W> __host__ __device__ T wv_rounded(const W &value) {
    if (value.is_negative()) return -wv_rounded<T>(wv_uint128(-value));
    if (value.high == 0) return (T)value.low;
    const int count = 64 - __clzll(value.high);
    const wv_uint128 upper = wv_uint128(value) >> count;
    const bool is_cut = (value.low & ((count < 64 ? 1ull << count : 0ull) - 1)) != 0;
    return (T)(upper.low | is_cut) * (T)ldexp(1.0, count);
}
// A quotient and what is left, without signs, bit by bit from the highest that the dividend has.
__host__ __device__ inline wv_uint128 wv_divided(wv_uint128 a, wv_uint128 b, wv_uint128 &rest) {
    if ((a.high | b.high) == 0) {
        rest = wv_uint128(a.low % b.low, 0);
        return wv_uint128(a.low / b.low, 0);
    }
    wv_uint128 quotient;
    rest = wv_uint128();
    for (int bit = a.high ? 127 - __clzll(a.high) : 63 - __clzll(a.low); bit >= 0; bit--) {
        const bool overflows = rest.high >> 63;
        rest = rest << 1;
        rest.low |= (bit < 64 ? a.low >> bit : a.high >> (bit - 64)) & 1;
        if (overflows || !wv_less(rest, b)) {
            rest = wv_difference(rest, b);
            (bit < 64 ? quotient.low : quotient.high) |= 1ull << bit % 64;
        }
    }
    return quotient;
}
template <bool S> __host__ __device__ wv_wide<S> wv_quotient(wv_wide<S> a, wv_wide<S> b) {
    wv_uint128 rest;
    const wv_uint128 size = wv_divided(a.is_negative() ? -a : a, b.is_negative() ? -b : b, rest);
    return a.is_negative() != b.is_negative() ? -size : size;
}
template <bool S> __host__ __device__ wv_wide<S> wv_remainder(wv_wide<S> a, wv_wide<S> b) {
    wv_uint128 rest;
    wv_divided(a.is_negative() ? -a : a, b.is_negative() ? -b : b, rest);
    return a.is_negative() ? -rest : rest;
}
template <bool S> __host__ __device__ constexpr wv_wide<S> wv_and(wv_wide<S> a, wv_wide<S> b) { return {a.low & b.low, a.high & b.high}; }
template <bool S> __host__ __device__ constexpr wv_wide<S> wv_or(wv_wide<S> a, wv_wide<S> b) { return {a.low | b.low, a.high | b.high}; }
template <bool S> __host__ __device__ constexpr wv_wide<S> wv_xor(wv_wide<S> a, wv_wide<S> b) { return {a.low ^ b.low, a.high ^ b.high}; }

// Operators on two of them, signed only where both are, and on one and a number of another type; with a floating-point
// number they compute in its type.
#define WV_WITH_NUMBER(OP, RESULT, FLOATING, FIRST, SECOND)                                                 \
    template <bool S, class T> __host__ __device__ constexpr auto operator OP(const FIRST &x, const SECOND &y) {\
        if constexpr (std::is_floating_point_v<T>) {                                                        \
            const T a = x, b = y;                                                                           \
            return FLOATING;                                                                                \
        } else {                                                                                            \
            const wv_wide<S> a = x, b = y;                                                                  \
            return RESULT;                                                                                  \
        }                                                                                                   \
    }
#define WV_BETWEEN(OP, RESULT, FLOATING)                                                                    \
    template <bool S, bool R>                                                                               \
    __host__ __device__ constexpr auto operator OP(const wv_wide<S> &x, const wv_wide<R> &y) {              \
        const wv_wide<S && R> a = x, b = y;                                                                 \
        return RESULT;                                                                                      \
    }                                                                                                       \
    WV_WITH_NUMBER(OP, RESULT, FLOATING, wv_wide<S>, T)                                                     \
    WV_WITH_NUMBER(OP, RESULT, FLOATING, T, wv_wide<S>)
#define WV_BINARY(OP, FUNCTION, FLOATING)                                                                    \
    WV_BETWEEN(OP, FUNCTION(a, b), FLOATING)                                                                 \
    template <bool S, class T> __host__ __device__ constexpr wv_wide<S> &operator OP##=(wv_wide<S> &a, const T &b) { \
        return a = a OP b;                                                                                   \
    }
WV_BINARY(+, wv_sum, a + b)
WV_BINARY(-, wv_difference, a - b)
WV_BINARY(*, wv_product, a *b)
WV_BINARY(/, wv_quotient, a / b)
WV_BINARY(%, wv_remainder, a % b)
WV_BINARY(&, wv_and, a & b)
WV_BINARY(|, wv_or, a | b)
WV_BINARY(^, wv_xor, a ^ b)
WV_BETWEEN(<, wv_less(a, b), a < b)
WV_BETWEEN(>, wv_less(b, a), a > b)
WV_BETWEEN(<=, !wv_less(b, a), a <= b)
WV_BETWEEN(>=, !wv_less(a, b), a >= b)
WV_BETWEEN(==, a.low == b.low && a.high == b.high, a == b)
WV_BETWEEN(!=, a.low != b.low || a.high != b.high, a != b)
#undef WV_BINARY
#undef WV_BETWEEN
#undef WV_WITH_NUMBER
template <bool S> __host__ __device__ constexpr wv_wide<S> &operator<<=(wv_wide<S> &a, int count) { return a = a << count; }
template <bool S> __host__ __device__ constexpr wv_wide<S> &operator>>=(wv_wide<S> &a, int count) { return a = a >> count; }
