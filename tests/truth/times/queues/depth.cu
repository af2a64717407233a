// Measures after how many cycles the N-th access in a row has been issued: how many wait in the queue of a scheduler, and
// how fast they leave it. Constants that are loaded, words of shared memory, lines of L1, of one warp or of several.
//
//     nvcc -O3 -arch=native -o depth depth.cu && ./depth

#include "timing.h"

__constant__ unsigned table[1024];
enum { CONSTANT, SHARED, SHARED_WIDE, GLOBAL_ONE, GLOBAL_LINE, GLOBAL_TWO, GLOBAL_WIDE };

template <int KIND, int N>
__global__ void __launch_bounds__(512) depth(const unsigned *data, const unsigned long long constants, int step, int mask,
                                             long long *cycles, unsigned *sink)
{
    extern __shared__ unsigned room[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        room[k] = 0;
    unsigned base = (unsigned)__cvta_generic_to_shared(room) + (KIND == SHARED_WIDE ? 16 : 4) * lane, sum = 0, at = step * 4;
    const unsigned *own = data + (KIND == GLOBAL_LINE ? lane : KIND == GLOBAL_TWO ? lane + 5 : KIND == GLOBAL_WIDE ? lane * 4 : 0);
    for (int k = 0; k < 4096; k += 4)
        sum += data[k];
    __syncthreads();
    if (!(mask >> warp & 1))
        return;
#pragma unroll 1
    for (int r = 0; r < 3; r++) {
        unsigned v[N], w = 0;
        __syncwarp();
        long long start, end;
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(start)::"memory");
        at = step * 4 + (unsigned)(start >> 62); // which is 0
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (KIND == CONSTANT)
                asm volatile("ld.const.u32 %0, [%1];" : "=r"(v[k]) : "l"(constants + at + 4 * k) : "memory");
            else if (KIND == SHARED)
                asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base + at + 128 * k) : "memory");
            else if (KIND == SHARED_WIDE) {
                unsigned a, b, c;
                asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k]), "=r"(a), "=r"(b), "=r"(c)
                             : "r"(base + at + 512 * k) : "memory");
                w += a + b + c;
            } else if (KIND == GLOBAL_WIDE) {
                unsigned a, b, c;
                asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k]), "=r"(a), "=r"(b), "=r"(c)
                             : "l"(own + step + 128 * k) : "memory");
                w += a + b + c;
            } else
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(own + step + 64 * k) : "memory");
        }
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(end)::"memory");
#pragma unroll
        for (int k = 0; k < N; k++)
            sum += v[k];
        sum += w;
        if (lane == 0)
            cycles[warp * 3 + r] = end - start;
    }
    if (sum == 12345)
        sink[threadIdx.x] = sum;
}

static unsigned *data, *sink;
static long long *cycles;

template <int KIND, int N>
static void measure(const char *name)
{
    void *constants;
    CHECK(cudaGetSymbolAddress(&constants, table));
    for (int mask : {0x1, 0x11, 0x1111, 0xF, 0xFF, 0xFFFF}) {
        depth<KIND, N><<<1, 512, 16384 + 512 * N>>>(data, 0, 0, mask, cycles, sink);
        CHECK(cudaDeviceSynchronize());
        std::vector<long long> v(48);
        CHECK(cudaMemcpy(v.data(), cycles, 384, cudaMemcpyDeviceToHost));
        double sum = 0;
        int n = 0;
        long long most = 0;
        for (int w = 0; w < 16; w++)
            if (mask >> w & 1)
                sum += v[3 * w + 2], n++, most = std::max(most, v[3 * w + 2]);
        printf("%s_%x,%d,%.1f;%lld,cycles\n", name, mask, N, sum / n, most);
    }
}

template <int KIND>
static void kind(const char *name)
{
    measure<KIND, 0 + 1>(name), measure<KIND, 2>(name), measure<KIND, 3>(name), measure<KIND, 4>(name);
    measure<KIND, 5>(name), measure<KIND, 6>(name), measure<KIND, 8>(name), measure<KIND, 10>(name), measure<KIND, 11>(name);
    measure<KIND, 12>(name), measure<KIND, 13>(name), measure<KIND, 14>(name), measure<KIND, 16>(name), measure<KIND, 20>(name);
    measure<KIND, 24>(name), measure<KIND, 32>(name);
}

int main()
{
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMalloc(&sink, 1 << 20));
    CHECK(cudaMalloc(&cycles, 4 << 10));
    CHECK(cudaMemset(data, 0, 1 << 20));
    printf("figure,parameter,value,unit\n");
    kind<CONSTANT>("constant"), kind<SHARED>("shared"), kind<SHARED_WIDE>("shared_wide"), kind<GLOBAL_ONE>("one");
    kind<GLOBAL_LINE>("line"), kind<GLOBAL_TWO>("two_lines"), kind<GLOBAL_WIDE>("wide");
    return 0;
}
