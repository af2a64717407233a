// Tiles for any size: what lies outside the matrices is taken as zero, and every thread goes to every barrier.
template <int TILE>
__global__ void matmul_tiled_bounds(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        a[ty][tx] = row < n && first + tx < n ? A[row * n + first + tx] : 0.0f;
        b[ty][tx] = first + ty < n && col < n ? B[(first + ty) * n + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}
