// Details: arrays of pointers to device arrays, struct with pointer members built on the host, deep copies, linked lists in an array, 3-D indexing with macros, enums, bit fields, unions, switch with ranges, gotos, do/while(0), comma, ternary chains, const-correct iterators, function templates with defaults, nested namespaces, using enum-like constants, operator(), operator[], conversion operators, user-defined literals.
#include <cstdio>
#include <cstdlib>
#include <cstddef>
#include <limits>
#include <climits>
#include <cfloat>
namespace geo::detail { template <typename T, int N = 3> struct Vec { T v[N]{}; __host__ __device__ constexpr T &operator[](int i) { return v[i]; } __host__ __device__ constexpr const T &operator[](int i) const { return v[i]; }
  __host__ __device__ friend Vec operator+(Vec a, const Vec &b) { for (int i = 0; i < N; ++i) a[i] += b[i]; return a; } __host__ __device__ explicit operator bool() const { for (T x : v) if (x != T()) return true; return false; }
  __host__ __device__ operator T() const = delete; template <typename U> __host__ __device__ Vec<U, N> as() const { Vec<U, N> r; for (int i = 0; i < N; i++) r[i] = static_cast<U>(v[i]); return r; } }; }
namespace g = geo::detail;
constexpr unsigned long long operator""_k(unsigned long long n) { return n * 1024; }
enum Kind : short { RED = 1, GREEN = RED << 1, BLUE = GREEN << 1, ALL = RED | GREEN | BLUE };
struct Packed { unsigned kind : 3, level : 5; signed delta : 6; bool on : 1; unsigned : 0; unsigned char tail; };
struct Matrix { int rows, cols; float **row; float *data; __host__ __device__ float &operator()(int r, int c) { return row[r][c]; } };
struct Node { int value, next; };
template <class It, class F = int (*)(int)> __device__ int fold(It b, It e, F f) { int s = 0; for (; b != e; ++b) s += f(*b); return s; }
__device__ int square(int x) { return x * x; }
#define IDX3(x, y, z, nx, ny) ((x) + (nx) * ((y) + (ny) * (z)))
__global__ void fill(Matrix m) { int r = threadIdx.y, c = threadIdx.x; m(r, c) = r * 10 + c; if (&m.row[r][c] != m.data + r * m.cols + c) m(r, c) = -1; }
__global__ void lists(const Node *nodes, const int *heads, int n, int *sums) { int i = threadIdx.x; if (i >= n) return; int s = 0, at = heads[i]; 
again: if (at < 0) goto done; s += nodes[at].value; at = nodes[at].next; goto again;
done: sums[i] = s; }
__global__ void misc(int *o, Packed *p, float **arrays, int count) {
  int t = threadIdx.x; Packed q = p[t]; q.level += 3; q.delta = -q.delta; q.kind = (q.kind & GREEN) ? ALL : RED; q.on = !q.on; p[t] = q;
  int r = t < 4 ? 1 : t < 8 ? 2 : t < 16 ? 3 : 4; switch (t) { case 0: case 1: case 2: case 3: r += 10; break; case 7: case 9: r += 20; [[fallthrough]]; case 11: r += 30; break; default: do { if (t & 1) break; r += 40; } while (0); }
  g::Vec<int> a{{t, 1, 2}}, b; b[t % 3] = 5; auto c = (a + b).as<float>(); r += (b ? 100 : 0) + (int)c[0] + int(g::Vec<char, 2>() ? 1000 : 0);
  for (int k = 0; k < count; k++) arrays[k][t] += r * (k + 1);
  int loc[5]; for (int i = 0, j = 4; i < j; i++, --j) loc[i] = t + i, loc[j] = t - j; loc[2] = 7;
  r += fold(loc, loc + 5, square) + fold(&loc[1], &loc[3], [=](int x) { return x + t; });
  alignas(8) unsigned char bytes[8]; *reinterpret_cast<unsigned long long *>(bytes) = 0x0102030405060708ull * (t + 1); r += bytes[3] ^ bytes[7];
  const int &ref = r; int *const ptr = &r; *ptr += ref & 1 ? -1 : +1;
  o[t] = r + (t == 31 ? INT_MAX / 2 : (int)(std::numeric_limits<short>::max() % 7)) + (int)sizeof(Packed) + (int)offsetof(Packed, tail) + (int)alignof(Matrix) + int(2_k >> 8);
  o[32 + t] = IDX3(t & 3, t >> 2 & 3, t >> 4, 4, 4);
}
int main() {
  const int R = 4, C = 8; Matrix m{R, C, nullptr, nullptr}; cudaMalloc((void **)&m.data, R * C * sizeof(float)); float *rows[R]; for (int r = 0; r < R; r++) rows[r] = m.data + r * C; cudaMalloc((void **)&m.row, sizeof rows); cudaMemcpy(m.row, rows, sizeof rows, cudaMemcpyHostToDevice);
  fill<<<1, dim3(C, R)>>>(m); float h[R][C]; cudaMemcpy(h, m.data, sizeof h, cudaMemcpyDeviceToHost); printf("%g %g %g\n", h[0][0], h[3][7], h[2][5]);
  Node nodes[12]; int heads[3] = {0, 1, 2}; for (int i = 0; i < 12; i++) nodes[i] = {i * i, i + 3 < 12 ? i + 3 : -1}; Node *dn; int *dh, *ds; cudaMalloc(&dn, sizeof nodes); cudaMalloc(&dh, sizeof heads); cudaMalloc(&ds, sizeof heads); cudaMemcpy(dn, nodes, sizeof nodes, cudaMemcpyHostToDevice); cudaMemcpy(dh, heads, sizeof heads, cudaMemcpyHostToDevice);
  lists<<<1, 32>>>(dn, dh, 3, ds); cudaMemcpy(heads, ds, sizeof heads, cudaMemcpyDeviceToHost); printf("%d %d %d\n", heads[0], heads[1], heads[2]);
  Packed p[32]; for (int i = 0; i < 32; i++) { p[i] = Packed(); p[i].kind = i % 8; p[i].level = i; p[i].delta = i - 16; p[i].on = i % 3 == 0; p[i].tail = i; } Packed *dp; cudaMalloc(&dp, sizeof p); cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
  float *arr[3], **da; for (auto &a : arr) { cudaMalloc(&a, 128); cudaMemset(a, 0, 128); } cudaMalloc(&da, sizeof arr); cudaMemcpy(da, arr, sizeof arr, cudaMemcpyHostToDevice); int *o; cudaMalloc(&o, 256);
  misc<<<1, 32>>>(o, dp, da, 3); int ho[64]; cudaMemcpy(ho, o, 256, cudaMemcpyDeviceToHost); for (int i = 0; i < 64; i += 3) printf("%d ", ho[i]); printf("\n");
  cudaMemcpy(p, dp, sizeof p, cudaMemcpyDeviceToHost); int s = 0; for (auto &q : p) s += q.kind + 10 * q.level + 100 * q.delta + q.on + q.tail; float ha[32]; cudaMemcpy(ha, arr[2], 128, cudaMemcpyDeviceToHost); printf("%d %g %g %zu\n", s, ha[5], ha[30], sizeof(Packed));
  for (auto a : arr) cudaFree(a); cudaFree(da); cudaFree(o); cudaFree(dp); cudaFree(dn); cudaFree(dh); cudaFree(ds); cudaFree(m.data); cudaFree(m.row); return EXIT_SUCCESS;
}
