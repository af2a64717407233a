// Measures locks that many blocks take, tickets, and counters by which the last block knows that it is the last.
// Prints one line a figure: lock, who takes it, blocks, warps a block, cycles of the critical section, times each takes it,
// cycles from the common start to the end of the last block, the mean of the blocks, attempts in all, and cycles between
// two sections.
//
//     nvcc -O3 -std=c++17 -arch=native -o locks locks.cu && ./locks
#include "timing.h"

static long long *clocks;  // [1024][2]
static unsigned *words;    // lock, next, serving, counter, attempts: a line each; then data
static float *parts;
constexpr int LINE = 64;

enum Lock { SWAP, EXCHANGE, LOOK_FIRST, TICKET, SLEEP, ACQUIRE };
enum Taker { BLOCK, WARP, THREAD };

__device__ __forceinline__ void begin_together()
{
    unsigned long long now, until;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    until = (now / 65536 + 2) * 65536;
    while (now < until)
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    __syncthreads();
}

template <int LOCK>
__device__ __forceinline__ bool try_lock(unsigned *words)
{
    if (LOCK == EXCHANGE)
        return atomicExch(words, 1) == 0;
    if (LOCK == LOOK_FIRST)
        return *(volatile unsigned *)words == 0 && atomicCAS(words, 0, 1) == 0;
    if (LOCK == ACQUIRE) {
        unsigned old;
        asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(words) : "memory");
        return old == 0;
    }
    return atomicCAS(words, 0, 1) == 0;
}

__device__ __forceinline__ void section(unsigned *words, int cycles, bool fences)
{
    if (fences)
        __threadfence();
    long long start = clock64();
    if (cycles)
        while (clock64() - start < cycles)
            ;
    if (fences) {  // what a lock guards: a counter that is no atomic
        volatile unsigned *data = words + 5 * LINE;
        *data = *data + 1;
        __threadfence();
    }
}

template <int LOCK>
__device__ __forceinline__ unsigned locked(unsigned *words, int cycles, bool fences)
{
    unsigned tries = 0;
    if (LOCK == TICKET) {
        unsigned mine = atomicAdd(words + LINE, 1);
        while (((volatile unsigned *)words)[2 * LINE] != mine)
            tries++;
        section(words, cycles, fences);
        atomicAdd(words + 2 * LINE, 1);
        return tries + 1;
    }
    while (!try_lock<LOCK>(words)) {
        tries++;
        if (LOCK == SLEEP)
            __nanosleep(200);
    }
    section(words, cycles, fences);
    if (LOCK == ACQUIRE)
        asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(words) : "memory");
    else
        atomicExch(words, 0);
    return tries + 1;
}

template <int LOCK, int TAKER>
__global__ void __launch_bounds__(1024, 1) sections(unsigned *words, int rounds, int cycles, bool fences, long long *clocks)
{
    extern __shared__ int whole[];
    begin_together();
    long long start = clock64();
    unsigned tries = 0;
    for (int r = 0; r < rounds; r++) {
        if (TAKER == BLOCK) {
            if (threadIdx.x == 0)
                tries += locked<LOCK>(words, cycles, fences);
            __syncthreads();
        }
        if (TAKER == WARP) {
            if (threadIdx.x % 32 == 0)
                tries += locked<LOCK>(words, cycles, fences);
            __syncwarp();
        }
        if (TAKER == THREAD) {  // as it is written for warps whose lanes go together
            bool done = false;
            while (!done) {
                tries++;
                if (try_lock<LOCK>(words)) {
                    section(words, cycles, fences);
                    atomicExch(words, 0);
                    done = true;
                }
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
    if (tries)
        atomicAdd(words + 4 * LINE, tries);
}

// Each block adds to a counter when its part is done; the last one sums up the parts.
__global__ void __launch_bounds__(1024, 1) last_block(unsigned *words, float *parts, int rounds, long long *clocks)
{
    __shared__ bool is_last;
    begin_together();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = r;
            __threadfence();
            is_last = atomicAdd(words + 3 * LINE, 1) % gridDim.x == gridDim.x - 1;
        }
        __syncthreads();
        if (is_last) {
            float sum = 0;
            for (int k = threadIdx.x; k < gridDim.x; k += blockDim.x)
                sum += ((volatile float *)parts)[k];
            if (sum == -1)
                words[0] = 1;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

// Compare-and-swaps at one word that are no lock: by one lane of each warp, which waits for each result or not.
template <bool WAITS>
__global__ void __launch_bounds__(1024, 1) swaps(unsigned *words, int rounds, long long *clocks)
{
    begin_together();
    long long start = clock64();
    unsigned v = 0;
    if (threadIdx.x % 32 == 0) {
#pragma unroll 8
        for (int r = 0; r < rounds; r++) {
            unsigned old = atomicCAS(words, 7 + (WAITS ? v & 1 : 0), 1);
            v |= old;
        }
        words[6 * LINE + blockIdx.x] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = clock64() - start;
}

static long long host[1024];

static void print(const char *name, const char *taker, int blocks, int warps, int cycles, int rounds, double sections)
{
    unsigned tries = 0;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, clocks, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&tries, words + 4 * LINE, 4, cudaMemcpyDeviceToHost));
    double most = 0, mean = 0;
    for (int k = 0; k < blocks; k++) {
        mean += host[k] / (double)blocks;
        most = std::max(most, (double)host[k]);
    }
    printf("%s,%s,%d,%d,%d,%d,%.6g,%.6g,%u,%.5g\n", name, taker, blocks, warps, cycles, rounds, most, mean, tries, most / sections);
    fflush(stdout);
}

template <int LOCK, int TAKER>
static void measure(const char *name, const char *taker, bool fences)
{
    for (int blocks : {1, 2, 8, 32, 132, 264})
        for (int warps : {1, 8})
            for (int cycles : {0, 100, 1000}) {
                if (TAKER == THREAD && (warps > 1 || cycles == 1000 || blocks > 132))
                    continue;
                int takers = blocks * (TAKER == BLOCK ? 1 : TAKER == WARP ? warps : 32 * warps);
                int rounds = takers > 1000 ? 2 : TAKER == THREAD ? 2 : 10;
                int shared = blocks > 132 ? 0 : 200 << 10;
                CHECK(cudaFuncSetAttribute(sections<LOCK, TAKER>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
                for (int k = 0; k < 2; k++) {
                    CHECK(cudaMemset(words, 0, 1 << 16));
                    sections<LOCK, TAKER><<<blocks, 32 * warps, shared>>>(words, rounds, cycles, fences, clocks);
                }
                print(name, taker, blocks, warps, cycles, rounds, (double)takers * rounds);
            }
}

int main()
{
    CHECK(cudaMalloc(&clocks, 1 << 16));
    CHECK(cudaMalloc(&words, 1 << 16));
    CHECK(cudaMalloc(&parts, 1 << 16));
    printf("lock,taker,blocks,warps,cycles,rounds,most,mean,tries,apart\n");
    measure<SWAP, BLOCK>("swap", "block", false);
    measure<SWAP, BLOCK>("swap_fenced", "block", true);
    measure<SWAP, WARP>("swap", "warp", false);
    measure<SWAP, THREAD>("swap", "thread", false);
    measure<EXCHANGE, BLOCK>("exchange", "block", false);
    measure<LOOK_FIRST, BLOCK>("look_first", "block", false);
    measure<ACQUIRE, BLOCK>("acquire", "block", true);
    measure<SLEEP, BLOCK>("sleep", "block", false);
    measure<TICKET, BLOCK>("ticket", "block", false);
    measure<TICKET, BLOCK>("ticket_fenced", "block", true);
    measure<TICKET, WARP>("ticket", "warp", false);
    for (int blocks : {1, 2, 8, 32, 132, 264})
        for (int warps : {1, 8}) {
            for (int k = 0; k < 2; k++) {
                CHECK(cudaMemset(words, 0, 1 << 16));
                last_block<<<blocks, 32 * warps>>>(words, parts, 10, clocks);
            }
            print("last_block", "block", blocks, warps, 0, 10, 10.0 * blocks);
        }
    for (int blocks : {1, 2, 8, 32, 132})
        for (int warps : {1, 8, 32})
            for (int waits : {0, 1}) {
                for (int k = 0; k < 2; k++) {
                    CHECK(cudaMemset(words, 0, 1 << 16));
                    if (waits)
                        swaps<true><<<blocks, 32 * warps>>>(words, 64, clocks);
                    else
                        swaps<false><<<blocks, 32 * warps>>>(words, 64, clocks);
                }
                print(waits ? "swaps_waited" : "swaps_sent", "warp", blocks, warps, 0, 64, 64.0 * blocks * warps);
            }
}
