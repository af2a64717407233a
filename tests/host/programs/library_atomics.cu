// cuda::atomic and cuda::atomic_ref in managed memory, used by the host and by kernels.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <new>

using Counter = cuda::atomic<int, cuda::thread_scope_system>;

struct Shared {
    Counter count{0};
    cuda::std::atomic<unsigned> bits;
    cuda::atomic<float, cuda::thread_scope_device> sum{0.5f};
    cuda::atomic<long long> highest{-1}, lowest{1000000};
    cuda::atomic<bool> done{false};
};

__global__ void work(Shared *s, int *plain, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int place = s->count.fetch_add(1, cuda::memory_order_relaxed);
    s->bits.fetch_or(1u << (i % 32));
    s->sum.fetch_add(0.25f);
    s->highest.fetch_max(i * 7 % 101);
    s->lowest.fetch_min(i * 7 % 101 - 50);
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(plain[i % 4]);
    ref += place >= 0;
    if (place == n - 1) s->done.store(true, cuda::memory_order_release);
}

int main() {
    Shared *s;
    int *plain;
    cudaMallocManaged(&s, sizeof *s);
    cudaMallocManaged(&plain, 4 * sizeof *plain);
    new (s) Shared;
    s->bits = 0;
    for (int i = 0; i < 4; i++) plain[i] = 10 * i;
    work<<<4, 64>>>(s, plain, 200);
    cudaDeviceSynchronize();
    printf("%d %08x %.2f %lld %lld %d\n", s->count.load(), s->bits.load(), s->sum.load(), s->highest.load(),
           s->lowest.load(), (bool)s->done);

    int expected = 200;
    bool swapped = s->count.compare_exchange_strong(expected, 1);
    bool again = s->count.compare_exchange_weak(expected, 2);
    printf("%d %d %d %d\n", swapped, again, expected, s->count.load());
    int before = ++s->count, after = s->count++, less = s->count -= 5;
    printf("%d %d %d %d\n", before, after, less, (int)s->count);
    unsigned replaced = s->bits.exchange(6), flipped = s->bits.fetch_xor(3);
    printf("%u %u\n", replaced, flipped);
    s->bits &= 7;
    cuda::atomic_ref<int> ref(plain[1]);
    ref.fetch_sub(3);
    ref |= 64;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
    printf("%u %d %d %d %d %d\n", s->bits.load(), plain[0], plain[1], plain[2], plain[3], ref.load());
    cudaFree(s);
    cudaFree(plain);
}
