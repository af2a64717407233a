// Heat in a rod of rows: pitched memory and two-dimensional copies.
#include <cstdio>
#include <cstring>

const int W = 100, H = 60;

__global__ void diffuse(const float *in, float *out, size_t pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    auto row = [=](int r) { return (const float *)((const char *)in + r * pitch); };
    float here = row(y)[x];
    float left = x > 0 ? row(y)[x - 1] : here, right = x < W - 1 ? row(y)[x + 1] : here;
    float up = y > 0 ? row(y - 1)[x] : here, down = y < H - 1 ? row(y + 1)[x] : here;
    ((float *)((char *)out + y * pitch))[x] = here + 0.125f * (left + right + up + down - 4 * here);
}

static float a[H][W], b[H][W];

int main() {
    memset(a, 0, sizeof a);
    a[30][50] = 4096;
    float *d_a, *d_b;
    size_t pitch;
    cudaMallocPitch(&d_a, &pitch, W * sizeof(float), H);
    cudaMallocPitch(&d_b, &pitch, W * sizeof(float), H);
    printf("the pitch is %s multiple of 256\n", pitch % 256 == 0 ? "a" : "no");
    cudaMemcpy2D(d_a, pitch, a, sizeof a[0], W * sizeof(float), H, cudaMemcpyHostToDevice);
    cudaMemset2D(d_b, pitch, 0, W * sizeof(float), H);
    dim3 threads(32, 8), blocks((W + 31) / 32, (H + 7) / 8);
    for (int t = 0; t < 10; ++t) {
        diffuse<<<blocks, threads>>>(d_a, d_b, pitch);
        float *swap = d_a; d_a = d_b; d_b = swap;
    }
    cudaMemcpy2D(b, sizeof b[0], d_a, pitch, W * sizeof(float), H, cudaMemcpyDeviceToHost);
    double total = 0;
    for (auto &row : b) for (float v : row) total += v;
    printf("total heat %.3f, centre %.4f, beside %.4f\n", total, b[30][50], b[30][51]);
    cudaFree(d_a);
    cudaFree(d_b);
    return total != 4096.0;
}
