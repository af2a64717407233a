#include <cstdio>
#include <limits>
__device__ unsigned ticket_counter = 5;
__device__ double total = 0;
struct Stats { int lo, hi; unsigned long long bits; unsigned int wraps, downs; short h[2]; float sum; double d; int sysv, blk; };
__global__ void zoo(Stats *s, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    atomicMin(&s->lo, v); atomicMax(&s->hi, v);
    atomicXor(&s->bits, 1ull << (v & 63)); 
    atomicInc(&s->wraps, 6); atomicDec(&s->downs, 10);
    atomicAdd(&s->sum, 0.5f * (v & 7)); atomicAdd(&s->d, v * 0.25);
    atomicAdd_system(&s->sysv, 1); atomicAdd_block(&s->blk, 2);
    unsigned short *p = (unsigned short *)&s->h[i & 1], old = *p, assumed;
    do { assumed = old; old = atomicCAS(p, assumed, (unsigned short)(assumed + 3)); } while (old != assumed);
    if (v == 0x7fffffff) s->lo = 0;
    unsigned t = atomicAdd(&ticket_counter, 1u);
    if (t == n + 4) { total = s->d; __threadfence(); }
}
__global__ void exchange(int *a, long long *b, float *f) {
    int r = atomicExch(&a[0], threadIdx.x); a[1 + threadIdx.x] = r;
    atomicAnd(&b[0], ~(1ll << threadIdx.x)); atomicOr(&b[1], 3ll << threadIdx.x);
    atomicMax(&b[2], (long long)threadIdx.x * 1000000007ll); atomicMin((unsigned long long *)&b[3], (unsigned long long)(50 - threadIdx.x));
    float g = atomicExch(&f[0], (float)threadIdx.x); atomicAdd(&f[1], g);
    atomicSub(&a[40], 2);
    if (threadIdx.x == 3) a[41] = atomicCAS(&a[42], 17, 99);
}
int main() {
    const int n = 777; int *in; Stats *s; 
    cudaMallocManaged(&in, n * 4); cudaMallocManaged(&s, sizeof *s);
    for (int i = 0; i < n; i++) in[i] = (i * 7919) % 1009 - 300;
    *s = Stats{1 << 30, -(1 << 30), 0, 0, 0, {0, 0}, 0, 0, 0, 0};
    zoo<<<7, 128>>>(s, in, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    double t; unsigned k; cudaMemcpyFromSymbol(&t, total, sizeof t); cudaMemcpyFromSymbol(&k, ticket_counter, sizeof k);
    printf("%d %d %016llx %u %u %d %d %.1f %.2f %d %d %.2f %u\n", s->lo, s->hi, s->bits, s->wraps, s->downs, s->h[0], s->h[1], s->sum, s->d, s->sysv, s->blk, t, k);
    int *a; long long *b; float *f; cudaMallocManaged(&a, 256); cudaMallocManaged(&b, 64); cudaMallocManaged(&f, 8);
    for (int i = 0; i < 64; i++) a[i] = i == 42 ? 17 : -1; b[0] = -1; b[1] = 0; b[2] = 0; b[3] = 1000; f[0] = 1; f[1] = 0;
    exchange<<<1, 32>>>(a, b, f); cudaDeviceSynchronize();
    int sum = a[0]; for (int i = 1; i <= 32; i++) sum += a[i];
    printf("%d %lld %lld %lld %lld %.1f %d %d %d\n", sum, b[0], b[1], b[2], b[3], f[0] + f[1], a[40], a[41], a[42]);
}
