// Measure how fast bulk copies are where there are many: warps that each issue copies one after the other, the latency of
// a copy from DRAM and from the L2, and streams of all multiprocessors from either. A line of CSV is printed for each.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
__device__ __forceinline__ unsigned sh(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void wait(unsigned bar, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ void expect(unsigned bar, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void get(unsigned to, const void *from, unsigned bytes, unsigned bar) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ void start(unsigned bar) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.mbarrier_init.release.cluster;");
}
// The first lane of each warp copies `bytes` from the same place n times; cycles until all warps are done.
__global__ void rate(const char *from, long long *cycles, int bytes, int n) {
    extern __shared__ __align__(128) char s[];
    __shared__ unsigned long long bars[32];
    const int warp = threadIdx.x / 32;
    const unsigned bar = sh(&bars[warp]);
    if (threadIdx.x % 32 == 0) start(bar);
    long long first = 0;
    for (int round = 0; round < 3; round++) {
        __syncthreads();
        first = clock64();
        if (threadIdx.x % 32 == 0) {
            expect(bar, n * bytes);
            for (int k = 0; k < n; k++) get(sh(s) + warp * bytes, from + warp * bytes, bytes, bar);
            wait(bar, round & 1);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - first;
}
// One copy after the other, each of bytes that nobody has read, or that are in the L2; cycles of each.
__global__ void latency(const char *from, long long *cycles, int bytes, int n, size_t step) {
    extern __shared__ __align__(128) char s[];
    __shared__ unsigned long long m;
    if (threadIdx.x == 0) {
        start(sh(&m));
        for (int k = 0; k < n; k++) {
            const long long first = clock64();
            expect(sh(&m), bytes);
            get(sh(s), from + k * step, bytes, sh(&m));
            wait(sh(&m), k & 1);
            cycles[k] = clock64() - first;
        }
    }
}
// Blocks copy `total` bytes each in stages of `bytes`.
__global__ void stream(const char *from, unsigned *out, size_t total, int bytes, int stages) {
    extern __shared__ __align__(128) char s[];
    __shared__ unsigned long long m[16];
    if (threadIdx.x == 0) {
        for (int k = 0; k < stages; k++) start(sh(m + k));
        const char *p = from + blockIdx.x * total;
        const int count = total / bytes;
        unsigned sum = 0;
        for (int k = 0; k < count + stages; k++) {
            const int stage = k % stages;
            if (k >= stages) {
                wait(sh(m + stage), (k / stages - 1) & 1);
                sum += *(unsigned *)(s + stage * bytes);
            }
            if (k < count) {
                expect(sh(m + stage), bytes);
                get(sh(s) + stage * bytes, p + (size_t)k * bytes, bytes, sh(m + stage));
            }
        }
        out[blockIdx.x] = sum;
    }
}
int main() {
    const size_t N = 2ull << 30;
    char *g;
    long long *t, h[4096];
    unsigned *o;
    cudaMalloc(&g, N);
    cudaMemset(g, 0, N);
    cudaMalloc(&t, sizeof h);
    cudaMalloc(&o, 1 << 20);
    for (auto kernel : {(const void *)rate, (const void *)latency, (const void *)stream})
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 220000);
    puts("what,bytes,warps_or_stages,blocks,value");
    for (int bytes : {16, 128, 512, 1024, 2048, 4096})
        for (int warps : {1, 2, 4, 8, 16, 32}) {
            if (warps * bytes > 200000) continue;
            const int n = 64;
            rate<<<1, 32 * warps, warps * bytes>>>(g, t, bytes, n);
            cudaMemcpy(h, t, 8, cudaMemcpyDeviceToHost);
            printf("rate,%d,%d,1,%.2f\n", bytes, warps, (double)h[0] / (n * warps));
            rate<<<132, 32 * warps, warps * bytes>>>(g, t, bytes, n);
            cudaMemcpy(h, t, 8 * 132, cudaMemcpyDeviceToHost);
            std::sort(h, h + 132);
            printf("rate,%d,%d,132,%.2f\n", bytes, warps, (double)h[66] / (n * warps));
        }
    for (int bytes : {16, 128, 1024, 4096, 16384, 65536})
        for (int cold : {0, 1}) {
            cudaMemset(g + (N >> 1), 1, N >> 1);
            const size_t step = cold ? 1 << 20 : 0;
            latency<<<1, 32, bytes>>>(g, t, bytes, 64, step);
            cudaMemcpy(h, t, 8 * 64, cudaMemcpyDeviceToHost);
            std::sort(h + 4, h + 64);
            printf("%s,%d,1,1,%lld\n", cold ? "from_dram" : "from_l2", bytes, h[34]);
        }
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    for (int from_l2 : {0, 1})
        for (int blocks : {132, 264, 528})
            for (int bytes : {1024, 4096, 16384})
                for (int stages : {1, 2, 4, 8}) {
                    if ((size_t)stages * bytes * (blocks / 132) > 200000) continue;
                    const size_t total = from_l2 ? (24 << 20) / blocks / 16384 * 16384 : (264 << 20) / blocks / 16384 * 16384;
                    float best = 1e9, ms;
                    for (int r = 0; r < 5; r++) {
                        if (!from_l2) cudaMemset(g + (N >> 1), r, N >> 1);
                        cudaEventRecord(a);
                        for (int k = 0; k < (from_l2 ? 10 : 1); k++)
                            stream<<<blocks, 32, stages * bytes>>>(g, o, total, bytes, stages);
                        cudaEventRecord(b);
                        cudaEventSynchronize(b);
                        cudaEventElapsedTime(&ms, a, b);
                        best = std::min(best, ms / (from_l2 ? 10 : 1));
                    }
                    printf("%s,%d,%d,%d,%.2f\n", from_l2 ? "stream_l2_gbs" : "stream_dram_gbs", bytes, stages, blocks,
                           total * blocks / best / 1e6);
                }
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
