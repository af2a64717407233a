// Data structures on the device: lock-free stack with tagged pointers, spin locks by CAS, ticket queue, bump allocator.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/cstdint>
struct Node { int value; unsigned next; };
struct Stack {
    unsigned long long head;   // (tag << 32) | index + 1
    Node *nodes;
    __device__ void push(unsigned i) {
        unsigned long long old = head, want;
        do { nodes[i].next = (unsigned)old; __threadfence(); want = ((old >> 32) + 1) << 32 | (i + 1); }
        while (!__atomic(old, want));
    }
    __device__ bool __atomic(unsigned long long &old, unsigned long long want) {
        unsigned long long seen = atomicCAS(&head, old, want);
        bool done = seen == old; old = seen; return done;
    }
    __device__ int pop() {
        unsigned long long old = atomicAdd(&head, 0ULL);
        while (unsigned i = (unsigned)old) {
            unsigned long long want = ((old >> 32) + 1) << 32 | ((volatile Node *)nodes)[i - 1].next;
            if (__atomic(old, want)) return i - 1;
        }
        return -1;
    }
};
__global__ void fill(Stack *s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { s->nodes[i].value = i * i; s->push(i); } }
__global__ void drain(Stack *s, unsigned long long *sum, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = s->pop();
    if (k >= 0) { atomicAdd(sum, (unsigned long long)s->nodes[k].value); atomicAdd(count, 1); }
}
struct Lock {
    int *m;
    __device__ void lock() { while (atomicCAS(m, 0, 1) != 0) __nanosleep(20); __threadfence(); }
    __device__ void unlock() { __threadfence(); atomicExch(m, 0); }
};
__global__ void critical(Lock l, volatile int *counter, int perThread) {
    for (int i = 0; i < perThread; i++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(l.m, 0, 1) == 0) { __threadfence(); *counter = *counter + 1; l.unlock(); done = true; }
        }
    }
}
__global__ void oneOfWarp(Lock l, volatile int *counter) {
    if ((threadIdx.x & 31) == 0) { l.lock(); *counter = *counter + 3; l.unlock(); }
    __syncwarp();
}
__global__ void refs(int *data, unsigned *hist, int n) {
    cuda::atomic_ref<int, cuda::thread_scope_device> a(data[0]);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a.fetch_add(i, cuda::memory_order_relaxed);
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> h(hist[i % 7]);
        h.fetch_max((unsigned)i);
        cuda::atomic_ref<int, cuda::thread_scope_device> b(data[1]);
        int e = b.load();
        while (!b.compare_exchange_weak(e, e > i ? e : i, cuda::memory_order_acq_rel)) {}
    }
}
struct Arena { char *base; unsigned long long used, size;
    template <class T> __device__ T *make(int n) {
        unsigned long long at = atomicAdd(&used, (n * sizeof(T) + 15) / 16 * 16);
        return at + n * sizeof(T) <= size ? reinterpret_cast<T *>(base + at) : nullptr;
    } };
__global__ void allocate(Arena *a, int *got, int *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = i % 5 + 1;
    int *p = a->make<int>(n);
    got[i] = p != nullptr;
    if (p) { for (int k = 0; k < n; k++) p[k] = i; int s = 0; for (int k = 0; k < n; k++) s += p[k]; sums[i] = s; }
}
int main() {
    const int n = 300;
    Stack *s; cudaMallocManaged(&s, sizeof(Stack)); s->head = 0; cudaMallocManaged(&s->nodes, n * sizeof(Node));
    unsigned long long *sum; int *count; cudaMallocManaged(&sum, 8); cudaMallocManaged(&count, 8); *sum = 0; count[0] = count[1] = 0;
    fill<<<3, 128>>>(s, n);
    drain<<<3, 128>>>(s, sum, count, 384);
    cudaDeviceSynchronize();
    printf("popped %d, sum %llu, empty %d\n", *count, *sum, (unsigned)s->head == 0);
    Lock l; cudaMalloc(&l.m, 4); cudaMemset(l.m, 0, 4);
    int *c; cudaMallocManaged(&c, 4); *c = 0;
    critical<<<2, 64>>>(l, c, 2); cudaDeviceSynchronize(); printf("critical %d\n", *c);
    oneOfWarp<<<4, 96>>>(l, c); cudaDeviceSynchronize(); printf("one of a warp %d\n", *c);
    int *d; unsigned *h; cudaMallocManaged(&d, 8); cudaMallocManaged(&h, 28); d[0] = 0; d[1] = -5; for (int i = 0; i < 7; i++) h[i] = 0;
    refs<<<2, 128>>>(d, h, 200); cudaDeviceSynchronize();
    printf("%d %d:", d[0], d[1]); for (int i = 0; i < 7; i++) printf(" %u", h[i]); puts("");
    Arena *a; cudaMallocManaged(&a, sizeof(Arena)); a->used = 0; a->size = 4096; cudaMalloc(&a->base, 4096);
    int *got, *sums; cudaMallocManaged(&got, 512 * 4); cudaMallocManaged(&sums, 512 * 4); for (int i = 0; i < 512; i++) sums[i] = 0;
    allocate<<<2, 256>>>(a, got, sums); cudaDeviceSynchronize();
    int wrong = 0, ok = 0; for (int i = 0; i < 512; i++) { ok += got[i]; if (got[i] && sums[i] != i * (i % 5 + 1)) wrong++; }
    printf("allocated above 100: %d, wrong %d, bytes asked %llu\n", ok > 100, wrong, a->used);
}
