// A second ladder of ten products, C = alpha A B + beta C, from one result a thread to warp tiles with two buffers.

__global__ void gemm_by_rows(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float dot = 0;
    for (int k = 0; k < n; ++k)
        dot = fmaf(a[row * n + k], b[k * n + column], dot);
    c[row * n + column] = alpha * dot + beta * c[row * n + column];
}

__global__ void gemm_by_columns(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    unsigned row = blockIdx.x * 32 + threadIdx.x / 32, column = blockIdx.y * 32 + threadIdx.x % 32;
    float dot = 0;
    for (int k = 0; k < n; ++k)
        dot = fmaf(a[row * n + k], b[k * n + column], dot);
    c[row * n + column] = alpha * dot + beta * c[row * n + column];
}

template <int T>
__global__ void gemm_cached(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float from_a[T * T], from_b[T * T];
    int x = threadIdx.x % T, y = threadIdx.x / T;
    a += blockIdx.y * T * n;
    b += blockIdx.x * T;
    c += blockIdx.y * T * n + blockIdx.x * T;
    float dot = 0;
    for (int k = 0; k < n; k += T, a += T, b += T * n) {
        from_a[y * T + x] = a[y * n + x];
        from_b[y * T + x] = b[y * n + x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            dot += from_a[y * T + j] * from_b[j * T + x];
        __syncthreads();
    }
    c[y * n + x] = alpha * dot + beta * c[y * n + x];
}

// Each thread computes R results below one another, with tiles of S x K.
template <int S, int K, int R>
__global__ void gemm_lines(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float from_a[S][K], from_b[K][S];
    const int threads = S * S / R;
    int x = threadIdx.x % S, y = threadIdx.x / S;
    a += blockIdx.y * S * n;
    b += blockIdx.x * S;
    c += blockIdx.y * S * n + blockIdx.x * S;
    float dots[R] = {0};
    for (int k = 0; k < n; k += K, a += K, b += K * n) {
        for (int e = threadIdx.x; e < S * K; e += threads) {
            from_a[e / K][e % K] = a[e / K * n + e % K];
            from_b[e / S][e % S] = b[e / S * n + e % S];
        }
        __syncthreads();
        for (int j = 0; j < K; ++j) {
            float right = from_b[j][x];
            for (int r = 0; r < R; ++r)
                dots[r] += from_a[y * R + r][j] * right;
        }
        __syncthreads();
    }
    for (int r = 0; r < R; ++r)
        c[(y * R + r) * n + x] = alpha * dots[r] + beta * c[(y * R + r) * n + x];
}

// Each thread computes P x Q results that lie together; tiles of M x K and K x N.
template <int M, int N, int K, int P, int Q>
__global__ void gemm_squares(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float from_a[M * K], from_b[K * N];
    const int threads = (M / P) * (N / Q);
    int x = threadIdx.x % (N / Q), y = threadIdx.x / (N / Q);
    a += blockIdx.y * M * n;
    b += blockIdx.x * N;
    c += blockIdx.y * M * n + blockIdx.x * N;
    float dots[P * Q] = {0}, left[P], right[Q];
    for (int k = 0; k < n; k += K, a += K, b += K * n) {
        for (int e = threadIdx.x; e < M * K; e += threads)
            from_a[e] = a[e / K * n + e % K];
        for (int e = threadIdx.x; e < K * N; e += threads)
            from_b[e] = b[e / N * n + e % N];
        __syncthreads();
        for (int j = 0; j < K; ++j) {
            for (int p = 0; p < P; ++p)
                left[p] = from_a[(y * P + p) * K + j];
            for (int q = 0; q < Q; ++q)
                right[q] = from_b[j * N + x * Q + q];
            for (int p = 0; p < P; ++p)
                for (int q = 0; q < Q; ++q)
                    dots[p * Q + q] += left[p] * right[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < P; ++p)
        for (int q = 0; q < Q; ++q) {
            float *to = &c[(y * P + p) * n + x * Q + q];
            *to = alpha * dots[p * Q + q] + beta * *to;
        }
}

// The same with loads and stores of four floats and the tile of A transposed.
template <int M, int N, int K, int P, int Q>
__global__ void gemm_quads(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float from_a[K * M], from_b[K * N];
    const int threads = (M / P) * (N / Q);
    int x = threadIdx.x % (N / Q), y = threadIdx.x / (N / Q);
    a += blockIdx.y * M * n;
    b += blockIdx.x * N;
    c += blockIdx.y * M * n + blockIdx.x * N;
    float dots[P][Q] = {{0}}, left[P], right[Q];
    for (int k = 0; k < n; k += K, a += K, b += K * n) {
        for (int e = threadIdx.x; e < M * K / 4; e += threads) {
            int row = e / (K / 4), at = e % (K / 4) * 4;
            float4 four = reinterpret_cast<const float4 *>(a + row * n + at)[0];
            from_a[(at + 0) * M + row] = four.x;
            from_a[(at + 1) * M + row] = four.y;
            from_a[(at + 2) * M + row] = four.z;
            from_a[(at + 3) * M + row] = four.w;
        }
        for (int e = threadIdx.x; e < K * N / 4; e += threads) {
            int row = e / (N / 4), at = e % (N / 4) * 4;
            reinterpret_cast<float4 *>(from_b + row * N + at)[0] = reinterpret_cast<const float4 *>(b + row * n + at)[0];
        }
        __syncthreads();
        #pragma unroll
        for (int j = 0; j < K; ++j) {
            #pragma unroll
            for (int p = 0; p < P; ++p)
                left[p] = from_a[j * M + y * P + p];
            #pragma unroll
            for (int q = 0; q < Q; ++q)
                right[q] = from_b[j * N + x * Q + q];
            #pragma unroll
            for (int p = 0; p < P; ++p)
                #pragma unroll
                for (int q = 0; q < Q; ++q)
                    dots[p][q] += left[p] * right[q];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int p = 0; p < P; ++p)
        #pragma unroll
        for (int q = 0; q < Q; q += 4) {
            float4 *to = reinterpret_cast<float4 *>(&c[(y * P + p) * n + x * Q + q]);
            float4 old = *to;
            old.x = alpha * dots[p][q] + beta * old.x;
            old.y = alpha * dots[p][q + 1] + beta * old.y;
            old.z = alpha * dots[p][q + 2] + beta * old.z;
            old.w = alpha * dots[p][q + 3] + beta * old.w;
            *to = old;
        }
}

// Eight warps of a block share its 128 x 128 tile: each has 64 x 32, in which a lane computes 4 x 2 pieces of 4 x 2.
template <int K, int BUFFERS>
__global__ void __launch_bounds__(256) gemm_warps(int n, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ float from_a[BUFFERS][K][128], from_b[BUFFERS][K][128];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int top = warp / 4 * 64 + lane / 4 * 4, side = warp % 4 * 32 + lane % 4 * 4;
    a += blockIdx.y * 128 * n;
    b += blockIdx.x * 128;
    c += blockIdx.y * 128 * n + blockIdx.x * 128;
    float dots[8][8] = {{0}};
    int now = 0;
    for (int k = 0; k < n; k += K, a += K, b += K * n) {
        #pragma unroll
        for (int e = threadIdx.x; e < 32 * K; e += 256) {
            int row = e / (K / 4), at = e % (K / 4) * 4;
            float4 four = *reinterpret_cast<const float4 *>(a + row * n + at);
            from_a[now][at + 0][row] = four.x;
            from_a[now][at + 1][row] = four.y;
            from_a[now][at + 2][row] = four.z;
            from_a[now][at + 3][row] = four.w;
            *reinterpret_cast<float4 *>(&from_b[now][e / 32][e % 32 * 4]) = *reinterpret_cast<const float4 *>(b + e / 32 * n + e % 32 * 4);
        }
        __syncthreads();
        #pragma unroll
        for (int j = 0; j < K; ++j) {
            float left[8], right[8];
            *reinterpret_cast<float4 *>(left) = *reinterpret_cast<float4 *>(&from_a[now][j][top]);
            *reinterpret_cast<float4 *>(left + 4) = *reinterpret_cast<float4 *>(&from_a[now][j][top + 32]);
            *reinterpret_cast<float4 *>(right) = *reinterpret_cast<float4 *>(&from_b[now][j][side]);
            *reinterpret_cast<float4 *>(right + 4) = *reinterpret_cast<float4 *>(&from_b[now][j][side + 16]);
            #pragma unroll
            for (int p = 0; p < 8; ++p)
                #pragma unroll
                for (int q = 0; q < 8; ++q)
                    dots[p][q] += left[p] * right[q];
        }
        if (BUFFERS == 2)
            now ^= 1;
        else
            __syncthreads();
    }
    #pragma unroll
    for (int p = 0; p < 8; ++p) {
        float *row = c + (top + p % 4 + p / 4 * 32) * n + side;
        #pragma unroll
        for (int q = 0; q < 8; ++q) {
            float *to = row + q % 4 + q / 4 * 16;
            *to = alpha * dots[p][q] + beta * *to;
        }
    }
}
