// Grids that evolve, in steps, written for a blind test of the model of times.
#include <cuda_runtime.h>

// Heat of a chip: temperature t, power p.
__global__ void chip_points(const float *t, const float *p, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * n + x;
    float west = t[x ? at - 1 : at], east = t[x < n - 1 ? at + 1 : at];
    float north = t[y ? at - n : at], south = t[y < n - 1 ? at + n : at], here = t[at];
    out[at] = here + 0.1f * (p[at] + (north + south - 2 * here) * 0.5f + (east + west - 2 * here) * 0.3f + (80 - here) * 0.01f);
}

__global__ void chip_tiles(const float *t, const float *p, float *out, int n)
{
    __shared__ float tile[18][34];
    int left = blockIdx.x * 32 - 1, top = blockIdx.y * 16 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 18 * 34; k += 512) {
        int x = min(max(left + k % 34, 0), n - 1), y = min(max(top + k / 34, 0), n - 1);
        tile[k / 34][k % 34] = t[y * n + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1, at = (top + y) * n + left + x;
    float here = tile[y][x];
    out[at] = here + 0.1f * (p[at] + (tile[y - 1][x] + tile[y + 1][x] - 2 * here) * 0.5f
                             + (tile[y][x + 1] + tile[y][x - 1] - 2 * here) * 0.3f + (80 - here) * 0.01f);
}

template <int steps> __global__ void chip_pyramid(const float *t, const float *p, float *out, int n)
{
    __shared__ float now[32][32], next[32][32];
    const int inner = 32 - 2 * steps;
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (int)blockIdx.x * inner + tx - steps, y = (int)blockIdx.y * inner + ty - steps;
    bool inside = x >= 0 && y >= 0 && x < n && y < n;
    float power = inside ? p[y * n + x] : 0;
    now[ty][tx] = inside ? t[y * n + x] : 80;
    __syncthreads();
    for (int s = 1; s <= steps; s++) {
        if (tx >= s && ty >= s && tx < 32 - s && ty < 32 - s) {
            float here = now[ty][tx];
            next[ty][tx] = here + 0.1f * (power + (now[ty - 1][tx] + now[ty + 1][tx] - 2 * here) * 0.5f
                                          + (now[ty][tx + 1] + now[ty][tx - 1] - 2 * here) * 0.3f + (80 - here) * 0.01f);
        }
        __syncthreads();
        now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (tx >= steps && ty >= steps && tx < 32 - steps && ty < 32 - steps && inside)
        out[y * n + x] = now[ty][tx];
}

// A wave in space: eighth order, 25 points.
__global__ void wave_points(const float *now, float *before, int n)
{
    const float c[5] = {-2.5f, 1.6f, -0.2f, 0.025f, -0.0018f};
    int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4, z = blockIdx.z + 4;
    if (x >= n - 4 || y >= n - 4)
        return;
    int at = (z * n + y) * n + x;
    float sum = 3 * c[0] * now[at];
    for (int r = 1; r <= 4; r++)
        sum += c[r] * (now[at - r] + now[at + r] + now[at - r * n] + now[at + r * n] + now[at - r * n * n] + now[at + r * n * n]);
    before[at] = 2 * now[at] - before[at] + 0.1f * sum;
}

__global__ void wave_planes(const float *now, float *before, int n)
{
    const float c[5] = {-2.5f, 1.6f, -0.2f, 0.025f, -0.0018f};
    __shared__ float tile[16 + 8][32 + 8];
    int tx = threadIdx.x + 4, ty = threadIdx.y + 4, x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty;
    bool inside = x < n - 4 && y < n - 4;
    int xr = min(x, n - 5), yr = min(y, n - 5), plane = n * n, at = yr * n + xr;
    float column[9];
    for (int k = 0; k < 8; k++)
        column[k + 1] = now[at + k * plane];
    for (int z = 4; z < n - 4; z++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            column[k] = column[k + 1];
        int here = at + z * plane;
        column[8] = now[here + 4 * plane];
        __syncthreads();
        tile[ty][tx] = column[4];
        if (threadIdx.x < 4) {
            tile[ty][tx - 4] = now[here - 4];
            tile[ty][tx + 32] = now[min(here + 32, n * n * n - 1)];
        }
        if (threadIdx.y < 4) {
            tile[ty - 4][tx] = now[here - 4 * n];
            tile[ty + 16][tx] = now[min(here + 16 * n, n * n * n - 1)];
        }
        __syncthreads();
        float sum = 3 * c[0] * column[4];
#pragma unroll
        for (int r = 1; r <= 4; r++)
            sum += c[r] * (tile[ty][tx - r] + tile[ty][tx + r] + tile[ty - r][tx] + tile[ty + r][tx] + column[4 - r] + column[4 + r]);
        if (inside)
            before[here] = 2 * column[4] - before[here] + 0.1f * sum;
    }
}

// A fluid on a lattice of nine directions, collided and streamed; by cell or by direction.
__device__ inline void collide(float *f)
{
    float rho = 0, ux, uy;
    for (int k = 0; k < 9; k++)
        rho += f[k];
    ux = f[1] - f[3] + f[5] - f[6] - f[7] + f[8];
    uy = f[2] - f[4] + f[5] + f[6] - f[7] - f[8];
    float inverse = 1 / (rho + 1e-6f);
    ux *= inverse;
    uy *= inverse;
    float square = 1.5f * (ux * ux + uy * uy);
    const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    for (int k = 0; k < 9; k++) {
        float w = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36, e = 3 * (ex[k] * ux + ey[k] * uy);
        f[k] += 0.6f * (w * rho * (1 + e + 0.5f * e * e - square) - f[k]);
    }
}

template <bool by_cell> __global__ void lattice(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float f[9];
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int cell = ((y - ey[k]) & (n - 1)) * n + ((x - ex[k]) & (n - 1));
        f[k] = by_cell ? in[cell * 9 + k] : in[k * n * n + cell];
    }
    collide(f);
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int cell = y * n + x;
        (by_cell ? out[cell * 9 + k] : out[k * n * n + cell]) = f[k];
    }
}

// The cheapest path down a grid: one row a step, several rows in a block.
template <int rows> __global__ void cheapest(const int *cost, const int *from, int *to, int w)
{
    __shared__ int now[256], next[256];
    int t = threadIdx.x, x = (int)blockIdx.x * (256 - 2 * rows) + t - rows, xc = min(max(x, 0), w - 1);
    now[t] = from[xc];
    __syncthreads();
    for (int r = 0; r < rows; r++) {
        if (t > r && t < 255 - r)
            next[t] = min(now[t], min(now[t - 1], now[t + 1])) + cost[r * w + xc];
        __syncthreads();
        if (t > r && t < 255 - r)
            now[t] = next[t];
        __syncthreads();
    }
    if (t >= rows && t < 256 - rows && x < w)
        to[x] = now[t];
}

// Edge-preserving diffusion: coefficients, then the update.
__global__ void diffuse_coefficients(const float *image, float *c, int n, float q)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * n + x;
    float j = image[at] + 0.01f;
    float dn = image[max(y - 1, 0) * n + x] - j, ds = image[min(y + 1, n - 1) * n + x] - j;
    float dw = image[y * n + max(x - 1, 0)] - j, de = image[y * n + min(x + 1, n - 1)] - j;
    float g = (dn * dn + ds * ds + dw * dw + de * de) / (j * j), l = (dn + ds + dw + de) / j;
    float num = 0.5f * g - 0.0625f * l * l, den = 1 + 0.25f * l;
    float value = (num / (den * den) - q) / (q * (1 + q));
    c[at] = fminf(fmaxf(1 / (1 + value), 0.f), 1.f);
}

// Edit distance of two strings: 16 by 16 tiles along a diagonal, the cells of a tile diagonal by diagonal.
__global__ void align_tiles(int *score, const int *match, int n, int diagonal)
{
    __shared__ int cell[17][17], cost[16][16];
    int t = threadIdx.x, bx = blockIdx.x, by = diagonal - bx, x0 = bx * 16, y0 = by * 16, w = n + 1;
    for (int y = 0; y < 16; y++)
        cost[y][t] = match[(y0 + y) * n + x0 + t];
    cell[0][t + 1] = score[y0 * w + x0 + t + 1];
    cell[t + 1][0] = score[(y0 + t + 1) * w + x0];
    if (t == 0)
        cell[0][0] = score[y0 * w + x0];
    __syncthreads();
    for (int d = 0; d < 31; d++) {
        int y = d - t;
        if (y >= 0 && y < 16)
            cell[y + 1][t + 1] = max(cell[y][t] + cost[y][t], max(cell[y + 1][t], cell[y][t + 1]) - 2);
        __syncthreads();
    }
    for (int y = 0; y < 16; y++)
        score[(y0 + y + 1) * w + x0 + t + 1] = cell[y + 1][t + 1];
}
