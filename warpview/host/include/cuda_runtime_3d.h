// Memory in three dimensions: rows of a pitch, slices of rows; copied slice by slice.
// Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"

struct cudaMemcpy3DParms {
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
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
}  // namespace wv

inline cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent, WV_HERE) {
    *memory = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth, place);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent, WV_HERE) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char *to = wv::slice(memory, {}, z);
        if (cudaError_t error = cudaMemset2D(to, memory.pitch, value, extent.width, extent.height, place)) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy, cudaStream_t stream = nullptr, WV_HERE) {
    for (std::size_t z = 0; z < copy->extent.depth; ++z) {
        cudaError_t error = cudaMemcpy2DAsync(
            wv::slice(copy->dstPtr, copy->dstPos, z), copy->dstPtr.pitch, wv::slice(copy->srcPtr, copy->srcPos, z),
            copy->srcPtr.pitch, copy->extent.width, copy->extent.height, copy->kind, stream, place);
        if (error) return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy, WV_HERE) {
    if (cudaError_t error = cudaMemcpy3DAsync(copy, nullptr, place)) return error;
    return cudaStreamSynchronize(nullptr, place);
}
