// Tensor cores: nvcuda::wmma. A product is computed tile by tile, as NVIDIA's compiler does it for compute capability 8.0
// and later: 16 rows of a tall matrix by 8 columns of a flat one. Of an 8 x 32 product B is the tall matrix, transposed.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda { namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision { struct tf32; }
enum layout_t { mem_row_major, mem_col_major };

template <class T> struct __wv_stored { typedef T type; };
template <> struct __wv_stored<precision::tf32> { typedef float type; };

template <class A, class B> struct __wv_same { static constexpr bool value = false; };
template <class A> struct __wv_same<A, A> { static constexpr bool value = true; };

// How a matrix of wmma lies in the fragments of tiles. E elements are in a word; COUNT of each lane differ.
template <class Use, int M, int N, int K, class T> struct __wv_matrix {
    static constexpr bool is_a = __wv_same<Use, matrix_a>::value;
    static constexpr bool is_swapped = M == 8 && N == 32;
    static constexpr bool is_tall = M + N > 16 && is_a != is_swapped;
    static constexpr int E = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    static constexpr int COUNT = (is_a ? M : N) * K / 32;
    static constexpr int WORDS = (is_tall ? 2 : 1) * K / (4 * E);  // of a tile
};
template <class T> struct __wv_elements { static constexpr int least = 1; };
template <> struct __wv_elements<half> { static constexpr int least = 16; };  // with copies, as compute capability 7.0

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    typedef T element_type;
    typedef typename __wv_stored<T>::type storage_element_type;
    typedef __wv_matrix<Use, M, N, K, storage_element_type> __wv_place;
    static constexpr int num_elements =
        __wv_place::COUNT < __wv_elements<T>::least ? __wv_elements<T>::least : __wv_place::COUNT;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};
template <int M, int N, int K, class T> struct fragment<accumulator, M, N, K, T, void> {
    typedef T element_type;
    typedef T storage_element_type;
    static constexpr int num_elements = M * N / 32;
    static constexpr int num_storage_elements = num_elements;
    T x[num_elements];
};

// ---- elements in words
__device__ inline unsigned __wv_word(const half *x) { return __byte_perm(__half_as_ushort(x[0]), __half_as_ushort(x[1]), 0x5410); }
__device__ inline unsigned __wv_word(const __nv_bfloat16 *x) {
    return __byte_perm(__bfloat16_as_ushort(x[0]), __bfloat16_as_ushort(x[1]), 0x5410);
}
template <class T> __device__ inline unsigned __wv_word_of_bytes(const T *x) {
    return __byte_perm(__byte_perm(x[0], x[1], 0x40), __byte_perm(x[2], x[3], 0x40), 0x5410);
}
__device__ inline unsigned __wv_word(const signed char *x) { return __wv_word_of_bytes(x); }
__device__ inline unsigned __wv_word(const unsigned char *x) { return __wv_word_of_bytes(x); }
__device__ inline unsigned __wv_word(const float *x) { return __float_as_uint(*x); }
__device__ inline void __wv_spread(half *x, unsigned word) {
    x[0] = __ushort_as_half(word), x[1] = __ushort_as_half(word >> 16);
}
__device__ inline void __wv_spread(__nv_bfloat16 *x, unsigned word) {
    x[0] = __ushort_as_bfloat16(word), x[1] = __ushort_as_bfloat16(word >> 16);
}
template <class T> __device__ inline void __wv_spread_bytes(T *x, unsigned word) {
    x[0] = word, x[1] = word >> 8, x[2] = word >> 16, x[3] = word >> 24;
}
__device__ inline void __wv_spread(signed char *x, unsigned word) { __wv_spread_bytes(x, word); }
__device__ inline void __wv_spread(unsigned char *x, unsigned word) { __wv_spread_bytes(x, word); }
__device__ inline unsigned __wv_transposed(unsigned word) {
    unsigned result;
    asm volatile("wmma.movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(word));
    return result;
}

// ---- loads and stores
__device__ inline unsigned __wv_lane() {
    unsigned lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}

template <class Use, int M, int N, int K, class T, class Layout>
__device__ inline void load_matrix_sync(
    fragment<Use, M, N, K, T, Layout> &f, const typename __wv_stored<T>::type *p, unsigned ldm) {
    typedef typename __wv_stored<T>::type S;
    typedef __wv_matrix<Use, M, N, K, S> P;
    constexpr bool is_along = __wv_same<Layout, row_major>::value == P::is_a;  // neighbours are multiplied and added
    const unsigned lane = __wv_lane(), group = lane >> 2, member = lane & 3;
    const S *own = is_along ? p + group * ldm + member * P::E : p + member * P::E * ldm + group;
    if (P::E == 2 && !is_along) own = p + group * ldm + member * 2;
    #pragma unroll
    for (int w = 0; w < P::COUNT / P::E; ++w) {
        const int r = w % P::WORDS;
        const int outer = P::is_tall ? 16 * (w / P::WORDS) + 8 * (r & 1) : 8 * (w / P::WORDS);
        const int inner = 4 * P::E * (P::is_tall ? r >> 1 : r);
        if constexpr (P::E > 1 && is_along)
            __wv_spread(f.x + w * P::E, *(const unsigned *)(own + outer * ldm + inner));
        else if constexpr (P::E == 2)
            __wv_spread(f.x + w * 2, __wv_transposed(*(const unsigned *)(own + inner * ldm + outer)));
        else {
            #pragma unroll
            for (int e = 0; e < P::E; ++e)
                f.x[w * P::E + e] = own[is_along ? outer * ldm + inner + e : (inner + e) * ldm + outer];
        }
    }
    #pragma unroll
    for (int k = P::COUNT; k < f.num_elements; ++k) f.x[k] = f.x[k % P::COUNT];
}

template <class T> struct __wv_pair;
template <> struct __wv_pair<float> { typedef float2 type; };
template <> struct __wv_pair<int> { typedef int2 type; };
template <> struct __wv_pair<double> { typedef double2 type; };
template <> struct __wv_pair<half> { typedef half2 type; };

// Where the second tile of an accumulator begins, in rows of eight neighbours and in columns of 16.
template <int M, int N> struct __wv_tiles {
    static constexpr bool is_swapped = M == 8 && N == 32;
    static constexpr int flat = M == 16 ? 8 : 0, tall = M == 16 ? 0 : 16;
};

template <int M, int N, int K, class T>
__device__ inline void load_matrix_sync(
    fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm, layout_t layout) {
    typedef __wv_tiles<M, N> P;
    typedef typename __wv_pair<T>::type Pair;
    const unsigned lane = __wv_lane(), group = lane >> 2, member = lane & 3;
    const bool is_along = (layout == mem_row_major) != P::is_swapped;
    const T *own = is_along ? p + group * ldm + 2 * member : p + 2 * member * ldm + group;
    #pragma unroll
    for (int k = 0; k < f.num_elements; k += 2) {
        const int tall = k / 4 * P::tall + k % 4 * 4, flat = k / 4 * P::flat;
        if (is_along) {
            const Pair pair = *(const Pair *)(own + tall * ldm + flat);
            f.x[k] = pair.x, f.x[k + 1] = pair.y;
        } else
            f.x[k] = own[flat * ldm + tall], f.x[k + 1] = own[(flat + 1) * ldm + tall];
    }
}

template <int M, int N, int K, class T>
__device__ inline void store_matrix_sync(
    T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm, layout_t layout) {
    typedef __wv_tiles<M, N> P;
    typedef typename __wv_pair<T>::type Pair;
    const unsigned lane = __wv_lane(), group = lane >> 2, member = lane & 3;
    const bool is_along = (layout == mem_row_major) != P::is_swapped;
    T *own = is_along ? p + group * ldm + 2 * member : p + 2 * member * ldm + group;
    #pragma unroll
    for (int k = 0; k < f.num_elements; k += 2) {
        const int tall = k / 4 * P::tall + k % 4 * 4, flat = k / 4 * P::flat;
        if (is_along) *(Pair *)(own + tall * ldm + flat) = Pair{f.x[k], f.x[k + 1]};
        else own[flat * ldm + tall] = f.x[k], own[(flat + 1) * ldm + tall] = f.x[k + 1];
    }
}

template <class Use, int M, int N, int K, class T, class Layout>
__device__ inline void fill_fragment(
    fragment<Use, M, N, K, T, Layout> &f, const typename fragment<Use, M, N, K, T, Layout>::storage_element_type &value) {
    #pragma unroll
    for (int k = 0; k < f.num_elements; ++k) f.x[k] = value;
}

// Rounded to 10 digits, half away from zero, as cvt.rna.tf32 is on devices that have it.
__device__ inline float __float_to_tf32(float a) {
    const unsigned bits = __float_as_uint(a);
    const bool is_finite = (bits & 0x7f800000) != 0x7f800000;
    return __uint_as_float((is_finite ? bits + 0x1000 : bits) & ~0x1fff);
}

// ---- tiles
#define __WV_TILE(T, TYPES) \
    __device__ inline void __wv_multiply(float *d, const T *a, const T *b, const float *c) { \
        asm volatile("wmma.mma.sync.aligned.m16n8k16.row.col." TYPES " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, " \
            "{%10,%11,%12,%13};" \
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) \
            : "r"(__wv_word(a)), "r"(__wv_word(a + 2)), "r"(__wv_word(a + 4)), "r"(__wv_word(a + 6)), \
              "r"(__wv_word(b)), "r"(__wv_word(b + 2)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3])); \
    }
__WV_TILE(half, "f32.f16.f16.f32")
__WV_TILE(__nv_bfloat16, "f32.bf16.bf16.f32")
#undef __WV_TILE
__device__ inline void __wv_multiply(half *d, const half *a, const half *b, const half *c) {
    unsigned lower, upper;
    asm volatile("wmma.mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
        : "=r"(lower), "=r"(upper)
        : "r"(__wv_word(a)), "r"(__wv_word(a + 2)), "r"(__wv_word(a + 4)), "r"(__wv_word(a + 6)),
          "r"(__wv_word(b)), "r"(__wv_word(b + 2)), "r"(__wv_word(c)), "r"(__wv_word(c + 2)));
    __wv_spread(d, lower), __wv_spread(d + 2, upper);
}
__device__ inline void __wv_multiply(float *d, const float *a, const float *b, const float *c) {
    float sum[4];
    asm volatile("wmma.mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(__wv_word(a)), "r"(__wv_word(a + 1)), "r"(__wv_word(b)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    asm volatile("wmma.mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(__wv_word(a + 2)), "r"(__wv_word(a + 3)), "r"(__wv_word(b + 1)),
          "f"(sum[0]), "f"(sum[1]), "f"(sum[2]), "f"(sum[3]));
}
#define __WV_TILE(NAME, T, TYPES) \
    __device__ inline void NAME(int *d, const T *a, const T *b, const int *c) { \
        asm volatile("wmma.mma.sync.aligned.m16n8k16.row.col." TYPES " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) \
            : "r"(__wv_word(a)), "r"(__wv_word(a + 4)), "r"(__wv_word(b)), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
    }
__WV_TILE(__wv_multiply, signed char, "s32.s8.s8.s32")
__WV_TILE(__wv_multiply, unsigned char, "s32.u8.u8.s32")
__WV_TILE(__wv_multiply_limited, signed char, "satfinite.s32.s8.s8.s32")
__WV_TILE(__wv_multiply_limited, unsigned char, "satfinite.s32.u8.u8.s32")
#undef __WV_TILE

template <int M, int N, int K, class T, class LA, class LB, class S>
__device__ inline void mma_sync(
    fragment<accumulator, M, N, K, S> &d, const fragment<matrix_a, M, N, K, T, LA> &a,
    const fragment<matrix_b, M, N, K, T, LB> &b, const fragment<accumulator, M, N, K, S> &c, bool satf = false) {
    typedef typename __wv_stored<T>::type E;
    if constexpr (sizeof(S) == 8) {
        asm volatile("wmma.mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
            : "=d"(d.x[0]), "=d"(d.x[1]) : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
    } else {
        #pragma unroll
        for (int t = 0; t < 2; ++t) {
            const int k = 4 * t;
            const E *tall = M == 8 ? b.x + t * N * K / 64 : a.x + (M == 32 ? t * M * K / 64 : 0);
            const E *flat = M == 8 ? a.x : b.x + (M == 32 ? 0 : t * N * K / 64);
            if constexpr (__wv_same<S, int>::value) {
                if (satf) __wv_multiply_limited(d.x + k, tall, flat, c.x + k);
                else __wv_multiply(d.x + k, tall, flat, c.x + k);
            } else
                __wv_multiply(d.x + k, tall, flat, c.x + k);
        }
    }
}

}}
