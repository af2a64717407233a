// Clusters, neighbours, graphs, tables and strings in steps, written for a blind test of the model of times.
#include <cuda_runtime.h>

// The nearest of c centres of 8 values, for each of n points; points by value (column by column).
__global__ void cluster_global(const float *points, const float *centres, int *nearest, int n, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 1e30f;
    for (int k = 0; k < c; k++) {
        float d = 0;
        for (int e = 0; e < 8; e++) {
            float step = points[e * n + i] - centres[k * 8 + e];
            d += step * step;
        }
        if (d < least) {
            least = d;
            best = k;
        }
    }
    nearest[i] = best;
}

__global__ void cluster_shared(const float *points, const float *centres, int *nearest, int n, int c)
{
    extern __shared__ float mine[];
    for (int k = threadIdx.x; k < c * 8; k += blockDim.x)
        mine[k] = centres[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 1e30f, p[8];
#pragma unroll
    for (int e = 0; e < 8; e++)
        p[e] = points[e * n + i];
    for (int k = 0; k < c; k++) {
        float d = 0;
#pragma unroll
        for (int e = 0; e < 8; e++)
            d += (p[e] - mine[k * 8 + e]) * (p[e] - mine[k * 8 + e]);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    nearest[i] = best;
}

__global__ void cluster_rows(const float4 *points, const float4 *centres, int *nearest, int n, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float4 a = points[2 * i], b = points[2 * i + 1];
    float least = 1e30f;
#pragma unroll 4
    for (int k = 0; k < c; k++) {
        float4 x = centres[2 * k], y = centres[2 * k + 1];
        float d = (a.x - x.x) * (a.x - x.x) + (a.y - x.y) * (a.y - x.y) + (a.z - x.z) * (a.z - x.z) + (a.w - x.w) * (a.w - x.w)
                + (b.x - y.x) * (b.x - y.x) + (b.y - y.y) * (b.y - y.y) + (b.z - y.z) * (b.z - y.z) + (b.w - y.w) * (b.w - y.w);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    nearest[i] = best;
}

// The sums of the points of each cluster.
__global__ void centres_global(const float *points, const int *nearest, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = nearest[i];
    for (int e = 0; e < 8; e++)
        atomicAdd(&sums[k * 8 + e], points[e * n + i]);
}

__global__ void centres_shared(const float *points, const int *nearest, float *sums, int n, int c)
{
    extern __shared__ float mine[];
    for (int k = threadIdx.x; k < c * 8; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int e = 0; e < 8; e++)
            atomicAdd(&mine[nearest[i] * 8 + e], points[e * n + i]);
    __syncthreads();
    for (int k = threadIdx.x; k < c * 8; k += blockDim.x)
        atomicAdd(&sums[k], mine[k]);
}

// Ranks of pages, pulled along the edges that arrive or pushed along those that leave; d edges each.
__global__ void pull_thread(const int *starts, const int *sources, const float *rank, float *next, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int e = starts[v]; e < starts[v + 1]; e++)
        sum += rank[sources[e]];
    next[v] = 0.15f / n + 0.85f * sum;
}

__global__ void pull_warp(const int *starts, const int *sources, const float *rank, float *next, int n)
{
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int e = starts[v] + lane; e < starts[v + 1]; e += 32)
        sum += rank[sources[e]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        next[v] = 0.15f / n + 0.85f * sum;
}

__global__ void push_thread(const int *starts, const int *targets, const float *rank, float *next)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    float share = 0.85f * rank[v] / (starts[v + 1] - starts[v]);
    for (int e = starts[v]; e < starts[v + 1]; e++)
        atomicAdd(&next[targets[e]], share);
}

__global__ void reach(const int *starts, const int *targets, const int *level, int *next, int n, int now)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (level[v] != now)
        return;
    for (int e = starts[v]; e < starts[v + 1]; e++)
        if (level[targets[e]] > now)
            next[targets[e]] = now + 1;
}

// Distances of n points in 16 dimensions from m queries, the least of each.
__global__ void neighbour_global(const float *queries, const float *points, float *least, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float best = 1e30f;
    for (int j = 0; j < n; j++) {
        float d = 0;
        for (int e = 0; e < 16; e++) {
            float step = queries[i * 16 + e] - points[j * 16 + e];
            d += step * step;
        }
        best = fminf(best, d);
    }
    least[i] = best;
}

template <int each> __global__ void neighbour_tiles(const float *queries, const float *points, float *least, int n)
{
    __shared__ float tile[64][16];
    int first = blockIdx.x * blockDim.x * each + threadIdx.x;
    float q[each][16], best[each];
#pragma unroll
    for (int k = 0; k < each; k++) {
        best[k] = 1e30f;
#pragma unroll
        for (int e = 0; e < 16; e++)
            q[k][e] = queries[(first + k * blockDim.x) * 16 + e];
    }
    for (int j = 0; j < n; j += 64) {
        for (int e = threadIdx.x; e < 1024; e += blockDim.x)
            tile[e / 16][e % 16] = points[j * 16 + e];
        __syncthreads();
        for (int p = 0; p < 64; p++)
#pragma unroll
            for (int k = 0; k < each; k++) {
                float d = 0;
#pragma unroll
                for (int e = 0; e < 16; e++)
                    d += (q[k][e] - tile[p][e]) * (q[k][e] - tile[p][e]);
                best[k] = fminf(best[k], d);
            }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < each; k++)
        least[first + k * blockDim.x] = best[k];
}

// Keys put into a table of open addressing, then looked for.
__global__ void table_put(unsigned *table, const unsigned *keys, int n, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i] | 1, slot = key * 2654435761u;
    for (int probes = 0; probes < 64; probes++, slot++) {
        unsigned found = atomicCAS(&table[slot & mask], 0u, key);
        if (found == 0 || found == key)
            return;
    }
}

__global__ void table_find(const unsigned *table, const unsigned *keys, int *found, int n, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i] | 1, slot = key * 2654435761u;
    int probes = 0;
    while (probes < 16 && table[slot & mask] != key) {
        slot++;
        probes++;
    }
    found[i] = probes;
}

// Where a pattern of m letters stands in a text.
__global__ void match_global(const unsigned char *text, const unsigned char *pattern, int *hits, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i >= n - m)
        return;
    while (k < m && text[i + k] == pattern[k])
        k++;
    if (k == m)
        atomicAdd(hits, 1);
}

__global__ void match_words(const unsigned *text, const unsigned *pattern, int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    if (i >= n - 1)
        return;
    unsigned low = text[i], high = text[i + 1], wanted = pattern[0];
    for (int k = 0; k < 4; k++)
        found += __funnelshift_r(low, high, 8 * k) == wanted;
    if (found)
        atomicAdd(hits, found);
}

// Values that pass a test, kept in any order.
__global__ void keep_each(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[atomicAdd(count, 1)] = in[i];
}

__global__ void keep_warp(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, base = 0;
    int value = in[min(i, n - 1)];
    bool keep = i < n && value % 3 == 0;
    unsigned votes = __ballot_sync(~0u, keep);
    if (lane == 0 && votes)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(~0u, base, 0);
    if (keep)
        out[base + __popc(votes & ((1u << lane) - 1))] = value;
}

__global__ void keep_block(const int *in, int *out, int *count, int n)
{
    __shared__ int total, base;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = 0;
    bool keep = i < n && in[i] % 3 == 0;
    if (keep)
        place = atomicAdd(&total, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        base = atomicAdd(count, total);
    __syncthreads();
    if (keep)
        out[base + place] = in[i];
}
