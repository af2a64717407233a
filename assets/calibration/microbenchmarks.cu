// Measures what the timing model of warpview has to know of a GPU. Prints one line a figure: its name, a parameter
// (0 where it has none), the value and its unit. "cycles" are those of the multiprocessor clock.
//
//     nvcc -O3 -arch=native -o microbenchmarks microbenchmarks.cu && ./microbenchmarks

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s\n", cudaGetErrorString(error_));                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static void say(const char *name, double parameter, double value, const char *unit)
{
    printf("%s,%.10g,%.6g,%s\n", name, parameter, value, unit);
    fflush(stdout);
}

static long long *clocks;  // [2], on the device
static float *sink;
static cudaDeviceProp gpu;

static double cycles_of_first_block()
{
    long long host[1];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host[0];
}

// Median of the milliseconds of single launches.
template <class Launch>
static double milliseconds(Launch launch, int rounds = 15)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    launch();
    for (int k = 0; k < rounds; k++) {
        CHECK(cudaEventRecord(start));
        launch();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        float t;
        CHECK(cudaEventElapsedTime(&t, start, stop));
        times.push_back(t);
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// Mean milliseconds of launches that follow one another in a stream.
template <class Launch>
static double milliseconds_in_a_row(Launch launch, int count = 200)
{
    return milliseconds([&] { for (int k = 0; k < count; k++) launch(); }, 3) / count;
}

// ------------------------------------------------------------------------------------------------ launches

__global__ void nothing() {}

__global__ void spin(long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) {}
}

static void launches()
{
    say("launch_interval", 0, 1000 * milliseconds_in_a_row([] { nothing<<<1, 32>>>(); }), "us");
    for (int threads : {32, 128, 256, 1024})
        for (int blocks : {gpu.multiProcessorCount * 100, gpu.multiProcessorCount * 1000}) {
            char name[64];
            snprintf(name, sizeof name, "empty_%d", threads);
            say(name, blocks, 1000 * milliseconds([&] { nothing<<<blocks, threads>>>(); }), "us");
        }
}

// ------------------------------------------------------------------------------------------------ latency of memory

__global__ void chase(const unsigned *next, int steps, int kind, long long *clocks, unsigned *sink)
{
    unsigned at = 0;
    for (int k = 0; k < 64; k++)
        at = kind ? __ldcg(next + at) : next[at];
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at = kind ? __ldcg(next + at) : __ldca(next + at);
    clocks[0] = clock64() - start;
    *sink = at;
}

__global__ void chase_warm(const unsigned *next, int steps, long long *clocks, unsigned *sink)
{
    unsigned at = 0;
    for (int k = 0; k < steps; k++)
        at = __ldca(next + at);
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at = __ldca(next + at);
    clocks[0] = clock64() - start;
    *sink = at;
}

__global__ void chase_shared(int steps, long long *clocks, unsigned *sink)
{
    __shared__ unsigned next[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        next[k] = (k + 33) % 1024;
    __syncthreads();
    unsigned at = threadIdx.x;
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at = next[at];
    clocks[0] = clock64() - start;
    *sink = at;
}

__constant__ unsigned constant_next[512];

__global__ void chase_constant(int steps, long long *clocks, unsigned *sink)
{
    unsigned at = 0;
    for (int k = 0; k < steps; k++)
        at = constant_next[at];
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at = constant_next[at];
    clocks[0] = clock64() - start;
    *sink = at;
}

static unsigned *ring(size_t bytes, size_t stride)
{
    size_t count = bytes / stride;
    std::vector<unsigned> order(count), next(bytes / 4);
    for (size_t k = 0; k < count; k++)
        order[k] = (unsigned)k;
    unsigned seed = 1;
    for (size_t k = count - 1; k > 0; k--) {
        seed = seed * 1664525u + 1013904223u;
        std::swap(order[k], order[seed % (k + 1)]);
    }
    for (size_t k = 0; k < count; k++)
        next[order[k] * (stride / 4)] = order[(k + 1) % count] * (unsigned)(stride / 4);
    unsigned *device;
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMemcpy(device, next.data(), bytes, cudaMemcpyHostToDevice));
    return device;
}

static void latencies()
{
    const int steps = 2048;
    unsigned *out = (unsigned *)sink;
    unsigned *small = ring(16 << 10, 64);
    chase_warm<<<1, 1>>>(small, steps, clocks, out);
    say("latency_l1", 0, cycles_of_first_block() / steps, "cycles");
    CHECK(cudaFree(small));
    for (size_t mib : {1, 4, 16, 32, 48}) {
        unsigned *middle = ring(mib << 20, 128);
        for (int k = 0; k < 3; k++)
            chase<<<1, 1>>>(middle, (int)std::min<size_t>((mib << 20) / 128, 200000), 1, clocks, out);
        chase<<<1, 1>>>(middle, 20000, 1, clocks, out);
        say("latency_l2", (double)mib, cycles_of_first_block() / 20000, "cycles");
        CHECK(cudaFree(middle));
    }
    for (size_t mib : {256, 2048}) {
        unsigned *large = ring(mib << 20, 512);
        chase<<<1, 1>>>(large, 20000, 1, clocks, out);
        say("latency_dram", (double)mib, cycles_of_first_block() / 20000, "cycles");
        CHECK(cudaFree(large));
    }
    chase_shared<<<1, 32>>>(steps, clocks, out);
    say("latency_shared", 0, cycles_of_first_block() / steps, "cycles");
    unsigned next[512];
    for (int k = 0; k < 512; k++)
        next[k] = (k + 7) % 512;
    CHECK(cudaMemcpyToSymbol(constant_next, next, sizeof next));
    chase_constant<<<1, 32>>>(steps, clocks, out);
    say("latency_constant", 0, cycles_of_first_block() / steps, "cycles");
}

// ------------------------------------------------------------------------------------------------ the first-level cache

// The compiler neither drops nor merges these.
__device__ __forceinline__ float load(const float *at)
{
    float v;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(at));
    return v;
}

__device__ __forceinline__ float load(const float2 *at)
{
    float2 v;
    asm volatile("ld.global.ca.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(at));
    return v.x;
}

__device__ __forceinline__ float load(const float4 *at)
{
    float4 v;
    asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(at));
    return v.x;
}

__device__ __forceinline__ void store(float *at, float v)
{
    asm volatile("st.global.f32 [%0], %1;" ::"l"(at), "f"(v));
}

// Each warp reads words of ``lines`` lines of 128 bytes that lie in L1; cycles of the multiprocessor for a warp's load.
__global__ void lines_of_l1(const float *data, int lines, int spread, int rounds, int step, long long *clocks, float *sink)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int group = 32 / lines;
    int at = lane / group * 32 + lane % group * spread;
    float sum = 0;
    for (int k = threadIdx.x; k < 16384; k += blockDim.x)
        sum += __ldca(data + k);
    __syncthreads();
    long long start = clock64();
    const float *from = data + warp % 8 * 1024 + at;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int k = 0; k < 8; k++)
            sum += load(from + k * 1024 % 8192);
        from += step;  // 0, which the compiler does not know
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = sum;
}

template <class T>
__global__ void width_of_l1(const T *data, int rounds, int step, long long *clocks, float *sink)
{
    float sum = 0;
    for (int k = threadIdx.x; k < 16384; k += blockDim.x)
        sum += __ldca((const float *)data + k);
    __syncthreads();
    const T *from = data + threadIdx.x % 32;
    long long start = clock64();
    for (int r = 0; r < rounds; r++, from += step)
        #pragma unroll
        for (int k = 0; k < 8; k++)
            sum += load(from + k * 32);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = sum;
}

// Stores of a warp to ``lines`` lines: cycles of the multiprocessor for each.
__global__ void lines_of_stores(float *data, int lines, int rounds, long long *clocks)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = 32 / lines;
    int at = lane / group * 32 + lane % group + warp * 1024;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        #pragma unroll
        for (int k = 0; k < 8; k++)
            store(data + at + k * 32768, r);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
}

static void first_level()
{
    float *data;
    CHECK(cudaMalloc(&data, 64 << 20));
    CHECK(cudaMemset(data, 0, 64 << 20));
    const int rounds = 64;
    double loads = rounds * 8 * 32;
    for (int lines : {1, 2, 4, 8, 16, 32}) {
        lines_of_l1<<<1, 1024>>>(data, lines, 1, rounds, 0, clocks, sink);
        say("l1_lines", lines, cycles_of_first_block() / loads, "cycles");
    }
    for (int lines : {1, 2, 4, 8}) {
        lines_of_l1<<<1, 1024>>>(data, lines, lines, rounds, 0, clocks, sink);
        say("l1_lines_spread", lines, cycles_of_first_block() / loads, "cycles");
    }
    width_of_l1<<<1, 1024>>>(data, rounds, 0, clocks, sink);
    say("l1_width", 4, cycles_of_first_block() / loads, "cycles");
    width_of_l1<<<1, 1024>>>((float2 *)data, rounds, 0, clocks, sink);
    say("l1_width", 8, cycles_of_first_block() / loads, "cycles");
    width_of_l1<<<1, 1024>>>((float4 *)data, rounds, 0, clocks, sink);
    say("l1_width", 16, cycles_of_first_block() / loads, "cycles");
    for (int lines : {1, 2, 4, 8, 16, 32}) {
        lines_of_stores<<<1, 1024>>>(data, lines, rounds, clocks);
        lines_of_stores<<<1, 1024>>>(data, lines, rounds, clocks);
        say("store_lines", lines, cycles_of_first_block() / loads, "cycles");
    }
    CHECK(cudaFree(data));
}

// ------------------------------------------------------------------------------------------------ L2 and DRAM

__global__ void read_all(const float4 *data, size_t count, int rounds, float *sink)
{
    float sum = 0;
    for (int r = 0; r < rounds; r++)
        for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += 4 * (size_t)gridDim.x * blockDim.x) {
            float4 v[4];
            #pragma unroll
            for (int j = 0; j < 4; j++) {
                size_t at = k + j * (size_t)gridDim.x * blockDim.x;
                v[j] = at < count ? __ldcg(data + at) : make_float4(0, 0, 0, 0);
            }
            #pragma unroll
            for (int j = 0; j < 4; j++)
                sum += v[j].x + v[j].y + v[j].z + v[j].w;
        }
    if (sum == 12345.0f)
        *sink = sum;
}

__global__ void read_words(const float *data, size_t count, int rounds, float *sink)
{
    float sum = 0;
    for (int r = 0; r < rounds; r++)
        for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
            sum += __ldcg(data + k);
    if (sum == 12345.0f)
        *sink = sum;
}

// One word of every sector: as many requests in flight as the multiprocessor can have.
__global__ void read_sectors(const float *data, size_t count, float *sink)
{
    float sum = 0;
    for (size_t k = 8 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x); k < count; k += 8 * (size_t)gridDim.x * blockDim.x)
        sum += __ldcg(data + k);
    if (sum == 12345.0f)
        *sink = sum;
}

__global__ void write_all(float4 *data, size_t count, int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
            data[k] = make_float4(r, 1, 2, 3);
}

// One word of every sector.
__global__ void write_sectors(float *data, size_t count, int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (size_t k = 8 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x); k < count; k += 8 * (size_t)gridDim.x * blockDim.x)
            data[k] = r;
}

__global__ void copy_all(const float4 *from, float4 *to, size_t count)
{
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
        to[k] = from[k];
}

static void bandwidths()
{
    int sms = gpu.multiProcessorCount;
    size_t most = (size_t)1 << 31;
    float4 *data, *other;
    CHECK(cudaMalloc(&data, most));
    CHECK(cudaMalloc(&other, most));
    CHECK(cudaMemset(data, 0, most));
    CHECK(cudaMemset(other, 0, most));
    auto gbps = [](double bytes, double ms) { return bytes / ms * 1e-6; };
    for (size_t mib : {2, 8, 16, 24, 32}) {
        size_t bytes = mib << 20;
        int rounds = (int)((1024 << 20) / bytes);
        double ms = milliseconds([&] { read_all<<<sms * 2, 1024>>>(data, bytes / 16, rounds, sink); }, 5);
        say("l2_read", (double)mib, gbps((double)bytes * rounds, ms), "GB/s");
        ms = milliseconds([&] { write_all<<<sms * 2, 1024>>>(data, bytes / 16, rounds); }, 5);
        say("l2_write", (double)mib, gbps((double)bytes * rounds, ms), "GB/s");
        ms = milliseconds([&] { write_sectors<<<sms * 2, 1024>>>((float *)data, bytes / 4, rounds); }, 5);
        say("l2_write_sectors", (double)mib, gbps((double)bytes * rounds, ms), "GB/s");
    }
    for (int blocks : {1, 2, 4, 8, 16, 33, 66, sms}) {
        size_t bytes = 8 << 20;
        double ms = milliseconds([&] { read_all<<<blocks, 1024>>>(data, bytes / 16, 4, sink); }, 5);
        say("l2_read_blocks", blocks, gbps((double)bytes * 4, ms), "GB/s");
    }
    for (size_t mib : {64, 256, 2048}) {
        size_t bytes = mib << 20;
        double ms = milliseconds([&] { read_all<<<sms * 2, 1024>>>(data, bytes / 16, 1, sink); }, 7);
        say("dram_read", (double)mib, gbps((double)bytes, ms), "GB/s");
        ms = milliseconds([&] { write_all<<<sms * 2, 1024>>>(data, bytes / 16, 1); }, 7);
        say("dram_write", (double)mib, gbps((double)bytes, ms), "GB/s");
        ms = milliseconds([&] { copy_all<<<sms * 2, 1024>>>(data, other, bytes / 16); }, 7);
        say("dram_copy", (double)mib, gbps(2.0 * bytes, ms), "GB/s");
    }
    for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
        size_t bytes = (size_t)256 << 20;
        int threads = std::min(1024, warps * 32), blocks = sms * std::max(1, warps / 32);
        double ms = milliseconds([&] { read_words<<<blocks, threads>>>((float *)data, bytes / 4, 1, sink); }, 5);
        say("dram_read_warps", warps, gbps((double)bytes, ms), "GB/s");
        ms = milliseconds([&] { read_sectors<<<blocks, threads>>>((float *)data, bytes / 4, sink); }, 5);
        say("dram_sectors_warps", warps, gbps((double)bytes, ms), "GB/s");
    }
    CHECK(cudaFree(data));
    CHECK(cudaFree(other));
}

// ------------------------------------------------------------------------------------------------ shared memory

__device__ __forceinline__ float load_shared(const float *at)
{
    float v;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(at)));
    return v;
}

__device__ __forceinline__ float load_shared(const float2 *at)
{
    float2 v;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"((unsigned)__cvta_generic_to_shared(at)));
    return v.x;
}

__device__ __forceinline__ float load_shared(const float4 *at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"((unsigned)__cvta_generic_to_shared(at)));
    return v.x;
}

template <class T>
__global__ void loads_of_shared(int stride, int rounds, int step, long long *clocks, float *sink)
{
    __shared__ float4 room[2048];
    T *data = (T *)room;
    float *words = (float *)room;
    for (int k = threadIdx.x; k < 8192; k += blockDim.x)
        words[k] = k;
    __syncthreads();
    const int most = 32768 / (int)sizeof(T);
    int at = threadIdx.x % 32 * stride % most;
    float sum = 0;
    long long start = clock64();
    for (int r = 0; r < rounds; r++, at += step)
        #pragma unroll
        for (int k = 0; k < 8; k++)
            sum += load_shared(data + (at + k * 32) % most);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = sum;
}

__global__ void stores_of_shared(int stride, int rounds, long long *clocks, float *sink)
{
    __shared__ float data[8192];
    int at = threadIdx.x % 32 * stride % 4096;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        #pragma unroll
        for (int k = 0; k < 8; k++)
            ((volatile float *)data)[at + k * 32] = r;
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = data[threadIdx.x];
}

__global__ void atomics_of_shared(int words, int rounds, long long *clocks, float *sink)
{
    __shared__ int data[1024];
    data[threadIdx.x] = 0;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        atomicAdd(&data[threadIdx.x % words], r + 1);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = data[threadIdx.x];
}

static void shared_memory()
{
    const int rounds = 64;
    double accesses = rounds * 8 * 32;
    for (int stride : {1, 2, 4, 8, 16, 32}) {
        loads_of_shared<float><<<1, 1024>>>(stride, rounds, 0, clocks, sink);
        say("shared_load", stride, cycles_of_first_block() / accesses, "cycles");
        stores_of_shared<<<1, 1024>>>(stride, rounds, clocks, sink);
        say("shared_store", stride, cycles_of_first_block() / accesses, "cycles");
    }
    loads_of_shared<float2><<<1, 1024>>>(1, rounds, 0, clocks, sink);
    say("shared_load_width", 8, cycles_of_first_block() / accesses, "cycles");
    loads_of_shared<float4><<<1, 1024>>>(1, rounds, 0, clocks, sink);
    say("shared_load_width", 16, cycles_of_first_block() / accesses, "cycles");
    for (int words : {1, 32, 1024}) {
        atomics_of_shared<<<1, 1024>>>(words, 256, clocks, sink);
        say("shared_atomic", words, cycles_of_first_block() / (256 * 32), "cycles");
    }
}

// ------------------------------------------------------------------------------------------------ atomics and barriers

__global__ void atomics(int *data, int words, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(&data[(i + r * 32) % words], r + 1);
}

template <class T>
__global__ void atomics_of(T *data, int words, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(&data[(i + r * 32) % words], (T)(r + 1));
}

// All warps store to one sector.
__global__ void store_together(volatile int *data, int rounds)
{
    for (int r = 0; r < rounds; r++)
        data[threadIdx.x & 7] = r;
}

__global__ void atomics_back(int *data, int rounds, long long *clocks, float *sink)
{
    int value = 0;
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        value = atomicAdd(&data[threadIdx.x + (value & 1024)], 1);
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = value;
}

__global__ void barriers(int rounds, long long *clocks)
{
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
}

enum Before { STORE, LOAD, LOAD_L1 };

// Each warp stores to random sectors, or loads them, or sectors of a line that is in L1, and then stores a word: one for
// all warps, or one of its own.
template <Before BEFORE>
__global__ void store_after(int *data, unsigned words, int lanes, unsigned apart, int rounds, float *sink)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, at = thread * 2654435761u;
    int sum = 0, value = 0;
    for (int r = 0; r < rounds; r++) {
        at = at * 1664525u + 1013904223u;
        int *place = data + (1 << 20 | (BEFORE == LOAD_L1 ? threadIdx.x % 32 : (at >> 8) % words));
        if (threadIdx.x % 32 < lanes) {
            if (BEFORE == STORE)
                asm volatile("st.global.u32 [%0], %1;" ::"l"(place), "r"(r) : "memory");
            else if (BEFORE == LOAD)
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
            else
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
            sum += value;
        }
        if (apart != ~0u)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(data + thread / 32 * apart), "r"(r) : "memory");
    }
    sink[threadIdx.x] = sum;
}

// Nanoseconds of a store to one word and of one to a word of the warp's own, beyond the other accesses of the loop.
template <Before BEFORE>
static void stores_after(const char *name, int *data)
{
    int blocks = gpu.multiProcessorCount * 4;
    double stores = blocks * 8.0 * 64;
    for (int lanes : {1, 8, 32}) {
        double ns[3];
        for (int k = 0; k < 3; k++) {
            unsigned apart = k == 0 ? ~0u : k == 1 ? 0 : 64;
            ns[k] = 1e6 / stores * milliseconds(
                [&] { store_after<BEFORE><<<blocks, 256>>>(data, 1 << 20, lanes, apart, 64, sink); }, 5);
        }
        char text[64];
        say(name, lanes, ns[0], "ns");
        snprintf(text, sizeof text, "%s_one", name);
        say(text, lanes, ns[1] - ns[0], "ns");
        snprintf(text, sizeof text, "%s_own", name);
        say(text, lanes, ns[2] - ns[0], "ns");
    }
}

static void meetings()
{
    int *data, sms = gpu.multiProcessorCount;
    CHECK(cudaMalloc(&data, 64 << 20));
    CHECK(cudaMemset(data, 0, 64 << 20));
    for (int words : {1, 32, 1024, 1 << 16, 1 << 22}) {
        double ms = milliseconds([&] { atomics<<<sms * 2, 256>>>(data, words, 32); }, 5);
        say("atomic_rate", words, sms * 2 * 256.0 * 32 / ms * 1e-6, "G/s");
    }
    for (int words : {1, 32, 1024, 1 << 16, 1 << 22}) {
        double ms = milliseconds([&] { atomics_of<<<sms * 2, 256>>>((float *)data, words, 32); }, 5);
        say("atomic_rate_float", words, sms * 2 * 256.0 * 32 / ms * 1e-6, "G/s");
        ms = milliseconds([&] { atomics_of<<<sms * 2, 256>>>((double *)data, words, 32); }, 5);
        say("atomic_rate_double", words, sms * 2 * 256.0 * 32 / ms * 1e-6, "G/s");
    }
    for (int blocks : {1, 16, sms}) {
        double ms = milliseconds([&] { store_together<<<blocks, 256>>>(data, 256); }, 5);
        say("store_together", blocks, blocks * 8.0 * 256 / ms * 1e-6, "G/s");
    }
    stores_after<STORE>("store_after_store", data);
    stores_after<LOAD>("store_after_load", data);
    stores_after<LOAD_L1>("store_after_hit", data);
    atomics_back<<<1, 32>>>(data, 256, clocks, sink);
    say("latency_atomic", 0, cycles_of_first_block() / 256, "cycles");
    for (int warps : {1, 2, 4, 8, 16, 32}) {
        barriers<<<1, warps * 32>>>(256, clocks);
        say("barrier", warps, cycles_of_first_block() / 256, "cycles");
    }
    CHECK(cudaFree(data));
}

// ------------------------------------------------------------------------------------------------ queues

// The clock after each of 24 stores, each of which takes the pipe for 32 cycles or more: of 32 lines, or of 32 wavefronts.
template <bool SHARED>
__global__ void stores_in_queue(float *data, unsigned *out)
{
    __shared__ float room[8192];
    unsigned at_shared = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x % 32 * 128, times[25];
    float *at = data + threadIdx.x * 1024;
#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        asm volatile("mov.u32 %0, %%clock;" : "=r"(times[0])::"memory");
#pragma unroll
        for (int k = 0; k < 24; k++) {
            if (SHARED)
                asm volatile("st.shared.f32 [%1], %0;" ::"f"(1.0f), "r"(at_shared + k * 4) : "memory");
            else
                asm volatile("st.global.f32 [%1], %0;" ::"f"(1.0f), "l"(at + k * 8) : "memory");
            asm volatile("mov.u32 %0, %%clock;" : "=r"(times[k + 1])::"memory");
        }
        __syncthreads();
    }
    for (int k = 0; k < 25; k++)
        out[k] = times[k] - times[0];
}

template <bool SHARED>
static void queue_of(const char *name)
{
    unsigned *out, host[25];
    float *data;
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&data, 1 << 20));
    stores_in_queue<SHARED><<<1, 32>>>(data, out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int k = 1; k < 25; k++)
        say(name, k, host[k] - host[k - 1], "cycles");
    CHECK(cudaFree(data));
    CHECK(cudaFree(out));
}

// ------------------------------------------------------------------------------------------------ pipes

// OP(x) is carried out on N independent values, 16 times in a round. One warp with N = 1 gives the latency; 32 warps with
// N = 4 give the cycles that one instruction takes of its scheduler's share of the pipe.
#define PIPE(name, type, seed, expression)                                                                             \
    template <int N>                                                                                                   \
    __global__ void pipe_##name(int rounds, type a, type b, long long *clocks, float *sink)                            \
    {                                                                                                                  \
        type v[N];                                                                                                     \
        for (int k = 0; k < N; k++)                                                                                    \
            v[k] = (type)(seed);                                                                                       \
        __syncthreads();                                                                                               \
        long long start = clock64();                                                                                   \
        for (int r = 0; r < rounds; r++) {                                                                             \
            _Pragma("unroll") for (int j = 0; j < 16; j++)                                                             \
            {                                                                                                          \
                _Pragma("unroll") for (int k = 0; k < N; k++)                                                          \
                {                                                                                                      \
                    type x = v[k];                                                                                     \
                    v[k] = (expression);                                                                               \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0)                                                                                          \
            clocks[0] = clock64() - start;                                                                             \
        float sum = 0;                                                                                                 \
        for (int k = 0; k < N; k++)                                                                                    \
            sum += (float)v[k];                                                                                        \
        sink[threadIdx.x] = sum;                                                                                       \
    }

__device__ __forceinline__ int shifted(int x, int a) { int y; asm volatile("shf.l.wrap.b32 %0, %1, %2, 7;" : "=r"(y) : "r"(x), "r"(a)); return y; }
__device__ __forceinline__ int logic(int x, int a, int b) { int y; asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(y) : "r"(x), "r"(a), "r"(b)); return y; }
__device__ __forceinline__ float approximate(float x) { float y; asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ __forceinline__ int added(int x, int a) { int y; asm volatile("add.s32 %0, %1, %2;" : "=r"(y) : "r"(x), "r"(a)); return y; }
__device__ __forceinline__ int multiplied(int x, int a, int b) { int y; asm volatile("mad.lo.s32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(a), "r"(b)); return y; }
__device__ __forceinline__ float halved(float x) { float y; asm volatile("{.reg .s32 t; cvt.rzi.s32.f32 t, %1; cvt.rn.f32.s32 %0, t;}" : "=f"(y) : "f"(x)); return y; }

PIPE(ffma, float, threadIdx.x + k, fmaf(x, a, b))
PIPE(fadd, float, threadIdx.x + k, x + a)
PIPE(fmnmx, float, threadIdx.x + k, fminf(x, a + k) + 0.0f * b)
PIPE(iadd, int, threadIdx.x + k, added(x, v[(k + 1) % N]))
PIPE(imad, int, threadIdx.x + k, multiplied(x, a, b))
PIPE(lop3, int, threadIdx.x + k, logic(x, a, b))
PIPE(shf, int, threadIdx.x + k, shifted(x, a))
PIPE(dfma, double, threadIdx.x + k, fma(x, a, b))
PIPE(dadd, double, threadIdx.x + k, x + a)
PIPE(mufu, float, threadIdx.x + k, approximate(x))
PIPE(convert_pair, float, threadIdx.x + k, halved(x))
PIPE(popc, int, threadIdx.x + k, __popc(x))
PIPE(shfl, int, threadIdx.x + k, __shfl_xor_sync(0xffffffff, x, 5))
PIPE(ffma_iadd, float, threadIdx.x + k, fmaf(__int_as_float(added(__float_as_int(x), 3)), a, b))
PIPE(ffma_imad, float, threadIdx.x + k, fmaf(__int_as_float(multiplied(__float_as_int(x), 3, 5)), a, b))

#define MEASURE(name, type)                                                                                            \
    pipe_##name<1><<<1, 32>>>(64, (type)3, (type)5, clocks, sink);                                                     \
    pipe_##name<1><<<1, 32>>>(64, (type)3, (type)5, clocks, sink);                                                     \
    say("latency_" #name, 0, cycles_of_first_block() / (64 * 16), "cycles");                                           \
    pipe_##name<4><<<1, 1024>>>(64, (type)3, (type)5, clocks, sink);                                                   \
    pipe_##name<4><<<1, 1024>>>(64, (type)3, (type)5, clocks, sink);                                                   \
    say("pipe_" #name, 0, cycles_of_first_block() / (64 * 16 * 4 * 8), "cycles");

static void pipes()
{
    MEASURE(ffma, float)
    MEASURE(fadd, float)
    MEASURE(fmnmx, float)
    MEASURE(iadd, int)
    MEASURE(imad, int)
    MEASURE(lop3, int)
    MEASURE(shf, int)
    MEASURE(dfma, double)
    MEASURE(dadd, double)
    MEASURE(mufu, float)
    MEASURE(convert_pair, float)
    MEASURE(popc, int)
    MEASURE(shfl, int)
    MEASURE(ffma_iadd, float)
    MEASURE(ffma_imad, float)
}

// ------------------------------------------------------------------------------------------------ the instruction cache

// A loop over N multiply-adds in a line, 16 bytes each.
template <int N>
__global__ void straight(int rounds, float a, float b, long long *clocks, float *sink)
{
    float v[4] = {a, b, a + 1, b + 1};
    for (int r = 0; r < rounds + 1; r++) {
        long long start = clock64();
        #pragma unroll
        for (int k = 0; k < N; k++)
            v[k % 4] = fmaf(v[k % 4], a, b);
        if (threadIdx.x == 0 && r > 0)
            clocks[0] = clock64() - start;
    }
    sink[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}

template <int N>
static void line()
{
    straight<N><<<1, 128>>>(4, 1.5f, 0.25f, clocks, sink);
    say("straight_line", 16.0 * N, cycles_of_first_block() / N, "cycles");
}

static void instructions()
{
    line<256>();
    line<1024>();
    line<2048>();
    line<4096>();
    line<6144>();
    line<8192>();
}

// ------------------------------------------------------------------------------------------------ memory, further

// Every lane follows a ring of its own; lanes of one group share a line of 128 bytes. What the lowest lane waits for is
// the last of its warp's lines.
__global__ void chase_lines(const unsigned *next, int lines, int steps, long long *clocks, unsigned *sink)
{
    unsigned lane = threadIdx.x % 32, at = lane / (32 / lines) * 16411 * 32;
    long long start = 0;
    for (int k = -8; k < steps; k++) {
        if (k == 0)
            start = clock64();
        at = __shfl_sync(~0u, __ldcg(next + (at & 0x3fffff)), lane) + at + 32;
    }
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = at;
}

// The cycles of single loads, each of a line of its own.
__global__ void single_loads(const unsigned *data, size_t words, int count, int *cycles, unsigned *sink)
{
    unsigned seed = 12345, sum = 0;
    for (int k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        size_t at = ((size_t)seed << 5) % words;
        long long start = clock64();
        sum += __ldcg(data + at + (sum & 1024));
        if (sum == 12345)
            seed++;
        cycles[k] = (int)(clock64() - start);
    }
    *sink = sum;
}

static void spread_of_loads(const char *name, const unsigned *data, size_t bytes, int rounds)
{
    const int count = 4096;
    int *cycles;
    CHECK(cudaMalloc(&cycles, count * sizeof *cycles));
    for (int k = 0; k < rounds; k++)
        single_loads<<<1, 1>>>(data, bytes / 4, count, cycles, (unsigned *)sink);
    std::vector<int> host(count);
    CHECK(cudaMemcpy(host.data(), cycles, count * sizeof *cycles, cudaMemcpyDeviceToHost));
    std::sort(host.begin(), host.end());
    for (int percent : {1, 10, 25, 50, 75, 90, 99})
        say(name, percent, host[count * percent / 100], "cycles");
    CHECK(cudaFree(cycles));
}

// Words ``stride`` words apart, as a chain: what a word that follows in the same sector, line or page costs.
__global__ void chase_ahead(const unsigned *data, int stride, int steps, long long *clocks, unsigned *sink)
{
    unsigned at = 0;
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at += __ldcg(data + at) + stride;
    clocks[0] = clock64() - start;
    *sink = at;
}

// One word of each of ``count`` pieces that lie ``stride`` words apart.
__global__ void read_strided(const float *data, size_t count, size_t stride, float *sink)
{
    float sum = 0;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
        sum += __ldcg(data + k * stride);
    if (sum == 12345.0f)
        *sink = sum;
}

__global__ void write_strided(float *data, size_t count, size_t stride)
{
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
        data[k * stride] = k;
}

// Words of random sectors among the first ``sectors``, a power of two.
__global__ void read_random(const float *data, size_t sectors, int rounds, float *sink)
{
    unsigned long long seed = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * 0x9E3779B97F4A7C15ull + 1;
    float sum = 0;
    #pragma unroll 8
    for (int k = 0; k < rounds; k++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        sum += __ldcg(data + (seed >> 20 & (sectors - 1)) * 8);
    }
    if (sum == 12345.0f)
        *sink = sum;
}

__global__ void write_random(float *data, size_t sectors, int rounds)
{
    unsigned long long seed = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * 0x9E3779B97F4A7C15ull + 1;
    for (int k = 0; k < rounds; k++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        data[(seed >> 20 & (sectors - 1)) * 8] = k;
    }
}

__global__ void chase_pages(const unsigned *data, unsigned first, int steps, long long *clocks, unsigned *sink)
{
    unsigned at = first;
    long long start = clock64();
    for (int k = 0; k < steps; k++)
        at = __ldcg(data + (size_t)at * 8);
    clocks[0] = clock64() - start;
    *sink = at;
}

static void memory_further()
{
    int sms = gpu.multiProcessorCount;
    size_t most = (size_t)16 << 30, room, whole;
    CHECK(cudaMemGetInfo(&room, &whole));
    while (most > room / 10 * 9)
        most /= 2;
    unsigned *data, *out = (unsigned *)sink;
    CHECK(cudaMalloc(&data, most));
    CHECK(cudaMemset(data, 0, most));
    for (int lines : {1, 2, 4, 8, 16, 32}) {
        for (int k = 0; k < 3; k++)
            chase_lines<<<1, 32>>>(data, lines, 4096, clocks, out);
        say("latency_l2_lines", lines, cycles_of_first_block() / 4096, "cycles");
    }
    spread_of_loads("l2_load", data, (size_t)8 << 20, 4);
    spread_of_loads("dram_load", data, most, 1);
    for (int bytes : {32, 64, 128, 256, 512, 1024, 4096}) {
        CHECK(cudaMemset(data, 0, (size_t)1 << 30));
        int steps = 4096;
        CHECK(cudaMemset((char *)data + most / 2, 0, (size_t)1 << 30));  // the first part leaves the L2
        chase_ahead<<<1, 1>>>(data, bytes / 4, steps, clocks, out);
        say("latency_ahead", bytes, cycles_of_first_block() / steps, "cycles");
    }
    for (size_t mib : {64, 512, 1024, 2048, 4096, 8192, 16384}) {
        // A ring over one line of every 2 MiB, each line at another place of its page.
        if (mib << 20 > most)
            break;
        size_t pages = mib / 2;
        std::vector<unsigned> at(pages);
        for (size_t k = 0; k < pages; k++)
            at[k] = (unsigned)(k * 37 % pages * (2 << 20) / 32 + k % 4096 * 4);  // in sectors
        for (size_t k = 0; k < pages; k++)
            CHECK(cudaMemcpy(data + (size_t)at[k] * 8, &at[(k + 1) % pages], 4, cudaMemcpyHostToDevice));
        for (int k = 0; k < 3; k++)
            chase_pages<<<1, 1>>>(data, at[0], 8192, clocks, out);
        say("latency_pages", (double)mib, cycles_of_first_block() / 8192, "cycles");
        for (size_t k = 0; k < pages; k++)
            CHECK(cudaMemset(data + (size_t)at[k] * 8, 0, 4));
    }
    float *words = (float *)data;
    auto sectors_per_second = [](double sectors, double ms) { return sectors / ms * 1e-6; };
    for (int stride : {8, 16, 32, 64, 128, 512, 1024}) {
        size_t count = most / 4 / stride;
        count = std::min<size_t>(count, (size_t)1 << 24);
        double ms = milliseconds([&] { read_strided<<<sms * 2, 1024>>>(words, count, stride, sink); }, 5);
        say("read_stride", stride * 4, sectors_per_second((double)count, ms), "G/s");
        ms = milliseconds([&] { write_strided<<<sms * 2, 1024>>>(words, count, stride); }, 5);
        say("write_stride", stride * 4, sectors_per_second((double)count, ms), "G/s");
    }
    for (size_t mib : {8, 32, 256, 16384}) {
        if (mib << 20 > most)
            break;
        size_t sectors = (mib << 20) / 32;
        double all = sms * 2.0 * 1024 * 64;
        double ms = milliseconds([&] { read_random<<<sms * 2, 1024>>>(words, sectors, 64, sink); }, 5);
        say("read_random", (double)mib, sectors_per_second(all, ms), "G/s");
        ms = milliseconds([&] { write_random<<<sms * 2, 1024>>>(words, sectors, 64); }, 5);
        say("write_random", (double)mib, sectors_per_second(all, ms), "G/s");
    }
    for (int warps : {1, 2, 4, 8, 16, 32}) {
        double ms = milliseconds([&] { read_random<<<1, warps * 32>>>(words, (8 << 20) / 32, 4096, sink); }, 5);
        say("read_random_one", warps, sectors_per_second(warps * 32.0 * 4096, ms), "G/s");
    }
    CHECK(cudaFree(data));
}

template <int N>
__global__ void first_time(float a, float b, long long *clocks, float *sink)
{
    float v[4] = {a, b, a + 1, b + 1};
    long long start = clock64();
    #pragma unroll
    for (int k = 0; k < N; k++)
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(v[k % 4]) : "f"(a), "f"(b));
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}

// Straight code that runs for the first time: other code has taken its place in the caches.
template <int N>
static void cold_line(float *flush)
{
    straight<8192><<<gpu.multiProcessorCount, 32>>>(1, 1.5f, 0.25f, clocks, sink);
    CHECK(cudaMemset(flush, 0, (size_t)256 << 20));
    first_time<N><<<1, 32>>>(1.5f, 0.25f, clocks, sink);
    double cold = cycles_of_first_block();
    first_time<N><<<1, 32>>>(1.5f, 0.25f, clocks, sink);
    say("cold_line", 16.0 * N, cold - cycles_of_first_block(), "cycles");
}

static void cold_instructions()
{
    float *flush;
    CHECK(cudaMalloc(&flush, (size_t)256 << 20));
    cold_line<8>(flush);
    cold_line<16>(flush);
    cold_line<32>(flush);
    cold_line<64>(flush);
    cold_line<128>(flush);
    cold_line<256>(flush);
    cold_line<512>(flush);
    cold_line<1024>(flush);
    cold_line<2048>(flush);
    cold_line<4096>(flush);
    CHECK(cudaFree(flush));
}

int main()
{
    int device;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&gpu, device));
    int clock_khz, memory_khz;
    CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    CHECK(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, device));
    printf("# name: %s\n# capability: %d.%d\n", gpu.name, gpu.major, gpu.minor);
    printf("figure,parameter,value,unit\n");
    say("multiprocessors", 0, gpu.multiProcessorCount, "");
    say("clock", 0, clock_khz / 1000.0, "MHz");
    say("memory_clock", 0, memory_khz / 1000.0, "MHz");
    say("bus", 0, gpu.memoryBusWidth, "bits");
    say("memory", 0, gpu.totalGlobalMem >> 20, "MiB");
    say("l2", 0, gpu.l2CacheSize, "bytes");
    CHECK(cudaMalloc(&clocks, 2 * sizeof *clocks));
    CHECK(cudaMalloc(&sink, 1 << 20));
    spin<<<gpu.multiProcessorCount, 32>>>(400000000LL);  // the clock goes up
    CHECK(cudaDeviceSynchronize());
    launches();
    latencies();
    first_level();
    bandwidths();
    shared_memory();
    meetings();
    queue_of<false>("queue_global");
    queue_of<true>("queue_shared");
    pipes();
    instructions();
    cold_instructions();
    memory_further();
    return 0;
}
