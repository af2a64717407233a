// Measures what microbenchmarks.cu does not: how many accesses wait for the pipe of shared and global memory, loops of
// compare-and-swap, stores that fill sectors one after the other, lines of DRAM that one warp asks for, and divergent
// branches. Prints one line a figure. With the name of a list of cubins, it times their kernels too (see banks.py).
//
//     nvcc -O3 -arch=native -o queues queues.cu && ./queues [cubins.txt]

#include <fstream>
#include <string>

#include "timing.h"

static long long *clocks;  // [2], on the device
static float *sink;
static float *memory;  // 4 GiB

static double cycles()
{
    long long host;
    CHECK(cudaMemcpy(&host, clocks, sizeof host, cudaMemcpyDeviceToHost));
    return (double)host;
}

template <class Launch>
static double cycles_of_second(Launch launch)
{
    launch();
    launch();
    return cycles();
}

// ------------------------------------------------------------------------------------------------ compare-and-swap

__global__ void add_floats(int words, int rounds, int active, long long *clocks, float *sink)
{
    __shared__ float data[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        data[k] = 0;
    __syncthreads();
    long long start = clock64();
    if (threadIdx.x % 32 < active)
        for (int r = 0; r < rounds; r++)
            atomicAdd(&data[threadIdx.x % words], 1.0f);
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = data[threadIdx.x];
}

static void compare_and_swap()
{
    for (int active : {1, 2, 4, 8, 16, 32})
        printf("float_add_lanes,%d,%.4g,cycles\n", active,
               cycles_of_second([&] { add_floats<<<1, 32>>>(1, 16, active, clocks, sink); }) / 16);
    for (int warps : {1, 4, 8, 32})
        printf("float_add_warps,%d,%.5g,cycles\n", warps,
               cycles_of_second([&] { add_floats<<<1, 32 * warps>>>(1, 16, 32, clocks, sink); }) / 16);
}

// ------------------------------------------------------------------------------------------------ queues

#define NOW(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory")

enum Access { LOAD, STORE, LOAD_SHARED, STORE_SHARED, REDUCE };

// The clock before and after each of 24 accesses, of which each takes the pipe for 32 lines or passes.
template <Access ACCESS>
__global__ void issue_times(float *data, unsigned *out, float *sink)
{
    __shared__ float room[8192];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x)
        room[k] = k;
    unsigned at_shared = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x % 32 * 128 % 32768, times[25];
    float *at = data + threadIdx.x * 1024, value[24], sum = 0;
    #pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        NOW(times[0]);
        #pragma unroll
        for (int k = 0; k < 24; k++) {
            value[k] = 0;
            if (ACCESS == LOAD)
                asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value[k]) : "l"(at + k * 8) : "memory");
            if (ACCESS == STORE)
                asm volatile("st.global.f32 [%1], %0;" ::"f"(1.0f), "l"(at + k * 8) : "memory");
            if (ACCESS == LOAD_SHARED)
                asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value[k]) : "r"(at_shared + k * 4) : "memory");
            if (ACCESS == STORE_SHARED)
                asm volatile("st.shared.f32 [%1], %0;" ::"f"(1.0f), "r"(at_shared + k * 4) : "memory");
            if (ACCESS == REDUCE)
                asm volatile("red.global.add.f32 [%1], %0;" ::"f"(1.0f), "l"(at + k * 8) : "memory");
            NOW(times[k + 1]);
        }
        __syncthreads();
    }
    for (int k = 0; k < 24; k++)
        sum += value[k];
    sink[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        for (int k = 0; k < 25; k++)
            out[k] = times[k] - times[0];
}

template <Access ACCESS>
static void issue(const char *name)
{
    unsigned *out, host[25];
    CHECK(cudaMalloc(&out, sizeof host));
    for (int warps : {1, 4}) {
        issue_times<ACCESS><<<1, 32 * warps>>>(memory, out, sink);
        CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
        for (int k = 1; k < 25; k++)
            printf("issue_%s_%d,%d,%u,cycles\n", name, warps, k, host[k]);
    }
    CHECK(cudaFree(out));
}

// ------------------------------------------------------------------------------------------------ stores of parts

// Each lane stores ``times`` words in a row, one at a time; the words of lanes are ``gap`` words apart.
__global__ void store_parts(float *data, int gap, int times, int rounds, long long *clocks)
{
    float *at = data + (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32 * 32 * gap * rounds + threadIdx.x % 32 * gap;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++, at += 32 * gap)
        for (int k = 0; k < times; k++)
            at[k] = r;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        clocks[0] = clock64() - start;
}

static void parts()
{
    for (int gap : {2, 4, 8, 16, 32})
        for (int times = 1; times <= gap && times <= 8; times *= 2)
            printf("store_parts_%d,%d,%.4g,cycles\n", gap, times,
                   cycles_of_second([&] { store_parts<<<1, 512>>>(memory, gap, times, 16, clocks); }) / (16 * times * 16));
}

// ------------------------------------------------------------------------------------------------ lines of DRAM

__global__ void load_lines(const int *data, size_t step, int lines, size_t spread, int count, long long *clocks,
                           float *sink)
{
    int sum = 0;
    long long start = clock64();
    for (int k = 0; k < count; k++) {
        int value = __ldcg(data + k * step + threadIdx.x / (32 / lines) * spread + (sum & 1));
        sum = __reduce_add_sync(~0u, value & 2);
    }
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    *sink = sum;
}

static void dram_lines()
{
    const size_t words = (size_t)1 << 30;
    int *fresh;
    CHECK(cudaMalloc(&fresh, 4 * words));
    CHECK(cudaMemset(fresh, 0, 4 * words));
    size_t at = 0;
    for (size_t spread : {32, 512, 1024, 16384})
        for (int lines : {1, 2, 4, 8, 16, 32}) {
            size_t step = spread * 32 + 4096;
            if (at + 64 * step > words)
                at = 0;
            load_lines<<<1, 32>>>(fresh + at, step, lines, spread, 64, clocks, sink);
            printf("dram_lines_%zu,%d,%.5g,cycles\n", 4 * spread, lines, cycles() / 64);
            at += 64 * step;
        }
    CHECK(cudaFree(fresh));
}

// ------------------------------------------------------------------------------------------------ branches

#define PATH(n)                                                                                                        \
    case n:                                                                                                            \
        asm volatile("add.s32 %0, %0, " #n ";" : "+r"(x));                                                             \
        break;

__global__ void branches(int rounds, int ways, long long *clocks, float *sink)
{
    int x = threadIdx.x, kind = threadIdx.x % ways;
    __syncthreads();
    long long start = clock64();
    #pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        switch (kind) {
            PATH(0) PATH(1) PATH(2) PATH(3) PATH(4) PATH(5) PATH(6)
        default: asm volatile("add.s32 %0, %0, 8;" : "+r"(x));
        }
        asm volatile("xor.b32 %0, %0, 5;" : "+r"(x));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    sink[threadIdx.x] = x;
}

// ------------------------------------------------------------------------------------------------ cubins

static void cubins(const char *list)
{
    std::ifstream names(list);
    std::string name;
    while (std::getline(names, name)) {
        std::ifstream file(name, std::ios::binary);
        std::vector<char> data((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        cudaLibrary_t library;
        cudaKernel_t kernel;
        CHECK(cudaLibraryLoadData(&library, data.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CHECK(cudaLibraryGetKernel(&kernel, library, "products"));
        for (int warps : {4, 8, 16, 32}) {
            int rounds = 64;
            void *args[] = {&rounds, &clocks, &sink};
            auto launch = [&] { CHECK(cudaLaunchKernel((void *)kernel, dim3(1), dim3(32 * warps), args, 0, 0)); };
            printf("%s,%d,%.3f,cycles\n", name.c_str(), warps, cycles_of_second(launch) / (64 * 128 * warps / 4));
        }
        CHECK(cudaLibraryUnload(library));
    }
}

int main(int argc, char **argv)
{
    CHECK(cudaMalloc(&clocks, 16));
    CHECK(cudaMalloc(&sink, 1 << 16));
    CHECK(cudaMalloc(&memory, (size_t)4 << 30));
    CHECK(cudaMemset(memory, 0, (size_t)4 << 30));
    printf("figure,parameter,value,unit\n");
    compare_and_swap();
    issue<LOAD>("load");
    issue<STORE>("store");
    issue<LOAD_SHARED>("load_shared");
    issue<STORE_SHARED>("store_shared");
    issue<REDUCE>("reduce");
    parts();
    dram_lines();
    for (int ways : {1, 2, 4, 8})
        printf("branches,%d,%.5g,cycles\n", ways,
               cycles_of_second([&] { branches<<<1, 32>>>(256, ways, clocks, sink); }) / 256);
    if (argc > 1)
        cubins(argv[1]);
    return 0;
}
