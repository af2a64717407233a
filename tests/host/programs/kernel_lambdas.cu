// Kernels that are given what they compute: extended lambdas with captures, functors, and functions by pointer.
#include <cstdio>
#include <vector>

template <class F> __global__ void for_each(int n, F function) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) function(i);
}
template <class T, class F> __global__ void reduce(const T *values, int n, T first, F combine, T *result) {
    __shared__ T part[128];
    T own = first;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own = combine(own, values[i]);
    part[threadIdx.x] = own;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = part[0];
}

struct Scale {
    float by;
    __host__ __device__ float operator()(float x) const { return by * x; }
};
template <class F> __global__ void map(float *x, int n, F function) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = function(x[i]);
}

typedef float (*Operation)(float, float);
__device__ float sum(float a, float b) { return a + b; }
__device__ float difference(float a, float b) { return a - b; }
__device__ float power(float a, float b) { return powf(a, b); }
__device__ Operation operations[3] = {sum, difference, power};
__device__ Operation chosen = difference;
__global__ void calculate(float *x, int n, int which, Operation given) {
    int i = threadIdx.x;
    if (i < n) x[i] = operations[(i + which) % 3](x[i], 2.0f) + given(x[i], 0.5f);
}

int main() {
    const int n = 1000;
    float *x, *result;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&result, 2 * sizeof(float));
    float offset = 0.25f;
    int stride = 3;
    for_each<<<4, 128>>>(n, [=] __device__(int i) { x[i] = (i * stride % 7) + offset; });
    map<<<(n + 127) / 128, 128>>>(x, n, Scale{2.0f});
    map<<<(n + 127) / 128, 128>>>(x, n, [=] __device__(float v) { return v > 5 ? v - offset : v; });
    reduce<<<1, 128>>>(x, n, 0.0f, [] __device__(float a, float b) { return a + b; }, result);
    reduce<<<1, 128>>>(x, n, -1.0f, [] __device__(float a, float b) { return fmaxf(a, b); }, result + 1);
    cudaDeviceSynchronize();
    printf("sum %.2f, largest %.2f, x[10] = %.2f\n", result[0], result[1], x[10]);
    Operation on_host;
    cudaMemcpyFromSymbol(&on_host, chosen, sizeof on_host);
    calculate<<<1, 64>>>(x, 64, 1, on_host);
    cudaDeviceSynchronize();
    printf("%.3f %.3f %.3f %s\n", x[0], x[1], x[2], cudaGetErrorString(cudaGetLastError()));
    cudaFree(x), cudaFree(result);
}
