#include <cstdio>
#include <vector>
#include <curand.h>

__global__ void countInside(const float *x, const float *y, int n, int *inside) {
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i] * x[i] + y[i] * y[i] <= 1.0f;
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, mine);
}

int main() {
    const int n = 50000;
    float *d, h[4];
    int *inside, count;
    curandGenerator_t generator;
    cudaMalloc(&d, 2 * n * sizeof(float));
    cudaMalloc(&inside, sizeof(int));
    cudaMemset(inside, 0, sizeof(int));
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(generator, 42ULL);
    curandGenerateUniform(generator, d, 2 * n);
    countInside<<<32, 128>>>(d, d + n, n, inside);
    cudaMemcpy(&count, inside, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%.6f %.6f %.6f %.6f\n%d inside, pi is about %.4f\n", h[0], h[1], h[2], h[3], count, 4.0 * count / n);
    curandGenerateNormal(generator, d, n, 10.0f, 2.0f);
    std::vector<float> normal(n);
    cudaMemcpy(normal.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : normal) sum += v;
    printf("mean of the normal numbers %.3f\n", sum / n);
    curandDestroyGenerator(generator);
    cudaFree(d);
    cudaFree(inside);
    return 0;
}
