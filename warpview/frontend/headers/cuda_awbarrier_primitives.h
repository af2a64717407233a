// Barriers in shared memory as plain functions (CUDA C++ Programming Guide, "Asynchronous Barriers Using mbarrier").
#pragma once

typedef unsigned long __mbarrier_t;
typedef unsigned long __mbarrier_token_t;
#define WV_SCOPE_OF_BLOCK 2  // cuda::thread_scope_block

static __device__ unsigned int __mbarrier_maximum_count() { return (1 << 14) - 1; }
static __device__ void __mbarrier_init(__mbarrier_t *place, unsigned int count) { __wv_barrier_start(place, count); }
static __device__ void __mbarrier_inval(__mbarrier_t *) {}
static __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *place) {
    return __wv_barrier_arrive(place, 1u, 0u, WV_SCOPE_OF_BLOCK);
}
static __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *place) {
    return __wv_barrier_leave(place, 1u, 0u, WV_SCOPE_OF_BLOCK);
}
static __device__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return __wv_barrier_awaited(token);
}
static __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *place, bool parity) {
    return __wv_barrier_is_over(place, parity, WV_SCOPE_OF_BLOCK);
}
static __device__ bool __mbarrier_test_wait(__mbarrier_t *place, __mbarrier_token_t token) {
    return __mbarrier_test_wait_parity(place, __wv_barrier_parity(token));
}
static __device__ bool __mbarrier_try_wait(__mbarrier_t *place, __mbarrier_token_t token, unsigned int) {
    return __mbarrier_test_wait(place, token);
}
static __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *place, bool parity, unsigned int) {
    return __mbarrier_test_wait_parity(place, parity);
}
