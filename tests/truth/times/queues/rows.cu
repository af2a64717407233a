// Rows that warps read several times: how much of the later passes L1 has, by the length of the rows, with and without
// stores. For ncu: a launch for each line of the list that it prints.
//
//     nvcc -O3 -arch=native -o rows rows.cu && ncu --metrics l1tex__t_sector_hit_rate.pct ./rows

#include "timing.h"

__global__ void __launch_bounds__(128, 16) rows(const float *in, float *out, int width, int passes, int stores)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *own = in + (size_t)row * width;
    float sum = 0;
#pragma unroll 1
    for (int p = 0; p < passes; p++) {
        float part = 0;
#pragma unroll 4
        for (int k = lane; k < width; k += 32)
            part += own[k] - sum;
        for (int d = 16; d; d /= 2)
            part += __shfl_xor_sync(~0u, part, d);
        sum = part / width;
    }
    if (stores)
        for (int k = lane; k < width; k += 32)
            out[(size_t)row * width + k] = own[k] - sum;
    else if (sum == 12345)
        out[row] = sum;
}

int main()
{
    float *in, *out;
    size_t most = (size_t)132 * 16 * 4 * 4 * 2048;
    CHECK(cudaMalloc(&in, most * 4));
    CHECK(cudaMalloc(&out, most * 4));
    CHECK(cudaMemset(in, 0, most * 4));
    printf("width,passes,stores,blocks\n");
    for (int waves : {1, 4})
        for (int stores : {0, 1})
            for (int passes : {2, 3})
                for (int width : {256, 512, 640, 704, 768, 832, 896, 960, 1024, 1152, 1280, 1536, 2048}) {
                    if (passes == 3 && stores == 0 || (waves == 4 && width % 256))
                        continue;
                    printf("%d,%d,%d,%d\n", width, passes, stores, 132 * 16 * waves);
                    rows<<<132 * 16 * waves, 128>>>(in, out, width, passes, stores);
                }
    CHECK(cudaDeviceSynchronize());
    return 0;
}
