// Measures which pieces of 4 KiB of memory are near and which far: the latency of single lines from DRAM and from the
// L2, and of atomics, by the piece and by the multiprocessor that asks; and steps of blocks that load one line a warp,
// which lie in a row or in pieces of their own.
//
//     nvcc -O3 -arch=native -o pieces pieces.cu && ./pieces

#include "timing.h"

static const size_t LINES = 32, PIECES = 1024;  // lines of a piece; pieces that are looked at

static char *flushed;

static void flush()
{
    CHECK(cudaMemset(flushed, 1, 256 << 20));
    CHECK(cudaMemset(flushed, 0, 256 << 20));
    CHECK(cudaDeviceSynchronize());
}

__device__ __forceinline__ unsigned load(const unsigned *at)
{
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// The block on multiprocessor ``who`` reads one line after the other, in an order without sense, ``ATOMIC`` by additions
// of 0. In ``cycles`` the latency of each.
template <int ATOMIC>
__global__ void singles(unsigned *data, int lines, int who, int *cycles, unsigned *sink)
{
    unsigned sm, sum = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm != who)
        return;
    for (unsigned k = 0; k < lines; k++) {
        unsigned line = (k * 40503u + 12345u) % lines;  // odd, so that each comes once
        unsigned *at = data + (size_t)line * 32 + (sum & 1024);
        long long start = clock64();
        sum += ATOMIC ? atomicAdd(at, 0) : load(at);
        if (sum == 12345)
            line++;
        cycles[line] = (int)(clock64() - start);
    }
    *sink = sum;
}

// 32 steps; in each the 8 warps load a line each, ``apart`` lines from one another, store it and meet. Blocks that have
// the same number % X load the same. ``most``: lines of a step of all blocks.
__global__ void steps_of(const float *from, int X, int apart, size_t most, unsigned *clocks, float *out)
{
    __shared__ float tile[257];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // 32 blocks' lines of a warp lie in one piece where the warps' are 32 lines apart.
    int place = blockIdx.x % X;
    size_t line = apart == 1 ? place * 8 + warp : place / 32 * 256 + (size_t)warp * apart + place % 32;
    const float *at = from + line * 32 + lane;
    float sum = 0;
    unsigned start, end;
    __syncthreads();
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
#pragma unroll 1
    for (int step = 0; step < 32; step++) {
        tile[threadIdx.x] = at[step * most * 32];
        __syncthreads();
        sum += tile[threadIdx.x + 1];
        __syncthreads();
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - start;
    if (sum == 12345)
        *out = sum;
}

static float *data, *out;
static unsigned *clocks;
static int *cycles;
static const size_t ALL = size_t(1) << 30;
static size_t used;

static void measure_steps(int blocks, int X, int apart, bool print)
{
    size_t most = std::max(256, X * 8), words = 33 * most * 32;
    std::vector<double> means[2], longest[2];
    for (int again = 0; again < 15; again++) {
        if (used + words > ALL)
            used = 0;
        for (int warm = 0; warm < 2; warm++) {
            steps_of<<<blocks, 256>>>(data + used, X, apart, most, clocks, out);
            std::vector<unsigned> v(blocks);
            CHECK(cudaMemcpy(v.data(), clocks, 4 * blocks, cudaMemcpyDeviceToHost));
            double sum = 0, last = 0;
            for (unsigned each : v)
                sum += each, last = std::max(last, (double)each);
            means[warm].push_back(sum / blocks / 32), longest[warm].push_back(last / 32);
        }
        used += (words + 8191) / 8192 * 8192;
    }
    for (int warm = 0; warm < 2 && print; warm++) {
        std::sort(means[warm].begin(), means[warm].end()), std::sort(longest[warm].begin(), longest[warm].end());
        printf("steps,%d,%d,%d,%d,%.1f,%.1f,%.1f,%.1f\n", blocks, X, apart, warm, means[warm][7], longest[warm][7],
               means[warm][1], means[warm][13]);
        fflush(stdout);
    }
}

int main()
{
    CHECK(cudaMalloc(&data, 4 * ALL));
    CHECK(cudaMemset(data, 0, 4 * ALL));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMalloc(&clocks, 1024));
    CHECK(cudaMalloc(&cycles, 4 * LINES * PIECES));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    unsigned *words = (unsigned *)data;
    int n = LINES * PIECES;
    printf("#figure,multiprocessor,piece,address,least,median,mean,of the lines\n");
    for (int who : {0, 1, 2, 17, 64, 131})
        for (int kind = 0; kind < 3; kind++) {  // from DRAM, from the L2, by atomics
            std::vector<std::vector<int>> all(PIECES);
            for (int again = 0; again < (kind ? 1 : 3); again++) {
                if (kind == 0)
                    flush();
                if (kind == 2)
                    singles<1><<<132, 1>>>(words, n, who, cycles, (unsigned *)out);
                else
                    singles<0><<<132, 1>>>(words, n, who, cycles, (unsigned *)out);
                std::vector<int> v(n);
                CHECK(cudaMemcpy(v.data(), cycles, 4 * n, cudaMemcpyDeviceToHost));
                for (int k = 0; k < n; k++)
                    all[k / LINES].push_back(v[k]);
                if (kind == 0 && who == 0)
                    for (int k = 0; k < 1024; k++)
                        printf("line,%d,%d,%d\n", again, k, v[k]);
            }
            for (size_t p = 0; p < PIECES; p++) {
                auto &v = all[p];
                std::sort(v.begin(), v.end());
                double sum = 0;
                for (int each : v)
                    sum += each;
                printf("piece,%d,%d,%d,%d,%d,%d,%.1f,%d\n", who, kind, (int)p, v[0], v[v.size() / 4], v[v.size() / 2],
                       sum / v.size(), v[v.size() * 9 / 10]);
            }
            fflush(stdout);
        }
    printf("#steps,blocks,different,apart,warm,mean,longest,low,high\n");
    for (int print = 0; print < 2; print++)
        for (int apart : {1, 32})
            for (int blocks : {1, 16, 64, 128})
                for (int sharers : {1, 2, 4, 8, 32, 128})
                    if (sharers <= blocks)
                        measure_steps(blocks, blocks / sharers, apart, print == 1);
    return 0;
}
