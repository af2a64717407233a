// Measures locks that many blocks take, tickets, and counters by which the last block knows that it is the last.
// Prints one line a figure: lock, who takes it, blocks, warps a block, cycles of the critical section, times each takes it,
// cycles from the common start to the end of the last block, the mean of the blocks, attempts in all, and cycles between
// two sections: each the mean of PLACES words, of which some are near the blocks and some far from them; then the least and
// the most cycles to the end of the last block, by the place of the words. Before that, for each place, the cycles of an
// atomic at the lock, of eight blocks.
//
//     nvcc -O3 -std=c++17 -arch=native -o locks locks.cu && ./locks
#include "timing.h"

static long long *clocks;  // [1024][2]
static unsigned *words;    // lock, next, serving, counter, attempts: a line each; then data
static float *parts;
constexpr int LINE = 64;
constexpr int PLACES = 16, APART = 16384;  // places of the words, and words from one to the next

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

// The cycles of an atomic, of a thread of each block in turn.
__global__ void alone(unsigned *word, long long *clocks)
{
    unsigned v = 0;
    long long start = clock64();
    for (start += 40000 * blockIdx.x; clock64() < start;)
        ;
    for (int k = 0; k < 16; k++) {
        start = clock64();
        v = atomicAdd(word + (v & 1), 2);
        if (v == 12345)
            word[1] = 7;
        clocks[blockIdx.x] = clock64() - start;
    }
}

static long long host[1024];

// Launches twice at each place of the words, and prints what the second launch took.
template <class Launch>
static void print(const char *name, const char *taker, int blocks, int warps, int cycles, int rounds, double sections,
                  Launch launch)
{
    double most = 0, mean = 0, tries = 0, least = 1e30, greatest = 0;
    for (int place = 0; place < PLACES; place++) {
        unsigned *at = words + place * APART, tried = 0;
        for (int k = 0; k < 2; k++) {
            CHECK(cudaMemset(at, 0, 1 << 16));
            launch(at);
        }
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(host, clocks, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&tried, at + 4 * LINE, 4, cudaMemcpyDeviceToHost));
        double last = *std::max_element(host, host + blocks);
        for (int k = 0; k < blocks; k++)
            mean += host[k] / (double)blocks / PLACES;
        most += last / PLACES, tries += (double)tried / PLACES;
        least = std::min(least, last), greatest = std::max(greatest, last);
    }
    printf("%s,%s,%d,%d,%d,%d,%.6g,%.6g,%.6g,%.5g,%.6g,%.6g\n", name, taker, blocks, warps, cycles, rounds, most, mean, tries,
           most / sections, least, greatest);
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
                print(name, taker, blocks, warps, cycles, rounds, (double)takers * rounds, [&](unsigned *at) {
                    sections<LOCK, TAKER><<<blocks, 32 * warps, shared>>>(at, rounds, cycles, fences, clocks);
                });
            }
}

int main()
{
    CHECK(cudaMalloc(&clocks, 1 << 16));
    CHECK(cudaMalloc(&words, PLACES * APART * sizeof(unsigned)));
    CHECK(cudaMalloc(&parts, 1 << 16));
    for (int place = 0; place < PLACES; place++) {
        for (int line = 0; line < 4; line++) {
            CHECK(cudaMemset(words + place * APART, 0, 1 << 16));
            alone<<<8, 1>>>(words + place * APART + line * LINE, clocks);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost));
            printf("# place %d, line %d:", place, line);
            for (int k = 0; k < 8; k++)
                printf(" %lld", host[k]);
            printf("\n");
        }
    }
    printf("lock,taker,blocks,warps,cycles,rounds,most,mean,tries,apart,least,greatest\n");
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
        for (int warps : {1, 8})
            print("last_block", "block", blocks, warps, 0, 10, 10.0 * blocks,
                  [&](unsigned *at) { last_block<<<blocks, 32 * warps>>>(at, parts, 10, clocks); });
    for (int blocks : {1, 2, 8, 32, 132})
        for (int warps : {1, 8, 32})
            for (int waits : {0, 1})
                print(waits ? "swaps_waited" : "swaps_sent", "warp", blocks, warps, 0, 64, 64.0 * blocks * warps,
                      [&](unsigned *at) {
                          if (waits)
                              swaps<true><<<blocks, 32 * warps>>>(at, 64, clocks);
                          else
                              swaps<false><<<blocks, 32 * warps>>>(at, 64, clocks);
                      });
}
