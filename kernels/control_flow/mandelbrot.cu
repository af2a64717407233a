// Iterations until a point leaves the circle of radius 2: neighbours mostly agree, at the rim they do not.
__global__ void mandelbrot(int *iterations, int width, int height, int limit)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    float cx = -2.25f + 3.0f * column / width;
    float cy = -1.5f + 3.0f * row / height;
    float x = 0.0f;
    float y = 0.0f;
    int count = 0;
    while (count < limit) {
        // Squares that no compiler fuses into the additions, so that every device gives the same picture.
        float xx = __fmul_rn(x, x);
        float yy = __fmul_rn(y, y);
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        ++count;
    }
    iterations[row * width + column] = count;
}
