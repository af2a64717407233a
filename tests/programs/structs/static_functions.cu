// Static functions are called by the name of their struct: with template arguments, by a template parameter, inherited.
template <typename T> struct Sum {
    static __device__ T apply(T a, T b) { return a + b + twice(a); }
    static __device__ T twice(T a) { return 2 * a; }
};
template <int N> struct Doubled {
    static __device__ int sum(int x) { return x + Doubled<N - 1>::sum(2 * x); }
};
template <> struct Doubled<0> {
    static __device__ int sum(int x) { return x; }
};
struct Base {
    static __device__ int one() { return 1; }
    static __device__ int ten() { return 10 * one(); }
};
struct Derived : Base {
    static __device__ int one() { return Base::one() + ten(); }
    static constexpr __host__ __device__ int words(int n) { return 2 * n; }
    __device__ int own(int x) const { return x + one(); }
};
struct Largest {
    static __device__ int start() { return -1; }
    static __device__ int apply(int a, int b) { return max(a, b); }
};
template <class Operation> __device__ int combined(int x) {
    int result = Operation::apply(Operation::start(), x);
    for (int i = 16; i; i /= 2) result = Operation::apply(result, __shfl_xor_sync(0xffffffff, result, i));
    return result;
}
__global__ void static_functions(int *out) {
    __shared__ int words[Derived::words(16)];
    words[threadIdx.x] = threadIdx.x;
    Derived derived;
    out[threadIdx.x] = Sum<int>::apply(threadIdx.x, 3) + (int)Sum<float>::apply(0.25f, 0.5f);
    out[32 + threadIdx.x] = Doubled<3>::sum(threadIdx.x);
    out[64 + threadIdx.x] = 100 * Derived::one() + derived.own(threadIdx.x) + derived.words(3);
    out[96 + threadIdx.x] = combined<Largest>(threadIdx.x) + words[threadIdx.x];
}
