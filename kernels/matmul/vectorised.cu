// Register blocking with 16-byte accesses: a thread's four columns are neighbours, one float4 each way.
#define TILE 64
#define STEP 16

__global__ void matmul_vectorised(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[STEP][TILE + 4];
    __shared__ float4 b[STEP][TILE / 4];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int thread = ty * 16 + tx;
    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE;

    float4 sum[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int first = 0; first < n; first += STEP) {
        int line = thread / 4;
        int part = thread % 4 * 4;
        float4 piece = *reinterpret_cast<const float4 *>(&A[(row + line) * n + first + part]);
        a[part][line] = piece.x;
        a[part + 1][line] = piece.y;
        a[part + 2][line] = piece.z;
        a[part + 3][line] = piece.w;
        b[ty][tx] = *reinterpret_cast<const float4 *>(&B[(first + ty) * n + col + 4 * tx]);
        __syncthreads();

        for (int k = 0; k < STEP; k++) {
            float4 top = b[k][tx];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float left = a[k][ty + 16 * i];
                sum[i].x += left * top.x;
                sum[i].y += left * top.y;
                sum[i].z += left * top.z;
                sum[i].w += left * top.w;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 4; i++)
        *reinterpret_cast<float4 *>(&C[(row + ty + 16 * i) * n + col + 4 * tx]) = sum[i];
}
