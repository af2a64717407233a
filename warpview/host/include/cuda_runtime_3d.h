// Memory in three dimensions: rows of a pitch, slices of rows; copied slice by slice.
// Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"
#include "cuda_runtime_textures.h"

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, std::size_t pitch, std::size_t width, std::size_t height) {
    return {pointer, pitch, width, height};
}

namespace wv {
inline char *slice(const cudaPitchedPtr &memory, const cudaPos &at, std::size_t z) {
    return static_cast<char *>(memory.ptr) + ((at.z + z) * memory.ysize + at.y) * memory.pitch + at.x;
}
// The memory of an array as rows and slices, and the bytes of its elements; nothing where there is no array.
inline cudaError_t memory_of(cudaArray_t array, cudaPitchedPtr *memory, std::size_t *texel, Here place) {
    if (!array) return cudaSuccess;
    ArrayPlace found;
    cudaChannelFormatDesc format;
    if (cudaError_t error = array_place(&found, array, 0, 0, place)) return error;
    if (cudaError_t error = cudaGetChannelDesc(&format, array, place)) return error;
    *texel = (format.x + format.y + format.z + format.w) / 8;
    *memory = {found.at, found.pitch, found.pitch, found.rows};
    return cudaSuccess;
}
}  // namespace wv

inline cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent, WV_HERE) {
    *memory = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth, place);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream = nullptr,
                                     WV_HERE) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char *to = wv::slice(memory, {}, z);
        cudaError_t error = cudaMemset2DAsync(to, memory.pitch, value, extent.width, extent.height, stream, place);
        if (error) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent, WV_HERE) {
    if (cudaError_t error = cudaMemset3DAsync(memory, value, extent, nullptr, place)) return error;
    return cudaStreamSynchronize(nullptr, place);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy, cudaStream_t stream = nullptr, WV_HERE) {
    cudaPitchedPtr to = copy->dstPtr, from = copy->srcPtr;
    cudaPos to_place = copy->dstPos, from_place = copy->srcPos;
    std::size_t width = copy->extent.width, texel = 1;
    if (cudaError_t error = wv::memory_of(copy->dstArray, &to, &texel, place)) return error;
    if (cudaError_t error = wv::memory_of(copy->srcArray, &from, &texel, place)) return error;
    width *= texel;  // an extent counts elements where an array takes part, and a place does within the array
    if (copy->dstArray) to_place.x *= texel;
    if (copy->srcArray) from_place.x *= texel;
    for (std::size_t z = 0; z < copy->extent.depth; ++z) {
        cudaError_t error = cudaMemcpy2DAsync(
            wv::slice(to, to_place, z), to.pitch, wv::slice(from, from_place, z), from.pitch, width,
            copy->extent.height, copy->kind, stream, place);
        if (error) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy, WV_HERE) {
    if (cudaError_t error = cudaMemcpy3DAsync(copy, nullptr, place)) return error;
    return cudaStreamSynchronize(nullptr, place);
}
inline cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *copy, cudaStream_t stream = nullptr, WV_HERE) {
    if (copy == nullptr) return wv::call("refuse", place, {cudaErrorInvalidValue});
    if (copy->srcDevice || copy->dstDevice) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    const cudaMemcpy3DParms within = {copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
                                      copy->dstPos, copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
    return cudaMemcpy3DAsync(&within, stream, place);
}
inline cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *copy, WV_HERE) {
    if (cudaError_t error = cudaMemcpy3DPeerAsync(copy, nullptr, place)) return error;
    return cudaStreamSynchronize(nullptr, place);
}
