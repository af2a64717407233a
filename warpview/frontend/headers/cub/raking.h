// A place in shared memory for each thread of a block, of which the lanes of the first warp rake a segment each.
#pragma once
#include "warp.h"

namespace cub {
template <class T, int COUNT> struct RakingLayout {
    static constexpr int MOST = COUNT < 32 ? COUNT : 32;
    static constexpr int LENGTH = (COUNT + MOST - 1) / MOST;
    static constexpr int RAKING = (COUNT + LENGTH - 1) / LENGTH;                // lanes that rake
    static constexpr int PADDING = LENGTH % 2 == 0 && LENGTH > 2 ? 1 : 0;  // against bank conflicts
    static constexpr int SIZE = RAKING * (LENGTH + PADDING);
    __device__ static int place(int thread) { return thread + thread / LENGTH * PADDING; }
};
}  // namespace cub
