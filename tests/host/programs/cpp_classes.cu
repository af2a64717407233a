// Classes and templates of course code, deeper.
#include <cstdio>
#include <type_traits>
#include <cstddef>
#include <new>
template <class T, int CAP = 8> class SmallVec {
    T items[CAP]; int count = 0;
  public:
    using value_type = T; using iterator = T *;
    __device__ SmallVec() = default;
    template <class... A> __device__ explicit SmallVec(A... a) : items{T(a)...}, count(sizeof...(A)) {}
    __device__ SmallVec(const SmallVec &o) : count(o.count) { for (int i = 0; i < count; ++i) items[i] = o.items[i]; }
    __device__ SmallVec &operator=(const SmallVec &o) { if (this != &o) { count = o.count; for (int i = 0; i < count; ++i) items[i] = o.items[i]; } return *this; }
    __device__ T &operator[](int i) { return items[i]; } __device__ const T &operator[](int i) const { return items[i]; }
    __device__ void push(const T &t) { if (count < CAP) items[count++] = t; } __device__ T pop() { return items[--count]; }
    __device__ int size() const { return count; } __device__ bool empty() const { return !count; }
    __device__ iterator begin() { return items; } __device__ iterator end() { return items + count; } __device__ const T *begin() const { return items; } __device__ const T *end() const { return items + count; }
    template <class F> __device__ SmallVec map(F f) const { SmallVec r; for (auto &x : *this) r.push(f(x)); return r; }
    template <class U, class F> __device__ U fold(U u, F f) const { for (const auto &x : *this) u = f(u, x); return u; }
    __device__ friend bool operator==(const SmallVec &a, const SmallVec &b) { if (a.count != b.count) return false; for (int i = 0; i < a.count; ++i) if (!(a[i] == b[i])) return false; return true; }
};
template <class T> struct Complex { T re{}, im{}; __host__ __device__ constexpr Complex(T r = 0, T i = 0) : re(r), im(i) {} template <class U> __host__ __device__ Complex(const Complex<U> &c) : re(c.re), im(c.im) {} };
template <class T, class U> __host__ __device__ auto operator*(const Complex<T> &a, const Complex<U> &b) -> Complex<decltype(a.re * b.re)> { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
template <class T> __host__ __device__ Complex<T> &operator+=(Complex<T> &a, const Complex<T> &b) { a.re += b.re; a.im += b.im; return a; }
template <class T> __host__ __device__ T norm(const Complex<T> &c) { return c.re * c.re + c.im * c.im; }
template <int R, int C, class T = float> struct Matrix {
    T v[R][C] = {};
    __device__ static Matrix identity() { Matrix m; for (int i = 0; i < (R < C ? R : C); ++i) m.v[i][i] = 1; return m; }
    __device__ T &operator()(int r, int c) { return v[r][c]; } __device__ T operator()(int r, int c) const { return v[r][c]; }
    template <int K> __device__ Matrix<R, K, T> operator*(const Matrix<C, K, T> &o) const { Matrix<R, K, T> m; for (int i = 0; i < R; ++i) for (int j = 0; j < K; ++j) for (int k = 0; k < C; ++k) m(i, j) += v[i][k] * o(k, j); return m; }
    __device__ Matrix<C, R, T> t() const { Matrix<C, R, T> m; for (int i = 0; i < R; ++i) for (int j = 0; j < C; ++j) m(j, i) = v[i][j]; return m; }
    __device__ T trace() const { static_assert(R == C, "square"); T s = 0; for (int i = 0; i < R; ++i) s += v[i][i]; return s; }
};
template <int N> __device__ float det(const Matrix<N, N> &m) { float d = 0; Matrix<N - 1, N - 1> s; for (int c = 0; c < N; ++c) { for (int i = 1; i < N; ++i) for (int j = 0, k = 0; j < N; ++j) if (j != c) s(i - 1, k++) = m(i, j); d += (c % 2 ? -1 : 1) * m(0, c) * det(s); } return d; }
template <> __device__ float det<1>(const Matrix<1, 1> &m) { return m(0, 0); }
struct Animal { int legs; __device__ Animal(int l) : legs(l) {} __device__ virtual int speak() const { return legs; } __device__ virtual ~Animal() {} };
struct Dog : Animal { int age; __device__ Dog(int a) : Animal(4), age(a) {} __device__ int speak() const override { return Animal::speak() * 100 + age; } };
struct Bird final : public Animal { __device__ Bird() : Animal(2) {} __device__ int speak() const final { return -legs; } };
struct Counted { static __device__ int zero() { return 0; } int *n; __device__ Counted(int *n) : n(n) { ++*n; } __device__ Counted(const Counted &c) : n(c.n) { *n += 10; } __device__ Counted(Counted &&c) : n(c.n) { *n += 100; c.n = nullptr; } __device__ ~Counted() { if (n) *n += 1000; } };
__device__ Counted pass(Counted c) { return c; }
__device__ Counted make(int *n) { return Counted(n); }
template <class T> struct Node { T value; Node *left = nullptr, *right = nullptr; };
template <class T> struct Tree { Node<T> *pool; int used = 0; Node<T> *root = nullptr; __device__ explicit Tree(Node<T> *p) : pool(p) {} __device__ void insert(T v) { Node<T> **at = &root; while (*at) at = v < (*at)->value ? &(*at)->left : &(*at)->right; *at = new (&pool[used++]) Node<T>{v}; } __device__ int depth(const Node<T> *n) const { int best = 0; const Node<T> *st[32]; int dp[32], top = 0; st[top] = n; dp[top++] = 1; while (top) { auto *x = st[--top]; int d = dp[top]; if (!x) continue; best = d > best ? d : best; st[top] = x->left; dp[top++] = d + 1; st[top] = x->right; dp[top++] = d + 1; } return best; } };
template <class T, class = void> struct has_size : std::false_type {}; template <class T> struct has_size<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
template <class T> __device__ std::enable_if_t<has_size<T>::value, int> sz(const T &t) { return t.size(); } template <class T> __device__ std::enable_if_t<!has_size<T>::value, int> sz(const T &) { return -1; }
template <template <class, int> class V, class T, int N> __device__ int cap(const V<T, N> &) { return N; }
template <unsigned N, class F> __device__ void static_for(F f) { if constexpr (N > 0) { static_for<N - 1>(f); f(std::integral_constant<unsigned, N - 1>{}); } }
struct Pipeline { float x; __device__ Pipeline &scale(float k) { x *= k; return *this; } __device__ Pipeline &&shift(float k) && { x += k; return static_cast<Pipeline &&>(*this); } __device__ float get() const & { return x; } };
struct Packed { char c; int i; short s; double d; }; struct alignas(16) Al { float v[3]; }; struct Empty {}; struct D2 : Empty { int x; };
__global__ void k(double *o, int *n_, int one, Packed pk, Al al, SmallVec<float, 4> *vec, Node<int> *pool) {
    int n = 0; auto out = [&](double v) { o[n++] = v; };
    SmallVec<int> v(3, 1 * one, 4, 1); v.push(5); out(v.size()); out(v.fold(0, [](int a, int b) { return a * 10 + b; })); auto w = v.map([=](int x) { return x * x + one; }); out(w[4]); out(w.pop()); out(w.size()); out(v == v); out(v == w); SmallVec<int> u; u = v; u[0] = 9; out(v[0] * 10 + u[0]); out(u.empty());
    Complex<float> a(1.5f * one, -2); Complex<double> b = a; auto c = a * b; b += c; out(b.re); out(c.im); out(norm(a)); out(sizeof(c)); constexpr Complex<int> ci(3, 4); out(ci.re + ci.im);
    Matrix<2, 3> m; for (int i = 0; i < 6; ++i) m(i / 3, i % 3) = i + one; auto mm = m * m.t(); out(mm.trace()); out((mm * Matrix<2, 2>::identity())(0, 1)); Matrix<3, 3> q; for (int i = 0; i < 9; ++i) q(i / 3, i % 3) = (i * 7 * one) % 5 + (i % 4 == 0); out(det(q)); Matrix<4, 4> q4 = Matrix<4, 4>::identity(); q4(0, 3) = 2; q4(3, 0) = 3 * one; out(det(q4));
    Dog d(7 * one); Bird bi; const Animal *zoo[2] = {&d, &bi}; for (auto *z : zoo) out(z->speak()); out(zoo[one]->legs); Animal &ref = d; out(ref.speak());
    int cnt = 0; { Counted x(&cnt); Counted y = pass(x); Counted z = make(&cnt); } out(cnt); cnt = 0; { Counted arr[2] = {Counted(&cnt), make(&cnt)}; } out(cnt); cnt = 0; pass(make(&cnt)); out(cnt); { const Counted &r = make(&cnt); cnt *= 2; } out(cnt);
    Tree<int> t(pool); for (int x : {5, 2, 8, 1, 9, 3, 10}) t.insert(x * one); out(t.depth(t.root)); out(t.root->right->right->value); out(sz(v)); out(sz(3)); out(cap(v)); out(cap(*vec));
    int tot = 0; static_for<4>([&](auto i) { tot = tot * 10 + decltype(i)::value; }); out(tot); out(Pipeline{2.f * one}.scale(3).get()); out(Pipeline{1.f}.shift(2).get());
    out(sizeof(Packed)); out(offsetof(Packed, d)); out(sizeof(Al)); out(alignof(Al)); out(sizeof(Empty)); out(sizeof(D2)); out(pk.c + pk.i + pk.s + pk.d); out(al.v[2]); out((*vec)[1]); vec->push(7); out(vec->size()); *n_ = n;
}
__global__ void init(SmallVec<float, 4> *vec) { new (vec) SmallVec<float, 4>(1.f, 2.5f); }
int main() {
    double *o; int *c; Node<int> *pool; SmallVec<float, 4> *vec; cudaMallocManaged(&o, 4096 * 8); cudaMallocManaged(&c, 4); cudaMalloc(&pool, 32 * sizeof(Node<int>)); cudaMalloc(&vec, sizeof *vec);
    Packed p = {'a', 2, 3, 4.5}; Al al = {{1, 2, 3.25f}}; init<<<1, 1>>>(vec); k<<<1, 1>>>(o, c, 1, p, al, vec, pool); cudaError_t e = cudaDeviceSynchronize(); printf("%s %d\n", cudaGetErrorString(e), *c);
    for (int i = 0; i < *c; i++) printf("%.9g%c", o[i], i % 8 == 7 ? '\n' : ' '); puts("");
}
