// Prices, signals, random numbers and ciphers in steps, written for a blind test of the model of times.
#include <cuda_runtime.h>

__device__ inline float normal_share(float d)
{
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d)
               * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

__device__ inline void price(float s, float x, float t, float &call, float &put)
{
    float root = sqrtf(t), d1 = (logf(s / x) + (0.02f + 0.045f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = normal_share(d1), n2 = normal_share(d2), later = x * expf(-0.02f * t);
    call = s * n1 - later * n2;
    put = later * (1 - n2) - s * (1 - n1);
}

__global__ void options_each(const float *s, const float *x, const float *t, float *call, float *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        price(s[i] + 5, x[i] + 4, t[i] + 0.1f, call[i], put[i]);
}

__global__ void options_strided(const float *s, const float *x, const float *t, float *call, float *put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        price(s[i] + 5, x[i] + 4, t[i] + 0.1f, call[i], put[i]);
}

__global__ void options_pairs(const float2 *s, const float2 *x, const float2 *t, float2 *call, float2 *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 a = s[i], b = x[i], c = t[i], u, v;
    price(a.x + 5, b.x + 4, c.x + 0.1f, u.x, v.x);
    price(a.y + 5, b.y + 4, c.y + 0.1f, u.y, v.y);
    call[i] = u;
    put[i] = v;
}

__device__ inline unsigned xorshift(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

// Paths of a price, a step at a time; with the mirrored path, or with sums of a block.
__global__ void paths(float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = i * 747796405u + 1;
    float level = 0;
    for (int k = 0; k < steps; k++) {
        float u = (xorshift(state) >> 8) * 5.96e-8f + 1e-7f, v = (xorshift(state) >> 8) * 5.96e-8f;
        level += 0.01f * sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v);
    }
    out[i] = fmaxf(expf(level) - 1, 0.f);
}

__global__ void paths_mirrored(float *out, int steps)
{
    __shared__ float part[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = i * 747796405u + 1;
    float up = 0, down = 0;
    for (int k = 0; k < steps; k++) {
        float u = (xorshift(state) >> 8) * 5.96e-8f + 1e-7f, v = (xorshift(state) >> 8) * 5.96e-8f;
        float step = 0.01f * sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v);
        up += step;
        down -= step;
    }
    float sum = fmaxf(expf(up) - 1, 0.f) + fmaxf(expf(down) - 1, 0.f);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x / 32; k++)
            sum += part[k];
        atomicAdd(out, sum);
    }
}

// A tree of prices, rolled back in shared memory.
__global__ void roll_back(const float *strike, float *value, int steps)
{
    extern __shared__ float node[];
    int t = threadIdx.x;
    float k = strike[blockIdx.x] + 0.5f;
    for (int j = t; j <= steps; j += blockDim.x)
        node[j] = fmaxf(__expf(0.02f * (2 * j - steps)) - k, 0.f);
    __syncthreads();
    for (int s = steps; s > 0; s -= 2) {
        float first = 0, second = 0;
        if (t < s)
            first = 0.499f * node[t] + 0.5f * node[t + 1];
        __syncthreads();
        if (t < s)
            node[t] = first;
        __syncthreads();
        if (t < s - 1)
            second = 0.499f * node[t] + 0.5f * node[t + 1];
        __syncthreads();
        if (t < s - 1)
            node[t] = second;
        __syncthreads();
    }
    if (t == 0)
        value[blockIdx.x] = node[0];
}

// A filter of taps values.
__global__ void filter_global(const float *in, const float *taps, float *out, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += taps[k] * in[i + k];
    out[i] = sum;
}

__global__ void filter_shared(const float *in, const float *taps, float *out, int n, int count)
{
    __shared__ float piece[256 + 64], weight[64];
    int first = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 256 + count; k += 256)
        piece[k] = in[first + k];
    if (threadIdx.x < count)
        weight[threadIdx.x] = taps[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += weight[k] * piece[threadIdx.x + k];
    out[first + threadIdx.x] = sum;
}

template <int count> __global__ void filter_four(const float *in, const float *taps, float *out, int n)
{
    __shared__ float piece[512 + 64];
    int first = blockIdx.x * 512;
    for (int k = threadIdx.x; k < 512 + count; k += 128)
        piece[k] = in[first + k];
    __syncthreads();
    float sum[4] = {}, window[4];
#pragma unroll
    for (int m = 0; m < 3; m++)
        window[m + 1] = piece[threadIdx.x * 4 + m];
#pragma unroll
    for (int k = 0; k < count; k++) {
        float w = __ldg(&taps[k]);
#pragma unroll
        for (int m = 0; m < 3; m++)
            window[m] = window[m + 1];
        window[3] = piece[threadIdx.x * 4 + k + 3];
#pragma unroll
        for (int m = 0; m < 4; m++)
            sum[m] += w * window[m];
    }
    reinterpret_cast<float4 *>(out)[blockIdx.x * 128 + threadIdx.x] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

// Walsh: one stage on all values; nine stages of 1,024 values in shared memory.
__global__ void walsh_stage(float *data, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = i % stride, at = (i - low) * 2 + low;
    float a = data[at], b = data[at + stride];
    data[at] = a + b;
    data[at + stride] = a - b;
}

__global__ void walsh_block(float *data)
{
    __shared__ float mine[1024];
    float *from = data + blockIdx.x * 1024;
    for (int k = threadIdx.x; k < 1024; k += 256)
        mine[k] = from[k];
    for (int stride = 512; stride > 0; stride /= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < 512; i += 256) {
            int low = i & (stride - 1), at = (i - low) * 2 + low;
            float a = mine[at], b = mine[at + stride];
            mine[at] = a + b;
            mine[at + stride] = a - b;
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += 256)
        from[k] = mine[k];
}

__global__ void walsh_registers(float *data)
{
    __shared__ float mine[1024];
    int t = threadIdx.x;
    float *from = data + blockIdx.x * 1024, v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = from[t + 256 * k];
#pragma unroll
    for (int pass = 0; pass < 5; pass++) {
        int s = pass == 0 ? 256 : pass == 1 ? 64 : pass == 2 ? 16 : pass == 3 ? 4 : 1, at = t / s * 4 * s + t % s;
        if (pass) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = mine[at + s * k];
        }
        float a = v[0] + v[2], b = v[1] + v[3], c = v[0] - v[2], d = v[1] - v[3];
        v[0] = a + b;
        v[1] = a - b;
        v[2] = c + d;
        v[3] = c - d;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++)
            mine[at + s * k] = v[k];
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        from[t + 256 * k] = mine[t + 256 * k];
}

// A cipher by tables: four look-ups a column, ten rounds; the tables global or shared.
__device__ inline unsigned mix(const unsigned *t, unsigned a, unsigned b, unsigned c, unsigned d)
{
    return t[a & 255] ^ t[256 + (b >> 8 & 255)] ^ t[512 + (c >> 16 & 255)] ^ t[768 + (d >> 24)];
}

__device__ inline uint4 ten_rounds(const unsigned *t, uint4 s)
{
#pragma unroll 1
    for (int r = 0; r < 10; r++)
        s = make_uint4(mix(t, s.x, s.y, s.z, s.w) ^ r, mix(t, s.y, s.z, s.w, s.x), mix(t, s.z, s.w, s.x, s.y),
                       mix(t, s.w, s.x, s.y, s.z));
    return s;
}

__global__ void cipher_global(const unsigned *tables, const uint4 *in, uint4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = ten_rounds(tables, in[i]);
}

__global__ void cipher_shared(const unsigned *tables, const uint4 *in, uint4 *out, int n)
{
    __shared__ unsigned mine[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        mine[k] = tables[k];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = ten_rounds(mine, in[i]);
}

// A digest: 64 rounds of shifts and sums in registers.
__global__ void digest(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16], a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
#pragma unroll
    for (int k = 0; k < 16; k++)
        w[k] = in[k * n + i];
#pragma unroll
    for (int r = 0; r < 64; r++) {
        unsigned s0 = __funnelshift_r(a, a, 2) ^ __funnelshift_r(a, a, 13) ^ __funnelshift_r(a, a, 22);
        unsigned f = (a & b) ^ (~a & c), next = d + s0 + f + w[r % 16] + 0x428a2f98u * (r + 1);
        w[r % 16] += __funnelshift_r(w[(r + 1) % 16], w[(r + 1) % 16], 7) ^ (w[(r + 14) % 16] >> 10);
        d = c;
        c = b;
        b = __funnelshift_r(a, a, 6);
        a = next;
    }
    out[i] = a ^ b ^ c ^ d;
}

// Points of a fractal, in double or float.
template <class T> __global__ void julia(int *out, int n, T cx, T cy, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    T x = (T)3 * px / n - (T)1.5, y = (T)3 * py / n - (T)1.5;
    while (k < most && x * x + y * y < 4) {
        T next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
    }
    out[py * n + px] = k;
}

// Forces between the particles of neighbouring cells, 64 particles a cell.
__global__ void cells(const float4 *particle, float4 *force, int side)
{
    __shared__ float4 other[64];
    int cx = blockIdx.x, cy = blockIdx.y, cz = blockIdx.z, home = (cz * side + cy) * side + cx;
    float4 me = particle[home * 64 + threadIdx.x], sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 27; k++) {
        int x = cx + k % 3 - 1, y = cy + k / 3 % 3 - 1, z = cz + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
            continue;
        __syncthreads();
        other[threadIdx.x] = particle[((z * side + y) * side + x) * 64 + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 64; j++) {
            float4 p = other[j];
            float r2 = me.w + p.w - (me.x * p.x + me.y * p.y + me.z * p.z);
            float vij = __expf(-0.5f * r2), fs = 2 * vij;
            sum.w += p.w * vij;
            sum.x += p.w * fs * (me.x - p.x);
            sum.y += p.w * fs * (me.y - p.y);
            sum.z += p.w * fs * (me.z - p.z);
        }
    }
    force[home * 64 + threadIdx.x] = sum;
}

// Sums of 2^k squares, rows of an image summed along x, then along y.
__global__ void rows_thread(const float *in, float *out, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int x = 0; x < n; x++)
        out[y * n + x] = sum += in[y * n + x];
}

__global__ void rows_warp(const float *in, float *out, int n)
{
    int y = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    float carry = 0;
    for (int x = lane; x < n; x += 32) {
        float v = in[y * n + x];
        for (int d = 1; d < 32; d *= 2) {
            float left = __shfl_up_sync(~0u, v, d);
            if (lane >= d)
                v += left;
        }
        out[y * n + x] = v += carry;
        carry = __shfl_sync(~0u, v, 31);
    }
}

__global__ void rows_block(const float4 *in, float4 *out, int n)
{
    __shared__ float sums[8];
    int at = blockIdx.x * (n / 4) + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float4 v = in[at];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    float sum = v.w;
    for (int d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(~0u, sum, d);
        if (lane >= d)
            sum += left;
    }
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    float before = sum - v.w;
    for (int k = 0; k < warp; k++)
        before += sums[k];
    out[at] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}

__global__ void columns_thread(float *data, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int y = 0; y < n; y++)
        data[y * n + x] = sum += data[y * n + x];
}
