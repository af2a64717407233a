// Measures words that many multiprocessors load, add to or poll at once, the parts of a barrier of the whole grid,
// reductions of all multiprocessors at the same words, and which warp a scheduler prefers. Prints one line a figure:
// figure, kind, blocks, warps a block, parameter, and of the blocks (or warps) the least, the mean and the most.
//
//     nvcc -O3 -std=c++17 -arch=native -o polls polls.cu && ./polls
#include "timing.h"

static long long *clocks;  // [4096]
static unsigned *words;
static float *data;
constexpr int LINE = 64;

__device__ __forceinline__ long long now()
{
    long long cycle;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycle)::"memory");
    return cycle;
}

__device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
    return time;
}

__device__ __forceinline__ void begin_together()
{
    unsigned long long until = (nanoseconds() / 65536 + 2) * 65536;
    while (nanoseconds() < until)
        ;
    __syncthreads();
}

enum Kind { VOLATILE, RELAXED, ACQUIRE, ADD, SWAP, PLAIN, FENCED, FENCE };

template <int KIND>
__device__ __forceinline__ unsigned access(unsigned *at)
{
    unsigned v = 0;
    if (KIND == FENCED || KIND == FENCE)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (KIND == VOLATILE)
        asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    if (KIND == RELAXED)
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    if (KIND == ACQUIRE)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    if (KIND == ADD)
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;" : "=r"(v) : "l"(at) : "memory");
    if (KIND == SWAP)
        asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], 7, 0;" : "=r"(v) : "l"(at) : "memory");
    if (KIND == PLAIN || KIND == FENCED)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// A chain of accesses of one lane of each block, to one word or to one of the block's own; the first ``writers`` blocks
// add to the word all the while.
template <int KIND>
__global__ void chain(unsigned *words, int own, int writers, int rounds, long long *clocks)
{
    unsigned *at = words + (own ? (size_t)blockIdx.x * LINE : 0), v = 0;
    begin_together();
    if ((int)blockIdx.x < writers) {
        for (int r = 0; r < 4 * rounds; r++)
            v += access<ADD>(at + (v & 1));
        if (v == 12345)
            words[LINE] = v;
        return;
    }
    long long start = now();
    for (int r = 0; r < rounds; r++)
        v = access<KIND>(at + v);  // the words are 0
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = now() + v - start;
}

// A barrier of the grid as cooperative groups have it, and when each block has done its parts.
__global__ void grid_barrier(unsigned *words, int rounds, int spin, long long *clocks)
{
    begin_together();
    long long parts[5] = {};
    for (int r = 0; r < rounds; r++) {
        long long t0 = now();
        __syncthreads();
        long long t1 = now(), t2 = t1, t3 = t1, t4 = t1;
        if (threadIdx.x == 0) {
            unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1, old, seen;
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
            t2 = now();
            asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(words), "r"(add) : "memory");
            if (old == 0x7fffffff && spin == 12345)
                words[LINE] = 1;
            t3 = now();
            do
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(words) : "memory");
            while (((old ^ seen) & 0x80000000u) == 0);
            t4 = now();
        }
        __syncthreads();
        long long t5 = now();
        if (r >= 4) {
            parts[0] += t1 - t0, parts[1] += t2 - t1, parts[2] += t3 - t2, parts[3] += t4 - t3, parts[4] += t5 - t4;
        }
    }
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++)
            clocks[blockIdx.x * 5 + k] = parts[k];
}

// Reductions of all blocks at the same words, or each at its own: cycles and nanoseconds until all are carried out.
__global__ void __launch_bounds__(1024) reductions(unsigned *words, int lane, int block, int rounds, long long *clocks)
{
    unsigned *at = words + (size_t)blockIdx.x * block + threadIdx.x % 32 * lane;
    begin_together();
    long long start = now();
    unsigned long long first = nanoseconds();
    for (int r = 0; r < rounds; r++)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        clocks[2 * blockIdx.x] = now() - start;
        clocks[2 * blockIdx.x + 1] = nanoseconds() - first;
    }
}

// Which warps get on: each does the same, and notes when half of it and all of it is done.
enum Work { CHAIN, FOUR_CHAINS, LOADS, PAIRS, SHARED, MIXED };

template <int WORK>
__global__ void __launch_bounds__(1024) turns(const float *data, int rounds, long long *clocks, float *sink)
{
    __shared__ float own[1024];
    own[threadIdx.x] = 0;
    float v[4] = {data[0], data[1], data[2], data[3]};
    int at = threadIdx.x % 32, warp = (blockIdx.x / 132 * blockDim.x + threadIdx.x) / 32;
    __syncthreads();
    long long start = now(), half = start;
    for (int r = 0; r < rounds; r++) {
        if (r == rounds / 2)
            half = now();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            if (WORK == CHAIN || WORK == MIXED)
                v[0] = v[0] * 0.5f + 1.0f;
            if (WORK == FOUR_CHAINS)
                for (int j = 0; j < 4; j++)
                    v[j] = v[j] * 0.5f + 1.0f;
            if (WORK == LOADS || (WORK == MIXED && k % 4 == 0))
                v[1] += data[at + __float_as_int(v[1])];  // which are 0
            if (WORK == PAIRS) {
                float a = data[at + __float_as_int(v[1])], b = data[at + 64 + __float_as_int(v[1])];
                v[1] += a * b;
            }
            if (WORK == SHARED)
                v[1] += ((volatile float *)own)[threadIdx.x + __float_as_int(v[1])];
        }
    }
    long long end = now();
    sink[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
    if (threadIdx.x % 32 == 0 && blockIdx.x % 132 == 0) {
        clocks[2 * warp] = half - start;
        clocks[2 * warp + 1] = end - start;
    }
}

static std::vector<long long> host(4096);

static void print(const char *figure, const char *kind, int blocks, int warps, int parameter, int first, int count, int step,
                  double by)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), clocks, host.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    double least = 1e30, most = 0, mean = 0;
    for (int k = 0; k < count; k++) {
        double value = host[first + k * step] / by;
        least = std::min(least, value), most = std::max(most, value), mean += value / count;
    }
    printf("%s,%s,%d,%d,%d,%.5g,%.5g,%.5g\n", figure, kind, blocks, warps, parameter, least, mean, most);
    fflush(stdout);
}

template <int KIND>
static void chains(const char *kind)
{
    for (int blocks : {1, 2, 8, 32, 66, 132})
        for (int own : {0, 1}) {
            for (int k = 0; k < 2; k++)
                chain<KIND><<<blocks, 1>>>(words, own, 0, 64, clocks);
            print(own ? "own_word" : "one_word", kind, blocks, 1, 0, 0, blocks, 1, 64);
        }
    for (int writers : {1, 8}) {
        chain<KIND><<<132, 1>>>(words, 0, writers, 64, clocks);
        print("one_word_beside_adds", kind, 132, 1, writers, writers, 132 - writers, 1, 64);
    }
    for (int blocks : {1, 132}) {
        for (int k = 0; k < 2; k++)
            chain<KIND><<<blocks, 32>>>(words, 0, 0, 64, clocks);
        print("one_word_of_warps", kind, blocks, 1, 32, 0, blocks, 1, 64);
    }
}

template <int WORK>
static void work(const char *kind)
{
    for (int warps : {4, 8, 16, 32, 64}) {
        int blocks = warps == 64 ? 264 : 132, in_block = std::min(warps, 32);
        for (int k = 0; k < 2; k++)
            turns<WORK><<<blocks, 32 * in_block>>>(data, 64, clocks, data + 4096);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(host.data(), clocks, host.size() * sizeof(long long), cudaMemcpyDeviceToHost));
        printf("turns_half,%s,%d,%d", kind, blocks, warps);
        for (int k = 0; k < warps; k++)
            printf("%c%lld", k ? ' ' : ',', host[2 * k]);
        printf("\nturns_end,%s,%d,%d", kind, blocks, warps);
        for (int k = 0; k < warps; k++)
            printf("%c%lld", k ? ' ' : ',', host[2 * k + 1]);
        printf("\n");
    }
}

int main()
{
    CHECK(cudaMalloc(&clocks, 4096 * sizeof(long long)));
    CHECK(cudaMalloc(&words, 64 << 20));
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMemset(words, 0, 64 << 20));
    CHECK(cudaMemset(data, 0, 1 << 20));
    printf("figure,kind,blocks,warps,parameter,least,mean,most\n");
    chains<VOLATILE>("volatile");
    chains<RELAXED>("relaxed");
    chains<ACQUIRE>("acquire");
    chains<ADD>("add");
    chains<SWAP>("swap");
    chains<PLAIN>("plain");
    chains<FENCED>("fenced");
    chains<FENCE>("fence");
    const char *parts[] = {"arrive", "fence", "add", "poll", "leave"};
    for (int blocks : {1, 2, 16, 132, 264})
        for (int warps : {1, 8}) {
            CHECK(cudaMemset(words, 0, 4096));
            int rounds = 36;
            void *args[] = {&words, &rounds, &warps, &clocks};
            CHECK(cudaLaunchCooperativeKernel((void *)grid_barrier, blocks, 32 * warps, args, 0, 0));
            for (int k = 0; k < 5; k++)
                print("grid_barrier", parts[k], blocks, warps, k, k, blocks, 5, 32);
        }
    struct Place { const char *name; int lane, block; };
    for (Place p : {Place{"32_sectors", 8, 0}, {"8_sectors", 2, 0}, {"line", 1, 0}, {"one_word", 0, 0}, {"own_line", 1, 2048},
                    {"own_32_sectors", 8, 2048}})
        for (int blocks : {1, 132})
            for (int warps : {1, 4, 16, 32})
                for (int k = 0; k < 2; k++) {
                    for (int j = 0; j < 2; j++)
                        reductions<<<blocks, 32 * warps>>>(words, p.lane, p.block, 64, clocks);
                    print(k ? "reductions_ns" : "reductions", p.name, blocks, warps, 64, k, blocks, 2, 64.0 * warps);
                }
    work<CHAIN>("chain");
    work<FOUR_CHAINS>("four_chains");
    work<LOADS>("loads");
    work<PAIRS>("pairs");
    work<SHARED>("shared");
    work<MIXED>("mixed");
}
