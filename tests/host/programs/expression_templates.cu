// Expression templates, CRTP, variadic kernels, policies: modern C++ on the device.
#include <cstdio>
#include <array>
#include <tuple>
#include <utility>
#include <type_traits>
#include <functional>
#include <memory>
#include <optional>
#include <initializer_list>

template <class Derived> struct Expr {
    __host__ __device__ const Derived& self() const { return static_cast<const Derived&>(*this); }
};
template <class T> struct View : Expr<View<T>> {
    using value_type = T;
    T* data; int n;
    __host__ __device__ View(T* d, int k) : data(d), n(k) {}
    __device__ T operator[](int i) const { return data[i]; }
    template <class E> __device__ void assign(const Expr<E>& e) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = e.self()[i];
    }
};
template <class T> struct Scalar : Expr<Scalar<T>> {
    using value_type = T;
    T v;
    __host__ __device__ Scalar(T x) : v(x) {}
    __device__ T operator[](int) const { return v; }
};
template <class Op, class L, class R> struct Binary : Expr<Binary<Op, L, R>> {
    using value_type = std::common_type_t<typename L::value_type, typename R::value_type>;
    L l; R r;
    __host__ __device__ Binary(L a, R b) : l(a), r(b) {}
    __device__ value_type operator[](int i) const { return Op::apply(static_cast<value_type>(l[i]), static_cast<value_type>(r[i])); }
};
struct Add { template <class T> static __device__ T apply(T a, T b) { return a + b; } };
struct Sub { template <class T> static __device__ T apply(T a, T b) { return a - b; } };
struct Mul { template <class T> static __device__ T apply(T a, T b) { return a * b; } };
struct Max { template <class T> static __device__ T apply(T a, T b) { return a < b ? b : a; } };
template <class T> struct is_expr { template <class U> static std::true_type test(const Expr<U>*); static std::false_type test(...);
    static constexpr bool value = decltype(test(std::declval<T*>()))::value; };
template <class T, bool = is_expr<T>::value> struct wrap { using type = T; };
template <class T> struct wrap<T, false> { using type = Scalar<T>; };
template <class T> using wrap_t = typename wrap<std::decay_t<T>>::type;
#define OPERATOR(sym, name) \
    template <class L, class R, std::enable_if_t<is_expr<L>::value || is_expr<R>::value, int> = 0> \
    __host__ __device__ auto sym(const L& l, const R& r) { return Binary<name, wrap_t<L>, wrap_t<R>>(wrap_t<L>(l), wrap_t<R>(r)); }
OPERATOR(operator+, Add)
OPERATOR(operator-, Sub)
OPERATOR(operator*, Mul)
OPERATOR(maximum, Max)

template <class T, class E> __global__ void evaluate(View<T> out, E e) { out.assign(e); }

template <class F, class... Args> __global__ void launch_kernel(int n, F f, Args... args) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i, args...);
}
template <class F, class... Args> void for_each_index(int n, F f, Args... args) { launch_kernel<<<(n + 63) / 64, 64>>>(n, f, args...); }

template <int... Is> struct Polynomial {
    template <class T> static constexpr __host__ __device__ T at(T x) {
        constexpr int c[] = {Is...};
        T r = 0;
        for (int k = sizeof...(Is) - 1; k >= 0; --k) r = r * x + c[k];
        return r;
    }
};
template <class... Ps> __global__ void polynomials(double x, double* out) {
    int k = 0;
    ((out[k++] = Ps::at(x)), ...);
    out[k++] = (Ps::at(x) + ... + 0.0);
    out[k++] = (... * Ps::at(x));
    out[k++] = (0 + ... + int(Ps::at(2)));
}

template <std::size_t N> struct Matrix {
    std::array<std::array<float, N>, N> a{};
    static constexpr std::size_t rows = N;
    constexpr __host__ __device__ auto& operator()(std::size_t i, std::size_t j) { return a[i][j]; }
    constexpr __host__ __device__ const auto& operator()(std::size_t i, std::size_t j) const { return a[i][j]; }
    static constexpr __host__ __device__ Matrix identity() { Matrix m; for (std::size_t i = 0; i < N; ++i) m(i, i) = 1; return m; }
    friend constexpr __host__ __device__ Matrix operator*(const Matrix& x, const Matrix& y) {
        Matrix z;
        for (std::size_t i = 0; i < N; ++i) for (std::size_t j = 0; j < N; ++j) for (std::size_t k = 0; k < N; ++k) z(i, j) += x(i, k) * y(k, j);
        return z;
    }
    constexpr __host__ __device__ Matrix pow(unsigned e) const {
        Matrix r = identity(), b = *this;
        for (; e; e >>= 1, b = b * b) if (e & 1) r = r * b;
        return r;
    }
};
__global__ void powers(Matrix<2> m, float* out) {
    unsigned e = threadIdx.x;
    auto p = m.pow(e);
    out[e] = p(0, 1);
}

template <class T> struct Optional {
    bool has = false; T value{};
    __device__ Optional() {}
    __device__ Optional(T v) : has(true), value(v) {}
    template <class F> __device__ auto map(F f) const -> Optional<decltype(f(value))> { if (has) return f(value); return {}; }
    template <class F> __device__ auto and_then(F f) const { return has ? f(value) : decltype(f(value)){}; }
    __device__ T value_or(T d) const { return has ? value : d; }
};
__device__ Optional<float> safe_sqrt(float x) { if (x < 0) return {}; return sqrtf(x); }
__device__ Optional<float> safe_inverse(float x) { if (x == 0) return {}; return 1 / x; }
__global__ void monads(float* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float x = i - 4;
    out[i] = safe_sqrt(x).and_then(safe_inverse).map([](float v) { return 10 * v; }).value_or(-1);
}

template <class T, class... Rest> struct index_of;
template <class T, class... Rest> struct index_of<T, T, Rest...> : std::integral_constant<int, 0> {};
template <class T, class U, class... Rest> struct index_of<T, U, Rest...> : std::integral_constant<int, 1 + index_of<T, Rest...>::value> {};
template <class... Ts> struct Variant {
    alignas(Ts...) unsigned char storage[std::max({sizeof(Ts)...})];
    int tag = -1;
    template <class T> __host__ __device__ Variant(T v) : tag(index_of<T, Ts...>::value) { *reinterpret_cast<T*>(storage) = v; }
    template <class T> __host__ __device__ const T& get() const { return *reinterpret_cast<const T*>(storage); }
    template <class F> __host__ __device__ double visit(F f) const {
        double r = 0;
        ((tag == index_of<Ts, Ts...>::value ? (void)(r = f(get<Ts>())) : void()), ...);
        return r;
    }
};
struct Circle { float r; };
struct Rect { float w, h; };
struct Tri { double a, b, c; };
template <class... Fs> struct overloaded { };
struct Area {
    __device__ double operator()(const Circle& c) const { return 3.0 * c.r * c.r; }
    __device__ double operator()(const Rect& r) const { return r.w * r.h; }
    __device__ double operator()(const Tri& t) const { double s = (t.a + t.b + t.c) / 2; return sqrt(s * (s - t.a) * (s - t.b) * (s - t.c)); }
};
using Shape = Variant<Circle, Rect, Tri>;
__global__ void areas(const Shape* s, double* out, int n) { int i = threadIdx.x; if (i < n) out[i] = s[i].visit(Area{}); }

template <class Policy> struct Counter : private Policy {
    int value = 0;
    using Policy::step;
    __device__ Counter& operator++() { value += step(); return *this; }
    __device__ Counter operator++(int) { Counter old(*this); ++*this; return old; }
    __device__ explicit operator int() const { return value; }
};
struct ByOne { __device__ static int step() { return 1; } };
struct ByLane { __device__ int step() const { return threadIdx.x % 4 + 1; } };
template <class P> __global__ void count(int* out) {
    Counter<P> c;
    while (int(c) < 20) c++;
    auto old = c++;
    out[threadIdx.x] = int(old) * 100 + int(++c);
}

template <auto Value> struct constant { static constexpr auto value = Value; };
template <class... Cs> __global__ void constants(long long* out) { int k = 0; ((out[k++] = static_cast<long long>(Cs::value)), ...); }

template <class T> void show(const char* name, const T* d, int n, const char* f) {
    std::unique_ptr<T[]> h(new T[n]);
    cudaError_t e = cudaMemcpy(h.get(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%s (%s):", name, cudaGetErrorString(e));
    for (int i = 0; i < n; i++) { printf(" "); printf(f, h[i]); }
    printf("\n");
}
int main() {
    const int n = 100;
    float *x, *y; int* z; double* d; long long* l;
    cudaMallocManaged(&x, n * 4); cudaMallocManaged(&y, n * 4); cudaMallocManaged(&z, n * 4); cudaMallocManaged(&d, n * 8); cudaMallocManaged(&l, n * 8);
    for (int i = 0; i < n; i++) { x[i] = i * 0.5f; y[i] = 50 - i; z[i] = i % 7; }
    View<float> vx(x, n), vy(y, n); View<int> vz(z, n); View<double> vd(d, n);
    evaluate<<<2, 32>>>(vd, maximum(vx * 2.0f + vy * vz, 30) - vz);
    show("expression", d + 40, 8, "%.4f");
    cudaDeviceSynchronize();
    for_each_index(n, [] __device__(int i, float* a, const int* b, float s, short t) { a[i] += b[i] * s - t; }, x, z, 0.25f, (short)3);
    show("for each", x + 10, 6, "%.3f");
    polynomials<Polynomial<1, 2, 3>, Polynomial<0, 0, 1>, Polynomial<-4, 5>><<<1, 1>>>(1.5, d);
    show("polynomials", d, 6, "%.4f");
    Matrix<2> fib; fib(0, 0) = fib(0, 1) = fib(1, 0) = 1;
    powers<<<1, 24>>>(fib, y);
    show("fibonacci", y, 24, "%.0f");
    monads<<<1, 32>>>(y, 12);
    show("monads", y, 12, "%.4f");
    Shape shapes[] = {Circle{2}, Rect{3, 4}, Tri{3, 4, 5}, Rect{1, 1}, Circle{0.5f}};
    Shape* ds; cudaMalloc(&ds, sizeof shapes); cudaMemcpy(ds, shapes, sizeof shapes, cudaMemcpyHostToDevice);
    areas<<<1, 8>>>(ds, d, 5);
    show("areas", d, 5, "%.4f");
    count<ByOne><<<1, 4>>>(z); show("by one", z, 4, "%d");
    count<ByLane><<<1, 8>>>(z); show("by lane", z, 8, "%d");
    constants<constant<3>, constant<'a'>, constant<-7LL>, constant<true>, constant<sizeof(Shape)>, constant<Matrix<3>::rows>><<<1, 1>>>(l);
    show("constants", l, 6, "%lld");
    return cudaDeviceSynchronize();
}
