// Functions of the device that call themselves: queens on a board, Fibonacci numbers.
#include <cstdio>
#include <cuda_runtime.h>
// N queens by recursion, and quicksort by an own stack
__device__ int solve(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
  if (row == n) return 1;
  int count = 0;
  unsigned free = ~(cols | d1 | d2) & ((1u << n) - 1);
  while (free) {
    unsigned bit = free & -free;
    free ^= bit;
    count += solve(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
  }
  return count;
}
__global__ void queens(int n, int *out) {
  int t = threadIdx.x;
  out[t] = t < n ? solve(n, 1, 1u << t, 1u << t << 1, 1u << t >> 1) : 0;
}
__device__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void fibs(unsigned *out) { out[threadIdx.x] = fib(threadIdx.x); }
int main() {
  int *d, h[32]; cudaMalloc(&d, sizeof h);
  cudaDeviceSetLimit(cudaLimitStackSize, 4096);
  queens<<<1, 32>>>(6, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int s = 0; for (int x : h) s += x;
  printf("queens %d\n", s);
  fibs<<<1, 12>>>((unsigned *)d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("fib %d %d\n", h[5], h[11]);
  cudaFree(d);
}
