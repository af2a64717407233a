// Traits of types, as kernels and their helpers ask for them.
#include <cstdio>
#include <type_traits>
struct Empty {};
struct Base { int a; __host__ __device__ Base(int x) : a(x) {} };
struct Derived : Base { __host__ __device__ Derived() : Base(2) {} __host__ __device__ float operator()(int, float y) const { return a * y; } };
struct Virtual { __device__ virtual int f() const { return 1; } };
struct Copied { int v = 0; __host__ __device__ Copied() {} __host__ __device__ Copied(const Copied &o) : v(o.v + 1) {} };
struct Meters { double m; __host__ __device__ operator double() const { return m; } };
union Bits { float f; unsigned u; };
enum Colour { RED, GREEN };
enum class Small : unsigned char { A, B };
enum class Wide : long long { X };
template <class T> struct Holder { T value; };
template <class Trait> constexpr int v = int(Trait::value);
using namespace std;
template <class... Ts> struct list {};
template <class T> __device__ const char *name();
#define SAME(...) int(is_same_v<__VA_ARGS__>)
template <class T, class U = common_type_t<T, float>> __global__ void scaled(T *x, U f, double *out) {
    out[threadIdx.x] = x[threadIdx.x] * f + sizeof(U);
}
template <class E> __device__ auto to_underlying(E e) { return static_cast<underlying_type_t<E>>(e); }
template <class F, class... A> __device__ auto call(F f, A... a) -> invoke_result_t<F, A...> { return f(a...); }
template <class F> __device__ int arity(F) {
    if constexpr (is_invocable_v<F, int, float>) return 2;
    else if constexpr (is_invocable_v<F, int>) return 1;
    else return 0;
}
__global__ void uses(double *out) {
    out[0] = to_underlying(Small::B) + 10 * sizeof(to_underlying(Wide::X));
    out[1] = call(Derived(), 3, 2.5f);
    auto one = [](int x) { return x * 0.5; };
    out[2] = call(one, 7);
    out[3] = arity(Derived()) * 100 + arity(one) * 10 + arity([] { return 1; });
    common_type_t<char, short, unsigned> c = 7;
    out[4] = sizeof(c) + (is_unsigned_v<decltype(c)> ? 0.5 : 0);
    decay_t<const int (&)[3]> p = nullptr;
    out[5] = p == nullptr && is_same<decltype(p), const int *>::value;
}
__global__ void traits_0(int *out) {
    const int values[] = {v<is_enum<Colour>>, v<is_enum<Small>>, v<is_enum<int>>, v<is_class<Empty>>, v<is_class<Bits>>, v<is_union<Bits>>,
              v<is_class<int>>, v<is_empty<Empty>>, v<is_empty<Base>>, v<is_empty<Virtual>>, v<is_polymorphic<Virtual>>,
              v<is_polymorphic<Derived>>, v<is_trivially_copyable<Derived>>, v<is_trivially_copyable<Copied>>,
              v<is_trivially_copyable<Holder<Copied>>>, v<is_trivially_copyable<int *>>, v<is_trivially_copyable<float[4]>>,
              v<is_fundamental<void>>, v<is_fundamental<Colour>>, v<is_scalar<Colour>>, v<is_scalar<int *>>, v<is_scalar<Empty>>,
              v<is_volatile<volatile int>>, v<is_volatile<int>>, v<is_const<const int>>, v<is_const<const int *>>,
              v<is_lvalue_reference<int &>>, v<is_lvalue_reference<int &&>>, v<is_rvalue_reference<int &&>>, v<is_reference<int>>};
    for (int value : values) *out++ = value;
}
__global__ void traits_1(int *out) {
    const int values[] = {v<is_base_of<Base, Derived>>, v<is_base_of<Derived, Base>>, v<is_base_of<Base, Base>>, v<is_base_of<int, int>>,
              v<is_convertible<int, float>>, v<is_convertible<int, Base>>, v<is_convertible<Base, int>>, v<is_convertible<Derived *, Base *>>,
              v<is_convertible<Base *, Derived *>>, v<is_convertible<Meters, float>>, v<is_convertible<Small, int>>,
              v<is_convertible<Colour, int>>, v<is_constructible<Base, int>>, v<is_constructible<Base>>, v<is_constructible<Base, Empty>>,
              v<is_default_constructible<Derived>>, v<is_default_constructible<Base>>, v<is_copy_constructible<Base>>,
              v<is_assignable<int &, float>>, v<is_assignable<int, float>>, v<is_assignable<Base &, Empty>>,
              v<is_invocable<Derived, int, float>>, v<is_invocable<Derived, Empty>>, v<is_invocable<int>>};
    for (int value : values) *out++ = value;
}
__global__ void traits_2(int *out) {
    const int values[] = {v<rank<int>>, v<rank<int[3]>>, v<rank<int[][4]>>, v<extent<int[3]>>, v<extent<int[3][4], 1>>, v<extent<int>>,
              v<alignment_of<double>>, v<alignment_of<Empty>>, (int)rank_v<float[2][2]>, (int)extent_v<float[5]>};
    for (int value : values) *out++ = value;
}
__global__ void traits_3(int *out) {
    const int values[] = {SAME(remove_cv_t<const volatile int>, int), SAME(decay_t<const int &>, int),
              SAME(decay_t<int[3]>, int *), SAME(remove_all_extents_t<int[3][4]>, int), SAME(remove_extent_t<int[3][4]>, int[4]),
              SAME(make_signed_t<unsigned>, int), SAME(make_unsigned_t<long long>, unsigned long long),
              SAME(underlying_type_t<Small>, unsigned char), SAME(common_type_t<int, double>, double), SAME(common_type_t<char, short>, int),
              SAME(common_type_t<float>, float), SAME(common_type_t<int, unsigned, float>, float), SAME(add_lvalue_reference_t<int>, int &),
              SAME(add_rvalue_reference_t<int>, int &&), SAME(add_pointer_t<int &>, int *), SAME(add_cv_t<int>, const volatile int),
              SAME(invoke_result_t<Derived, int, float>, float), SAME(conditional_t<true, int, float>, int), SAME(void_t<int>, void),
              SAME(remove_pointer_t<int *const>, int), SAME(common_type_t<Derived *, Base *>, Base *)};
    for (int value : values) *out++ = value;
}
int main() {
    int *d; cudaMallocManaged(&d, 400 * sizeof(int));
    traits_0<<<1, 1>>>(d);
    traits_1<<<1, 1>>>(d + 40);
    traits_2<<<1, 1>>>(d + 80);
    traits_3<<<1, 1>>>(d + 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 121; i++) printf("%d%s", d[i], i % 40 == 39 ? "\n" : " ");
    double *o; cudaMallocManaged(&o, 80);
    short *s; cudaMallocManaged(&s, 8); s[0] = 3; s[1] = -4;
    scaled<<<1, 2>>>(s, 0.5f, o); cudaDeviceSynchronize(); printf("\n%g %g\n", o[0], o[1]);
    uses<<<1, 1>>>(o); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 6; i++) printf("%g ", o[i]);
    printf("\n");
}
