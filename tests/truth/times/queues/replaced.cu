// Measures which lines the L1 replaces: how many lines of a stream are still there after so many further ones, by the
// order of the lines, by touches in between, by the warps that load, with stores, and by the size of the L1; and what is
// there of lines that an empty L1 has loaded. Prints one line a figure.
//
//     nvcc -O3 -arch=native -o replaced replaced.cu && ./replaced

#include <cstring>

#include "timing.h"

constexpr int BLOCKS = 132, LINE = 128, EVERY = 16, AGES = 33, HIT = 120;
constexpr unsigned LINES = 1 << 19;  // of each block: 64 MiB

enum How { LOAD, STORE, NEXT_SECTOR, AT_ONCE };  // AT_ONCE: a second load right behind the first

struct Stream {
    unsigned warm, count;  // lines before the first that is looked for, and lines in all
    int stride;            // lines from one to the next; 0: at random places
    int touch, touches;    // each line that is looked for is touched so often, after so many further lines each
    int all;               // and so is each other line
    int stores;            // of 16 lines so many are stored to, not loaded
    int lanes;             // lanes that load, 4 bytes each
    int together;          // loads of a warp on their way at a time
    int enters;            // whether lines that are looked for and not there come into L1
    int how;               // what a touch is: see How
};

__device__ inline unsigned mixed(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
    return x;
}

__device__ inline unsigned place_of(const Stream &s, unsigned number)
{
    if (s.stride == 0)
        return mixed(number * 132 + blockIdx.x) % LINES;
    unsigned at = number * (unsigned)s.stride;
    return (at + at / LINES) % LINES;
}

__device__ inline unsigned load(const char *at)
{
    unsigned v;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

// Cycles that a load takes.
__device__ inline unsigned look(const char *at, int enters)
{
    unsigned start, end, v;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
    if (enters)
        v = load(at);
    else
        asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 12345; @p trap;} mov.u32 %0, %%clock;" : "=r"(end) : "r"(v) : "memory");
    return end - start;
}

// All warps of a block load the lines of one stream, `together` a warp and then a barrier; the first warp looks for each
// 16th line when `age` further ones have been loaded. found[block][n] says of the n-th whether it was there.
__global__ void __launch_bounds__(1024, 1) stream(char *data, Stream s, const int *ages, unsigned char *found)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int age = ages[blockIdx.x % AGES];
    char *own = data + (size_t)blockIdx.x * LINES * LINE + lane % s.lanes * 4;
    int round = warps * s.together;
    unsigned n = 0, sum = 0;
    for (unsigned first = 0; first < s.count; first += round) {
        if (s.together == 1) {
            unsigned number = first + warp;
            if ((int)(number % 16) >= 16 - s.stores)
                *(unsigned *)(own + (size_t)place_of(s, number) * LINE) = 0;
            else if (s.how == AT_ONCE && number % EVERY == 0) {
                unsigned first = load(own + (size_t)place_of(s, number) * LINE);
                sum += first + load(own + (size_t)place_of(s, number) * LINE);
            } else
                sum += load(own + (size_t)place_of(s, number) * LINE);
        } else {
            unsigned v[4];
            #pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = load(own + (size_t)place_of(s, first + k * warps + warp) * LINE);
            sum += v[0] + v[1] + v[2] + v[3];
        }
        if (sum == 12345)
            __trap();
        if (warps > 1)
            __syncthreads();
        if (warp == 0)
            for (unsigned number = first; number < first + round; number++) {
                for (int k = 1; k <= s.touches; k++) {
                    unsigned back = k * s.touch;
                    char *at = own + (size_t)place_of(s, number - back) * LINE;
                    if (number < back || (!s.all && (number - back) % EVERY))
                        continue;
                    if (s.how == STORE)
                        *(volatile unsigned *)at = 0;
                    else
                        sum += load(at + (s.how == NEXT_SECTOR ? 32 : 0));
                }
                if (sum == 12345)
                    __trap();
                if (number >= s.warm && (number - age) % EVERY == 0) {
                    unsigned cycles = look(own + (size_t)place_of(s, number - age) * LINE, s.enters);
                    if (lane == 0)
                        found[(size_t)blockIdx.x * (s.count / EVERY) + n] = cycles < HIT;
                    n++;
                }
            }
        if (warps > 1)
            __syncthreads();
    }
}

// A block loads lines into an empty L1, `passes` times, and then looks for each of them.
__global__ void __launch_bounds__(32, 1) filled(char *data, Stream s, int least, int step, int passes, unsigned char *found)
{
    int lane = threadIdx.x % 32, count = least + step * blockIdx.x;
    char *own = data + (size_t)blockIdx.x * LINES * LINE + lane % s.lanes * 4;
    unsigned sum = 0, hits = 0;
    for (int p = 0; p < passes; p++)
        for (int k = 0; k < count; k++) {
            unsigned start, end;
            asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
            sum += load(own + (size_t)place_of(s, k) * LINE);
            if (sum == 12345)
                __trap();
            asm volatile("mov.u32 %0, %%clock;" : "=r"(end) : "r"(sum) : "memory");
            hits += p == passes - 1 && end - start < HIT;
        }
    for (int k = 0; k < count; k++) {
        unsigned cycles = look(own + (size_t)place_of(s, k) * LINE, s.enters);
        if (lane == 0)
            found[blockIdx.x * 8192 + k] = cycles < HIT;
    }
    if (lane == 0)
        *(unsigned *)(found + BLOCKS * 8192 + blockIdx.x * 4) = hits;
}

static char *memory;
static int *ages;
static unsigned char *found;
static int host_ages[AGES] = {16,   32,   64,   96,   128,  192,  256,  384,  512,  640,  768,  896,  1024, 1152, 1280, 1408, 1536,
                              1664, 1792, 1856, 1920, 1984, 2048, 2176, 2304, 2560, 2816, 3072, 3584, 4096, 5120, 6144, 8000};

static void streamed(const char *name, Stream s, int warps, int carveout, const char *raw = nullptr)
{
    CHECK(cudaFuncSetAttribute(stream, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    size_t each = s.count / EVERY;
    CHECK(cudaMemset(found, 2, BLOCKS * each));
    stream<<<BLOCKS, 32 * warps>>>(memory, s, ages, found);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> v(BLOCKS * each);
    CHECK(cudaMemcpy(v.data(), found, v.size(), cudaMemcpyDeviceToHost));
    for (int a = 0; a < AGES; a++) {
        int hits = 0, looked = 0;
        for (int b = a; b < BLOCKS; b += AGES)
            for (size_t k = 0; k < each; k++)
                if (v[b * each + k] < 2)
                    hits += v[b * each + k], looked++;
        printf("%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", name, warps, s.together, carveout, s.stride, s.lanes, s.touch, s.touches,
               s.all, s.stores, s.how, host_ages[a], hits, looked);
    }
    if (raw) {
        FILE *file = fopen(raw, "wb");
        fwrite(v.data(), 1, v.size(), file);
        fclose(file);
    }
    fflush(stdout);
}

static void fill(const char *name, Stream s, int least, int step, int passes, int carveout, FILE *raw = nullptr)
{
    CHECK(cudaFuncSetAttribute(filled, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    CHECK(cudaMemset(found, 2, BLOCKS * 8196));
    filled<<<BLOCKS, 32>>>(memory, s, least, step, passes, found);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> v(BLOCKS * 8196);
    CHECK(cudaMemcpy(v.data(), found, v.size(), cudaMemcpyDeviceToHost));
    for (int b = 0; b < BLOCKS; b++) {
        int hits = 0, count = least + step * b;
        unsigned last;
        memcpy(&last, v.data() + BLOCKS * 8192 + b * 4, 4);
        for (int k = 0; k < count; k++)
            hits += v[b * 8192 + k];
        printf("%s,1,1,%d,%d,%d,%d,0,0,0,0,%d,%d,%u\n", name, carveout, s.stride, s.lanes, passes, count, hits, last);
    }
    if (raw)
        fwrite(v.data(), 1, BLOCKS * 8192, raw);
    fflush(stdout);
}

int main()
{
    CHECK(cudaMalloc(&memory, (size_t)BLOCKS * LINES * LINE));
    CHECK(cudaMemset(memory, 0, (size_t)BLOCKS * LINES * LINE));
    CHECK(cudaMalloc(&ages, sizeof host_ages));
    CHECK(cudaMalloc(&found, 64 << 20));
    CHECK(cudaMemcpy(ages, host_ages, sizeof host_ages, cudaMemcpyHostToDevice));
    printf("kind,warps,together,carveout_pct,stride,lanes,touch,touches,all,stores,how,lines,there,looked_or_hit\n");
    Stream plain = {8192, 8192 + 16384, 1, 0, 0, 0, 0, 32, 1, 0, LOAD}, s;
    streamed("stream", plain, 1, 0, "stream.bin");
    for (int stride : {0, 2, 4, 16, 64, 512})
        s = plain, s.stride = stride, streamed("stream", s, 1, 0, stride ? nullptr : "random.bin");
    for (int lanes : {1, 8})
        s = plain, s.lanes = lanes, streamed("stream", s, 1, 0);
    s = plain, s.enters = 1, streamed("stream_enters", s, 1, 0);
    for (int carveout : {25, 50, 90})
        streamed("stream", plain, 1, carveout);
    for (int warps : {8, 32})
        for (int together : {1, 4})
            s = plain, s.together = together, s.warm = 8192, s.count = 8192 + 65536, streamed("stream", s, warps, 0);
    s = plain, s.together = 4, streamed("stream", s, 1, 0);
    for (int all : {0, 1})
        for (int touch : {32, 128, 512, 1024})
            s = plain, s.all = all, s.touch = touch, s.touches = 1, streamed("stream", s, 1, 0);
    for (int touch : {128, 256, 512})
        s = plain, s.touch = touch, s.touches = 4, streamed("stream", s, 1, 0);
    for (int how : {STORE, NEXT_SECTOR})
        for (int touch : {32, 512})
            s = plain, s.how = how, s.lanes = 8, s.touch = touch, s.touches = 1, streamed("stream", s, 1, 0);
    s = plain, s.how = AT_ONCE, streamed("stream", s, 1, 0);
    for (int touches : {2, 3, 4})
        s = plain, s.touch = 128, s.touches = touches, streamed("stream", s, 1, 0, touches == 4 ? "four.bin" : nullptr);
    s = plain, s.touch = 1024, s.touches = 1, streamed("stream", s, 1, 0, "once.bin");
    for (int stores : {8, 15})
        s = plain, s.stores = stores, streamed("stream", s, 1, 0);
    FILE *raw = fopen("filled.bin", "wb");
    fill("filled", plain, 1024, 24, 1, 0, raw);
    s = plain, s.stride = 0, fill("filled", s, 128, 32, 1, 0, raw);
    for (int stride : {2, 16, 64, 512})
        s = plain, s.stride = stride, fill("filled", s, 1024, 24, 1, 0, stride == 64 ? raw : nullptr);
    s = plain, s.lanes = 1, fill("filled", s, 1024, 24, 1, 0);
    s = plain, s.enters = 1, fill("filled_enters", s, 1024, 24, 1, 0);
    fill("filled", plain, 1024, 24, 2, 0, raw);
    fill("filled", plain, 1024, 24, 3, 0);
    fill("filled", plain, 1024, 24, 8, 0, raw);
    fill("filled", plain, 512, 8, 1, 50);
    fclose(raw);
    return 0;
}
