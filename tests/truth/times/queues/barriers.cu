// Measures in which order the warps of a scheduler go on behind a barrier, and how they follow one another afterwards in
// straight code: each warp reads the clock right behind the barrier and after every so many instructions. Prints one line
// a warp of the first scheduler of one multiprocessor: figure, kind, instructions between two stamps, warps a block,
// blocks a multiprocessor, block, warp, then the stamps from the first one on. Last the stamps of additions in shared
// memory, as in swaps.cu: start and end of each warp.
//
//     nvcc -O3 -std=c++17 -arch=native -o barriers barriers.cu && ./barriers
#include "timing.h"

constexpr int STAMPS = 24;
static int *stamps;  // [blocks][32][STAMPS + 2]
static float *data;

__device__ __forceinline__ int now()
{
    int cycle;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
    return cycle;
}

enum Work { CHAIN, CHAINS, INTEGERS, MIXED };

template <int WORK, int N>
__global__ void __launch_bounds__(1024) after(const float *data, int *stamps, float *sink)
{
    int t[STAMPS];
    float v[4];
    int w[4], at = threadIdx.x;
    for (int k = 0; k < 4; k++)
        v[k] = data[k], w[k] = __float_as_int(data[k + 8]);
    float a = data[20], b = data[21];
    for (int k = 0; k < 4; k++)
        asm volatile("" : "+f"(v[k]), "+r"(w[k]));
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STAMPS; k++) {
            t[k] = now();
#pragma unroll
            for (int n = 0; n < N; n++) {
                int j = WORK == CHAIN ? 0 : n % 4;
                if (WORK == CHAIN || WORK == CHAINS || (WORK == MIXED && n % 2))
                    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(v[j]) : "f"(a), "f"(b));
                else
                    asm volatile("add.s32 %0, %0, %1;" : "+r"(w[j]) : "r"(at));
            }
        }
    }
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += v[k] + w[k];
    sink[threadIdx.x] = sum;
    int place, warp = threadIdx.x / 32;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
    int *row = stamps + (blockIdx.x * 32 + warp) * (STAMPS + 2);
    if (threadIdx.x % 32 == 0) {
        for (int k = 0; k < STAMPS; k++)
            row[k] = t[k];
        row[STAMPS] = place;
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(row[STAMPS + 1]));
    }
}

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

// As change_shared of swaps.cu.
__global__ void __launch_bounds__(1024) additions(int mask, int rounds, int *stamps, int *sink)
{
    __shared__ int room[4096];
    for (int k = threadIdx.x; k <= mask; k += blockDim.x)
        room[k] = 0;
    __syncthreads();
    unsigned x = hash(blockIdx.x * blockDim.x + threadIdx.x);
    int start = now();
    for (int r = 0; r < rounds; r++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&room[(x >> 10) & mask], (int)x);
    }
    int done = now();
    __syncthreads();
    int end = now(), place;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
    int *row = stamps + (blockIdx.x * 32 + threadIdx.x / 32) * (STAMPS + 2);
    if (threadIdx.x % 32 == 0) {
        row[0] = start, row[1] = done, row[2] = end, row[STAMPS] = place;
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(row[STAMPS + 1]));
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = room[threadIdx.x & mask];
}

static std::vector<int> host(132 * 16 * 32 * (STAMPS + 2));

static void print(const char *kind, int n, int warps, int blocks, int count, bool all)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), stamps, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
    auto row = [&](int b, int w) { return &host[(b * 32 + w) * (STAMPS + 2)]; };
    int on = row(0, 0)[STAMPS], first = row(0, 0)[0];
    for (int b = 0; b < 132 * blocks; b++)
        for (int w = 0; w < warps; w++)
            if (row(b, w)[STAMPS] == on)
                first = std::min(first, row(b, w)[0]);
    for (int b = 0; b < 132 * blocks; b++)
        for (int w = 0; w < warps; w++)
            if (row(b, w)[STAMPS] == on && (all || row(b, w)[STAMPS + 1] % 4 == 0)) {
                printf("%s,%d,%d,%d,%d,%d,%d,", kind, n, warps, blocks, b, w, row(b, w)[STAMPS + 1]);
                for (int k = 0; k < count; k++)
                    printf("%d ", row(b, w)[k] - first);
                printf("\n");
            }
    fflush(stdout);
}

template <int WORK, int N>
static void measure(const char *kind)
{
    for (int warps : {2, 4, 8, 16, 32})
        for (int blocks : {1, 2, 4}) {
            if (warps * blocks > 64 || (blocks > 1 && warps > 16 && N > 16))
                continue;
            for (int k = 0; k < 2; k++)
                after<WORK, N><<<132 * blocks, 32 * warps>>>(data, stamps, data + 65536);
            print(kind, N, warps, blocks, STAMPS, false);
        }
}

int main()
{
    CHECK(cudaMalloc(&stamps, host.size() * sizeof(int)));
    CHECK(cudaMalloc(&data, 16 << 20));
    CHECK(cudaMemset(data, 0, 16 << 20));
    printf("figure,n,warps,blocks,block,warp,slot,stamps\n");
    measure<CHAIN, 1>("chain"), measure<CHAIN, 4>("chain"), measure<CHAIN, 8>("chain");
    measure<CHAINS, 4>("chains"), measure<CHAINS, 8>("chains"), measure<CHAINS, 16>("chains"), measure<CHAINS, 32>("chains");
    measure<INTEGERS, 4>("integers"), measure<INTEGERS, 16>("integers"), measure<INTEGERS, 64>("integers");
    measure<MIXED, 8>("mixed"), measure<MIXED, 32>("mixed");
    for (int words : {32, 4096})
        for (int warps : {1, 2, 4, 8, 16, 32})
            for (int blocks : {1, 2, 4, 8})
                if (warps * blocks <= 64)
                    for (int rounds : {1, 8}) {
                        for (int k = 0; k < 2; k++)
                            additions<<<132 * blocks, 32 * warps>>>(words - 1, rounds, stamps, (int *)data);
                        char kind[64];
                        snprintf(kind, sizeof kind, "add_%d", words);
                        print(kind, rounds, warps, blocks, 3, true);
                    }
}
