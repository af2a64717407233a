// Copies to shared memory that devices from compute capability 8.0 on carry out on the side, as loads and stores: what
// nvcc makes of them for older devices.
#pragma once

static __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    if (zeros != 0) {
        for (size_t k = 0; k < size; k++) ((char *)to)[k] = k < size - zeros ? ((const char *)from)[k] : (char)0;
    } else if (size == 16) {
        *(int4 *)to = *(const int4 *)from;
    } else if (size == 8) {
        *(int2 *)to = *(const int2 *)from;
    } else {
        *(int *)to = *(const int *)from;
    }
}
static __device__ void __pipeline_commit() {}
static __device__ void __pipeline_wait_prior(size_t) {}
