// Measures what the lines that L1 brings in take of its data pipe: warps that load from shared memory, or what L1 has,
// and between that lines that L1 lacks and the L2 has. Prints one line a figure.
//
//     nvcc -O3 -arch=native -o fills fills.cu && ./fills

#include "timing.h"

enum Hit { SHARED, SHARED_WIDE, CACHED, FMA };
enum Miss { LINES, WIDE, SECTORS, SCATTERED, STRAIGHT };

constexpr int WARPS = 64, BLOCK = 1024;

template <int MISS>
__device__ __forceinline__ float miss(const char *at)
{
    float v, w, x, y;
    if (MISS == WIDE)
        asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v), "=f"(w), "=f"(x), "=f"(y) : "l"(at));
    else if (MISS == STRAIGHT)
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(at));
    else
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(at));
    return MISS == WIDE ? v + w + x + y : v;
}

// A round has H loads that hit (or products) and M that miss; each warp walks through `room` bytes, `bytes` a load.
template <int HIT, int MISS, int H, int M>
__global__ void __launch_bounds__(BLOCK, 2) fills(const char *in, const float *hot, unsigned room, int rounds, int step_near,
                                                  unsigned *clocks, float *sink)
{
    __shared__ float4 table[1024];
    int lane = threadIdx.x % 32, warp = blockIdx.x % 2 * 32 + threadIdx.x / 32;
    constexpr unsigned bytes = MISS == WIDE ? 512 : MISS == SCATTERED ? 4096 : 128;
    unsigned step = WARPS * bytes, at = warp * bytes + blockIdx.x / 2 * 8192;
    unsigned own = MISS == WIDE ? lane * 16 : MISS == SCATTERED ? lane * 128 : MISS == SECTORS ? 0 : lane * 4;
    table[threadIdx.x] = make_float4(0, 0, 0, 0);
    const float *words = (const float *)table + lane;
    const float4 *wide_words = table + lane;
    const float *near = hot + warp % 2 * 32 + lane;
    float sum = 0, others[4] = {1, 2, 3, 4};
    for (int k = 0; k < 32; k++)
        sum += near[k * 64];
    __syncthreads();
    unsigned start, end;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float v[M + 1];
        v[M] = 0;
#pragma unroll
        for (int k = 0; k < M; k++) {
            v[k] = miss<MISS>(in + (at & room - 1) + own);
            at += step;
        }
#pragma unroll
        for (int k = 0; k < H; k++) {
            float a = 0, b = 0, c = 0, d = 0;
            if (HIT == SHARED)
                asm volatile("ld.shared.f32 %0, [%1];" : "=f"(a) : "l"(__cvta_generic_to_shared(words + k * 32)));
            else if (HIT == SHARED_WIDE)
                asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                             : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                             : "l"(__cvta_generic_to_shared(wide_words + k * 32)));
            else if (HIT == CACHED)
                asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(a) : "l"(near + k * 64));
            else
                asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(others[k % 4]) : "f"(sum));
            if (HIT == SHARED || HIT == CACHED)
                others[k % 4] += a;
            else if (HIT == SHARED_WIDE)
                others[k % 4] += a + b + (c + d);
        }
#pragma unroll
        for (int k = 0; k < M; k++)
            sum += v[k];
        near += step_near, words += step_near, wide_words += step_near; // by nothing
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end) : "f"(sum) : "memory");
    if (lane == 0)
        clocks[2 * (blockIdx.x * 32 + threadIdx.x / 32)] = start, clocks[2 * (blockIdx.x * 32 + threadIdx.x / 32) + 1] = end;
    if (sum + others[0] + others[1] + others[2] + others[3] == 12345)
        sink[threadIdx.x] = sum;
}

static char *in;
static float *hot, *sink;
static unsigned *clocks;

template <int HIT, int MISS, int H, int M>
static void measure(const char *hit, const char *what)
{
    const int rounds = 128;
    for (int blocks : {1, 2, 264}) {
        double least = 1e30;
        unsigned room = blocks > 2 ? 16 << 20 : 8 << 20;
        for (int again = 0; again < 4; again++) {
            fills<HIT, MISS, H, M><<<blocks, BLOCK>>>(in, hot, room, rounds, 0, clocks, sink);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> v(64 * blocks);
            CHECK(cudaMemcpy(v.data(), clocks, v.size() * 4, cudaMemcpyDeviceToHost));
            unsigned first = v[0], last = v[1];
            for (int w = 0; w < 32; w++) {
                if ((int)(v[2 * w] - first) < 0)
                    first = v[2 * w];
                if ((int)(v[2 * w + 1] - last) > 0)
                    last = v[2 * w + 1];
            }
            least = std::min(least, (double)(last - first));
        }
        printf("%s,%s,%d,%d,%d,%.3f\n", hit, what, H, M, blocks, least / rounds);
    }
}

template <int HIT, int MISS>
static void measure_pair(const char *hit, const char *what)
{
    measure<HIT, MISS, 0, 1>(hit, what), measure<HIT, MISS, 0, 4>(hit, what);
    measure<HIT, MISS, 8, 0>(hit, what), measure<HIT, MISS, 8, 1>(hit, what), measure<HIT, MISS, 8, 2>(hit, what);
    measure<HIT, MISS, 16, 0>(hit, what), measure<HIT, MISS, 16, 1>(hit, what), measure<HIT, MISS, 16, 2>(hit, what);
    measure<HIT, MISS, 16, 4>(hit, what), measure<HIT, MISS, 32, 0>(hit, what), measure<HIT, MISS, 32, 1>(hit, what);
    measure<HIT, MISS, 32, 4>(hit, what), measure<HIT, MISS, 32, 8>(hit, what);
}

template <int MISS>
static void measure_miss(const char *what)
{
    measure_pair<SHARED, MISS>("shared", what), measure_pair<SHARED_WIDE, MISS>("shared_wide", what);
    measure_pair<CACHED, MISS>("cached", what), measure_pair<FMA, MISS>("fma", what);
}

int main()
{
    CHECK(cudaMalloc(&in, 32 << 20));
    CHECK(cudaMalloc(&hot, 1 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&clocks, 1 << 20));
    CHECK(cudaMemset(in, 0, 32 << 20));
    CHECK(cudaMemset(hot, 0, 1 << 20));
    printf("hits,misses,hits_a_round,misses_a_round,blocks,cycles_a_round_of_the_first_block\n");
    measure_miss<LINES>("lines"), measure_miss<WIDE>("wide"), measure_miss<SECTORS>("sectors");
    measure_miss<SCATTERED>("scattered"), measure_miss<STRAIGHT>("straight");
    return 0;
}
