// The tile and a border of one element around it come to shared memory; each element is then read there four times.
template <int TILE>
__global__ void five_point_tiled(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE + 2][TILE + 2];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1;
    int ty = threadIdx.y + 1;
    int i = y * width + x;

    if (x < width && y < height) {
        tile[ty][tx] = in[i];
        if (threadIdx.x == 0 && x > 0)
            tile[ty][0] = in[i - 1];
        if (threadIdx.x == TILE - 1 && x < width - 1)
            tile[ty][TILE + 1] = in[i + 1];
        if (threadIdx.y == 0 && y > 0)
            tile[0][tx] = in[i - width];
        if (threadIdx.y == TILE - 1 && y < height - 1)
            tile[TILE + 1][tx] = in[i + width];
    }
    __syncthreads();

    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    out[i] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}
