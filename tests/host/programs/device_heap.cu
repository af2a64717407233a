// malloc, free, new and delete in kernels: a stack that kernels share, objects put in place, blocks of memory.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
// containers on the device, as the sample of new and delete has them
template <class T> class Container {
 public:
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(T e) = 0;
  __device__ virtual bool pop(T &e) = 0;
};
template <class T> class Vector {
 public:
  __device__ Vector(int max) : m_top(-1) { m_data = new T[max]; }
  __device__ Vector(T *data, int max) : m_data(data), m_top(-1) {}
  __device__ void done() { delete[] m_data; }
  __device__ void push(T e) {
    if (m_data) { int tmp = atomicAdd(&(this->m_top), 1); m_data[tmp + 1] = e; }
  }
  __device__ bool pop(T &e) {
    if (m_top >= 0) {
      int tmp = atomicAdd(&(this->m_top), -1);
      if (tmp >= 0) { e = m_data[tmp]; return true; }
    }
    return false;
  }
 private:
  size_t m_size;
  T *m_data;
  int m_top;
};
__device__ Vector<int> *stack;
__global__ void create(int n) { stack = new Vector<int>(n); }
__global__ void fill() { stack->push(blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void drain(int *out) {
  int e;
  if (stack->pop(e)) out[blockIdx.x * blockDim.x + threadIdx.x] = e;
}
__global__ void destroy() { stack->done(); delete stack; }
struct Complex_t { int a, b; __device__ Complex_t() : a(5), b(6) {} };
__global__ void placement(int *out) {
  __shared__ unsigned char buffer[sizeof(Complex_t) * 32];
  Complex_t *c = new (&buffer[sizeof(Complex_t) * threadIdx.x]) Complex_t();
  c->a += threadIdx.x;
  __syncthreads();
  Complex_t *o = (Complex_t *)&buffer[sizeof(Complex_t) * (31 - threadIdx.x)];
  out[threadIdx.x] = o->a * o->b;
}
__global__ void perThread(int *out) {
  int *ptr = (int *)malloc(sizeof(int) * (threadIdx.x + 1));
  if (!ptr) { out[threadIdx.x] = -1; return; }
  for (int i = 0; i <= threadIdx.x; i++) ptr[i] = i;
  int s = 0;
  for (int i = 0; i <= threadIdx.x; i++) s += ptr[i];
  out[threadIdx.x] = s;
  free(ptr);
}
__global__ void perBlock(int *out) {
  __shared__ int *data;
  if (threadIdx.x == 0) { data = (int *)malloc(blockDim.x * 4 * sizeof(int)); }
  __syncthreads();
  if (data == NULL) return;
  int *ptr = data;
  for (int i = 0; i < 4; ++i) ptr[i * blockDim.x + threadIdx.x] = threadIdx.x + blockIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = ptr[2 * blockDim.x + (threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  if (threadIdx.x == 0) free(data);
}
__global__ void tooMuch(int *out) { void *p = malloc(64 << 20); out[threadIdx.x] = p == nullptr; free(p); }
int main() {
  size_t limit;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  printf("heap %zu\n", limit);
  int *d; cudaMalloc(&d, 256 * 4);
  std::vector<int> h(256);
  create<<<1, 1>>>(256);
  fill<<<4, 64>>>();
  drain<<<4, 64>>>(d);
  destroy<<<1, 1>>>();
  cudaMemcpy(h.data(), d, 1024, cudaMemcpyDeviceToHost);
  std::sort(h.begin(), h.end());
  bool ok = true;
  for (int i = 0; i < 256; i++) ok &= h[i] == i;
  printf("stack %s\n", ok ? "ok" : "wrong");
  placement<<<1, 32>>>(d);
  cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
  printf("placement %d %d\n", h[0], h[31]);
  perThread<<<1, 96>>>(d);
  cudaMemcpy(h.data(), d, 96 * 4, cudaMemcpyDeviceToHost);
  printf("per thread %d %d\n", h[5], h[95]);
  perBlock<<<3, 64>>>(d);
  cudaMemcpy(h.data(), d, 192 * 4, cudaMemcpyDeviceToHost);
  printf("per block %d %d\n", h[0], h[191]);
  tooMuch<<<1, 2>>>(d);
  cudaMemcpy(h.data(), d, 8, cudaMemcpyDeviceToHost);
  printf("too much %d\n", h[0] + h[1]);
  cudaFree(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
