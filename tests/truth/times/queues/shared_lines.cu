// Measures how late lines of DRAM are that several multiprocessors ask for at about the same time.
//
//     nvcc -O3 -arch=native -o shared_lines shared_lines.cu && ./shared_lines
//
// Blocks of WARPS warps, one a multiprocessor, in groups of ``together`` blocks that read the same lines in the same
// order. Each lane reads the first sector of a line, ``step`` lines from that of the lane before; the result is needed for
// the next address. Prints the cycles of a round: mean over blocks and rounds; the mean of each group's first and last
// block; and how far the blocks of a group are apart when a round begins.

#include "timing.h"

static unsigned *data;
static size_t data_bytes;
static int *cycles, *starts;
static unsigned *sink, *arrived;
static char *flushed;

static void flush()
{
    CHECK(cudaMemset(flushed, 1, 256 << 20));
    CHECK(cudaMemset(flushed, 0, 256 << 20));
    CHECK(cudaMemset(arrived, 0, 4));
    CHECK(cudaDeviceSynchronize());
}

__device__ __forceinline__ unsigned load(const unsigned *at)
{
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

__device__ __forceinline__ long long now()
{
    long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// skew: cycles by which each block of a group starts after the one before.
__global__ void rounds_of(const unsigned *data, int together, int step, int rounds, int skew, int pause, int *cycles,
                          int *starts, unsigned *arrived, unsigned *sink)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int group = blockIdx.x / together;
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
    }
    __syncthreads();
    long long begin = clock64(), first = now();
    while (clock64() < begin + skew * (blockIdx.x % together))
        ;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
        size_t room = (size_t)step * 32;
        size_t line = ((size_t)(group * warps + warp) * rounds + r) * room + (size_t)lane * step;
        if (threadIdx.x == 0)
            starts[blockIdx.x * rounds + r] = (int)(now() - first) + (int)(first & 0xFFFFF) * 0;
        long long start = clock64();
        sum += load(data + line * 32 + (sum & 1024));
        sum = __shfl_sync(~0u, sum, 0) + __shfl_sync(~0u, sum, 31);
        if (warps > 1)
            __syncthreads();
        if (threadIdx.x == 0)
            cycles[blockIdx.x * rounds + r] = (int)(clock64() - start);
        if (pause) {
            long long until = clock64() + pause;
            while (clock64() < until)
                ;
        }
    }
    sink[threadIdx.x] = sum;
}

static void measure(int blocks, int threads, int together, int step, int skew, int pause)
{
    int rounds = 32, groups = (blocks + together - 1) / together, warps = threads / 32;
    while ((size_t)groups * warps * rounds * step * 32 * 128 > data_bytes)
        rounds /= 2;
    if (rounds < 4)
        return;
    double all = 0, least = 0, most = 0;
    std::vector<int> every;
    for (int again = 0; again < 3; again++) {
        flush();
        rounds_of<<<blocks, threads>>>(data, together, step, rounds, skew, pause, cycles, starts, arrived, sink);
        CHECK(cudaDeviceSynchronize());
        std::vector<int> v(blocks * rounds);
        CHECK(cudaMemcpy(v.data(), cycles, v.size() * sizeof(int), cudaMemcpyDeviceToHost));
        if (!again)
            continue;
        for (int g = 0; g < groups; g++)
            for (int r = 2; r < rounds; r++) {
                int lo = 1 << 30, hi = 0;
                for (int b = g * together; b < std::min(blocks, (g + 1) * together); b++) {
                    int x = v[b * rounds + r];
                    lo = std::min(lo, x), hi = std::max(hi, x), all += x, every.push_back(x);
                }
                least += lo, most += hi;
            }
    }
    std::sort(every.begin(), every.end());
    size_t n = every.size();
    double of_groups = 2.0 * groups * (rounds - 2);
    printf("shared_%d_%d_%d_%d_%d_%d,mean,%.1f;%.1f;%.1f;%d;%d;%d;%d;%d,cycles\n", blocks, threads, together, step, skew, pause,
           all / n, least / of_groups, most / of_groups, every[n / 10], every[n / 4], every[n / 2], every[n * 3 / 4],
           every[n * 9 / 10]);
}

// Single lines: one lane of each block reads one line at a time, which the group's other blocks read, too. 64-quantiles.
__global__ void single(const unsigned *data, int together, int rounds, int *cycles, unsigned *arrived, unsigned *sink)
{
    int group = blockIdx.x / together;
    atomicAdd(arrived, 1);
    while (*(volatile unsigned *)arrived < gridDim.x)
        ;
    unsigned sum = 0, x = group * 7919 + 17;
    for (int r = 0; r < rounds; r++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        size_t line = (size_t)x % (8u << 20);
        long long start = clock64();
        sum += load(data + line * 32 + (sum & 1024));
        if (sum == 12345)
            x++;
        cycles[blockIdx.x * rounds + r] = (int)(clock64() - start);
    }
    *sink = sum;
}

static void singles(int together)
{
    int blocks = 132, rounds = 256;
    flush();
    single<<<blocks, 1>>>(data, together, rounds, cycles, arrived, sink);
    CHECK(cudaDeviceSynchronize());
    std::vector<int> v(blocks * rounds);
    CHECK(cudaMemcpy(v.data(), cycles, v.size() * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> rest;
    for (int b = 0; b < blocks; b++)
        for (int r = 8; r < rounds; r++)
            rest.push_back(v[b * rounds + r]);
    std::sort(rest.begin(), rest.end());
    printf("alone_%d,quantiles,", together);
    for (int k = 0; k < 64; k++)
        printf("%d%s", rest[(size_t)((k + 0.5) / 64 * rest.size())], k < 63 ? ";" : ",cycles\n");
}

int main()
{
    size_t free_bytes, all;
    CHECK(cudaMemGetInfo(&free_bytes, &all));
    data_bytes = std::min((size_t)24 << 30, free_bytes / 2);
    CHECK(cudaMalloc(&data, data_bytes + (1 << 20)));
    CHECK(cudaMemset(data, 0, data_bytes + (1 << 20)));
    CHECK(cudaMalloc(&cycles, 4 << 20));
    CHECK(cudaMalloc(&starts, 4 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&arrived, 4));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    printf("figure,parameter,value,unit\n");
    for (int together : {1, 2, 4, 12, 132})
        singles(together);
    for (int step : {1, 4, 8, 32, 128})
        for (int together : {1, 2, 4, 8, 12, 33, 66, 132})
            for (int skew : {0, 50, 200})
                if (skew == 0 || (together > 1 && step >= 8 && together <= 12))
                    measure(132, 32, together, step, skew, 0);
    for (int together : {1, 4, 12, 132})
        for (int threads : {64, 256})
            for (int step : {1, 8, 32})
                measure(132, threads, together, step, 0, 0);
    for (int together : {1, 12, 132})
        for (int pause : {500, 2000})
            measure(132, 32, together, 32, 0, pause);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
