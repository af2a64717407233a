// Signals and images: convolutions, Fourier transforms, rows of a network, options, fractals, random numbers.

__constant__ float taps[25];

__global__ void convolve_line(const float *in, const float *weights, float *out, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        int at = i + k - width / 2;
        if (at >= 0 && at < n)
            sum += in[at] * weights[k];
    }
    if (i < n)
        out[i] = sum;
}

template <int W>
__global__ void convolve_line_shared(const float *in, const float *weights, float *out, int n)
{
    __shared__ float tile[256 + W], w[W];
    int t = threadIdx.x, first = blockIdx.x * 256 - W / 2;
    for (int k = t; k < 256 + W; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0;
    if (t < W)
        w[t] = weights[t];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < W; k++)
        sum += tile[t + k] * w[k];
    if (blockIdx.x * 256 + t < n)
        out[blockIdx.x * 256 + t] = sum;
}

__global__ void convolve_image(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                sum += taps[(j + 2) * 5 + i + 2] * in[(y + j) * width + x + i];
    out[y * width + x] = sum;
}

__global__ void convolve_image_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[20][36];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 32 - 2, top = blockIdx.y * 16 - 2;
    for (int y = ty; y < 20; y += 16)
        for (int x = tx; x < 36; x += 32) {
            int at_x = min(max(left + x, 0), width - 1), at_y = min(max(top + y, 0), height - 1);
            tile[y][x] = in[at_y * width + at_x];
        }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += taps[j * 5 + i] * tile[ty + j][tx + i];
    out[(top + 2 + ty) * width + left + 2 + tx] = sum;
}

__global__ void convolve_volume(const float *in, const float *weights, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
        return;
    float sum = 0;
    for (int c = 0; c < 3; c++)
        for (int b = 0; b < 3; b++)
            for (int a = 0; a < 3; a++)
                sum += weights[(c * 3 + b) * 3 + a] * in[((z + c - 1) * n + y + b - 1) * n + x + a - 1];
    out[(z * n + y) * n + x] = sum;
}

__global__ void butterfly(float2 *data, int half, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    int k = i % half, at = i / half * 2 * half + k;
    float s, c;
    __sincosf(-3.14159265f * k / half, &s, &c);
    float2 p = data[at], q = data[at + half];
    float2 turned = make_float2(q.x * c - q.y * s, q.x * s + q.y * c);
    data[at] = make_float2(p.x + turned.x, p.y + turned.y);
    data[at + half] = make_float2(p.x - turned.x, p.y - turned.y);
}

__global__ void transform_blocks(float2 *data)
{
    __shared__ float2 own[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    own[__brev(t) >> 22] = data[base + t];
    own[__brev(t + 512) >> 22] = data[base + t + 512];
    for (int half = 1; half < 1024; half *= 2) {
        __syncthreads();
        int k = t & (half - 1), at = (t - k) * 2 + k;
        float s, c;
        __sincosf(-3.14159265f * k / half, &s, &c);
        float2 p = own[at], q = own[at + half];
        float2 turned = make_float2(q.x * c - q.y * s, q.x * s + q.y * c);
        own[at] = make_float2(p.x + turned.x, p.y + turned.y);
        own[at + half] = make_float2(p.x - turned.x, p.y - turned.y);
    }
    __syncthreads();
    data[base + t] = own[t];
    data[base + t + 512] = own[t + 512];
}

// ------------------------------------------------------------------------------------------------ rows of a network

__global__ void softmax_by_warps(const float *in, float *out, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *from = in + row * columns;
    float most = -1e30f, sum = 0;
    for (int k = lane; k < columns; k += 32)
        most = fmaxf(most, from[k]);
    for (int k = 16; k; k /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
    for (int k = lane; k < columns; k += 32)
        sum += __expf(from[k] - most);
    for (int k = 16; k; k /= 2)
        sum += __shfl_xor_sync(~0u, sum, k);
    for (int k = lane; k < columns; k += 32)
        out[row * columns + k] = __expf(from[k] - most) / sum;
}

__global__ void softmax_by_threads(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float most = -1e30f, sum = 0;
    for (int k = 0; k < columns; k++)
        most = fmaxf(most, in[row * columns + k]);
    for (int k = 0; k < columns; k++)
        sum += expf(in[row * columns + k] - most);
    for (int k = 0; k < columns; k++)
        out[row * columns + k] = expf(in[row * columns + k] - most) / sum;
}

__global__ void normalise_rows(const float *in, const float *scale, const float *shift, float *out, int columns)
{
    __shared__ float sums[8], squares[8];
    int t = threadIdx.x;
    float sum = 0, square = 0;
    for (int k = t; k < columns; k += 256) {
        float x = in[blockIdx.x * columns + k];
        sum += x;
        square += x * x;
    }
    for (int k = 16; k; k /= 2) {
        sum += __shfl_xor_sync(~0u, sum, k);
        square += __shfl_xor_sync(~0u, square, k);
    }
    if (t % 32 == 0) {
        sums[t / 32] = sum;
        squares[t / 32] = square;
    }
    __syncthreads();
    sum = square = 0;
    for (int k = 0; k < 8; k++) {
        sum += sums[k];
        square += squares[k];
    }
    float mean = sum / columns, inverse = rsqrtf(square / columns - mean * mean + 1e-5f);
    for (int k = t; k < columns; k += 256)
        out[blockIdx.x * columns + k] = (in[blockIdx.x * columns + k] - mean) * inverse * scale[k] + shift[k];
}

// Scores of 32 queries against 32 keys of 64 numbers each.
__global__ void scores(const float *query, const float *key, float *out, int n)
{
    __shared__ float q[32][65], k[32][65];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int e = ty * 32 + tx; e < 32 * 64; e += 256) {
        q[e / 64][e % 64] = query[(blockIdx.y * 32 + e / 64) * 64 + e % 64];
        k[e / 64][e % 64] = key[(blockIdx.x * 32 + e / 64) * 64 + e % 64];
    }
    __syncthreads();
    for (int row = ty; row < 32; row += 8) {
        float dot = 0;
        for (int d = 0; d < 64; d++)
            dot += q[row][d] * k[tx][d];
        out[(blockIdx.y * 32 + row) * n + blockIdx.x * 32 + tx] = dot * 0.125f;
    }
}

__global__ void gelu(const float *in, const float *bias, float *out, int n, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i] + bias[i % columns];
        out[i] = 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
    }
}

__global__ void embed(const int *token, const float4 *table, float4 *out, int width)
{
    for (int k = threadIdx.x; k < width; k += blockDim.x)
        out[blockIdx.x * width + k] = table[token[blockIdx.x] * width + k];
}

// ------------------------------------------------------------------------------------------------ numbers

__device__ float normal_integral(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void options(const float *price, const float *strike, const float *years, float *call, float *put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = 5 + 25 * price[i], x = 1 + 99 * strike[i], t = 0.25f + 9.75f * years[i];
        float root = sqrtf(t), d1 = (logf(s / x) + (0.02f + 0.045f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
        float discount = x * expf(-0.02f * t), a = normal_integral(d1), b = normal_integral(d2);
        call[i] = s * a - discount * b;
        put[i] = discount * (1 - b) - s * (1 - a);
    }
}

__global__ void julia(unsigned char *image, int n, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    double x = 3.0 * px / n - 1.5, y = 3.0 * py / n - 1.5;
    int k = 0;
    for (; k < most && x * x + y * y < 4; k++) {
        double t = x * x - y * y - 0.8;
        y = 2 * x * y + 0.156;
        x = t;
    }
    image[py * n + px] = k;
}

__global__ void darts(int *hits, int throws)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
    int inside = 0;
    for (int k = 0; k < throws; k++) {
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        float x = (state >> 8) * (1.0f / 16777216);
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        float y = (state >> 8) * (1.0f / 16777216);
        inside += x * x + y * y < 1;
    }
    atomicAdd(hits, inside);
}

__global__ void attract(const float *x, const float *y, const float *m, float *fx, float *fy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float px = x[i], py = y[i], ax = 0, ay = 0;
    for (int k = 0; k < n; k++) {
        float dx = x[k] - px, dy = y[k] - py, d = dx * dx + dy * dy + 1e-4f;
        float f = m[k] / (d * sqrtf(d));
        ax += f * dx;
        ay += f * dy;
    }
    fx[i] = ax;
    fy[i] = ay;
}
