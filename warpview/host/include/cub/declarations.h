// The names of CUB's algorithms of blocks and warps, which are for kernels: host code may give them others, or pass them
// as template arguments.
#pragma once

namespace cub {

template <class T, int THREADS = 32, int ARCHITECTURE = 0> class WarpReduce;
template <class T, int THREADS = 32, int ARCHITECTURE = 0> class WarpScan;
template <class K, int N, int THREADS = 32, class V = NullType, int ARCHITECTURE = 0> class WarpMergeSort;
template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockReduce;
template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockScan;
template <class T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockLoad;
template <class T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockStore;
template <class T, int X, int N, bool IN_TURNS = false, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockExchange;
template <class K, int X, int N, class V = NullType, int BITS = 4, bool MEMOIZE = true, BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS, int BANKS = 0, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockRadixSort;
template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort;
template <class T, int X, int N, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockHistogram;
template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockShuffle;
template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockDiscontinuity;
template <class T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockAdjacentDifference;
}  // namespace cub
