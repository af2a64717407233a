// Tuples and pairs in kernels, as C++ courses use them.
#include <cstdio>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/functional>
struct P { int a; float b; };
__device__ cuda::std::tuple<int, float, double> three(int t) { return {t, t * 0.5f, t * 0.25}; }
__device__ cuda::std::pair<int, float> minmax(int a, float b) { return cuda::std::make_pair(a, b); }
template <typename Tuple, size_t... I> __device__ double sum_of(const Tuple &t, cuda::std::index_sequence<I...>) { return (cuda::std::get<I>(t) + ...); }
template <typename... T> __device__ double total(const cuda::std::tuple<T...> &t) { return sum_of(t, cuda::std::index_sequence_for<T...>{}); }
__global__ void k(double *out) {
    int t = threadIdx.x;
    auto x = three(t);
    cuda::std::get<0>(x) += 2;
    out[t] = cuda::std::get<0>(x) + cuda::std::get<1>(x) + cuda::std::get<2>(x);
    auto [a, b, c] = three(t + 1);
    out[32 + t] = a * b + c;
    int i; float f;
    cuda::std::tie(i, f) = minmax(t, 3.f);
    out[64 + t] = i * f;
    out[96 + t] = total(cuda::std::make_tuple(t, 2.5f, (short)3));
    auto p = cuda::std::make_pair(t, P{t, 1.5f});
    out[128 + t] = p.second.a + cuda::std::get<1>(p).b + cuda::std::get<0>(p) + (int)cuda::std::tuple_size<decltype(x)>::value;
    cuda::std::tuple_element<1, decltype(x)>::type g = 7; out[160 + t] = g + (three(1) < three(t)) + (cuda::std::make_tuple(t, 1) == cuda::std::make_tuple(3, 1));
    auto y = cuda::std::apply([](int u, float v, double w) { return u + v * w; }, three(t)); out[192 + t] = y;
}
int main() {
    double *o; cudaMallocManaged(&o, 224 * 8); k<<<1, 32>>>(o); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 224; i += 9) printf("%g ", o[i]); puts(""); cudaFree(o);
}
