// What CUB's algorithms of a device share: the two calls of each, of which the first only tells how much memory the
// second one needs, buffers in pairs, iterators, and an allocator.
#pragma once

#include <limits>

namespace cub {
// Nothing is kept there, yet programs allocate it and pass it on.
inline bool tells_size(void *storage, std::size_t &bytes) {
    if (storage == nullptr) bytes = 1024;
    return storage == nullptr;
}
template <class I> auto opened(I iterator) { return thrust::detail::open(thrust::detail::on_device(iterator)); }

template <class T> struct DoubleBuffer {
    T *d_buffers[2] = {nullptr, nullptr};
    int selector = 0;
    DoubleBuffer() = default;
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T, class Offset = std::ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class Offset = std::ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class V, class F, class I, class Offset = std::ptrdiff_t>
class TransformInputIterator : public thrust::transform_iterator<I, F> {
  public:
    TransformInputIterator(I from, F f) : thrust::transform_iterator<I, F>(from, f) {}
};
template <class V, class F, class I> auto on_device(TransformInputIterator<V, F, I> i) {
    return thrust::detail::on_device(static_cast<thrust::transform_iterator<I, F>>(i));
}
template <class V, class F, class I, class Offset> auto opened(TransformInputIterator<V, F, I, Offset> i) {
    return opened(static_cast<thrust::transform_iterator<I, F>>(i));
}

// Memory that is kept for the next who asks in NVIDIA's; here it is given back at once.
struct CachingDeviceAllocator {
    CachingDeviceAllocator(bool = false, bool = false) {}
    CachingDeviceAllocator(unsigned, unsigned, unsigned, std::size_t, bool = false, bool = false) {}
    cudaError_t DeviceAllocate(void **memory, std::size_t bytes, cudaStream_t = nullptr) { return cudaMalloc(memory, bytes); }
    cudaError_t DeviceAllocate(int, void **memory, std::size_t bytes, cudaStream_t = nullptr) { return cudaMalloc(memory, bytes); }
    cudaError_t DeviceFree(void *memory) { return cudaFree(memory); }
    cudaError_t DeviceFree(int, void *memory) { return cudaFree(memory); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};
}  // namespace cub
