// What networks are made of, in steps, written for a blind test of the model of times.
#include <cuda_runtime.h>

__device__ inline float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

// Rows of w values made to mean 0 and variance 1.
__global__ void normalize_thread(const float *in, float *out, int w)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const float *x = in + row * w;
    float mean = 0, square = 0;
    for (int k = 0; k < w; k++)
        mean += x[k];
    mean /= w;
    for (int k = 0; k < w; k++)
        square += (x[k] - mean) * (x[k] - mean);
    float scale = rsqrtf(square / w + 1e-5f);
    for (int k = 0; k < w; k++)
        out[row * w + k] = (x[k] - mean) * scale;
}

__global__ void normalize_block(const float *in, float *out, int w)
{
    __shared__ float part[256];
    const float *x = in + blockIdx.x * w;
    float sum = 0;
    for (int k = threadIdx.x; k < w; k += 256)
        sum += x[k];
    for (int pass = 0; pass < 1; pass++) {
        part[threadIdx.x] = sum;
        __syncthreads();
        for (int d = 128; d > 0; d /= 2) {
            if (threadIdx.x < d)
                part[threadIdx.x] += part[threadIdx.x + d];
            __syncthreads();
        }
    }
    float mean = part[0] / w;
    __syncthreads();
    sum = 0;
    for (int k = threadIdx.x; k < w; k += 256)
        sum += (x[k] - mean) * (x[k] - mean);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    float scale = rsqrtf(part[0] / w + 1e-5f);
    for (int k = threadIdx.x; k < w; k += 256)
        out[blockIdx.x * w + k] = (x[k] - mean) * scale;
}

__global__ void normalize_warp(const float *in, float *out, int w)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float *x = in + row * w;
    float sum = 0, square = 0;
    for (int k = threadIdx.x; k < w; k += 32) {
        sum += x[k];
        square += x[k] * x[k];
    }
    float mean = warp_sum(sum) / w, scale = rsqrtf(warp_sum(square) / w - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < w; k += 32)
        out[row * w + k] = (x[k] - mean) * scale;
}

template <int each> __global__ void normalize_registers(const float4 *in, float4 *out)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float4 v[each];
    float sum = 0, square = 0;
#pragma unroll
    for (int k = 0; k < each; k++) {
        v[k] = in[(row * each + k) * 32 + threadIdx.x];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    float mean = warp_sum(sum) / (each * 128);
#pragma unroll
    for (int k = 0; k < each; k++)
        square += (v[k].x - mean) * (v[k].x - mean) + (v[k].y - mean) * (v[k].y - mean)
                + (v[k].z - mean) * (v[k].z - mean) + (v[k].w - mean) * (v[k].w - mean);
    float scale = rsqrtf(warp_sum(square) / (each * 128) + 1e-5f);
#pragma unroll
    for (int k = 0; k < each; k++)
        out[(row * each + k) * 32 + threadIdx.x] = make_float4((v[k].x - mean) * scale, (v[k].y - mean) * scale,
                                                                (v[k].z - mean) * scale, (v[k].w - mean) * scale);
}

// Attention of n queries to n keys of 64 values, softmax as it goes.
__global__ void attend_thread(const float *q, const float *k, const float *v, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float query[64], sum[64] = {}, most = -1e30f, total = 0;
#pragma unroll
    for (int e = 0; e < 64; e++)
        query[e] = q[i * 64 + e];
    for (int j = 0; j < n; j++) {
        float score = 0;
#pragma unroll
        for (int e = 0; e < 64; e++)
            score += query[e] * k[j * 64 + e];
        float least = fmaxf(most, score), fade = __expf(most - least), weight = __expf(score - least);
        total = total * fade + weight;
#pragma unroll
        for (int e = 0; e < 64; e++)
            sum[e] = sum[e] * fade + weight * v[j * 64 + e];
        most = least;
    }
#pragma unroll
    for (int e = 0; e < 64; e++)
        out[i * 64 + e] = sum[e] / total;
}

__global__ void attend_tiles(const float *q, const float *k, const float *v, float *out, int n)
{
    __shared__ float keys[32][64], values[32][64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float query[64], sum[64] = {}, most = -1e30f, total = 0;
#pragma unroll
    for (int e = 0; e < 64; e++)
        query[e] = q[i * 64 + e];
    for (int first = 0; first < n; first += 32) {
        for (int e = threadIdx.x; e < 2048; e += blockDim.x) {
            keys[e / 64][e % 64] = k[first * 64 + e];
            values[e / 64][e % 64] = v[first * 64 + e];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float score = 0;
#pragma unroll
            for (int e = 0; e < 64; e++)
                score += query[e] * keys[j][e];
            float least = fmaxf(most, score), fade = __expf(most - least), weight = __expf(score - least);
            total = total * fade + weight;
#pragma unroll
            for (int e = 0; e < 64; e++)
                sum[e] = sum[e] * fade + weight * values[j][e];
            most = least;
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 64; e++)
        out[i * 64 + e] = sum[e] / total;
}

__global__ void attend_warp(const float *q, const float *k, const float *v, float *out, int n)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    float q0 = q[i * 64 + lane], q1 = q[i * 64 + 32 + lane], s0 = 0, s1 = 0, most = -1e30f, total = 0;
    for (int j = 0; j < n; j++) {
        float score = warp_sum(q0 * k[j * 64 + lane] + q1 * k[j * 64 + 32 + lane]);
        float least = fmaxf(most, score), fade = __expf(most - least), weight = __expf(score - least);
        total = total * fade + weight;
        s0 = s0 * fade + weight * v[j * 64 + lane];
        s1 = s1 * fade + weight * v[j * 64 + 32 + lane];
        most = least;
    }
    out[i * 64 + lane] = s0 / total;
    out[i * 64 + 32 + lane] = s1 / total;
}

// Convolution of 32 channels into 32, three by three, of n by n points.
__global__ void channels_points(const float *in, const float *w, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, o = blockIdx.z;
    float sum = 0;
    for (int c = 0; c < 32; c++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int xx = x + dx, yy = y + dy;
                if (xx >= 0 && yy >= 0 && xx < n && yy < n)
                    sum += in[(c * n + yy) * n + xx] * w[(o * 32 + c) * 9 + (dy + 1) * 3 + dx + 1];
            }
    out[(o * n + y) * n + x] = sum;
}

template <int outs> __global__ void channels_tiles(const float *in, const float *w, float *out, int n)
{
    __shared__ float tile[10][34], weights[outs][9];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx, x = blockIdx.x * 32, y = blockIdx.y * 8, o = blockIdx.z * outs;
    float sum[outs] = {};
    for (int c = 0; c < 32; c++) {
        for (int k = t; k < 340; k += 256) {
            int xx = x + k % 34 - 1, yy = y + k / 34 - 1;
            tile[k / 34][k % 34] = xx >= 0 && yy >= 0 && xx < n && yy < n ? in[(c * n + yy) * n + xx] : 0;
        }
        if (t < outs * 9)
            weights[t / 9][t % 9] = w[((o + t / 9) * 32 + c) * 9 + t % 9];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 9; k++) {
            float v = tile[ty + k / 3][tx + k % 3];
#pragma unroll
            for (int m = 0; m < outs; m++)
                sum[m] += v * weights[m][k];
        }
        __syncthreads();
    }
#pragma unroll
    for (int m = 0; m < outs; m++)
        out[((o + m) * n + y + ty) * n + x + tx] = sum[m];
}

__global__ void each_channel(const float *in, const float *w, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, c = blockIdx.z;
    float sum = 0;
#pragma unroll
    for (int dy = -2; dy <= 2; dy++)
#pragma unroll
        for (int dx = -2; dx <= 2; dx++) {
            int xx = min(max(x + dx, 0), n - 1), yy = min(max(y + dy, 0), n - 1);
            sum += in[(c * n + yy) * n + xx] * w[c * 25 + (dy + 2) * 5 + dx + 2];
        }
    out[(c * n + y) * n + x] = sum;
}

__global__ void largest_of_four(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, half = n / 2;
    const float *from = in + ((size_t)blockIdx.z * n + 2 * y) * n + 2 * x;
    out[((size_t)blockIdx.z * half + y) * half + x] = fmaxf(fmaxf(from[0], from[1]), fmaxf(from[n], from[n + 1]));
}

__global__ void unfold(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, c = blockIdx.z;
    for (int k = 0; k < 9; k++) {
        int xx = x + k % 3 - 1, yy = y + k / 3 - 1;
        bool inside = xx >= 0 && yy >= 0 && xx < n && yy < n;
        out[((c * 9 + k) * n + y) * n + x] = inside ? in[(c * n + yy) * n + xx] : 0;
    }
}

__global__ void embed(const float *table, const int *words, float *out, int w)
{
    const float *row = table + (size_t)words[blockIdx.x] * w;
    for (int k = threadIdx.x; k < w; k += blockDim.x)
        out[(size_t)blockIdx.x * w + k] = row[k] * 1.5f;
}

__global__ void soft_gate(const float *x, const float *bias, float *y, int w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i] + bias[i % w];
        y[i] = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    }
}

__global__ void optimize(float *p, const float *g, float *m, float *v, int n, float rate)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float gradient = g[i] + 0.01f * p[i];
        float first = m[i] = 0.9f * m[i] + 0.1f * gradient, second = v[i] = 0.999f * v[i] + 0.001f * gradient * gradient;
        p[i] -= rate * first / (sqrtf(second) + 1e-8f);
    }
}

__global__ void rotate_pairs(float *x, int heads, int w)
{
    int token = blockIdx.x, half = w / 2;
    for (int k = threadIdx.x; k < heads * half; k += blockDim.x) {
        int pair = k % half, at = (token * heads + k / half) * w + pair;
        float angle = token * __powf(10000.f, -2.f * pair / w), s, c;
        __sincosf(angle, &s, &c);
        float a = x[at], b = x[at + half];
        x[at] = a * c - b * s;
        x[at + half] = a * s + b * c;
    }
}

__global__ void cross_entropy(const float *logits, const int *labels, float *loss, int w)
{
    __shared__ float part[8];
    const float *row = logits + (size_t)blockIdx.x * w;
    float sum = 0;
    for (int k = threadIdx.x; k < w; k += 256)
        sum += expf(row[k] - 1);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int k = 0; k < 8; k++)
            sum += part[k];
        loss[blockIdx.x] = logf(sum) + 1 - row[labels[blockIdx.x]];
    }
}
