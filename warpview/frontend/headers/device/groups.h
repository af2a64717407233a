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
