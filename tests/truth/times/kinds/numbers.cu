// Kernels that compute: whole numbers of many words, arithmetic modulo a prime, products of bytes and of halves, grids.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>

const unsigned long long PRIME = 0xFFFFFFFF00000001ull;

__device__ unsigned long long product_modulo(unsigned long long a, unsigned long long b)
{
    unsigned long long low = a * b, high = __umul64hi(a, b), top = high >> 32, middle = high & 0xFFFFFFFFull;
    unsigned long long rest = low - top;
    if (low < top)
        rest -= 0xFFFFFFFFull;
    unsigned long long more = (middle << 32) - middle, sum = rest + more;
    if (sum < more)
        sum += 0xFFFFFFFFull;
    return sum >= PRIME ? sum - PRIME : sum;
}

__device__ unsigned long long sum_modulo(unsigned long long a, unsigned long long b)
{
    unsigned long long sum = a + b;
    if (sum < a || sum >= PRIME)
        sum -= PRIME;
    return sum;
}

// A transform of 512 numbers a block modulo a prime of 64 bits, in shared memory; the factors are powers of one.
__global__ void transform_modulo(const uint32_t *in, uint32_t *out, int factor)
{
    __shared__ unsigned long long values[512];
    int t = threadIdx.x, first = blockIdx.x * 512;
    values[t] = in[first + t];
    values[t + 256] = in[first + t + 256];
    unsigned long long root = factor;
    for (int half = 256; half > 0; half /= 2) {
        __syncthreads();
        int at = t / half * 2 * half + t % half;
        unsigned long long a = values[at], b = values[at + half];
        values[at] = sum_modulo(a, b);
        values[at + half] = product_modulo(sum_modulo(a, PRIME - b), root + t % half);
        root = product_modulo(root, root);
    }
    __syncthreads();
    out[first + t] = (uint32_t)values[t];
    out[first + t + 256] = (uint32_t)values[t + 256];
}

// Products of numbers of eight words; word k of number i is at k * n + i.
__global__ void long_products(const uint32_t *a, const uint32_t *b, uint32_t *product, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t left[8], right[8], found[16];
    for (int k = 0; k < 8; k++) {
        left[k] = a[k * n + i];
        right[k] = b[k * n + i];
        found[k] = found[k + 8] = 0;
    }
    for (int j = 0; j < 8; j++) {
        unsigned long long carry = 0;
        for (int k = 0; k < 8; k++) {
            carry += (unsigned long long)left[j] * right[k] + found[j + k];
            found[j + k] = (uint32_t)carry;
            carry >>= 32;
        }
        found[j + 8] = (uint32_t)carry;
    }
    for (int k = 0; k < 16; k++)
        product[k * n + i] = found[k];
}

// A product of matrices of bytes, four to a word: rows of the left and columns of the right one are words in a row.
__global__ void product_bytes(const int *a, const int *b, int *c, int n, int words)
{
    __shared__ int left[32][33], right[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    int sums[4] = {0, 0, 0, 0};
    for (int w = 0; w < words; w += 32) {
        for (int k = 0; k < 32; k += 8) {
            left[y + k][x] = a[(row + y + k) * words + w + x];
            right[y + k][x] = b[(column + y + k) * words + w + x];
        }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int j = 0; j < 4; j++)
                sums[j] = __dp4a(left[y + 8 * j][k], right[x][k], sums[j]);
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        c[(row + y + 8 * j) * n + column + x] = sums[j];
}

// A product of matrices of halves by tensor cores, a tile of 32 by 32 to a warp, four warps to a block.
__global__ void product_halves(const __half *a, const __half *b, float *c, int n)
{
    using namespace nvcuda;
    int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 32, column = (blockIdx.x * 2 + warp % 2) * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sums[i][j], 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right[2];
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(left[i], a + (row + 16 * i) * n + k, n);
            wmma::load_matrix_sync(right[i], b + k * n + column + 16 * i, n);
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (row + 16 * i) * n + column + 16 * j, sums[i][j], n, wmma::mem_row_major);
}

// The eigenvalues of symmetric matrices of three rows, from their characteristic polynomial.
__global__ void eigenvalues(const float *matrices, float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *m = matrices + 6 * i;
    float a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5];
    float mean = (a + d + f) / 3, off = b * b + c * c + e * e;
    float spread = sqrtf(((a - mean) * (a - mean) + (d - mean) * (d - mean) + (f - mean) * (f - mean) + 2 * off) / 6);
    a = (a - mean) / spread, d = (d - mean) / spread, f = (f - mean) / spread;
    b /= spread, c /= spread, e /= spread;
    float half = (a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)) / 2;
    float angle = acosf(fminf(1, fmaxf(-1, half))) / 3;
    float most = mean + 2 * spread * cosf(angle), least = mean + 2 * spread * cosf(angle + 2.0943951f);
    values[i] = most;
    values[n + i] = 3 * mean - most - least;
    values[2 * n + i] = least;
}

// Magnets on a square lattice, those of one colour in turn, by a random number for each.
__global__ void turn_magnets(const signed char *others, signed char *own, const uint32_t *seeds, int w, int h, int colour)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * w + x;
    int up = (y + h - 1) % h * w + x, down = (y + 1) % h * w + x;
    int side = y * w + ((y + colour) % 2 ? (x + 1) % w : (x + w - 1) % w);
    int sum = others[at] + others[up] + others[down] + others[side];
    uint32_t random = seeds[at];
    for (int k = 0; k < 4; k++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
    }
    float chance = 1 / (1 + __expf(-0.88f * sum));
    own[at] = random * 2.3283064e-10f < chance ? 1 : -1;
}

// Masses that each go to the four points of a grid around them.
__global__ void spread_masses(const float *x, const float *y, const float *mass, float *grid, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float px = x[i] * (width - 2), py = y[n - 1 - i] * (width - 2), m = mass[i];
    int column = (int)px, row = (int)py;
    float right = px - column, below = py - row;
    float *at = grid + row * width + column;
    atomicAdd(at, m * (1 - right) * (1 - below));
    atomicAdd(at + 1, m * right * (1 - below));
    atomicAdd(at + width, m * (1 - right) * below);
    atomicAdd(at + width + 1, m * right * below);
}

// A mean over 13 rows, a strip of columns to a block; the next rows come by asynchronous copies meanwhile.
__global__ void mean_of_rows(const float *in, float *out, int w, int rows)
{
    __shared__ float ring[16][128];
    int t = threadIdx.x, column = blockIdx.x * 128 + t, first = blockIdx.y * rows;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        __pipeline_memcpy_async(&ring[k][t], in + (first + k) * w + column, 4);
        __pipeline_commit();
    }
    for (int y = 0; y < rows + 12; y++) {
        __pipeline_wait_prior(3);
        sum += ring[y % 16][t];
        if (y >= 12)
            out[(first + y - 12) * w + column] = sum / 13;
        if (y >= 12)
            sum -= ring[(y - 12) % 16][t];
        if (y + 4 < rows + 12)
            __pipeline_memcpy_async(&ring[(y + 4) % 16][t], in + (first + y + 4) * w + column, 4);
        __pipeline_commit();
    }
}
