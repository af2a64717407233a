// Blocks that run at the same time take tiles along a diagonal, so that neither their reads nor their writes
// crowd on one partition of the memory. For square matrices.
template <int TILE, int ROWS>
__global__ void transpose_diagonal(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];

    int tile_y = blockIdx.x;
    int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;

    int x = tile_x * TILE + threadIdx.x;
    int y = tile_y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();

    x = tile_y * TILE + threadIdx.x;
    y = tile_x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
