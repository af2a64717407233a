#include <iostream>
#include <vector>
#include <numeric>

__global__ void saxpy(int n, float a, const float *x, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

int main() {
    constexpr int n = 1 << 18;
    std::vector<float> x(n), y(n, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<32, 256>>>(n, 2.0f, d_x, d_y);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0.0f;
    for (int i = 0; i < n; ++i) worst = std::max(worst, std::abs(y[i] - (2.0f * i + 1.0f)));
    std::cout << "max error: " << worst << "\ny[12345] = " << y[12345] << std::endl;
    cudaFree(d_x);
    cudaFree(d_y);
    return worst == 0.0f ? 0 : 1;
}
