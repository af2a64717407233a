// Functions of cooperative groups that call what they are given.
#pragma once

template <class GROUP, class FUNCTION, class... ARGUMENTS>
__device__ inline void invoke_one(const GROUP &group, FUNCTION &&function, ARGUMENTS &&...arguments) {
    if (group.thread_rank() == 0) function(arguments...);
}
