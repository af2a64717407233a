// Ladders on rows: softmax, a matrix times a vector, sparse rows, and bodies that attract each other.

__global__ void soften_thread(const float *in, float *out, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    in += (size_t)row * width;
    out += (size_t)row * width;
    float most = in[0], sum = 0;
    for (int k = 1; k < width; k++)
        most = fmaxf(most, in[k]);
    for (int k = 0; k < width; k++)
        sum += __expf(in[k] - most);
    for (int k = 0; k < width; k++)
        out[k] = __expf(in[k] - most) / sum;
}

__global__ void soften_tree(const float *in, float *out, int width)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    in += (size_t)blockIdx.x * width;
    out += (size_t)blockIdx.x * width;
    float most = -1e30f, sum = 0;
    for (int k = t; k < width; k += 256)
        most = fmaxf(most, in[k]);
    part[t] = most;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    for (int k = t; k < width; k += 256)
        sum += __expf(in[k] - most);
    part[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    sum = part[0];
    for (int k = t; k < width; k += 256)
        out[k] = __expf(in[k] - most) / sum;
}

__global__ void soften_warp(const float *in, float *out, int width)
{
    int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    in += (size_t)row * width;
    out += (size_t)row * width;
    float most = -1e30f, sum = 0;
    for (int k = lane; k < width; k += 32)
        most = fmaxf(most, in[k]);
    for (int s = 16; s > 0; s /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, s));
    for (int k = lane; k < width; k += 32)
        sum += __expf(in[k] - most);
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    for (int k = lane; k < width; k += 32)
        out[k] = __expf(in[k] - most) / sum;
}

// The row stays in registers: W values a lane.
template <int W> __global__ void soften_registers(const float *in, float *out)
{
    int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    in += (size_t)row * W * 32;
    out += (size_t)row * W * 32;
    float values[W], most = -1e30f, sum = 0;
    for (int k = 0; k < W; k++)
        values[k] = in[k * 32 + lane];
    for (int k = 0; k < W; k++)
        most = fmaxf(most, values[k]);
    for (int s = 16; s > 0; s /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, s));
    for (int k = 0; k < W; k++)
        sum += values[k] = __expf(values[k] - most);
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    for (int k = 0; k < W; k++)
        out[k * 32 + lane] = values[k] / sum;
}

__global__ void times_thread(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    y[row] = sum;
}

// The matrix lies by columns.
__global__ void times_columns(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k * n + row] * x[k];
    y[row] = sum;
}

__global__ void times_warp(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += 32)
        sum += a[row * n + k] * x[k];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0)
        y[row] = sum;
}

__global__ void times_vectors(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = threadIdx.x; k < n / 4; k += 32) {
        float4 v = ((const float4 *)(a + row * n))[k], w = ((const float4 *)x)[k];
        sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0)
        y[row] = sum;
}

__global__ void sparse_thread(const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

// L lanes a row.
template <int L>
__global__ void sparse_lanes(const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / L, lane = threadIdx.x % L;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += L)
        sum += values[k] * x[columns[k]];
    for (int s = L / 2; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s, L);
    if (lane == 0)
        y[row] = sum;
}

// Entries of one place in all rows lie side by side.
__global__ void sparse_padded(const int *columns, const float *values, const float *x, float *y, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += values[k * rows + row] * x[columns[k * rows + row]];
    y[row] = sum;
}

__device__ float3 pull(float3 force, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = other.w * r * r * r;
    return make_float3(force.x + dx * f, force.y + dy * f, force.z + dz * f);
}

__global__ void pull_separate(const float *x, const float *y, const float *z, const float *m, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = make_float4(x[i], y[i], z[i], m[i]);
    float3 force = make_float3(0, 0, 0);
    for (int k = 0; k < n; k++) {
        float dx = x[k] - me.x, dy = y[k] - me.y, dz = z[k] - me.z;
        float r = sqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = m[k] / (r * r * r);
        force = make_float3(force.x + dx * f, force.y + dy * f, force.z + dz * f);
    }
    out[3 * i] = force.x;
    out[3 * i + 1] = force.y;
    out[3 * i + 2] = force.z;
}

__global__ void pull_global(const float4 *bodies, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 force = make_float3(0, 0, 0);
    for (int k = 0; k < n; k++)
        force = pull(force, bodies[i], bodies[k]);
    out[i] = make_float4(force.x, force.y, force.z, 0);
}

__global__ void pull_tiles(const float4 *bodies, float4 *out, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = bodies[i];
    float3 force = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++)
            force = pull(force, me, tile[k]);
        __syncthreads();
    }
    out[i] = make_float4(force.x, force.y, force.z, 0);
}

// Two bodies a thread.
__global__ void pull_two(const float4 *bodies, float4 *out, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = bodies[i], you = bodies[i + 128];
    float3 mine = make_float3(0, 0, 0), yours = mine;
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; k++) {
            mine = pull(mine, me, tile[k]);
            yours = pull(yours, you, tile[k]);
        }
        __syncthreads();
    }
    out[i] = make_float4(mine.x, mine.y, mine.z, 0);
    out[i + 128] = make_float4(yours.x, yours.y, yours.z, 0);
}
