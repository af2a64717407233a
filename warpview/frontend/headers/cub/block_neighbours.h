// CUB's algorithms in which a thread of a block sees the items of the threads beside it.
#pragma once
#include "common.h"

namespace cub {
template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockShuffle {
    static constexpr int THREADS = X * Y * Z;

  public:
    struct TempStorage { T values[THREADS]; };

    __device__ void Offset(T value, T &result, int distance = 1) {
        share(value);
        if (thread + distance >= 0 && thread + distance < THREADS) result = storage.values[thread + distance];
    }
    __device__ void Rotate(T value, T &result, unsigned int distance = 1) {
        share(value);
        result = storage.values[(thread + distance) % THREADS];
    }
    template <int N> __device__ void Up(T (&items)[N], T (&before)[N]) {
        share(items[N - 1]);
        for (int k = N - 1; k > 0; k--) before[k] = items[k - 1];
        if (thread > 0) before[0] = storage.values[thread - 1];
    }
    template <int N> __device__ void Up(T (&items)[N], T (&before)[N], T &last) {
        Up(items, before);
        last = storage.values[THREADS - 1];
    }
    template <int N> __device__ void Down(T (&items)[N], T (&behind)[N]) {
        share(items[0]);
        for (int k = 0; k < N - 1; k++) behind[k] = items[k + 1];
        if (thread < THREADS - 1) behind[N - 1] = storage.values[thread + 1];
    }
    template <int N> __device__ void Down(T (&items)[N], T (&behind)[N], T &first) {
        Down(items, behind);
        first = storage.values[0];
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockShuffle)
    __device__ void share(T value) {
        storage.values[thread] = value;
        __syncthreads();
    }
};

template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockDiscontinuity {
    static constexpr int THREADS = X * Y * Z;

  public:
    struct TempStorage { T first[THREADS], last[THREADS]; };

    // Flags of the items that differ from the one before, of which the first of all is one unless its forerunner is given.
    template <int N, class FLAG, class F> __device__ void FlagHeads(FLAG (&flags)[N], T (&items)[N], F differs) {
        share(items);
        heads(flags, items, differs, thread == 0, thread == 0 ? items[0] : storage.last[thread - 1]);
    }
    template <int N, class FLAG, class F> __device__ void FlagHeads(FLAG (&flags)[N], T (&items)[N], F differs, T before) {
        share(items);
        heads(flags, items, differs, false, thread == 0 ? before : storage.last[thread - 1]);
    }
    // Flags of the items that differ from the one behind.
    template <int N, class FLAG, class F> __device__ void FlagTails(FLAG (&flags)[N], T (&items)[N], F differs) {
        share(items);
        const bool ends = thread == THREADS - 1;
        tails(flags, items, differs, ends, ends ? items[0] : storage.first[thread + 1]);
    }
    template <int N, class FLAG, class F> __device__ void FlagTails(FLAG (&flags)[N], T (&items)[N], F differs, T behind) {
        share(items);
        tails(flags, items, differs, false, thread == THREADS - 1 ? behind : storage.first[thread + 1]);
    }
    template <int N, class FLAG, class F>
    __device__ void FlagHeadsAndTails(FLAG (&head_flags)[N], FLAG (&tail_flags)[N], T (&items)[N], F differs) {
        FlagHeads(head_flags, items, differs);
        const bool ends = thread == THREADS - 1;
        tails(tail_flags, items, differs, ends, ends ? items[0] : storage.first[thread + 1]);
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockDiscontinuity)
    template <int N> __device__ void share(T (&items)[N]) {
        storage.first[thread] = items[0];
        storage.last[thread] = items[N - 1];
        __syncthreads();
    }
    template <int N, class FLAG, class F>
    __device__ void heads(FLAG (&flags)[N], T (&items)[N], F differs, bool always, T before) {
        flags[0] = always || differs(before, items[0]);
        for (int k = 1; k < N; k++) flags[k] = differs(items[k - 1], items[k]);
    }
    template <int N, class FLAG, class F>
    __device__ void tails(FLAG (&flags)[N], T (&items)[N], F differs, bool always, T behind) {
        flags[N - 1] = always || differs(items[N - 1], behind);
        for (int k = 0; k < N - 1; k++) flags[k] = differs(items[k], items[k + 1]);
    }
};

template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockAdjacentDifference {
    static constexpr int THREADS = X * Y * Z;

  public:
    struct TempStorage { T values[THREADS]; };

    // The difference of each item and the one before, or behind; the one at the end stays as it is.
    template <int N, class O, class F> __device__ void SubtractLeft(T (&items)[N], O (&results)[N], F f) {
        share(items[N - 1]);
        left(items, results, f, thread > 0, thread > 0 ? storage.values[thread - 1] : items[0]);
    }
    template <int N, class O, class F> __device__ void SubtractLeft(T (&items)[N], O (&results)[N], F f, T before) {
        share(items[N - 1]);
        left(items, results, f, true, thread > 0 ? storage.values[thread - 1] : before);
    }
    template <int N, class O, class F> __device__ void SubtractRight(T (&items)[N], O (&results)[N], F f) {
        share(items[0]);
        const bool ends = thread == THREADS - 1;
        right(items, results, f, !ends, ends ? items[0] : storage.values[thread + 1]);
    }
    template <int N, class O, class F> __device__ void SubtractRight(T (&items)[N], O (&results)[N], F f, T behind) {
        share(items[0]);
        right(items, results, f, true, thread == THREADS - 1 ? behind : storage.values[thread + 1]);
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockAdjacentDifference)
    __device__ void share(T value) {
        storage.values[thread] = value;
        __syncthreads();
    }
    template <int N, class O, class F>
    __device__ void left(T (&items)[N], O (&results)[N], F f, bool has_before, T before) {
        for (int k = N - 1; k > 0; k--) results[k] = f(items[k], items[k - 1]);
        results[0] = has_before ? f(items[0], before) : items[0];
    }
    template <int N, class O, class F>
    __device__ void right(T (&items)[N], O (&results)[N], F f, bool has_behind, T behind) {
        for (int k = 0; k < N - 1; k++) results[k] = f(items[k], items[k + 1]);
        results[N - 1] = has_behind ? f(items[N - 1], behind) : items[N - 1];
    }
};
}  // namespace cub
