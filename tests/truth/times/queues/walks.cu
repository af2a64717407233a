// Measures which warp a scheduler prefers, loads of rows by the lanes of a warp, lines that several multiprocessors read at
// once, words that neighbours read too, words that lie apart, and compare-and-swap and minima of random words by many
// threads. Prints one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o walks walks.cu && ./walks

#include <algorithm>
#include <cstdio>
#include <vector>

#include "timing.h"

static long long *clocks;  // [65536], on the device
static float *data;        // 1 GiB of zeros
static float *other;       // 1 GiB
static float *sink;        // 64 MiB
static char *flushed;      // 256 MiB
static int multiprocessors;

static void flush()
{
    CHECK(cudaMemset(flushed, 0, 256 << 20));
}

template <class Launch>
static double microseconds(Launch launch)
{
    return median_microseconds(5, flush, launch);
}

// ------------------------------------------------------------------------------------------------ the preferred warp

struct Stay {
    unsigned sm, warp;
    long long start, end;
};

enum Work { SHUFFLES, PRODUCTS, SHARED_LOADS, MIXED };

template <Work WORK>
__global__ void stay(Stay *stays, int rounds, float *sink)
{
    __shared__ int room[1024];
    room[threadIdx.x] = 0;
    __syncthreads();
    long long start = clock64();
    int x = threadIdx.x;
    float v[4] = {1.0f * x, 2.0f * x, 3.0f * x, 4.0f * x};
    if (WORK == SHUFFLES)
        for (int i = 0; i < rounds; i++)
            x += __shfl_xor_sync(0xffffffff, x, 1 + (i & 15));
    if (WORK == PRODUCTS)
        for (int i = 0; i < rounds; i++)
            _Pragma("unroll") for (int k = 0; k < 4; k++) v[k] = v[k] * 1.0001f + 0.5f;
    if (WORK == SHARED_LOADS)
        for (int i = 0; i < rounds; i++)
            x += room[(x + i) & 31] + (threadIdx.x & 31);
    if (WORK == MIXED)
        for (int i = 0; i < rounds; i++) {
            v[0] = v[0] * 1.0001f + room[(threadIdx.x + i) & 1023];
            v[1] = v[1] * 1.0001f + 0.5f;
            x = (x << 3) ^ (x >> 5);
        }
    long long end = clock64();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x + v[0] + v[1] + v[2] + v[3];
    if (threadIdx.x % 32 == 0) {
        unsigned sm, warp;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
        stays[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm, warp, start, end};
    }
}

template <Work WORK>
static void order_of_warps(const char *name)
{
    Stay *stays = (Stay *)clocks;
    for (int blocks : {1, 2, 8}) {
        int warps = blocks == 8 ? 8 : 32, all = blocks * multiprocessors * warps;
        for (int k = 0; k < 2; k++)
            stay<WORK><<<blocks * multiprocessors, 32 * warps>>>(stays, 256, sink);
        std::vector<Stay> host(all);
        CHECK(cudaMemcpy(host.data(), stays, all * sizeof(Stay), cudaMemcpyDeviceToHost));
        long long first = 1LL << 62;
        for (auto &each : host)
            if (each.sm == 0)
                first = std::min(first, each.start);
        for (int k = 0; k < all; k++)
            if (host[k].sm == 0)
                printf("stay_%s_%d_%d_%u,%d,%lld,cycles\nstart_%s_%d_%d_%u,%d,%lld,cycles\n", name, blocks, k / warps,
                       host[k].warp, k % warps, host[k].end - first, name, blocks, k / warps, host[k].warp, k % warps,
                       host[k].start - first);
    }
}

// ------------------------------------------------------------------------------------------------ rows

// Each lane walks along a row of its own, WORDS at a time; notes the clock at each step.
template <int WORDS>
__global__ void walk(const float *data, size_t stride, int steps, long long *clocks, float *sink)
{
    const float *at = data + (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * stride;
    float sum = 0;
    __shared__ long long times[256];
    for (int s = 0; s < steps; s++) {
        if (threadIdx.x == 0)
            times[s] = clock64();
        float v[WORDS];
        _Pragma("unroll") for (int k = 0; k < WORDS; k++) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[k]) : "l"(at + k));
        _Pragma("unroll") for (int k = 0; k < WORDS; k++) sum += v[k];
        at += WORDS + (sum != 0);
    }
    if (threadIdx.x == 0) {
        times[steps] = clock64();
        for (int s = 0; s <= steps; s++)
            clocks[blockIdx.x * 256 + s] = times[s];
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int WORDS>
static void rows()
{
    for (int blocks : {1, 128})
        for (int threads : {32, 64, 128})
            for (int stride : {544, 1024, 4096})
                for (int cold : {0, 1}) {
                    int steps = 128 / WORDS, in_line = 32 / WORDS;
                    if (cold)
                        flush();
                    else
                        walk<WORDS><<<blocks, threads>>>(data, stride, steps, clocks, sink);
                    walk<WORDS><<<blocks, threads>>>(data, stride, steps, clocks, sink);
                    std::vector<long long> host(blocks * 256);
                    CHECK(cudaMemcpy(host.data(), clocks, blocks * 256 * sizeof(long long), cudaMemcpyDeviceToHost));
                    // By the place in a line, of the second to the last line.
                    for (int place = 0; place < in_line; place++) {
                        double sum = 0;
                        for (int b = 0; b < blocks; b++)
                            for (int s = in_line + place; s < steps; s += in_line)
                                sum += (double)(host[b * 256 + s + 1] - host[b * 256 + s]);
                        printf("row_%s_%d_%d_%d_%d,%d,%.5g,cycles\n", cold ? "dram" : "l2", WORDS, blocks, threads, stride * 4,
                               place * WORDS, sum / blocks / 3);
                    }
                }
}

// ------------------------------------------------------------------------------------------------ the same lines

// Each block reads one line after the other; all blocks the same ones, or each its own.
__global__ void meet(const int *data, int steps, size_t apart, int lane_step, long long *clocks, float *sink)
{
    const int *at = data + blockIdx.x * apart + threadIdx.x * lane_step;
    int sum = 0;
    long long start = clock64();
    for (int s = 0; s < steps; s++) {
        int v;
        asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(at));
        at += 32 * lane_step + v;
        sum += v;
    }
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void same_lines()
{
    for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132})
        for (int own : {0, 1})
            for (int lane_step : {1, 32})
                for (int cold : {0, 1}) {
                    int steps = 64;
                    auto launch = [&] {
                        meet<<<blocks, 32>>>((const int *)data, steps, own ? 1 << 16 : 0, lane_step, clocks, sink);
                    };
                    launch();
                    if (cold)
                        flush();
                    launch();
                    std::vector<long long> host(blocks);
                    CHECK(cudaMemcpy(host.data(), clocks, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
                    double sum = 0;
                    for (long long each : host)
                        sum += (double)each;
                    printf("%s_lines_%s_%d,%d,%.5g,cycles\n", own ? "own" : "same", cold ? "dram" : "l2", lane_step, blocks,
                           sum / blocks / steps);
                }
}

// ------------------------------------------------------------------------------------------------ neighbours

template <int REACH, bool STORED>
__global__ void near(const float *in, float *out, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < REACH * step || i >= n - REACH * step)
        return;
    float sum = 0;
    _Pragma("unroll") for (int k = -REACH; k <= REACH; k++) sum += in[i + k * step];
    if (STORED || sum == 5.0f)
        out[i] = sum;
}

template <int REACH, bool STORED>
static void neighbours()
{
    for (int bits : {22, 24})
        for (int step : {1, 8, 32, 256, 4096}) {
            if (REACH == 0 && step > 1)
                continue;
            int n = 1 << bits;
            printf("near_%s_%d_%d,%d,%.5g,us\n", STORED ? "copy" : "read", REACH, bits, step,
                   microseconds([&] { near<REACH, STORED><<<n / 256, 256>>>(data, other, n, step); }));
        }
}

// ------------------------------------------------------------------------------------------------ words that lie apart

template <bool READ, bool STORED>
__global__ void apart(const float *in, float *out, size_t step)
{
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * step;
    float v = READ ? in[i] : 1.0f;
    if (STORED || v == 5.0f)
        out[i] = v;
}

template <bool READ, bool STORED>
static void strides(const char *name)
{
    for (int bits : {18, 20, 22})
        for (int step : {1, 2, 4, 8, 16, 24, 32, 48, 64})
            printf("%s_apart_%d,%d,%.5g,us\n", name, bits, step,
                   microseconds([&] { apart<READ, STORED><<<(1 << bits) / 256, 256>>>(data, other, step); }));
}

// ------------------------------------------------------------------------------------------------ atomics of many threads

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

// Each thread adds one to random words by compare-and-swap.
__global__ void add_by_swaps(int *words, unsigned mask, int rounds, unsigned *tries)
{
    unsigned x = hash(blockIdx.x * blockDim.x + threadIdx.x), count = 0;
    for (int r = 0; r < rounds; r++) {
        int *word = &words[hash(x + r * 2654435761u) & mask], old = *(volatile int *)word, seen;
        while ((seen = atomicCAS(word, old, old + 1)) != old)
            old = seen, count++;
    }
    atomicAdd(tries, count);
}

// A thread of each ``step`` lowers random words, one after the other, and tells whether it changed any.
template <bool USED>
__global__ void lower(int *words, unsigned mask, int rounds, int step, int *flag)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k % step)
        return;
    for (int r = 0; r < rounds; r++)
        if (USED) {
            if (atomicMin(&words[hash(k * 31 + r) & mask], 7) > 7)
                *flag = 1;
        } else
            atomicMin(&words[hash(k * 31 + r) & mask], 7);
}

static void atomics()
{
    int *words = (int *)other;
    unsigned *tries = (unsigned *)sink;
    for (int blocks : {132, 1056, 4224})
        for (int bits : {4, 8, 12, 16, 20}) {
            if (bits == 4 && blocks > 132)
                continue;
            unsigned count;
            CHECK(cudaMemset(words, 0, 4 << 20));
            double t = microseconds([&] {
                cudaMemsetAsync(tries, 0, 4);
                add_by_swaps<<<blocks, 256>>>(words, (1u << bits) - 1, 4, tries);
            });
            CHECK(cudaMemcpy(&count, tries, 4, cudaMemcpyDeviceToHost));
            printf("swaps_%d,%d,%.5g,us\nswap_tries_%d,%d,%.5g,tries\n", blocks, bits, t, blocks, bits,
                   count / (blocks * 1024.0));
        }
    for (int bits : {12, 16, 20, 23})
        for (int step : {1, 4, 32})
            for (int rounds : {1, 8}) {
                CHECK(cudaMemset(words, 1, sizeof(int) << bits));
                printf("lower_used_%d_%d,%d,%.5g,us\n", bits, step, rounds, microseconds([&] {
                           lower<true><<<4096, 256>>>(words, (1u << bits) - 1, rounds, step, (int *)sink);
                       }));
                printf("lower_%d_%d,%d,%.5g,us\n", bits, step, rounds, microseconds([&] {
                           lower<false><<<4096, 256>>>(words, (1u << bits) - 1, rounds, step, (int *)sink);
                       }));
            }
}

int main()
{
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&clocks, 8 << 20));
    CHECK(cudaMalloc(&data, 1 << 30));
    CHECK(cudaMalloc(&other, 1 << 30));
    CHECK(cudaMalloc(&sink, 64 << 20));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    CHECK(cudaMemset(data, 0, 1 << 30));
    printf("figure,parameter,value,unit\n");
    printf("empty,0,%.5g,us\n", microseconds([&] { near<0, true><<<1, 32>>>(data, other, 0, 1); }));
    order_of_warps<SHUFFLES>("shuffles");
    order_of_warps<PRODUCTS>("products");
    order_of_warps<SHARED_LOADS>("shared");
    order_of_warps<MIXED>("mixed");
    rows<1>();
    rows<4>();
    rows<8>();
    same_lines();
    neighbours<0, true>(), neighbours<0, false>(), neighbours<1, true>(), neighbours<1, false>();
    neighbours<4, true>(), neighbours<4, false>();
    strides<true, false>("read"), strides<false, true>("store"), strides<true, true>("copy");
    atomics();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
