// Static variables of functions, of templates, of members and of kernels keep their values from launch to launch.
#include <cstdio>
namespace a { __device__ int next(int k) { static int n; return atomicAdd(&n, k); }
template <int N> __device__ int g() { static __device__ int t[N] = {N, 2}; return atomicAdd(&t[0], 1); } }
template <class T> struct S { static __device__ int f() { static int q = sizeof(T); return atomicAdd(&q, 1); } __device__ int m() { static T z = 5; z += 1; return z; } };
__device__ int n = 100;
__device__ int other() { static int n = 50; n += 2; return n; }
__global__ void one(int *o) { static int calls = 3; if (threadIdx.x == 0) { o[0] = a::next(1); o[1] = a::g<2>(); o[2] = a::g<3>(); o[3] = S<int>::f(); o[4] = S<double>::f(); S<int> s; o[5] = s.m(); o[6] = calls++; o[7] = n++; o[8] = other(); } }
__global__ void two(int *o) { static const float w[3] = {1.5f, 2.5f, 3.5f}; static __constant__ int c[2] = {7, 9}; if (threadIdx.x == 0) { o[0] += 10 * a::next(5); o[1] += 10 * a::g<2>(); o[2] += 100 * a::g<3>(); o[9] = w[o[0] % 3] * c[o[1] & 1]; auto l = [] { static int z = 9; return z++; }; o[10] = l() + l(); o[11] = n; o[12] = other(); } }
template <int K> __global__ void three(int *o) { static unsigned hits; o[K] = atomicAdd(&hits, K); }
int main() { int *d, h[32]; cudaMalloc(&d, sizeof h); cudaMemset(d, 0, sizeof h);
  for (int i = 0; i < 3; i++) { one<<<1, 32>>>(d); two<<<1, 32>>>(d); }
  three<20><<<2, 1>>>(d); three<21><<<1, 1>>>(d); three<20><<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); for (int x : h) printf("%d ", x); printf("\n"); cudaFree(d); }
