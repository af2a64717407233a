// Kernels on images and signals, written for a blind test of the model of times.
#include <cuda_runtime.h>

__global__ void resize_bilinear(const float *in, float *out, int width, int height, float scale)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float fx = fminf(x * scale, width - 1.001f), fy = fminf(y * scale, height - 1.001f);
    int x0 = (int)fx, y0 = (int)fy;
    float a = fx - x0, b = fy - y0;
    const float *row = in + y0 * width + x0;
    float top = row[0] * (1 - a) + row[1] * a, bottom = row[width] * (1 - a) + row[width + 1] * a;
    out[y * width + x] = top * (1 - b) + bottom * b;
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[18][34];
    int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 16 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 18 * 34; k += 512) {
        int x = min(max(x0 + k % 34, 0), width - 1), y = min(max(y0 + k / 34, 0), height - 1);
        tile[k / 34][k % 34] = in[y * width + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int gx = tile[y - 1][x + 1] + 2 * tile[y][x + 1] + tile[y + 1][x + 1]
           - tile[y - 1][x - 1] - 2 * tile[y][x - 1] - tile[y + 1][x - 1];
    int gy = tile[y + 1][x - 1] + 2 * tile[y + 1][x] + tile[y + 1][x + 1]
           - tile[y - 1][x - 1] - 2 * tile[y - 1][x] - tile[y - 1][x + 1];
    out[(y0 + y) * width + x0 + x] = min(abs(gx) + abs(gy), 255);
}

__device__ inline void order(float &a, float &b)
{
    float least = fminf(a, b);
    b = fmaxf(a, b);
    a = least;
}

__global__ void median_of_nine(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
        return;
    float v[9];
    for (int k = 0; k < 9; k++)
        v[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
    for (int last = 8; last > 3; last--)
        for (int k = 0; k < last; k++)
            order(v[k], v[k + 1]);
    out[y * width + x] = v[4];
}

__global__ void life(const unsigned char *now, unsigned char *next, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += now[((y + dy) & (n - 1)) * n + ((x + dx) & (n - 1))] & 1;
    next[y * n + x] = alive == 3 || (alive == 2 && (now[y * n + x] & 1));
}

__global__ void to_planes(const unsigned char *rgb, unsigned char *red, unsigned char *green, unsigned char *blue, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) {
        red[k] = rgb[3 * k];
        green[k] = rgb[3 * k + 1];
        blue[k] = rgb[3 * k + 2];
    }
}

__global__ void cosine_blocks(const float *in, float *out, const float *table, int width)
{
    __shared__ float block[4][8][9], c[8][8];
    int which = threadIdx.y / 8, row = threadIdx.y % 8, column = threadIdx.x;
    int x = (blockIdx.x * 4 + which) * 8 + column, y = blockIdx.y * 8 + row;
    if (which == 0)
        c[row][column] = table[row * 8 + column];
    block[which][row][column] = in[y * width + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += c[row][k] * block[which][k][column];
    __syncthreads();
    block[which][row][column] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += block[which][row][k] * c[column][k];
    out[y * width + x] = sum;
}

__global__ void moving_mean(const float *in, float *out, int n, int width)
{
    extern __shared__ float part[];
    int first = blockIdx.x * blockDim.x;
    for (int k = threadIdx.x; k < blockDim.x + width; k += blockDim.x)
        part[k] = first + k < n ? in[first + k] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += part[threadIdx.x + k];
    out[first + threadIdx.x] = sum / width;
}

__global__ void look_up(const unsigned char *in, const float *table, float *out, int n)
{
    __shared__ float values[256];
    values[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        out[k] = values[in[k]];
}

__global__ void swap_axes(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int z = blockIdx.x * 32, y = blockIdx.y, x = blockIdx.z * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        tile[k][threadIdx.x] = in[((z + k) * n + y) * n + x + threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        out[((x + k) * n + y) * n + z + threadIdx.x] = tile[threadIdx.x][k];
}

__global__ void heat_in_space(const float *from, float *to, int n, float rate)
{
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, plane = n * n, at = y * n + x;
    float below = from[at], here = from[at + plane];
    for (int z = 1; z < n - 1; z++) {
        at += plane;
        float above = from[at + plane];
        __syncthreads();
        tile[ty][tx] = here;
        if (threadIdx.x == 0) tile[ty][0] = x > 0 ? from[at - 1] : 0;
        if (threadIdx.x == 31) tile[ty][33] = x < n - 1 ? from[at + 1] : 0;
        if (threadIdx.y == 0) tile[0][tx] = y > 0 ? from[at - n] : 0;
        if (threadIdx.y == 7) tile[9][tx] = y < n - 1 ? from[at + n] : 0;
        __syncthreads();
        to[at] = here + rate * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]
                                + below + above - 6 * here);
        below = here;
        here = above;
    }
}
