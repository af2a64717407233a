// A network of two layers learns the exclusive or: tensors in unique_ptr, layers and products as templates.
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>
#include <functional>
#define CHECK(call) \
    { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) { \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(EXIT_FAILURE); \
        } \
    }

namespace nn {
struct Deleter { void operator()(float *p) const { cudaFree(p); } };
class Tensor {
    std::unique_ptr<float, Deleter> data_;
    int rows_, cols_;
  public:
    Tensor(int r, int c) : rows_(r), cols_(c) {
        float *p;
        CHECK(cudaMalloc(&p, bytes()));
        data_.reset(p);
        CHECK(cudaMemset(p, 0, bytes()));
    }
    Tensor(Tensor &&) = default;
    Tensor &operator=(Tensor &&) = default;
    size_t bytes() const { return sizeof(float) * rows_ * cols_; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int size() const { return rows_ * cols_; }
    float *get() { return data_.get(); }
    const float *get() const { return data_.get(); }
    void upload(const std::vector<float> &h) {
        CHECK(cudaMemcpy(get(), h.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<float> download() const {
        std::vector<float> h(size());
        CHECK(cudaMemcpy(h.data(), get(), bytes(), cudaMemcpyDeviceToHost));
        return h;
    }
};
enum class Op { None, Transpose };
template <Op A, Op B> __global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k, float beta) {
    const int T = 8;
    __shared__ float sa[T][T + 1], sb[T][T + 1];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (k + T - 1) / T; ++t) {
        int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;
        if constexpr (A == Op::None) sa[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0;
        else sa[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[ka * m + row] : 0;
        if constexpr (B == Op::None) sb[threadIdx.y][threadIdx.x] = kb < k && col < n ? b[kb * n + col] : 0;
        else sb[threadIdx.y][threadIdx.x] = kb < k && col < n ? b[col * k + kb] : 0;
        __syncthreads();
        for (int i = 0; i < T; ++i) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum + (beta != 0 ? beta * c[row * n + col] : 0);
}
template <Op A = Op::None, Op B = Op::None> void multiply(const Tensor &a, const Tensor &b, Tensor &c) {
    int m = c.rows(), n = c.cols(), k = A == Op::None ? a.cols() : a.rows();
    dim3 block(8, 8), grid((n + 7) / 8, (m + 7) / 8);
    gemm<A, B><<<grid, block>>>(a.get(), b.get(), c.get(), m, n, k, 0.0f);
    CHECK(cudaGetLastError());
}
struct Sigmoid {
    __device__ static float f(float x) { return 1.0f / (1.0f + expf(-x)); }
    __device__ static float df(float y) { return y * (1 - y); }
};
struct Tanh {
    __device__ static float f(float x) { return tanhf(x); }
    __device__ static float df(float y) { return 1 - y * y; }
};
template <class A> __global__ void activate(float *x, const float *bias, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) x[i] = A::f(x[i] + bias[i % cols]);
}
template <class A> __global__ void backward(float *grad, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) grad[i] *= A::df(y[i]);
}
__global__ void difference(const float *y, const float *t, float *g, int n) {
    int i = threadIdx.x;
    if (i < n) g[i] = y[i] - t[i];
}
__global__ void update(float *w, const float *g, float rate, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] -= rate * g[i];
}
__global__ void column_sums(const float *g, float *s, int rows, int cols) {
    int c = threadIdx.x;
    if (c < cols) { float v = 0; for (int r = 0; r < rows; ++r) v += g[r * cols + c]; s[c] = v; }
}
template <class A> struct Layer {
    Tensor w, b, y, gw, gb; 
    Layer(int batch, int in, int out, unsigned seed) : w(in, out), b(1, out), y(batch, out), gw(in, out), gb(1, out) {
        std::vector<float> h(in * out);
        for (auto &v : h) {
            seed = seed * 1103515245u + 12345u;
            v = ((seed >> 16 & 0x7fff) / 32768.0f - 0.5f) * 2;
        }
        w.upload(h);
    }
    void forward(const Tensor &x) {
        multiply(x, w, y);
        activate<A><<<(y.size() + 63) / 64, 64>>>(y.get(), b.get(), y.rows(), y.cols());
    }
    void learn(const Tensor &x, Tensor &g, float rate) {
        backward<A><<<(g.size() + 63) / 64, 64>>>(g.get(), y.get(), g.size());
        multiply<Op::Transpose, Op::None>(x, g, gw);
        column_sums<<<1, 32>>>(g.get(), gb.get(), g.rows(), g.cols());
        update<<<1, 64>>>(b.get(), gb.get(), rate, b.size());
        update<<<(w.size() + 63) / 64, 64>>>(w.get(), gw.get(), rate, w.size());
    }
};
}
int main() {
    using namespace nn;
    Tensor x(4, 2), t(4, 1), g2(4, 1), g1(4, 8);
    x.upload({0, 0, 0, 1, 1, 0, 1, 1}); t.upload({0, 1, 1, 0});
    Layer<Tanh> hidden(4, 2, 8, 3); Layer<Sigmoid> output(4, 8, 1, 5);
    for (int epoch = 0; epoch < 60; ++epoch) {
        hidden.forward(x); output.forward(hidden.y);
        difference<<<1, 32>>>(output.y.get(), t.get(), g2.get(), 4);
        Tensor before(4, 1);
        output.learn(hidden.y, g2, 0.8f);
        multiply<Op::None, Op::Transpose>(g2, output.w, g1);
        hidden.learn(x, g1, 0.8f);
    }
    auto y = output.y.download();
    printf("%.3f %.3f %.3f %.3f\n", y[0], y[1], y[2], y[3]);
}
