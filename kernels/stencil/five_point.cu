// The mean of the four neighbours in a plane; the border stays as it is.
__global__ void five_point(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;

    int i = y * width + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
