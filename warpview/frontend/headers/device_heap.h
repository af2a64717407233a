// malloc, free, new and delete in device code: a heap in a variable of the device.
//
// A block has a power of two of bytes, of which 16 are its header. Blocks that were given back wait in lists, the newest
// first: one list for each size and lane, so that the lanes of a warp do not compete for one. Where a thread finds its
// list empty, a block is cut from the end of the heap, and from the other lanes' lists once the heap is full. Lists change
// by compare-and-swap: the upper half of a list's word counts its changes, so that a list that is as before is told from
// one that changed twice; the lower half is the place of its first block in units of 16 bytes, 0 in an empty list.
#pragma once

#ifndef WARPVIEW_HEAP_BYTES
#define WARPVIEW_HEAP_BYTES 8388608  // what cudaLimitMallocHeapSize is at first
#endif

struct WarpviewHeapBlock {
    unsigned long long next;  // in its list, as a place; only changed by atomics
    unsigned int size, count;  // 16 << size bytes; the objects of an array that are destroyed
};

struct __align__(16) WarpviewHeap {
    unsigned long long lists[64][32];
    unsigned long long used, unused;
    unsigned char bytes[WARPVIEW_HEAP_BYTES];
};

static __device__ WarpviewHeap warpview_heap;

static __device__ WarpviewHeapBlock *warpview_heap_block(unsigned long long place) {
    return (WarpviewHeapBlock *)(warpview_heap.bytes + 16 * (place - 1));
}

// Takes the first block of a list; returns a null pointer where it has none.
static __device__ WarpviewHeapBlock *warpview_heap_pop(unsigned long long *list) {
    unsigned long long head = atomicAdd(list, 0ull);
    while ((head & 0xffffffffull) != 0) {
        WarpviewHeapBlock *first = warpview_heap_block(head & 0xffffffffull);
        const unsigned long long next = atomicAdd(&first->next, 0ull);
        const unsigned long long seen = atomicCAS(list, head, ((head >> 32) + 1) << 32 | next);
        if (seen == head) {
            __threadfence();  // what its last owner did to the block is over
            return first;
        }
        head = seen;
    }
    return nullptr;
}

// Cuts a block from the end of the heap; returns a null pointer where the rest is too small.
static __device__ WarpviewHeapBlock *warpview_heap_cut(unsigned int size) {
    const unsigned long long bytes = 16ull << size;
    if (size > 40 || atomicAdd(&warpview_heap.used, 0ull) + bytes > WARPVIEW_HEAP_BYTES) return nullptr;
    const unsigned long long start = atomicAdd(&warpview_heap.used, bytes);
    if (start + bytes > WARPVIEW_HEAP_BYTES) return nullptr;
    WarpviewHeapBlock *block = warpview_heap_block(start / 16 + 1);
    block->size = size;
    return block;
}

// Returns `bytes` that nobody else has, aligned to 16, or a null pointer where the heap is full.
static __device__ void *warpview_malloc(size_t bytes) {
    const unsigned int size = 64 - __clzll((long long)((bytes + 15) / 16));
    const unsigned int lane = threadIdx.x % 32;
    WarpviewHeapBlock *block = warpview_heap_pop(&warpview_heap.lists[size][lane]);
    if (block == nullptr) block = warpview_heap_cut(size);
    for (unsigned int other = 0; block == nullptr && other < 32; other++)
        block = warpview_heap_pop(&warpview_heap.lists[size][other]);
    return block == nullptr ? nullptr : block + 1;
}

// Gives a block back, which may be a null pointer.
static __device__ void warpview_free(void *pointer) {
    if (pointer == nullptr) return;
    WarpviewHeapBlock *block = (WarpviewHeapBlock *)pointer - 1;
    const unsigned long long place = ((unsigned char *)block - warpview_heap.bytes) / 16 + 1;
    unsigned long long *list = &warpview_heap.lists[block->size][threadIdx.x % 32];
    __threadfence();
    unsigned long long seen = atomicAdd(list, 0ull), head;
    do {
        head = seen;
        atomicExch(&block->next, head & 0xffffffffull);
        seen = atomicCAS(list, head, ((head >> 32) + 1) << 32 | place);
    } while (seen != head);
}

#ifdef __CUDACC_RTC__
#if __has_include(<cuda/std/__cstdlib/malloc.h>)
#include <cuda/std/__cstdlib/malloc.h>  // calls malloc by the name of its namespace: before that is a macro
#endif
#define malloc(...) warpview_malloc(__VA_ARGS__)  // of any number: members of the user's may have these names
#define free(...) warpview_free(__VA_ARGS__)
static __device__ void *operator new(size_t bytes) { return warpview_malloc(bytes); }
static __device__ void *operator new[](size_t bytes) { return warpview_malloc(bytes); }
static __device__ void operator delete(void *pointer) noexcept { warpview_free(pointer); }
static __device__ void operator delete[](void *pointer) noexcept { warpview_free(pointer); }
static __device__ void operator delete(void *pointer, size_t) noexcept { warpview_free(pointer); }
static __device__ void operator delete[](void *pointer, size_t) noexcept { warpview_free(pointer); }
#else  // our own front end, which parses `new` and `delete` as calls of these
#include <type_traits>

static __device__ void *malloc(size_t bytes) { return warpview_malloc(bytes); }
static __device__ void free(void *pointer) { warpview_free(pointer); }

// Keeps the number of an array's objects for those that are destroyed.
template <typename T> __device__ void warpview_note_count(T *objects, size_t count) {
    if constexpr (!std::is_trivially_destructible<T>::value) {
        if (objects != nullptr) ((WarpviewHeapBlock *)objects - 1)->count = (unsigned int)count;
    }
}

// `new T[count]{values}` and `new (place) T[count]{values}`, whose values are written next.
template <typename T> __device__ T *warpview_new_room(size_t count) {
    T *objects = (T *)warpview_malloc(count * sizeof(T));
    warpview_note_count(objects, count);
    return objects;
}

template <typename T> __device__ T *warpview_place_room(void *place, size_t count) { return (T *)place; }

template <typename T> __device__ T *warpview_place_rest(void *place, size_t count, size_t values) {
    T *objects = (T *)place;
    for (size_t k = values; k < count; k++) new (objects + k) T();
    return objects;
}

template <typename T> __device__ T *warpview_new_rest(size_t count, size_t values) {
    return warpview_place_rest<T>(warpview_new_room<T>(count), count, values);
}

// `new T[count]` and `new T[count]()`.
template <typename T> __device__ T *warpview_new_array(size_t count) {
    T *objects = (T *)warpview_malloc(count * sizeof(T));
    if constexpr (!std::is_arithmetic<T>::value && !std::is_pointer<T>::value) {
        for (size_t k = 0; k < count; k++) new (objects + k) T;
    }
    warpview_note_count(objects, count);
    return objects;
}

template <typename T> __device__ T *warpview_new_zeros(size_t count) { return warpview_new_rest<T>(count, 0); }

// `new (place) T[count]` and `new (place) T[count]()`.
template <typename T> __device__ T *warpview_place_array(void *place, size_t count) {
    T *objects = (T *)place;
    if constexpr (!std::is_arithmetic<T>::value && !std::is_pointer<T>::value) {
        for (size_t k = 0; k < count; k++) new (objects + k) T;
    }
    return objects;
}

template <typename T> __device__ T *warpview_place_zeros(void *place, size_t count) {
    return warpview_place_rest<T>(place, count, 0);
}

// `delete pointer` and `delete[] pointer`.
template <typename T> __device__ void warpview_delete(T *pointer) {
    if constexpr (!std::is_trivially_destructible<T>::value) {
        if (pointer != nullptr) pointer->~T();
    }
    warpview_free((void *)pointer);
}

template <typename T> __device__ void warpview_delete_array(T *objects) {
    if constexpr (!std::is_trivially_destructible<T>::value) {
        const unsigned int count = objects == nullptr ? 0 : ((WarpviewHeapBlock *)objects - 1)->count;
        for (unsigned int k = count; k > 0; k--) objects[k - 1].~T();
    }
    warpview_free((void *)objects);
}
#endif
