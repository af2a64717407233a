// Copies by the threads of a group, as loads and stores (see cuda_pipeline_primitives.h), for which `wait` lets the group
// wait.
#pragma once

namespace cooperative_groups {
template <typename G, typename T> __device__ void memcpy_async(const G &group, T *to, const T *from, size_t size) {
    for (size_t k = group.thread_rank(); k < size / sizeof(T); k += group.size()) to[k] = from[k];
}
// The same where both sides say how many elements they have.
template <typename G, typename T>
__device__ void memcpy_async(const G &group, T *to, size_t room, const T *from, size_t count) {
    for (size_t k = group.thread_rank(); k < (room < count ? room : count); k += group.size()) to[k] = from[k];
}
template <typename G> __device__ void wait(const G &group) { group.sync(); }
template <unsigned int PRIOR, typename G> __device__ void wait_prior(const G &group) { group.sync(); }
}  // namespace cooperative_groups
