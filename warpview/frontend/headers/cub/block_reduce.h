// CUB's reductions of a block, in NVIDIA's three ways of work.
#pragma once
#include "raking.h"

namespace cub {
template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockReduce {
    static constexpr int THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32;
    static constexpr bool BY_WARPS = ALGORITHM == BLOCK_REDUCE_WARP_REDUCTIONS;
    static constexpr bool SHARES = ALGORITHM == BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY && THREADS % 32 == 0 && THREADS > 32;
    typedef RakingLayout<T, THREADS> Layout;
    typedef RakingLayout<T, SHARES ? THREADS - 32 : THREADS> OfOthers;  // where the first warp keeps its own values

  public:
    struct TempStorage { T values[BY_WARPS ? WARPS : Layout::SIZE]; };

    template <class F> __device__ T Reduce(T value, F f, int valid) {
        if constexpr (BY_WARPS) return by_warps(value, f, valid);
        else return by_raking(value, f, valid);
    }
    template <class F> __device__ T Reduce(T value, F f) {
        if constexpr (SHARES) return by_sharing(value, f);
        else return Reduce(value, f, THREADS);
    }
    template <class F, int N> __device__ T Reduce(T (&items)[N], F f) { return Reduce(ThreadReduce(items, f), f); }
    __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
    __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }

    WARPVIEW_BLOCK_ALGORITHM(BlockReduce)
    // The sum of each warp by shuffles; the first thread adds the sums.
    template <class F> __device__ T by_warps(T value, F f, int valid) {
        const int first = thread / 32 * 32;
        T sum = WarpReduce<T>().Reduce(value, f, min(valid - first, 32));
        if (thread == first) storage.values[first / 32] = sum;
        __syncthreads();
        if (thread == 0)
            for (int warp = 1; warp < WARPS; warp++)
                if (warp * 32 < valid) sum = f(sum, storage.values[warp]);
        return sum;
    }
    // All values go through shared memory, of which each lane of the first warp adds up a segment.
    template <class F> __device__ T by_raking(T value, F f, int valid) {
        if (thread < valid) storage.values[Layout::place(thread)] = value;
        __syncthreads();
        if (thread >= Layout::RAKING) return value;
        const T *segment = &storage.values[Layout::place(thread * Layout::LENGTH)];
        T sum = segment[0];
        for (int k = 1; k < Layout::LENGTH; k++)
            if (thread * Layout::LENGTH + k < valid) sum = f(sum, segment[k]);
        return WarpReduce<T, Layout::RAKING>().Reduce(sum, f, (valid + Layout::LENGTH - 1) / Layout::LENGTH);
    }
    // The first warp adds what the others hold to its own values.
    template <class F> __device__ T by_sharing(T value, F f) {
        if (thread >= 32) storage.values[OfOthers::place(thread - 32)] = value;
        __syncthreads();
        if (thread >= 32) return value;
        const T *segment = &storage.values[OfOthers::place(thread * OfOthers::LENGTH)];
        T own[OfOthers::LENGTH + 1] = {value};
        for (int k = 0; k < OfOthers::LENGTH; k++) own[k + 1] = segment[k];
        return WarpReduce<T>().Reduce(own, f);
    }
};
}  // namespace cub
