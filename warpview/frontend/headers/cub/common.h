// What CUB's algorithms share: the number of a thread, shuffles of any type, and what one thread does with its items.
#pragma once
#include <cuda/functional>
#include <functional>
#include <type_traits>
#include "operators.h"

namespace cub {
__device__ inline int thread_of_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ inline unsigned int LaneId() { return thread_of_block() % 32; }
__device__ inline unsigned int WarpId() { return thread_of_block() / 32; }
__device__ inline int RowMajorTid(int x, int y, int z) { return thread_of_block(); }

// What an algorithm of a block holds, behind which its private functions come: the shared memory that it is given, or has
// of its own, and the number of the thread.
#define WARPVIEW_BLOCK_ALGORITHM(NAME)                                                                       \
  public:                                                                                                    \
    __device__ NAME(TempStorage &storage) : storage(storage), thread(thread_of_block()) {}                   \
    __device__ NAME() : storage(own_storage()), thread(thread_of_block()) {}                                 \
                                                                                                             \
  private:                                                                                                   \
    TempStorage &storage;                                                                                    \
    const int thread;                                                                                        \
    __device__ static TempStorage &own_storage() {                                                           \
        __shared__ TempStorage own;                                                                          \
        return own;                                                                                          \
    }

// The lanes of a part of a warp that works together, and the width of its shuffles.
template <int THREADS> __device__ unsigned int members() {
    const unsigned int lanes = 0xffffffffu >> (32 - THREADS);
    return THREADS & (THREADS - 1) ? lanes : lanes << LaneId() / THREADS * THREADS;
}
#define WARPVIEW_SHUFFLE(NAME, SHUFFLE)                                                                      \
    template <int THREADS, class T> __device__ T NAME(const T &value, int lane) {                            \
        constexpr int width = THREADS & (THREADS - 1) ? 32 : THREADS;                                        \
        const unsigned int mask = members<THREADS>();                                                        \
        T result;                                                                                            \
        if constexpr (std::is_arithmetic_v<T>)                                                               \
            result = (T)SHUFFLE(mask, value, lane, width);                                                   \
        else if constexpr (sizeof(T) % 4 == 0)                                                               \
            for (int k = 0; k < sizeof(T) / 4; k++)                                                          \
                ((unsigned *)&result)[k] = SHUFFLE(mask, ((const unsigned *)&value)[k], lane, width);        \
        else                                                                                                 \
            for (int k = 0; k < sizeof(T); k++)                                                              \
                ((unsigned char *)&result)[k] = SHUFFLE(mask, (int)((const unsigned char *)&value)[k], lane, width); \
        return result;                                                                                       \
    }
WARPVIEW_SHUFFLE(shuffle_up, __shfl_up_sync)
WARPVIEW_SHUFFLE(shuffle_down, __shfl_down_sync)
WARPVIEW_SHUFFLE(shuffle_from, __shfl_sync)
#undef WARPVIEW_SHUFFLE

// Whether NVIDIA's compiler may take the sums of one thread in pairs: for its own operators on up to four bytes.
template <class F> struct is_reordered { static constexpr bool value = false; };
template <> struct is_reordered<Sum> { static constexpr bool value = true; };
template <class T> struct is_reordered<std::plus<T>> { static constexpr bool value = true; };

// The items of one thread, combined one after the other, or as a tree of pairs.
template <int N, class T, class F> __device__ T in_order(const T *items, F f) {
    T result = items[0];
    for (int k = 1; k < N; k++) result = f(result, items[k]);
    return result;
}
template <class F, class T, int N> __device__ T ThreadReduce(T (&items)[N], F f) {
    if constexpr (!is_reordered<F>::value || !std::is_same_v<T, float>)
        return in_order<N>(items, f);
    else {
        T partial[N];
        for (int k = 0; k < N; k++) partial[k] = items[k];
        for (int step = 1; step < N; step *= 2)
            for (int k = 0; k + step < N; k += 2 * step) partial[k] = f(partial[k], partial[k + step]);
        return partial[0];
    }
}
// Scans of the items of one thread, behind a prefix where there is one.
template <int N, class T, class F> __device__ T scan_inclusive(const T *from, T *to, F f, T prefix, bool has_prefix = true) {
    T sum = from[0];
    if (has_prefix) sum = f(prefix, sum);
    to[0] = sum;
    for (int k = 1; k < N; k++) to[k] = sum = f(sum, from[k]);
    return sum;
}
template <int N, class T, class F> __device__ T scan_exclusive(const T *from, T *to, F f, T prefix, bool has_prefix = true) {
    T sum = from[0];
    if (has_prefix) sum = f(prefix, sum);
    to[0] = prefix;
    for (int k = 1; k < N; k++) {
        const T next = f(sum, from[k]);
        to[k] = sum;
        sum = next;
    }
    return sum;
}
}  // namespace cub
