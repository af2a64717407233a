// Products of matrices whose tiles of 64 x 16 and 16 x 64 are copied ahead, and a stencil whose rows are.
#include <cuda_pipeline.h>

template <int STAGES> __global__ void product_ahead(const float *a, const float *b, float *c, int n) {
    __shared__ alignas(16) float as[STAGES][64][16], bs[STAGES][16][64];
    const int row = 64 * blockIdx.y, column = 64 * blockIdx.x, t = threadIdx.x;
    const int ty = t / 16 * 4, tx = t % 16 * 4;
    float sum[4][4] = {};
    auto fetch = [&](int k) {
        const int stage = k % STAGES;
        __pipeline_memcpy_async(&as[stage][t / 4][t % 4 * 4], a + (size_t)(row + t / 4) * n + 16 * k + t % 4 * 4, 16);
        __pipeline_memcpy_async(&bs[stage][t / 16][t % 16 * 4], b + (size_t)(16 * k + t / 16) * n + column + t % 16 * 4, 16);
    };
    for (int k = 0; k < STAGES - 1; k++) {
        fetch(k);
        __pipeline_commit();
    }
    for (int k = 0; k < n / 16; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        if (k + STAGES - 1 < n / 16) fetch(k + STAGES - 1);
        __pipeline_commit();
        const int stage = k % STAGES;
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                x[i] = as[stage][ty + i][j];
                y[i] = bs[stage][j][tx + i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int m = 0; m < 4; m++) sum[i][m] += x[i] * y[m];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 4; m++) c[(size_t)(row + ty + i) * n + column + tx + m] = sum[i][m];
}

// Each block slides down a strip of 256 columns, with three rows in shared memory and one on its way.
__global__ void stencil_ahead(const float *in, float *out, int width, int rows) {
    __shared__ float line[4][258];
    const int x = 256 * blockIdx.x + threadIdx.x, first = rows * blockIdx.y;
    auto fetch = [&](int y) {
        float *to = line[y & 3];
        const float *from = in + (size_t)(first + y) * (width + 2) + x;
        __pipeline_memcpy_async(to + threadIdx.x, from, 4);
        if (threadIdx.x < 2) __pipeline_memcpy_async(to + 256 + threadIdx.x, from + 256, 4);
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    fetch(2);
    for (int y = 0; y < rows; y++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (y + 1 < rows) fetch(y + 3);
        const int t = threadIdx.x;
        const float *above = line[y & 3], *here = line[(y + 1) & 3], *below = line[(y + 2) & 3];
        out[(size_t)(first + y) * width + x] = 0.2f * (above[t + 1] + here[t] + here[t + 1] + here[t + 2] + below[t + 1]);
    }
}
