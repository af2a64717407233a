// The block brings a tile of A and a tile of B to shared memory and uses each element TILE times.
// n is a multiple of TILE.
template <int TILE>
__global__ void matmul_tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        a[ty][tx] = A[row * n + first + tx];
        b[ty][tx] = B[(first + ty) * n + col];
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
