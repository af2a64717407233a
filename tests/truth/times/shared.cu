// Reductions, prefix sums, histograms, sorts: kernels in which threads work together.

__global__ void reduce_modulo(const int *in, int *out)
{
    extern __shared__ int data[];
    int t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)
            data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_strided(const int *in, int *out)
{
    extern __shared__ int data[];
    int t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int i = 2 * s * t;
        if (i < blockDim.x)
            data[i] += data[i + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_halves(const int *in, int *out)
{
    extern __shared__ int data[];
    int t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_two(const int *in, int *out)
{
    extern __shared__ int data[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    data[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_shuffle(const int *in, int *out)
{
    __shared__ int data[32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    int sum = in[i] + in[i + blockDim.x];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0)
        data[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? data[t] : 0;
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

__global__ void reduce_loop(const int *in, int *out, int n)
{
    __shared__ int data[32];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0)
        data[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? data[t] : 0;
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            atomicAdd(out, sum);
    }
}

__global__ void reduce_vectors(const int4 *in, int *out, int n)
{
    __shared__ int data[32];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        int4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0)
        data[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? data[t] : 0;
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            atomicAdd(out, sum);
    }
}

__global__ void scan_steps(const int *in, int *out)
{
    __shared__ int data[2][512];
    int t = threadIdx.x, now = 0;
    data[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int s = 1; s < 512; s *= 2) {
        data[1 - now][t] = data[now][t] + (t >= s ? data[now][t - s] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = data[now][t];
}

__global__ void scan_tree(const int *in, int *out)
{
    __shared__ int data[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024, offset = 1;
    data[2 * t] = in[base + 2 * t];
    data[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 512; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        data[1023] = 0;
    for (int d = 1; d < 1024; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = data[offset * (2 * t + 1) - 1];
            data[offset * (2 * t + 1) - 1] = data[offset * (2 * t + 2) - 1];
            data[offset * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[base + 2 * t] = data[2 * t];
    out[base + 2 * t + 1] = data[2 * t + 1];
}

__global__ void scan_warps(const int *in, int *out)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
    int sum = in[i];
    for (int s = 1; s < 32; s *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, s);
        if (lane >= s)
            sum += other;
    }
    if (lane == 31)
        sums[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        int part = t < blockDim.x / 32 ? sums[t] : 0;
        for (int s = 1; s < 32; s *= 2) {
            int other = __shfl_up_sync(0xffffffff, part, s);
            if (lane >= s)
                part += other;
        }
        sums[t] = part;
    }
    __syncthreads();
    out[i] = sum + (t >= 32 ? sums[t / 32 - 1] : 0);
}

__global__ void count_global(const int *in, int *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1);
}

template <int BINS>
__global__ void count_shared(const int *in, int *bins, int n)
{
    __shared__ int own[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        atomicAdd(&bins[k], own[k]);
}

__global__ void conflicts(float *out, int stride, int rounds)
{
    __shared__ float data[4096];
    int t = threadIdx.x;
    for (int k = t; k < 4096; k += blockDim.x)
        data[k] = k;
    __syncthreads();
    float sum = 0;
    int at = t * stride % 4096;
    for (int k = 0; k < rounds; k++) {
        sum += data[at];
        at = (at + 32) % 4096;
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

__global__ void sort_blocks(int *data)
{
    __shared__ int own[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    own[t] = data[base + t];
    own[t + 512] = data[base + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (stride - 1));
            bool down = (i & size) == 0;
            int x = own[i], y = own[i + stride];
            if ((x > y) == down) {
                own[i] = y;
                own[i + stride] = x;
            }
        }
    __syncthreads();
    data[base + t] = own[t];
    data[base + t + 512] = own[t + 512];
}

__global__ void forces(const float4 *bodies, float4 *out, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            float f = rsqrtf(d);
            f = f * f * f * tile[k].w;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}
