// Linear algebra in steps, written for a blind test of the model of times.
#include <cuda_runtime.h>

// C = A * A^T of n by k values.
__global__ void gram_points(const float *a, float *c, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int m = 0; m < k; m++)
        sum += a[i * k + m] * a[j * k + m];
    c[i * n + j] = sum;
}

__global__ void gram_tiles(const float *a, float *c, int n, int k)
{
    __shared__ float left[16][17], right[16][17];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int m = 0; m < k; m += 16) {
        left[threadIdx.y][threadIdx.x] = a[i * k + m + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = a[(blockIdx.x * 16 + threadIdx.y) * k + m + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 16; e++)
            sum += left[threadIdx.y][e] * right[threadIdx.x][e];
        __syncthreads();
    }
    c[i * n + j] = sum;
}

__global__ void gram_lower(const float *a, float *c, int n, int k)
{
    if (blockIdx.x > blockIdx.y)
        return;
    __shared__ float left[16][64], right[16][64];
    int t = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int m = 0; m < k; m += 16) {
        for (int e = t; e < 1024; e += 256) {
            left[e % 16][e / 16] = a[(row + e / 16) * k + m + e % 16];
            right[e % 16][e / 16] = a[(column + e / 16) * k + m + e % 16];
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 16; e++)
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    sum[y][x] += left[e][threadIdx.y * 4 + y] * right[e][threadIdx.x * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            c[(row + threadIdx.y * 4 + y) * n + column + threadIdx.x * 4 + x] = sum[y][x];
}

// y = A^T * x of n by n values.
__global__ void transposed_columns(const float *a, const float *x, float *y, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i * n + j] * x[i];
    y[j] = sum;
}

__global__ void transposed_bands(const float *a, const float *x, float *y, int n, int rows)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * rows;
    float sum = 0;
    for (int i = first; i < first + rows; i++)
        sum += a[i * n + j] * x[i];
    atomicAdd(&y[j], sum);
}

__global__ void transposed_shared(const float *a, const float *x, float *y, int n)
{
    __shared__ float part[32][33];
    int j = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int i = threadIdx.y; i < n; i += 32)
        sum += a[i * n + j] * x[i];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = part[threadIdx.x][threadIdx.y];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0)
        y[blockIdx.x * 32 + threadIdx.y] = sum;
}

// Batches of small systems: Gauss without pivots of 16 by 16 values.
__global__ void solve_thread(float *systems, int count)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    float *m = systems + s;
    for (int p = 0; p < 16; p++) {
        float inverse = 1 / (m[(p * 16 + p) * count] + 20);
        for (int i = p + 1; i < 16; i++) {
            float f = m[(i * 16 + p) * count] * inverse;
            for (int j = p + 1; j < 16; j++)
                m[(i * 16 + j) * count] -= f * m[(p * 16 + j) * count];
        }
    }
}

__global__ void solve_block(float *systems)
{
    __shared__ float m[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    float *mine = systems + blockIdx.x * 256;
    m[y][x] = mine[y * 16 + x];
    __syncthreads();
    for (int p = 0; p < 15; p++) {
        float f = m[y][p] / (m[p][p] + 20);
        __syncthreads();
        if (y > p && x > p)
            m[y][x] -= f * m[p][x];
        __syncthreads();
    }
    mine[y * 16 + x] = m[y][x];
}

__global__ void solve_warp(float *systems)
{
    int lane = threadIdx.x, s = blockIdx.x * blockDim.y + threadIdx.y;
    float *mine = systems + s * 256, row[16];
#pragma unroll
    for (int j = 0; j < 16; j++)
        row[j] = mine[(lane % 16) * 16 + j];
#pragma unroll
    for (int p = 0; p < 15; p++) {
        float f = row[p] / (__shfl_sync(~0u, row[p], p) + 20);
#pragma unroll
        for (int j = 1; j < 16; j++) {
            float above = __shfl_sync(~0u, row[j], p);
            if (j > p && lane % 16 > p)
                row[j] -= f * above;
        }
    }
    if (lane < 16)
#pragma unroll
        for (int j = 0; j < 16; j++)
            mine[lane * 16 + j] = row[j];
}

// Means and covariances of the columns of n rows of w values.
__global__ void means_columns(const float *data, float *mean, int n, int w)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += data[i * w + j];
    mean[j] = sum / n;
}

__global__ void covariance_points(const float *data, const float *mean, float *out, int n, int w)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (data[i * w + a] - mean[a]) * (data[i * w + b] - mean[b]);
    out[b * w + a] = sum / (n - 1);
}

__global__ void covariance_tiles(const float *data, const float *mean, float *out, int n, int w)
{
    __shared__ float one[32][33], two[32][33];
    int x = threadIdx.x, y = threadIdx.y, a = blockIdx.x * 32 + x, b = blockIdx.y * 32 + x;
    float ma = mean[a], mb = mean[b], sum[4] = {};
    for (int i = 0; i < n; i += 32) {
        for (int r = y; r < 32; r += 8) {
            one[r][x] = data[(i + r) * w + a] - ma;
            two[r][x] = data[(i + r) * w + b] - mb;
        }
        __syncthreads();
        for (int r = 0; r < 32; r++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                sum[k] += one[r][x] * two[r][y * 4 + k];
        __syncthreads();
    }
    for (int k = 0; k < 4; k++)
        out[(blockIdx.y * 32 + y * 4 + k) * w + a] = sum[k] / (n - 1);
}

__global__ void rank_two(float *a, const float *u, const float *v, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    a[i * n + j] += u[i] * v[j] + u[n + i] * v[n + j];
}

__global__ void triple_product(const float *a, const float *c, float *sum, int np)
{
    extern __shared__ float row[];
    const float *mine = a + blockIdx.x * np;
    for (int p = threadIdx.x; p < np; p += blockDim.x)
        row[p] = mine[p];
    __syncthreads();
    for (int p = threadIdx.x; p < np; p += blockDim.x) {
        float value = 0;
        for (int s = 0; s < np; s++)
            value += row[s] * c[s * np + p];
        sum[blockIdx.x * np + p] = value;
    }
}
