// Ladders on two- and three-dimensional arrays.

__global__ void turn_writes(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[x * n + y + k] = in[(y + k) * n + x];
}

__global__ void turn_reads(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = in[x * n + y + k];
}

template <int PAD> __global__ void turn_tiles(const float *in, float *out, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int k = y; k < 32; k += 8)
        tile[k][x] = in[(top + k) * n + left + x];
    __syncthreads();
    for (int k = y; k < 32; k += 8)
        out[(left + k) * n + top + x] = tile[x][k];
}

// 64 by 64 elements a block, in pairs.
__global__ void turn_pairs(const float *in, float *out, int n)
{
    __shared__ float tile[64][65];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 64, top = blockIdx.y * 64;
    for (int k = y; k < 64; k += 8) {
        float2 v = *(const float2 *)&in[(top + k) * n + left + 2 * x];
        tile[k][2 * x] = v.x;
        tile[k][2 * x + 1] = v.y;
    }
    __syncthreads();
    for (int k = y; k < 64; k += 8)
        *(float2 *)&out[(left + k) * n + top + 2 * x] = make_float2(tile[2 * x][k], tile[2 * x + 1][k]);
}

__constant__ float WEIGHTS[7][7] = {{1, 2, 3, 4, 3, 2, 1}, {2, 3, 4, 5, 4, 3, 2}, {3, 4, 5, 6, 5, 4, 3},
                                    {4, 5, 6, 7, 6, 5, 4}, {3, 4, 5, 6, 5, 4, 3}, {2, 3, 4, 5, 4, 3, 2},
                                    {1, 2, 3, 4, 3, 2, 1}};

__global__ void mask_global(const float *in, const float *weights, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int v = -3; v <= 3; v++)
        for (int u = -3; u <= 3; u++)
            if (y + v >= 0 && y + v < n && x + u >= 0 && x + u < n)
                sum += weights[(v + 3) * 7 + u + 3] * in[(y + v) * n + x + u];
    out[y * n + x] = sum;
}

__global__ void mask_constant(const float *in, const float *, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int v = -3; v <= 3; v++)
        for (int u = -3; u <= 3; u++)
            if (y + v >= 0 && y + v < n && x + u >= 0 && x + u < n)
                sum += WEIGHTS[v + 3][u + 3] * in[(y + v) * n + x + u];
    out[y * n + x] = sum;
}

// A tile of 32 by 8 results with its halo in shared memory.
__global__ void mask_tile(const float *in, const float *, float *out, int n)
{
    __shared__ float tile[14][38];
    int left = blockIdx.x * 32 - 3, top = blockIdx.y * 8 - 3, t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < 14 * 38; k += 256) {
        int x = left + k % 38, y = top + k / 38;
        tile[k / 38][k % 38] = x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int v = 0; v < 7; v++)
        for (int u = 0; u < 7; u++)
            sum += WEIGHTS[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
    out[(top + 3 + threadIdx.y) * n + left + 3 + threadIdx.x] = sum;
}

// As mask_tile, four rows of results a thread.
__global__ void mask_strips(const float *in, const float *, float *out, int n)
{
    __shared__ float tile[38][38];
    int left = blockIdx.x * 32 - 3, top = blockIdx.y * 32 - 3, t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < 38 * 38; k += 256) {
        int x = left + k % 38, y = top + k / 38;
        tile[k / 38][k % 38] = x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0;
    }
    __syncthreads();
    float sums[4] = {};
#pragma unroll
    for (int row = 0; row < 10; row++)
        for (int u = 0; u < 7; u++) {
            float value = tile[threadIdx.y * 4 + row][threadIdx.x + u];
            for (int k = 0; k < 4; k++)
                if (row >= k && row - k < 7)
                    sums[k] += WEIGHTS[row - k][u] * value;
        }
    for (int k = 0; k < 4; k++)
        out[(top + 3 + threadIdx.y * 4 + k) * n + left + 3 + threadIdx.x] = sums[k];
}

__global__ void heat_points(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1 || z < 1 || z >= n - 1)
        return;
    int i = (z * n + y) * n + x;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i]);
}

// Each thread walks through 32 planes and keeps three values of its column.
__global__ void heat_walk(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * 32;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = (z * n + y) * n + x;
    float below = z ? in[i - n * n] : 0, here = in[i];
    for (int k = 0; k < 32; k++, i += n * n) {
        float above = z + k + 1 < n ? in[i + n * n] : 0;
        if (z + k >= 1 && z + k < n - 1)
            out[i] = here + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above - 6 * here);
        below = here;
        here = above;
    }
}

// As heat_walk, with the plane in shared memory.
__global__ void heat_planes(const float *in, float *out, int n)
{
    __shared__ float plane[8 + 2][32 + 2];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 32;
    int u = threadIdx.x + 1, v = threadIdx.y + 1, i = (z * n + y) * n + x;
    float below = z ? in[i - n * n] : 0, here = in[i];
    for (int k = 0; k < 32; k++, i += n * n) {
        float above = z + k + 1 < n ? in[i + n * n] : 0;
        __syncthreads();
        plane[v][u] = here;
        if (u == 1)
            plane[v][0] = x > 0 ? in[i - 1] : 0;
        if (u == 32)
            plane[v][33] = x < n - 1 ? in[i + 1] : 0;
        if (v == 1)
            plane[0][u] = y > 0 ? in[i - n] : 0;
        if (v == 8)
            plane[9][u] = y < n - 1 ? in[i + n] : 0;
        __syncthreads();
        if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z + k >= 1 && z + k < n - 1)
            out[i] = here + 0.1f * (plane[v][u - 1] + plane[v][u + 1] + plane[v - 1][u] + plane[v + 1][u] + below
                                    + above - 6 * here);
        below = here;
        here = above;
    }
}
