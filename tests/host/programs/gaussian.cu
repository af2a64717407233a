#include <cmath>
#include <cstdio>

#define N 40

__global__ void eliminate(double *m, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row <= k || row >= N || col <= k || col > N) return;
    m[row * (N + 1) + col] -= m[row * (N + 1) + k] / m[k * (N + 1) + k] * m[k * (N + 1) + col];
}

int main() {
    double m[N * (N + 1)], copy[N * (N + 1)], x[N];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= N; ++j) copy[i * (N + 1) + j] = m[i * (N + 1) + j] = i == j ? 2.0 * N : j == N ? i : (i * j) % 7;
    double *d;
    cudaMalloc(&d, sizeof m);
    cudaMemcpy(d, m, sizeof m, cudaMemcpyHostToDevice);
    dim3 block(16, 8), grid((N + 16) / 16, (N + 7) / 8);
    for (int k = 0; k < N - 1; ++k) eliminate<<<grid, block>>>(d, k);
    cudaMemcpy(m, d, sizeof m, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = N - 1; i >= 0; --i) {
        x[i] = m[i * (N + 1) + N];
        for (int j = i + 1; j < N; ++j) x[i] -= m[i * (N + 1) + j] * x[j];
        x[i] /= m[i * (N + 1) + i];
    }
    double residual = 0;
    for (int i = 0; i < N; ++i) {
        double r = -copy[i * (N + 1) + N];
        for (int j = 0; j < N; ++j) r += copy[i * (N + 1) + j] * x[j];
        residual = fmax(residual, fabs(r));
    }
    printf("x[0] = %.8f, x[39] = %.8f, residual %s\n", x[0], x[N - 1], residual < 1e-10 ? "small" : "LARGE");
    return residual >= 1e-10;
}
