// Functions are defined behind their struct: constructors, overloads, operators, templates, within a namespace.
struct Sum {
    int value;
    static const int START = 4;
    __device__ Sum(int start = 1);
    __device__ Sum(int a, int b);
    __device__ int add(int x, int times = 2);
    __device__ int add(float x);
    __device__ int operator()(int x) const;
    static __device__ int twice(int x);
};
__device__ Sum::Sum(int first) : value(first) {}
__device__ Sum::Sum(int a, int b) : value(a + b) { value += START; }
__device__ int Sum::add(float x) { return value += int(10 * x); }
__device__ int Sum::add(int y, int n) { return value += y * n; }
inline __device__ int Sum::operator()(int x) const { return x * value; }
__device__ int Sum::twice(int x) { return 2 * x; }

template <typename T, int N> class Vector {
public:
    T data[N];
    __device__ Vector(T start);
    __device__ T dot(const Vector<T, N> &other) const;
    __device__ Vector &scale(T factor);
    template <typename U> __device__ Vector<U, N> to() const {
        Vector<U, N> result(0);
        for (int i = 0; i < N; ++i) result.data[i] = U(data[i]);
        return result;
    }
};
template <typename T, int N> __device__ Vector<T, N>::Vector(T start) {
    for (int i = 0; i < N; ++i) data[i] = start + i;
}
template <class Number, int SIZE>
__device__ Number Vector<Number, SIZE>::dot(const Vector<Number, SIZE> &other) const {
    Number sum = 0;
    for (int i = 0; i < SIZE; ++i) sum += data[i] * other.data[i];
    return sum;
}
template <typename T, int N> __device__ Vector<T, N> &Vector<T, N>::scale(T factor) {
    for (auto &x : data) x *= factor;
    return *this;
}

namespace plane {
struct Point {
    int x, y;
    __device__ int square() const;
};
__device__ int Point::square() const { return x * x + y * y; }
}

__global__ void functions_behind_struct(int *out) {
    Sum one, two(1, 2), three(3);
    one.add(int(threadIdx.x));
    two.add(7, 3);
    three.add(0.5f);
    out[threadIdx.x] = one(2) + 1000 * two.value + 100000 * three.value + Sum::twice(4);
    Vector<float, 3> v(1.5f), w(2);
    out[32 + threadIdx.x] = int(v.scale(2).dot(w)) + v.to<int>().data[2] + plane::Point{3, 4}.square();
}
