// Texture objects in device code: a fetch reads the descriptor that the host left in memory, and filters as
// the texture unit of an H200 does, bit for bit.
//
// What is not in NVIDIA's documents was measured there (tests/host/programs/texture_modes.cu, texture_shapes.cu). A
// coordinate from 0 to 1 counts in units of 2^-21. A fraction has 8 bits, and the weights of four texels are integers that
// add up to 256. Texels are cut to 28 bits below the largest one that counts, added exactly and rounded half away from
// zero; eight texels are added four at a time. Texels of 8 and 16 bits are filtered as integers of 16.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum WarpviewFormat { WARPVIEW_S8, WARPVIEW_U8, WARPVIEW_S16, WARPVIEW_U16, WARPVIEW_32, WARPVIEW_F16, WARPVIEW_F32 };
enum WarpviewAddressing { WARPVIEW_WRAP, WARPVIEW_CLAMP, WARPVIEW_MIRROR, WARPVIEW_BORDER };

// Written by the host, see host/api/textures.py.
struct WarpviewTexture {
    unsigned long long data, pitch, slice;  // address, bytes from row to row and from slice to slice
    int size[3];                            // in texels; layers and faces are slices
    int components, format, texel_bytes;
    int addressing[3];
    int is_linear, is_normalized, gives_floats;
    int border[4];  // the components of what lies outside, as a texel has them
    int is_tiled;   // an array, of whose sectors the texture unit counts other ones
};

struct WarpviewAxis {
    int at[2];     // the texels between which the coordinate lies; -1: outside
    int fraction;  // from the first to the second, in units of 1/256
};

static __device__ int warpview_addressed(int index, int size, int addressing) {
    if (addressing == WARPVIEW_BORDER) return index < 0 || index >= size ? -1 : index;
    if (addressing == WARPVIEW_CLAMP) return index < 0 ? 0 : index >= size ? size - 1 : index;
    const int period = addressing == WARPVIEW_WRAP ? size : 2 * size;
    index = index < 0 ? index + period : index >= period ? index - period : index;
    return index < size ? index : 2 * size - 1 - index;
}

// A coordinate that is a share runs from 0 to 1, whatever the texture says: that of a cube.
static __device__ WarpviewAxis warpview_axis(
    const WarpviewTexture *texture, int axis, float x, bool is_between, bool is_share = false) {
    const int size = texture->size[axis], addressing = texture->addressing[axis];
    x = x != x ? 0.0f : x < -16777216.0f ? -16777216.0f : x > 16777216.0f ? 16777216.0f : x;
    long long halves;  // of 1/256 of a texel
    if (is_share || texture->is_normalized) {
        long long part = (long long)floorf(x * 2097152.0f);
        if (addressing == WARPVIEW_WRAP) part &= 0x1fffff;
        if (addressing == WARPVIEW_MIRROR) part &= 0x3fffff;
        halves = part * size >> 12;
    } else {
        halves = (long long)floorf(x * 512.0f);
    }
    const long long place = is_between ? (halves + 1 >> 1) - 128 : halves >> 1;
    const long long index = place >> 8;
    const int kept = index < -2 ? -2 : index > 2 * size ? 2 * size : (int)index;
    WarpviewAxis found;
    found.at[0] = warpview_addressed(kept, size, addressing);
    found.at[1] = warpview_addressed(kept + 1, size, addressing);
    const bool is_single = addressing == WARPVIEW_CLAMP && found.at[0] == found.at[1];
    found.fraction = is_between && !is_single ? (int)(place & 255) : 0;
    return found;
}

static __device__ WarpviewAxis warpview_layer(const WarpviewTexture *texture, unsigned int layer) {
    const int last = texture->size[2] - 1;
    WarpviewAxis found;
    found.at[0] = found.at[1] = layer > (unsigned int)last ? last : (int)layer;
    found.fraction = 0;
    return found;
}

static __device__ int warpview_bits_of_half(int bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023, sign = (bits & 0x8000) << 16;
    if (exponent == 0) return sign | __float_as_int((float)mantissa * 5.9604644775390625e-8f);
    return sign | (exponent == 31 ? 255 : exponent + 112) << 23 | mantissa << 13;
}

// A component as it lies in memory, those of few bits extended.
static __device__ int warpview_component(const WarpviewTexture *texture, int component, int x, int y, int z) {
    if (component >= texture->components) return 0;
    if (x < 0 || y < 0 || z < 0) return texture->border[component];
    const unsigned long long row = texture->data + z * texture->slice + y * texture->pitch;
    const unsigned long long place = row + (unsigned long long)x * texture->texel_bytes;
    const int format = texture->format;
    if (format == WARPVIEW_S8) return ((const signed char *)place)[component];
    if (format == WARPVIEW_U8) return ((const unsigned char *)place)[component];
    if (format == WARPVIEW_S16) return ((const short *)place)[component];
    if (format == WARPVIEW_U16 || format == WARPVIEW_F16) return ((const unsigned short *)place)[component];
    return ((const int *)place)[component];
}

// What a component stands for: an integer, or the bits of a float.
static __device__ int warpview_value(const WarpviewTexture *texture, int bits) {
    const int format = texture->format;
    if (format == WARPVIEW_F16) return warpview_bits_of_half(bits);
    if (!texture->gives_floats || format >= WARPVIEW_32) return bits;
    if (format == WARPVIEW_U8) return __float_as_int(__fdiv_rn((float)bits, 255.0f));
    if (format == WARPVIEW_U16) return __float_as_int(__fdiv_rn((float)bits, 65535.0f));
    const float largest = format == WARPVIEW_S8 ? 127.0f : 32767.0f;
    return __float_as_int(fmaxf(__fdiv_rn((float)bits, largest), -1.0f));
}

// A sum of texels: value times 2^(exponent - 162), where the exponent is that of the largest, as a float has it.
struct WarpviewSum {
    long long value;
    int exponent;
};

// A float in units of a sum, cut to what 28 bits below the largest hold, or 15 of texels of 16 bits.
static __device__ int warpview_cut(int bits, int exponent, bool is_half) {
    const int own = bits >> 23 & 255, below = exponent - (own == 0 ? 1 : own);
    if (below > 28) return 0;
    const int mantissa = (bits & 0x7fffff) | (own == 0 ? 0 : 0x800000);
    const int cut = is_half ? mantissa >> 9 >> below << 13 : mantissa << 4 >> below;
    return bits < 0 ? -cut : cut;
}

// The exponent of a sum, as a float has it.
static __device__ int warpview_exponent(WarpviewSum sum) {
    const long long size = sum.value < 0 ? -sum.value : sum.value;
    return size == 0 ? 1 : sum.exponent + 28 - __clzll(size);
}

static __device__ WarpviewSum warpview_join(WarpviewSum first, WarpviewSum second) {
    const int above = second.exponent - first.exponent;
    if (above < 0) {
        second.value += first.value << -above;
        return second;
    }
    const int shift = above < 26 ? above : 26, dropped = above - shift;
    const long long size = (first.value < 0 ? -first.value : first.value) >> (dropped < 63 ? dropped : 63);
    second.value = (second.value << shift) + (first.value < 0 ? -size : size);
    second.exponent -= shift;
    return second;
}

// Rounds half away from zero to a float, or to what half precision holds.
static __device__ int warpview_rounded(WarpviewSum sum, bool is_half) {
    const long long size = sum.value < 0 ? -sum.value : sum.value;
    const int least = is_half ? 138 - sum.exponent : -64;
    int shift = 64 - __clzll(size) - (is_half ? 11 : 24);
    shift = shift < least ? least : shift;
    const int up = shift < 0 ? -shift : 0, down = shift < 0 ? 0 : shift;
    const long long kept = (size << up) + ((1ll << down) >> 1) >> down;
    const int exponent = sum.exponent - 162 + shift;  // of the last bit
    const int result = kept == 0 || exponent <= -150 ? 0 : __float_as_int((float)kept) + exponent * 0x800000;
    return sum.value < 0 ? result | (int)0x80000000 : result;
}

struct WarpviewFetch {
    const WarpviewTexture *texture;
    WarpviewAxis x, y, z;

    // The weight in 1/256 of one of the eight texels around: those of one slice, then of the next.
    __device__ int weight(int k) const {
        const int slice = k & 4 ? z.fraction : 256 - z.fraction;
        const int far_right = z.fraction * x.fraction + 128 >> 8;
        const int near_right = (256 - z.fraction) * x.fraction + 128 >> 8;
        const int right = k & 4 ? far_right : near_right;
        const int column = k & 1 ? right : slice - right;
        const int lower = column * y.fraction + 127 + (k & 1) >> 8;
        return k & 2 ? lower : column - lower;
    }
    __device__ int texel(int component, int k) const {
        return warpview_component(texture, component, x.at[k & 1], y.at[k >> 1 & 1], z.at[k >> 2]);
    }
    __device__ int filtered_integers(int component) const {
        int sum = 0;
        #pragma unroll 1
        for (int k = 0; k < 8; ++k) {
            const int by = weight(k);
            if (by != 0) sum += texel(component, k) * by;
        }
        const int format = texture->format;
        if (format == WARPVIEW_U8) return __float_as_int(__fdiv_rn((float)(sum * 257 + 128 >> 8), 65535.0f));
        if (format == WARPVIEW_U16) return __float_as_int(__fdiv_rn((float)(sum + 128 >> 8), 65535.0f));
        const int value = format == WARPVIEW_S16 ? sum + 128 >> 8 : sum * 32768 + (sum >> 4) * 4096 + sum + 16384 >> 15;
        return __float_as_int(fmaxf(__fdiv_rn((float)value, 32767.0f), -1.0f));
    }
    __device__ int filtered_floats(int component) const {
        const bool is_half = texture->format == WARPVIEW_F16;
        WarpviewSum total;
        total.value = 0;
        total.exponent = 1;
        #pragma unroll 1
        for (int slice = 0; slice < 8 && (slice == 0 || z.fraction != 0); slice += 4) {
            WarpviewSum sum;
            sum.value = 0;
            sum.exponent = warpview_exponent(total);
            #pragma unroll 1
            for (int k = 0; k < 8; ++k) {  // twice: for the largest exponent, then for the sum
                const int by = weight(slice + (k & 3));
                if (by == 0) continue;
                const int bits = warpview_value(texture, texel(component, slice + (k & 3)));
                const int own = bits >> 23 & 255;
                if (own == 255) return bits;  // infinite or no number, and so is the sum
                if (k < 4) sum.exponent = own > sum.exponent ? own : sum.exponent;
                else sum.value += (long long)warpview_cut(bits, sum.exponent, is_half) * by;
            }
            total = slice == 0 ? sum : warpview_join(total, sum);
        }
        return warpview_rounded(total, is_half);
    }
    __device__ int component(int k) const {
        if (!texture->is_linear) return warpview_value(texture, texel(k, 0));
        return texture->format < WARPVIEW_32 ? filtered_integers(k) : filtered_floats(k);
    }
    // The first components, the others 0. Integers are not filtered.
    __device__ int4 components(int count, bool may_filter) const {
        int4 found = make_int4(0, 0, 0, 0);
        #pragma unroll 1
        for (int k = 0; k < count; ++k) {
            const int bits = may_filter ? component(k) : texel(k, 0);
            if (k == 0) found.x = bits;
            else if (k == 1) found.y = bits;
            else if (k == 2) found.z = bits;
            else found.w = bits;
        }
        return found;
    }
};

// The components as what a fetch returns, how many that has, and whether they are floats.
#define WARPVIEW_VALUE(T, bits) ((T)(bits))
#define WARPVIEW_FLOAT(T, bits) __int_as_float(bits)
#define WARPVIEW_TEXELS(T, V, AS, IS_FLOAT) \
    static __device__ inline bool warpview_filters(const T *) { return IS_FLOAT; } \
    static __device__ inline bool warpview_filters(const V##1 *) { return IS_FLOAT; } \
    static __device__ inline bool warpview_filters(const V##2 *) { return IS_FLOAT; } \
    static __device__ inline bool warpview_filters(const V##4 *) { return IS_FLOAT; } \
    static __device__ inline int warpview_count(const T *) { return 1; } \
    static __device__ inline int warpview_count(const V##1 *) { return 1; } \
    static __device__ inline int warpview_count(const V##2 *) { return 2; } \
    static __device__ inline int warpview_count(const V##4 *) { return 4; } \
    static __device__ inline void warpview_put(int4 v, T *to) { *to = AS(T, v.x); } \
    static __device__ inline void warpview_put(int4 v, V##1 *to) { to->x = AS(T, v.x); } \
    static __device__ inline void warpview_put(int4 v, V##2 *to) { to->x = AS(T, v.x), to->y = AS(T, v.y); } \
    static __device__ inline void warpview_put(int4 v, V##4 *to) { \
        to->x = AS(T, v.x), to->y = AS(T, v.y), to->z = AS(T, v.z), to->w = AS(T, v.w); \
    }
WARPVIEW_TEXELS(signed char, char, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(unsigned char, uchar, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(short, short, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(unsigned short, ushort, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(int, int, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(unsigned int, uint, WARPVIEW_VALUE, false)
WARPVIEW_TEXELS(float, float, WARPVIEW_FLOAT, true)
static __device__ inline bool warpview_filters(const char *) { return false; }
static __device__ inline int warpview_count(const char *) { return 1; }
static __device__ inline void warpview_put(int4 v, char *to) { *to = (char)v.x; }
#undef WARPVIEW_VALUE
#undef WARPVIEW_FLOAT
#undef WARPVIEW_TEXELS

static __device__ WarpviewFetch warpview_fetch(cudaTextureObject_t object, float x, float y, bool is_between) {
    WarpviewFetch fetch;
    fetch.texture = (const WarpviewTexture *)object;
    fetch.x = warpview_axis(fetch.texture, 0, x, is_between);
    fetch.y = warpview_axis(fetch.texture, 1, y, is_between);  // of a line too: its border lies above it as well
    fetch.z = warpview_layer(fetch.texture, 0);
    return fetch;
}
static __device__ WarpviewFetch warpview_fetch_plane(cudaTextureObject_t object, float x, float y) {
    return warpview_fetch(object, x, y, ((const WarpviewTexture *)object)->is_linear != 0);
}
static __device__ WarpviewFetch warpview_fetch_element(cudaTextureObject_t object, int x) {
    WarpviewFetch fetch = warpview_fetch(object, 0.0f, 0.0f, false);
    fetch.x.at[0] = x < 0 || x >= fetch.texture->size[0] ? -1 : x;
    return fetch;
}
static __device__ WarpviewFetch warpview_fetch_volume(cudaTextureObject_t object, float x, float y, float z) {
    WarpviewFetch fetch = warpview_fetch_plane(object, x, y);
    fetch.z = warpview_axis(fetch.texture, 2, z, fetch.texture->is_linear != 0);
    return fetch;
}
static __device__ WarpviewFetch warpview_fetch_layer(cudaTextureObject_t object, float x, float y, int layer) {
    WarpviewFetch fetch = warpview_fetch_plane(object, x, y);
    fetch.z = warpview_layer(fetch.texture, (unsigned int)layer);
    return fetch;
}
static __device__ WarpviewFetch warpview_fetch_cube(cudaTextureObject_t object, float x, float y, float z, int layer) {
    const float wide = fabsf(x), high = fabsf(y), deep = fabsf(z);
    int face = z >= 0.0f ? 4 : 5;
    float across = z >= 0.0f ? x : -x, down = -y, along = deep;
    if (wide >= high && wide >= deep) {
        face = x >= 0.0f ? 0 : 1;
        across = x >= 0.0f ? -z : z;
        along = wide;
    } else if (high >= deep) {
        face = y >= 0.0f ? 2 : 3;
        across = x;
        down = y >= 0.0f ? z : -z;
        along = high;
    }
    across = (__fdiv_rn(across, along) + 1.0f) * 0.5f;
    down = (__fdiv_rn(down, along) + 1.0f) * 0.5f;
    WarpviewFetch fetch;
    fetch.texture = (const WarpviewTexture *)object;
    fetch.x = warpview_axis(fetch.texture, 0, across, fetch.texture->is_linear != 0, true);
    fetch.y = warpview_axis(fetch.texture, 1, down, fetch.texture->is_linear != 0, true);
    fetch.z = warpview_layer(fetch.texture, (unsigned int)(6 * layer + face));
    return fetch;
}

// Each function in both forms: the value is returned, or stored where a pointer says.
#define WARPVIEW_FETCH(NAME, FETCH, ...) \
    template <class T> static __device__ void NAME(T *to, cudaTextureObject_t object, __VA_ARGS__) { \
        warpview_put((FETCH).components(warpview_count(to), warpview_filters(to)), to); \
    } \
    template <class T> static __device__ T NAME(cudaTextureObject_t object, __VA_ARGS__) { \
        T value; \
        warpview_put((FETCH).components(warpview_count(&value), warpview_filters(&value)), &value); \
        return value; \
    }
WARPVIEW_FETCH(warpview_tex1Dfetch, warpview_fetch_element(object, x), int x)
WARPVIEW_FETCH(warpview_tex1D, warpview_fetch_plane(object, x, 0.0f), float x)
WARPVIEW_FETCH(warpview_tex2D, warpview_fetch_plane(object, x, y), float x, float y)
WARPVIEW_FETCH(warpview_tex3D, warpview_fetch_volume(object, x, y, z), float x, float y, float z)
WARPVIEW_FETCH(warpview_tex1DLayered, warpview_fetch_layer(object, x, 0.5f, layer), float x, int layer)
WARPVIEW_FETCH(warpview_tex2DLayered, warpview_fetch_layer(object, x, y, layer), float x, float y, int layer)
WARPVIEW_FETCH(warpview_texCubemap, warpview_fetch_cube(object, x, y, z, 0), float x, float y, float z)
WARPVIEW_FETCH(
    warpview_texCubemapLayered, warpview_fetch_cube(object, x, y, z, layer), float x, float y, float z, int layer)
// A texture has one level: the host makes no others.
WARPVIEW_FETCH(warpview_tex1DLod, warpview_fetch_plane(object, x, 0.0f), float x, float)
WARPVIEW_FETCH(warpview_tex2DLod, warpview_fetch_plane(object, x, y), float x, float y, float)
WARPVIEW_FETCH(warpview_tex3DLod, warpview_fetch_volume(object, x, y, z), float x, float y, float z, float)
WARPVIEW_FETCH(warpview_tex2DGrad, warpview_fetch_plane(object, x, y), float x, float y, float2, float2)
#undef WARPVIEW_FETCH

// One component of the four texels around, from the lower left counter-clockwise.
template <class T>
static __device__ T warpview_tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
    const WarpviewFetch fetch = warpview_fetch(object, x, y, true);
    const WarpviewTexture *texture = fetch.texture;
    T value;
    warpview_put(
        make_int4(
            warpview_value(texture, fetch.texel(component, 2)), warpview_value(texture, fetch.texel(component, 3)),
            warpview_value(texture, fetch.texel(component, 1)), warpview_value(texture, fetch.texel(component, 0))),
        &value);
    return value;
}

#define tex1Dfetch warpview_tex1Dfetch
#define tex1D warpview_tex1D
#define tex2D warpview_tex2D
#define tex3D warpview_tex3D
#define tex1DLayered warpview_tex1DLayered
#define tex2DLayered warpview_tex2DLayered
#define texCubemap warpview_texCubemap
#define texCubemapLayered warpview_texCubemapLayered
#define tex1DLod warpview_tex1DLod
#define tex2DLod warpview_tex2DLod
#define tex3DLod warpview_tex3DLod
#define tex2DGrad warpview_tex2DGrad
#define tex2Dgather warpview_tex2Dgather

#include "surfaces.h"
