// Measures in which order warps go on that wait for the full queue of their scheduler: when the K-th access in a row of one
// warp has been issued while others issue 32 each. No clock is read between them, as that lets others go ahead.
//
//     nvcc -O3 -arch=native -o full_queue full_queue.cu && ./full_queue

#include "timing.h"

enum { SHARED, LINE, ADD, STORE, PARTS, SHARED_STORE };
constexpr int MOST = 32, ROUNDS = 4;

// Issues N accesses in a row; returns when the last one has been issued, by the clock.
template <int KIND, int N>
__device__ __forceinline__ unsigned accesses(unsigned *own, unsigned base, unsigned &start, unsigned &sum)
{
    unsigned v[N], end;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
#pragma unroll
    for (int k = 0; k < N; k++) {
        if (KIND == SHARED)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base + 128 * k) : "memory");
        else if (KIND == LINE)
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(own + 64 * k) : "memory");
        else if (KIND == STORE)
            asm volatile("st.global.u32 [%1], %0;" ::"r"(v[k] = base), "l"(own + 64 * k) : "memory");
        else if (KIND == PARTS) // four stores to a quarter of the same 16 sectors each
            asm volatile("st.global.u32 [%1], %0;" ::"r"(v[k] = base), "l"(own + k / 4 * 128 + k % 4) : "memory");
        else if (KIND == SHARED_STORE)
            asm volatile("st.shared.u32 [%1], %0;" ::"r"(v[k] = base), "r"(base + 128 * k) : "memory");
        else
            asm volatile("red.shared.add.u32 [%1], %0;" ::"r"(v[k] = base), "r"(base + 128 * k) : "memory");
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
#pragma unroll
    for (int k = 0; k < N; k++)
        sum += v[k];
    return end;
}

template <int KIND, int K>
__global__ void __launch_bounds__(1024) full_queue(unsigned *data, unsigned mask, int special, unsigned *clocks, unsigned *sink)
{
    extern __shared__ unsigned room[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        room[k] = 0;
    unsigned base = (unsigned)__cvta_generic_to_shared(room) + 4 * lane, sum = 0, start = 0, end = 0;
    for (int k = 0; k < 4096; k += 4)
        sum += data[k];
    // Loads of all warps are to the same lines, stores to lines of their own.
    unsigned *own = data + (KIND == STORE ? warp * 2048 + lane : KIND == PARTS ? warp * 2048 + lane * 4 : lane);
#pragma unroll 1
    for (int r = 0; r < ROUNDS; r++) {
        __syncthreads();
        if (!(mask >> warp & 1))
            continue;
        if (warp == special)
            end = accesses<KIND, K>(own, base, start, sum);
        else
            end = accesses<KIND, MOST>(own, base, start, sum);
    }
    if (lane == 0)
        clocks[2 * warp] = start, clocks[2 * warp + 1] = end;
    if (sum == 12345)
        sink[threadIdx.x] = sum;
}

static unsigned *data, *sink, *clocks;

// Prints for each of ``each`` warps of the first scheduler, of one or of all four: when the warp has issued K accesses, and
// when the others have issued theirs, in the mean and at last, from the first warp's start on; medians of five launches.
template <int KIND, int K>
static void measure(const char *name)
{
    for (int schedulers : {1, 4})
        for (int each : {1, 2, 4, 8})
            for (int special = 0; special < 4 * each; special += 4) {
                unsigned mask = 0;
                for (int warp = 0; warp < 4 * each; warp++)
                    mask |= (warp % 4 < schedulers ? 1u : 0u) << warp;
                std::vector<int> starts, ends, means, lasts;
                for (int again = 0; again < 5; again++) {
                    full_queue<KIND, K><<<1, 128 * each, 16384>>>(data, mask, special, clocks, sink);
                    CHECK(cudaDeviceSynchronize());
                    std::vector<unsigned> v(64);
                    CHECK(cudaMemcpy(v.data(), clocks, 256, cudaMemcpyDeviceToHost));
                    unsigned first = v[2 * special];
                    for (int w = 0; w < 4 * each; w++)
                        if (mask >> w & 1 && (int)(v[2 * w] - first) < 0)
                            first = v[2 * w];
                    int sum = 0, last = 0, n = 0;
                    for (int w = 0; w < 4 * each; w++)
                        if (mask >> w & 1 && w != special)
                            sum += v[2 * w + 1] - first, last = std::max(last, (int)(v[2 * w + 1] - first)), n++;
                    starts.push_back(v[2 * special] - first), ends.push_back(v[2 * special + 1] - first);
                    means.push_back(n ? sum / n : 0), lasts.push_back(last);
                }
                for (auto *x : {&starts, &ends, &means, &lasts})
                    std::sort(x->begin(), x->end());
                printf("%s,%d,%d,%d,%d,%d,%d,%d,%d\n", name, schedulers, each, special / 4, K, starts[2], ends[2], means[2], lasts[2]);
            }
}

template <int KIND>
static void kind(const char *name)
{
    measure<KIND, 1>(name), measure<KIND, 2>(name), measure<KIND, 3>(name), measure<KIND, 4>(name), measure<KIND, 6>(name);
    measure<KIND, 8>(name), measure<KIND, 10>(name), measure<KIND, 12>(name), measure<KIND, 16>(name), measure<KIND, 20>(name);
    measure<KIND, 24>(name), measure<KIND, 28>(name), measure<KIND, 32>(name);
}

int main()
{
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&clocks, 256));
    CHECK(cudaMemset(data, 0, 1 << 20));
    printf("accesses,schedulers,warps_each,warp,k,start,end,others_mean,others_last\n");
    kind<SHARED>("shared"), kind<LINE>("line"), kind<ADD>("add"), kind<STORE>("store"), kind<PARTS>("parts");
    kind<SHARED_STORE>("shared_store");
    return 0;
}
