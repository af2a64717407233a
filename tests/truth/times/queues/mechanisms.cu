// Measures single mechanisms that microbenchmarks.cu and queues.cu leave out: instructions that go through the queue of
// shared memory and special functions, barriers of several blocks, loops of compare-and-swap in several blocks, the pipe
// and the latency of further instructions, atomics of histograms, and where and when the blocks of a launch run. Prints
// one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o mechanisms mechanisms.cu && ./mechanisms

#include <cstring>

#include "timing.h"

static long long *clocks;  // [4096], on the device
static float *sink;        // 64 MiB
static int multiprocessors;

static double cycles(int block = 0)
{
    long long host;
    CHECK(cudaMemcpy(&host, clocks + block, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host;
}

template <class Launch>
static double cycles_of_second(Launch launch)
{
    launch();
    launch();
    CHECK(cudaGetLastError());
    return cycles();
}

static double mean_cycles(int blocks)
{
    std::vector<long long> host(blocks);
    CHECK(cudaMemcpy(host.data(), clocks, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (long long each : host)
        sum += (double)each;
    return sum / blocks;
}

// ------------------------------------------------------------------------------------------------ queue of the MIO

#define SPECIAL(name, text)                                                                                            \
    template <bool WAITED>                                                                                             \
    __global__ void name(int rounds, long long *clocks, float *sink)                                                   \
    {                                                                                                                  \
        unsigned sum = threadIdx.x;                                                                                    \
        __syncthreads();                                                                                               \
        long long start = clock64();                                                                                   \
        for (int r = 0; r < rounds; r++) {                                                                             \
            unsigned v[16];                                                                                            \
            _Pragma("unroll") for (int k = 0; k < 16; k++)                                                             \
            {                                                                                                          \
                asm volatile(text : "=r"(v[k]));                                                                       \
                if (WAITED)                                                                                            \
                    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(v[k]));                                       \
            }                                                                                                          \
            if (!WAITED)                                                                                               \
                _Pragma("unroll") for (int k = 0; k < 16; k++)                                                         \
                    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(v[k]));                                       \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0)                                                                                          \
            clocks[blockIdx.x] = clock64() - start;                                                                    \
        sink[threadIdx.x] = sum;                                                                                       \
    }

SPECIAL(warpid, "mov.u32 %0, %%warpid;")
SPECIAL(smid, "mov.u32 %0, %%smid;")

#define MEASURE_SPECIAL(name)                                                                                          \
    for (int warps : {1, 4, 8, 16, 32})                                                                                \
        for (int waited : {0, 1}) {                                                                                    \
            double each = cycles_of_second([&] {                                                                       \
                if (waited)                                                                                            \
                    name<true><<<1, 32 * warps>>>(32, clocks, sink);                                                   \
                else                                                                                                   \
                    name<false><<<1, 32 * warps>>>(32, clocks, sink);                                                  \
            });                                                                                                        \
            printf("special_%s_%s,%d,%.5g,cycles\n", #name, waited ? "waited" : "queued", warps, each / (32 * 16));    \
        }

__constant__ int table[1024];

// Constants by an index that is known at run time: LDC.
template <bool WAITED>
__global__ void load_constants(int rounds, int step, long long *clocks, float *sink)
{
    int at = step * 5, sum = 0;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        int v[16];
        _Pragma("unroll") for (int k = 0; k < 16; k++)
        {
            asm volatile("ld.const.u32 %0, [%1];" : "=r"(v[k]) : "l"((const char *)(table + k) + 4 * at));
            if (WAITED) {
                at += v[k];
                sum += at;
            }
        }
        _Pragma("unroll") for (int k = 0; k < 16; k++) sum += v[k];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = sum;
}

// Loads of shared memory without conflicts, each of which the next one waits for, or 16 at a time.
template <bool WAITED>
__global__ void load_shared(int rounds, int step, long long *clocks, float *sink)
{
    __shared__ int room[2048];
    for (int k = threadIdx.x; k < 2048; k += blockDim.x)
        room[k] = 0;
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x % 32 * 4 + step, sum = 0;
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        unsigned v[16];
        _Pragma("unroll") for (int k = 0; k < 16; k++)
        {
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(at + k * 128));
            if (WAITED)
                at += v[k];
        }
        _Pragma("unroll") for (int k = 0; k < 16; k++) sum += v[k];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = sum + at;
}

// Each warp stores to shared memory, waits for the others, and loads what its neighbour has stored, as in a sum by halves.
__global__ void store_and_load(int rounds, long long *clocks, float *sink)
{
    __shared__ float room[2][1024];
    float own = threadIdx.x;
    room[0][threadIdx.x] = own;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        room[1][threadIdx.x] = room[0][threadIdx.x] + room[0][threadIdx.x ^ 32];
        __syncthreads();
        room[0][threadIdx.x] = room[1][threadIdx.x] + room[1][threadIdx.x ^ 32];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = room[0][threadIdx.x];
}

static void queue_of_mio()
{
    MEASURE_SPECIAL(warpid)
    MEASURE_SPECIAL(smid)
    for (int warps : {1, 4, 8, 16, 32}) {
        printf("constant_queued,%d,%.5g,cycles\n", warps,
               cycles_of_second([&] { load_constants<false><<<1, 32 * warps>>>(32, 0, clocks, sink); }) / (32 * 16));
        printf("constant_waited,%d,%.5g,cycles\n", warps,
               cycles_of_second([&] { load_constants<true><<<1, 32 * warps>>>(32, 0, clocks, sink); }) / (32 * 16));
        printf("shared_queued,%d,%.5g,cycles\n", warps,
               cycles_of_second([&] { load_shared<false><<<1, 32 * warps>>>(32, 0, clocks, sink); }) / (32 * 16));
        printf("shared_waited,%d,%.5g,cycles\n", warps,
               cycles_of_second([&] { load_shared<true><<<1, 32 * warps>>>(32, 0, clocks, sink); }) / (32 * 16));
    }
    for (int blocks : {1, 2, 4, 8})
        for (int warps : {2, 4, 8, 16, 32})
            if (blocks * warps <= 64) {
                store_and_load<<<blocks * multiprocessors, 32 * warps>>>(64, clocks, sink);
                store_and_load<<<blocks * multiprocessors, 32 * warps>>>(64, clocks, sink);
                printf("store_and_load_%d,%d,%.6g,cycles\n", blocks, warps, mean_cycles(blocks * multiprocessors) / 128);
            }
}

// ------------------------------------------------------------------------------------------------ barriers

__global__ void barriers(int rounds, long long *clocks)
{
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

static void meetings()
{
    for (int blocks : {1, 2, 4, 8})
        for (int warps : {1, 2, 4, 8, 16, 32})
            if (blocks * warps <= 64) {
                barriers<<<blocks * multiprocessors, 32 * warps>>>(256, clocks);
                barriers<<<blocks * multiprocessors, 32 * warps>>>(256, clocks);
                printf("barrier_blocks_%d,%d,%.6g,cycles\n", blocks, warps, mean_cycles(blocks * multiprocessors) / 256);
            }
}

// ------------------------------------------------------------------------------------------------ compare-and-swap

__global__ void add_floats(int rounds, long long *clocks, float *sink)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        atomicAdd(&total, (float)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = total;
}

// Integers: the old value is used, and the lanes meet at ``words`` words.
template <bool USED>
__global__ void add_integers(int words, int rounds, long long *clocks, float *sink)
{
    __shared__ int room[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        room[k] = 0;
    __syncthreads();
    int old = 0;
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        int value = atomicAdd(&room[(threadIdx.x * 7 + r) % words], r + 1 + (old & 0));
        if (USED)
            old += value;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    sink[threadIdx.x] = room[threadIdx.x % 1024] + old;
}

static void atomics_of_shared()
{
    for (int blocks : {1, 2, 4, 8})
        for (int warps : {1, 2, 4, 8, 16, 32})
            if (blocks * warps <= 64) {
                add_floats<<<blocks * multiprocessors, 32 * warps>>>(4, clocks, sink);
                add_floats<<<blocks * multiprocessors, 32 * warps>>>(4, clocks, sink);
                printf("float_add_blocks_%d,%d,%.6g,cycles\n", blocks, warps, mean_cycles(blocks * multiprocessors) / 4);
            }
    for (int warps : {1, 8, 32})
        for (int words : {1, 2, 8, 32, 256, 1024}) {
            printf("shared_add_%d,%d,%.5g,cycles\n", warps, words,
                   cycles_of_second([&] { add_integers<false><<<1, 32 * warps>>>(words, 64, clocks, sink); }) / 64);
            printf("shared_add_used_%d,%d,%.5g,cycles\n", warps, words,
                   cycles_of_second([&] { add_integers<true><<<1, 32 * warps>>>(words, 64, clocks, sink); }) / 64);
        }
}

// ------------------------------------------------------------------------------------------------ atomics of histograms

// Each thread of a block adds once to a word of its own, of all blocks the same: the end of a histogram.
template <class T>
__global__ void add_bins(T *bins, int words)
{
    atomicAdd(&bins[(blockIdx.x * blockDim.x + threadIdx.x) % words], (T)1);
}

template <class Launch>
static double microseconds(Launch launch)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int k = 0; k < 9; k++) {
        CHECK(cudaEventRecord(start));
        for (int j = 0; j < 20; j++)
            launch();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        float t;
        CHECK(cudaEventElapsedTime(&t, start, stop));
        times.push_back(t);
    }
    std::sort(times.begin(), times.end());
    return times[4] * 1000 / 20;
}

static void histograms()
{
    for (int words : {1, 8, 32, 64, 128, 256, 512, 1024, 4096, 65536})
        for (int blocks : {264, 1056, 4224}) {
            printf("bins_%d,%d,%.5g,us\n", blocks, words,
                   microseconds([&] { add_bins<<<blocks, 256>>>((int *)sink, words); }));
            printf("bins_float_%d,%d,%.5g,us\n", blocks, words,
                   microseconds([&] { add_bins<<<blocks, 256>>>(sink, words); }));
        }
}

// ------------------------------------------------------------------------------------------------ pipes

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
                    type x = v[k], y;                                                                                  \
                    expression;                                                                                        \
                    v[k] = y;                                                                                          \
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

typedef unsigned u32;
typedef unsigned long long u64;
#define ONE(text) asm volatile(text : "=r"(y) : "r"(x), "r"(a), "r"(b))
#define WIDE(text) asm volatile(text : "=l"(y) : "l"(x), "l"(a), "l"(b))
#define REAL(text) asm volatile(text : "=f"(y) : "f"(x), "f"(a), "f"(b))
#define DOUBLE(text) asm volatile(text : "=d"(y) : "d"(x), "d"(a), "d"(b))

PIPE(mul_wide, u64, threadIdx.x + k, asm volatile("{.reg .u32 l, h; mov.b64 {l, h}, %1; mad.wide.u32 %0, l, h, %2;}" : "=l"(y) : "l"(x), "l"(b)))
PIPE(mul_high, u32, threadIdx.x + k, ONE("mul.hi.u32 %0, %1, %2;"))
PIPE(mul_64, u64, threadIdx.x + k, WIDE("mul.lo.u64 %0, %1, %2;"))
PIPE(add_64, u64, threadIdx.x + k, WIDE("add.u64 %0, %1, %2;"))
PIPE(select, u32, threadIdx.x + k, ONE("{.reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, %1, %3, p;}"))
PIPE(set_predicate, u32, threadIdx.x + k, ONE("{.reg .pred p; setp.lt.u32 p, %1, %2; @p add.u32 %1, %1, %3; mov.u32 %0, %1;}"))
PIPE(minimum, u32, threadIdx.x + k, ONE("min.u32 %0, %1, %2;"))
PIPE(permute, u32, threadIdx.x + k, ONE("prmt.b32 %0, %1, %2, 0x3214;"))
PIPE(add3, u32, threadIdx.x + k, ONE("{.reg .u32 t; add.u32 t, %1, %2; add.u32 %0, t, %3;}"))
PIPE(find_one, u32, threadIdx.x + k, ONE("bfind.u32 %0, %1;"))
PIPE(reverse_bits, u32, threadIdx.x + k, ONE("brev.b32 %0, %1;"))
PIPE(field, u32, threadIdx.x + k, ONE("bfe.u32 %0, %1, 3, 8;"))
PIPE(absolute, u32, threadIdx.x + k, ONE("abs.s32 %0, %1;"))
PIPE(products_of_bytes, u32, threadIdx.x + k, ONE("dp4a.u32.u32 %0, %1, %2, %3;"))
PIPE(halves, u32, threadIdx.x + k, ONE("fma.rn.f16x2 %0, %1, %2, %3;"))
PIPE(to_float, u32, threadIdx.x + k, ONE("{.reg .f32 f; cvt.rn.f32.u32 f, %1; mov.b32 %0, f;}"))
PIPE(from_float, u32, threadIdx.x + k, ONE("{.reg .f32 f; mov.b32 f, %1; cvt.rzi.u32.f32 %0, f;}"))
PIPE(to_half, u32, threadIdx.x + k, ONE("{.reg .f32 f; .reg .b16 h; mov.b32 f, %1; cvt.rn.f16.f32 h, f; mov.b32 %0, {h, h};}"))
PIPE(reciprocal, float, threadIdx.x + k, REAL("rcp.approx.ftz.f32 %0, %1;"))
PIPE(square_root, float, threadIdx.x + k, REAL("sqrt.approx.ftz.f32 %0, %1;"))
PIPE(float_select, float, threadIdx.x + k, REAL("{.reg .pred p; setp.lt.f32 p, %1, %2; selp.f32 %0, %1, %3, p;}"))
PIPE(float_minimum, float, threadIdx.x + k, REAL("min.f32 %0, %1, %2;"))
PIPE(float_multiply, float, threadIdx.x + k, REAL("mul.f32 %0, %1, %2;"))
PIPE(double_multiply, double, threadIdx.x + k, DOUBLE("mul.rn.f64 %0, %1, %2;"))
PIPE(double_compare, double, threadIdx.x + k, DOUBLE("{.reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %1, %3, p;}"))
PIPE(to_double, u32, threadIdx.x + k, ONE("{.reg .f64 d; .reg .u32 l; cvt.rn.f64.u32 d, %1; mov.b64 {l, %0}, d;}"))
PIPE(from_double, double, threadIdx.x + k, asm volatile("{.reg .u32 t; cvt.rzi.u32.f64 t, %1; mov.b64 %0, {t, t};}" : "=d"(y) : "d"(x)))
PIPE(remainder_32, u32, threadIdx.x + k + 7, y = x % (b + 12345u + (x & 7)) + a)
PIPE(remainder_64, u64, threadIdx.x + k + 7, y = (x * 0x9E3779B97F4A7C15ull) % (b + 12345u) + a)
PIPE(quotient_32, u32, threadIdx.x + k + 7, y = (x + 0x80000000u) / (b + 1 + (x & 7)) + a)
PIPE(vote, u32, threadIdx.x + k, ONE("{.reg .pred p; setp.lt.u32 p, %1, %2; vote.sync.ballot.b32 %0, p, 0xffffffff;}"))
PIPE(shuffle_up, u32, threadIdx.x + k, ONE("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;"))
PIPE(integer_mix, u32, threadIdx.x + k, ONE("{.reg .u32 t; mad.lo.u32 t, %1, %2, %3; xor.b32 %0, t, %2;}"))
PIPE(shift_mix, u32, threadIdx.x + k, ONE("{.reg .u32 t; shl.b32 t, %1, 13; xor.b32 %0, t, %1;}"))

#define MEASURE(name, type)                                                                                            \
    pipe_##name<1><<<1, 32>>>(64, (type)3, (type)5, clocks, sink);                                                     \
    pipe_##name<1><<<1, 32>>>(64, (type)3, (type)5, clocks, sink);                                                     \
    printf("latency_%s,0,%.5g,cycles\n", #name, cycles() / (64 * 16));                                                 \
    pipe_##name<4><<<1, 1024>>>(64, (type)3, (type)5, clocks, sink);                                                   \
    pipe_##name<4><<<1, 1024>>>(64, (type)3, (type)5, clocks, sink);                                                   \
    printf("pipe_%s,0,%.5g,cycles\n", #name, cycles() / (64 * 16 * 4 * 8));

static void pipes()
{
    MEASURE(mul_wide, u64)
    MEASURE(mul_high, u32)
    MEASURE(mul_64, u64)
    MEASURE(add_64, u64)
    MEASURE(select, u32)
    MEASURE(set_predicate, u32)
    MEASURE(minimum, u32)
    MEASURE(permute, u32)
    MEASURE(add3, u32)
    MEASURE(find_one, u32)
    MEASURE(reverse_bits, u32)
    MEASURE(field, u32)
    MEASURE(absolute, u32)
    MEASURE(products_of_bytes, u32)
    MEASURE(halves, u32)
    MEASURE(to_float, u32)
    MEASURE(from_float, u32)
    MEASURE(to_half, u32)
    MEASURE(reciprocal, float)
    MEASURE(square_root, float)
    MEASURE(float_select, float)
    MEASURE(float_minimum, float)
    MEASURE(float_multiply, float)
    MEASURE(double_multiply, double)
    MEASURE(double_compare, double)
    MEASURE(to_double, u32)
    MEASURE(from_double, double)
    MEASURE(remainder_32, u32)
    MEASURE(remainder_64, u64)
    MEASURE(quotient_32, u32)
    MEASURE(vote, u32)
    MEASURE(shuffle_up, u32)
    MEASURE(integer_mix, u32)
    MEASURE(shift_mix, u32)
}

// ------------------------------------------------------------------------------------------------ where blocks run

struct Stay {
    unsigned sm, start, end;  // nanoseconds of the device
};

// As softmax_by_warps of held_out/signals.cu, with a note of where and when the block ran.
__global__ void rows(const float *in, float *out, int rows, int columns, Stay *stays)
{
    unsigned long long first, last;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const float *from = in + row * columns;
    float most = -1e30f, sum = 0;
    for (int k = lane; k < columns; k += 32)
        most = fmaxf(most, from[k]);
    for (int k = 16; k; k /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
    for (int k = lane; k < columns; k += 32)
        sum += __expf(from[k] - most);
    for (int k = 16; k; k /= 2)
        sum += __shfl_xor_sync(~0u, sum, k);
    for (int k = lane; k < columns; k += 32)
        out[row * columns + k] = __expf(from[k] - most) / sum;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(last));
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        stays[blockIdx.x] = {sm, (unsigned)first, (unsigned)last};
    }
}

static void places()
{
    float *in, *out, *other;
    Stay *stays;
    CHECK(cudaMalloc(&in, 16 << 20));
    CHECK(cudaMalloc(&out, 16 << 20));
    CHECK(cudaMalloc(&other, 256 << 20));
    CHECK(cudaMalloc(&stays, 4096 * sizeof(Stay)));
    CHECK(cudaMemset(in, 0, 16 << 20));
    for (int threads : {128, 256}) {
        int blocks = 4096 * 32 / threads;
        for (int k = 0; k < 2; k++) {
            CHECK(cudaMemset(other, 0, 256 << 20));
            rows<<<blocks, threads>>>(in, out, 4096, 1024, stays);
            CHECK(cudaDeviceSynchronize());
        }
        std::vector<Stay> host(blocks);
        CHECK(cudaMemcpy(host.data(), stays, blocks * sizeof(Stay), cudaMemcpyDeviceToHost));
        unsigned first = ~0u;
        for (auto &each : host)
            first = std::min(first, each.start);
        for (int k = 0; k < blocks; k++)
            printf("# stay,%d,%d,%u,%u,%u\n", threads, k, host[k].sm, host[k].start - first, host[k].end - first);
    }
}

int main()
{
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&clocks, 4096 * sizeof *clocks));
    CHECK(cudaMalloc(&sink, 64 << 20));
    CHECK(cudaMemset(sink, 0, 64 << 20));
    printf("figure,parameter,value,unit\n");
    queue_of_mio();
    meetings();
    atomics_of_shared();
    histograms();
    pipes();
    places();
    return 0;
}
