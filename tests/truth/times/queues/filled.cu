// Measures what becomes of loads when the L1 is full of lines that wait for their data: after how many accesses the
// warps of a multiprocessor cannot issue another one, by the shape of the accesses and the size of the L1; and whether a
// load that hits waits for the misses that went before it. Prints one line a figure.
//
//     nvcc -O3 -arch=native -o filled filled.cu && ./filled

#include "timing.h"

#define NOW(x) asm volatile("mov.u32 %0, %%clock;" : "=r"(x)::"memory")

static char *memory;  // BYTES
static unsigned *out;
static unsigned host[32 * 64];
static float *sink;
constexpr size_t BYTES = (size_t)16 << 30;
constexpr int N = 14;

__device__ inline unsigned mixed(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
    return x;
}

__device__ inline void pause(unsigned ns)
{
    unsigned long long now, until;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    until = now + ns;
    while (now < until)
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
}

// Each warp of each block loads N times one word a lane: `lane` bytes from lane to lane, or of random sectors of `room`
// bytes where `lane` is 0; then it stores once. The first pass, in other memory, brings the code in.
template <int WORDS>
__global__ void __launch_bounds__(1024, 1) fill(const char *data, size_t lane, size_t room, unsigned *out, float *sink)
{
    extern __shared__ float unused[];
    unsigned times[N + 2];
    float value[N], sum = 0;
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    size_t step = lane ? lane * 32 : 0;
    for (int k = 0; k < N; k++)
        value[k] = 0;
    #pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        unsigned at[N];
        for (int k = 0; k < N; k++) {
            sum += value[k];
            size_t place = lane ? (warp * (size_t)N + k) * step + threadIdx.x % 32 * lane
                                : (size_t)mixed((warp * N + k) * 64 + threadIdx.x % 32 + pass * 77777777) * 32;
            at[k] = (unsigned)((place + (pass ? 0 : room / 2) & room - 1) / 16);
        }
        __syncthreads();
        pause(8000);
        __syncthreads();
        NOW(times[0]);
        #pragma unroll
        for (int k = 0; k < N; k++) {
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(value[k]) : "l"(data + (size_t)at[k] * 16) : "memory");
            NOW(times[k + 1]);
        }
        asm volatile("st.global.f32 [%0], %1;" ::"l"(sink + blockIdx.x * blockDim.x + threadIdx.x), "f"(1.0f) : "memory");
        NOW(times[N + 1]);
    }
    float last = 0;
    for (int k = 0; k < N; k++)
        last += value[k];
    unsigned done;
    NOW(done);
    if (last + sum == 12345.0f)
        sink[0] = last + unused[0];
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0) {
        for (int k = 0; k <= N; k++)
            out[threadIdx.x / 32 * (N + 2) + k] = times[k + 1] - times[0];
        out[threadIdx.x / 32 * (N + 2) + N + 1] = done - times[0];
    }
}

__global__ void touch(const float *data, size_t count, float *sink)
{
    float sum = 0;
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x)
        sum += data[k];
    if (sum == 12345.0f)
        sink[0] = sum;
}

static void filled(const char *name, int blocks, int warps, size_t lane, size_t room, int shared, bool warm)
{
    CHECK(cudaFuncSetAttribute(fill<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int repeat = 0; repeat < 2; repeat++) {
        if (warm)
            touch<<<1056, 256>>>((const float *)memory, room / 4, sink);
        else
            touch<<<1056, 256>>>((const float *)(memory + BYTES - (256 << 20)), 64 << 20, sink);
        CHECK(cudaDeviceSynchronize());
        fill<1><<<blocks, 32 * warps, shared>>>(memory, lane, room, out, sink);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(host, out, warps * (N + 2) * 4, cudaMemcpyDeviceToHost));
    std::vector<unsigned> all, stores, ends;
    for (int w = 0; w < warps; w++) {
        for (int k = 0; k < N; k++)
            all.push_back(host[w * (N + 2) + k]);
        stores.push_back(host[w * (N + 2) + N]);
        ends.push_back(host[w * (N + 2) + N + 1]);
    }
    std::sort(all.begin(), all.end());
    printf("%s,%d,%d,%zu,%zu,%d,%d", name, blocks, warps, lane, room >> 20, shared, warm);
    for (int k = warps - 1; k < warps * N; k += warps)
        printf(",%u", all[k]);
    printf(",%u,%u\n", *std::max_element(stores.begin(), stores.end()), *std::max_element(ends.begin(), ends.end()));
}

// Warp 0 brings a line into L1. Then `others` warps load `each` times from other lines, `lane` bytes from lane to lane;
// after a pause of `wait` cycles warp 0 loads from its line, and notes how long that takes; and after that, when all is
// there, once more.
template <int EACH>
__global__ void __launch_bounds__(1024, 1) hit_behind(const char *data, size_t lane, int others, int own, unsigned wait, unsigned *out, float *sink)
{
    float value[EACH], sum = 0, hit;
    unsigned start, issued, end, again;
    unsigned warp = threadIdx.x / 32;
    const char *line = data + ((size_t)1 << 30) + threadIdx.x % 32 * 4;
    for (int k = 0; k < EACH; k++)
        value[k] = 0;
    #pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        const char *at = data + (pass ? 0 : 256 << 20) + (warp * EACH * 32) * lane + threadIdx.x % 32 * lane;
        for (int k = 0; k < EACH; k++)
            sum += value[k];
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(hit) : "l"(line) : "memory");
        sum += hit;
        __syncthreads();
        pause(4000);
        __syncthreads();
        if (warp >= 1 && warp <= others || warp == 0 && own) {
            #pragma unroll
            for (int k = 0; k < EACH; k++)
                asm volatile("ld.global.f32 %0, [%1];" : "=f"(value[k]) : "l"(at + k * 32 * lane) : "memory");
        }
        if (warp == 0) {
            NOW(start);
            do
                NOW(end);
            while (end - start < wait);
            NOW(start);
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(hit) : "l"(line) : "memory");
            NOW(issued);
            sum += hit;
            asm volatile("" ::"f"(sum) : "memory");
            NOW(end);
            out[0] = issued - start, out[1] = end - start;
            pause(4000);
            NOW(start);
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(hit) : "l"(line) : "memory");
            sum += hit;
            asm volatile("" ::"f"(sum) : "memory");
            NOW(again);
            out[2] = again - start;
        }
    }
    for (int k = 0; k < EACH; k++)
        sum += value[k];
    if (sum == 12345.0f)
        sink[0] = sum;
}

template <int EACH> static void behind(const char *name, size_t lane, int others, int own, unsigned wait)
{
    for (int repeat = 0; repeat < 2; repeat++) {
        touch<<<1056, 256>>>((const float *)(memory + BYTES - (256 << 20)), 64 << 20, sink);
        CHECK(cudaDeviceSynchronize());
        hit_behind<EACH><<<1, 1024>>>(memory, lane, others, own, wait, out, sink);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(host, out, 12, cudaMemcpyDeviceToHost));
    printf("%s,%d,%zu,%d,%d,%u,%u,%u,%u\n", name, EACH, lane, others, own, wait, host[0], host[1], host[2]);
}

int main()
{
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&memory, BYTES));
    CHECK(cudaMemset(memory, 0, BYTES));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&sink, 1 << 20));
    printf("kind,blocks,warps,lane,room_mb,shared,warm,cycles of the last of each %d-th of the loads,store,end\n", N);
    size_t far = (size_t)8 << 30;
    for (int shared : {0, 98304, 196608}) {
        for (int warps : {8, 32}) {
            filled("line", multiprocessors, warps, 4, far, shared, false);
            filled("lines_in_part", multiprocessors, warps, 32, far, shared, false);
            filled("32_lines", multiprocessors, warps, 128, far, shared, false);
            filled("random_dram", multiprocessors, warps, 0, far, shared, false);
            filled("random_l2", multiprocessors, warps, 0, 16 << 20, shared, true);
            filled("random_small", multiprocessors, warps, 0, 1 << 20, shared, true);
        }
    }
    for (int blocks : {1, 8, 33, 66}) {
        filled("line", blocks, 32, 4, far, 0, false);
        filled("lines_in_part", blocks, 32, 32, far, 0, false);
        filled("random_dram", blocks, 32, 0, far, 0, false);
    }
    filled("line", multiprocessors, 32, 4, 16 << 20, 0, true);
    filled("lines_in_part", multiprocessors, 32, 32, 16 << 20, 0, true);
    filled("32_lines", multiprocessors, 32, 128, 16 << 20, 0, true);
    printf("hit,each,lane,others,own,wait,issue,result,alone\n");
    for (size_t lane : {4, 32, 128})
        for (int own : {0, 1})
            for (unsigned wait : {0, 100, 300})
                for (int others : {0, 1, 3, 4, 8, 31}) {
                    behind<1>("hit", lane, others, own, wait);
                    behind<8>("hit", lane, others, own, wait);
                }
    return 0;
}
