// Measures fences: what they wait for, on one multiprocessor or on all. Prints one line a figure: figure, fence, blocks,
// warps a block, parameter, and of the blocks that fence the least, the mean, the median and the largest mean of cycles.
//
//     nvcc -O3 -std=c++17 -arch=native -o fences fences.cu && ./fences
#include "timing.h"

static long long *clocks;  // [2048]
static unsigned *words;
constexpr int ROUNDS = 48, AREA = 1 << 13;  // words of a warp
constexpr size_t WHOLE = (size_t)1 << 28;   // words

enum Before { NOTHING, STORE, LOAD, REDUCE };
enum Fence { DEVICE, SEQUENTIAL, SYSTEM, BLOCK, RELEASE, ADD_RELEASE, ADD_BOTH, NONE };
enum Beside { IDLE, READING, WRITING };

__device__ __forceinline__ long long now()
{
    long long cycle;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycle)::"memory");
    return cycle;
}

__device__ __forceinline__ void begin_together()
{
    unsigned long long time, until;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    until = (time / 65536 + 2) * 65536;
    while (time < until)
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    __syncthreads();
}

__device__ __forceinline__ void rest(long long start, int cycles)
{
    while (now() - start < cycles)
        ;
}

template <int BEFORE>
__device__ __forceinline__ unsigned access(unsigned *at)
{
    unsigned value = 0;
    if (BEFORE == STORE)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(0) : "memory");
    if (BEFORE == LOAD)
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    if (BEFORE == REDUCE)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(0) : "memory");
    return value;
}

template <int FENCE>
__device__ __forceinline__ unsigned fence(unsigned *flag)
{
    unsigned value = 0;
    if (FENCE == DEVICE)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (FENCE == SEQUENTIAL)
        asm volatile("fence.sc.gpu;" ::: "memory");
    if (FENCE == SYSTEM)
        asm volatile("fence.acq_rel.sys;" ::: "memory");
    if (FENCE == BLOCK)
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (FENCE == RELEASE)
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(0) : "memory");
    if (FENCE == ADD_RELEASE)
        asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(flag), "r"(0) : "memory");
    if (FENCE == ADD_BOTH)
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(value) : "l"(flag), "r"(0) : "memory");
    return value;
}

struct Case {
    int count, apart, lanes;  // accesses before the fence; words between two lanes; lanes that take part
    int pause;                // cycles from the first access to the fence
    int fencing;              // warps of a block that fence
    int accessing;            // the first warp that accesses
    int only;                 // the block that works, or -1
    int fencing_blocks;       // the others do what stands beside
    bool one_lane;            // of each warp fences
};

// Each round: rest, access, pause, and a fence that is timed.
template <int BEFORE, int FENCE, int BESIDE>
__global__ void __launch_bounds__(1024, 1) fences(unsigned *words, Case c, long long *clocks)
{
    if (c.only >= 0 && blockIdx.x != c.only)
        return;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, n_warps = blockDim.x / 32;
    unsigned sum = 0;
    begin_together();
    if (BESIDE != IDLE && (int)blockIdx.x >= c.fencing_blocks) {
        long long start = now();
        size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
        while (now() - start < ROUNDS * 2500)
            for (int k = 0; k < 8; k++, at = (at + (size_t)gridDim.x * blockDim.x) % (WHOLE / 2))
                if (BESIDE == READING)
                    sum += ((volatile unsigned *)words)[WHOLE / 2 + at];
                else
                    words[WHOLE / 2 + at] = k;
        if (sum == 1)
            words[0] = sum;
        return;
    }
    unsigned *own = words + (size_t)(blockIdx.x * n_warps + warp) * AREA + (size_t)lane * c.apart;
    unsigned *flag = words + (WHOLE / 4) + (size_t)(blockIdx.x * n_warps + warp) * 64;
    long long total = 0;
    for (int r = 0; r < ROUNDS; r++) {
        long long start = now();
        rest(start, 1500);
        __syncthreads();
        start = now();
        if (BEFORE != NOTHING && warp >= c.accessing && lane < c.lanes)
            for (int k = 0; k < c.count; k++)
                sum += access<BEFORE>(own + (k * 1024 & AREA - 1));
        if (c.pause)
            rest(start, c.pause);
        __syncwarp();
        if (warp < c.fencing && (!c.one_lane || lane == 0)) {
            long long before = now();
            sum += fence<FENCE>(flag) & 1;
            long long after = now();
            if (r >= ROUNDS / 4)
                total += after - before;
        }
        __syncwarp();
    }
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = total + (sum == 12345);
}

static std::vector<double> of_blocks(int first, int count)
{
    std::vector<long long> host(2048);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), clocks, 2048 * sizeof(long long), cudaMemcpyDeviceToHost));
    std::vector<double> found;
    for (int k = first; k < first + count; k++)
        found.push_back((double)host[k] / (ROUNDS - ROUNDS / 4));
    return found;
}

template <int BEFORE, int FENCE, int BESIDE = IDLE>
static void measure(const char *figure, const char *name, int blocks, int warps, int parameter, Case c)
{
    for (int k = 0; k < 2; k++) {
        fences<BEFORE, FENCE, BESIDE><<<blocks, 32 * warps>>>(words, c, clocks);
        CHECK(cudaGetLastError());
    }
    std::vector<double> found = c.only >= 0 ? of_blocks(c.only, 1) : of_blocks(0, std::min(blocks, c.fencing_blocks));
    std::sort(found.begin(), found.end());
    double mean = 0;
    for (double f : found)
        mean += f / found.size();
    printf("%s,%s,%d,%d,%d,%.5g,%.5g,%.5g,%.5g\n", figure, name, blocks, warps, parameter, found[0], mean,
           found[found.size() / 2], found.back());
    fflush(stdout);
}

static Case plain(int count, int apart, int lanes)
{
    return {count, apart, lanes, 0, 32, 0, -1, 1 << 30, false};
}

template <int FENCE>
static void kinds(const char *name)
{
    for (int blocks : {1, 8, 132})
        for (int warps : {1, 8}) {
            measure<NOTHING, FENCE>("alone", name, blocks, warps, 0, plain(0, 1, 32));
            measure<STORE, FENCE>("stores", name, blocks, warps, 1, plain(1, 1, 32));
        }
    Case c = plain(0, 1, 32);
    c.one_lane = true;
    for (int blocks : {1, 132, 264})
        measure<NOTHING, FENCE>("one_lane", name, blocks, 1, 0, c);
}

int main()
{
    CHECK(cudaMalloc(&clocks, 2048 * sizeof(long long)));
    CHECK(cudaMalloc(&words, WHOLE * 4));
    CHECK(cudaMemset(words, 0, WHOLE * 4));
    printf("figure,fence,blocks,warps,parameter,least,mean,median,most\n");
    kinds<NONE>("none");
    kinds<DEVICE>("device");
    kinds<SEQUENTIAL>("sequential");
    kinds<SYSTEM>("system");
    kinds<BLOCK>("block");
    kinds<RELEASE>("release");
    kinds<ADD_RELEASE>("add_release");
    kinds<ADD_BOTH>("add_both");
    for (int block = 0; block < 132; block += 3) {  // each on another multiprocessor
        Case c = plain(1, 1, 32);
        c.only = block;
        measure<NOTHING, DEVICE>("on_one", "device", 132, 1, block, c);
        measure<STORE, DEVICE>("on_one_stores", "device", 132, 1, block, c);
    }
    for (int blocks : {1, 2, 4, 8, 16, 32, 66, 132, 264})
        for (int warps : {1, 2, 4, 8, 16, 32}) {
            measure<NOTHING, DEVICE>("many", "device", blocks, warps, 0, plain(0, 1, 32));
            if (blocks == 1 || blocks == 132)
                measure<STORE, DEVICE>("many_stores", "device", blocks, warps, 1, plain(1, 1, 32));
        }
    for (int blocks : {1, 132}) {
        for (int count : {1, 2, 4, 8, 16, 32, 64})
            for (int apart : {1, 8, 32}) {
                measure<STORE, DEVICE>(apart == 1 ? "stores_1" : apart == 8 ? "stores_8" : "stores_32", "device", blocks, 1,
                                       count, plain(count, apart, 32));
                measure<REDUCE, DEVICE>(apart == 1 ? "reductions_1" : apart == 8 ? "reductions_8" : "reductions_32", "device",
                                        blocks, 1, count, plain(count, apart, 32));
                measure<LOAD, DEVICE>(apart == 1 ? "loads_1" : apart == 8 ? "loads_8" : "loads_32", "device", blocks, 1, count,
                                      plain(count, apart, 32));
            }
        for (int pause : {0, 50, 100, 200, 300, 400, 600, 800, 1200}) {
            Case c = plain(1, 1, 32);
            c.pause = pause;
            measure<STORE, DEVICE>("later", "device", blocks, 1, pause, c);
            c.count = 16, c.apart = 32;
            measure<STORE, DEVICE>("later_16_32", "device", blocks, 1, pause, c);
            c = plain(8, 32, 32);  // by the seven other warps, of which none fences
            c.pause = pause + 1, c.accessing = 1, c.fencing = 1;
            measure<STORE, DEVICE>("of_others", "device", blocks, 8, pause, c);
        }
    }
    for (int fencing : {1, 8}) {
        Case c = plain(1, 1, 32);
        c.fencing_blocks = fencing;
        measure<NOTHING, DEVICE, READING>("beside_reads", "device", 132, 32, fencing, c);
        measure<STORE, DEVICE, READING>("stores_beside_reads", "device", 132, 32, fencing, c);
        measure<NOTHING, DEVICE, WRITING>("beside_writes", "device", 132, 32, fencing, c);
        measure<STORE, DEVICE, WRITING>("stores_beside_writes", "device", 132, 32, fencing, c);
    }
}
