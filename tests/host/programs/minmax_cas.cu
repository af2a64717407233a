#include <cstdio>
#include <cmath>
#include <vector>

__device__ float atomicMaxFloat(float *address, float value) {
    int *as_int = (int *)address, old = *as_int, assumed;
    do {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__device__ double atomicAddDouble(double *address, double value) {
    unsigned long long *p = (unsigned long long *)address, old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void extremes(const float *x, int n, float *largest, int *smallest, double *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicMaxFloat(largest, x[i]);
    atomicMin(smallest, (int)floorf(x[i]));
    atomicAddDouble(sum, x[i]);
}

int main() {
    const int n = 3000;
    std::vector<float> x(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += x[i] = ((i * 131) % 997) * 0.5f - 100.25f;
    float *d_x, *largest, l = -INFINITY;
    int *smallest, s = 1 << 30;
    double *sum, t = 0;
    cudaMalloc(&d_x, n * 4), cudaMalloc(&largest, 4), cudaMalloc(&smallest, 4), cudaMalloc(&sum, 8);
    cudaMemcpy(d_x, x.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(largest, &l, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(smallest, &s, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(sum, &t, 8, cudaMemcpyHostToDevice);
    extremes<<<(n + 127) / 128, 128>>>(d_x, n, largest, smallest, sum);
    cudaMemcpy(&l, largest, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&s, smallest, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&t, sum, 8, cudaMemcpyDeviceToHost);
    printf("largest %.2f, smallest %d, sum %.2f (%s)\n", l, s, t, t == expected ? "correct" : "WRONG");
    cudaFree(d_x), cudaFree(largest), cudaFree(smallest), cudaFree(sum);
    return t != expected;
}
