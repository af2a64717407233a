// Objects that are destroyed at the end of their block, early and late, with shared memory and divergent lanes.
struct Lock {
    int *word;
    __device__ Lock(int *word) : word(word) {
        while (atomicCAS(word, 0, 1) != 0) {}
        __threadfence();
    }
    __device__ ~Lock() {
        __threadfence();
        atomicExch(word, 0);
    }
};
struct Trace {
    int *out;
    int n;
    __device__ Trace(int *out, int n) : out(out), n(n) {}
    __device__ ~Trace() { *out = *out * 10 + n; }
};
__device__ int traced(int *out, int x) {
    Trace outer(out, 1);
    for (int k = 0; k < 3; k++) {
        Trace inner(out, 2 + k);
        if (k == x % 5) return k;
        if (x % 2) continue;
        Trace last(out, 7);
    }
    return Trace(out, 8).n;
}
__global__ void destructors(int *out, int *locks, volatile int *sum) {
    __shared__ int traces[64];
    int x = threadIdx.x;
    traces[x] = 0;
    out[x] = traced(&traces[x], x);
    out[64 + x] = traces[x];
    if (x % 32 == 5) {
        Lock lock(locks);
        *sum = *sum + x;
    }
}
