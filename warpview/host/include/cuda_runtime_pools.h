// Pools of memory that streams allocate from. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"

typedef std::uint64_t cuuint64_t;

enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic, cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1 };
enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead, cudaMemAccessFlagsProtReadWrite = 3 };

struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    std::size_t maxSize;
    unsigned char reserved[56];
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};

inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device, WV_HERE) {
    return wv::call_for("pool_default", place, {wv::word(device)}, pool);
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device, WV_HERE) {
    return wv::call_for("pool_of_device", place, {wv::word(device)}, pool);
}
inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool, WV_HERE) {
    return wv::call("pool_choose", place, {wv::word(device), wv::word(pool)});
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties, WV_HERE) {
    return wv::call_for("pool_create", place, {wv::word(properties->location.id)}, pool);
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool, WV_HERE) {
    return wv::call("pool_destroy", place, {wv::word(pool)});
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t kept, WV_HERE) {
    return wv::call("pool_trim", place, {wv::word(pool), kept});
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value, WV_HERE) {
    const bool is_flag = attribute < cudaMemPoolAttrReleaseThreshold;
    const std::uint64_t given = is_flag ? *static_cast<int *>(value) : *static_cast<cuuint64_t *>(value);
    return wv::call("pool_set", place, {wv::word(pool), wv::word(attribute), given});
}
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value, WV_HERE) {
    cuuint64_t found = 0;
    cudaError_t error = wv::call_for("pool_get", place, {wv::word(pool), wv::word(attribute)}, &found);
    if (error) return error;
    if (attribute < cudaMemPoolAttrReleaseThreshold) *static_cast<int *>(value) = static_cast<int>(found);
    else *static_cast<cuuint64_t *>(value) = found;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t, cudaMemLocation *) {
    return *flags = cudaMemAccessFlagsProtReadWrite, cudaSuccess;
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream, WV_HERE) {
    return wv::call_for("malloc_async", place, {size, wv::word(stream), wv::word(pool)}, pointer);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream, WV_HERE) {
    return cudaMallocFromPoolAsync(pointer, size, pool, stream, place);
}
