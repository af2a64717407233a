// CUB's reductions of a device: of a whole array, of segments of one, and of runs of equal keys.
#pragma once

namespace cub {
template <class T> inline constexpr T least = std::numeric_limits<T>::lowest();
template <class T> inline constexpr T greatest = std::numeric_limits<T>::max();

struct DeviceReduce {
    template <class I, class O, class F, class T>
    static cudaError_t Reduce(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, F f, T start, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        *opened(out) = count ? f(start, thrust::detail::in_pairs<T>(from, count, f)) : start;
        return cudaSuccess;
    }
    template <class I, class O, class F, class U, class T>
    static cudaError_t TransformReduce(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, F f, U unary, T start, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, thrust::make_transform_iterator(in, unary), out, count, f, start);
    }
    template <class I, class O> static cudaError_t Sum(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Sum(), value_of<I>());
    }
    template <class I, class O> static cudaError_t Max(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Max(), least<value_of<I>>);
    }
    template <class I, class O> static cudaError_t Min(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return Reduce(storage, bytes, in, out, count, cub::Min(), greatest<value_of<I>>);
    }
    // The first of the greatest, or least, values with its index: as one pair, or apart.
    template <class I, class O> static cudaError_t ArgMax(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return chosen(storage, bytes, in, out, count, [](const auto &a, const auto &b) { return b < a; });
    }
    template <class I, class O> static cudaError_t ArgMin(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return chosen(storage, bytes, in, out, count, [](const auto &a, const auto &b) { return a < b; });
    }
    template <class I, class O, class K, class = std::enable_if_t<!std::is_arithmetic_v<K>>>
    static cudaError_t ArgMax(void *storage, std::size_t &bytes, I in, O out, K index, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return chosen_apart(storage, bytes, in, out, index, count, [](const auto &a, const auto &b) { return b < a; });
    }
    template <class I, class O, class K, class = std::enable_if_t<!std::is_arithmetic_v<K>>>
    static cudaError_t ArgMin(void *storage, std::size_t &bytes, I in, O out, K index, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return chosen_apart(storage, bytes, in, out, index, count, [](const auto &a, const auto &b) { return a < b; });
    }
    template <class K, class U, class V, class A, class N, class F>
    static cudaError_t ReduceByKey(void *storage, std::size_t &bytes, K keys, U unique, V values, A sums, N runs, F f, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto k = opened(keys);
        auto found = thrust::reduce_by_key(k, k + count, opened(values), opened(unique), opened(sums), std::equal_to<>(), f);
        *opened(runs) = found.first - opened(unique);
        return cudaSuccess;
    }

  private:
    template <class I> using value_of = thrust::value_of<decltype(opened(std::declval<I>()))>;
    template <class I, class F> static std::ptrdiff_t best(I from, std::ptrdiff_t count, F better) {
        std::ptrdiff_t chosen = 0;
        for (std::ptrdiff_t k = 1; k < count; ++k)
            if (better(from[k], from[chosen])) chosen = k;
        return chosen;
    }
    template <class I, class O, class F>
    static cudaError_t chosen(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t count, F better) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        auto to = opened(out);
        to->key = count ? best(from, count, better) : 1;
        if (count) to->value = from[to->key];
        return cudaSuccess;
    }
    template <class I, class O, class K, class F>
    static cudaError_t chosen_apart(void *storage, std::size_t &bytes, I in, O out, K index, std::ptrdiff_t count, F better) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        const std::ptrdiff_t k = best(from, count, better);
        *opened(index) = k, *opened(out) = from[k];
        return cudaSuccess;
    }
};

struct DeviceSegmentedReduce {
    template <class I, class O, class B, class E, class F, class T>
    static cudaError_t Reduce(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t segments, B begins, E ends, F f, T start, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        auto to = opened(out);
        auto begin = opened(begins);
        auto end = opened(ends);
        for (std::ptrdiff_t k = 0; k < segments; ++k)
            to[k] = begin[k] < end[k] ? f(start, thrust::detail::in_pairs<T>(from + begin[k], end[k] - begin[k], f)) : start;
        return cudaSuccess;
    }
#define WV_SEGMENTED(NAME, F, START)                                                                                    \
    template <class I, class O, class B, class E>                                                                       \
    static cudaError_t NAME(void *storage, std::size_t &bytes, I in, O out, std::ptrdiff_t segments, B begins, E ends, cudaStream_t = nullptr) { \
        using T = thrust::value_of<decltype(opened(in))>;                                                               \
        return Reduce(storage, bytes, in, out, segments, begins, ends, F(), START);                                     \
    }
    WV_SEGMENTED(Sum, cub::Sum, T())
    WV_SEGMENTED(Max, cub::Max, least<T>)
    WV_SEGMENTED(Min, cub::Min, greatest<T>)
#undef WV_SEGMENTED
};

struct DeviceRunLengthEncode {
    template <class I, class U, class C, class N>
    static cudaError_t Encode(void *storage, std::size_t &bytes, I in, U unique, C counts, N runs, std::ptrdiff_t count, cudaStream_t = nullptr) {
        return DeviceReduce::ReduceByKey(storage, bytes, in, unique, thrust::make_constant_iterator(1), counts, runs, cub::Sum(), count);
    }
};
}  // namespace cub
