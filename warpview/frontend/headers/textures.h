// Texture objects in device code: fetches are instructions of PTX.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

// The components that an instruction gives, and how they become what a fetch returns.
template <class T> struct WarpviewTexels;
#define WARPVIEW_TEXEL(T, RAW, ...) \
    template <> struct WarpviewTexels<T> { \
        typedef RAW##4 Raw; \
        static __device__ T value(Raw v) { T to; __VA_ARGS__; return to; } \
    };
#define WARPVIEW_TEXELS(T, V, RAW) \
    WARPVIEW_TEXEL(T, RAW, to = (T)v.x) \
    WARPVIEW_TEXEL(V##1, RAW, to.x = (T)v.x) \
    WARPVIEW_TEXEL(V##2, RAW, to.x = (T)v.x, to.y = (T)v.y) \
    WARPVIEW_TEXEL(V##4, RAW, to.x = (T)v.x, to.y = (T)v.y, to.z = (T)v.z, to.w = (T)v.w)
WARPVIEW_TEXELS(signed char, char, int)
WARPVIEW_TEXELS(unsigned char, uchar, int)
WARPVIEW_TEXELS(short, short, int)
WARPVIEW_TEXELS(unsigned short, ushort, int)
WARPVIEW_TEXELS(int, int, int)
WARPVIEW_TEXELS(unsigned int, uint, int)
WARPVIEW_TEXELS(float, float, float)
WARPVIEW_TEXEL(char, int, to = (char)v.x)
#undef WARPVIEW_TEXELS
#undef WARPVIEW_TEXEL

// A function of each name, whose PTX is the text before and behind the type of the components; in both forms: the value is
// returned, or stored where a pointer says.
#define WARPVIEW_ALL(...) __VA_ARGS__
#define WARPVIEW_RAW(NAME, RAW, LETTER, BEFORE, BEHIND, OPERANDS, ...) \
    static __device__ inline RAW NAME(const RAW *, cudaTextureObject_t object, __VA_ARGS__) { \
        RAW v; \
        asm volatile( \
            BEFORE BEHIND ";" : "=" LETTER(v.x), "=" LETTER(v.y), "=" LETTER(v.z), "=" LETTER(v.w) \
            : "l"(object), WARPVIEW_ALL OPERANDS); \
        return v; \
    }
#define WARPVIEW_FETCH(NAME, BEFORE, BEHIND, OPERANDS, ARGUMENTS, ...) \
    WARPVIEW_RAW(NAME, int4, "r", BEFORE ".v4.s32", BEHIND, OPERANDS, __VA_ARGS__) \
    WARPVIEW_RAW(NAME, float4, "f", BEFORE ".v4.f32", BEHIND, OPERANDS, __VA_ARGS__) \
    template <class T> static __device__ T NAME(cudaTextureObject_t object, __VA_ARGS__) { \
        const typename WarpviewTexels<T>::Raw *none = 0; \
        return WarpviewTexels<T>::value(NAME(none, object, WARPVIEW_ALL ARGUMENTS)); \
    } \
    template <class T> static __device__ void NAME(T *to, cudaTextureObject_t object, __VA_ARGS__) { \
        *to = NAME<T>(object, WARPVIEW_ALL ARGUMENTS); \
    }
#define WARPVIEW_GIVES " {%0, %1, %2, %3}, [%4, "

WARPVIEW_FETCH(warpview_tex1Dfetch, "tex.1d", ".s32" WARPVIEW_GIVES "{%5}]", ("r"(x)), (x), int x)
WARPVIEW_FETCH(
    warpview_tex1D, "tex.1d", ".f32" WARPVIEW_GIVES "{%5}]", ("f"(x)), (x), float x)
WARPVIEW_FETCH(
    warpview_tex2D, "tex.2d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("f"(x), "f"(y)), (x, y), float x, float y)
WARPVIEW_FETCH(
    warpview_tex3D, "tex.3d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}]", ("f"(x), "f"(y), "f"(z)), (x, y, z), float x, float y, float z)
WARPVIEW_FETCH(
    warpview_tex1DLayered, "tex.a1d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("r"(layer), "f"(x)), (x, layer), float x, int layer)
WARPVIEW_FETCH(
    warpview_tex2DLayered, "tex.a2d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}]", ("r"(layer), "f"(x), "f"(y)), (x, y, layer), float x, float y, int layer)
WARPVIEW_FETCH(
    warpview_texCubemap, "tex.cube", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}]", ("f"(x), "f"(y), "f"(z)), (x, y, z), float x, float y, float z)
WARPVIEW_FETCH(
    warpview_texCubemapLayered, "tex.acube", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %8}]", ("r"(layer), "f"(x), "f"(y), "f"(z)), (x, y, z, layer), float x, float y, float z, int layer)

// At a level of a mipmap.
WARPVIEW_FETCH(
    warpview_tex1DLod, "tex.level.1d", ".f32" WARPVIEW_GIVES "{%5}], %6", ("f"(x), "f"(level)), (x, level), float x, float level)
WARPVIEW_FETCH(
    warpview_tex2DLod, "tex.level.2d", ".f32" WARPVIEW_GIVES "{%5, %6}], %7", ("f"(x), "f"(y), "f"(level)), (x, y, level), float x, float y, float level)
WARPVIEW_FETCH(
    warpview_tex3DLod, "tex.level.3d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)), (x, y, z, level), float x, float y, float z, float level)
WARPVIEW_FETCH(
    warpview_tex1DLayeredLod, "tex.level.a1d", ".f32" WARPVIEW_GIVES "{%5, %6}], %7", ("r"(layer), "f"(x), "f"(level)), (x, layer, level), float x, int layer, float level)
WARPVIEW_FETCH(
    warpview_tex2DLayeredLod, "tex.level.a2d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}], %8", ("r"(layer), "f"(x), "f"(y), "f"(level)), (x, y, layer, level), float x, float y, int layer, float level)
WARPVIEW_FETCH(
    warpview_texCubemapLod, "tex.level.cube", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)), (x, y, z, level), float x, float y, float z, float level)
WARPVIEW_FETCH(
    warpview_texCubemapLayeredLod, "tex.level.acube", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %8}], %9", ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)), (x, y, z, layer, level), float x, float y, float z, int layer, float level)

// At the level that steps of so much choose.
WARPVIEW_FETCH(
    warpview_tex1DGrad, "tex.grad.1d", ".f32" WARPVIEW_GIVES "{%5}], {%6}, {%7}", ("f"(x), "f"(dx), "f"(dy)), (x, dx, dy), float x, float dx, float dy)
WARPVIEW_FETCH(
    warpview_tex2DGrad, "tex.grad.2d", ".f32" WARPVIEW_GIVES "{%5, %6}], {%7, %8}, {%9, %10}", ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)), (x, y, dx, dy), float x, float y, float2 dx, float2 dy)
WARPVIEW_FETCH(
    warpview_tex3DGrad, "tex.grad.3d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)), (x, y, z, dx, dy), float x, float y, float z, float4 dx, float4 dy)
WARPVIEW_FETCH(
    warpview_tex1DLayeredGrad, "tex.grad.a1d", ".f32" WARPVIEW_GIVES "{%5, %6}], {%7}, {%8}", ("r"(layer), "f"(x), "f"(dx), "f"(dy)), (x, layer, dx, dy), float x, int layer, float dx, float dy)
WARPVIEW_FETCH(
    warpview_tex2DLayeredGrad, "tex.grad.a2d", ".f32" WARPVIEW_GIVES "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)), (x, y, layer, dx, dy), float x, float y, int layer, float2 dx, float2 dy)

// One component of the four texels around, from the lower left counter-clockwise.
WARPVIEW_FETCH(
    warpview_gather_r, "tld4.r.2d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("f"(x), "f"(y)), (x, y), float x, float y)
WARPVIEW_FETCH(
    warpview_gather_g, "tld4.g.2d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("f"(x), "f"(y)), (x, y), float x, float y)
WARPVIEW_FETCH(
    warpview_gather_b, "tld4.b.2d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("f"(x), "f"(y)), (x, y), float x, float y)
WARPVIEW_FETCH(
    warpview_gather_a, "tld4.a.2d", ".f32" WARPVIEW_GIVES "{%5, %6}]", ("f"(x), "f"(y)), (x, y), float x, float y)
#undef WARPVIEW_FETCH
#undef WARPVIEW_RAW
#undef WARPVIEW_ALL
#undef WARPVIEW_GIVES

template <class T>
static __device__ T warpview_tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
    if (component == 1) return warpview_gather_g<T>(object, x, y);
    if (component == 2) return warpview_gather_b<T>(object, x, y);
    if (component == 3) return warpview_gather_a<T>(object, x, y);
    return warpview_gather_r<T>(object, x, y);
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
#define tex1DLayeredLod warpview_tex1DLayeredLod
#define tex2DLayeredLod warpview_tex2DLayeredLod
#define texCubemapLod warpview_texCubemapLod
#define texCubemapLayeredLod warpview_texCubemapLayeredLod
#define tex1DGrad warpview_tex1DGrad
#define tex2DGrad warpview_tex2DGrad
#define tex3DGrad warpview_tex3DGrad
#define tex1DLayeredGrad warpview_tex1DLayeredGrad
#define tex2DLayeredGrad warpview_tex2DLayeredGrad
#define tex2Dgather warpview_tex2Dgather

#include "surfaces.h"
