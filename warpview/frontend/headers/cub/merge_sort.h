// CUB's merge sorts of a block and of a warp: each thread sorts its items, then neighbouring runs are merged.
#pragma once
#include "common.h"

namespace cub {
// One of the ways in which threads of a merge wait for each other.
struct threads_of_a_block {
    __device__ static void wait() { __syncthreads(); }
};
struct lanes_of_a_warp {
    __device__ static void wait() { __syncwarp(); }
};

template <class K, int THREADS, int N, class V, class GROUP> class MergeSort {
    static constexpr bool HAS_VALUES = !std::is_same_v<V, NullType>;

  public:
    union TempStorage {
        K keys[THREADS * N + 1];
        V values[THREADS * N + 1];
    };

    template <class F> __device__ void Sort(K (&keys)[N], F less) {
        V values[N];
        sort<false>(keys, values, less, THREADS * N);
    }
    template <class F> __device__ void Sort(K (&keys)[N], F less, int valid, K otherwise) {
        V values[N];
        fill(keys, less, valid, otherwise);
        sort<false>(keys, values, less, valid);
    }
    template <class F> __device__ void Sort(K (&keys)[N], V (&values)[N], F less) {
        sort<true>(keys, values, less, THREADS * N);
    }
    template <class F> __device__ void Sort(K (&keys)[N], V (&values)[N], F less, int valid, K otherwise) {
        fill(keys, less, valid, otherwise);
        sort<true>(keys, values, less, valid);
    }
    template <class F> __device__ void StableSort(K (&keys)[N], F less) { Sort(keys, less); }
    template <class F> __device__ void StableSort(K (&keys)[N], V (&values)[N], F less) { Sort(keys, values, less); }

  protected:
    TempStorage &storage;
    const int thread;
    __device__ MergeSort(TempStorage &storage, int thread) : storage(storage), thread(thread) {}

  private:
    // The places behind the last valid item get the greatest key of the thread, so that they stay there.
    template <class F> __device__ void fill(K (&keys)[N], F less, int valid, K greatest) {
        for (int k = 0; k < N; k++)
            if (thread * N + k >= valid) keys[k] = greatest;
            else if (k > 0 && less(greatest, keys[k])) greatest = keys[k];
    }
    template <bool VALUES, class F> __device__ void sort(K (&keys)[N], V (&values)[N], F less, int valid) {
        if (thread * N < valid) sort_own<VALUES>(keys, values, less);
        for (int merged = 2; merged <= THREADS; merged *= 2) {
            int from[N];
            GROUP::wait();
            for (int k = 0; k < N; k++) storage.keys[thread * N + k] = keys[k];
            GROUP::wait();
            merge(keys, from, less, merged, valid);
            if constexpr (VALUES) {
                GROUP::wait();
                for (int k = 0; k < N; k++) storage.values[thread * N + k] = values[k];
                GROUP::wait();
                for (int k = 0; k < N; k++) values[k] = storage.values[from[k]];
            }
        }
    }
    // Odd-even transposition of the items of one thread, which keeps the order of equal ones.
    template <bool VALUES, class F> __device__ void sort_own(K (&keys)[N], V (&values)[N], F less) {
        for (int round = 0; round < N; round++)
            for (int k = round % 2; k < N - 1; k += 2)
                if (less(keys[k + 1], keys[k])) {
                    const K key = keys[k];
                    keys[k] = keys[k + 1], keys[k + 1] = key;
                    if constexpr (VALUES) {
                        const V value = values[k];
                        values[k] = values[k + 1], values[k + 1] = value;
                    }
                }
    }
    // The part of two neighbouring runs that belongs to this thread, and where each of its items came from.
    template <class F> __device__ void merge(K (&keys)[N], int (&from)[N], F less, int merged, int valid) {
        const int first = min(valid, thread / merged * merged * N), middle = min(valid, first + merged / 2 * N);
        const int last = min(valid, middle + merged / 2 * N), diagonal = min(valid, thread % merged * N);
        const int left = on_path(&storage.keys[first], &storage.keys[middle], middle - first, last - middle, diagonal, less);
        int a = first + left, b = middle + diagonal - left;
        for (int k = 0; k < N; k++) {
            const bool takes_b = b < last && (a >= middle || less(storage.keys[b], storage.keys[a]));
            from[k] = takes_b ? b++ : a++;
            keys[k] = storage.keys[from[k]];
        }
    }
    // How many of the first `diagonal` items of two merged runs come from the first run.
    template <class F> __device__ int on_path(const K *a, const K *b, int a_count, int b_count, int diagonal, F less) {
        int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
        while (low < high) {
            const int middle = (low + high) / 2;
            if (less(b[diagonal - 1 - middle], a[middle])) high = middle;
            else low = middle + 1;
        }
        return low;
    }
};

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public MergeSort<K, X * Y * Z, N, V, threads_of_a_block> {
    typedef MergeSort<K, X * Y * Z, N, V, threads_of_a_block> Base;

  public:
    __device__ BlockMergeSort(typename Base::TempStorage &storage) : Base(storage, thread_of_block()) {}
};
template <class K, int N, int THREADS = 32, class V = NullType, int ARCHITECTURE = 0>
class WarpMergeSort : public MergeSort<K, THREADS, N, V, lanes_of_a_warp> {
    typedef MergeSort<K, THREADS, N, V, lanes_of_a_warp> Base;

  public:
    __device__ WarpMergeSort(typename Base::TempStorage &storage) : Base(storage, LaneId() % THREADS) {}
};
}  // namespace cub
