// Bezier curves of adaptive fineness: a thread decides how many points its curve needs, and launches a kernel for them.
#include <cstdio>
#include <cmath>

#define MAX_POINTS 32
#define N_LINES 64

struct BezierLine {
    float2 control[3];
    float2 *vertex;
    int count;
};

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float a, float2 b) { return make_float2(a * b.x, a * b.y); }
__device__ float length(float2 a) { return sqrtf(a.x * a.x + a.y * a.y); }

__device__ float curvature(BezierLine *lines, int k) {
    return length(lines[k].control[1] - 0.5f * (lines[k].control[0] + lines[k].control[2])) /
           length(lines[k].control[2] - lines[k].control[0]);
}

__global__ void positions(int line, BezierLine *lines, int count) {
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < count) {
        float u = (float)idx / (float)(count - 1);
        float omu = 1.0f - u;
        float b[3] = {omu * omu, 2.0f * u * omu, u * u};
        float2 position = {0, 0};
        for (int i = 0; i < 3; i++) position = position + b[i] * lines[line].control[i];
        lines[line].vertex[idx] = position;
    }
}

__global__ void lines_parent(BezierLine *lines, float2 *pool, int n_lines) {
    int k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k < n_lines) {
        float c = curvature(lines, k);
        lines[k].count = min(max((int)(c * 16.0f), 4), MAX_POINTS);
        lines[k].vertex = pool + k * MAX_POINTS;
        positions<<<ceil((float)lines[k].count / 32.0f), 32>>>(k, lines, lines[k].count);
    }
}

int main() {
    static BezierLine lines[N_LINES];
    for (int i = 0; i < N_LINES; i++)
        for (int j = 0; j < 3; j++)
            lines[i].control[j] = make_float2((float)((i * 37 + j * 11) % 23) / 23.0f, (float)((i * 13 + j * 29) % 31) / 31.0f);
    BezierLine *d_lines;
    float2 *pool;
    cudaMalloc(&d_lines, sizeof lines);
    cudaMalloc(&pool, N_LINES * MAX_POINTS * sizeof(float2));
    cudaMemset(pool, 0, N_LINES * MAX_POINTS * sizeof(float2));
    cudaMemcpy(d_lines, lines, sizeof lines, cudaMemcpyHostToDevice);
    lines_parent<<<(N_LINES + 31) / 32, 32>>>(d_lines, pool, N_LINES);
    cudaMemcpy(lines, d_lines, sizeof lines, cudaMemcpyDeviceToHost);
    static float2 points[N_LINES * MAX_POINTS];
    cudaMemcpy(points, pool, sizeof points, cudaMemcpyDeviceToHost);
    int total = 0;
    double x = 0, y = 0;
    for (int i = 0; i < N_LINES; i++) {
        total += lines[i].count;
        for (int k = 0; k < lines[i].count; k++) x += points[i * MAX_POINTS + k].x, y += points[i * MAX_POINTS + k].y;
    }
    printf("%d points, %.4f %.4f\n", total, x, y);
    return 0;
}
