// Measures how many accesses a multiprocessor takes up before its warps cannot issue another one: loads that miss in L1,
// by their lines and sectors; stores behind loads and loads behind stores; reductions at words that all multiprocessors
// address. Prints one line a figure: after how many cycles the n-th access of all warps of a block was issued.
//
//     nvcc -O3 -arch=native -o misses misses.cu && ./misses

#include "timing.h"

#define NOW(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory")

static char *memory;        // BYTES
static unsigned *out, host[64 * 64];
static float *sink;
constexpr size_t BYTES = (size_t)8 << 30;
constexpr int COUNT = 20;

enum Access { LOAD, LOAD_PAIR, LOAD_QUAD, LOAD_L2, STORE, REDUCE };

template <Access ACCESS> __device__ inline void access(const char *at, float *value)
{
    if (ACCESS == LOAD)
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value[0]) : "l"(at) : "memory");
    if (ACCESS == LOAD_L2)
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value[0]) : "l"(at) : "memory");
    if (ACCESS == LOAD_PAIR)
        asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(value[0]), "=f"(value[1]) : "l"(at) : "memory");
    if (ACCESS == LOAD_QUAD)
        asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(value[0]), "=f"(value[1]), "=f"(value[2]), "=f"(value[3]) : "l"(at) : "memory");
    if (ACCESS == STORE)
        asm volatile("st.global.f32 [%0], %1;" ::"l"(at), "f"(1.0f) : "memory");
    if (ACCESS == REDUCE)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
}

// Each warp makes N accesses of SECOND after BEFORE accesses of FIRST: `lane` bytes from one lane to the next, `step` from
// one access of the warp to the next, `warp` from one warp to the next, all within `room` bytes. The first pass, of which
// nothing is kept, brings the code in, and touches other memory.
template <Access FIRST, Access SECOND, int BEFORE, int N, int WORDS>
__global__ void __launch_bounds__((N + BEFORE) * (WORDS + 1) > 45 ? 512 : 1024, 1) times_of(char *data, size_t lane, size_t step, size_t warp, size_t room, size_t block,
                                                 unsigned *out, float *sink)
{
    unsigned times[N + BEFORE + 1];
    float value[(N + BEFORE) * WORDS], sum = 0;
    for (int k = 0; k < (N + BEFORE) * WORDS; k++)
        value[k] = 0;
    #pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        size_t start = blockIdx.x * block + threadIdx.x / 32 * warp + threadIdx.x % 32 * lane + (pass ? 0 : room / 2) & room - 1;
        for (int k = 0; k < (N + BEFORE) * WORDS; k++)
            sum += value[k];
        __syncthreads();
        unsigned long long now, until;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        until = now + 4000;
        while (now < until)
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        __syncthreads();
        NOW(times[0]);
        #pragma unroll
        for (int k = 0; k < N + BEFORE; k++) {
            char *at = data + (start + k * step & room - 1);
            if (k < BEFORE)
                access<FIRST>(at, value + k * WORDS);
            else
                access<SECOND>(at, value + k * WORDS);
            NOW(times[k + 1]);
        }
    }
    for (int k = 0; k < (N + BEFORE) * WORDS; k++)
        sum += value[k];
    sink[threadIdx.x] = sum;
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0)
        for (int k = 0; k < N + BEFORE; k++)
            out[threadIdx.x / 32 * (N + BEFORE) + k] = times[k + 1] - times[0];
}

__global__ void touch(const float *data, size_t count, float *sink)
{
    float sum = 0;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
        sum += data[k];
    sink[threadIdx.x] = sum;
}

template <Access FIRST, Access SECOND, int BEFORE, int N, int WORDS>
static void figure(const char *name, int warps, size_t lane, size_t step, size_t warp, size_t room, int blocks = 1,
                   size_t block = 0, bool warm = false)
{
    static size_t used = 0;
    char *data = warm ? memory : memory + used;
    if (!warm)
        used = (used + 2 * (size_t)(64 << 20)) % (BYTES - ((size_t)256 << 20));
    for (int repeat = 0; repeat < 2; repeat++) {
        if (warm)
            touch<<<132, 1024>>>((const float *)data, room / 4, sink);
        else
            touch<<<132, 1024>>>((const float *)(memory + BYTES - (128 << 20)), 32 << 20, sink);  // empties the L2
        CHECK(cudaDeviceSynchronize());
        times_of<FIRST, SECOND, BEFORE, N, WORDS><<<blocks, 32 * warps>>>(data, lane, step, warp, room, block, out, sink);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(host, out, warps * (N + BEFORE) * 4, cudaMemcpyDeviceToHost));
    printf("%s,%d,of_warp", name, warps);  // the first warp's, access by access
    for (int k = 0; k < N + BEFORE; k++)
        printf(",%u", host[k]);
    std::sort(host, host + warps * (N + BEFORE));
    printf("\n%s,%d,of_all", name, warps);
    for (int k = warps - 1; k < warps * (N + BEFORE); k += warps)
        printf(",%u", host[k]);
    printf("\n");
}

// Loads that miss: `lines` lines of each access, as many sectors of each.
template <Access ACCESS, int WORDS, int N> static void loads(const char *kind, size_t lane, size_t bytes)
{
    char name[64];
    size_t room = 64 << 20;
    for (int warps : {4, 8, 16, 32}) {
        snprintf(name, sizeof name, "%s_dram", kind);
        figure<ACCESS, ACCESS, 0, N, WORDS>(name, warps, lane, bytes, bytes * N, room);
        snprintf(name, sizeof name, "%s_l2", kind);
        figure<ACCESS, ACCESS, 0, N, WORDS>(name, warps, lane, bytes, bytes * N, 16 << 20, 1, 0, true);
    }
}

// The same of stores, after each of which its address changes: when have its registers been read?
template <int LOADS> __global__ void __launch_bounds__(1024, 1) changed(char *data, size_t lane, size_t warp, unsigned *out, float *sink)
{
    unsigned times[25];
    float value[24], sum = 0;
    for (int k = 0; k < 24; k++)
        value[k] = 0;
    #pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        char *at = data + threadIdx.x / 32 * warp + threadIdx.x % 32 * lane + (pass ? 0 : 8 << 20);
        for (int k = 0; k < 24; k++)
            sum += value[k];
        unsigned long long now, until;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        until = now + 4000;
        while (now < until)
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        __syncthreads();
        NOW(times[0]);
        #pragma unroll
        for (int k = 0; k < 24; k++) {
            if (LOADS)
                asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value[k]) : "l"(at) : "memory");
            else
                asm volatile("st.global.f32 [%0], %1;" ::"l"(at), "f"(1.0f) : "memory");
            asm volatile("add.s64 %0, %0, 32;" : "+l"(at)::"memory");
            NOW(times[k + 1]);
        }
    }
    for (int k = 0; k < 24; k++)
        sum += value[k];
    sink[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0)
        for (int k = 0; k < 24; k++)
            out[threadIdx.x / 32 * 24 + k] = times[k + 1] - times[0];
}

template <int LOADS> static void changed_addresses(const char *name, size_t lane)
{
    for (int warps : {1, 4, 16, 32}) {
        touch<<<132, 1024>>>((const float *)memory, 4 << 20, sink);
        changed<LOADS><<<1, 32 * warps>>>(memory, lane, 8192, out, sink);
        CHECK(cudaMemcpy(host, out, warps * 24 * 4, cudaMemcpyDeviceToHost));
        printf("%s,%d,of_warp", name, warps);
        for (int k = 0; k < 24; k++)
            printf(",%u", host[k]);
        printf("\n");
    }
}

template <int BEFORE> static void mixed()
{
    char name[64];
    for (int warps : {4, 16}) {
        snprintf(name, sizeof name, "stores_behind_%d_loads", BEFORE);
        figure<LOAD_L2, STORE, BEFORE, 16, 1>(name, warps, 128, 32, 8192, 16 << 20, 1, 0, true);
        snprintf(name, sizeof name, "loads_behind_%d_stores", BEFORE);
        figure<STORE, LOAD_L2, BEFORE, 24, 1>(name, warps, 128, 32, 8192, 16 << 20, 1, 0, true);
        snprintf(name, sizeof name, "narrow_stores_behind_%d_loads", BEFORE);
        figure<LOAD_L2, STORE, BEFORE, 16, 1>(name, warps, 4, 128, 8192, 16 << 20, 1, 0, true);
    }
}

int main()
{
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&memory, BYTES));
    CHECK(cudaMemset(memory, 0, BYTES));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&sink, 1 << 20));
    printf("kind,warps,which,cycles\n");
    loads<LOAD, 1, COUNT>("line", 4, 128);
    loads<LOAD_PAIR, 2, 14>("two_lines", 8, 256);
    loads<LOAD_QUAD, 4, 9>("four_lines", 16, 512);
    loads<LOAD, 1, COUNT>("four_lines_in_part", 16, 512);
    loads<LOAD, 1, COUNT>("eight_lines_in_part", 32, 1024);
    loads<LOAD, 1, COUNT>("32_lines", 128, 4096);
    mixed<4>();
    mixed<8>();
    mixed<12>();
    mixed<16>();
    changed_addresses<0>("changed_stores_line", 4);
    changed_addresses<0>("changed_stores_32_lines", 128);
    changed_addresses<1>("changed_loads_line", 4);
    changed_addresses<1>("changed_loads_32_lines", 128);
    // All blocks at the same words, and each at its own.
    for (int warps : {4, 16}) {
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_one_block_32_sectors", warps, 32, 1024, 1024, 1 << 20);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_one_block_line", warps, 4, 128, 1024, 1 << 20);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_all_own_32_sectors", warps, 32, 1024, 32768, 64 << 20, multiprocessors, 524288);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_all_same_32_sectors", warps, 32, 0, 0, 1 << 20, multiprocessors);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_all_same_8_sectors", warps, 8, 0, 0, 1 << 20, multiprocessors);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_all_same_line", warps, 4, 0, 0, 1 << 20, multiprocessors);
        figure<REDUCE, REDUCE, 0, 24, 1>("reductions_all_one_word", warps, 0, 0, 0, 1 << 20, multiprocessors);
    }
    return 0;
}
