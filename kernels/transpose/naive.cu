// Lanes read along a row and write down a column: `height` elements from one lane to the next.
template <int TILE, int ROWS>
__global__ void transpose_naive(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[x * height + y + j] = in[(y + j) * width + x];
}
