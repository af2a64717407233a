// Jacobi iteration for the Laplace equation on a plate, until the largest change is small.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void step(const double *from, double *to, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < n - 1 && y < n - 1)
        to[y * n + x] = 0.25 * (from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] + from[(y + 1) * n + x]);
}

__global__ void largestChange(const double *a, const double *b, int count, double *result) {
    __shared__ double largest[256];
    double mine = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) mine = fmax(mine, fabs(a[i] - b[i]));
    largest[threadIdx.x] = mine;
    for (int d = 128; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) largest[threadIdx.x] = fmax(largest[threadIdx.x], largest[threadIdx.x + d]);
    }
    if (threadIdx.x == 0) *result = largest[0];
}

int main() {
    const int n = 50;
    std::vector<double> plate(n * n, 0.0);
    for (int x = 0; x < n; ++x) plate[x] = 100.0;
    double *a, *b, *d_change, change;
    cudaMalloc(&a, n * n * sizeof(double));
    cudaMalloc(&b, n * n * sizeof(double));
    cudaMalloc(&d_change, sizeof(double));
    cudaMemcpy(a, plate.data(), n * n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(b, a, n * n * sizeof(double), cudaMemcpyDeviceToDevice);
    dim3 block(16, 16), grid((n + 13) / 16, (n + 13) / 16);
    int iterations = 0;
    do {
        for (int k = 0; k < 50; ++k, ++iterations) {
            step<<<grid, block>>>(a, b, n);
            std::swap(a, b);
        }
        largestChange<<<1, 256>>>(a, b, n * n, d_change);
        cudaMemcpy(&change, d_change, sizeof change, cudaMemcpyDeviceToHost);
    } while (change > 1e-2 && iterations < 5000);
    cudaMemcpy(plate.data(), a, n * n * sizeof(double), cudaMemcpyDeviceToHost);
    printf("%d iterations, largest change %.6f, centre %.6f\n", iterations, change, plate[n / 2 * n + n / 2]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(d_change);
    return !(plate[n / 2 * n + n / 2] > 15 && plate[n / 2 * n + n / 2] < 25);
}
