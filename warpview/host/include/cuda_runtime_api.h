// The functions of the CUDA runtime: each asks warpview, which plays the device and knows the rules.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include "driver_types.h"
#include "vector_functions.h"
#include "warpview/kernel.h"

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

#include "cuda_runtime_devices.h"

// ------------------------------------------------------------------------------------------------ memory
template <class T> cudaError_t cudaMalloc(T **pointer, std::size_t size, WV_HERE) {
    return wv::call_for("malloc", place, {size}, pointer);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, std::size_t size, cudaStream_t stream, WV_HERE) {
    return wv::call_for("malloc_async", place, {size, wv::word(stream), 0}, pointer);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, std::size_t size, unsigned = 0, WV_HERE) {
    return wv::call_for("malloc_host", place, {size}, pointer);
}
namespace wv {
constexpr unsigned host_flags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
inline std::set<const void *> write_combined;  // memory of the host that was allocated so
}  // namespace wv
template <class T> cudaError_t cudaHostAlloc(T **pointer, std::size_t size, unsigned flags = 0, WV_HERE) {
    if (flags & ~wv::host_flags) return wv::call("refuse", place, {cudaErrorInvalidValue});
    cudaError_t error = wv::call_for("malloc_host", place, {size}, pointer);
    if (error == cudaSuccess && flags & cudaHostAllocWriteCombined) wv::write_combined.insert(*pointer);
    return error;
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

// All pinned memory is portable and mapped where host and device have one address space.
inline cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer, WV_HERE) {
    cudaPointerAttributes found;
    if (cudaError_t error = cudaPointerGetAttributes(&found, pointer, place)) return error;
    if (found.type != cudaMemoryTypeHost) return wv::call("refuse", place, {cudaErrorInvalidValue});
    *flags = cudaHostAllocPortable | cudaHostAllocMapped;
    if (wv::write_combined.count(pointer)) *flags |= cudaHostAllocWriteCombined;
    return cudaSuccess;
}

#include "cuda_runtime_managed.h"

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

#include "cuda_runtime_streams.h"

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
template <class S, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, F *function, S shared_of,
                                                                    int limit = 0, unsigned = 0, WV_HERE) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, shared_of, limit, place);
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

#include "cuda_runtime_3d.h"
#include "cuda_runtime_graphs.h"
#include "cuda_runtime_launch.h"
#include "cuda_runtime_peers.h"
#include "cuda_runtime_pools.h"

#undef WV_HERE
