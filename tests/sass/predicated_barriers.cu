// What does a BAR.SYNC do that has a predicate which holds for some lanes of a warp alone?
__device__ __forceinline__ void later(int t, long long wait) {
    if (t >= 32) { long long s = clock64(); while (clock64() - s < wait); }
}
#define BEGIN int t = threadIdx.x; int in_t = in[t]; __shared__ int s[64]; s[t] = in_t + 100; long long t0 = clock64();
#define END clk[t] = clock64() - t0; ticket[t] = atomicAdd(count, 1);
#define ARGS const int *in, int *out, long long *clk, int *ticket, int *count, long long wait
__global__ void skip(ARGS) {  // the other warp comes late; do those who skip go on at once?
    BEGIN later(t, wait);
    if (in_t > 0) __syncthreads();
    END out[t] = s[63 - t];
}
__global__ void twice(ARGS) {  // then a barrier of all
    BEGIN later(t, wait);
    if (in_t > 0) __syncthreads();
    END s[t] += 1000;
    __syncthreads();
    out[t] = s[63 - t];
}
__global__ void thrice(ARGS) {  // two with the predicate, then all: which does a thread that skips meet?
    BEGIN later(t, wait);
    if (in_t > 0) __syncthreads();
    s[t] += 1000;
    if (in_t > 0) __syncthreads();
    END out[t] = s[63 - t];
    __syncthreads();
}
__global__ void arms(ARGS) {
    BEGIN later(t, wait);
    if (in_t > 0) { __syncthreads(); s[t] += 2; } else { s[t] *= 3; __syncthreads(); s[t] += 2; }
    END out[t] = s[63 - t];
}
__global__ void counted(ARGS) {  // a reduction of a predicate
    BEGIN later(t, wait);
    int n = -1;
    if (in_t > 0) n = __syncthreads_count(t & 1);
    END out[t] = n;
}
__global__ void branch(ARGS) {  // a branch: those who skip are surely elsewhere
    BEGIN later(t, wait);
    if (in_t > 0) {
        for (int i = 0; i < in_t; i++) s[t] = s[t] * 3 + atomicAdd(count + 1, 0);
        __syncthreads();
        for (int i = 0; i < in_t; i++) s[t] = s[t] * 5 + atomicAdd(count + 1, 0);
    }
    END out[t] = s[63 - t];
}
__global__ void exited(ARGS) {  // lanes that skip have exited
    BEGIN later(t, wait);
    if (in_t < 0) { clk[t] = clock64() - t0; ticket[t] = atomicAdd(count, 1); return; }
    __syncthreads();
    END out[t] = s[63 - t];
}
