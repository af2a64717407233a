// Arrays, textures and surfaces. Included by cuda_runtime_api.h, whose functions it uses, before cuda_runtime_3d.h.
#pragma once

#include "driver_types.h"

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
enum {
    cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};
enum cudaResourceType {
    cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { cudaMipmappedArray_t mipmap; } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned int flags;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    std::size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};

// ------------------------------------------------------------------------------------------------ formats
namespace wv {
template <class T> auto first_component(const T &vector, int) -> decltype(vector.x) { return vector.x; }
template <class T> T first_component(const T &scalar, long) { return scalar; }
}  // namespace wv

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() {
    using C = decltype(wv::first_component(T(), 0));
    const int bits = 8 * sizeof(C), count = sizeof(T) / sizeof(C);
    const cudaChannelFormatKind kind = std::is_floating_point_v<C> ? cudaChannelFormatKindFloat
        : std::is_signed_v<C> ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

// ------------------------------------------------------------------------------------------------ arrays
inline cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                     unsigned flags = 0, WV_HERE) {
    return wv::call_for("array_malloc", place,
                        {extent.width, extent.height, extent.depth, flags, wv::word(format->x), wv::word(format->y),
                         wv::word(format->z), wv::word(format->w), wv::word(format->f)}, array);
}
inline cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, std::size_t width,
                                   std::size_t height = 0, unsigned flags = 0, WV_HERE) {
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags, place);
}
inline cudaError_t cudaFreeArray(cudaArray_t array, WV_HERE) { return wv::call("array_free", place, {wv::word(array)}); }
inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap, const cudaChannelFormatDesc *format,
                                            cudaExtent extent, unsigned levels, unsigned flags = 0, WV_HERE) {
    return wv::call_for("mipmap_malloc", place,
                        {extent.width, extent.height, extent.depth, levels, flags, wv::word(format->x),
                         wv::word(format->y), wv::word(format->z), wv::word(format->w), wv::word(format->f)}, mipmap);
}
inline cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned level,
                                              WV_HERE) {
    return wv::call_for("mipmap_level", place, {wv::word(mipmap), level}, array);
}
inline cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap, WV_HERE) {
    return wv::call("mipmap_free", place, {wv::word(mipmap)});
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array,
                                    WV_HERE) {
    cudaChannelFormatDesc found;
    cudaExtent size;
    unsigned set;
    cudaError_t error = wv::call_for("array_info", place, {wv::word(array)}, &size.width, &size.height, &size.depth, &set,
                                     &found.x, &found.y, &found.z, &found.w, &found.f);
    if (error) return error;
    if (format) *format = found;
    if (extent) *extent = size;
    if (flags) *flags = set;
    return cudaSuccess;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array, WV_HERE) {
    return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array), place);
}

// ------------------------------------------------------------------------------------------------ copies
namespace wv {
// The memory of an array from a place on, its rows behind one another: x in bytes.
struct ArrayPlace {
    char *at;
    std::size_t pitch, rows;
};
inline cudaError_t array_place(ArrayPlace *found, cudaArray_const_t array, std::size_t x, std::size_t y, Here place) {
    return call_for("array_place", place, {word(array), x, y}, &found->at, &found->pitch, &found->rows);
}
}  // namespace wv

inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void *from, std::size_t pitch,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, to, x, y, place)) return error;
    return cudaMemcpy2D(at.at, at.pitch, from, pitch, width, height, kind, place);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void *from,
                                            std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                            cudaStream_t stream = nullptr, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, to, x, y, place)) return error;
    return cudaMemcpy2DAsync(at.at, at.pitch, from, pitch, width, height, kind, stream, place);
}
inline cudaError_t cudaMemcpy2DFromArray(void *to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                         std::size_t width, std::size_t height, cudaMemcpyKind kind, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, from, x, y, place)) return error;
    return cudaMemcpy2D(to, pitch, at.at, at.pitch, width, height, kind, place);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void *to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                                              std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                              cudaStream_t stream = nullptr, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, from, x, y, place)) return error;
    return cudaMemcpy2DAsync(to, pitch, at.at, at.pitch, width, height, kind, stream, place);
}
inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t x, std::size_t y, cudaArray_const_t from,
                                            std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind = cudaMemcpyDeviceToDevice, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, from, from_x, from_y, place)) return error;
    return cudaMemcpy2DToArray(to, x, y, at.at, at.pitch, width, height, kind, place);
}
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void *from, std::size_t size,
                                     cudaMemcpyKind kind, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, to, x, y, place)) return error;
    return cudaMemcpy(at.at, from, size, kind, place);
}
inline cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t size,
                                       cudaMemcpyKind kind, WV_HERE) {
    wv::ArrayPlace at;
    if (cudaError_t error = wv::array_place(&at, from, x, y, place)) return error;
    return cudaMemcpy(to, at.at, size, kind, place);
}

// ------------------------------------------------------------------------------------------------ objects
namespace wv {
struct Described {
    cudaResourceDesc resource;
    cudaTextureDesc texture;
};
inline std::map<unsigned long long, Described> described;  // textures and surfaces, by handle

template <class T> cudaError_t describe(T *found, unsigned long long object, T Described::*part, Here place) {
    const auto known = described.find(object);
    if (known == described.end()) return call("refuse", place, {cudaErrorInvalidValue});
    return *found = known->second.*part, cudaSuccess;
}
}  // namespace wv

inline cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *found, cudaTextureObject_t texture, WV_HERE) {
    return wv::describe(found, texture, &wv::Described::resource, place);
}
inline cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *found, cudaTextureObject_t texture, WV_HERE) {
    return wv::describe(found, texture, &wv::Described::texture, place);
}
inline cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *found, cudaSurfaceObject_t surface, WV_HERE) {
    return wv::describe(found, surface, &wv::Described::resource, place);
}
inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                           const cudaTextureDesc *description, const cudaResourceViewDesc *view, WV_HERE) {
    if (view) return wv::call("refuse", place, {cudaErrorNotSupported});
    char both[sizeof *resource + sizeof *description];
    std::memcpy(both, resource, sizeof *resource);
    std::memcpy(both + sizeof *resource, description, sizeof *description);
    wv::Answer answer = wv::ask("texture_create", place, {}, both, sizeof both);
    if (!answer.error) wv::described[*texture = answer.values.at(0)] = {*resource, *description};
    return static_cast<cudaError_t>(answer.error);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture, WV_HERE) {
    return wv::call("texture_destroy", place, {texture});
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const cudaResourceDesc *resource, WV_HERE) {
    wv::Answer answer = wv::ask("surface_create", place, {}, resource, sizeof *resource);
    if (!answer.error) wv::described[*surface = answer.values.at(0)] = {*resource, {}};
    return static_cast<cudaError_t>(answer.error);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface, WV_HERE) {
    return wv::call("texture_destroy", place, {surface});
}
