// CUB's radix sort of a block: digit by digit, the items of each digit are counted, the counts scanned, the items moved.
#pragma once
#include "block_data.h"
#include "block_scan.h"

namespace cub {
// Keys as unsigned numbers in the same order: the sign bit turned, negative floating-point numbers turned whole.
template <int BYTES> struct unsigned_of { typedef unsigned char type; };
template <> struct unsigned_of<2> { typedef unsigned short type; };
template <> struct unsigned_of<4> { typedef unsigned int type; };
template <> struct unsigned_of<8> { typedef unsigned long long type; };
template <class K> struct SortKey {
    typedef typename unsigned_of<sizeof(K)>::type Bits;
    static constexpr Bits SIGN = (Bits)1 << (sizeof(K) * 8 - 1);
    static constexpr bool IS_FLOATING = !std::is_integral_v<K>;

    __device__ static Bits ordered(K key) {
        const Bits bits = *(const Bits *)&key;
        if constexpr (IS_FLOATING) return bits & SIGN ? (Bits)~bits : (Bits)(bits | SIGN);
        else if constexpr (std::is_signed_v<K>) return bits ^ SIGN;
        else return bits;
    }
    __device__ static K key(Bits ordered) {
        Bits bits = ordered;
        if constexpr (IS_FLOATING) bits = ordered & SIGN ? (Bits)(ordered ^ SIGN) : (Bits)~ordered;
        else if constexpr (std::is_signed_v<K>) bits = ordered ^ SIGN;
        return *(const K *)&bits;
    }
};

template <class K, int X, int N, class V = NullType, int RADIX_BITS = 4, bool MEMOIZE = true,
          BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS, int BANKS = 0, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockRadixSort {
    typedef SortKey<K> Key;
    typedef typename Key::Bits Bits;
    static constexpr int THREADS = X * Y * Z;
    static constexpr int DIGITS = 1 << RADIX_BITS, LANES = DIGITS / 2;  // two counters of 16 bits lie in a word
    static constexpr bool HAS_VALUES = !std::is_same_v<V, NullType>;
    typedef BlockScan<unsigned int, X, SCAN, Y, Z> Scan;
    typedef BlockExchange<Bits, X, N, false, Y, Z> KeyExchange;
    typedef BlockExchange<V, X, N, false, Y, Z> ValueExchange;

  public:
    struct TempStorage {
        union {
            struct {
                unsigned int counters[THREADS * (LANES + 1)];
                typename Scan::TempStorage scan;
            } ranking;
            typename KeyExchange::TempStorage keys;
            typename ValueExchange::TempStorage values;
        };
    };

#define WARPVIEW_SORT(NAME, DESCENDING, STRIPED)                                                            \
    __device__ void NAME(K (&keys)[N], int first_bit = 0, int last_bit = sizeof(K) * 8) {                   \
        V values[N];                                                                                        \
        sort<DESCENDING, STRIPED, false>(keys, values, first_bit, last_bit);                                \
    }                                                                                                       \
    __device__ void NAME(K (&keys)[N], V (&values)[N], int first_bit = 0, int last_bit = sizeof(K) * 8) {   \
        sort<DESCENDING, STRIPED, true>(keys, values, first_bit, last_bit);                                 \
    }
    WARPVIEW_SORT(Sort, false, false)
    WARPVIEW_SORT(SortDescending, true, false)
    WARPVIEW_SORT(SortBlockedToStriped, false, true)
    WARPVIEW_SORT(SortDescendingBlockedToStriped, true, true)
#undef WARPVIEW_SORT

    WARPVIEW_BLOCK_ALGORITHM(BlockRadixSort)
    template <bool DESCENDING, bool STRIPED, bool VALUES>
    __device__ void sort(K (&keys)[N], V (&values)[N], int first_bit, int last_bit) {
        Bits bits[N];
        for (int k = 0; k < N; k++) bits[k] = Key::ordered(keys[k]);
        for (int bit = first_bit; bit < last_bit; bit += RADIX_BITS) {
            int ranks[N];
            rank<DESCENDING>(bits, ranks, bit, min(RADIX_BITS, last_bit - bit));
            __syncthreads();
            const bool striped = STRIPED && bit + RADIX_BITS >= last_bit;
            move(KeyExchange(storage.keys), bits, ranks, striped);
            if constexpr (VALUES) {
                __syncthreads();
                move(ValueExchange(storage.values), values, ranks, striped);
            }
            if (bit + RADIX_BITS < last_bit) __syncthreads();
        }
        for (int k = 0; k < N; k++) keys[k] = Key::key(bits[k]);
    }
    template <class E, class T> __device__ void move(E exchange, T (&items)[N], int (&ranks)[N], bool striped) {
        if (striped) exchange.ScatterToStriped(items, ranks);
        else exchange.ScatterToBlocked(items, ranks);
    }
    // The place of each item when the block is sorted by one digit: a counter for each digit and thread, in which the
    // lower half of the digits has the lower half of the words.
    template <bool DESCENDING> __device__ void rank(Bits (&bits)[N], int (&ranks)[N], int bit, int count) {
        unsigned int *counters = storage.ranking.counters;
        unsigned short *places[N];
        for (int lane = 0; lane <= LANES; lane++) counters[lane * THREADS + thread] = 0;
        for (int k = 0; k < N; k++) {
            int digit = (unsigned int)(bits[k] >> bit) & ((1u << count) - 1);
            if (DESCENDING) digit = DIGITS - 1 - digit;
            places[k] = (unsigned short *)&counters[digit % LANES * THREADS + thread] + digit / LANES;
            ranks[k] = (*places[k])++;
        }
        __syncthreads();
        scan_counters();
        __syncthreads();
        for (int k = 0; k < N; k++) ranks[k] += *places[k];
    }
    // An exclusive scan of all counters, both halves of the words at once; the sum of the lower half goes before the upper.
    __device__ void scan_counters() {
        unsigned int *own = &storage.ranking.counters[thread * (LANES + 1)], counts[LANES + 1], before;
        for (int k = 0; k <= LANES; k++) counts[k] = own[k];
        auto lower_half = [](unsigned int sum) { return sum << 16; };
        Scan(storage.ranking.scan).ExclusiveSum(in_order<LANES + 1>(counts, cub::Sum()), before, lower_half);
        for (int k = 0; k <= LANES; k++) {
            own[k] = before;
            before += counts[k];
        }
    }
};
}  // namespace cub
