// Loops that the arithmetic pipes or the latency of instructions limit, and branches.

template <int N>
__global__ void multiply_add(float *out, int rounds, float a, float b)
{
    float x[N];
    for (int k = 0; k < N; k++)
        x[k] = threadIdx.x + k;
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N; k++)
            x[k] = x[k] * a + b;
    float sum = 0;
    for (int k = 0; k < N; k++)
        sum += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int N>
__global__ void integers(int *out, int rounds, int a, int b)
{
    int x[N];
    for (int k = 0; k < N; k++)
        x[k] = threadIdx.x + k;
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N; k++)
            x[k] = (x[k] ^ (x[k] << 3)) + (x[k] & a) - b;
    int sum = 0;
    for (int k = 0; k < N; k++)
        sum += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int N>
__global__ void products(int *out, int rounds, int a, int b)
{
    int x[N];
    for (int k = 0; k < N; k++)
        x[k] = threadIdx.x + k;
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N; k++)
            x[k] = x[k] * a + b;
    int sum = 0;
    for (int k = 0; k < N; k++)
        sum += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int N>
__global__ void doubles(double *out, int rounds, double a, double b)
{
    double x[N];
    for (int k = 0; k < N; k++)
        x[k] = threadIdx.x + k;
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N; k++)
            x[k] = x[k] * a + b;
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void sines(float *out, int rounds)
{
    float x = threadIdx.x * 0.01f;
    for (int i = 0; i < rounds; i++)
        x = __sinf(x) + 0.5f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void roots(float *out, int rounds)
{
    float x = threadIdx.x + 1.0f;
    for (int i = 0; i < rounds; i++)
        x = sqrtf(x) + 1.5f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void quotients(float *out, int rounds, float a)
{
    float x = threadIdx.x + 1.0f;
    for (int i = 0; i < rounds; i++)
        x = a / x + 0.25f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void remainders(int *out, int rounds, int a)
{
    int x = threadIdx.x + 1;
    for (int i = 0; i < rounds; i++)
        x = (x * 1103515245 + 12345) % a + 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void conversions(int *out, int rounds)
{
    int x = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        x = (int)((float)x * 1.5f) & 0xffff;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void polynomial(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = 0;
    for (int k = 0; k < 32; k++)
        y = y * x + 0.1f * k;
    out[i] = y;
}

__global__ void shuffles(int *out, int rounds)
{
    int x = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        x += __shfl_xor_sync(0xffffffff, x, 1 + (i & 15));
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void barriers(int *out, int rounds)
{
    int x = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        x = x * 3 + i;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void branches(float *out, int ways, int rounds)
{
    int kind = threadIdx.x % ways;
    float x = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        switch (kind) {
        case 0: x = x * 1.1f + 0.5f; break;
        case 1: x = __sinf(x); break;
        case 2: x = x - 3.0f * x * x; break;
        case 3: x = sqrtf(x + 4.0f); break;
        case 4: x = x * x * 0.5f; break;
        case 5: x = __expf(-x); break;
        case 6: x = 1.0f / (x + 2.0f); break;
        default: x = x + 1.0f; break;
        }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void collatz(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = i + 1;
    int steps = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    out[i] = steps;
}

__global__ void mandelbrot(int *out, int n, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = -2.0f + 3.0f * x / n, v = -1.5f + 3.0f * y / n, a = 0, b = 0;
    int k = 0;
    while (k < most && a * a + b * b < 4.0f) {
        float t = a * a - b * b + u;
        b = 2.0f * a * b + v;
        a = t;
        k++;
    }
    out[y * n + x] = k;
}

__global__ void nothing(int *out)
{
    if (out == nullptr)
        *out = 0;
}
