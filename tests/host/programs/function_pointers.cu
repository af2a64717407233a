// Functions of the device by pointer: an argument, a table, a variable that host and kernels change.
#include <cstdio>
typedef float (*Point)(float, float);
__device__ float blend(float a, float b) { return 0.5f * (a + b); }
__device__ float difference(float a, float b) { return a - b; }
__device__ float product(float a, float b) { return a * b; }
__device__ Point table[3] = {blend, difference, product};
__device__ Point chosen = difference;
template <class F> __device__ float applied(F f, float x) { return f(x, 2.0f); }
__global__ void by_argument(float *out, Point f) { out[threadIdx.x] = f(threadIdx.x, 1.0f); }
__global__ void by_table(float *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 4.0f) + applied(chosen, 5.0f); }
__global__ void replace_chosen() { chosen = product; }
static void show(const char *name, float *d) {
  float h[8];
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s:", name);
  for (float x : h) printf(" %g", x);
  printf("\n");
}
int main() {
  float *d; cudaMalloc(&d, 32);
  Point f, all[3];
  cudaMemcpyFromSymbol(&f, chosen, sizeof f);
  by_argument<<<1, 8>>>(d, f);
  show("difference", d);
  cudaMemcpyFromSymbol(all, table, sizeof all);
  by_argument<<<1, 8>>>(d, all[0]);
  show("blend", d);
  by_table<<<1, 8>>>(d);
  show("table", d);
  replace_chosen<<<1, 1>>>();
  by_table<<<1, 8>>>(d);
  show("replaced", d);
  cudaMemcpyToSymbol(chosen, &all[0], sizeof f);
  by_table<<<1, 8>>>(d);
  show("set by the host", d);
  cudaFree(d);
}
