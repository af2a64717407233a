// Objects with virtual destructors that allocate, and functions by pointer.
#include <cstdio>
struct Base { __device__ virtual ~Base() {} __device__ virtual int f() = 0; };
struct D1 : Base { int x; __device__ D1(int x) : x(x) {} __device__ ~D1() override { x = 0; } __device__ int f() override { return x; } };
struct D2 : Base { int *p; __device__ D2(int n) { p = new int[n]; for (int i = 0; i < n; i++) p[i] = i; } __device__ ~D2() { delete[] p; } __device__ int f() override { return p[3]; } };
__global__ void k(int *out) {
  Base *b = threadIdx.x % 2 ? (Base *)new D1(threadIdx.x) : (Base *)new D2(5);
  out[threadIdx.x] = b->f();
  delete b;
}
typedef int (*op_t)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ op_t table[2] = {add, mul};
__device__ op_t single = add;
__global__ void calls(int *out, op_t f) { out[threadIdx.x] = table[threadIdx.x % 2](threadIdx.x, 3) + f(1, 2); }
int main() {
  int *d, h[32]; cudaMalloc(&d, sizeof h);
  k<<<1, 32>>>(d); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[0], h[1], h[31]);
  op_t f; cudaMemcpyFromSymbol(&f, single, sizeof f);
  calls<<<1, 32>>>(d, f); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %s\n", h[0], h[1], h[31], cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
