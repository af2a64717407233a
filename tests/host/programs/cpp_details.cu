// Details of C++ in kernels: promotions, bit-fields, operators, scopes, jumps, lambdas, unions, conversions, rounding.
#include <cstdio>
#include <cstdint>
#include <cstring>
#include <climits>
#include <cfloat>
#include <cmath>
#define OUT(x) put(o, n, (double)(x))
#define MIN3(a, b, c) ((a) < (b) ? ((a) < (c) ? (a) : (c)) : ((b) < (c) ? (b) : (c)))
#define LOOP(var, count) for (int var = 0, var##_end = (count); var < var##_end; ++var)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR(x) #x
__device__ void put(double *o, int &n, double v) { o[n++] = v; }
struct Bits { int a : 3; unsigned b : 5; signed char c : 4; bool d : 1; unsigned long long e : 40; };
struct Mat { float m[2][3]; __device__ float *operator[](int r) { return m[r]; } __device__ const float *operator[](int r) const { return m[r]; } };
struct It { int i; __device__ It &operator++() { ++i; return *this; } __device__ It operator++(int) { It t = *this; ++i; return t; } __device__ It &operator--() { --i; return *this; } __device__ int operator*() const { return i * i; } __device__ bool operator!=(const It &x) const { return i != x.i; } };
struct Range { int a, b; __device__ It begin() const { return {a}; } __device__ It end() const { return {b}; } };
struct Money { long long cents; __device__ constexpr Money(long long c = 0) : cents(c) {} __device__ explicit operator double() const { return cents / 100.0; } __device__ explicit operator bool() const { return cents != 0; } __device__ Money operator-() const { return Money(-cents); } __device__ Money &operator+=(const Money &m) { cents += m.cents; return *this; } __device__ friend Money operator+(Money a, const Money &b) { return a += b; } __device__ bool operator==(const Money &m) const { return cents == m.cents; } __device__ Money operator,(int k) const { return Money(cents * k); } };
enum Color { RED = 1, GREEN = 1 << 2, BLUE = GREEN | RED, LAST };
enum class Op : int8_t { add = -3, sub, mul = 5, end };
__device__ constexpr Op operator|(Op a, Op b) { return Op(int(a) | int(b)); }
namespace outer { namespace inner { __device__ int f(int x) { return x + 1; } template <class T> struct Tr { static constexpr int v = sizeof(T); }; } namespace alias = inner; using inner::f; inline namespace v2 { __device__ int g() { return 22; } } }
namespace oi = outer::inner;
template <class T> __device__ T clamp3(T v, T lo = T(0), T hi = T(10)) { return v < lo ? lo : v > hi ? hi : v; }
template <> __device__ float clamp3<float>(float v, float lo, float hi) { return fminf(fmaxf(v, lo), hi) + 0.25f; }
template <int N> struct Fact { enum { v = N * Fact<N - 1>::v }; }; template <> struct Fact<0> { enum { v = 1 }; };
template <class D> struct Shape { __device__ float area2() const { return 2 * static_cast<const D *>(this)->area(); } }; struct Sq : Shape<Sq> { float s; __device__ Sq(float s) : s(s) {} __device__ float area() const { return s * s; } };
__device__ int over(int) { return 1; } __device__ int over(unsigned) { return 2; } __device__ int over(long) { return 3; } __device__ int over(double) { return 4; } __device__ int over(float) { return 5; } __device__ int over(char) { return 6; } __device__ int over(const int *) { return 7; } __device__ int over(bool) { return 8; } __device__ int over(unsigned long long) { return 9; }
__device__ int sum_arr(const int (&a)[4]) { int s = 0; for (int v : a) s += v; return s; }
__device__ int ptr_walk(const char *s) { int h = 5381; while (char c = *s++) h = h * 33 ^ c; return h; }
__device__ __noinline__ void swap_refs(int &a, int &b) { int t = a; a = b; b = t; }
__device__ int collatz(unsigned n) { int c = 0; again: if (n == 1) goto done; n = n & 1 ? 3 * n + 1 : n / 2; ++c; goto again; done: return c; }
__device__ int duff(int n) { int r = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { r += 1; case 3: r += 10; case 2: r += 100; case 1: r += 1000; } while (--k > 0); } return r; }
__device__ unsigned popc_slow(unsigned x) { unsigned c; for (c = 0; x; c++) x &= x - 1; return c; }
__device__ static const signed char table[3][2] = {{-1, 2}, {3, -4}, {5, 6}};
__global__ void k(double *o, int *count, int seed, int one, float fz, double dz) {
    int n = 0;
    signed char sc = (signed char)(200 + one - 1); unsigned char uc = (unsigned char)(300 * one); short sh = (short)(70000 * one); char ch = (char)(-7 * one);
    OUT(sc); OUT(uc); OUT(sh); OUT(sc + uc); OUT(sc >> 1); OUT(uc << 1); OUT((sc * sc) % 7); OUT(-7 * one / 2); OUT(-7 * one % 3); OUT((unsigned)-one / 3u); OUT(~uc); OUT(!uc); OUT(ch / 2 * 3 % 5);
    OUT((one - 2) >> 1); OUT((unsigned)(one - 2) >> 28); OUT(1u << (31 * one)); OUT((long long)INT_MIN * one - 1); OUT(INT_MAX / (one + 1)); OUT((5LL << 33) / (-3 * one)); OUT(0x8000000000000000ull % (7ull * one)); OUT((uint8_t)(one * 255) + (uint8_t)1);
    OUT(one - 2 < 0u ? 1 : 2); OUT((one - 2 > 0u) + 10); OUT(sizeof(sc + sc)); OUT(true + true); OUT('a' + one); OUT(sizeof('a')); OUT(sizeof(3.f * 2)); OUT(sizeof(1 ? 1 : 2.0));
    Bits b = {}; b.a = 5 * one; b.b = 37 * one; b.c = -9 * one; b.d = 2 * one; b.e = 0x123456789abcdefull * one; OUT(b.a); OUT(b.b); OUT(b.c); OUT(b.d); OUT(b.e); b.b += 30; OUT(b.b); b.a--; OUT(b.a); OUT(sizeof(Bits));
    Mat m = {{{1, 2, 3}, {4, 5, 6}}}; m[1][2] *= 2; const Mat &cm = m; Mat m2 = m; m2[0][0] = 9; OUT(cm[1][2] + m[0][0] + m2[0][0]);
    int s = 0; for (int v : Range{2, 6}) s += v; OUT(s); It it{3}; OUT((it++).i * 10 + it.i); OUT(*++it); --it; OUT(*it);
    Money a = 150, c2 = a + 50; OUT((double)(a + -c2)); OUT(a ? 1 : 0); OUT(static_cast<double>((a, 3))); OUT(a == Money(150)); Money z; OUT(!z);
    OUT(BLUE | GREEN); OUT(LAST); OUT(int(Op::sub | Op::mul)); OUT((int)Op::end); Color col = (Color)(one + 1); OUT(col == 2); switch (col) { case RED: OUT(1); break; default: OUT(col * 5); }
    OUT(outer::f(2) + oi::f(3) + outer::alias::Tr<double>::v + outer::g()); OUT(clamp3(12 * one)); OUT(clamp3(2.5f * one)); OUT(clamp3<short>(-5)); OUT(clamp3(7., 8.)); OUT(Fact<6>::v); OUT(Sq(3.f * one).area2());
    OUT(over(one)); OUT(over(1u)); OUT(over(1L)); OUT(over(1.f)); OUT(over(1.)); OUT(over('a')); OUT(over(sh)); OUT(over(true)); OUT(over(nullptr == nullptr)); OUT(over(&one)); OUT(over(1ull)); OUT(over(sc)); OUT(over(uc + uc));
    int arr[4] = {one, 2, 3}; OUT(sum_arr(arr)); OUT(arr[3]); int *p = arr + 2; OUT(p[-1]); OUT(*(p + 1) + *p--); OUT(p - arr); OUT(&arr[3] - p); OUT((arr + 1)[1]); OUT(2[arr]); OUT(ptr_walk("hello world")); OUT(sizeof(arr) / sizeof *arr);
    int x = 3 * one, y = 4; swap_refs(x, y); OUT(x * 10 + y); OUT((x > y, x ^= y, y ^= x, x ^= y, x * 10 + y)); OUT(x++ + ++y); OUT(x-- - --y); x += y -= 2; OUT(x * 100 + y); x <<= 2; OUT(x); x |= 1; x &= ~4; OUT(x); x %= 7; OUT(x);
    OUT(collatz(27 * one)); OUT(duff(7 * one)); OUT(duff(4)); OUT(popc_slow(0xf0f0f00fu * one)); LOOP(i, 5) { if (i == 1) continue; if (i == 4) break; s += i; } OUT(s); OUT(MIN3(5 * one, 3, 4)); int CAT(va, lue) = 77; OUT(value); OUT(sizeof(STR(abc)));
    OUT(table[one][0] + table[2 * one][1]); do { if (one) break; OUT(999); } while (0); for (int i = 0, j = 10; i < j; i += 3, --j) OUT(i * j); int w = 10; while (w --> 7) { if (w == 8) continue; OUT(w); }
    auto lam = [=, k = 5 * one](int v) mutable { k += v; return k + seed; }; OUT(lam(1)); OUT(lam(1)); auto comp = [](auto f, auto g) { return [=](auto v) { return f(g(v)); }; }; OUT(comp([](int v) { return v * 2; }, [](int v) { return v + 1; })(seed));
    int acc = 0; auto add = [&acc](int v) -> int & { acc += v; return acc; }; add(3) *= 2; OUT(acc); int (*fp)(unsigned) = collatz; OUT(fp(6)); OUT([] { return 42; }()); 
    union { float f; unsigned u; unsigned char c[4]; struct { unsigned short lo, hi; }; } un; un.f = -1.5f * one; OUT(un.u); OUT(un.c[3]); OUT(un.hi); un.hi = 0x4000; OUT(un.f); double d; uint64_t bits = 0x4009000000000000ull * one; memcpy(&d, &bits, 8); OUT(d);
    OUT((int)(3.99f * one)); OUT((int)(-3.99 * one)); OUT((unsigned)(3e9f * one)); OUT((long long)(1e15 * one)); OUT((float)(16777217 * one)); OUT((float)(unsigned long long)-one); OUT((unsigned char)(int)(300.7f * one)); OUT((int)(1e20f * one)); OUT((int)(fz / fz)); OUT(isnan(fz / fz)); OUT(isinf(1.0f / fz)); OUT(1.0 / dz > DBL_MAX); OUT(signbit(-fz)); OUT(fz == -fz);
    OUT(__float2int_rn(2.5f * one)); OUT(__float2int_ru(2.1f * one)); OUT(__float2int_rd(-2.1f * one)); OUT(rintf(3.5f * one)); OUT(roundf(2.5f * one)); OUT(truncf(-2.7f * one)); OUT(floorf(-2.1f * one)); OUT(ceil(2.1 * one)); OUT(fmodf(7.5f * one, 2)); OUT(remainder(7.5 * one, 2.)); OUT(copysignf(3, -fz)); OUT(fdimf(5, 3.f * one)); OUT(ldexpf(1.5f * one, 4)); int e; OUT(frexp(48.0 * one, &e)); OUT(e); double ip; OUT(modf(-3.25 * one, &ip)); OUT(ip); OUT(nextafterf(1.f * one, 2)); OUT(fminf(fz / fz, 3)); OUT(max(3 * one, 7)); OUT(min(2.5f * one, 1.f)); OUT(abs(-5 * one)); OUT(llabs(-5LL * one)); OUT(fabs(-2.5 * one)); OUT(hypot(3. * one, 4)); OUT(fmaf(2, 3.f * one, 1)); OUT(__saturatef(1.5f * one)); OUT(exp2f(3.f * one)); OUT(ilogbf(10.f * one)); OUT(scalbnf(1.f * one, 3));
    OUT(__clz(one)); OUT(__ffs(8 * one)); OUT(__popcll(-1LL * one)); OUT(__brev(1 * one)); OUT(__byte_perm(0x11223344 * one, 0x55667788, 0x7531)); OUT(__funnelshift_l(0x80000001u * one, 3, 4)); OUT(__mulhi(1 << 30, 12 * one)); OUT(__umulhi(0xffffffffu * one, 3)); OUT(__umul64hi(~0ull * one, 5)); OUT(__mul24(-5 * one, 7)); OUT(__sad(3 * one, 9, 1)); OUT(__hadd(7 * one, 4)); OUT(__rhadd(7 * one, 4)); OUT(__float_as_int(1.f * one)); OUT(__int_as_float(0x40490fdb * one)); OUT(__double2hiint(1.5 * one)); OUT(__hiloint2double(0x3ff80000 * one, 0)); OUT(__dp4a(0x01020304 * one, 0x05060708, 10)); OUT(__vadd4(0xff01ff01u * one, 0x02020202u)); OUT(__ll2float_rn((1LL << 40) * one + 1));
    *count = n;
}
int main() {
    double *o; int *c; cudaMallocManaged(&o, 4096 * 8); cudaMallocManaged(&c, 4); k<<<1, 1>>>(o, c, 3, 1, 0.f, 0.); cudaError_t e = cudaDeviceSynchronize(); printf("%s %d\n", cudaGetErrorString(e), *c);
    for (int i = 0; i < *c; i++) printf("%.17g%c", o[i], i % 8 == 7 ? '\n' : ' '); puts("");
}
