// Measures how fast multiprocessors read from the L2 what others read, too: the same lines at the same time, at different
// times, or each its own. Prints one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o together together.cu && ./together

#include "timing.h"

constexpr int ROUNDS = 8, BATCH = 8;
static unsigned *data;  // 256 MiB of zeros
static long long *cycles;
static unsigned *sink;
static int multiprocessors;

// One block on each multiprocessor reads ``lines`` lines ROUNDS times, past the first-level cache. ``together``
// multiprocessors have the same lines, each beginning ``shift`` lines further on; group g's lie g * ``apart`` lines on.
template <int WIDTH>
__global__ void __launch_bounds__(1024) read_lines(const unsigned *data, int lines, int together, int shift, int apart,
                                                   long long *cycles, unsigned *sink)
{
    extern __shared__ char whole_multiprocessor[];
    unsigned sm, sum = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const char *from = (const char *)data + (size_t)(sm / together) * apart * 128 + threadIdx.x % 32 * 4 * WIDTH;
    int first = sm % together * shift % lines, step = blockDim.x / 32 * WIDTH;
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        long long start = clock64();
        for (int r = 0; r < (pass ? ROUNDS : 1); r++)
            for (int k = threadIdx.x / 32 * WIDTH; k < lines; k += step * BATCH) {
                unsigned v[BATCH][4];
#pragma unroll
                for (int j = 0; j < BATCH; j++) {
                    int line = k + j * step + first;
                    const char *at = from + (size_t)(line >= lines ? line - lines : line) * 128 + (sum & 1);
                    if (WIDTH == 1)
                        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[j][0]) : "l"(at));
                    else
                        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                                     : "=r"(v[j][0]), "=r"(v[j][1]), "=r"(v[j][2]), "=r"(v[j][3]) : "l"(at));
                }
#pragma unroll
                for (int j = 0; j < BATCH; j++)
                    sum |= WIDTH == 1 ? v[j][0] : v[j][0] | v[j][1] | v[j][2] | v[j][3];
            }
        __syncthreads();
        if (threadIdx.x == 0)
            cycles[blockIdx.x] = clock64() - start;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int WIDTH>
static void measure(int lines, int together, int shift, int apart, int blocks)
{
    CHECK(cudaFuncSetAttribute(read_lines<WIDTH>, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10));
    for (int k = 0; k < 2; k++)
        read_lines<WIDTH><<<blocks, 1024, 160 << 10>>>(data, lines, together, shift, apart, cycles, sink);
    std::vector<long long> host(blocks);
    CHECK(cudaMemcpy(host.data(), cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
    std::sort(host.begin(), host.end());
    double each = (double)lines * ROUNDS;
    printf("read_%d_%d_%d_%d_%d,%d,%.3f;%.3f;%.3f,cycles\n", WIDTH, lines, shift, apart, blocks, together, host[0] / each,
           host[blocks / 2] / each, host[blocks - 1] / each);
}

int main()
{
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&data, 256 << 20));
    CHECK(cudaMalloc(&cycles, 4096));
    CHECK(cudaMalloc(&sink, 4 << 20));
    CHECK(cudaMemset(data, 0, 256 << 20));
    printf("figure,parameter,value,unit\n");
    for (int lines : {1024, 8192})  // of 128 bytes
        for (int together : {1, 2, 4, 8, 16, 33, 66, 132})
            for (int shift : {0, 16, 61, 509})
                measure<1>(lines, together, shift, lines, multiprocessors);
    for (int together : {1, 2, 16, 132})
        for (int shift : {0, 61})
            measure<4>(1024, together, shift, 1024, multiprocessors);
    for (int lines : {1024, 16384, 65536})
        measure<1>(lines, multiprocessors, 0, 0, multiprocessors), measure<1>(lines, multiprocessors, 509, 0, multiprocessors);
    for (int blocks : {1, 2, 8, 16, 33, 66, 99})
        measure<1>(1024, 1, 0, 1024, blocks), measure<1>(1024, multiprocessors, 0, 0, blocks);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
