// CUB's loads and stores of the items of a block, and their exchange between its threads.
#pragma once
#include "common.h"

namespace cub {
// Items that follow one another belong to one thread, or to threads that follow one another.
template <class I, class T, int N> __device__ void LoadDirectBlocked(int thread, I from, T (&items)[N]) {
    for (int k = 0; k < N; k++) items[k] = from[thread * N + k];
}
template <class I, class T, int N> __device__ void LoadDirectBlocked(int thread, I from, T (&items)[N], int valid) {
    for (int k = 0; k < N; k++)
        if (thread * N + k < valid) items[k] = from[thread * N + k];
}
template <class I, class T, int N, class D>
__device__ void LoadDirectBlocked(int thread, I from, T (&items)[N], int valid, D otherwise) {
    for (int k = 0; k < N; k++) items[k] = otherwise;
    LoadDirectBlocked(thread, from, items, valid);
}
template <int THREADS, class I, class T, int N> __device__ void LoadDirectStriped(int thread, I from, T (&items)[N]) {
    for (int k = 0; k < N; k++) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class I, class T, int N>
__device__ void LoadDirectStriped(int thread, I from, T (&items)[N], int valid) {
    for (int k = 0; k < N; k++)
        if (thread + k * THREADS < valid) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class I, class T, int N, class D>
__device__ void LoadDirectStriped(int thread, I from, T (&items)[N], int valid, D otherwise) {
    for (int k = 0; k < N; k++) items[k] = otherwise;
    LoadDirectStriped<THREADS>(thread, from, items, valid);
}
template <class O, class T, int N> __device__ void StoreDirectBlocked(int thread, O to, T (&items)[N]) {
    for (int k = 0; k < N; k++) to[thread * N + k] = items[k];
}
template <class O, class T, int N> __device__ void StoreDirectBlocked(int thread, O to, T (&items)[N], int valid) {
    for (int k = 0; k < N; k++)
        if (thread * N + k < valid) to[thread * N + k] = items[k];
}
template <int THREADS, class O, class T, int N> __device__ void StoreDirectStriped(int thread, O to, T (&items)[N]) {
    for (int k = 0; k < N; k++) to[thread + k * THREADS] = items[k];
}
template <int THREADS, class O, class T, int N>
__device__ void StoreDirectStriped(int thread, O to, T (&items)[N], int valid) {
    for (int k = 0; k < N; k++)
        if (thread + k * THREADS < valid) to[thread + k * THREADS] = items[k];
}

template <class T, int X, int N, bool IN_TURNS = false, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockExchange {
    static constexpr int THREADS = X * Y * Z;
    static constexpr bool PADDED = N > 4 && (N & (N - 1)) == 0;  // against bank conflicts
    static constexpr int SIZE = THREADS * N + (PADDED ? THREADS * N / 32 : 0);

  public:
    struct TempStorage { T values[SIZE]; };

    // From one arrangement of the items to another, by what place item k of this thread has in each.
#define WARPVIEW_EXCHANGE(NAME, FROM, TO)                                                             \
    template <class O> __device__ void NAME(const T (&items)[N], O (&results)[N]) {                   \
        for (int k = 0; k < N; k++) storage.values[padded(FROM)] = items[k];                          \
        __syncthreads();                                                                              \
        for (int k = 0; k < N; k++) results[k] = storage.values[padded(TO)];                          \
    }                                                                                                 \
    __device__ void NAME(T (&items)[N]) { NAME(items, items); }
    WARPVIEW_EXCHANGE(StripedToBlocked, striped(k), blocked(k))
    WARPVIEW_EXCHANGE(BlockedToStriped, blocked(k), striped(k))
    WARPVIEW_EXCHANGE(WarpStripedToBlocked, striped_by_warps(k), blocked(k))
    WARPVIEW_EXCHANGE(BlockedToWarpStriped, blocked(k), striped_by_warps(k))
#undef WARPVIEW_EXCHANGE
    // Each item goes to the place that its rank says.
#define WARPVIEW_SCATTER(NAME, CONDITION, TO)                                                         \
    template <class O, class R> __device__ void NAME(const T (&items)[N], O (&results)[N], R (&ranks)[N]) { \
        for (int k = 0; k < N; k++)                                                                   \
            if (CONDITION) storage.values[padded(ranks[k])] = items[k];                               \
        __syncthreads();                                                                              \
        for (int k = 0; k < N; k++) results[k] = storage.values[padded(TO)];                          \
    }                                                                                                 \
    template <class R> __device__ void NAME(T (&items)[N], R (&ranks)[N]) { NAME(items, items, ranks); }
    WARPVIEW_SCATTER(ScatterToBlocked, true, blocked(k))
    WARPVIEW_SCATTER(ScatterToStriped, true, striped(k))
    WARPVIEW_SCATTER(ScatterToStripedGuarded, ranks[k] >= 0, striped(k))
#undef WARPVIEW_SCATTER
    template <class R, class FLAG> __device__ void ScatterToStripedFlagged(T (&items)[N], R (&ranks)[N], FLAG (&valid)[N]) {
        for (int k = 0; k < N; k++)
            if (valid[k]) storage.values[padded(ranks[k])] = items[k];
        __syncthreads();
        for (int k = 0; k < N; k++) items[k] = storage.values[padded(striped(k))];
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockExchange)
    __device__ static int padded(int place) { return PADDED ? place + (place >> 5) : place; }
    __device__ int blocked(int k) const { return thread * N + k; }
    __device__ int striped(int k) const { return thread + k * THREADS; }
    __device__ int striped_by_warps(int k) const {
        const int first = thread / 32 * 32;
        return first * N + thread - first + k * min(32, THREADS - first);
    }
};

// Words of up to 16 bytes in which the items of a thread are loaded and stored as a whole.
template <int BYTES> struct vector_word { typedef unsigned char type; };
template <> struct vector_word<4> { typedef unsigned int type; };
template <> struct vector_word<8> { typedef uint2 type; };
template <> struct vector_word<16> { typedef uint4 type; };
template <int BYTES> constexpr int vector_size = BYTES % 16 == 0 ? 16 : BYTES % 8 == 0 ? 8 : BYTES % 4 == 0 ? 4 : 1;
template <class T, int N> __device__ void LoadDirectBlockedVectorized(int thread, const T *from, T (&items)[N]) {
    constexpr int bytes = N * sizeof(T), size = vector_size<bytes>;
    typedef typename vector_word<size>::type word;
    for (int k = 0; k < bytes / size; k++) ((word *)items)[k] = ((const word *)from)[thread * (bytes / size) + k];
}
template <class T, int N> __device__ void StoreDirectBlockedVectorized(int thread, T *to, T (&items)[N]) {
    constexpr int bytes = N * sizeof(T), size = vector_size<bytes>;
    typedef typename vector_word<size>::type word;
    for (int k = 0; k < bytes / size; k++) ((word *)to)[thread * (bytes / size) + k] = ((const word *)items)[k];
}

// Loads and stores of a block: as its threads hold the items, striped, in vectors, or striped and then exchanged.
template <class T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockLoad {
    static constexpr bool BY_WARPS = ALGORITHM >= BLOCK_LOAD_WARP_TRANSPOSE;
    static constexpr bool EXCHANGES = ALGORITHM >= BLOCK_LOAD_TRANSPOSE;
    typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

  public:
    struct Empty {};
    typedef std::conditional_t<EXCHANGES, typename Exchange::TempStorage, Empty> TempStorage;

    template <class I> __device__ void Load(I from, T (&items)[N]) {
        if constexpr (ALGORITHM == BLOCK_LOAD_VECTORIZE && std::is_pointer_v<I>)
            LoadDirectBlockedVectorized(thread, from, items);
        else
            Load(from, items, X * Y * Z * N);
    }
    template <class I> __device__ void Load(I from, T (&items)[N], int valid) {
        if constexpr (ALGORITHM == BLOCK_LOAD_DIRECT || ALGORITHM == BLOCK_LOAD_VECTORIZE)
            LoadDirectBlocked(thread, from, items, valid);
        else if constexpr (BY_WARPS) {
            const int first = thread / 32 * 32 * N + thread % 32, step = min(32, X * Y * Z - thread / 32 * 32);
            for (int k = 0; k < N; k++)
                if (first + k * step < valid) items[k] = from[first + k * step];
            Exchange(storage).WarpStripedToBlocked(items);
        } else {
            LoadDirectStriped<X * Y * Z>(thread, from, items, valid);
            if constexpr (EXCHANGES) Exchange(storage).StripedToBlocked(items);
        }
    }
    template <class I, class D> __device__ void Load(I from, T (&items)[N], int valid, D otherwise) {
        for (int k = 0; k < N; k++) items[k] = otherwise;
        Load(from, items, valid);
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockLoad)
};

template <class T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockStore {
    static constexpr bool BY_WARPS = ALGORITHM >= BLOCK_STORE_WARP_TRANSPOSE;
    static constexpr bool EXCHANGES = ALGORITHM >= BLOCK_STORE_TRANSPOSE;
    typedef BlockExchange<T, X, N, false, Y, Z> Exchange;

  public:
    struct Empty {};
    typedef std::conditional_t<EXCHANGES, typename Exchange::TempStorage, Empty> TempStorage;

    template <class O> __device__ void Store(O to, T (&items)[N]) {
        if constexpr (ALGORITHM == BLOCK_STORE_VECTORIZE && std::is_pointer_v<O>)
            StoreDirectBlockedVectorized(thread, to, items);
        else
            Store(to, items, X * Y * Z * N);
    }
    template <class O> __device__ void Store(O to, T (&items)[N], int valid) {
        if constexpr (ALGORITHM == BLOCK_STORE_DIRECT || ALGORITHM == BLOCK_STORE_VECTORIZE)
            StoreDirectBlocked(thread, to, items, valid);
        else if constexpr (BY_WARPS) {
            const int first = thread / 32 * 32 * N + thread % 32, step = min(32, X * Y * Z - thread / 32 * 32);
            Exchange(storage).BlockedToWarpStriped(items);
            for (int k = 0; k < N; k++)
                if (first + k * step < valid) to[first + k * step] = items[k];
        } else {
            if constexpr (EXCHANGES) Exchange(storage).BlockedToStriped(items);
            StoreDirectStriped<X * Y * Z>(thread, to, items, valid);
        }
    }

    WARPVIEW_BLOCK_ALGORITHM(BlockStore)
};
}  // namespace cub
