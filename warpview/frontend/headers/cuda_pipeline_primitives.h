// Copies to shared memory that devices from compute capability 8.0 on carry out on the side: loads and stores, for whose
// groups warps wait there. Older devices have loads and stores, too, and wait for each.
#pragma once

static __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    if (zeros != 0) {
        for (size_t k = 0; k < size; k++) ((char *)to)[k] = k < size - zeros ? ((const char *)from)[k] : (char)0;
    } else if (size == 16) {
        __wv_copy_async((int4 *)to, (const int4 *)from);
    } else if (size == 8) {
        __wv_copy_async((int2 *)to, (const int2 *)from);
    } else {
        __wv_copy_async((int *)to, (const int *)from);
    }
}
static __device__ void __pipeline_commit() { __wv_copy_commit(); }
static __device__ void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
        case 0: __wv_copy_wait(0); break;
        case 1: __wv_copy_wait(1); break;
        case 2: __wv_copy_wait(2); break;
        case 3: __wv_copy_wait(3); break;
        case 4: __wv_copy_wait(4); break;
        case 5: __wv_copy_wait(5); break;
        case 6: __wv_copy_wait(6); break;
        case 7: __wv_copy_wait(7); break;
        default: __wv_copy_wait(8);
    }
}
