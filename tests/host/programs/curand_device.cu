#include <cstdio>
#include <curand_kernel.h>

__global__ void setup(curandState *state, unsigned long long seed) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &state[id]);
}

__global__ void draw(curandState *states, unsigned *bits, float *uniform, float *normal, double *wide, int each) {
    int id = threadIdx.x + blockIdx.x * blockDim.x, n = gridDim.x * blockDim.x;
    curandState local = states[id];
    for (int k = 0; k < each; ++k) {
        bits[k * n + id] = curand(&local);
        uniform[k * n + id] = curand_uniform(&local);
        normal[k * n + id] = curand_normal(&local);
        wide[k * n + id] = curand_uniform_double(&local);
    }
    states[id] = local;
}

int main() {
    const int blocks = 4, threads = 64, n = blocks * threads, each = 4;
    curandState *states;
    unsigned *bits, hBits[n * each];
    float *uniform, *normal, hUniform[n * each], hNormal[n * each];
    double *wide, hWide[n * each];
    cudaMalloc(&states, n * sizeof(curandState));
    cudaMalloc(&bits, sizeof hBits);
    cudaMalloc(&uniform, sizeof hUniform);
    cudaMalloc(&normal, sizeof hNormal);
    cudaMalloc(&wide, sizeof hWide);
    setup<<<blocks, threads>>>(states, 1234ULL);
    draw<<<blocks, threads>>>(states, bits, uniform, normal, wide, each);
    cudaMemcpy(hBits, bits, sizeof hBits, cudaMemcpyDeviceToHost);
    cudaMemcpy(hUniform, uniform, sizeof hUniform, cudaMemcpyDeviceToHost);
    cudaMemcpy(hNormal, normal, sizeof hNormal, cudaMemcpyDeviceToHost);
    cudaMemcpy(hWide, wide, sizeof hWide, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    double mean = 0, square = 0, average = 0;
    for (int i = 0; i < n * each; ++i) sum += hBits[i], mean += hNormal[i], square += hNormal[i] * hNormal[i], average += hWide[i];
    printf("sizeof(curandState) = %zu\n", sizeof(curandState));
    for (int id : {0, 1, 77, 255})
        printf("%3d: %08x %08x %.7f %.5f %.12f\n", id, hBits[id], hBits[n + id], hUniform[id], hNormal[id], hWide[id]);
    printf("sum %08x, mean %.4f, variance %.4f, average %.6f\n", sum, mean / (n * each), square / (n * each), average / (n * each));
    cudaFree(states), cudaFree(bits), cudaFree(uniform), cudaFree(normal), cudaFree(wide);
    return 0;
}
