// A ladder of ten products C = A B of square matrices of floats, each a step from the one before.

__global__ void product_rows(const float *a, const float *b, float *c, int n)
{
    // Neighbouring threads compute neighbouring rows: each load of a touches a line for every lane.
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void product_columns(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

template <int T>
__global__ void product_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0;
    for (int first = 0; first < n; first += T) {
        left[y][x] = a[row * n + first + x];
        right[y][x] = b[(first + y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// A thread computes R results of a column; tiles of 64 x 8 and 8 x 64.
template <int R>
__global__ void product_strip(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[64 * 8], right[8 * 64];
    int t = threadIdx.x, x = t % 64, y = t / 64;
    int top = blockIdx.y * 64, side = blockIdx.x * 64;
    float sum[R] = {};
    for (int first = 0; first < n; first += 8) {
        left[t] = a[(top + t / 8) * n + first + t % 8];
        right[t] = b[(first + t / 64) * n + side + t % 64];
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float value = right[k * 64 + x];
            for (int r = 0; r < R; r++)
                sum[r] += left[(y * R + r) * 8 + k] * value;
        }
        __syncthreads();
    }
    for (int r = 0; r < R; r++)
        c[(top + y * R + r) * n + side + x] = sum[r];
}

// A thread computes R x R results; a block of S x S tiles of 16 x 16 threads.
template <int S, int R>
__global__ void product_registers(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[S * 8], right[8 * S];
    int t = threadIdx.x, x = t % (S / R), y = t / (S / R);
    const int threads = (S / R) * (S / R);
    int top = blockIdx.y * S, side = blockIdx.x * S;
    float sum[R][R] = {};
    for (int first = 0; first < n; first += 8) {
        for (int k = t; k < S * 8; k += threads) {
            left[k] = a[(top + k / 8) * n + first + k % 8];
            right[k] = b[(first + k / S) * n + side + k % S];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float u[R], v[R];
            for (int r = 0; r < R; r++)
                u[r] = left[(y * R + r) * 8 + k];
            for (int r = 0; r < R; r++)
                v[r] = right[k * S + x * R + r];
            for (int i = 0; i < R; i++)
                for (int j = 0; j < R; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            c[(top + y * R + i) * n + side + x * R + j] = sum[i][j];
}

// Loads of 16 bytes; the tile of a is transposed, so that both operands are read 16 bytes at a time.
template <int BUFFERS>
__global__ void product_vectors(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[BUFFERS][8][128], right[BUFFERS][8][128];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    int top = blockIdx.y * 128, side = blockIdx.x * 128;
    const float *from_a = a + (top + t / 2) * n + t % 2 * 4;
    const float *from_b = b + t / 32 * n + side + t % 32 * 4;
    float sum[8][8] = {};
    float4 u = *(const float4 *)from_a, v = *(const float4 *)from_b;
    int now = 0;
    for (int first = 0; first < n; first += 8) {
        left[now][t % 2 * 4 + 0][t / 2] = u.x;
        left[now][t % 2 * 4 + 1][t / 2] = u.y;
        left[now][t % 2 * 4 + 2][t / 2] = u.z;
        left[now][t % 2 * 4 + 3][t / 2] = u.w;
        *(float4 *)&right[now][t / 32][t % 32 * 4] = v;
        __syncthreads();
        if (first + 8 < n) {
            u = *(const float4 *)(from_a + first + 8);
            v = *(const float4 *)(from_b + (first + 8) * n);
        }
        #pragma unroll
        for (int k = 0; k < 8; k++) {
            float p[8], q[8];
            *(float4 *)&p[0] = *(const float4 *)&left[now][k][y * 8];
            *(float4 *)&p[4] = *(const float4 *)&left[now][k][y * 8 + 4];
            *(float4 *)&q[0] = *(const float4 *)&right[now][k][x * 4];
            *(float4 *)&q[4] = *(const float4 *)&right[now][k][x * 4 + 64];
            #pragma unroll
            for (int i = 0; i < 8; i++)
                #pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += p[i] * q[j];
        }
        if (BUFFERS == 1)
            __syncthreads();
        else
            now ^= 1;
    }
    #pragma unroll
    for (int i = 0; i < 8; i++) {
        float *to = c + (top + y * 8 + i) * n + side + x * 4;
        *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        *(float4 *)(to + 64) = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}
