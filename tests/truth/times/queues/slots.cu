// Measures which warp a scheduler prefers where several blocks share a multiprocessor: each warp notes its slot and when
// it has done a quarter, a half and all of the same work. Prints one line a warp of one multiprocessor: figure, kind,
// warps a block, blocks a multiprocessor, block, warp, slot, the clock at its start, and the cycles to the quarter, half and end.
//
//     nvcc -O3 -std=c++17 -arch=native -o slots slots.cu && ./slots
#include "timing.h"

struct Row { int block, warp, slot, multiprocessor, start, quarter, half, end; };
static Row *rows;
static float *data;

__device__ __forceinline__ int now()
{
    int cycle;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycle)::"memory");
    return cycle;
}

enum Work { CHAIN, LOADS, SHARED, STENCIL };

template <int WORK>
__global__ void __launch_bounds__(1024, 2) work(const float *data, int rounds, Row *rows, float *sink)
{
    __shared__ float own[1024];
    own[threadIdx.x] = 0;
    float v[4] = {data[0], data[1], data[2], data[3]};
    int at = threadIdx.x % 32;
    __syncthreads();
    Row row;
    row.start = now();
    for (int r = 0; r < rounds; r++) {
        if (r == rounds / 4)
            row.quarter = now();
        if (r == rounds / 2)
            row.half = now();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            if (WORK == CHAIN)
                v[0] = v[0] * 0.5f + 1.0f;
            if (WORK == LOADS)
                v[1] += data[at + __float_as_int(v[1])];  // which are 0
            if (WORK == SHARED)
                v[1] += ((volatile float *)own)[threadIdx.x + __float_as_int(v[1])];
            if (WORK == STENCIL)
                v[0] += v[2] * data[threadIdx.x + (k % 7) * 33 + r % 64 * 128];
        }
    }
    row.end = now();
    sink[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
    row.block = blockIdx.x, row.warp = threadIdx.x / 32;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(row.slot));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(row.multiprocessor));
    if (threadIdx.x % 32 == 0)
        rows[blockIdx.x * (blockDim.x / 32) + row.warp] = row;
}

template <int WORK>
static void measure(const char *kind, int warps, int blocks, int waves)
{
    int count = 132 * blocks * waves;
    for (int k = 0; k < 2; k++)
        work<WORK><<<count, 32 * warps>>>(data, 64, rows, data + 65536);
    CHECK(cudaDeviceSynchronize());
    std::vector<Row> host(count * warps);
    CHECK(cudaMemcpy(host.data(), rows, host.size() * sizeof(Row), cudaMemcpyDeviceToHost));
    int on = host[0].multiprocessor;
    for (Row &r : host)
        if (r.multiprocessor == on && r.slot % 4 == 0)
            printf("slots,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", kind, warps, blocks, r.block, r.warp, r.slot, r.start,
                   r.quarter - r.start, r.half - r.start, r.end - r.start);
    fflush(stdout);
}

int main()
{
    CHECK(cudaMalloc(&rows, sizeof(Row) * 132 * 64 * 8));
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMemset(data, 0, 1 << 20));
    measure<LOADS>("loads", 32, 2, 1), measure<LOADS>("loads", 8, 4, 1), measure<LOADS>("loads", 8, 8, 1);
    measure<LOADS>("loads", 8, 4, 3), measure<LOADS>("loads", 8, 8, 4);
    measure<SHARED>("shared", 8, 8, 1), measure<SHARED>("shared", 8, 8, 4);
    measure<CHAIN>("chain", 8, 4, 1), measure<CHAIN>("chain", 8, 8, 1), measure<CHAIN>("chain", 8, 8, 4);
    measure<STENCIL>("stencil", 8, 8, 1), measure<STENCIL>("stencil", 8, 8, 4);
}
