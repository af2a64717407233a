// Each row of the tile is stored in another order: column c of row r lies at c XOR r.
// Rows and columns are both free of conflicts, and no word is wasted.
template <int TILE, int ROWS>
__global__ void transpose_swizzled(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        int row = threadIdx.y + j;
        tile[row][threadIdx.x ^ row] = in[(y + j) * width + x];
    }
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        int row = threadIdx.y + j;
        out[(y + j) * height + x] = tile[threadIdx.x][row ^ threadIdx.x];
    }
}
