// CUB's histograms of a block, by atomics or by sorting.
#pragma once
#include "block_radix_sort.h"

namespace cub {
template <class T, int X, int N, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int Y = 1, int Z = 1,
          int ARCHITECTURE = 0>
class BlockHistogram {
    static constexpr int THREADS = X * Y * Z;
    typedef BlockRadixSort<T, X, N, NullType, 4, true, BLOCK_SCAN_WARP_SCANS, 0, Y, Z> Sort;
    struct Sorting {
        typename Sort::TempStorage sort;
        T items[THREADS * N];
        unsigned int begin[BINS], end[BINS];  // of the run of each bin
    };
    struct Nothing {};

  public:
    typedef std::conditional_t<ALGORITHM == BLOCK_HISTO_SORT, Sorting, Nothing> TempStorage;

    template <class C> __device__ void InitHistogram(C *histogram) {
        for (int bin = thread; bin < BINS; bin += THREADS) histogram[bin] = 0;
    }
    template <class C> __device__ void Histogram(T (&items)[N], C *histogram) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
    template <class C> __device__ void Composite(T (&items)[N], C *histogram) {
        if constexpr (ALGORITHM == BLOCK_HISTO_ATOMIC)
            for (int k = 0; k < N; k++) atomicAdd(&histogram[(int)items[k]], (C)1);
        else {
            find_runs(items);
            for (int bin = thread; bin < BINS; bin += THREADS) histogram[bin] += storage.end[bin] - storage.begin[bin];
        }
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockHistogram)
    // Where the run of each bin begins and ends among the sorted items.
    __device__ void find_runs(T (&items)[N]) {
        Sort(storage.sort).Sort(items);
        for (int bin = thread; bin < BINS; bin += THREADS) storage.begin[bin] = storage.end[bin] = 0;
        for (int k = 0; k < N; k++) storage.items[thread * N + k] = items[k];
        __syncthreads();
        for (int k = 0; k < N; k++) {
            const int place = thread * N + k;
            if (place == 0 || storage.items[place - 1] != items[k]) storage.begin[(int)items[k]] = place;
            if (place == THREADS * N - 1 || storage.items[place + 1] != items[k]) storage.end[(int)items[k]] = place + 1;
        }
        __syncthreads();
    }
};
}  // namespace cub
