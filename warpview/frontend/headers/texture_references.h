// Texture and surface references, which CUDA had before version 12: variables of a file that the host binds to memory.
// Each holds the object that binding it made.
#pragma once
#include "texture_kinds.h"
#include "textures.h"

#ifndef __CUDACC_RTC__  // which declares it
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
#endif

template <class T, int DIMENSIONS = 1, cudaTextureReadMode MODE = cudaReadModeElementType> struct texture {
    cudaTextureObject_t object;
};
template <class T, int DIMENSIONS = 1> struct surface {
    cudaSurfaceObject_t object;
};

// What a fetch gives: an element, or as many floats.
template <class T, cudaTextureReadMode MODE> struct WarpviewGiven { typedef T type; };
#define WARPVIEW_FLOATS(V) \
    template <> struct WarpviewGiven<V##1, cudaReadModeNormalizedFloat> { typedef float1 type; }; \
    template <> struct WarpviewGiven<V##2, cudaReadModeNormalizedFloat> { typedef float2 type; }; \
    template <> struct WarpviewGiven<V##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
WARPVIEW_FLOATS(char) WARPVIEW_FLOATS(uchar) WARPVIEW_FLOATS(short) WARPVIEW_FLOATS(ushort)
#undef WARPVIEW_FLOATS
template <> struct WarpviewGiven<char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct WarpviewGiven<signed char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct WarpviewGiven<unsigned char, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct WarpviewGiven<short, cudaReadModeNormalizedFloat> { typedef float type; };
template <> struct WarpviewGiven<unsigned short, cudaReadModeNormalizedFloat> { typedef float type; };

#define WARPVIEW_OF_REFERENCE(NAME, ARGUMENTS, ...) \
    template <class T, int DIMENSIONS, cudaTextureReadMode MODE> \
    static __device__ typename WarpviewGiven<T, MODE>::type NAME( \
        const texture<T, DIMENSIONS, MODE> &reference, __VA_ARGS__) { \
        return NAME<typename WarpviewGiven<T, MODE>::type> ARGUMENTS; \
    }
WARPVIEW_OF_REFERENCE(warpview_tex1Dfetch, (reference.object, x), int x)
WARPVIEW_OF_REFERENCE(warpview_tex1D, (reference.object, x), float x)
WARPVIEW_OF_REFERENCE(warpview_tex2D, (reference.object, x, y), float x, float y)
WARPVIEW_OF_REFERENCE(warpview_tex3D, (reference.object, x, y, z), float x, float y, float z)
WARPVIEW_OF_REFERENCE(warpview_tex1DLayered, (reference.object, x, layer), float x, int layer)
WARPVIEW_OF_REFERENCE(warpview_tex2DLayered, (reference.object, x, y, layer), float x, float y, int layer)
#undef WARPVIEW_OF_REFERENCE

#define WARPVIEW_OF_SURFACE(NAME, PLACE, VALUE_AND_PLACE, ...) \
    template <class T, class ANY, int DIMENSIONS> \
    static __device__ void NAME##read( \
        T *to, const surface<ANY, DIMENSIONS> &reference, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        *to = NAME##read<T> PLACE; \
    } \
    template <class T, class ANY, int DIMENSIONS> \
    static __device__ T NAME##read( \
        const surface<ANY, DIMENSIONS> &reference, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        return NAME##read<T> PLACE; \
    } \
    template <class T, class ANY, int DIMENSIONS> \
    static __device__ void NAME##write( \
        T value, const surface<ANY, DIMENSIONS> &reference, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        NAME##write VALUE_AND_PLACE; \
    }
WARPVIEW_OF_SURFACE(warpview_surf1D, (reference.object, x, mode), (value, reference.object, x, mode), int x)
WARPVIEW_OF_SURFACE(
    warpview_surf2D, (reference.object, x, y, mode), (value, reference.object, x, y, mode), int x, int y)
WARPVIEW_OF_SURFACE(
    warpview_surf3D, (reference.object, x, y, z, mode), (value, reference.object, x, y, z, mode), int x, int y, int z)
#undef WARPVIEW_OF_SURFACE
