// Surface objects in device code: elements of an array that are read and written where they lie. Included by textures.h.
#pragma once

#ifndef __CUDACC_RTC__  // which declares it
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#endif

// The beginning of the descriptor that the host writes (isa/textures.py): where the elements lie.
struct WarpviewSurface {
    unsigned long long data, pitch, slice;  // address, bytes from row to row and from slice to slice
    int size[3];                            // in elements; layers and faces are slices
    int components, format, texel_bytes;
};

// The address of an element of a surface, whose x counts in bytes; 0 where nothing is read or written.
static __device__ unsigned long long warpview_element(
    cudaSurfaceObject_t object, int x, int y, int z, int bytes, cudaSurfaceBoundaryMode mode) {
    const WarpviewSurface *surface = (const WarpviewSurface *)object;
    const int width = surface->size[0] * surface->texel_bytes, height = surface->size[1], depth = surface->size[2];
    const bool is_inside = x >= 0 && x + bytes <= width && y >= 0 && y < height && z >= 0 && z < depth;
    if (!is_inside && mode == cudaBoundaryModeZero) return 0;
    if (!is_inside && mode == cudaBoundaryModeTrap) __trap();
    x = x < 0 ? 0 : x + bytes > width ? width - bytes : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
    return surface->data + z * surface->slice + y * surface->pitch + (unsigned long long)x;
}

#define WARPVIEW_SURFACE(NAME, Y, Z, ...) \
    template <class T> \
    static __device__ void warpview_##NAME##read( \
        T *to, cudaSurfaceObject_t object, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        const unsigned long long place = warpview_element(object, x, Y, Z, sizeof(T), mode); \
        *to = place == 0 ? T() : *(const T *)place; \
    } \
    template <class T> \
    static __device__ T warpview_##NAME##read( \
        cudaSurfaceObject_t object, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        const unsigned long long place = warpview_element(object, x, Y, Z, sizeof(T), mode); \
        return place == 0 ? T() : *(const T *)place; \
    } \
    template <class T> \
    static __device__ void warpview_##NAME##write( \
        T value, cudaSurfaceObject_t object, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        const unsigned long long place = warpview_element(object, x, Y, Z, sizeof(T), mode); \
        if (place != 0) *(T *)place = value; \
    }
WARPVIEW_SURFACE(surf1D, 0, 0, int x)
WARPVIEW_SURFACE(surf2D, y, 0, int x, int y)
WARPVIEW_SURFACE(surf3D, y, z, int x, int y, int z)
WARPVIEW_SURFACE(surf1DLayered, 0, layer, int x, int layer)
WARPVIEW_SURFACE(surf2DLayered, y, layer, int x, int y, int layer)
WARPVIEW_SURFACE(surfCubemap, y, face, int x, int y, int face)
#undef WARPVIEW_SURFACE

#define surf1Dread warpview_surf1Dread
#define surf1Dwrite warpview_surf1Dwrite
#define surf2Dread warpview_surf2Dread
#define surf2Dwrite warpview_surf2Dwrite
#define surf3Dread warpview_surf3Dread
#define surf3Dwrite warpview_surf3Dwrite
#define surf1DLayeredread warpview_surf1DLayeredread
#define surf1DLayeredwrite warpview_surf1DLayeredwrite
#define surf2DLayeredread warpview_surf2DLayeredread
#define surf2DLayeredwrite warpview_surf2DLayeredwrite
#define surfCubemapread warpview_surfCubemapread
#define surfCubemapwrite warpview_surfCubemapwrite
