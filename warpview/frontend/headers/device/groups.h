// Functions of cooperative groups that call what they are given, and those for objects.
#pragma once

template <class GROUP, class FUNCTION, class... ARGUMENTS>
__device__ inline void invoke_one(const GROUP &group, FUNCTION &&function, ARGUMENTS &&...arguments) {
    if (group.thread_rank() == 0) function(arguments...);
}

// A shuffle of an object, in words where it consists of such.
#define WV_SHUFFLE(NAME)                                                                     \
    template <class GROUP, class T, class LANE>                                              \
    __device__ inline T wv_##NAME(const GROUP &group, const T &value, LANE lane) {           \
        T result;                                                                            \
        if constexpr (sizeof(T) % 4 == 0)                                                    \
            for (int k = 0; k < sizeof(T) / 4; k++)                                          \
                ((unsigned *)&result)[k] = group.NAME(((const unsigned *)&value)[k], lane);  \
        else                                                                                 \
            for (int k = 0; k < sizeof(T); k++)                                              \
                ((unsigned char *)&result)[k] = group.NAME(((const unsigned char *)&value)[k], lane); \
        return result;                                                                       \
    }
WV_SHUFFLE(shfl)
WV_SHUFFLE(shfl_up)
WV_SHUFFLE(shfl_down)
WV_SHUFFLE(shfl_xor)
#undef WV_SHUFFLE

// A reduction over a tile by any function, in the order of NVIDIA's: each lane with the one half a tile away, and so on.
template <class GROUP, class T, class FUNCTION>
__device__ inline T wv_reduce(const GROUP &group, T value, FUNCTION function) {
    for (int step = group.size() / 2; step > 0; step /= 2) value = function(value, group.shfl_xor(value, step));
    return value;
}

// Updates of an atomic object by a group, each with one atomic instruction of one thread.
#define WV_UPDATE(NAME, METHOD, RESULT)                                                                   \
    template <class T>                                                                                    \
    __device__ inline T wv_combined(T a, T b, cooperative_groups::NAME<T>) { return RESULT; }             \
    template <class ATOMIC, class T>                                                                      \
    __device__ inline T wv_update(ATOMIC &object, T value, cooperative_groups::NAME<T>) {                 \
        return object.METHOD(value, ATOMIC::wv_relaxed);                                          \
    }
WV_UPDATE(plus, fetch_add, a + b)
WV_UPDATE(less, fetch_min, a < b ? a : b)
WV_UPDATE(greater, fetch_max, a > b ? a : b)
WV_UPDATE(bit_and, fetch_and, a & b)
WV_UPDATE(bit_or, fetch_or, a | b)
WV_UPDATE(bit_xor, fetch_xor, a ^ b)
#undef WV_UPDATE

template <class T, class FUNCTION>
__device__ inline T wv_combined(T a, T b, FUNCTION function) { return function(a, b); }

template <class ATOMIC, class T, class FUNCTION>
__device__ inline T wv_update(ATOMIC &object, T value, FUNCTION function) {
    T old = object.load(ATOMIC::wv_relaxed);
    while (!object.compare_exchange_weak(old, function(old, value), ATOMIC::wv_relaxed)) {}
    return old;
}

template <class GROUP, class ATOMIC, class T, class FUNCTION>
__device__ inline void reduce_update_async(const GROUP &group, ATOMIC &object, T value, FUNCTION function) {
    const T all = reduce(group, value, function);
    if (group.thread_rank() == 0) wv_update(object, all, function);
}

template <class GROUP, class ATOMIC, class T, class FUNCTION>
__device__ inline void reduce_store_async(const GROUP &group, ATOMIC &object, T value, FUNCTION function) {
    const T all = reduce(group, value, function);
    if (group.thread_rank() == 0) object.store(all, ATOMIC::wv_relaxed);
}

// A scan that starts with the old value of an atomic object, to which the last thread adds that of all.
#define WV_SCAN_UPDATE(NAME, COMBINE)                                                                     \
    template <class GROUP, class ATOMIC, class T, class FUNCTION>                                         \
    __device__ inline T NAME##_update(const GROUP &group, ATOMIC &object, T value, FUNCTION function) {   \
        const T all = inclusive_scan(group, value, function), own = NAME(group, value, function);         \
        const unsigned last = group.size() - 1;                                                           \
        T old = T();                                                                                      \
        if (group.thread_rank() == last) old = wv_update(object, all, function);                          \
        old = group.shfl(old, last);                                                                      \
        return COMBINE;                                                                                   \
    }                                                                                                     \
    template <class GROUP, class ATOMIC, class T>                                                         \
    __device__ inline T NAME##_update(const GROUP &group, ATOMIC &object, T value) {                      \
        return NAME##_update(group, object, value, cooperative_groups::plus<T>());                        \
    }
WV_SCAN_UPDATE(inclusive_scan, wv_combined(old, own, function))
WV_SCAN_UPDATE(exclusive_scan, group.thread_rank() == 0 ? old : wv_combined(old, own, function))
#undef WV_SCAN_UPDATE
