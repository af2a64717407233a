// Measures additions at few words of global memory, whose results nobody asks for, by all multiprocessors: of a warp so
// many lanes share a word, and the words lie so many bytes apart, or at random among so many. Prints one line a figure:
// type, kind, words (of a warp, or to choose from), bytes apart, cycles of the device for a warp instruction.
//
//     nvcc -O3 -std=c++17 -arch=native -o adds adds.cu && ./adds
#include "timing.h"

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

template <class T, bool RANDOM>
__global__ void adds(T *words, int count, int apart, int rounds)
{
    unsigned x = hash(blockIdx.x * blockDim.x + threadIdx.x);
    for (int r = 0; r < rounds; r++) {
        x = x * 1664525u + 1013904223u;
        int word = RANDOM ? (x >> 10) % count : threadIdx.x % count;
        atomicAdd(words + word * apart, (T)1);
    }
}

static double clock_mhz;

template <class T, bool RANDOM>
static void measure(const char *type, const char *kind)
{
    T *words;
    CHECK(cudaMalloc(&words, 64 << 20));
    CHECK(cudaMemset(words, 0, 64 << 20));
    for (int count : {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096})
        for (int apart : {1, 2, 8, 32, 128, 256, 1024}) {
            if (!RANDOM && count > 32)
                continue;
            double t[2];
            for (int k = 0; k < 2; k++)
                t[k] = median_microseconds(5, [] {}, [&] { adds<T, RANDOM><<<132, 256>>>(words, count, apart, k ? 128 : 32); });
            printf("%s,%s,%d,%d,%.4g\n", type, kind, count, apart * 4, (t[1] - t[0]) * clock_mhz / (96.0 * 132 * 8));
            fflush(stdout);
        }
    CHECK(cudaFree(words));
}

int main()
{
    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    clock_mhz = khz / 1e3;
    printf("# clock %g MHz\ntype,kind,words,bytes,cycles\n", clock_mhz);
    measure<int, false>("int", "lanes");
    measure<int, true>("int", "random");
    measure<float, false>("float", "lanes");
    measure<float, true>("float", "random");
}
