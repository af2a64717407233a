// The mean of a square around each pixel; beyond the edge of the image the edge's pixels count again.
#ifndef RADIUS
#define RADIUS 2
#endif

__device__ int clamp(int value, int limit)
{
    return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

__global__ void box_blur(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += in[clamp(y + dy, height) * width + clamp(x + dx, width)];
    out[y * width + x] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
}
