// Ladders of sums, histograms and prefix sums.

__global__ void add_each(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}

__global__ void add_tree(const float *in, float *out, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}

__device__ float add_warp(float v)
{
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_down_sync(0xffffffff, v, s);
    return v;
}

__global__ void add_shuffled(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = add_warp(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, v);
}

__device__ void add_block(float v, float *out)
{
    __shared__ float part[8];
    v = add_warp(v);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = add_warp(threadIdx.x < 8 ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}

__global__ void add_strided(const float *in, float *out, int n)
{
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    add_block(v, out);
}

__global__ void add_vectors(const float4 *in, float *out, int n)
{
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 four = in[i];
        v += four.x + four.y + four.z + four.w;
    }
    add_block(v, out);
}

__global__ void bins_global(const unsigned char *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i]], 1);
}

__global__ void bins_shared(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    mine[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[t], mine[t]);
}

__global__ void bins_strided(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    int t = threadIdx.x;
    mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[t], mine[t]);
}

// Words of four elements, and a histogram for each warp.
__global__ void bins_of_warps(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[8][256];
    int t = threadIdx.x;
    for (int w = 0; w < 8; w++)
        mine[w][t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n / 4; i += gridDim.x * blockDim.x)
        for (unsigned word = in[i], k = 0; k < 4; k++, word >>= 8)
            atomicAdd(&mine[t / 32][word & 255], 1);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += mine[w][t];
    atomicAdd(&bins[t], sum);
}

__global__ void scan_doubling(const int *in, int *out)
{
    __shared__ int part[2][512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, now = 0;
    part[0][t] = in[i];
    __syncthreads();
    for (int s = 1; s < 512; s *= 2, now ^= 1) {
        part[now ^ 1][t] = part[now][t] + (t >= s ? part[now][t - s] : 0);
        __syncthreads();
    }
    out[i] = part[now][t];
}

// Two elements a thread, up and down the tree; PAD leaves one word of each 33 free.
template <bool PAD> __global__ void scan_tree(const int *in, int *out)
{
    __shared__ int part[512 + 16];
    auto at = [](int k) { return PAD ? k + k / 32 : k; };
    int t = threadIdx.x, first = blockIdx.x * 512;
    part[at(t)] = in[first + t];
    part[at(t + 256)] = in[first + t + 256];
    for (int s = 1; s < 512; s *= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * s - 1;
        if (k < 512)
            part[at(k)] += part[at(k - s)];
    }
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * s - 1 + s;
        if (k < 512)
            part[at(k)] += part[at(k - s)];
    }
    __syncthreads();
    out[first + t] = part[at(t)];
    out[first + t + 256] = part[at(t + 256)];
}

__device__ int scan_warp(int v)
{
    for (int s = 1; s < 32; s *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, s);
        if (threadIdx.x % 32 >= s)
            v += other;
    }
    return v;
}

__global__ void scan_shuffled(const int *in, int *out)
{
    __shared__ int ends[16];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, v = scan_warp(in[i]);
    if (t % 32 == 31)
        ends[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        int sum = scan_warp(t < 16 ? ends[t] : 0);
        if (t < 16)
            ends[t] = sum;
    }
    __syncthreads();
    out[i] = v + (t >= 32 ? ends[t / 32 - 1] : 0);
}

// Four elements a thread.
__global__ void scan_vectors(const int4 *in, int4 *out)
{
    __shared__ int ends[4];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = scan_warp(v.w);
    if (t % 32 == 31)
        ends[t / 32] = sum;
    __syncthreads();
    int before = sum - v.w;
    for (int w = 0; w < t / 32; w++)
        before += ends[w];
    out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}
