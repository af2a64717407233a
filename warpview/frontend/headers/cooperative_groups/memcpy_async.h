// Copies by the threads of a group (see cuda_pipeline_primitives.h), each of which is a group of copies that `wait` and
// `wait_prior` wait for.
#pragma once
#include <cuda_pipeline_primitives.h>

namespace cooperative_groups {
template <typename G, typename T> __device__ void __copy_elements(const G &group, T *to, const T *from, size_t count) {
    for (size_t k = group.thread_rank(); k < count; k += group.size()) __wv_copy_async(to + k, from + k);
}
template <typename G, typename T> __device__ void memcpy_async(const G &group, T *to, const T *from, size_t size) {
    __copy_elements(group, to, from, size / sizeof(T));
    __pipeline_commit();
}
// The same where both sides say how many elements they have.
template <typename G, typename T>
__device__ void memcpy_async(const G &group, T *to, size_t room, const T *from, size_t count) {
    __copy_elements(group, to, from, room < count ? room : count);
    __pipeline_commit();
}
template <typename G> __device__ void wait(const G &group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int PRIOR, typename G> __device__ void wait_prior(const G &group) {
    __pipeline_wait_prior(PRIOR);
    group.sync();
}
}  // namespace cooperative_groups
