// A copy with the shape of a transpose: rows are read and rows are written. Nothing moves data faster.
template <int TILE, int ROWS>
__global__ void copy_tiles(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * width + x] = in[(y + j) * width + x];
}
