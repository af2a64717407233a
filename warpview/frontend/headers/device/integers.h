// Minima and maxima of CUDA on integers and pairs of half words, the dot products of half words with bytes, and the n-th
// bit that is set.
#pragma once

// fns.b32 of the PTX ISA.
__device__ inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1;
    int left = offset * step;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) && --left == 0) return at;
    return 0xffffffffu;
}

#define __WV_THREE(TYPE, S) \
    __device__ inline TYPE __vimax3_##S(TYPE a, TYPE b, TYPE c) { return max(max(a, b), c); } \
    __device__ inline TYPE __vimin3_##S(TYPE a, TYPE b, TYPE c) { return min(min(a, b), c); } \
    __device__ inline TYPE __viaddmax_##S(TYPE a, TYPE b, TYPE c) { return max((TYPE)(a + b), c); } \
    __device__ inline TYPE __viaddmin_##S(TYPE a, TYPE b, TYPE c) { return min((TYPE)(a + b), c); } \
    __device__ inline TYPE __vibmax_##S(TYPE a, TYPE b, bool *pred) { return (*pred = a >= b) ? a : b; } \
    __device__ inline TYPE __vibmin_##S(TYPE a, TYPE b, bool *pred) { return (*pred = a <= b) ? a : b; }
__WV_THREE(int, s32)
__WV_THREE(unsigned int, u32)
__device__ inline int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__device__ inline int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
__device__ inline int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
__device__ inline int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
__device__ inline int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
__device__ inline int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }

#define __WV_PAIRS(S) \
    __device__ inline unsigned int __vimax3_##S##16x2(unsigned int a, unsigned int b, unsigned int c) { \
        return __vmax##S##2(__vmax##S##2(a, b), c); \
    } \
    __device__ inline unsigned int __vimin3_##S##16x2(unsigned int a, unsigned int b, unsigned int c) { \
        return __vmin##S##2(__vmin##S##2(a, b), c); \
    } \
    __device__ inline unsigned int __viaddmax_##S##16x2(unsigned int a, unsigned int b, unsigned int c) { \
        return __vmax##S##2(__vadd2(a, b), c); \
    } \
    __device__ inline unsigned int __viaddmin_##S##16x2(unsigned int a, unsigned int b, unsigned int c) { \
        return __vmin##S##2(__vadd2(a, b), c); \
    } \
    __device__ inline unsigned int __vibmax_##S##16x2(unsigned int a, unsigned int b, bool *high, bool *low) { \
        unsigned int chosen = __vcmpge##S##2(a, b); \
        *high = chosen >> 31, *low = chosen & 1; \
        return (a & chosen) | (b & ~chosen); \
    } \
    __device__ inline unsigned int __vibmin_##S##16x2(unsigned int a, unsigned int b, bool *high, bool *low) { \
        unsigned int chosen = __vcmple##S##2(a, b); \
        *high = chosen >> 31, *low = chosen & 1; \
        return (a & chosen) | (b & ~chosen); \
    }
__WV_PAIRS(s)
__WV_PAIRS(u)
__device__ inline unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmaxs2(a, b), 0); }
__device__ inline unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmins2(a, b), 0); }
__device__ inline unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
__device__ inline unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
__device__ inline unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
__device__ inline unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}

// The mean of two numbers, halves away from zero.
__device__ inline int __wv_mean(int a, int b) { return (a + b + (a + b >= 0)) >> 1; }
__device__ inline unsigned int __vavgs2(unsigned int a, unsigned int b) {
    unsigned int low = __wv_mean((short)a, (short)b) & 0xffff;
    return low | (unsigned int)__wv_mean((short)(a >> 16), (short)(b >> 16)) << 16;
}
__device__ inline unsigned int __vavgs4(unsigned int a, unsigned int b) {
    unsigned int result = 0;
    for (int i = 0; i < 32; i += 8)
        result |= (unsigned int)(__wv_mean((signed char)(a >> i), (signed char)(b >> i)) & 0xff) << i;
    return result;
}

__device__ inline int __dp2a_lo(int a, int b, int c) {
    return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
__device__ inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * ((b >> 8) & 0xff);
}
__device__ inline int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
__device__ inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.x + a.y * b.y; }
__device__ inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
__device__ inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
    return __dp2a_lo(a, b >> 16, c);
}
__device__ inline int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
__device__ inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.z + a.y * b.w; }
