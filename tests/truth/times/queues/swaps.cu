// Measures compare-and-swaps, test-and-sets and additions: in shared memory, at random words of global memory, and their
// latency. Prints one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o swaps swaps.cu && ./swaps

#include <algorithm>
#include <cstdio>
#include <vector>

static long long *clocks;  // [4096], on the device
static int *words;         // 256 MiB
static int *sink;
static int multiprocessors;

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

enum Kind { ADD, ADD_FLOAT, SWAP, LOAD };

// Each thread changes random words of ``mask`` + 1.
template <Kind KIND>
__global__ void change_shared(int mask, int rounds, long long *clocks, int *sink)
{
    extern __shared__ int room[];
    for (int k = threadIdx.x; k <= mask; k += blockDim.x)
        room[k] = 0;
    __syncthreads();
    unsigned x = hash(blockIdx.x * blockDim.x + threadIdx.x);
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        x = x * 1664525u + 1013904223u;
        int *word = &room[(x >> 10) & mask];
        if (KIND == ADD)
            atomicAdd(word, (int)x);
        if (KIND == ADD_FLOAT)
            atomicAdd((float *)word, 1.0f);
        if (KIND == SWAP)
            x += atomicCAS(word, 5, 7) & 1;
    }
    __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - start;
    sink[blockIdx.x * blockDim.x + threadIdx.x] = room[threadIdx.x & mask];
}

// Each thread changes one random word, and uses what was there or not.
template <Kind KIND, bool USED>
__global__ void change_global(int *words, unsigned mask, unsigned seed, int *sink)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    int *word = &words[hash(k * 2654435761u + seed) & mask];
    int old = KIND == ADD ? atomicAdd(word, 1) : KIND == SWAP ? atomicCAS(word, 0, (int)k) : __ldcg(word);
    if (USED && old == -5)
        sink[0] = old;
}

template <Kind KIND>
__global__ void chain(int *words, unsigned mask, unsigned step, long long *clocks, int rounds, int *sink)
{
    unsigned at = (threadIdx.x * step) & mask;
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        int old = KIND == SWAP ? atomicCAS(&words[at], -7, 1) : KIND == ADD ? atomicAdd(&words[at], 0) : __ldcg(&words[at]);
        at = (at + old + step * 32) & mask;
    }
    long long end = clock64();
    if (threadIdx.x == 0)
        clocks[0] = end - start;
    sink[threadIdx.x] = at;
}

template <Kind KIND>
static void measure_shared(const char *name)
{
    std::vector<long long> host(4096);
    for (int blocks : {1, 4, 8})
        for (int warps : {1, 4, 8, 32})
            for (int count : {1, 4, 32, 256, 4096}) {
                if (blocks * warps > 64)
                    continue;
                int all = blocks * multiprocessors;
                for (int k = 0; k < 2; k++)
                    change_shared<KIND><<<all, 32 * warps, 16384>>>(count - 1, 8, clocks, sink);
                cudaMemcpy(host.data(), clocks, all * sizeof(long long), cudaMemcpyDeviceToHost);
                double sum = 0;
                for (int k = 0; k < all; k++)
                    sum += (double)host[k];
                printf("%s_%d_%d,%d,%.6g,cycles\n", name, blocks, warps, count, sum / all / 8);
            }
}

template <class Launch>
static double microseconds(Launch launch)
{
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    std::vector<float> times;
    for (int k = 0; k < 5; k++) {
        float t;
        cudaEventRecord(start);
        launch();
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&t, start, stop);
        times.push_back(t);
    }
    std::sort(times.begin(), times.end());
    return times[2] * 1000;
}

template <Kind KIND, bool USED>
static void measure_global(const char *name)
{
    for (int bits : {12, 16, 20, 23})
        for (int count : {19, 22}) {
            cudaMemset(words, 0, sizeof(int) << bits);
            double t = microseconds([&] { change_global<KIND, USED><<<(1 << count) / 256, 256>>>(words, (1u << bits) - 1, count, sink); });
            printf("%s_%d,%d,%.5g,us\n", name, count, bits, t);
        }
}

template <Kind KIND>
static void measure_chain(const char *name)
{
    for (int lanes : {1, 32})
        for (int step : {1, 8, 32}) {
            long long host;
            cudaMemset(words, 0, 4 << 20);
            for (int k = 0; k < 2; k++)
                chain<KIND><<<1, lanes>>>(words, (1 << 20) - 1, step, clocks, 64, sink);
            cudaMemcpy(&host, clocks, sizeof host, cudaMemcpyDeviceToHost);
            printf("chain_%s_%d,%d,%.5g,cycles\n", name, lanes, step, (double)host / 64);
        }
}

int main()
{
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    multiprocessors = properties.multiProcessorCount;
    cudaMalloc(&clocks, 4096 * sizeof *clocks);
    cudaMalloc(&words, 256 << 20);
    cudaMalloc(&sink, 16 << 20);
    puts("figure,parameter,value,unit");
    measure_shared<ADD>("shared_add");
    measure_shared<ADD_FLOAT>("shared_add_float");
    measure_shared<SWAP>("shared_swap");
    measure_global<LOAD, true>("load");
    measure_global<ADD, false>("reduce");
    measure_global<ADD, true>("add");
    measure_global<SWAP, true>("swap");
    measure_chain<LOAD>("load");
    measure_chain<ADD>("add");
    measure_chain<SWAP>("swap");
    printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
