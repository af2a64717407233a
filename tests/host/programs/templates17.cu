// C++17 in kernels: fold expressions, if constexpr, structured bindings, variadic templates, constexpr tables.
#include <cstdio>
#include <type_traits>
#include <array>
#include <utility>
#include <tuple>
#include <limits>
template <typename... Ts> __device__ auto sum_all(Ts... v) { return (v + ...); }
template <typename T> __device__ T identity_of() {
    if constexpr (std::is_floating_point_v<T>) return T(0.5);
    else if constexpr (std::is_unsigned_v<T>) return T(7);
    else return std::numeric_limits<T>::min() / 1000000;
}
constexpr int powi(int b, int e) { return e == 0 ? 1 : b * powi(b, e - 1); }
template <int... I> __device__ int table_at(int k, std::integer_sequence<int, I...>) { constexpr int v[sizeof...(I)] = {powi(3, I)...}; return v[k]; }
struct Polar { float r, phi; };
__device__ Polar to_polar(float x, float y) { return {sqrtf(x * x + y * y), atan2f(y, x)}; }
template <typename F, typename... Args> __device__ auto apply_twice(F f, Args &&...args) { return f(f(args...), sizeof...(args)); }
template <class Op> struct Fold {
    Op op;
    template <class T, size_t N> __device__ T operator()(const T (&a)[N]) const {
        T r = a[0];
        for (size_t i = 1; i < N; i++) r = op(r, a[i]);
        return r;
    }
};
template <class Op> Fold(Op) -> Fold<Op>;
template <typename T, T... V> struct List {};
template <typename T, T First, T... Rest> __device__ T largest(List<T, First, Rest...>) {
    if constexpr (sizeof...(Rest) == 0) return First;
    else { T r = largest(List<T, Rest...>{}); return First > r ? First : r; }
}
enum class Mode : unsigned char { add, mul, hypot };
template <Mode M> __device__ float run(float a, float b) {
    if constexpr (M == Mode::add) return a + b;
    else if constexpr (M == Mode::mul) return a * b;
    else return hypotf(a, b);
}
using Fn = float (*)(float, float);
__global__ void kernel(float *out, int *iout) {
    int t = threadIdx.x;
    auto [r, phi] = to_polar(t - 3.0f, 2.0f);
    out[t] = r; out[t + 32] = phi;
    out[t + 64] = sum_all(t, 1.5f, 2.25) + identity_of<float>();
    iout[t] = table_at(t % 6, std::make_integer_sequence<int, 6>{}) + (int)identity_of<unsigned>() + identity_of<int>();
    int grid[3][4];
    for (auto &row : grid) for (auto &v : row) v = t + (&v - &grid[0][0]);
    int s = 0;
    for (const auto &row : grid) { auto fold = Fold{[](int a, int b) { return a ^ b * 3; }}; s += fold(row); }
    iout[t + 32] = s;
    iout[t + 64] = apply_twice([](auto a, auto b) { return a * 2 + b; }, t, 5) == 0 ? 1 : largest(List<int, 4, 9, 2>{});
    constexpr Fn fns[] = {run<Mode::add>, run<Mode::mul>, run<Mode::hypot>};
    out[t + 96] = fns[t % 3](t, 3.f);
    if (auto q = t / 5; q > 2) iout[t + 96] = q; else iout[t + 96] = -q;
    switch (int m = t & 3; m) { case 0: iout[t + 96] += 100; [[fallthrough]]; case 1: iout[t + 96] += 10; break; default: iout[t + 96] += m; }
}
template <typename T> __device__ constexpr T square(T v) { return v * v; }
template <typename T> inline constexpr T pi_v = T(3.14159265358979323846L);
__global__ void more(double *out) {
    std::array<double, 3> a{1, 2, 3};
    double acc = 0;
    for (double v : a) acc += square(v) * pi_v<double>;
    std::pair<int, double> p{threadIdx.x, acc};
    auto &[i, d] = p;
    d += i;
    out[threadIdx.x] = std::get<1>(p) + a.size();
}
int main() {
    float *out; int *iout; double *d;
    cudaMallocManaged(&out, 128 * 4); cudaMallocManaged(&iout, 128 * 4); cudaMallocManaged(&d, 32 * 8);
    kernel<<<1, 32>>>(out, iout);
    more<<<1, 32>>>(d);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 128; i += 5) printf("%g %d\n", out[i], iout[i]);
    for (int i = 0; i < 32; i += 7) printf("%.12g\n", d[i]);
}
