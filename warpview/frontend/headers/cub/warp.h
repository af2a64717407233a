// CUB's reductions and scans of a warp, or a part of one, in the order in which NVIDIA's combine the values of lanes.
#pragma once
#include "common.h"

namespace cub {
template <class T, int THREADS = 32, int ARCHITECTURE = 0> class WarpReduce {
  public:
    struct TempStorage {};
    __device__ WarpReduce(TempStorage &) : lane(LaneId() % THREADS) {}
    __device__ WarpReduce() : lane(LaneId() % THREADS) {}

    template <class F> __device__ T Reduce(T value, F f) { return until(value, f, THREADS - 1); }
    template <class F> __device__ T Reduce(T value, F f, int valid) { return until(value, f, valid - 1); }
    template <class F, int N> __device__ T Reduce(T (&items)[N], F f) { return Reduce(ThreadReduce(items, f), f); }
    __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
    __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }
    __device__ T Max(T value) { return Reduce(value, cub::Max()); }
    __device__ T Max(T value, int valid) { return Reduce(value, cub::Max(), valid); }
    __device__ T Min(T value) { return Reduce(value, cub::Min()); }
    __device__ T Min(T value, int valid) { return Reduce(value, cub::Min(), valid); }

    // Reductions of segments, each from a lane with a flag to the lane before the next one, or up to a lane with a flag.
    template <class FLAG, class F> __device__ T HeadSegmentedReduce(T value, FLAG flag, F f) {
        return until(value, f, last_lane(__ballot_sync(~0u, flag != 0) >> 1));
    }
    template <class FLAG, class F> __device__ T TailSegmentedReduce(T value, FLAG flag, F f) {
        return until(value, f, last_lane(__ballot_sync(~0u, flag != 0)));
    }
    template <class FLAG> __device__ T HeadSegmentedSum(T value, FLAG flag) {
        return HeadSegmentedReduce(value, flag, cub::Sum());
    }
    template <class FLAG> __device__ T TailSegmentedSum(T value, FLAG flag) {
        return TailSegmentedReduce(value, flag, cub::Sum());
    }

  private:
    const int lane;

    template <class F> __device__ T until(T value, F f, int last) {
        for (int step = 1; step < THREADS; step *= 2) {
            const T other = shuffle_down<THREADS>(value, step);
            if (lane + step <= last) value = f(value, other);
        }
        return value;
    }
    __device__ int last_lane(unsigned int ends) {
        const unsigned int own = ends >> (LaneId() - lane) & (0xffffffffu >> (32 - THREADS)) & (0xffffffffu << lane);
        return min(own ? __ffs(own) - 1 : THREADS - 1, THREADS - 1);
    }
};

template <class T, int THREADS = 32, int ARCHITECTURE = 0> class WarpScan {
  public:
    struct TempStorage {};
    __device__ WarpScan(TempStorage &) : lane(LaneId() % THREADS) {}
    __device__ WarpScan() : lane(LaneId() % THREADS) {}

    template <class F> __device__ void InclusiveScan(T value, T &result, F f) {
        for (int step = 1; step < THREADS; step *= 2) {
            const T other = shuffle_up<THREADS>(value, step);
            if (lane >= step) value = f(other, value);
        }
        result = value;
    }
    template <class F> __device__ void InclusiveScan(T value, T &result, F f, T &aggregate) {
        InclusiveScan(value, result, f);
        aggregate = Broadcast(result, THREADS - 1);
    }
    template <class F> __device__ void ExclusiveScan(T value, T &result, F f) {
        T inclusive;
        InclusiveScan(value, inclusive, f);
        result = shuffle_up<THREADS>(inclusive, 1);
    }
    template <class F> __device__ void ExclusiveScan(T value, T &result, T start, F f) {
        T inclusive;
        InclusiveScan(value, inclusive, f);
        behind(start, inclusive, result, f);
    }
    template <class F> __device__ void ExclusiveScan(T value, T &result, F f, T &aggregate) {
        T inclusive;
        InclusiveScan(value, inclusive, f, aggregate);
        result = shuffle_up<THREADS>(inclusive, 1);
    }
    template <class F> __device__ void ExclusiveScan(T value, T &result, T start, F f, T &aggregate) {
        T inclusive;
        InclusiveScan(value, inclusive, f, aggregate);
        behind(start, inclusive, result, f);
    }
    template <class F> __device__ void Scan(T value, T &inclusive, T &exclusive, F f) {
        InclusiveScan(value, inclusive, f);
        exclusive = shuffle_up<THREADS>(inclusive, 1);
    }
    template <class F> __device__ void Scan(T value, T &inclusive, T &exclusive, T start, F f) {
        InclusiveScan(value, inclusive, f);
        behind(start, inclusive, exclusive, f);
        inclusive = f(start, inclusive);
    }
    __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __device__ void InclusiveSum(T value, T &result, T &aggregate) { InclusiveScan(value, result, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    __device__ void ExclusiveSum(T value, T &result, T &aggregate) {
        ExclusiveScan(value, result, T(), cub::Sum(), aggregate);
    }
    __device__ T Broadcast(T value, unsigned int from) { return shuffle_from<THREADS>(value, from); }

  private:
    const int lane;

    template <class F> __device__ void behind(T start, T inclusive, T &exclusive, F f) {
        exclusive = shuffle_up<THREADS>(f(start, inclusive), 1);
        if (lane == 0) exclusive = start;
    }
};
}  // namespace cub
