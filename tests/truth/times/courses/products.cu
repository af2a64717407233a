// Ten products of square matrices, each a step of the ladder that courses climb. C = A B, n is a multiple of 128.

__global__ void climb_columns(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void climb_rows(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

template <int T> __global__ void climb_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[T][T], right[T][T];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0;
    for (int tile = 0; tile < n; tile += T) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Each thread computes R results one above the other.
template <int T, int K, int R> __global__ void climb_strips(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[T][K], right[K][T];
    int t = threadIdx.x, x = t % T, y = t / T;
    float sums[R] = {};
    a += blockIdx.y * T * n;
    b += blockIdx.x * T;
    for (int tile = 0; tile < n; tile += K) {
        left[t / K][t % K] = a[(t / K) * n + tile + t % K];
        right[t / T][x] = b[(tile + t / T) * n + x];
        __syncthreads();
        for (int k = 0; k < K; k++) {
            float value = right[k][x];
            for (int r = 0; r < R; r++)
                sums[r] += left[y * R + r][k] * value;
        }
        __syncthreads();
    }
    for (int r = 0; r < R; r++)
        c[(blockIdx.y * T + y * R + r) * n + blockIdx.x * T + x] = sums[r];
}

// Each thread computes R by R results.
template <int T, int K, int R> __global__ void climb_squares(const float *a, const float *b, float *c, int n)
{
    constexpr int SIDE = T / R, THREADS = SIDE * SIDE;
    __shared__ float left[T][K], right[K][T];
    int t = threadIdx.x, x = t % SIDE, y = t / SIDE;
    float sums[R][R] = {}, rows[R], columns[R];
    a += blockIdx.y * T * n;
    b += blockIdx.x * T;
    for (int tile = 0; tile < n; tile += K) {
        for (int i = t; i < T * K; i += THREADS) {
            left[i / K][i % K] = a[(i / K) * n + tile + i % K];
            right[i / T][i % T] = b[(tile + i / T) * n + i % T];
        }
        __syncthreads();
        for (int k = 0; k < K; k++) {
            for (int r = 0; r < R; r++) {
                rows[r] = left[y * R + r][k];
                columns[r] = right[k][x * R + r];
            }
            for (int r = 0; r < R; r++)
                for (int s = 0; s < R; s++)
                    sums[r][s] += rows[r] * columns[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < R; r++)
        for (int s = 0; s < R; s++)
            c[(blockIdx.y * T + y * R + r) * n + blockIdx.x * T + x * R + s] = sums[r][s];
}

// As climb_squares, with vectors of four; the left tile lies transposed in shared memory.
__global__ void climb_vectors(const float *a, const float *b, float *c, int n)
{
    constexpr int T = 128, K = 8, R = 8;
    __shared__ float left[K][T], right[K][T];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    float sums[R][R] = {}, rows[R], columns[R];
    a += blockIdx.y * T * n;
    b += blockIdx.x * T;
    for (int tile = 0; tile < n; tile += K) {
        float4 v = *(const float4 *)&a[(t / 2) * n + tile + t % 2 * 4];
        left[t % 2 * 4][t / 2] = v.x;
        left[t % 2 * 4 + 1][t / 2] = v.y;
        left[t % 2 * 4 + 2][t / 2] = v.z;
        left[t % 2 * 4 + 3][t / 2] = v.w;
        *(float4 *)&right[t / 32][t % 32 * 4] = *(const float4 *)&b[(tile + t / 32) * n + t % 32 * 4];
        __syncthreads();
        for (int k = 0; k < K; k++) {
            for (int r = 0; r < R; r += 4) {
                *(float4 *)&rows[r] = *(float4 *)&left[k][y * R + r];
                *(float4 *)&columns[r] = *(float4 *)&right[k][x * R + r];
            }
            for (int r = 0; r < R; r++)
                for (int s = 0; s < R; s++)
                    sums[r][s] += rows[r] * columns[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < R; r++)
        for (int s = 0; s < R; s += 4)
            *(float4 *)&c[(blockIdx.y * T + y * R + r) * n + blockIdx.x * T + x * R + s] =
                make_float4(sums[r][s], sums[r][s + 1], sums[r][s + 2], sums[r][s + 3]);
}

// As climb_vectors; the next tile is loaded into registers while this one is multiplied, into the other half of shared memory.
__global__ void climb_double_buffer(const float *a, const float *b, float *c, int n)
{
    constexpr int T = 128, K = 8, R = 8;
    __shared__ float left[2][K][T], right[2][K][T];
    int t = threadIdx.x, x = t % 16, y = t / 16, half = 0;
    float sums[R][R] = {}, rows[R], columns[R];
    a += (blockIdx.y * T + t / 2) * n + t % 2 * 4;
    b += t / 32 * n + blockIdx.x * T + t % 32 * 4;
    float4 v = *(const float4 *)a, w = *(const float4 *)b;
    for (int tile = 0; tile < n; tile += K) {
        left[half][t % 2 * 4][t / 2] = v.x;
        left[half][t % 2 * 4 + 1][t / 2] = v.y;
        left[half][t % 2 * 4 + 2][t / 2] = v.z;
        left[half][t % 2 * 4 + 3][t / 2] = v.w;
        *(float4 *)&right[half][t / 32][t % 32 * 4] = w;
        __syncthreads();
        if (tile + K < n) {
            v = *(const float4 *)(a + tile + K);
            w = *(const float4 *)(b + (tile + K) * n);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            for (int r = 0; r < R; r += 4) {
                *(float4 *)&rows[r] = *(float4 *)&left[half][k][y * R + r];
                *(float4 *)&columns[r] = *(float4 *)&right[half][k][x * R + r];
            }
            for (int r = 0; r < R; r++)
                for (int s = 0; s < R; s++)
                    sums[r][s] += rows[r] * columns[s];
        }
        half ^= 1;
    }
    for (int r = 0; r < R; r++)
        for (int s = 0; s < R; s += 4)
            *(float4 *)&c[(blockIdx.y * T + y * R + r) * n + blockIdx.x * T + x * R + s] =
                make_float4(sums[r][s], sums[r][s + 1], sums[r][s + 2], sums[r][s + 3]);
}

// Each warp computes 32 by 64 results, each of its lanes two pieces of four rows and eight columns.
__global__ void climb_warps(const float *a, const float *b, float *c, int n)
{
    constexpr int T = 128, K = 16;
    __shared__ float left[K][T + 4], right[K][T];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int y = warp / 2 * 32 + lane / 8 * 4, x = warp % 2 * 64 + lane % 8 * 4;
    float sums[2][4][8] = {};
    a += blockIdx.y * T * n;
    b += blockIdx.x * T;
    for (int tile = 0; tile < n; tile += K) {
#pragma unroll
        for (int i = t; i < T * K / 4; i += 256) {
            float4 v = *(const float4 *)&a[(i / 4) * n + tile + i % 4 * 4];
            left[i % 4 * 4][i / 4] = v.x;
            left[i % 4 * 4 + 1][i / 4] = v.y;
            left[i % 4 * 4 + 2][i / 4] = v.z;
            left[i % 4 * 4 + 3][i / 4] = v.w;
            *(float4 *)&right[i / 32][i % 32 * 4] = *(const float4 *)&b[(tile + i / 32) * n + i % 32 * 4];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < K; k++) {
            float4 near = *(float4 *)&right[k][x], far = *(float4 *)&right[k][x + 32];
            float columns[8] = {near.x, near.y, near.z, near.w, far.x, far.y, far.z, far.w};
            for (int part = 0; part < 2; part++) {
                float4 v = *(float4 *)&left[k][y + part * 16];
                float rows[4] = {v.x, v.y, v.z, v.w};
                for (int r = 0; r < 4; r++)
                    for (int s = 0; s < 8; s++)
                        sums[part][r][s] += rows[r] * columns[s];
            }
        }
        __syncthreads();
    }
    for (int part = 0; part < 2; part++)
        for (int r = 0; r < 4; r++) {
            float *to = &c[(blockIdx.y * T + y + part * 16 + r) * n + blockIdx.x * T + x], *sum = sums[part][r];
            *(float4 *)to = make_float4(sum[0], sum[1], sum[2], sum[3]);
            *(float4 *)(to + 32) = make_float4(sum[4], sum[5], sum[6], sum[7]);
        }
}
