// Texture and surface references, which CUDA had before version 12: each holds the object that binding it makes.
// Included by the units of programs that name them: in others 'texture' and 'surface' are names like any other.
#pragma once

#include <climits>
#include "cuda_runtime_api.h"
#include "texture_kinds.h"
#include "cuda_runtime_textures.h"

#define WV_HERE wv::Here place = wv::here()

// The object comes first: device code has nothing else of a reference (frontend/headers/texture_references.h).
struct textureReference {
    cudaTextureObject_t object = 0;
    int normalized = 0;
    cudaTextureFilterMode filterMode = cudaFilterModePoint;
    cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
    cudaChannelFormatDesc channelDesc = {};
    int sRGB = 0;
};
template <class T, int DIMENSIONS = cudaTextureType1D, cudaTextureReadMode MODE = cudaReadModeElementType>
struct texture : textureReference {
    texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode addresses = cudaAddressModeClamp, cudaChannelFormatDesc format = {}) {
        normalized = is_normalized, filterMode = filter, channelDesc = format;
        for (cudaTextureAddressMode &mode : addressMode) mode = addresses;
    }
};
struct surfaceReference {
    cudaSurfaceObject_t object = 0;
    cudaChannelFormatDesc channelDesc = {};
};
template <class T, int DIMENSIONS = cudaSurfaceType1D> struct surface : surfaceReference {};

namespace wv {
inline cudaError_t set_object(const void *reference, cudaTextureObject_t *shadow, cudaTextureObject_t object, Here place) {
    *shadow = object;
    return set_symbol(reference, shadow, sizeof object, 0, cudaMemcpyHostToDevice, nullptr, false, true, place);
}
inline cudaError_t bind(const textureReference &reference, cudaTextureReadMode mode, const cudaResourceDesc &resource,
                        Here place) {
    textureReference &bound = const_cast<textureReference &>(reference);
    cudaTextureDesc description = {};
    for (int k = 0; k < 3; ++k) description.addressMode[k] = bound.addressMode[k];
    description.filterMode = bound.filterMode;
    description.readMode = mode;
    description.normalizedCoords = bound.normalized;
    if (bound.object) cudaDestroyTextureObject(bound.object, place);
    cudaTextureObject_t object = 0;
    if (cudaError_t error = cudaCreateTextureObject(&object, &resource, &description, nullptr, place)) return error;
    return set_object(&reference, &bound.object, object, place);
}
}  // namespace wv

template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(std::size_t *offset, const texture<T, D, M> &reference, const void *pointer,
                            const cudaChannelFormatDesc &format, std::size_t size = UINT_MAX, WV_HERE) {
    if (offset) *offset = 0;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(pointer);
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = size;
    return wv::bind(reference, M, resource, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture(std::size_t *offset, const texture<T, D, M> &reference, const void *pointer,
                            std::size_t size = UINT_MAX, WV_HERE) {
    return cudaBindTexture(offset, reference, pointer, cudaCreateChannelDesc<T>(), size, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(std::size_t *offset, const texture<T, D, M> &reference, const void *pointer,
                              const cudaChannelFormatDesc &format, std::size_t width, std::size_t height, std::size_t pitch,
                              WV_HERE) {
    if (offset) *offset = 0;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(pointer);
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width, resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return wv::bind(reference, M, resource, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTexture2D(std::size_t *offset, const texture<T, D, M> &reference, const void *pointer,
                              std::size_t width, std::size_t height, std::size_t pitch, WV_HERE) {
    return cudaBindTexture2D(offset, reference, pointer, cudaCreateChannelDesc<T>(), width, height, pitch, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &reference, cudaArray_const_t array, WV_HERE) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return wv::bind(reference, M, resource, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaBindTextureToArray(const texture<T, D, M> &reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &, WV_HERE) {
    return cudaBindTextureToArray(reference, array, place);
}
template <class T, int D, cudaTextureReadMode M>
cudaError_t cudaUnbindTexture(const texture<T, D, M> &reference, WV_HERE) {
    textureReference &bound = const_cast<texture<T, D, M> &>(reference);
    if (!bound.object) return cudaSuccess;
    cudaDestroyTextureObject(bound.object, place);
    return wv::set_object(&reference, &bound.object, 0, place);
}
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &reference, cudaArray_const_t array, WV_HERE) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    surfaceReference &bound = const_cast<surface<T, D> &>(reference);
    if (bound.object) cudaDestroySurfaceObject(bound.object, place);
    cudaSurfaceObject_t object = 0;
    if (cudaError_t error = cudaCreateSurfaceObject(&object, &resource, place)) return error;
    return wv::set_object(&reference, &bound.object, object, place);
}
template <class T, int D>
cudaError_t cudaBindSurfaceToArray(const surface<T, D> &reference, cudaArray_const_t array, const cudaChannelFormatDesc &,
                                   WV_HERE) {
    return cudaBindSurfaceToArray(reference, array, place);
}

#undef WV_HERE
