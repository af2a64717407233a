// Each thread computes COARSE elements of a row, TILE columns apart: one tile of A serves COARSE tiles of B.
template <int TILE, int COARSE>
__global__ void matmul_coarsened(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE * COARSE + tx;

    float sum[COARSE];
#pragma unroll
    for (int c = 0; c < COARSE; c++)
        sum[c] = 0.0f;

    for (int first = 0; first < n; first += TILE) {
        a[ty][tx] = A[row * n + first + tx];
#pragma unroll
        for (int c = 0; c < COARSE; c++) {
            b[ty][tx] = B[(first + ty) * n + col + c * TILE];
            __syncthreads();
            for (int k = 0; k < TILE; k++)
                sum[c] += a[ty][k] * b[k][tx];
            __syncthreads();
        }
    }
#pragma unroll
    for (int c = 0; c < COARSE; c++)
        C[row * n + col + c * TILE] = sum[c];
}
