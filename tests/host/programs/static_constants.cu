// Constants without a mark of CUDA, which kernels of a program have each for itself, beside variables that they share.
#include <cstdio>
#include <cuda/std/ratio>
constexpr int powi(int b, int e) { return e == 0 ? 1 : b * powi(b, e - 1); }
struct Consts { static constexpr float w[4] = {1, 2, 4, 8}; static const int n = 3; };
namespace geo { template <class T> struct Box { static constexpr T lo[3] = {T(1), T(2), T(3)}; }; struct Plain { static constexpr int t[2] = {7, 8}; }; }
template <int... I> struct Table { static constexpr int v[sizeof...(I)] = {powi(3, I)...}; };
template <class T> constexpr T primes[4] = {T(2), T(3), T(5), T(7)};
constexpr int squares[5] = {0, 1, 4, 9, 16};
__device__ int counter;
namespace { __device__ int hidden = 5; }
static __device__ int quiet = 6;
__global__ void k(float *out, int n) {
    int t = threadIdx.x;
    static constexpr int local[3] = {10, 20, 30};
    out[t] = local[t % 3] + Consts::n + hidden;
    atomicAdd(&counter, 1); atomicAdd(&hidden, 2); atomicAdd(&quiet, n);
}
__global__ void l(float *out) { out[threadIdx.x] += counter + hidden + quiet; }
int main() {
    float *o; cudaMallocManaged(&o, 128); k<<<1, 32>>>(o, 1); l<<<1, 32>>>(o); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 32; i += 3) printf("%g ", o[i]); puts("");
    cudaFree(o);
}
