// memcpy, memmove and memset of sizes that are not known at compile time: byte by byte, as NVIDIA's compiler has them.
#pragma once

__device__ inline void *__wv_memcpy(void *to, const void *from, size_t size) {
    for (size_t k = 0; k < size; ++k) ((unsigned char *)to)[k] = ((const unsigned char *)from)[k];
    return to;
}
__device__ inline void *memmove(void *to, const void *from, size_t size) {
    if (to <= from) return __wv_memcpy(to, from, size);
    for (size_t k = size; k > 0; --k) ((unsigned char *)to)[k - 1] = ((const unsigned char *)from)[k - 1];
    return to;
}
__device__ inline void *__wv_memset(void *to, int byte, size_t size) {
    for (size_t k = 0; k < size; ++k) ((unsigned char *)to)[k] = (unsigned char)byte;
    return to;
}
