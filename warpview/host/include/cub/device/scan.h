// CUB's scans of a device.
#pragma once

namespace cub {
struct DeviceScan {
    template <class I, class O, class F> static cudaError_t InclusiveScan(void *storage, std::size_t &bytes, I in, O out, F f, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        thrust::inclusive_scan(from, from + count, opened(out), f);
        return cudaSuccess;
    }
    template <class I, class O, class F, class T>
    static cudaError_t InclusiveScanInit(void *storage, std::size_t &bytes, I in, O out, F f, T start, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        auto to = opened(out);
        for (std::ptrdiff_t k = 0; k < count; ++k) to[k] = start = f(start, from[k]);
        return cudaSuccess;
    }
    template <class I, class O, class F, class T>
    static cudaError_t ExclusiveScan(void *storage, std::size_t &bytes, I in, O out, F f, T start, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        thrust::exclusive_scan(from, from + count, opened(out), start, f);
        return cudaSuccess;
    }
    template <class I, class O> static cudaError_t InclusiveSum(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return InclusiveScan(storage, bytes, in, out, cub::Sum(), count);
    }
    template <class I, class O> static cudaError_t ExclusiveSum(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, cub::Sum(), thrust::value_of<decltype(opened(in))>(), count);
    }
    template <class I> static cudaError_t InclusiveSum(void *storage, std::size_t &bytes, I data, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return InclusiveSum(storage, bytes, data, data, count);
    }
    template <class I> static cudaError_t ExclusiveSum(void *storage, std::size_t &bytes, I data, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return ExclusiveSum(storage, bytes, data, data, count);
    }
};
}  // namespace cub
