// CUB's selections of items, by a function, by flags, or where they differ from the one before; and partitions, which put
// the others behind them in reverse.
#pragma once

namespace cub {
template <bool KEEPS_OTHERS, class I, class O, class N, class F> cudaError_t select(I from, O to, N selected, std::ptrdiff_t count, F chooses) {
    std::ptrdiff_t kept = 0;
    std::vector<thrust::value_of<I>> all(from, from + count);
    std::vector<char> chosen(count);
    for (std::ptrdiff_t k = 0; k < count; ++k) chosen[k] = static_cast<bool>(chooses(k));
    for (std::ptrdiff_t k = 0; k < count; ++k)
        if (chosen[k]) to[kept++] = all[k];
    for (std::ptrdiff_t k = 0, end = count; KEEPS_OTHERS && k < count; ++k)
        if (!chosen[k]) to[--end] = all[k];
    *opened(selected) = kept;
    return cudaSuccess;
}

#define WV_SELECTS(KEEPS_OTHERS)                                                                                        \
    template <class I, class O, class N, class F>                                                                       \
    static cudaError_t If(void *storage, std::size_t &bytes, I in, O out, N selected, std::ptrdiff_t count, F f, cudaStream_t = nullptr) { \
        if (tells_size(storage, bytes)) return cudaSuccess;                                                             \
        auto from = opened(in);                                                                                         \
        return select<KEEPS_OTHERS>(from, opened(out), selected, count, [&](std::ptrdiff_t k) { return f(from[k]); });  \
    }                                                                                                                   \
    template <class I, class G, class O, class N>                                                                       \
    static cudaError_t Flagged(void *storage, std::size_t &bytes, I in, G flags, O out, N selected, std::ptrdiff_t count, cudaStream_t = nullptr) { \
        if (tells_size(storage, bytes)) return cudaSuccess;                                                             \
        auto flag = opened(flags);                                                                                      \
        return select<KEEPS_OTHERS>(opened(in), opened(out), selected, count, [&](std::ptrdiff_t k) { return flag[k]; }); \
    }
struct DeviceSelect {
    WV_SELECTS(false)
    template <class I, class O, class N>
    static cudaError_t Unique(void *storage, std::size_t &bytes, I in, O out, N selected, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(in);
        return select<false>(from, opened(out), selected, count, [&](std::ptrdiff_t k) { return k == 0 || !(from[k] == from[k - 1]); });
    }
};
struct DevicePartition {
    WV_SELECTS(true)
};
#undef WV_SELECTS
}  // namespace cub
