// Kernels on tables, texts, graphs and records, written for a second blind test of the model of times.
#include <cuda_runtime.h>
#include <stdint.h>

// Appends what is above a limit, one atomic a warp.
__global__ void keep_large(const int *in, int *out, int *count, int n, int limit)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int value = k < n ? in[k] : 0;
    bool keep = value > limit;
    unsigned who = __ballot_sync(~0u, keep);
    int lane = threadIdx.x % 32, first = 0;
    if (lane == 0 && who)
        first = atomicAdd(count, __popc(who));
    first = __shfl_sync(~0u, first, 0);
    if (keep)
        out[first + __popc(who & ((1u << lane) - 1))] = value;
}

__global__ void assign_to_centres(const float2 *points, const float2 *centres, int *nearest, float *sums, int *sizes,
                                  int n, int k)
{
    extern __shared__ float2 local[];
    for (int c = threadIdx.x; c < k; c += blockDim.x)
        local[c] = centres[c];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p = points[i];
    float best = 1e30f;
    int which = 0;
    for (int c = 0; c < k; c++) {
        float dx = p.x - local[c].x, dy = p.y - local[c].y, d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            which = c;
        }
    }
    nearest[i] = which;
    atomicAdd(&sums[2 * which], p.x);
    atomicAdd(&sums[2 * which + 1], p.y);
    atomicAdd(&sizes[which], 1);
}

__global__ void gather_rows(const float *table, const int *rows, float *out, int width)
{
    const float4 *from = (const float4 *)(table + (size_t)rows[blockIdx.x] * width);
    float4 *to = (float4 *)(out + (size_t)blockIdx.x * width);
    for (int k = threadIdx.x; k < width / 4; k += blockDim.x)
        to[k] = from[k];
}

__global__ void unpack_nibbles(const uint32_t *packed, const float *scales, float *out, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    uint32_t word = packed[k];
    float scale = scales[k / 4];
    float4 low, high;
    low.x = (float)(int)(word & 15) - 8, low.y = (float)(int)(word >> 4 & 15) - 8;
    low.z = (float)(int)(word >> 8 & 15) - 8, low.w = (float)(int)(word >> 12 & 15) - 8;
    high.x = (float)(int)(word >> 16 & 15) - 8, high.y = (float)(int)(word >> 20 & 15) - 8;
    high.z = (float)(int)(word >> 24 & 15) - 8, high.w = (float)(int)(word >> 28) - 8;
    low.x *= scale, low.y *= scale, low.z *= scale, low.w *= scale;
    high.x *= scale, high.y *= scale, high.z *= scale, high.w *= scale;
    ((float4 *)out)[2 * k] = low;
    ((float4 *)out)[2 * k + 1] = high;
}

__global__ void check_sums(const uint8_t *text, uint32_t *sums, int length)
{
    __shared__ uint32_t table[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        uint32_t c = k;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        table[k] = c;
    }
    __syncthreads();
    int which = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t crc = ~0u;
    for (int k = 0; k < length; k++)
        crc = table[(crc ^ text[(size_t)k * gridDim.x * blockDim.x + which]) & 255] ^ crc >> 8;
    sums[which] = ~crc;
}

__global__ void find_pattern(const uint8_t *text, const uint8_t *pattern, int *found, int n, int length)
{
    __shared__ uint8_t part[256 + 32], wanted[32];
    int first = blockIdx.x * 256;
    for (int k = threadIdx.x; k < 256 + length; k += blockDim.x)
        part[k] = first + k < n ? text[first + k] : 0;
    if (threadIdx.x < length)
        wanted[threadIdx.x] = pattern[threadIdx.x];
    __syncthreads();
    bool equal = true;
    for (int k = 0; equal && k < length; k++)
        equal = part[threadIdx.x + k] == wanted[k];
    if (equal)
        atomicAdd(found, 1);
}

// A vertex a thread, its edges in a row: a step of a search by levels.
__global__ void visit_level(const int *starts, const int *targets, int *level, int *more, int n, int degree, int now)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] > now)
        return;
    int end = min((starts[v] & 0xFFFF) % degree + v * degree + 1, (v + 1) * degree);
    for (int e = v * degree; e < end; e++)
        if (atomicMin(&level[targets[e]], now + 1) > now + 1)
            *more = 1;
}

__global__ void columns_of_records(const uint4 *records, uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        uint4 r = records[k];
        a[k] = r.x, b[k] = r.y, c[k] = r.z, d[k] = r.w;
    }
}

__device__ void exchange(unsigned &mine, int distance, bool up)
{
    unsigned other = __shfl_xor_sync(~0u, mine, distance);
    bool lower = (threadIdx.x & distance) == 0;
    mine = (lower == up) == (mine < other) ? mine : other;
}

__global__ void sort_in_warps(unsigned *data, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    unsigned mine = data[k];
    for (int size = 2; size <= 32; size *= 2)
        for (int distance = size / 2; distance; distance /= 2)
            exchange(mine, distance, (threadIdx.x & size) == 0 || size == 32);
    data[k] = mine;
}

__global__ void probe_table(const int *keys, const int2 *slots, int *values, int n, int mask)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    unsigned at = (unsigned)keys[k] * 2654435761u >> 7;
    int found = -1;
    for (int tries = 0; tries < 8; tries++, at++) {
        int2 slot = slots[at & mask];
        if (slot.x == keys[k] || slot.x % 3 == 0) {
            found = slot.y;
            break;
        }
    }
    values[k] = found;
}

__global__ void turn_shared(const uint16_t *in, uint16_t *out, int width, int height)
{
    __shared__ uint16_t tile[64][66];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    for (int y = threadIdx.y; y < 64; y += blockDim.y)
        for (int x = threadIdx.x; x < 64; x += blockDim.x)
            tile[y][x] = in[(y0 + y) * width + x0 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 64; y += blockDim.y)
        for (int x = threadIdx.x; x < 64; x += blockDim.x)
            out[(x0 + y) * height + y0 + x] = tile[x][y];
}

__global__ void sums_of_segments(const float *values, const int *starts, float *sums, int segment)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    int first = blockIdx.x * segment, count = segment / 2 + starts[blockIdx.x] % (segment / 2);
    float mine = 0;
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        mine += values[first + k];
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}
