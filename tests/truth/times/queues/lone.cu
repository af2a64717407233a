// Measures what accesses that take several passes cost a warp that is alone, two on one scheduler, two on two, and more:
// loads of lines that the first-level cache has, loads and stores of shared memory, stores and reductions of global
// memory. Prints one line a figure; see ../../README.md.
//
//     nvcc -O3 -arch=native -o lone lone.cu && ./lone

#include "timing.h"

enum Kind { LOAD, SHARED_LOAD, SHARED_STORE, STORE, REDUCE };
constexpr int ROUNDS = 64, STEP = 4096;  // bytes from one access of a batch to the next

// Each warp of ``active`` makes BATCH accesses in a row, ROUNDS times, and waits for the results of each batch.
template <int KIND, int BATCH>
__global__ void batches(char *data, const int *offsets, unsigned long long active, long long *cycles, unsigned *sink)
{
    extern __shared__ char room[];
    unsigned sum = 0;
    bool takes_part = active >> threadIdx.x / 32 & 1;
    int offset = offsets[threadIdx.x % 32];
    char *p = data + offset;
    unsigned s = (unsigned)__cvta_generic_to_shared(room + offset);
    for (int k = threadIdx.x; k < 8 * STEP / 4; k += blockDim.x)
        ((unsigned *)room)[k] = 0;
    for (int pass = 0; pass < 2; pass++) {
        __syncthreads();
        long long start = clock64();
        if (takes_part)
#pragma unroll 1
            for (int r = 0; r < ROUNDS; r++) {
                unsigned v[BATCH];
#pragma unroll
                for (int k = 0; k < BATCH; k++) {
                    if (KIND == LOAD)
                        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(p + k * STEP));
                    if (KIND == SHARED_LOAD)
                        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(s + k * STEP));
                    if (KIND == SHARED_STORE)
                        asm volatile("st.shared.u32 [%0], %1;" ::"r"(s + k * STEP), "r"(sum));
                    if (KIND == STORE)
                        asm volatile("st.global.u32 [%0], %1;" ::"l"(p + k * STEP), "r"(sum));
                    if (KIND == REDUCE)
                        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p + k * STEP), "r"(1));
                }
#pragma unroll
                for (int k = 0; k < BATCH; k++)
                    if (KIND <= SHARED_LOAD)
                        sum += v[k];
                p += sum, s += sum;  // what is loaded is 0
            }
        if (threadIdx.x % 32 == 0)
            cycles[threadIdx.x / 32] = clock64() - start;
    }
    sink[threadIdx.x] = sum;
}

static int tag_bank(int line)
{
    return __builtin_popcount(line & 0xef7ab5) % 2 + 2 * (__builtin_popcount(line & 0xbad5da) % 2);
}

static char *data;
static int *offsets;
static long long *cycles;
static unsigned *sink;

template <int KIND, int BATCH>
static void measure(const char *kind, const char *pattern, int n, const std::vector<int> &places)
{
    CHECK(cudaMemcpy(offsets, places.data(), 128, cudaMemcpyHostToDevice));
    CHECK(cudaFuncSetAttribute(batches<KIND, BATCH>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    int shared = KIND == SHARED_LOAD || KIND == SHARED_STORE ? 65536 : 8 * STEP;
    for (unsigned long long active : {0x1ull, 0x3ull, 0x11ull, 0xfull, 0x1111ull, 0xffull, 0xffffull}) {
        CHECK(cudaMemset(data, 0, 64 << 20));
        batches<KIND, BATCH><<<1, 512, shared>>>(data, offsets, active, cycles, sink);
        long long host[16];
        CHECK(cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost));
        long long most = 0;
        for (int w = 0; w < 16; w++)
            if (active >> w & 1)
                most = most > host[w] ? most : host[w];
        printf("%s_%s_%d_%llx,%d,%.2f,cycles\n", kind, pattern, n, active, BATCH, (double)most / ROUNDS);
    }
}

template <int KIND>
static void batches_of(const char *kind)
{
    for (int n : {1, 2, 4, 8, 16, 32}) {
        std::vector<int> column(32), diagonal(32), bank(32), same_bank;
        for (int line = 0; (int)same_bank.size() < n; line++)
            if (tag_bank(line) == 0)
                same_bank.push_back(line);
        for (int lane = 0; lane < 32; lane++) {
            column[lane] = lane % n * 128 + lane / n * 4 * (n < 32);  // n ways of each bank of data
            diagonal[lane] = lane % n * 128 + lane * 4;               // one way, n lines
            bank[lane] = same_bank[lane % n] * 128 + lane * 4;        // one way, n lines of one bank of tags
        }
        measure<KIND, 1>(kind, "column", n, column);
        measure<KIND, 4>(kind, "column", n, column);
        measure<KIND, 8>(kind, "column", n, column);
        if (KIND == SHARED_LOAD || KIND == SHARED_STORE)
            continue;
        measure<KIND, 1>(kind, "diagonal", n, diagonal);
        measure<KIND, 8>(kind, "diagonal", n, diagonal);
        measure<KIND, 8>(kind, "bank", n, bank);
    }
}

int main()
{
    CHECK(cudaMalloc(&data, 64 << 20));
    CHECK(cudaMalloc(&offsets, 128));
    CHECK(cudaMalloc(&cycles, 4096));
    CHECK(cudaMalloc(&sink, 4096));
    printf("figure,parameter,value,unit\n");
    batches_of<LOAD>("load"), batches_of<SHARED_LOAD>("shared_load"), batches_of<SHARED_STORE>("shared_store");
    batches_of<STORE>("store"), batches_of<REDUCE>("reduce");
    CHECK(cudaDeviceSynchronize());
    return 0;
}
