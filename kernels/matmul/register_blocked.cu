// A block of 16 x 16 threads computes 64 x 64 elements, each thread 4 x 4 of them in registers:
// eight words from shared memory feed sixteen multiply-adds.
#define TILE 64
#define STEP 16
#define EACH 4

__global__ void matmul_register_blocked(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[STEP][TILE];
    __shared__ float b[STEP][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int thread = ty * 16 + tx;
    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE;

    float sum[EACH][EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            sum[i][j] = 0.0f;

    for (int first = 0; first < n; first += STEP) {
#pragma unroll
        for (int load = 0; load < TILE * STEP / 256; load++) {
            int at = load * 256 + thread;
            a[at % STEP][at / STEP] = A[(row + at / STEP) * n + first + at % STEP];
            b[at / TILE][at % TILE] = B[(first + at / TILE) * n + col + at % TILE];
        }
        __syncthreads();

        for (int k = 0; k < STEP; k++) {
            float left[EACH], top[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                left[i] = a[k][ty + 16 * i];
                top[i] = b[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += left[i] * top[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            C[(row + ty + 16 * i) * n + col + tx + 16 * j] = sum[i][j];
}
