// Measures how many stores are on their way before a warp has to wait, and how fast they leave then: each warp stores N
// times in a row, of so many lines and sectors, and notes when each store has been issued. Mergeable ones go four times
// to the quarters of the same sectors.
//
//     nvcc -O3 -arch=native -o store_queue store_queue.cu && ./store_queue

#include "timing.h"

enum { N = 96 };

__device__ __forceinline__ long long now()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

// Words `gap` apart; `quarters`: four stores in a row fill pieces of `gap` words.
template <bool QUARTERS>
__global__ void __launch_bounds__(256) stores(unsigned *out, int gap, int mask, long long *cycles, int who)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long t[N];
    unsigned step = 32 * gap;
    if (!(mask >> warp & 1))
        return;
    size_t own = ((size_t)blockIdx.x * 8 + warp) * N * 32 * gap;
    unsigned *at = out + own + lane * gap;
    __syncwarp();
    long long start = now();
#pragma unroll
    for (int k = 0; k < N; k++) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(k) : "memory");
        t[k] = now();
        at += QUARTERS ? (k % 4 < 3 ? 1 : step - 3) : step;
    }
    if (lane == 0 && blockIdx.x == (unsigned)who) {
        cycles[warp * (N + 1)] = start;
#pragma unroll
        for (int k = 0; k < N; k++)
            cycles[warp * (N + 1) + k + 1] = t[k];
    }
}

// The quarters alone, `times` groups of four by each warp.
__global__ void quarters(unsigned *out, int gap, int times)
{
    unsigned *at = out + (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * gap;
    for (int r = 0; r < times; r++, at += (size_t)gridDim.x * blockDim.x * gap)
#pragma unroll
        for (int k = 0; k < 4; k++)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(at + k), "r"(k) : "memory");
}

// The same of 16 bytes a lane in a row: 4 lines, 16 whole sectors.
__global__ void __launch_bounds__(256) wide(uint4 *out, int mask, long long *cycles, int who)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long t[N], start;
    if (!(mask >> warp & 1))
        return;
    uint4 *at = out + ((size_t)blockIdx.x * 8 + warp) * N * 32 + lane;
    __syncwarp();
    start = now();
#pragma unroll
    for (int k = 0; k < N; k++) {
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at + k * 32), "r"(k) : "memory");
        t[k] = now();
    }
    if (lane == 0 && blockIdx.x == (unsigned)who) {
        cycles[warp * (N + 1)] = start;
#pragma unroll
        for (int k = 0; k < N; k++)
            cycles[warp * (N + 1) + k + 1] = t[k];
    }
}

// Loads that hit in L1 right behind stores: does the pipe stand still for them?
__global__ void behind(unsigned *out, const unsigned *in, int gap, int n, long long *cycles, unsigned *sink)
{
    int lane = threadIdx.x % 32;
    long long start, stored, end;
    unsigned v = in[lane], w;
    __syncwarp(~0u | v >> 31);
    start = now();
    for (int k = 0; k < n; k++)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + (k * 32 + lane) * (size_t)gap), "r"(v) : "memory");
    stored = now();
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(w) : "l"(in + lane) : "memory");
    if (w == 77)
        sink[1] = w;
    end = now();
    if (lane == 0)
        cycles[0] = stored - start, cycles[1] = end - stored;
    if (v == 12345)
        sink[0] = w;
}

static unsigned *data, *sink;
static long long *cycles;

static void print(const char *what, int gap, int quarters, int mask, int blocks)
{
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> v(8 * (N + 1));
    CHECK(cudaMemcpy(v.data(), cycles, v.size() * 8, cudaMemcpyDeviceToHost));
    for (int w = 0; w < 8; w++)
        if (mask >> w & 1) {
            printf("%s,%d,%d,%x,%d,%d,", what, gap, quarters, mask, blocks, w);
            for (int k = 0; k < N; k++)
                printf("%lld%s", v[w * (N + 1) + k + 1] - v[w * (N + 1)], k + 1 < N ? " " : "\n");
        }
}

int main(int argc, char **argv)
{
    if (argc > 1) { // for Nsight Compute: sectors that quarters leave to the L2
        CHECK(cudaMalloc(&data, (size_t)1 << 30));
        CHECK(cudaMalloc(&cycles, 1 << 16));
        for (int threads : {32, 128, 256, 512, 1024})
            for (int blocks : {132, 264})
                for (int times : {1, 2, 4, 8})
                    quarters<<<blocks, threads>>>(data, 4, times);
        for (int times : {1, 2}) {
            quarters<<<1056, 256>>>(data, 4, times);
            quarters<<<1056, 256>>>(data, 8, times);
        }
        CHECK(cudaDeviceSynchronize());
        return 0;
    }
    CHECK(cudaMalloc(&data, (size_t)4 << 30));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&cycles, 1 << 16));
    CHECK(cudaMemset(data, 0, (size_t)4 << 30));
    printf("what,gap,quarters,mask,blocks,warp,cycles\n");
    for (int blocks : {1, 132})
        for (int mask : {0x1, 0x11, 0xF, 0xFF}) {
            if (blocks == 132 && mask == 0x11)
                continue;
            for (int gap : {1, 2, 4, 8, 16, 32})
                for (int again = 0; again < 2; again++) {
                    stores<false><<<blocks, 256>>>(data, gap, mask, cycles, blocks / 2);
                    if (again)
                        print("words", gap, 0, mask, blocks);
                }
            for (int gap : {4, 8})
                for (int again = 0; again < 2; again++) {
                    stores<true><<<blocks, 256>>>(data, gap, mask, cycles, blocks / 2);
                    if (again)
                        print("quarters", gap, 1, mask, blocks);
                }
            for (int again = 0; again < 2; again++)
                wide<<<blocks, 256>>>((uint4 *)data, mask, cycles, blocks / 2);
            print("wide", 4, 0, mask, blocks);
        }
    for (int gap : {1, 4, 8, 32})
        for (int n : {0, 1, 2, 4, 8, 16, 24, 32, 64, 96})
            for (int again = 0; again < 2; again++) {
                behind<<<1, 32>>>(data + (1 << 20), data, gap, n, cycles, sink);
                CHECK(cudaDeviceSynchronize());
                long long v[2];
                CHECK(cudaMemcpy(v, cycles, 16, cudaMemcpyDeviceToHost));
                if (again)
                    printf("behind,%d,0,1,1,%d,%lld %lld\n", gap, n, v[0], v[1]);
            }
    return 0;
}
