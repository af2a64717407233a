// Measure how long bulk copies take: the latency of one by size, of several in flight, of all multiprocessors, stores and
// reductions, streams in stages; a load beside them. A line is printed for each; times in cycles, of streams in us.
#include <cstdio>
#include <cstdint>
#include <algorithm>
#include <vector>
__device__ __forceinline__ unsigned sh(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void wait(unsigned mb, unsigned ph) {
    unsigned done = 0;
    while (!done) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(mb), "r"(ph) : "memory");
}
__device__ __forceinline__ void get(unsigned s, const void *g, unsigned n, unsigned mb) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(s), "l"(g), "r"(n), "r"(mb) : "memory");
}
// n copies of size bytes each in flight, rounds times; cycles of each round
__global__ void in(const char *g, long long *t, int size, int n, int rounds, size_t step) {
    extern __shared__ __align__(128) char s[]; __shared__ unsigned long long m;
    unsigned mb = sh(&m);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(mb)); asm volatile("fence.mbarrier_init.release.cluster;");
        const char *p = g + (size_t)blockIdx.x * step;
        for (int r = 0; r < rounds; r++) {
            long long a = clock64();
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(mb), "r"(n * size));
            for (int j = 0; j < n; j++) get(sh(s) + j * size, p + (size_t)j * size, size, mb);
            wait(mb, r & 1);
            t[blockIdx.x * rounds + r] = clock64() - a;
        }
    }
}
// issue cost: cycles to issue n copies
__global__ void issue(const char *g, long long *t, int size, int n) {
    extern __shared__ __align__(128) char s[]; __shared__ unsigned long long m; unsigned mb = sh(&m);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(mb)); asm volatile("fence.mbarrier_init.release.cluster;");
        for (int r = 0; r < 3; r++) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(mb), "r"(n * size));
            long long a = clock64();
            for (int j = 0; j < n; j++) get(sh(s) + j * size, g + (size_t)j * size, size, mb);
            long long b = clock64(); wait(mb, r & 1); t[2 * r] = b - a, t[2 * r + 1] = clock64() - a;
        }
    }
}
__global__ void outk(char *g, long long *t, int size, int n, int rounds) {
    extern __shared__ __align__(128) char s[];
    if (threadIdx.x == 0)
        for (int r = 0; r < rounds; r++) {
            long long a = clock64();
            for (int j = 0; j < n; j++) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(g + (size_t)blockIdx.x * n * size + j * size), "r"(sh(s) + j * size), "r"(size) : "memory");
            asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); long long b = clock64();
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); t[(blockIdx.x * rounds + r) * 2] = b - a, t[(blockIdx.x * rounds + r) * 2 + 1] = clock64() - a;
        }
}
__global__ void red(unsigned *g, long long *t, int size, int rounds) {
    extern __shared__ __align__(128) char s[];
    for (int j = threadIdx.x; j < size / 4; j += blockDim.x) ((unsigned *)s)[j] = 1;
    asm volatile("fence.proxy.async.shared::cta;"); __syncthreads();
    if (threadIdx.x == 0)
        for (int r = 0; r < rounds; r++) {
            long long a = clock64();
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" :: "l"(g), "r"(sh(s)), "r"(size) : "memory");
            asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); long long b = clock64();
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); t[2 * r] = b - a, t[2 * r + 1] = clock64() - a;
        }
}
__global__ void load(const char *g, long long *t, int rounds) {
    unsigned v, sum = 0;
    for (int r = 0; r < rounds; r++) { long long a = clock64(); asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(g + sum) : "memory"); sum += v; t[r] = clock64() - a + sum; }
}
// streams of all multiprocessors: blocks copy `total` bytes each in stages
template <int SIZE> __global__ void stream(const char *g, unsigned *o, size_t total, int stages) {
    extern __shared__ __align__(128) char s[]; __shared__ unsigned long long m[8];
    if (threadIdx.x == 0) {
        for (int j = 0; j < stages; j++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(sh(m + j)));
        asm volatile("fence.mbarrier_init.release.cluster;");
        const char *p = g + (size_t)blockIdx.x * total; int count = total / SIZE; unsigned sum = 0;
        for (int j = 0; j < count + stages; j++) {
            int st = j % stages;
            if (j >= stages) { wait(sh(m + st), (j / stages - 1) & 1); sum += *(unsigned *)(s + st * SIZE); }
            if (j < count) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(sh(m + st)), "r"(SIZE)); get(sh(s) + st * SIZE, p + (size_t)j * SIZE, SIZE, sh(m + st)); }
        }
        o[blockIdx.x] = sum;
    }
}
int main() {
    char *g; long long *t, h[4096]; size_t N = 1ull << 30; cudaMalloc(&g, N); cudaMemset(g, 0, N); cudaMalloc(&t, sizeof h);
    cudaFuncSetAttribute(in, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); cudaFuncSetAttribute(outk, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
    cudaFuncSetAttribute(issue, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); cudaFuncSetAttribute(red, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
    cudaFuncSetAttribute(stream<4096>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); cudaFuncSetAttribute(stream<16384>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); cudaFuncSetAttribute(stream<1024>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
    load<<<1, 1>>>(g, t, 6); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost); printf("load"); for (int r = 0; r < 6; r++) printf(" %lld", h[r]); puts("");
    for (int size : {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
        cudaMemset(g + (N >> 1), 1, N >> 1); in<<<1, 32, 65536>>>(g, t, size, 1, 6, 0); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost);
        printf("in size %d:", size); for (int r = 0; r < 6; r++) printf(" %lld", h[r]); puts("");
    }
    for (int size : {16, 128, 512, 1024, 4096}) for (int n : {1, 2, 4, 8, 16, 32}) {
        in<<<1, 32, 150000>>>(g, t, size, n, 6, 0); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost);
        printf("in size %d copies %d:", size, n); for (int r = 0; r < 6; r++) printf(" %lld", h[r]);
        issue<<<1, 32, 150000>>>(g, t, size, n); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost); printf("   issue %lld of %lld\n", h[4], h[5]);
    }
    for (int blocks : {1, 8, 33, 66, 132}) for (int size : {128, 1024, 4096, 16384, 65536}) {
        in<<<blocks, 32, 65536>>>(g, t, size, 1, 6, 65536); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost);
        std::vector<long long> v; for (int b = 0; b < blocks; b++) for (int r = 2; r < 6; r++) v.push_back(h[b * 6 + r]); std::sort(v.begin(), v.end());
        printf("in blocks %d size %d: %lld %lld %lld\n", blocks, size, v[0], v[v.size() / 2], v.back());
    }
    for (int size : {16, 32, 128, 512, 1024, 4096, 16384, 65536}) for (int n : {1, 4}) if (n * size <= 65536) {
        outk<<<1, 32, 65536>>>(g, t, size, n, 4); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost);
        printf("out size %d copies %d:", size, n); for (int r = 0; r < 4; r++) printf(" %lld/%lld", h[2 * r], h[2 * r + 1]); puts("");
    }
    for (int size : {16, 128, 1024, 4096, 16384}) {
        red<<<1, 32, 65536>>>((unsigned *)g, t, size, 4); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost);
        printf("red size %d:", size); for (int r = 0; r < 4; r++) printf(" %lld/%lld", h[2 * r], h[2 * r + 1]); puts("");
    }
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); unsigned *o; cudaMalloc(&o, 4096);
    auto timed = [&](const char *what, auto run) { float best = 1e9, ms; for (int r = 0; r < 5; r++) { cudaMemset(g + (N >> 1), r, N >> 1); cudaEventRecord(a); run(); cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b); best = std::min(best, ms); } printf("%s %.2f us\n", what, best * 1000); };
    for (size_t total : {65536ull, 1048576ull}) for (int stages : {1, 2, 4, 8}) {
        printf("bytes %zu a block, stages %d: ", total, stages);
        timed("1024", [&] { stream<1024><<<132, 32, stages * 1024>>>(g, o, total, stages); });
        timed("   4096", [&] { stream<4096><<<132, 32, stages * 4096>>>(g, o, total, stages); });
        timed("   16384", [&] { stream<16384><<<132, 32, stages * 16384>>>(g, o, total, stages); });
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
