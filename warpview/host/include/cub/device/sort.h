// CUB's sorts of a device: stable ones by some of the bits of the keys, and by any order.
#pragma once

#include <cstring>

namespace cub {
// Keys as unsigned numbers in the same order, cut to the bits by which they are sorted.
template <class K> std::uint64_t key_bits(K key, int first, int last) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &key, sizeof(K));
    const std::uint64_t sign = std::uint64_t(1) << (sizeof(K) * 8 - 1);
    if constexpr (!std::is_integral_v<K>) bits = bits & sign ? ~bits : bits | sign;
    else if constexpr (std::is_signed_v<K>) bits ^= sign;
    bits >>= first;
    return last - first < 64 ? bits & ((std::uint64_t(1) << (last - first)) - 1) : bits;
}
// The places of items in a stable order.
template <class F> std::vector<std::ptrdiff_t> order_of(std::ptrdiff_t count, F less) {
    std::vector<std::ptrdiff_t> places(count);
    std::iota(places.begin(), places.end(), std::ptrdiff_t(0));
    std::stable_sort(places.begin(), places.end(), less);
    return places;
}
template <class I, class O> void put_in_order(const std::vector<std::ptrdiff_t> &places, I from, O to) {
    const std::vector<thrust::value_of<I>> all(from, from + places.size());
    for (std::size_t k = 0; k < places.size(); ++k) to[k] = all[places[k]];
}

struct DeviceRadixSort {
#define WV_SORTS(SUFFIX, FIRST, SECOND)                                                                                 \
    template <class K>                                                                                                  \
    static cudaError_t SortKeys##SUFFIX(void *storage, std::size_t &bytes, const K *keys, K *sorted, std::ptrdiff_t count, int first = 0, int last = sizeof(K) * 8, cudaStream_t = nullptr) { \
        if (tells_size(storage, bytes)) return cudaSuccess;                                                             \
        auto from = opened(keys);                                                                                       \
        put_in_order(order_of(count, [&](std::ptrdiff_t a, std::ptrdiff_t b) { return key_bits(from[FIRST], first, last) < key_bits(from[SECOND], first, last); }), from, opened(sorted)); \
        return cudaSuccess;                                                                                             \
    }                                                                                                                   \
    template <class K, class V>                                                                                         \
    static cudaError_t SortPairs##SUFFIX(void *storage, std::size_t &bytes, const K *keys, K *sorted, const V *values, V *moved, std::ptrdiff_t count, int first = 0, int last = sizeof(K) * 8, cudaStream_t = nullptr) { \
        if (tells_size(storage, bytes)) return cudaSuccess;                                                             \
        auto from = opened(keys);                                                                                       \
        auto places = order_of(count, [&](std::ptrdiff_t a, std::ptrdiff_t b) { return key_bits(from[FIRST], first, last) < key_bits(from[SECOND], first, last); }); \
        put_in_order(places, from, opened(sorted));                                                                     \
        put_in_order(places, opened(values), opened(moved));                                                            \
        return cudaSuccess;                                                                                             \
    }                                                                                                                   \
    template <class K>                                                                                                  \
    static cudaError_t SortKeys##SUFFIX(void *storage, std::size_t &bytes, DoubleBuffer<K> &keys, std::ptrdiff_t count, int first = 0, int last = sizeof(K) * 8, cudaStream_t = nullptr) { \
        auto error = SortKeys##SUFFIX(storage, bytes, keys.Current(), keys.Alternate(), count, first, last);            \
        if (storage) keys.selector ^= 1;                                                                                \
        return error;                                                                                                   \
    }                                                                                                                   \
    template <class K, class V>                                                                                         \
    static cudaError_t SortPairs##SUFFIX(void *storage, std::size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, std::ptrdiff_t count, int first = 0, int last = sizeof(K) * 8, cudaStream_t = nullptr) { \
        auto error = SortPairs##SUFFIX(storage, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), count, first, last); \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                                          \
        return error;                                                                                                   \
    }
    WV_SORTS(, a, b)
    WV_SORTS(Descending, b, a)
#undef WV_SORTS
};

struct DeviceMergeSort {
    template <class K, class F> static cudaError_t SortKeys(void *storage, std::size_t &bytes, K keys, std::ptrdiff_t count, F less, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto k = opened(keys);
        put_in_order(order_of(count, [&](std::ptrdiff_t a, std::ptrdiff_t b) { return less(k[a], k[b]); }), k, k);
        return cudaSuccess;
    }
    template <class K, class V, class F>
    static cudaError_t SortPairs(void *storage, std::size_t &bytes, K keys, V values, std::ptrdiff_t count, F less, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto k = opened(keys);
        auto v = opened(values);
        auto places = order_of(count, [&](std::ptrdiff_t a, std::ptrdiff_t b) { return less(k[a], k[b]); });
        put_in_order(places, k, k);
        put_in_order(places, v, v);
        return cudaSuccess;
    }
    template <class K, class F> static cudaError_t StableSortKeys(void *storage, std::size_t &bytes, K keys, std::ptrdiff_t count, F less, cudaStream_t = nullptr) {
        return SortKeys(storage, bytes, keys, count, less);
    }
    template <class K, class V, class F>
    static cudaError_t StableSortPairs(void *storage, std::size_t &bytes, K keys, V values, std::ptrdiff_t count, F less, cudaStream_t = nullptr) {
        return SortPairs(storage, bytes, keys, values, count, less);
    }
};
}  // namespace cub
