// Integers, bytes and doubles; prefix sums, sorts, compaction, histograms, atomics.

template <int B>
__global__ void prefix_double_buffer(const float *in, float *out, float *totals)
{
    __shared__ float room[2 * B];
    float *from = room, *to = room + B;
    int t = threadIdx.x;
    to[t] = in[blockIdx.x * B + t];
    for (int step = 1; step < B; step <<= 1) {
        float *other = from;
        from = to;
        to = other;
        __syncthreads();
        to[t] = t >= step ? from[t] + from[t - step] : from[t];
    }
    out[blockIdx.x * B + t] = to[t];
    if (t == B - 1)
        totals[blockIdx.x] = to[t];
}

// Each thread sums eight values, warps add by shuffles.
__global__ void prefix_registers(const int4 *in, int4 *out, int *totals)
{
    __shared__ int warps[8];
    int t = threadIdx.x, lane = t & 31, at = (blockIdx.x * 256 + t) * 2;
    int4 a = in[at], b = in[at + 1];
    a.y += a.x; a.z += a.y; a.w += a.z;
    b.x += a.w; b.y += b.x; b.z += b.y; b.w += b.z;
    int sum = b.w;
    for (int k = 1; k < 32; k <<= 1) {
        int other = __shfl_up_sync(~0u, sum, k);
        if (lane >= k)
            sum += other;
    }
    if (lane == 31)
        warps[t >> 5] = sum;
    __syncthreads();
    int before = sum - b.w;
    for (int k = 0; k < (t >> 5); k++)
        before += warps[k];
    out[at] = make_int4(a.x + before, a.y + before, a.z + before, a.w + before);
    out[at + 1] = make_int4(b.x + before, b.y + before, b.z + before, b.w + before);
    if (t == 255)
        totals[blockIdx.x] = before + b.w;
}

__global__ void add_totals(int *data, const int *totals)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += totals[blockIdx.x];
}

__global__ void compact_atomics(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[atomicAdd(count, 1) & (n - 1)] = in[i];
}

__global__ void compact_warps(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned votes = __ballot_sync(~0u, keep);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(~0u, base, 0);
    if (keep)
        out[(base + __popc(votes & ((1u << lane) - 1))) & (n - 1)] = in[i];
}

__global__ void bitonic_step(int *data, int size, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
    if (other > i) {
        int x = data[i], y = data[other];
        if ((x > y) == ((i & size) == 0)) {
            data[i] = y;
            data[other] = x;
        }
    }
}

__global__ void odd_even_sort(int *data)
{
    __shared__ int own[256];
    int t = threadIdx.x;
    own[t] = data[blockIdx.x * 256 + t];
    for (int round = 0; round < 256; round++) {
        __syncthreads();
        if (t % 2 == round % 2 && t < 255) {
            int x = own[t], y = own[t + 1];
            own[t] = min(x, y);
            own[t + 1] = max(x, y);
        }
    }
    __syncthreads();
    data[blockIdx.x * 256 + t] = own[t];
}

__global__ void rank_sort(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine = in[i], place = 0;
    for (int k = 0; k < n; k++)
        place += in[k] < mine || (in[k] == mine && k < i);
    out[place] = mine;
}

__global__ void bytes_global(const unsigned char *text, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[text[i]], 1);
}

__global__ void bytes_shared(const unsigned char *text, int *bins, int n)
{
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&own[text[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void bytes_by_warps(const uchar4 *text, int *bins, int n)
{
    __shared__ int own[8][256];
    for (int k = threadIdx.x; k < 8 * 256; k += 256)
        own[k / 256][k % 256] = 0;
    __syncthreads();
    int *mine = own[threadIdx.x / 32];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        uchar4 c = text[i];
        atomicAdd(&mine[c.x], 1);
        atomicAdd(&mine[c.y], 1);
        atomicAdd(&mine[c.z], 1);
        atomicAdd(&mine[c.w], 1);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += own[k][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}

__global__ void largest(const int *in, int *most, int n)
{
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own = max(own, in[i]);
    atomicMax(most, own);
}

__global__ void add_by_swaps(const float *in, float *sums, int n, int modulus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int *at = (int *)&sums[i % modulus], old = *at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, __float_as_int(__int_as_float(seen) + in[i]));
    } while (old != seen);
}

__global__ void scatter_add(const int *index, const float *value, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[index[i]], value[i]);
}

// ------------------------------------------------------------------------------------------------ bytes

__global__ void upper_case(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned char c = in[i];
        out[i] = c >= 'a' && c <= 'z' ? c - 32 : c;
    }
}

__global__ void grey(const uchar4 *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = in[i];
        out[i] = (p.x * 77 + p.y * 151 + p.z * 28) >> 8;
    }
}

__global__ void grey_packed(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (in[3 * i] * 77 + in[3 * i + 1] * 151 + in[3 * i + 2] * 28) >> 8;
}

__global__ void find_word(const unsigned char *text, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 4 && text[i] == 'a' && text[i + 1] == 'b' && text[i + 2] == 'c')
        atomicAdd(found, 1);
}

__global__ void different_bits(const unsigned *a, const unsigned *b, int *out, int words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < words; k++)
        sum += __popc(a[i] ^ b[k]);
    out[i] = sum;
}

// ------------------------------------------------------------------------------------------------ arithmetic

__global__ void divisors(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = i + 1, b = n - i;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    out[i] = a;
}

__global__ void powers(const int *base, int *out, int exponent, unsigned modulus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = base[i] % modulus, result = 1;
    for (int e = exponent; e; e >>= 1) {
        if (e & 1)
            result = result * x % modulus;
        x = x * x % modulus;
    }
    out[i] = (int)result;
}

__global__ void check_sums(const unsigned *in, unsigned *out, int words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = ~0u;
    for (int k = 0; k < words; k++) {
        sum ^= in[k * gridDim.x * blockDim.x + i];
        for (int bit = 0; bit < 32; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    out[i] = ~sum;
}

__global__ void horner(const double *x, double *y, int n, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], sum = 0;
    for (int k = degree; k >= 0; k--)
        sum = sum * v + 1.0 / (k + 1);
    y[i] = sum;
}

__global__ void newton(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = in[i] + 1, x = a;
    for (int k = 0; k < 8; k++)
        x = 0.5 * (x + a / x);
    out[i] = x;
}

__global__ void logistic(float *out, int rounds, float r)
{
    float x = (threadIdx.x + 1) / 1025.0f;
    for (int k = 0; k < rounds; k++)
        x = r * x * (1 - x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void primes(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = 2 * i + 3, is_prime = 1;
    for (int d = 3; d * d <= value && is_prime; d += 2)
        is_prime = value % d != 0;
    if (i < n)
        out[i] = is_prime;
}
