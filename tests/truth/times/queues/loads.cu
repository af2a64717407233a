// Measures how fast loads of global memory that hit in L1 are issued, handed on and served, alone and between other
// instructions: one word for all lanes, a line, two lines in part, by turns.
//
//     nvcc -O3 -arch=native -o loads loads.cu && ./loads

#include "timing.h"

__device__ __forceinline__ float load(const float *at)
{
    float v;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(at));
    return v;
}

enum { ONE, LINE, TWO_LINES, TURNS, PAIRS_OF_TURNS, TWO_ODD };

// KIND of loads, eight a round, MORE other instructions a load. Of each of ``schedulers`` schedulers ``each`` warps run.
template <int KIND, int MORE>
__global__ void __launch_bounds__(512) loads(const float *in, const float *weights, int rounds, int step, int schedulers, int each,
                                             long long *clocks, float *sink)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *own = in + warp % 4 * 32 + lane + (KIND == LINE ? 0 : KIND == TWO_ODD ? 32 + 5 : 5), *one = weights;
    float sum = 0, others[4] = {1, 2, 3, 4};
    for (int k = 0; k < 8; k++)
        sum += load(own + 64 * k) + load(one + k);
    __syncthreads();
    if (warp % 4 >= schedulers || warp / 4 >= each)
        return;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            bool is_one = KIND == ONE || (KIND == TURNS && k % 2) || (KIND == PAIRS_OF_TURNS && k / 2 % 2);
            v[k] = load(is_one ? one + k : own + 64 * k);
        }
#pragma unroll
        for (int k = 0; k < 8 * MORE; k++)
            asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(others[k % 4]) : "f"(sum));
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += v[k];
        own += step, one += step; // by nothing
        asm volatile("" : "+f"(sum));
    }
    long long end = clock64();
    if (lane == 0)
        clocks[2 * (blockIdx.x * 16 + warp)] = start, clocks[2 * (blockIdx.x * 16 + warp) + 1] = end;
    if (sum == 12345)
        sink[threadIdx.x] = sum + others[0] + others[1] + others[2] + others[3];
}

static float *in, *weights, *sink;
static long long *clocks;

template <int KIND, int MORE>
static void measure(const char *name)
{
    const int rounds = 256;
    for (int schedulers : {1, 2, 4})
        for (int each : {1, 2, 4}) {
            double least = 1e30;
            for (int again = 0; again < 3; again++) {
                loads<KIND, MORE><<<1, 512>>>(in, weights, rounds, 0, schedulers, each, clocks, sink);
                CHECK(cudaDeviceSynchronize());
                std::vector<long long> v(32);
                CHECK(cudaMemcpy(v.data(), clocks, 256, cudaMemcpyDeviceToHost));
                long long first = 1LL << 62, last = 0;
                for (int w = 0; w < 16; w++)
                    if (w % 4 < schedulers && w / 4 < each)
                        first = std::min(first, v[2 * w]), last = std::max(last, v[2 * w + 1]);
                least = std::min(least, (double)(last - first));
            }
            printf("%s_%d,%d;%d,%.3f,cycles of a scheduler a load\n", name, MORE, schedulers, each, least / rounds / 8 / each);
        }
}

template <int KIND>
static void measure_kind(const char *name)
{
    measure<KIND, 0>(name), measure<KIND, 1>(name), measure<KIND, 2>(name), measure<KIND, 3>(name), measure<KIND, 5>(name);
}

template <int KIND, int MORE>
static void many(int blocks)
{
    loads<KIND, MORE><<<blocks, 512>>>(in, weights, 64, 0, 4, 4, clocks, sink);
}

int main(int argc, char **argv)
{
    CHECK(cudaMalloc(&in, 1 << 20));
    CHECK(cudaMalloc(&weights, 1 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&clocks, 4 << 20));
    CHECK(cudaMemset(in, 0, 1 << 20));
    CHECK(cudaMemset(weights, 0, 1 << 20));
    if (argc > 1) { // for ncu
        int n = 132 * 4;
        many<ONE, 0>(n), many<ONE, 1>(n), many<ONE, 2>(n), many<ONE, 3>(n), many<ONE, 5>(n);
        many<LINE, 0>(n), many<LINE, 1>(n), many<LINE, 2>(n), many<LINE, 3>(n), many<LINE, 5>(n);
        many<TWO_LINES, 0>(n), many<TWO_LINES, 1>(n), many<TWO_LINES, 2>(n), many<TWO_LINES, 3>(n), many<TWO_LINES, 5>(n);
        many<TURNS, 0>(n), many<TURNS, 1>(n), many<TURNS, 2>(n), many<TURNS, 3>(n), many<TURNS, 5>(n);
        CHECK(cudaDeviceSynchronize());
        return 0;
    }
    printf("figure,parameter,value,unit\n");
    measure_kind<ONE>("one"), measure_kind<LINE>("line"), measure_kind<TWO_LINES>("two_lines"), measure_kind<TURNS>("turns");
    measure_kind<PAIRS_OF_TURNS>("pairs_of_turns"), measure_kind<TWO_ODD>("two_odd");
    return 0;
}
