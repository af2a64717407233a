#define MIX(h, v) ((h) = (h) * 31u + (unsigned)(v))
#define CAT(a, b) a##b
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define EACH(k, n, ...)                                                                                      \
    for (int k = 0; k < (n); ++k) { __VA_ARGS__; }
struct Node {
    int value;
    Node *next;
    __device__ Node &push(Node *n) {
        n->next = this;
        return *n;
    }
};
struct Vec {
    int x, y;
    __device__ Vec(int a = 0, int b = 1) : x(a), y(b) {}
    __device__ Vec &operator+=(const Vec &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    __device__ Vec operator+(Vec o) const {
        o += *this;
        return o;
    }
    __device__ Vec operator-() const { return {-x, -y}; }
    __device__ int &operator[](int k) { return k ? y : x; }
    __device__ int operator()(int k) const { return x * k + y; }
    __device__ Vec &operator++() {
        ++x;
        return *this;
    }
    __device__ Vec operator++(int) {
        Vec t = *this;
        ++*this;
        return t;
    }
    __device__ bool operator<(const Vec &o) const { return x != o.x ? x < o.x : y < o.y; }
    __device__ explicit operator bool() const { return x != 0; }
    __device__ operator int() const { return x * 7 + y; }
};
__device__ Vec operator*(Vec v, int k) { return Vec(v.x * k, v.y * k); }
template <typename T, int N> struct Stack {
    T data[N];
    int top = 0;
    __device__ bool push(T v) {
        if (top == N) return false;
        data[top++] = v;
        return true;
    }
    __device__ T pop() { return top ? data[--top] : T(); }
    __device__ T *begin() { return data; }
    __device__ T *end() { return data + top; }
    template <typename F> __device__ int fold(F f, int a = 0) const {
        for (int k = 0; k < top; k++) a = f(a, data[k]);
        return a;
    }
};
template <typename T> struct Traits {
    static constexpr int bits = sizeof(T) * 8;
    using wide = long long;
};
template <> struct Traits<short> {
    static constexpr int bits = 16;
    using wide = int;
};
template <typename T> struct Traits<T *> {
    static constexpr int bits = 1 + Traits<T>::bits;
    using wide = T;
};
template <typename T> __device__ typename Traits<T>::wide widen(T v) { return v; }
template <int N> __device__ int ladder(int v) {
    if constexpr (N == 0) return v;
    else return ladder<N - 1>(v * 3 + N);
}
constexpr __host__ __device__ int triangle(int n) {
    int s = 0;
    for (int k = 1; k <= n; ++k) {
        if (k % 4 == 3) continue;
        s += k;
    }
    return s;
}
__device__ int sum(const int *p, int n) {
    int s = 0;
    const int *end = p + n;
    while (p != end) s += *p++;
    return s;
}
__device__ void swap2(int &a, int &b) {
    int t = a;
    a = b;
    b = t;
}
__device__ int *largest(int *p, int n) {
    int *best = p;
    for (int *q = p + 1; q < p + n; q++)
        if (*q > *best) best = q;
    return best;
}
__device__ int length(const char *s) {
    int n = 0;
    while (s[n]) n++;
    return n;
}
__device__ int early(int v) {
    for (int k = 0; k < 9; k++) {
        if ((v >> k) & 1) return k;
        switch (k) {
        case 3:
            if (v < 0) return -2;
            break;
        case 5:
            continue;
        default:
            break;
        }
        v ^= 1 << k;
    }
    return -1;
}
template <typename F> __device__ int apply(F f, int a) { return f(a) + f(a + 1); }
enum class Colour : unsigned char { red = 3, green, blue = 9 };
__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
