#include <cstdio>
#include <functional>
#include <limits>
#include <vector>

template <typename T> struct Sum {
    static constexpr T identity() { return T(0); }
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Largest {
    static __host__ __device__ T identity() { return T(-1000000); }
    __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
struct Affine {
    float a, b;
    __device__ float operator()(float x) const { return a * x + b; }
};

template <typename T, typename Op, int BLOCK = 128>
__global__ void reduce(const T *in, T *out, int n, Op op, T start) {
    __shared__ T s[BLOCK];
    T v = start;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) v = op(v, in[i]);
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + d]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <typename F> __global__ void transform(float *x, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(x[i]);
}

template <typename T, typename Op> T reduceOnDevice(const std::vector<T> &h, Op op) {
    T *in, *out, result;
    cudaMalloc(&in, h.size() * sizeof(T));
    cudaMalloc(&out, 8 * sizeof(T));
    cudaMemcpy(in, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    reduce<<<8, 128>>>(in, out, (int)h.size(), op, Op::identity());
    reduce<<<1, 128>>>(out, out, 8, op, Op::identity());
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return result;
}

int main() {
    std::vector<double> d(1000);
    std::vector<int> k(1000);
    for (int i = 0; i < 1000; ++i) d[i] = i * 0.25, k[i] = (i * 37) % 1001;
    printf("sum of doubles %.2f, of integers %d\n", reduceOnDevice(d, Sum<double>()), reduceOnDevice(k, Sum<int>()));
    printf("largest double %.2f, integer %d\n", reduceOnDevice(d, Largest<double>()), reduceOnDevice(k, Largest<int>()));
    float x[5] = {0, 1, 2, 3, 4}, *dx;
    cudaMalloc(&dx, sizeof x);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    transform<<<1, 32>>>(dx, 5, Affine{2.0f, -1.0f});
    cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(dx);
    for (float v : x) printf("%g ", v);
    printf("\n");
    return x[4] == 7 ? 0 : 1;
}
