// Measures how the latencies of lines in DRAM differ: by address or by time, of lines that lie near one another or far
// apart, of the last of several, and of the second sector of a pair. Prints one line a figure.
//
//     nvcc -O3 -arch=native -o late_lines late_lines.cu && ./late_lines

#include <cmath>

#include "timing.h"

static unsigned *data;    // 16 GiB of zeros, or what there is
static size_t data_bytes;
static int *cycles;       // [1 << 20], on the device
static unsigned *sink;
static char *flushed;     // 256 MiB

static void flush()
{
    CHECK(cudaMemset(flushed, 1, 256 << 20));
    CHECK(cudaMemset(flushed, 0, 256 << 20));
    CHECK(cudaDeviceSynchronize());
}

static std::vector<int> fetched(int count)
{
    std::vector<int> host(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), cycles, count * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

// Print the 64-quantiles (their middles) of some counts of cycles.
static void quantiles(const char *name, std::vector<int> v)
{
    std::sort(v.begin(), v.end());
    double sum = 0;
    for (int each : v)
        sum += each;
    printf("%s,mean,%.1f,cycles\n%s,quantiles,", name, sum / v.size(), name);
    for (int k = 0; k < 64; k++)
        printf("%d%s", v[(size_t)((k + 0.5) / 64 * v.size())], k < 63 ? ";" : ",cycles\n");
}

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

__device__ __forceinline__ unsigned load(const unsigned *at)
{
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// ------------------------------------------------------------------------------------------------ single loads

// One after the other: a random piece of ``lines`` lines, of which the lines are read in a row. ``touch`` reads a word of
// each 2 MiB first.
__global__ void single(const unsigned *data, size_t all_lines, int pieces, int lines, int step, int touch, int seed, int *cycles,
                       unsigned *sink)
{
    unsigned sum = 0;
    if (touch)
        for (size_t k = 0; k < all_lines; k += 16384)
            sum += load(data + k * 32 + 8 + (sum & 1024));
    for (int p = 0; p < pieces; p++) {
        size_t first = ((size_t)hash(p * 7919 + seed) * 2654435761u + hash(p)) % (all_lines / 1024) * 1024 +
                       hash(p * 31 + seed) % 512;
        for (int l = 0; l < lines; l++) {
            long long start = clock64();
            sum += load(data + (first + l * step) * 32 + (sum & 1024));
            if (sum == 12345)
                first++;
            cycles[p * lines + l] = (int)(clock64() - start);
        }
    }
    *sink = sum;
}

static double correlation(const std::vector<double> &a, const std::vector<double> &b)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (size_t k = 0; k < a.size(); k++)
        ma += a[k] / a.size(), mb += b[k] / b.size();
    for (size_t k = 0; k < a.size(); k++)
        ab += (a[k] - ma) * (b[k] - mb), aa += (a[k] - ma) * (a[k] - ma), bb += (b[k] - mb) * (b[k] - mb);
    return ab / std::sqrt(aa * bb);
}

static void singles()
{
    for (size_t mib : {16, 64, 1024, 15 * 1024}) {
        if (mib << 20 > data_bytes)
            continue;
        size_t lines = (mib << 20) / 128;
        int touch = mib <= 64, pieces = mib == 16 ? 128 : 4096;
        std::vector<int> first, again;
        for (int k = 0; k < 2; k++) {
            flush();
            single<<<1, 1>>>(data, lines, pieces, 1, 1, touch, 5, cycles, sink);
            (k ? again : first) = fetched(pieces);
        }
        char name[64];
        snprintf(name, sizeof name, "single_%zu", mib);
        quantiles(name, first);
        std::vector<double> a(first.begin(), first.end()), b(again.begin(), again.end());
        printf("%s,repeats,%.3f,correlation\n", name, correlation(a, b));
        // How often a load that is slow is slow again.
        int slow = 0, both = 0;
        for (int k = 0; k < pieces; k++)
            slow += first[k] > 900, both += first[k] > 900 && again[k] > 900;
        printf("%s,slow,%.4f,part\n%s,slow_again,%.4f,part\n", name, slow / (double)pieces, name, slow ? both / (double)slow : 0);
    }
    // Lines of one piece of memory, ``step`` lines apart: the first and the next ones.
    for (int step : {1, 2, 4, 8, 16, 32}) {
        flush();
        single<<<1, 1>>>(data, (64 << 20) / 128, 400, 8, step, 1, 77, cycles, sink);
        std::vector<int> v = fetched(3200), f, rest;
        std::vector<double> a, b;
        for (int p = 0; p < 400; p++)
            for (int l = 0; l < 8; l++) {
                (l ? rest : f).push_back(v[p * 8 + l]);
                if (l)
                    a.push_back(v[p * 8 + l - 1]), b.push_back(v[p * 8 + l]);
            }
        char name[64];
        snprintf(name, sizeof name, "piece_first_%d", step);
        quantiles(name, f);
        snprintf(name, sizeof name, "piece_rest_%d", step);
        quantiles(name, rest);
        printf("piece_%d,neighbours,%.3f,correlation\n", step, correlation(a, b));
    }
}

// ------------------------------------------------------------------------------------------------ the last of several lines

// Each of the first ``lanes`` lanes reads a line ``step`` lines from the one before, cold each time; other warps read
// elsewhere.
__global__ void together(const unsigned *data, int lanes, int step, int rounds, size_t room, int *cycles, unsigned *sink)
{
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
        size_t piece = (size_t)(warp * rounds + r) * room;
        size_t line = piece + (step ? (size_t)lane * step : hash(lane + r * 64 + warp * 4096) % room);
        long long start = clock64();
        if (lane < lanes)
            sum += load(data + line * 32 + (sum & 1024));
        sum = __shfl_sync(~0u, sum, 0) + __shfl_sync(~0u, sum, 31);
        if (lane == 0)
            cycles[warp * rounds + r] = (int)(clock64() - start);
        long long until = clock64() + 500 + hash(warp * 77 + r) % 1000;
        while (clock64() < until)
            ;
    }
    sink[threadIdx.x] = sum;
}

static void last_of_several()
{
    for (int blocks : {1, 132})
        for (int threads : {32, 64})
            for (int lanes : {1, 4, 8, 16, 32})
                for (int step : {1, 2, 4, 8, 16, 32, 128, 512, 0}) {
                    if (lanes == 1 && step != 1)
                        continue;
                    size_t room = step ? std::max(step * 32, 64) : 16384;
                    int rounds = 32, warps = blocks * threads / 32;
                    while ((size_t)warps * rounds * room * 128 > data_bytes)
                        rounds /= 2;
                    if (rounds < 2)
                        continue;
                    flush();
                    together<<<blocks, threads>>>(data, lanes, step, rounds, room, cycles, sink);
                    std::vector<int> v = fetched(warps * rounds);
                    std::sort(v.begin(), v.end());
                    double sum = 0;
                    for (int each : v)
                        sum += each;
                    size_t n = v.size();
                    printf("last_%d_%d_%d_%d,mean,%.1f;%d;%d;%d;%d,cycles\n", blocks, threads, lanes, step, sum / n, v[n / 10],
                           v[n / 2], v[n * 9 / 10], v[n - 1]);
                }
}

// ------------------------------------------------------------------------------------------------ lines in flight at a time

// A warp has sixteen loads of a line each in flight, ``step`` lines apart; notes when each is there, in order.
__global__ void flight(const unsigned *data, int step, int rounds, int *cycles, unsigned *sink)
{
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    __shared__ int noted[2][16];
    for (int r = 0; r < rounds; r++) {
        const unsigned *at = data + ((size_t)(warp * rounds + r) * 16 * step) * 32 + lane + (sum & 1024);
        unsigned v[16];
        long long start = clock64();
        _Pragma("unroll") for (int k = 0; k < 16; k++) v[k] = load(at + k * step * 32);
        _Pragma("unroll") for (int k = 0; k < 16; k++) {
            asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(v[k]) : "memory");
            noted[threadIdx.x / 32][k] = (int)(clock64() - start);
        }
        __syncwarp();
        if (lane < 16)
            cycles[(warp * rounds + r) * 16 + lane] = noted[threadIdx.x / 32][lane];
        __syncwarp();
    }
    sink[threadIdx.x] = sum;
}

static void flights()
{
    for (int blocks : {1, 16, 132})
        for (int step : {1, 2, 4, 8, 16, 32, 64, 128}) {
            int rounds = 16, warps = blocks * 2;
            if ((size_t)warps * rounds * 16 * step * 128 > data_bytes)
                continue;
            for (int warm = 0; warm < 2; warm++) {
                if (!warm)
                    flush();
                flight<<<blocks, 64>>>(data, step, rounds, cycles, sink);
                if (warm && (size_t)warps * rounds * 16 * 128 > 16 << 20)
                    continue;
                std::vector<int> v = fetched(warps * rounds * 16);
                printf("flight_%s_%d_%d,mean,", warm ? "l2" : "dram", blocks, step);
                for (int k = 0; k < 16; k++) {
                    double sum = 0;
                    for (int p = 0; p < warps * rounds; p++)
                        sum += v[p * 16 + k];
                    printf("%.0f%s", sum / (warps * rounds), k < 15 ? ";" : ",cycles\n");
                }
            }
        }
}

// ------------------------------------------------------------------------------------------------ rows that lanes walk along

// Each lane walks along a row, WORDS words of a line at a time; notes how long each step takes, in each warp. ``pause``
// cycles lie between two steps.
template <int WORDS>
__global__ void walk(const unsigned *data, size_t stride, int steps, int pause, int *cycles, unsigned *sink)
{
    const unsigned *at = data + (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * stride;
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    for (int s = 0; s < steps; s++) {
        long long start = clock64();
        unsigned v[WORDS];
        _Pragma("unroll") for (int k = 0; k < WORDS; k++) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k));
        _Pragma("unroll") for (int k = 0; k < WORDS; k++) sum += v[k];
        at += WORDS + (sum & 1024);
        if (lane == 0)
            cycles[warp * steps + s] = (int)(clock64() - start);
        long long until = clock64() + pause;
        while (clock64() < until)
            ;
    }
    sink[threadIdx.x] = sum;
}

template <int WORDS>
static void rows()
{
    for (int blocks : {1, 8, 32, 132})
        for (int threads : {32, 64})
            for (int pause : {0, 2000}) {
                if (pause && blocks != 132)
                    continue;
                int steps = 128 / WORDS, in_line = 32 / WORDS, warps = blocks * threads / 32;
                flush();
                walk<WORDS><<<blocks, threads>>>(data, 1024 + 32, steps, pause, cycles, sink);
                std::vector<int> v = fetched(warps * steps);
                for (int sector = 0; sector < 4; sector++) {
                    std::vector<int> of;
                    for (int w = 0; w < warps; w++)
                        for (int line = 1; line < 4; line++)
                            of.push_back(v[w * steps + line * in_line + sector * in_line / 4]);
                    std::sort(of.begin(), of.end());
                    size_t n = of.size();
                    double sum = 0;
                    for (int each : of)
                        sum += each;
                    printf("row_%d_%d_%d_%d,%d,%.1f;%d;%d;%d;%d;%d,cycles\n", WORDS, blocks, threads, pause, sector, sum / n, of[0],
                           of[n / 4], of[n / 2], of[n * 3 / 4], of[n - 1]);
                }
            }
}

int main()
{
    size_t free_bytes, all;
    CHECK(cudaMemGetInfo(&free_bytes, &all));
    data_bytes = std::min((size_t)16 << 30, free_bytes / 2);
    CHECK(cudaMalloc(&data, data_bytes + (1 << 20)));
    CHECK(cudaMemset(data, 0, data_bytes + (1 << 20)));
    CHECK(cudaMalloc(&cycles, 4 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    printf("figure,parameter,value,unit\n");
    singles();
    last_of_several();
    flights();
    rows<1>(), rows<8>();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
