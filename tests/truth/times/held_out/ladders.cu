// Three ladders: a sum of floats, a transpose of doubles or floats, and a five-point or seven-point stencil.

// ------------------------------------------------------------------------------------------------ sums

__global__ void sum_atomics(const float *x, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}

__global__ void sum_shared_atomics(const float *x, float *sum, int n)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&total, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

template <int B>
__global__ void sum_interleaved(const float *x, float *sum, int n)
{
    __shared__ float part[B];
    int i = blockIdx.x * B + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    for (int active = B / 2, step = 1; active > 0; active /= 2, step *= 2) {
        __syncthreads();
        if (threadIdx.x < active)
            part[2 * step * threadIdx.x] += part[2 * step * threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, part[0]);
}

template <int B>
__global__ void sum_sequential(const float *x, float *sum, int n)
{
    __shared__ float part[B];
    int i = blockIdx.x * (4 * B) + threadIdx.x;
    float own = 0;
    for (int k = 0; k < 4; k++)
        if (i + k * B < n)
            own += x[i + k * B];
    part[threadIdx.x] = own;
    for (int active = B / 2; active >= 32; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active)
            part[threadIdx.x] += part[threadIdx.x + active];
    }
    if (threadIdx.x < 32) {
        own = part[threadIdx.x];
        for (int k = 16; k > 0; k >>= 1)
            own += __shfl_xor_sync(~0u, own, k);
        if (threadIdx.x == 0)
            atomicAdd(sum, own);
    }
}

__global__ void sum_warps(const float *x, float *sum, int n)
{
    float own = 0;
    int all = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
        own += x[i];
    for (int k = 16; k > 0; k >>= 1)
        own += __shfl_down_sync(~0u, own, k);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(sum, own);
}

__global__ void sum_vectors(const float4 *x, float *sum, int n)
{
    float own = 0;
    int all = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * all) {
        float4 a = x[i];
        float4 b = i + all < n ? x[i + all] : make_float4(0, 0, 0, 0);
        own += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    }
    for (int k = 16; k > 0; k >>= 1)
        own += __shfl_down_sync(~0u, own, k);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(sum, own);
}

// ------------------------------------------------------------------------------------------------ transposes

template <class T>
__global__ void turn_copy(const T *from, T *to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    to[row * n + column] = from[row * n + column];
}

template <class T>
__global__ void turn_scatter(const T *from, T *to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    to[column * n + row] = from[row * n + column];
}

template <class T>
__global__ void turn_gather(const T *from, T *to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    to[row * n + column] = from[column * n + row];
}

template <class T, int S, int PAD>
__global__ void turn_tile(const T *from, T *to, int n)
{
    __shared__ T tile[S][S + PAD];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = from[(blockIdx.y * S + ty) * n + blockIdx.x * S + tx];
    __syncthreads();
    to[(blockIdx.x * S + ty) * n + blockIdx.y * S + tx] = tile[tx][ty];
}

template <class T>
__global__ void turn_swizzled(const T *from, T *to, int n)
{
    __shared__ T tile[32 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty; k < 32; k += 8)
        tile[k * 32 + (tx ^ k)] = from[(blockIdx.y * 32 + k) * n + blockIdx.x * 32 + tx];
    __syncthreads();
    for (int k = ty; k < 32; k += 8)
        to[(blockIdx.x * 32 + k) * n + blockIdx.y * 32 + tx] = tile[tx * 32 + (k ^ tx)];
}

// ------------------------------------------------------------------------------------------------ stencils

__global__ void five_columns(const float *from, float *to, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x + 1, column = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (row < n - 1 && column < n - 1)
        to[row * n + column] = 0.25f * (from[(row - 1) * n + column] + from[(row + 1) * n + column] +
                                        from[row * n + column - 1] + from[row * n + column + 1]);
}

__global__ void five_rows(const float *from, float *to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x + 1, row = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (row < n - 1 && column < n - 1)
        to[row * n + column] = 0.25f * (from[(row - 1) * n + column] + from[(row + 1) * n + column] +
                                        from[row * n + column - 1] + from[row * n + column + 1]);
}

template <int S>
__global__ void five_tile(const float *from, float *to, int n)
{
    __shared__ float tile[S + 2][S + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int left = blockIdx.x * S, top = blockIdx.y * S;
    for (int y = ty; y < S + 2; y += S)
        for (int x = tx; x < S + 2; x += S)
            tile[y][x] = top + y < n && left + x < n ? from[(top + y) * n + left + x] : 0;
    __syncthreads();
    if (left + tx + 2 < n && top + ty + 2 < n)
        to[(top + ty + 1) * n + left + tx + 1] =
            0.25f * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2]);
}

// Each thread goes down R rows and keeps three values of its column in registers.
template <int R>
__global__ void five_strip(const float *from, float *to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x + 1, row = blockIdx.y * R + 1;
    if (column >= n - 1)
        return;
    float above = from[(row - 1) * n + column], here = from[row * n + column];
    for (int k = 0; k < R && row < n - 1; k++, row++) {
        float below = from[(row + 1) * n + column];
        to[row * n + column] = 0.25f * (above + below + from[row * n + column - 1] + from[row * n + column + 1]);
        above = here;
        here = below;
    }
}

__global__ void seven_points(const float *from, float *to, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
        return;
    int i = (z * n + y) * n + x;
    to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] + from[i - n * n] + from[i + n * n]);
}

// Planes pass through shared memory; above and below stay in registers.
__global__ void seven_planes(const float *from, float *to, int n)
{
    __shared__ float plane[18][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int i = y * n + x;
    float below = from[i], here = from[i + n * n];
    for (int z = 1; z < n - 1; z++) {
        int at = i + z * n * n;
        float above = from[at + n * n];
        plane[ty][tx] = here;
        if (tx == 1 && x > 0)
            plane[ty][0] = from[at - 1];
        if (tx == 32 && x < n - 1)
            plane[ty][33] = from[at + 1];
        if (ty == 1 && y > 0)
            plane[0][tx] = from[at - n];
        if (ty == 16 && y < n - 1)
            plane[17][tx] = from[at + n];
        __syncthreads();
        if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
            to[at] = 0.4f * here + 0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above);
        __syncthreads();
        below = here;
        here = above;
    }
}
