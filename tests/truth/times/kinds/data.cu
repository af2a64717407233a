// Kernels on data: decisions, states, texts, boxes, bits and best entries.
#include <stdint.h>

// The most likely states of a chain of 64, a sequence to a block, step by step.
__global__ void likely_states(const float *changes, const float *emissions, const uint8_t *seen, uint8_t *from,
                              float *best, int steps)
{
    __shared__ float scores[2][64], table[64][65];
    int t = threadIdx.x;
    for (int k = 0; k < 64; k++)
        table[k][t] = changes[k * 64 + t];
    scores[0][t] = 0;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        const float *now = scores[s % 2];
        float most = -1e30f;
        int which = 0;
        for (int k = 0; k < 64; k++) {
            float score = now[k] + table[k][t];
            if (score > most)
                most = score, which = k;
        }
        from[(blockIdx.x * steps + s) * 64 + t] = which;
        scores[(s + 1) % 2][t] = most + emissions[seen[blockIdx.x * steps + s] * 64 + t];
        __syncthreads();
    }
    best[blockIdx.x * 64 + t] = scores[steps % 2][t];
}

// The mean of what trees of decisions say, each of depth nine; a thread for an item with 16 features.
__global__ void decide(const float *limits, const int *features, const float *items, float *out, int n, int trees)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int tree = 0; tree < trees; tree++) {
        int node = 0;
        for (int depth = 0; depth < 9; depth++) {
            int at = tree * 1023 + node;
            node = 2 * node + (items[features[at] * n + i] < limits[at] ? 1 : 2);
        }
        sum += limits[tree * 1023 + node];
    }
    out[i] = sum / trees;
}

// How many changes a word of up to 32 letters needs to end at each of many texts, by bits of its columns.
__global__ void distances_by_bits(const uint8_t *texts, const uint32_t *letters, int *out, int length)
{
    __shared__ uint32_t masks[4];
    if (threadIdx.x < 4)
        masks[threadIdx.x] = letters[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x, score = 32, least = 32;
    uint32_t plus = ~0u, minus = 0;
    for (int k = 0; k < length; k++) {
        uint32_t equal = masks[texts[k * n + i]];
        uint32_t x = equal | minus, d0 = (((x & plus) + plus) ^ plus) | x;
        uint32_t hp = minus | ~(plus | d0), hn = plus & d0;
        score += (hp >> 31) - (hn >> 31);
        hp <<= 1;
        plus = hn << 1 | ~(d0 | hp);
        minus = hp & d0;
        least = min(least, score);
    }
    out[i] = least;
}

// The lengths of runs of equal values within a block, packed.
__global__ void encode_runs(const uint8_t *in, uint8_t *values, uint16_t *ends, int *counts)
{
    __shared__ int warps[9];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 256 + t;
    uint8_t value = in[at];
    bool last = t == 255 || in[at + 1] != value;
    unsigned set = __ballot_sync(~0u, last);
    if (lane == 0)
        warps[warp + 1] = __popc(set);
    __syncthreads();
    if (t == 0) {
        warps[0] = 0;
        for (int k = 1; k < 9; k++)
            warps[k] += warps[k - 1];
    }
    __syncthreads();
    int place = warps[warp] + __popc(set & ((1u << lane) - 1));
    if (last) {
        values[blockIdx.x * 256 + place] = value;
        ends[blockIdx.x * 256 + place] = t + 1;
    }
    if (t == 0)
        counts[blockIdx.x] = warps[8];
}

// How many of the boxes of a tree a point is in, by a stack of each thread; the children of box b are 2 b + 1 and + 2.
__global__ void inside_boxes(const float *boxes, const float *points, int *out, int n, int leaves)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = points[i], y = points[n + i];
    int stack[24], top = 0, found = 0;
    stack[top++] = 0;
    while (top > 0) {
        int box = stack[--top];
        int depth = 31 - __clz(box + 1);
        float cx = boxes[2 * box], cy = boxes[2 * box + 1], reach = 0.6f / (1 << (depth / 2));
        if (fabsf(x - cx) < reach && fabsf(y - cy) < reach) {
            if (box >= leaves - 1)
                found++;
            else {
                stack[top++] = 2 * box + 1;
                stack[top++] = 2 * box + 2;
            }
        }
    }
    out[i] = found;
}

// Numbers of so many bits each, which lie without gaps.
__global__ void unpack_bits(const uint32_t *packed, int *out, int n, int bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long bit = (long long)i * bits;
    int word = (int)(bit >> 5);
    uint32_t value = __funnelshift_r(packed[word], packed[word + 1], bit & 31);
    out[i] = value & ((1u << bits) - 1);
}

// The four greatest entries of each row, a warp to a row.
__global__ void greatest_four(const float *rows, float *out, int width)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    float most[4] = {-1, -1, -1, -1};
    for (int k = lane; k < width; k += 32) {
        float value = rows[row * width + k];
        for (int j = 0; j < 4; j++)
            if (value > most[j]) {
                float kept = most[j];
                most[j] = value;
                value = kept;
            }
    }
    for (int round = 0; round < 4; round++) {
        float greatest = most[0];
        for (int d = 16; d > 0; d /= 2)
            greatest = fmaxf(greatest, __shfl_xor_sync(~0u, greatest, d));
        unsigned has = __ballot_sync(~0u, most[0] == greatest);
        if (lane == __ffs(has) - 1) {
            most[0] = most[1], most[1] = most[2], most[2] = most[3], most[3] = -1;
            out[row * 4 + round] = greatest;
        }
    }
}
