// CUB's scans of a block, by raking or by scans of its warps.
#pragma once
#include "raking.h"

namespace cub {
// The start of a scan that has none; else it is a value, or a function of the sum of the block.
struct no_start {};
template <class S> constexpr bool has_start = !std::is_same_v<S, no_start>;

template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockScan {
    static constexpr int THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, LANES = THREADS < 32 ? THREADS : 32;
    static constexpr bool BY_WARPS = THREADS <= 32 || (ALGORITHM == BLOCK_SCAN_WARP_SCANS && THREADS % 32 == 0);
    typedef RakingLayout<T, THREADS> Layout;

  public:
    struct TempStorage {
        T values[BY_WARPS ? WARPS : Layout::SIZE];
        T aggregate, start;
    };

    // One value of each thread: the result, without or with a start, and the sum of the block.
#define WARPVIEW_SCANS(KIND, RESULT)                                                                                   \
    template <class F> __device__ void KIND##Scan(T value, T &result, F f, T &aggregate) {                             \
        T inclusive, exclusive;                                                                                        \
        no_start none;                                                                                                 \
        scan(value, inclusive, exclusive, f, none, aggregate);                                                         \
        result = RESULT;                                                                                               \
    }                                                                                                                  \
    template <class F> __device__ void KIND##Scan(T value, T &result, F f) {                                           \
        T aggregate;                                                                                                   \
        KIND##Scan(value, result, f, aggregate);                                                                       \
    }                                                                                                                  \
    template <class F, class P> __device__ void KIND##Scan(T value, T &result, F f, P &prefix) {                       \
        T inclusive, exclusive, aggregate;                                                                             \
        scan(value, inclusive, exclusive, f, prefix, aggregate);                                                       \
        result = RESULT;                                                                                               \
    }                                                                                                                  \
    template <class F> __device__ void KIND##Scan(T value, T &result, T start, F f, T &aggregate) {                    \
        T inclusive, exclusive;                                                                                        \
        scan(value, inclusive, exclusive, f, start, aggregate);                                                        \
        result = RESULT;                                                                                               \
    }                                                                                                                  \
    template <class F> __device__ void KIND##Scan(T value, T &result, T start, F f) {                                  \
        T aggregate;                                                                                                   \
        KIND##Scan(value, result, start, f, aggregate);                                                                \
    }
    WARPVIEW_SCANS(Inclusive, inclusive)
    WARPVIEW_SCANS(Exclusive, exclusive)
#undef WARPVIEW_SCANS
    __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __device__ void InclusiveSum(T value, T &result, T &aggregate) { InclusiveScan(value, result, cub::Sum(), aggregate); }
    template <class P> __device__ void InclusiveSum(T value, T &result, P &prefix) {
        InclusiveScan(value, result, cub::Sum(), prefix);
    }
    __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    __device__ void ExclusiveSum(T value, T &result, T &aggregate) {
        ExclusiveScan(value, result, T(), cub::Sum(), aggregate);
    }
    template <class P> __device__ void ExclusiveSum(T value, T &result, P &prefix) {
        ExclusiveScan(value, result, cub::Sum(), prefix);
    }

    // Several values of each thread, one behind the other.
#define WARPVIEW_SCANS(KIND, kind)                                                                                     \
    template <class F, int N> __device__ void KIND##Scan(T (&items)[N], T (&results)[N], F f, T &aggregate) {          \
        no_start none;                                                                                                 \
        kind(items, results, f, none, aggregate);                                                                      \
    }                                                                                                                  \
    template <class F, int N> __device__ void KIND##Scan(T (&items)[N], T (&results)[N], F f) {                        \
        T aggregate;                                                                                                   \
        KIND##Scan(items, results, f, aggregate);                                                                      \
    }                                                                                                                  \
    template <class F, int N, class P> __device__ void KIND##Scan(T (&items)[N], T (&results)[N], F f, P &prefix) {    \
        T aggregate;                                                                                                   \
        kind(items, results, f, prefix, aggregate);                                                                    \
    }                                                                                                                  \
    template <class F, int N>                                                                                          \
    __device__ void KIND##Scan(T (&items)[N], T (&results)[N], T start, F f, T &aggregate) {                           \
        kind(items, results, f, start, aggregate);                                                                     \
    }                                                                                                                  \
    template <class F, int N> __device__ void KIND##Scan(T (&items)[N], T (&results)[N], T start, F f) {               \
        T aggregate;                                                                                                   \
        kind(items, results, f, start, aggregate);                                                                     \
    }
    WARPVIEW_SCANS(Inclusive, inclusive_items)
    WARPVIEW_SCANS(Exclusive, exclusive_items)
#undef WARPVIEW_SCANS
    template <int N> __device__ void InclusiveSum(T (&items)[N], T (&results)[N]) {
        InclusiveScan(items, results, cub::Sum());
    }
    template <int N> __device__ void InclusiveSum(T (&items)[N], T (&results)[N], T &aggregate) {
        InclusiveScan(items, results, cub::Sum(), aggregate);
    }
    template <int N, class P> __device__ void InclusiveSum(T (&items)[N], T (&results)[N], P &prefix) {
        InclusiveScan(items, results, cub::Sum(), prefix);
    }
    template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&results)[N]) {
        ExclusiveScan(items, results, T(), cub::Sum());
    }
    template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&results)[N], T &aggregate) {
        ExclusiveScan(items, results, T(), cub::Sum(), aggregate);
    }
    template <int N, class P> __device__ void ExclusiveSum(T (&items)[N], T (&results)[N], P &prefix) {
        ExclusiveScan(items, results, cub::Sum(), prefix);
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockScan)
    template <class S> __device__ static T first_of(S &start, T aggregate) {
        if constexpr (std::is_same_v<S, T>) return start;
        else return start(aggregate);
    }
    // Both scans of one value of each thread; the exclusive one of the first thread is the start, where there is one.
    template <class F, class S>
    __device__ void scan(T value, T &inclusive, T &exclusive, F f, S &start, T &aggregate) {
        if constexpr (BY_WARPS)
            by_warps(value, inclusive, exclusive, f, start, aggregate);
        else {
            by_raking(value, exclusive, f, start, aggregate);
            inclusive = has_start<S> || thread > 0 ? f(exclusive, value) : value;
        }
    }
    // Each warp scans by shuffles; every thread adds up the sums of the warps before its own.
    template <class F, class S>
    __device__ void by_warps(T value, T &inclusive, T &exclusive, F f, S &start, T &aggregate) {
        const int warp = thread / 32, lane = thread % 32;
        WarpScan<T, LANES>().Scan(value, inclusive, exclusive, f);
        if (lane == LANES - 1) storage.values[warp] = inclusive;
        __syncthreads();
        aggregate = storage.values[0];
        T before = aggregate;
        for (int k = 1; k < WARPS; k++) {
            if (warp == k) before = aggregate;
            aggregate = f(aggregate, storage.values[k]);
        }
        if (warp > 0) {
            exclusive = lane == 0 ? before : f(before, exclusive);
            inclusive = f(before, inclusive);
        }
        if constexpr (has_start<S>) {
            if (warp == 0) {
                const T first = first_of(start, aggregate);
                if (lane == 0) storage.start = first;
            }
            __syncthreads();
            const T first = storage.start;
            exclusive = thread == 0 ? first : f(first, exclusive);
            inclusive = f(first, inclusive);
        }
    }
    // All values go through shared memory: the lanes of the first warp add up a segment each, scan the sums, and write
    // to each place what comes before it.
    template <class F, class S> __device__ void by_raking(T value, T &exclusive, F f, S &start, T &aggregate) {
        const int place = Layout::place(thread);
        storage.values[place] = value;
        __syncthreads();
        if (thread < Layout::RAKING) rake(f, start);
        __syncthreads();
        exclusive = storage.values[place];
        aggregate = storage.aggregate;
    }
    template <class F, class S> __device__ void rake(F f, S &start) {
        T *segment = &storage.values[Layout::place(thread * Layout::LENGTH)];
        const int count = min(Layout::LENGTH, THREADS - thread * Layout::LENGTH);
        T sum = segment[0], inclusive, before;
        for (int k = 1; k < Layout::LENGTH; k++)
            if (k < count) sum = f(sum, segment[k]);
        WarpScan<T, Layout::RAKING>().Scan(sum, inclusive, before, f);
        const T all = shuffle_from<Layout::RAKING>(inclusive, Layout::RAKING - 1);
        if (thread == 0) storage.aggregate = all;
        if constexpr (has_start<S>) {
            const T first = shuffle_from<Layout::RAKING>(first_of(start, all), 0);
            before = thread == 0 ? first : f(first, before);
        }
        for (int k = 0; k < Layout::LENGTH; k++)
            if (k < count) {
                const T own = segment[k];
                segment[k] = before;
                before = k == 0 && thread == 0 && !has_start<S> ? own : f(before, own);
            }
    }
    template <class F, class S, int N>
    __device__ void inclusive_items(T (&items)[N], T (&results)[N], F f, S &start, T &aggregate) {
        T inclusive, before;
        scan(ThreadReduce(items, f), inclusive, before, f, start, aggregate);
        scan_inclusive<N>(items, results, f, before, has_start<S> || thread > 0);
    }
    template <class F, class S, int N>
    __device__ void exclusive_items(T (&items)[N], T (&results)[N], F f, S &start, T &aggregate) {
        T inclusive, before;
        scan(ThreadReduce(items, f), inclusive, before, f, start, aggregate);
        scan_exclusive<N>(items, results, f, before, has_start<S> || thread > 0);
    }
};
}  // namespace cub
