// Managed memory: where it should lie, as the program advises. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include "driver_types.h"

template <class T> cudaError_t cudaMallocManaged(T **pointer, std::size_t size, unsigned = cudaMemAttachGlobal, WV_HERE) {
    return wv::call_for("malloc_managed", place, {size}, pointer);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, std::size_t = 0, unsigned = 0) { return cudaSuccess; }

enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1, cudaMemRangeAttributePreferredLocation = 2, cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4
};

namespace wv {
// A place as devices are numbered: -1 is the host.
inline int location_id(const cudaMemLocation &location) {
    return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : location.id;
}
}  // namespace wv

inline cudaError_t cudaMemPrefetchAsync(const void *pointer, std::size_t size, int device, cudaStream_t stream = nullptr,
                                        WV_HERE) {
    return wv::call("mem_prefetch", place, {wv::word(pointer), size, wv::word(device), wv::word(stream)});
}
inline cudaError_t cudaMemPrefetchAsync(const void *pointer, std::size_t size, cudaMemLocation location, unsigned,
                                        cudaStream_t stream = nullptr, WV_HERE) {
    return cudaMemPrefetchAsync(pointer, size, wv::location_id(location), stream, place);
}
inline cudaError_t cudaMemAdvise(const void *pointer, std::size_t size, cudaMemoryAdvise advice, int device, WV_HERE) {
    return wv::call("mem_advise", place, {wv::word(pointer), size, wv::word(advice), wv::word(device)});
}
inline cudaError_t cudaMemAdvise(const void *pointer, std::size_t size, cudaMemoryAdvise advice, cudaMemLocation location,
                                 WV_HERE) {
    return cudaMemAdvise(pointer, size, advice, wv::location_id(location), place);
}
// What was advised for all of a range, and where it was prefetched to: numbers of devices, -1 for the host, -2 for none.
inline cudaError_t cudaMemRangeGetAttribute(void *data, std::size_t data_size, cudaMemRangeAttribute attribute,
                                            const void *pointer, std::size_t size, WV_HERE) {
    wv::Answer answer = wv::ask("mem_range", place, {wv::word(attribute), wv::word(pointer), size});
    if (answer.error) return static_cast<cudaError_t>(answer.error);
    int *numbers = static_cast<int *>(data);
    for (std::size_t k = 0; k < data_size / sizeof(int); ++k)
        numbers[k] = k < answer.values.size() ? static_cast<int>(answer.values[k]) : cudaInvalidDeviceId;
    return cudaSuccess;
}
inline cudaError_t cudaMemRangeGetAttributes(void **data, std::size_t *data_sizes, cudaMemRangeAttribute *attributes,
                                             std::size_t count, const void *pointer, std::size_t size, WV_HERE) {
    for (std::size_t k = 0; k < count; ++k)
        if (cudaError_t error = cudaMemRangeGetAttribute(data[k], data_sizes[k], attributes[k], pointer, size, place))
            return error;
    return cudaSuccess;
}
