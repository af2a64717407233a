// Measures how long launches of one wave take beyond their multiprocessors' work: reductions of all blocks into few words
// of the L2, rows that warps walk along, and when each multiprocessor ends. Prints one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o tails tails.cu && ./tails

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "timing.h"

struct Stay {
    unsigned sm;
    long long start, end;  // of the multiprocessor's clock
};

static Stay *stays;     // [8192], on the device
static float *data;     // 256 MiB
static float *other;    // 256 MiB
static char *flushed;   // 256 MiB
static int multiprocessors;

static void flush()
{
    CHECK(cudaMemset(flushed, 0, 256 << 20));
}

template <class Launch>
static double microseconds(Launch launch, bool cold)
{
    auto prepare = [&] {
        if (cold)
            flush();
    };
    return median_microseconds(9, prepare, launch);
}

__global__ void nothing() {}

// ------------------------------------------------------------------------------------------------ reductions

// Each thread of LANES lanes a warp adds ROUNDS times to one of ``words`` words, ``apart`` words from one another.
template <class T>
__global__ void reduce(T *sums, int words, int apart, int lanes, int rounds)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 32 >= lanes)
        return;
    T *at = &sums[t / 32 * lanes % words * apart + t % 32 % words * apart];
    for (int r = 0; r < rounds; r++)
        atomicAdd(at, T(1));
}

template <class T>
static void reductions(const char *name)
{
    struct Shape {
        int words, apart, lanes;
    };
    for (Shape s : {Shape{1, 1, 1}, {1, 1, 32}, {8, 1, 8}, {8, 1, 32}, {32, 1, 32}, {64, 1, 32}, {128, 1, 32}, {256, 1, 32},
                    {1024, 1, 32}, {4096, 1, 32}, {8, 32, 8}, {32, 8, 32}, {32, 32, 32}, {32, 1024, 32}, {2, 1, 1},
                    {2, 32, 1}, {8, 1, 1}, {8, 32, 1}, {8, 1024, 1}, {256, 1, 1}, {4096, 32, 1}})
        for (int rounds : {1, 2, 4, 8, 16})
            printf("reduce_%s_%d_%d_%d,%d,%.5g,us\n", name, s.words, s.apart, s.lanes, rounds,
                   microseconds([&] { reduce<T><<<264, 256>>>((T *)other, s.words, s.apart, s.lanes, rounds); }, false));
}

// ------------------------------------------------------------------------------------------------ rows of warps

enum Way { READ, STORE, COPY, TWICE };

// Each warp walks along a row of ``columns`` words, ``stride`` words from the next.
template <int WAY>
__global__ void walk(const float *in, float *out, int columns, int stride, Stay *stays)
{
    long long start = clock64();
    size_t row = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32 * stride;
    int lane = threadIdx.x % 32;
    float sum = 0;
    if (WAY == READ || WAY == TWICE)
        for (int k = lane; k < columns; k += 32)
            sum += in[row + k];
    if (WAY == STORE)
        for (int k = lane; k < columns; k += 32)
            out[row + k] = k;
    if (WAY == COPY || WAY == TWICE)
        for (int k = lane; k < columns; k += 32)
            out[row + k] = in[row + k] + sum;
    if (WAY == READ && sum == 5.0f)
        out[row] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        stays[blockIdx.x] = {sm, start, clock64()};
    }
}

template <int WAY>
static void walks(const char *name)
{
    for (int blocks : {132, 264, 512, 1024, 1056, 2048})
        for (int columns : {256, 1024})
            for (int more : {0, 32, 96}) {
                int stride = columns + more;
                auto launch = [&] { walk<WAY><<<blocks, 128>>>(data, other, columns, stride, stays); };
                launch();
                printf("walk_%s_%d_%d,%d,%.5g,us\n", name, columns, stride, blocks, microseconds(launch, true));
                std::vector<Stay> host(blocks);
                CHECK(cudaMemcpy(host.data(), stays, blocks * sizeof(Stay), cudaMemcpyDeviceToHost));
                std::map<unsigned, std::pair<long long, long long>> each;  // the first start and the last end
                std::map<unsigned, int> count;
                for (auto &s : host) {
                    auto &e = each[s.sm];
                    e.first = count[s.sm]++ ? std::min(e.first, s.start) : s.start;
                    e.second = std::max(e.second, s.end);
                }
                std::vector<std::pair<long long, unsigned>> order;
                for (auto &e : each)
                    order.push_back({e.second.second - e.second.first, e.first});
                std::sort(order.begin(), order.end());
                int n = order.size(), least = 1 << 30, most = 0;
                for (auto &c : count)
                    least = std::min(least, c.second), most = std::max(most, c.second);
                printf("stays_%s_%d_%d,%d,%lld;%lld;%lld;%lld;%lld,cycles\n", name, columns, stride, blocks, order[0].first,
                       order[n / 4].first, order[n / 2].first, order[3 * n / 4].first, order[n - 1].first);
                printf("blocks_%s_%d_%d,%d,%d;%d;%d,blocks\n", name, columns, stride, blocks, least, most, n);
                if (more == 0 && blocks == 1024)
                    for (auto &o : order)
                        printf("sm_%s_%d_%d_%u,%d,%lld,cycles\n", name, columns, stride, o.second, count[o.second], o.first);
            }
}

// ------------------------------------------------------------------------------------------------ one word of shared memory

// Warps of a block add floats to one word, or to one of ``words``, as soon as they start or ``wait`` cycles apart.
__global__ void add_shared(float *out, int rounds, int words, int wait, long long *clocks)
{
    __shared__ float sums[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        sums[k] = 0;
    __syncthreads();
    long long until = clock64() + threadIdx.x / 32 * wait;
    while (clock64() < until)
        ;
    long long start = clock64();
    for (int r = 0; r < rounds; r++)
        atomicAdd(&sums[(threadIdx.x + r) % words], 1.0f);
    long long end = clock64();
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        clocks[(blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2] = start;
        clocks[(blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2 + 1] = end;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}

static void shared_words()
{
    for (int on_each : {1, 2, 4, 8})
        for (int warps : {1, 2, 4, 8, 16, 32})
            for (int words : {1, 32})
                for (int wait : {0, 40}) {
                    if (on_each * warps > 64 || (wait && warps == 1))
                        continue;
                    int blocks = on_each * multiprocessors, rounds = 8;
                    for (int k = 0; k < 2; k++)
                        add_shared<<<blocks, 32 * warps>>>(other, rounds, words, wait, (long long *)stays);
                    std::vector<long long> host(2 * blocks * warps);
                    CHECK(cudaMemcpy(host.data(), stays, host.size() * 8, cudaMemcpyDeviceToHost));
                    double sum = 0;
                    for (int b = 0; b < blocks; b++) {
                        long long first = 1LL << 62, last = 0;
                        for (int w = 0; w < warps; w++) {
                            first = std::min(first, host[2 * (b * warps + w)]);
                            last = std::max(last, host[2 * (b * warps + w) + 1]);
                        }
                        sum += (double)(last - first);
                    }
                    printf("add_shared_%d_%d_%d,%d,%.5g,cycles\n", words, wait, on_each, warps, sum / blocks / rounds);
                }
}

int main()
{
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&stays, 4 << 20));
    CHECK(cudaMalloc(&data, 256 << 20));
    CHECK(cudaMalloc(&other, 256 << 20));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    CHECK(cudaMemset(data, 0, 256 << 20));
    CHECK(cudaMemset(other, 0, 256 << 20));
    printf("figure,parameter,value,unit\n");
    printf("nothing,264,%.5g,us\n", microseconds([] { nothing<<<264, 256>>>(); }, false));
    reductions<int>("int"), reductions<float>("float");
    walks<READ>("read"), walks<STORE>("store"), walks<COPY>("copy"), walks<TWICE>("twice");
    shared_words();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
