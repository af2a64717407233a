// The functions of the CUDA runtime: each asks warpview, which plays the device and knows the rules.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include "driver_types.h"
#include "vector_functions.h"
#include "warpview/kernel.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif

// A parameter that takes the place of the call in the user's source.
#define WV_HERE wv::Here place = wv::here()

namespace wv {

inline cudaError_t call(const char *what, Here place, std::initializer_list<std::uint64_t> values = {},
                        const void *bytes = nullptr, std::size_t size = 0) {
    return static_cast<cudaError_t>(ask(what, place, values, bytes, size).error);
}

// Calls and stores the values that come back where the pointers say.
template <class... Out>
cudaError_t call_for(const char *what, Here place, std::initializer_list<std::uint64_t> values, Out *...out) {
    if ((... || (out == nullptr))) return static_cast<cudaError_t>(ask("refuse", place, {cudaErrorInvalidValue}).error);
    Answer answer = ask(what, place, values);
    if (answer.error) return static_cast<cudaError_t>(answer.error);
    std::size_t k = 0;
    auto store = [&](auto *target) {
        using T = std::remove_reference_t<decltype(*target)>;
        if constexpr (std::is_pointer_v<T>)
            *target = reinterpret_cast<T>(static_cast<std::uintptr_t>(answer.values.at(k++)));
        else
            *target = static_cast<T>(answer.values.at(k++));
    };
    (store(out), ...);
    return cudaSuccess;
}

inline std::uint64_t id_of(const void *function) {
    const Kernel *kernel = kernel_of(function);
    return kernel ? kernel->id : ~std::uint64_t{0};
}

cudaDeviceProp properties(Here place);
const char *error_name(int error);
const char *error_text(int error);
inline cudaError_t told(cudaError_t error, Here place) {  // the program has the error put into words
    if (error != cudaSuccess) call("error_told", place, {static_cast<std::uint64_t>(error)});
    return error;
}
cudaError_t set_symbol(const void *symbol, const void *from, std::size_t size, std::size_t offset, cudaMemcpyKind kind,
                       cudaStream_t stream, bool async, bool to_symbol, Here place);

}  // namespace wv

// ------------------------------------------------------------------------------------------------ errors
inline cudaError_t cudaGetLastError(WV_HERE) { return wv::call("last_error", place, {1}); }
inline cudaError_t cudaPeekAtLastError(WV_HERE) { return wv::call("last_error", place, {0}); }
inline const char *cudaGetErrorName(cudaError_t error, WV_HERE) { return wv::error_name(wv::told(error, place)); }
inline const char *cudaGetErrorString(cudaError_t error, WV_HERE) { return wv::error_text(wv::told(error, place)); }

// ------------------------------------------------------------------------------------------------ devices
inline cudaError_t cudaGetDeviceCount(int *count, WV_HERE) { return wv::call_for("device_count", place, {}, count); }
inline cudaError_t cudaGetDevice(int *device, WV_HERE) { return wv::call_for("get_device", place, {}, device); }
inline cudaError_t cudaSetDevice(int device, WV_HERE) { return wv::call("set_device", place, {wv::word(device)}); }
inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *, WV_HERE) {
    return wv::call_for("get_device", place, {}, device);
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device, WV_HERE) {
    cudaError_t error = wv::call("check_device", place, {wv::word(device)});
    if (error == cudaSuccess) *properties = wv::properties(place);
    return error;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device, WV_HERE) {
    cudaError_t error = wv::call("check_device", place, {wv::word(device)});
    if (error != cudaSuccess) return error;
    cudaDeviceProp properties = wv::properties(place);
    switch (attribute) {
#define WV_ATTRIBUTE(name, number, property) \
    case cudaDevAttr##name: *value = static_cast<int>(properties.property); return cudaSuccess;
        WV_DEVICE_ATTRIBUTES(WV_ATTRIBUTE)
#undef WV_ATTRIBUTE
    }
    return wv::call("refuse", place, {cudaErrorInvalidValue});
}
inline cudaError_t cudaDeviceSynchronize(WV_HERE) { return wv::call("device_synchronize", place); }
inline cudaError_t cudaThreadSynchronize(WV_HERE) { return wv::call("device_synchronize", place); }
inline cudaError_t cudaDeviceReset(WV_HERE) { return wv::call("device_reset", place); }
inline cudaError_t cudaThreadExit(WV_HERE) { return wv::call("device_reset", place); }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
// No preference is kept: on these devices the driver divides the L1 as a kernel needs it.
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *found) { return *found = cudaFuncCachePreferNone, cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *found) {
    return *found = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value, WV_HERE) {
    return wv::call("set_limit", place, {wv::word(limit), value});
}
inline cudaError_t cudaDeviceGetLimit(std::size_t *value, cudaLimit limit, WV_HERE) {
    return wv::call_for("get_limit", place, {wv::word(limit)}, value);
}
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 0, cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
inline cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total, WV_HERE) {
    return wv::call_for("mem_info", place, {}, free, total);
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// ------------------------------------------------------------------------------------------------ memory
template <class T> cudaError_t cudaMalloc(T **pointer, std::size_t size, WV_HERE) {
    return wv::call_for("malloc", place, {size}, pointer);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, std::size_t size, cudaStream_t stream, WV_HERE) {
    return wv::call_for("malloc_async", place, {size, wv::word(stream), 0}, pointer);
}
template <class T> cudaError_t cudaMallocManaged(T **pointer, std::size_t size, unsigned = cudaMemAttachGlobal, WV_HERE) {
    return wv::call_for("malloc_managed", place, {size}, pointer);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, std::size_t size, unsigned = 0, WV_HERE) {
    return wv::call_for("malloc_host", place, {size}, pointer);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, std::size_t size, unsigned = 0, WV_HERE) {
    return wv::call_for("malloc_host", place, {size}, pointer);
}
template <class T>
cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height, WV_HERE) {
    return wv::call_for("malloc_pitch", place, {width, height}, pointer, pitch);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned, WV_HERE) {
    return wv::call_for("host_pointer", place, {wv::word(host)}, device);
}
inline cudaError_t cudaFree(void *pointer, WV_HERE) { return wv::call("free", place, {wv::word(pointer)}); }
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream, WV_HERE) {
    return wv::call("free_async", place, {wv::word(pointer), wv::word(stream)});
}
inline cudaError_t cudaFreeHost(void *pointer, WV_HERE) { return wv::call("free_host", place, {wv::word(pointer)}); }
inline cudaError_t cudaHostRegister(void *pointer, std::size_t size, unsigned, WV_HERE) {
    return wv::call("host_register", place, {wv::word(pointer), size});
}
inline cudaError_t cudaHostUnregister(void *pointer, WV_HERE) {
    return wv::call("host_unregister", place, {wv::word(pointer)});
}

inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind, WV_HERE) {
    return wv::call("memcpy", place, {wv::word(to), wv::word(from), size, kind, 0, 0});
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t size, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("memcpy", place, {wv::word(to), wv::word(from), size, kind, 1, wv::word(stream)});
}
inline cudaError_t cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind, WV_HERE) {
    return wv::call("memcpy_2d", place,
                    {wv::word(to), to_pitch, wv::word(from), from_pitch, width, height, kind, 0, 0});
}
inline cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("memcpy_2d", place,
                    {wv::word(to), to_pitch, wv::word(from), from_pitch, width, height, kind, 1, wv::word(stream)});
}
inline cudaError_t cudaMemset(void *pointer, int value, std::size_t size, WV_HERE) {
    return wv::call("memset", place, {wv::word(pointer), size, 1, size, wv::word(value), 0, 0});
}
inline cudaError_t cudaMemsetAsync(void *pointer, int value, std::size_t size, cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("memset", place, {wv::word(pointer), size, 1, size, wv::word(value), 1, wv::word(stream)});
}
inline cudaError_t cudaMemset2D(void *pointer, std::size_t pitch, int value, std::size_t width, std::size_t height, WV_HERE) {
    return wv::call("memset", place, {wv::word(pointer), width, height, pitch, wv::word(value), 0, 0});
}
inline cudaError_t cudaMemset2DAsync(void *pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("memset", place, {wv::word(pointer), width, height, pitch, wv::word(value), 1, wv::word(stream)});
}
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, cudaMemLocation, unsigned, cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer, WV_HERE) {
    wv::Answer answer = wv::ask("pointer_attributes", place, {wv::word(pointer)});
    if (answer.error) return static_cast<cudaError_t>(answer.error);
    attributes->type = static_cast<cudaMemoryType>(answer.values.at(0));
    attributes->device = attributes->type == cudaMemoryTypeUnregistered ? -2 : 0;
    bool device = attributes->type != cudaMemoryTypeUnregistered, host = attributes->type != cudaMemoryTypeDevice;
    attributes->devicePointer = device ? const_cast<void *>(pointer) : nullptr;
    attributes->hostPointer = host ? const_cast<void *>(pointer) : nullptr;
    return cudaSuccess;
}

// ------------------------------------------------------------------------------------------------ symbols
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, std::size_t size, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, WV_HERE) {
    return wv::set_symbol(wv::address_of(symbol), from, size, offset, kind, nullptr, false, true, place);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr, WV_HERE) {
    return wv::set_symbol(wv::address_of(symbol), from, size, offset, kind, stream, true, true, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, std::size_t size, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, WV_HERE) {
    return wv::set_symbol(wv::address_of(symbol), to, size, offset, kind, nullptr, false, false, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, std::size_t size, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr, WV_HERE) {
    return wv::set_symbol(wv::address_of(symbol), to, size, offset, kind, stream, true, false, place);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol, WV_HERE) {
    return wv::call_for("symbol_address", place, {wv::word(wv::address_of(symbol))}, pointer);
}
template <class T> cudaError_t cudaGetSymbolSize(std::size_t *size, const T &symbol, WV_HERE) {
    void *pointer;
    return wv::call_for("symbol_address", place, {wv::word(wv::address_of(symbol))}, &pointer, size);
}

// ------------------------------------------------------------------------------------------------ streams and events
namespace wv {
constexpr int most_urgent = -5;  // priority of a stream
struct StreamSettings {
    unsigned flags = cudaStreamDefault;
    int priority = 0;
};
inline std::map<cudaStream_t, StreamSettings> stream_settings;
inline cudaError_t create_stream(cudaStream_t *stream, StreamSettings settings, Here place) {
    const cudaError_t error = call_for("stream_create", place, {settings.flags}, stream);
    if (error == cudaSuccess) stream_settings[*stream] = settings;
    return error;
}
}  // namespace wv
inline cudaError_t cudaStreamCreate(cudaStream_t *stream, WV_HERE) { return wv::create_stream(stream, {}, place); }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags, WV_HERE) {
    return wv::create_stream(stream, {flags}, place);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority, WV_HERE) {
    return wv::create_stream(stream, {flags, std::min(0, std::max(wv::most_urgent, priority))}, place);
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    return *priority = wv::stream_settings[stream].priority, cudaSuccess;
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    return *flags = wv::stream_settings[stream].flags, cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return *least = 0, *greatest = wv::most_urgent, cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_destroy", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_synchronize", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream, WV_HERE) {
    return wv::call("stream_query", place, {wv::word(stream)});
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0, WV_HERE) {
    return wv::call("stream_wait", place, {wv::word(stream), wv::word(event)});
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data, WV_HERE) {
    return wv::call("host_function", place, {wv::word(stream), wv::word(function), wv::word(data), 0});
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned, WV_HERE) {
    return wv::call("host_function", place, {wv::word(stream), wv::word(function), wv::word(data), 1});
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0, WV_HERE) {
    return wv::call_for("event_create", place, {flags}, event);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags, WV_HERE) {
    return wv::call_for("event_create", place, {flags}, event);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event, WV_HERE) {
    return wv::call("event_destroy", place, {wv::word(event)});
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, WV_HERE) {
    return wv::call("event_record", place, {wv::word(event), wv::word(stream)});
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event, WV_HERE) {
    return wv::call("event_synchronize", place, {wv::word(event)});
}
inline cudaError_t cudaEventQuery(cudaEvent_t event, WV_HERE) {
    return wv::call("event_query", place, {wv::word(event)});
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end, WV_HERE) {
    std::uint64_t nanoseconds = 0;
    cudaError_t error = wv::call_for("event_elapsed", place, {wv::word(start), wv::word(end)}, &nanoseconds);
    if (error == cudaSuccess) *milliseconds = static_cast<float>(static_cast<std::int64_t>(nanoseconds) / 1e6);
    return error;
}

// ------------------------------------------------------------------------------------------------ kernels
template <class F>
cudaError_t cudaLaunchKernel(F *function, dim3 grid, dim3 block, void **arguments, std::size_t shared = 0,
                             cudaStream_t stream = nullptr, WV_HERE) {
    const wv::Kernel *kernel = wv::kernel_of(reinterpret_cast<const void *>(function));
    if (!kernel) return wv::call("refuse", place, {cudaErrorInvalidDeviceFunction});
    return kernel->launch(grid, block, arguments, shared, stream, false, place);
}
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F *function, dim3 grid, dim3 block, void **arguments, std::size_t shared = 0,
                                        cudaStream_t stream = nullptr, WV_HERE) {
    const wv::Kernel *kernel = wv::kernel_of(reinterpret_cast<const void *>(function));
    if (!kernel) return wv::call("refuse", place, {cudaErrorInvalidDeviceFunction});
    return kernel->launch(grid, block, arguments, shared, stream, true, place);
}
template <class F> cudaError_t cudaFuncSetAttribute(F *function, cudaFuncAttribute attribute, int value, WV_HERE) {
    return wv::call("function_attribute", place,
                    {wv::id_of(reinterpret_cast<const void *>(function)), wv::word(attribute), wv::word(value)});
}
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *function, WV_HERE) {
    wv::Answer answer = wv::ask("function_attributes", place, {wv::id_of(reinterpret_cast<const void *>(function))});
    if (answer.error) return static_cast<cudaError_t>(answer.error);
    std::memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = answer.values.at(0);
    attributes->constSizeBytes = answer.values.at(1);
    attributes->localSizeBytes = answer.values.at(2);
    attributes->maxThreadsPerBlock = static_cast<int>(answer.values.at(3));
    attributes->numRegs = static_cast<int>(answer.values.at(4));
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(answer.values.at(5));
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(answer.values.at(6));
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *function, int threads, std::size_t shared, WV_HERE) {
    return wv::call_for("occupancy", place,
                        {wv::id_of(reinterpret_cast<const void *>(function)), wv::word(threads), shared}, blocks);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *function, std::size_t shared = 0, int limit = 0, WV_HERE) {
    return wv::call_for("best_block_size", place,
                        {wv::id_of(reinterpret_cast<const void *>(function)), shared, wv::word(limit)}, grid, block);
}

template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *function, int threads, std::size_t shared,
                                                                   unsigned, WV_HERE) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared, place);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F *function, std::size_t shared = 0,
                                                        int limit = 0, unsigned = 0, WV_HERE) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit, place);
}
// The largest block size with the highest occupancy where the shared memory depends on it.
template <class S, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F *function, S shared_of, int limit = 0,
                                                           WV_HERE) {
    int most = 0, best = 0, per_multiprocessor = 0, multiprocessors = 0;
    cudaFuncAttributes attributes;
    if (cudaError_t error = cudaFuncGetAttributes(&attributes, function, place)) return error;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    most = limit && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
        int blocks = 0;
        std::size_t shared = static_cast<std::size_t>(shared_of(threads));
        cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, shared, place);
        if (error) return error;
        if (blocks * threads > best * per_multiprocessor) best = threads, per_multiprocessor = blocks;
    }
    *block = best, *grid = per_multiprocessor * multiprocessors;
    return cudaSuccess;
}
// The most dynamic shared memory with which so many blocks are resident.
template <class F>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t *shared, F *function, int blocks, int threads, WV_HERE) {
    int most = 0;
    if (cudaError_t error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, 0)) return error;
    std::size_t fits = 0, beyond = static_cast<std::size_t>(most) + 1;
    while (beyond - fits > 1) {
        std::size_t middle = (fits + beyond) / 2;
        int resident = 0;
        cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, function, threads, middle, place);
        if (error) return error;
        (resident >= blocks ? fits : beyond) = middle;
    }
    return *shared = fits, cudaSuccess;
}

// ------------------------------------------------------------------------------------------------ one device only
inline cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, std::size_t size, WV_HERE) {
    if (to_device || from_device) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice, place);
}
inline cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, std::size_t size,
                                       cudaStream_t stream = nullptr, WV_HERE) {
    if (to_device || from_device) return wv::call("refuse", place, {cudaErrorInvalidDevice});
    return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream, place);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned, WV_HERE) {
    return wv::call("refuse", place, {device ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported});
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0, WV_HERE) {
    return cudaEventRecord(event, stream, place);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, std::size_t = 0, unsigned = 0) { return cudaSuccess; }

#include "cuda_runtime_3d.h"
#include "cuda_runtime_graphs.h"
#include "cuda_runtime_launch.h"
#include "cuda_runtime_pools.h"
#include "cuda_runtime_references.h"

#undef WV_HERE
