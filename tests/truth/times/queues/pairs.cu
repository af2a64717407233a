// Measures when the second sector of a pair that DRAM reads together is there, by how soon it is asked for after the first
// one: by warps whose lanes walk along rows, by single lanes, before the first one has come and after it.
//
//     nvcc -O3 -arch=native -o pairs pairs.cu && ./pairs
//
// Figures: both_LANES_BLOCKS_THREADS_STEP, parameter PAUSE: the cycles of the first and of the second sector's load, the
// latter as 10, 25, 50, 75, 90 and 100 % of the loads; early_..., parameter AFTER: the second is asked for so many cycles
// after the first, whose data may not be there yet: cycles from the first one's issue until either is there.

#include <cstdlib>
#include <cstring>

#include "timing.h"

static unsigned *data;
static size_t data_bytes;
static int *cycles;
static unsigned *sink;
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
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

__device__ __forceinline__ void wait(int cycles)
{
    long long until = clock64() + cycles;
    while (clock64() < until)
        ;
}

// Each of the first ``lanes`` lanes of a warp walks along ``step`` lines apart from the others, a line a round: its first
// sector, after ``pause`` cycles its second one (``other`` words on), after ``rest`` cycles the next round.
__global__ void both(const unsigned *data, int lanes, size_t step, int rounds, int other, int pause, int rest, int *cycles,
                     unsigned *sink)
{
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    const unsigned *at = data + ((size_t)warp * lanes + lane) * step * 32;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            long long start = clock64();
            sum += load(at + r * 32 + (sum & 1024));
            asm volatile("" : "+r"(sum)::"memory");
            if (sum == 12345)
                at++;
            int first = (int)(clock64() - start);
            if (pause)
                wait(pause);
            start = clock64();
            sum += load(at + r * 32 + other + (sum & 1024));
            asm volatile("" : "+r"(sum)::"memory");
            if (sum == 12345)
                at++;
            int second = (int)(clock64() - start);
            if (lane == 0)
                cycles[(warp * rounds + r) * 2] = first, cycles[(warp * rounds + r) * 2 + 1] = second;
            if (rest)
                wait(rest);
        }
    if (sum == 99)
        sink[threadIdx.x] = sum;
}

// The second sector is asked for ``after`` cycles after the first, without waiting for that.
__global__ void early(const unsigned *data, int lanes, size_t step, int rounds, int other, int after, int *cycles, unsigned *sink)
{
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned sum = 0;
    const unsigned *at = data + ((size_t)warp * lanes + lane) * step * 32;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            long long start = clock64();
            unsigned a = load(at + r * 32 + (sum & 1024));
            if (after)
                wait(after);
            unsigned b = load(at + r * 32 + other + (sum & 1024));
            asm volatile("" : "+r"(a)::"memory");
            sum += a;
            if (sum == 12345)
                at++;
            int first = (int)(clock64() - start);
            asm volatile("" : "+r"(b)::"memory");
            sum += b;
            if (sum == 12345)
                at++;
            int second = (int)(clock64() - start);
            if (lane == 0)
                cycles[(warp * rounds + r) * 2] = first, cycles[(warp * rounds + r) * 2 + 1] = second;
        }
    if (sum == 99)
        sink[threadIdx.x] = sum;
}

static void print(const char *name, int lanes, int blocks, int threads, size_t step, int other, int parameter, int rounds)
{
    CHECK(cudaDeviceSynchronize());
    int warps = blocks * threads / 32;
    std::vector<int> v(warps * rounds * 2), first, second;
    CHECK(cudaMemcpy(v.data(), cycles, v.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int w = 0; w < warps; w++)
        for (int r = 2; r < rounds; r++)
            first.push_back(v[(w * rounds + r) * 2]), second.push_back(v[(w * rounds + r) * 2 + 1]);
    printf("%s_%d_%d_%d_%zu_%d,%d,", name, lanes, blocks, threads, step, other, parameter);
    for (std::vector<int> *of : {&first, &second}) {
        std::sort(of->begin(), of->end());
        double sum = 0;
        for (int each : *of)
            sum += each;
        size_t n = of->size();
        printf("%.1f", sum / n);
        for (double part : {0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0})
            printf(";%d", (*of)[std::min(n - 1, (size_t)(part * n))]);
        printf(of == &first ? "|" : ",cycles\n");
    }
}

static void measure_both(int lanes, int blocks, int threads, size_t step, int other, int pause, int rest = 0)
{
    int rounds = 24;
    if ((size_t)blocks * threads / 32 * lanes * step * 128 + 65536 > data_bytes)
        return;
    flush();
    both<<<blocks, threads>>>(data, lanes, step, rounds, other, pause, rest, cycles, sink);
    print(rest ? "rested" : "both", lanes, blocks, threads, step, other, pause, rounds);
}

static void measure_early(int lanes, int blocks, int threads, size_t step, int other, int after)
{
    int rounds = 24;
    if ((size_t)blocks * threads / 32 * lanes * step * 128 + 65536 > data_bytes)
        return;
    flush();
    early<<<blocks, threads>>>(data, lanes, step, rounds, other, after, cycles, sink);
    print("early", lanes, blocks, threads, step, other, after, rounds);
}

int main(int argc, char **argv)
{
    size_t free_bytes, all;
    CHECK(cudaMemGetInfo(&free_bytes, &all));
    data_bytes = std::min((size_t)16 << 30, free_bytes / 2);
    CHECK(cudaMalloc(&data, data_bytes + (1 << 20)));
    CHECK(cudaMemset(data, 0, data_bytes + (1 << 20)));
    CHECK(cudaMalloc(&cycles, 16 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&flushed, 256 << 20));
    if (argc > 1) { // for ncu: the second sector at once, and late; and a sector of the other pair
        for (int pause : {0, 2000}) {
            flush();
            both<<<8, 64>>>(data, 32, 33, 24, 8, pause, 0, cycles, sink);
        }
        flush();
        both<<<8, 64>>>(data, 32, 33, 24, 16, 0, 0, cycles, sink);
        CHECK(cudaDeviceSynchronize());
        return 0;
    }
    printf("figure,parameter,value,unit\n");
    for (int blocks : {1, 8, 32, 132}) // how soon
        for (int threads : {32, 64, 128})
            for (int pause : {0, 50, 100, 150, 200, 300, 400, 600, 800, 1200, 2000})
                measure_both(32, blocks, threads, 33, 8, pause);
    for (int pause : {0, 100, 200, 400, 800}) { // how many lines of a warp
        for (int lanes : {1, 2, 4, 8, 16})
            measure_both(lanes, 8, 64, 33, 8, pause);
        for (int lanes : {1, 8})
            measure_both(lanes, 132, 64, 33, 8, pause);
        measure_both(1, 8, 1024, 33, 8, pause); // as many lines by warps of one lane
        measure_both(1, 16, 1024, 33, 8, pause);
    }
    for (size_t step : {1, 2, 4, 8, 16, 17, 32, 64, 65, 128, 129, 512, 1000}) // how far apart
        for (int pause : {0, 200}) {
            measure_both(32, 8, 64, step, 8, pause);
            measure_both(32, 132, 32, step, 8, pause);
        }
    for (int blocks : {2, 4, 16, 64}) // how many multiprocessors, how many warps
        for (int threads : {32, 64, 256})
            measure_both(32, blocks, threads, 33, 8, 0);
    for (int rest : {500, 2000, 8000}) // with pauses between the rounds
        for (int pause : {0, 200}) {
            measure_both(32, 8, 64, 33, 8, pause, rest);
            measure_both(32, 132, 32, 33, 8, pause, rest);
        }
    for (int other : {16, 24}) // sectors of the other pair
        for (int pause : {0, 400})
            measure_both(32, 8, 64, 33, other, pause);
    for (int lanes : {1, 8, 32}) // before the first one is there
        for (int blocks : {1, 8, 132})
            for (int after : {0, 100, 200, 300, 400, 500, 600, 700, 800, 1000, 1200, 1400})
                for (int other : {8, 16})
                    if (other == 8 || lanes == 32)
                        measure_early(lanes, blocks, 64, 33, other, after);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
