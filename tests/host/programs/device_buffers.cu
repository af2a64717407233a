// A program in modern C++: owners of device memory, templates of kernels, exceptions, standard algorithms.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>


#define CUDA_CHECK(expr)                                                          \
  do {                                                                            \
    cudaError_t status_ = (expr);                                                 \
    if (status_ != cudaSuccess)                                                   \
      throw std::runtime_error(std::string(#expr) + ": " + cudaGetErrorString(status_)); \
  } while (0)

template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t n) : size_(n) { CUDA_CHECK(cudaMalloc(&ptr_, n * sizeof(T))); }
  DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { upload(host); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)), size_(o.size_) {}
  ~DeviceBuffer() { if (ptr_) cudaFree(ptr_); }
  void upload(const std::vector<T>& h) {
    CUDA_CHECK(cudaMemcpy(ptr_, h.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> h(size_);
    CUDA_CHECK(cudaMemcpy(h.data(), ptr_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
  T* data() { return ptr_; }
  const T* data() const { return ptr_; }
  size_t size() const { return size_; }
 private:
  T* ptr_ = nullptr;
  size_t size_ = 0;
};

struct CudaDeleter { template <class T> void operator()(T* p) const { cudaFree(p); } };
template <class T> using cuda_ptr = std::unique_ptr<T[], CudaDeleter>;

template <class T> cuda_ptr<T> make_cuda(size_t n) {
  T* p; CUDA_CHECK(cudaMallocManaged(&p, n * sizeof(T))); return cuda_ptr<T>(p);
}

namespace kernels {
template <typename T, typename Op>
__global__ void transform(const T* __restrict__ a, T* __restrict__ b, size_t n, Op op) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += size_t(blockDim.x) * gridDim.x) b[i] = op(a[i]);
}
template <typename T, int BLOCK>
__global__ void block_sum(const T* in, T* out, size_t n) {
  __shared__ T cache[BLOCK];
  T acc{};
  for (size_t i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) acc += in[i];
  cache[threadIdx.x] = acc;
  __syncthreads();
#pragma unroll
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = cache[0];
}
}  // namespace kernels

struct Affine { float a, b; __host__ __device__ float operator()(float x) const { return a * x + b; } };

class Timer {
  using clock = std::chrono::steady_clock;
  clock::time_point start = clock::now();
 public:
  double ms() const { return std::chrono::duration<double, std::milli>(clock::now() - start).count(); }
};

int main() try {

  std::mt19937 gen(42);
  std::uniform_int_distribution<int> dist(0, 9);
  std::vector<float> host(10000);
  std::generate(host.begin(), host.end(), [&] { return float(dist(gen)); });

  DeviceBuffer<float> a(host), b(host.size());
  const int block = 128, grid = 20;
  Timer t;
  kernels::transform<<<grid, block>>>(a.data(), b.data(), a.size(), Affine{2.f, 1.f});
  CUDA_CHECK(cudaGetLastError());
  auto partial = make_cuda<float>(grid);
  kernels::block_sum<float, block><<<grid, block>>>(b.data(), partial.get(), b.size());
  CUDA_CHECK(cudaDeviceSynchronize());
  float sum = std::accumulate(partial.get(), partial.get() + grid, 0.f);
  float expect = 0;
  for (float v : host) expect += 2 * v + 1;
  std::cout << "sum " << sum << " expected " << expect << (t.ms() >= 0 ? "" : "!") << std::endl;
  auto back = b.download();
  bool ok = std::equal(host.begin(), host.end(), back.begin(), [](float x, float y) { return y == 2 * x + 1; });
  std::function<void(const char*)> say = [](const char* s) { puts(s); };
  say(ok && sum == expect ? "PASSED" : "FAILED");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 2;
}
