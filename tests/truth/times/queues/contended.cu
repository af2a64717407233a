// Measures loads of a word that other multiprocessors change meanwhile, by which half of the L2 is near the reader and the
// writers, how long they pause, what they do and where; and the parts of a grid.sync() of cooperative groups, at its own
// word and at one of the program's. Prints one line a figure: figure, kind, writers, pause, readers, and of near and far
// readers the least, the mean and the most cycles of a load (of a part).
//
//     nvcc -O3 -std=c++17 -arch=native -o contended contended.cu && ./contended
#include "timing.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int LINE = 64, MULTIPROCESSORS = 132, ROUNDS = 64;
static long long *clocks;  // [8192]
static unsigned *words;
static int *roles;  // by block: 0 nothing, 1 reads, 2 writes

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
    unsigned long long until = (nanoseconds() / 16384 + 2) * 16384;
    while (nanoseconds() < until)
        ;
    __syncthreads();
}

enum Kind { RELAXED, ACQUIRE, ADD, REDUCE, STORE, SWAP };

template <int KIND>
__device__ __forceinline__ unsigned access(unsigned *at)
{
    unsigned v = 0;
    if (KIND == RELAXED)
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    if (KIND == ACQUIRE)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    if (KIND == ADD)
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;" : "=r"(v) : "l"(at) : "memory");
    if (KIND == REDUCE)
        asm volatile("red.relaxed.gpu.global.add.u32 [%0], 0;" ::"l"(at) : "memory");
    if (KIND == STORE)
        asm volatile("st.relaxed.gpu.global.u32 [%0], 0;" ::"l"(at) : "memory");
    if (KIND == SWAP)
        asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], 7, 0;" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// Readers load a word one after the other, writers change it (or one ``beside`` it) and pause. Each notes every load.
template <int READ, int WRITE>
__global__ void beside(unsigned *words, const int *roles, int beside, int pause, int skew, long long *clocks)
{
    __shared__ int took[ROUNDS];
    int role = roles[blockIdx.x];
    unsigned v = 0;
    begin_together();
    if (role == 2) {
        for (long long until = now() + skew * blockIdx.x; now() < until;)
            ;
        for (long long end = now() + ROUNDS * 600; now() < end;) {
            v += access<WRITE>(words + beside + (v & 1));
            if (pause)
                for (long long until = now() + pause; now() < until;)
                    ;
        }
        if (v == 12345)
            words[LINE] = v;
    } else if (role == 1) {
        for (long long until = now() + 2000 + skew * blockIdx.x; now() < until;)
            ;
        for (int r = 0; r < ROUNDS; r++) {
            long long start = now();
            v = access<READ>(words + v);  // the words are 0
            if (v == 12345)  // which waits for it
                words[LINE] = v;
            took[r] = (int)(now() - start);
        }
        for (int r = 0; r < ROUNDS; r++)
            clocks[blockIdx.x * ROUNDS + r] = took[r];
    }
}

static std::vector<long long> host(MULTIPROCESSORS * ROUNDS);
static bool is_near[MULTIPROCESSORS];

static void fetch()
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), clocks, host.size() * sizeof(long long), cudaMemcpyDeviceToHost));
}

static void set(const std::vector<int> &to)
{
    CHECK(cudaMemcpy(roles, to.data(), sizeof(int) * MULTIPROCESSORS, cudaMemcpyHostToDevice));
}

static double mean_of(int block)
{
    double sum = 0;
    for (int r = 8; r < ROUNDS; r++)
        sum += host[block * ROUNDS + r];
    return sum / (ROUNDS - 8);
}

static void find_near()
{
    int count = 0;
    for (int b = 0; b < MULTIPROCESSORS; b++) {
        std::vector<int> to(MULTIPROCESSORS, 0);
        to[b] = 1;
        set(to);
        beside<ADD, ADD><<<MULTIPROCESSORS, 1, 100 << 10>>>(words, roles, 0, 0, 0, clocks);
        fetch();
        double add = mean_of(b);
        beside<RELAXED, ADD><<<MULTIPROCESSORS, 1, 100 << 10>>>(words, roles, 0, 0, 0, clocks);
        fetch();
        is_near[b] = add < 400;
        count += is_near[b];
        printf("alone,%d,%.5g,%.5g\n", b, add, mean_of(b));
    }
    printf("# %d near\n", count);
}

// ``writers``: so many near ones and so many far ones; ``readers``: so many of each, all others where 0.
template <int READ, int WRITE>
static void measure(const char *kind, int near, int far, int readers, int pause, int at = 0, int skew = 0)
{
    std::vector<int> to(MULTIPROCESSORS, 0);
    int n = near, f = far, rn = readers ? readers : 999, rf = rn;
    for (int b = 0; b < MULTIPROCESSORS; b++)
        if (is_near[b] ? n-- > 0 : f-- > 0)
            to[b] = 2;
    for (int b = MULTIPROCESSORS - 1; b >= 0; b--)
        if (!to[b] && (is_near[b] ? rn-- > 0 : rf-- > 0))
            to[b] = 1;
    set(to);
    for (int k = 0; k < 2; k++)
        beside<READ, WRITE><<<MULTIPROCESSORS, 1, 100 << 10>>>(words, roles, at, pause, skew, clocks);
    fetch();
    printf("beside,%s,%d near %d far,%d,%d,%d,%d", kind, near, far, pause, readers, at, skew);
    for (bool is : {true, false}) {
        std::vector<long long> all;
        for (int b = 0; b < MULTIPROCESSORS; b++)
            if (to[b] == 1 && is_near[b] == is)
                all.insert(all.end(), host.begin() + b * ROUNDS + 8, host.begin() + (b + 1) * ROUNDS);
        if (all.empty())
            continue;
        std::sort(all.begin(), all.end());
        double sum = 0;
        for (long long c : all)
            sum += c;
        auto at = [&](double q) { return all[(size_t)(q * (all.size() - 1))]; };
        printf(",%.5g,%lld %lld %lld %lld %lld %lld %lld", sum / all.size(), at(0), at(.1), at(.25), at(.5), at(.75), at(.9), at(1));
    }
    printf("\n");
    if (readers == 1 && !skew) {
        for (int b = 0; b < MULTIPROCESSORS; b++)
            if (to[b] == 1) {
                printf("each,%s,%d near %d far,%d,%s:", kind, near, far, pause, is_near[b] ? "near" : "far");
                for (int r = 8; r < 40; r++)
                    printf(" %lld", host[b * ROUNDS + r]);
                printf("\n");
            }
    }
    fflush(stdout);
}

// The parts of a barrier of the grid as cooperative groups have them: KIND 0 grid.sync() itself, 1 its two halves, 2 its
// text at a word of the program by a generic address, 3 the same in global memory, 4 by a fence and relaxed additions,
// 5 the text at the word of cooperative groups.
template <int KIND>
__global__ void barriers(unsigned *words, int rounds, long long *clocks)
{
    auto grid = cg::this_grid();
    cg::details::grid_workspace *space = cg::details::get_grid_workspace();
    unsigned *at = KIND == 5 ? (unsigned *)&space->barrier : words;
    bool is_first = blockIdx.x == 0;
    begin_together();
    grid.sync();
    long long parts[5] = {}, begin = now();
    for (int r = 0; r < rounds; r++) {
        long long t0 = now(), t1 = t0, t2 = t0, t3 = t0, t4;
        if (KIND == 0)
            grid.sync();
        if (KIND == 1) {
            unsigned old = cg::details::sync_grids_arrive(&space->barrier);
            t1 = now();
            cg::details::sync_grids_wait(old, &space->barrier);
        }
        if (KIND >= 2) {
            __syncthreads();
            t1 = now();
            if (threadIdx.x == 0) {
                unsigned add = is_first ? 0x80000000u - (gridDim.x - 1) : 1, old, seen;
                if (KIND == 2 || KIND == 5)
                    asm volatile("atom.add.release.gpu.u32 %0,[%1],%2;" : "=r"(old) : "l"(at), "r"(add) : "memory");
                if (KIND == 3)
                    asm volatile("atom.global.add.release.gpu.u32 %0,[%1],%2;" : "=r"(old) : "l"(at), "r"(add) : "memory");
                if (KIND == 4) {
                    asm volatile("fence.acq_rel.gpu;" ::: "memory");
                    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(add) : "memory");
                }
                if (old == 0x7ffffff1)
                    words[LINE] = 1;
                t2 = now();
                do
                    if (KIND == 2 || KIND == 5)
                        asm volatile("ld.acquire.gpu.u32 %0,[%1];" : "=r"(seen) : "l"(at) : "memory");
                    else
                        asm volatile("ld.acquire.gpu.global.u32 %0,[%1];" : "=r"(seen) : "l"(at) : "memory");
                while (((old ^ seen) & 0x80000000u) == 0);
                t3 = now();
            }
            __syncthreads();
        }
        t4 = now();
        parts[0] += t1 - t0, parts[1] += t2 - t1, parts[2] += t3 - t2, parts[3] += t4 - t3;
    }
    parts[4] = now() - begin;
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++)
            clocks[blockIdx.x * 5 + k] = parts[k];
}

template <int KIND>
static void barrier_parts(const char *kind)
{
    for (int blocks : {1, 2, 16, 132})
        for (int threads : {32, 256}) {
            CHECK(cudaMemset(words, 0, 4096));
            int rounds = 32;
            void *args[] = {&words, &rounds, &clocks};
            for (int k = 0; k < 2; k++)
                CHECK(cudaLaunchCooperativeKernel((void *)barriers<KIND>, blocks, threads, args, 100 << 10, 0));
            fetch();
            printf("barrier,%s,%d,%d", kind, blocks, threads);
            for (int k = 0; k < 5; k++) {
                double sum = 0;
                for (int b = 0; b < blocks; b++)
                    sum += host[b * 5 + k];
                printf(",%.5g", sum / blocks / rounds);
            }
            printf("\n");
        }
}

// Chains of accesses of one lane to the word of cooperative groups, and to one of the program.
template <int KIND>
__global__ void chain(unsigned *words, int own, long long *clocks)
{
    unsigned *at = own ? words : (unsigned *)&cg::details::get_grid_workspace()->barrier, v = 0;
    for (int k = 0; k < 2; k++) {
        long long start = now();
        for (int r = 0; r < 32; r++)
            asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(at + (v == 12345)) : "memory");
        clocks[0] = now() - start;
        start = now();
        for (int r = 0; r < 32; r++)
            if (KIND == 0)
                asm volatile("atom.relaxed.gpu.add.u32 %0, [%1], 0;" : "=r"(v) : "l"(at + (v == 12345)) : "memory");
            else
                asm volatile("atom.release.gpu.add.u32 %0, [%1], 0;" : "=r"(v) : "l"(at + (v == 12345)) : "memory");
        clocks[1] = now() - start;
    }
    clocks[2] = (long long)at;
}

template <int KIND>
static void chains(const char *kind)
{
    for (int own : {0, 1}) {
        void *args[] = {&words, &own, &clocks};
        CHECK(cudaLaunchCooperativeKernel((void *)chain<KIND>, 1, 1, args, 0, 0));
        fetch();
        printf("word,%s,%s,load %.5g,add %.5g,%s\n", kind, own ? "own" : "groups", host[0] / 32.0, host[1] / 32.0, host[2] >> 40 ? "high" : "low");
    }
}

template <class K>
static void allow(K kernel)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
}

int main()
{
    CHECK(cudaMalloc(&clocks, 16384 * sizeof(long long)));
    CHECK(cudaMalloc(&words, 1 << 20));
    CHECK(cudaMalloc(&roles, MULTIPROCESSORS * sizeof(int)));
    CHECK(cudaMemset(words, 0, 1 << 20));
    allow(beside<ADD, ADD>), allow(beside<RELAXED, ADD>), allow(beside<ACQUIRE, ADD>), allow(beside<RELAXED, REDUCE>);
    allow(beside<ADD, RELAXED>), allow(beside<RELAXED, STORE>), allow(beside<RELAXED, SWAP>), allow(beside<RELAXED, RELAXED>);
    allow(barriers<0>), allow(barriers<1>), allow(barriers<2>), allow(barriers<3>), allow(barriers<4>), allow(barriers<5>);
    barrier_parts<0>("grid_sync");
    barrier_parts<1>("halves");
    barrier_parts<2>("generic");
    barrier_parts<3>("global");
    barrier_parts<4>("fence");
    barrier_parts<5>("groups_word");
    chains<0>("relaxed");
    chains<1>("release");
    find_near();
    for (int readers : {1, 8, 0})
        for (int pause : {0, 300, 1000, 4000}) {
            measure<RELAXED, ADD>("add", 1, 0, readers, pause);
            measure<RELAXED, ADD>("add", 0, 1, readers, pause);
            measure<RELAXED, ADD>("add", 4, 4, readers, pause);
        }
    for (int skew : {0, 7, 37}) {
        measure<RELAXED, ADD>("add", 1, 0, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 0, 1, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 2, 0, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 4, 0, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 8, 0, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 16, 0, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 16, 16, 1, 0, 0, skew);
        measure<RELAXED, ADD>("add", 60, 60, 1, 0, 0, skew);
    }
    for (int at : {1, 8, 32, 64}) {
        measure<RELAXED, ADD>("add", 1, 0, 1, 0, at);
        measure<RELAXED, ADD>("add", 4, 4, 1, 0, at);
    }
    measure<ACQUIRE, ADD>("add_acquire", 1, 0, 0, 0);
    measure<ACQUIRE, ADD>("add_acquire", 4, 4, 0, 0);
    for (int readers : {1, 0})
        for (int pause : {300, 1000}) {
            measure<RELAXED, REDUCE>("reduce", 1, 0, readers, pause);
            measure<RELAXED, STORE>("store", 1, 0, readers, pause);
            measure<RELAXED, SWAP>("swap", 1, 0, readers, pause);
            measure<RELAXED, RELAXED>("load", 1, 0, readers, pause);
            measure<RELAXED, STORE>("store", 0, 1, readers, pause);
        }
    // Those who add beside others who only load.
    measure<ADD, RELAXED>("adds_beside_loads", 4, 4, 8, 0);
}
