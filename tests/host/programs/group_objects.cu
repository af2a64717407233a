// Reductions and shuffles of objects over tiles, by function objects, functions and lambdas.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct A { float m; float s; };
struct C { char a, b, c; };
struct Best { __device__ A operator()(const A &a, const A &b) const { return a.m > b.m ? a : b; } };
struct Mul { __device__ double operator()(double a, double b) const { return a * b; } };
__device__ A add(A a, A b) { return {a.m + b.m, a.s * 0.5f + b.s}; }
__device__ __forceinline__ int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
__global__ void k(float *o) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    auto q = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    A v = {(float)(t * 7 % 32), (float)t};
    A r = cg::reduce(w, v, Best());
    o[t] = r.m + r.s;
    A u = cg::reduce(q, v, add); o[32 + t] = u.m + u.s;
    o[64 + t] = cg::reduce(w, t * 6 + 12, gcd);
    o[96 + t] = (float)cg::reduce(q, 1.0 + t * 0.01, Mul{});
    A up = w.shfl_down(v, 3); o[128 + t] = up.s;
    C c = {(char)t, (char)(t + 1), (char)(t * 2)}; c = w.shfl(c, (t + 1) % 32); o[160 + t] = c.a + c.b * c.c;
    A x = cg::reduce(w, v, [](A a, A b) { return A{fmaxf(a.m, b.m), a.s + b.s}; }); o[192 + t] = x.m + x.s;
    float2 f2 = q.shfl_xor(make_float2(t, -t), 1); o[224 + t] = f2.x * 2 + f2.y;
}
#include <cstdio>
int main() { float *o; cudaMallocManaged(&o, 1024); k<<<1, 32>>>(o); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); for (int i = 0; i < 256; i++) printf("%g%c", o[i], i % 16 == 15 ? '\n' : ' '); cudaFree(o); }
