#include <cfloat>
#include <cstdio>
#include <vector>

constexpr int K = 4;

__global__ void assign(const float2 *points, int n, const float2 *means, int *labels, float *sumX, float *sumY, int *counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = FLT_MAX;
    int label = 0;
    for (int k = 0; k < K; ++k) {
        float dx = points[i].x - means[k].x, dy = points[i].y - means[k].y, d = dx * dx + dy * dy;
        if (d < best) best = d, label = k;
    }
    labels[i] = label;
    atomicAdd(&sumX[label], points[i].x);
    atomicAdd(&sumY[label], points[i].y);
    atomicAdd(&counts[label], 1);
}

__global__ void update(float2 *means, float *sumX, float *sumY, int *counts) {
    int k = threadIdx.x;
    int count = max(1, counts[k]);
    means[k] = make_float2(sumX[k] / count, sumY[k] / count);
    sumX[k] = sumY[k] = 0.0f;
    counts[k] = 0;
}

int main() {
    const int n = 2000;
    std::vector<float2> points(n);
    for (int i = 0; i < n; ++i) points[i] = make_float2((i % 2) * 64 + (i * 7 % 16), (i / 2 % 2) * 64 + (i * 5 % 8));
    std::vector<float2> means = {{0, 0}, {50, 10}, {10, 50}, {70, 70}};
    float2 *d_points, *d_means;
    int *labels, *counts;
    float *sumX, *sumY;
    cudaMalloc(&d_points, n * sizeof(float2));
    cudaMalloc(&d_means, K * sizeof(float2));
    cudaMalloc(&labels, n * sizeof(int));
    cudaMalloc(&counts, K * sizeof(int));
    cudaMalloc(&sumX, K * sizeof(float));
    cudaMalloc(&sumY, K * sizeof(float));
    cudaMemset(counts, 0, K * sizeof(int));
    cudaMemset(sumX, 0, K * sizeof(float));
    cudaMemset(sumY, 0, K * sizeof(float));
    cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
    cudaMemcpy(d_means, means.data(), K * sizeof(float2), cudaMemcpyHostToDevice);
    for (int iteration = 0; iteration < 6; ++iteration) {
        assign<<<(n + 255) / 256, 256>>>(d_points, n, d_means, labels, sumX, sumY, counts);
        update<<<1, K>>>(d_means, sumX, sumY, counts);
    }
    cudaMemcpy(means.data(), d_means, K * sizeof(float2), cudaMemcpyDeviceToHost);
    for (auto &m : means) printf("mean (%.2f, %.2f)\n", m.x, m.y);
    for (void *p : {(void *)d_points, (void *)d_means, (void *)labels, (void *)counts, (void *)sumX, (void *)sumY}) cudaFree(p);
    return !(means[3].x > 64 && means[3].y > 64);
}
