// Searches, sorts, tables and small matrices, written for a blind test of the model of times.
#include <cuda_runtime.h>

__global__ void insert_keys(const int *keys, int *table, int n, int slots)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    int key = keys[k] + 1;
    unsigned at = (unsigned)key * 2654435761u & (slots - 1);
    while (true) {
        int before = atomicCAS(&table[at], 0, key);
        if (before == 0 || before == key)
            return;
        at = (at + 1) & (slots - 1);
    }
}

__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned bins[8][16];
    int warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < 8 * 16; k += blockDim.x)
        bins[k / 16][k % 16] = 0;
    __syncthreads();
    int first = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    for (int k = 0; k < 8; k++)
        atomicAdd(&bins[warp][keys[first + k * blockDim.x] >> shift & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++)
            sum += bins[w][threadIdx.x];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}

__global__ void merge_pieces(const int *a, const int *b, int *out, int n, int piece)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
    int low = max(0, first - n), high = min(first, n);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[first - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = first - low;
    for (int k = 0; k < piece; k++)
        out[first + k] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

__global__ void sort_in_shared(unsigned *data)
{
    __shared__ unsigned part[1024];
    unsigned *mine = data + blockIdx.x * 1024;
    part[threadIdx.x] = mine[threadIdx.x];
    part[threadIdx.x + 512] = mine[threadIdx.x + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
            unsigned a = part[low], b = part[high];
            if ((a > b) == ((low & size) == 0)) {
                part[low] = b;
                part[high] = a;
            }
        }
    __syncthreads();
    mine[threadIdx.x] = part[threadIdx.x];
    mine[threadIdx.x + 512] = part[threadIdx.x + 512];
}

__global__ void prefix_of_blocks(const int *in, int *out, int *totals)
{
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[at];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(~0u, value, d);
        if (lane >= d)
            value += other;
    }
    if (lane == 31)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(~0u, sum, d);
            if (lane >= d)
                sum += other;
        }
        sums[lane] = sum;
    }
    __syncthreads();
    value += warp ? sums[warp - 1] : 0;
    out[at] = value;
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = value;
}

__global__ void sum_by_key(const int *key, const float *value, float *sums, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int mine = k < n ? key[k] : -1;
    float sum = k < n ? value[k] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_down_sync(~0u, mine, d);
        float more = __shfl_down_sync(~0u, sum, d);
        if (lane + d < 32 && other == mine)
            sum += more;
    }
    int before = __shfl_up_sync(~0u, mine, 1);
    if (mine >= 0 && (lane == 0 || before != mine))
        atomicAdd(&sums[mine], sum);
}

__global__ void edit_distance(const unsigned char *a, const unsigned char *b, int *out, int length)
{
    __shared__ int rows[3][257];
    const unsigned char *mine = a + blockIdx.x * length, *other = b + blockIdx.x * length;
    int i = threadIdx.x + 1;
    int *now = rows[0], *last = rows[1], *older = rows[2];
    unsigned char letter = mine[threadIdx.x];
    for (int d = 1; d < 2 * length; d++) {
        int j = d - i + 1;
        int cost = 0;
        if (j >= 1 && j <= length) {
            int up = j == 1 ? i - 1 + j : last[i], left = i == 1 ? j : last[i - 1];
            int corner = i == 1 ? j - 1 : j == 1 ? i - 1 : older[i - 1];
            cost = min(min(up + 1, left + 1), corner + (letter != other[j - 1]));
        }
        now[i] = cost;
        __syncthreads();
        int *spare = older;
        older = last;
        last = now;
        now = spare;
    }
    if (i == length)
        out[blockIdx.x] = last[i];
}

__global__ void multiply_small(const float *a, const float *b, float *c)
{
    __shared__ float ta[16][16], tb[16][17];
    int at = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x;
    ta[threadIdx.y][threadIdx.x] = a[at];
    tb[threadIdx.y][threadIdx.x] = b[at];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    c[at] = sum;
}

__global__ void factorise_small(float *a, int n)
{
    __shared__ float m[32][33];
    float *mine = a + blockIdx.x * n * n;
    int i = threadIdx.x;
    for (int j = 0; j < n; j++)
        m[j][i] = i < n ? mine[j * n + i] + (i == j ? n : 0) : 0;
    __syncwarp();
    for (int k = 0; k < n; k++) {
        float pivot = sqrtf(fabsf(m[k][k]) + 1e-3f);
        if (i >= k)
            m[i][k] /= pivot;
        __syncwarp();
        for (int j = k + 1; j < n; j++)
            if (i >= j)
                m[i][j] -= m[i][k] * m[j][k];
        __syncwarp();
    }
    for (int j = 0; j < n; j++)
        if (i < n)
            mine[j * n + i] = i <= j ? m[j][i] : 0;
}

__global__ void greatest_of_rows(const float *in, int *where, int columns)
{
    float best = -1;
    int at = 0;
    for (int k = threadIdx.x; k < columns; k += 32) {
        float value = in[blockIdx.x * columns + k];
        if (value > best) {
            best = value;
            at = k;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        float other = __shfl_xor_sync(~0u, best, d);
        int place = __shfl_xor_sync(~0u, at, d);
        if (other > best || (other == best && place < at)) {
            best = other;
            at = place;
        }
    }
    if (threadIdx.x == 0)
        where[blockIdx.x] = at;
}

__global__ void to_bytes(const float4 *in, char4 *out, const float *scale, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        float4 v = in[k];
        float s = scale[k / 256];
        out[k] = make_char4(__float2int_rn(v.x * s), __float2int_rn(v.y * s), __float2int_rn(v.z * s),
                            __float2int_rn(v.w * s));
    }
}

__global__ void near_pairs(const float4 *place, const int *near, float4 *force, int n, int each)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = place[k];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < each; j++) {
        float4 q = place[near[j * n + k]];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        float r = dx * dx + dy * dy + dz * dz + 0.01f, i2 = 1 / r, i6 = i2 * i2 * i2;
        float f = i6 * (i6 - 0.5f) * i2;
        fx += f * dx;
        fy += f * dy;
        fz += f * dz;
    }
    force[k] = make_float4(fx, fy, fz, 0);
}

__global__ void shade_spheres(const float4 *spheres, float *image, int width, int count)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float ox = x / (float)width, oy = y / (float)width, nearest = 1e9f, light = 0;
    for (int k = 0; k < count; k++) {
        float4 s = spheres[k];
        float dx = ox - s.x, dy = oy - s.y, r = 0.2f * s.w, in = r * r - dx * dx - dy * dy;
        if (in > 0) {
            float dz = sqrtf(in), depth = s.z - dz;
            if (depth < nearest) {
                nearest = depth;
                light = dz / r;
            }
        }
    }
    image[y * width + x] = light;
}

__global__ void walk_at_random(unsigned *seed, float *mean, int steps)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = seed[k] | 1;
    float sum = 0;
    for (int j = 0; j < steps; j++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        sum += __logf((s >> 8) * 5.9e-8f + 1e-7f);
    }
    seed[k] = s;
    mean[k] = sum / steps;
}

__global__ void hash_words(const unsigned *in, unsigned *out, int n, int words)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = 0;
    for (int j = 0; j < words; j++) {
        unsigned w = in[j * n + k] * 0xcc9e2d51u;
        h ^= __funnelshift_l(w, w, 15) * 0x1b873593u;
        h = __funnelshift_l(h, h, 13) * 5 + 0xe6546b64u;
    }
    out[k] = h ^ h >> 16;
}

__global__ void walsh(float *data)
{
    __shared__ float part[1024];
    float *mine = data + blockIdx.x * 1024;
    for (int k = 0; k < 4; k++)
        part[threadIdx.x + 256 * k] = mine[threadIdx.x + 256 * k];
    for (int stride = 1; stride < 1024; stride *= 2) {
        __syncthreads();
        for (int k = threadIdx.x; k < 512; k += 256) {
            int low = 2 * k - (k & (stride - 1));
            float a = part[low], b = part[low + stride];
            part[low] = a + b;
            part[low + stride] = a - b;
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; k++)
        mine[threadIdx.x + 256 * k] = part[threadIdx.x + 256 * k];
}

__global__ void band_times_vector(const float *band, const float *x, float *y, int n, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        int column = row + k - width / 2;
        if (column >= 0 && column < n)
            sum += band[k * n + row] * x[column];
    }
    y[row] = sum;
}

__global__ void inner_products(const double *a, const double *b, double *out, int length)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    double sum = 0;
    for (int k = lane; k < length; k += 32)
        sum += a[row * length + k] * b[row * length + k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        out[row] = sum;
}

__global__ void first_equal(const int *in, int *first, int n, int wanted)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        if (in[k] == wanted)
            atomicMin(first, k);
}
