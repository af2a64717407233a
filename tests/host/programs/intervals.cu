// Interval arithmetic in the manner of the samples: rounding intrinsics, traits, a local stack, Newton's method.
#include <cstdio>
#include <cmath>
#include <cuda_runtime.h>

template <class T> struct rounded_arith {
  __device__ __forceinline__ T add_down(const T &x, const T &y);
  __device__ __forceinline__ T add_up(const T &x, const T &y);
  __device__ __forceinline__ T sub_down(const T &x, const T &y);
  __device__ __forceinline__ T sub_up(const T &x, const T &y);
  __device__ __forceinline__ T mul_down(const T &x, const T &y);
  __device__ __forceinline__ T mul_up(const T &x, const T &y);
  __device__ __forceinline__ T div_down(const T &x, const T &y);
  __device__ __forceinline__ T div_up(const T &x, const T &y);
  __device__ __forceinline__ T median(const T &x, const T &y);
  __device__ __forceinline__ T sqrt_down(const T &x);
  __device__ __forceinline__ T sqrt_up(const T &x);
  __device__ __forceinline__ T int_down(const T &x);
  __device__ __forceinline__ T int_up(const T &x);
  __device__ __forceinline__ T pos_inf();
  __device__ __forceinline__ T neg_inf();
  __device__ __forceinline__ T nan();
  __device__ __forceinline__ T min(T const &x, T const &y);
  __device__ __forceinline__ T max(T const &x, T const &y);
};
template <> struct rounded_arith<float> {
  __device__ __forceinline__ float add_down(const float &x, const float &y) { return __fadd_rd(x, y); }
  __device__ __forceinline__ float add_up(const float &x, const float &y) { return __fadd_ru(x, y); }
  __device__ __forceinline__ float sub_down(const float &x, const float &y) { return __fadd_rd(x, -y); }
  __device__ __forceinline__ float sub_up(const float &x, const float &y) { return __fadd_ru(x, -y); }
  __device__ __forceinline__ float mul_down(const float &x, const float &y) { return __fmul_rd(x, y); }
  __device__ __forceinline__ float mul_up(const float &x, const float &y) { return __fmul_ru(x, y); }
  __device__ __forceinline__ float div_down(const float &x, const float &y) { return __fdiv_rd(x, y); }
  __device__ __forceinline__ float div_up(const float &x, const float &y) { return __fdiv_ru(x, y); }
  __device__ __forceinline__ float median(const float &x, const float &y) { return (x + y) * .5f; }
  __device__ __forceinline__ float sqrt_down(const float &x) { return __fsqrt_rd(x); }
  __device__ __forceinline__ float sqrt_up(const float &x) { return __fsqrt_ru(x); }
  __device__ __forceinline__ float int_down(const float &x) { return floorf(x); }
  __device__ __forceinline__ float int_up(const float &x) { return ceilf(x); }
  __device__ __forceinline__ float neg_inf() { return __int_as_float(0xff800000); }
  __device__ __forceinline__ float pos_inf() { return __int_as_float(0x7f800000); }
  __device__ __forceinline__ float nan() { return nanf(""); }
  __device__ __forceinline__ float min(float const &x, float const &y) { return fminf(x, y); }
  __device__ __forceinline__ float max(float const &x, float const &y) { return fmaxf(x, y); }
};
template <> struct rounded_arith<double> {
  __device__ __forceinline__ double add_down(const double &x, const double &y) { return __dadd_rd(x, y); }
  __device__ __forceinline__ double add_up(const double &x, const double &y) { return __dadd_ru(x, y); }
  __device__ __forceinline__ double sub_down(const double &x, const double &y) { return __dadd_rd(x, -y); }
  __device__ __forceinline__ double sub_up(const double &x, const double &y) { return __dadd_ru(x, -y); }
  __device__ __forceinline__ double mul_down(const double &x, const double &y) { return __dmul_rd(x, y); }
  __device__ __forceinline__ double mul_up(const double &x, const double &y) { return __dmul_ru(x, y); }
  __device__ __forceinline__ double div_down(const double &x, const double &y) { return __ddiv_rd(x, y); }
  __device__ __forceinline__ double div_up(const double &x, const double &y) { return __ddiv_ru(x, y); }
  __device__ __forceinline__ double median(const double &x, const double &y) { return (x + y) * .5; }
  __device__ __forceinline__ double sqrt_down(const double &x) { return __dsqrt_rd(x); }
  __device__ __forceinline__ double sqrt_up(const double &x) { return __dsqrt_ru(x); }
  __device__ __forceinline__ double int_down(const double &x) { return floor(x); }
  __device__ __forceinline__ double int_up(const double &x) { return ceil(x); }
  __device__ __forceinline__ double neg_inf() { return __longlong_as_double(0xfff0000000000000ull); }
  __device__ __forceinline__ double pos_inf() { return __longlong_as_double(0x7ff0000000000000ull); }
  __device__ __forceinline__ double nan() { return ::nan(""); }
  __device__ __forceinline__ double min(double const &x, double const &y) { return fmin(x, y); }
  __device__ __forceinline__ double max(double const &x, double const &y) { return fmax(x, y); }
};

template <class T> class interval_gpu {
 public:
  __device__ __host__ interval_gpu();
  __device__ __host__ interval_gpu(T const &v);
  __device__ __host__ interval_gpu(T const &l, T const &u);
  __device__ __host__ T const &lower() const;
  __device__ __host__ T const &upper() const;
  static __device__ __host__ interval_gpu empty();
  friend __device__ __host__ bool operator==(interval_gpu const &a, interval_gpu const &b) { return a.low == b.low && a.up == b.up; }
 private:
  T low;
  T up;
};
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu() {}
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu(T const &v) : low(v), up(v) {}
template <class T> inline __device__ __host__ interval_gpu<T>::interval_gpu(T const &l, T const &u) : low(l), up(u) {}
template <class T> inline __device__ __host__ T const &interval_gpu<T>::lower() const { return low; }
template <class T> inline __device__ __host__ T const &interval_gpu<T>::upper() const { return up; }
template <class T> inline __device__ __host__ interval_gpu<T> interval_gpu<T>::empty() { return interval_gpu<T>(T(1), T(0)); }
template <class T> inline __device__ __host__ bool empty(interval_gpu<T> x) { return !(x.lower() <= x.upper()); }
template <class T> inline __device__ T width(interval_gpu<T> x) {
  if (empty(x)) return T(0);
  rounded_arith<T> rnd;
  return rnd.sub_up(x.upper(), x.lower());
}
template <class T> inline __device__ T median(interval_gpu<T> const &x) { rounded_arith<T> rnd; return rnd.median(x.lower(), x.upper()); }
template <class T> inline __device__ interval_gpu<T> intersect(interval_gpu<T> const &a, interval_gpu<T> const &b) {
  rounded_arith<T> rnd;
  T lo = rnd.max(a.lower(), b.lower());
  T hi = rnd.min(a.upper(), b.upper());
  return lo <= hi ? interval_gpu<T>(lo, hi) : interval_gpu<T>::empty();
}
template <class T> inline __device__ interval_gpu<T> operator+(interval_gpu<T> const &a, interval_gpu<T> const &b) {
  rounded_arith<T> rnd;
  return interval_gpu<T>(rnd.add_down(a.lower(), b.lower()), rnd.add_up(a.upper(), b.upper()));
}
template <class T> inline __device__ interval_gpu<T> operator-(interval_gpu<T> const &a) { return interval_gpu<T>(-a.upper(), -a.lower()); }
template <class T> inline __device__ interval_gpu<T> operator-(interval_gpu<T> const &a, interval_gpu<T> const &b) {
  rounded_arith<T> rnd;
  return interval_gpu<T>(rnd.sub_down(a.lower(), b.upper()), rnd.sub_up(a.upper(), b.lower()));
}
template <class T> inline __device__ T min4(T a, T b, T c, T d) { rounded_arith<T> rnd; return rnd.min(rnd.min(a, b), rnd.min(c, d)); }
template <class T> inline __device__ T max4(T a, T b, T c, T d) { rounded_arith<T> rnd; return rnd.max(rnd.max(a, b), rnd.max(c, d)); }
template <class T> inline __device__ interval_gpu<T> operator*(interval_gpu<T> const &a, interval_gpu<T> const &b) {
  rounded_arith<T> rnd;
  return interval_gpu<T>(min4(rnd.mul_down(a.lower(), b.lower()), rnd.mul_down(a.lower(), b.upper()),
                              rnd.mul_down(a.upper(), b.lower()), rnd.mul_down(a.upper(), b.upper())),
                         max4(rnd.mul_up(a.lower(), b.lower()), rnd.mul_up(a.lower(), b.upper()),
                              rnd.mul_up(a.upper(), b.lower()), rnd.mul_up(a.upper(), b.upper())));
}
template <class T> inline __device__ interval_gpu<T> square(interval_gpu<T> const &x) {
  rounded_arith<T> rnd;
  const T &xl = x.lower(); const T &xu = x.upper();
  if (xl >= T(0)) return interval_gpu<T>(rnd.mul_down(xl, xl), rnd.mul_up(xu, xu));
  else if (xu <= T(0)) return interval_gpu<T>(rnd.mul_down(xu, xu), rnd.mul_up(xl, xl));
  else return interval_gpu<T>(static_cast<T>(0), rnd.max(rnd.mul_up(xl, xl), rnd.mul_up(xu, xu)));
}
template <class T> inline __device__ interval_gpu<T> div_non_zero(interval_gpu<T> const &x, interval_gpu<T> const &y) {
  rounded_arith<T> rnd;
  typedef interval_gpu<T> I;
  T xl, yl, xu, yu;
  if (y.upper() < 0) { xl = x.upper(); xu = x.lower(); } else { xl = x.lower(); xu = x.upper(); }
  if (x.upper() < 0) { yl = y.lower(); yu = y.upper(); }
  else if (x.lower() < 0) { if (y.upper() < 0) { yl = y.upper(); yu = y.upper(); } else { yl = y.lower(); yu = y.lower(); } }
  else { yl = y.upper(); yu = y.lower(); }
  return I(rnd.div_down(xl, yl), rnd.div_up(xu, yu));
}
template <class T> inline __device__ interval_gpu<T> division_part1(interval_gpu<T> const &x, interval_gpu<T> const &y, bool &b) {
  rounded_arith<T> rnd;
  b = false;
  if (y.lower() <= 0 && y.upper() >= 0)
    if (y.lower() != 0)
      if (y.upper() != 0)
        if (x.lower() == 0 && x.upper() == 0) return x;
        else if (x.upper() < 0) { b = true; return interval_gpu<T>(rnd.neg_inf(), rnd.div_up(x.upper(), y.upper())); }
        else if (x.lower() < 0) return interval_gpu<T>(rnd.neg_inf(), rnd.pos_inf());
        else { b = true; return interval_gpu<T>(rnd.neg_inf(), rnd.div_up(x.lower(), y.lower())); }
      else if (x.upper() < 0) return interval_gpu<T>(rnd.div_down(x.upper(), y.lower()), rnd.pos_inf());
      else return interval_gpu<T>(rnd.neg_inf(), rnd.pos_inf());
    else return interval_gpu<T>(rnd.neg_inf(), rnd.pos_inf());
  else
    return div_non_zero(x, y);
}
template <class T> inline __device__ interval_gpu<T> division_part2(interval_gpu<T> const &x, interval_gpu<T> const &y, bool b = true) {
  if (!b) return interval_gpu<T>::empty();
  rounded_arith<T> rnd;
  return x.upper() < 0 ? interval_gpu<T>(rnd.div_down(x.upper(), y.lower()), rnd.pos_inf())
                       : interval_gpu<T>(rnd.div_down(x.lower(), y.upper()), rnd.pos_inf());
}

template <class T, int N, int THREADS> class local_stack {
 private:
  T buf[N];
  int tos;
 public:
  __device__ local_stack() : tos(-1) {}
  __device__ T const &top() const { return buf[tos]; }
  __device__ T &top() { return buf[tos]; }
  __device__ void push(T const &v) { buf[++tos] = v; }
  __device__ T pop() { return buf[tos--]; }
  __device__ bool full() { return tos == N - 1; }
  __device__ bool empty() { return tos == -1; }
};
template <class T, int N, int THREADS> class global_stack {
  T *buf; int free_index;
 public:
  __device__ global_stack(T *b, int thread_id) : buf(b), free_index(thread_id) {}
  __device__ void push(T const &v) { buf[free_index] = v; free_index += THREADS; }
  __device__ T pop() { free_index -= THREADS; return buf[free_index]; }
  __device__ bool full() { return free_index >= N * THREADS; }
  __device__ bool empty() { return free_index < THREADS; }
  __device__ int size() { return free_index / THREADS; }
};

template <class I> __device__ I f(I const &x, int thread_id) {
  typedef typename std::remove_cv<I>::type J;
  using T = decltype(x.lower() + 0);
  T alpha = -T(thread_id) / T(64);
  return square(J(x) - J(1)) + J(alpha) * J(x);
}
template <class I> __device__ I fd(I const &x, int thread_id) {
  using T = decltype(x.lower() + 0);
  T alpha = -T(thread_id) / T(64);
  return I(2) * x + I(alpha - 2);
}
template <class T, template <class, int, int> class Stack, bool Global> struct stack_maker;
template <class T, template <class, int, int> class Stack> struct stack_maker<T, Stack, false> {
  static __device__ auto make(interval_gpu<T> *, int) { return Stack<interval_gpu<T>, 32, 64>(); }
};
template <class T, template <class, int, int> class Stack> struct stack_maker<T, Stack, true> {
  static __device__ auto make(interval_gpu<T> *b, int t) { return Stack<interval_gpu<T>, 32, 64>(b, t); }
};
template <class T, template <class, int, int> class Stack, bool Global>
__device__ void newton_interval(interval_gpu<T> &ix, interval_gpu<T> *buffer, interval_gpu<T> *result, int *nresult, int thread_id) {
  typedef interval_gpu<T> I;
  T const ix_width = width(ix);
  int const max_roots = 16;
  auto st = stack_maker<T, Stack, Global>::make(buffer, thread_id);
  st.push(ix);
  int roots = 0;
  while (!st.empty()) {
    ix = st.pop();
    T xc = median(ix);
    bool possible;
    I x1 = I(xc) - division_part1(f(I(xc), thread_id), fd(ix, thread_id), possible);
    I ix1 = empty(x1) ? I::empty() : intersect(ix, x1);
    I x2 = possible ? I(xc) - division_part2(f(I(xc), thread_id), fd(ix, thread_id), possible) : I::empty();
    I ix2 = empty(x2) ? I::empty() : intersect(ix, x2);
    T const tol = T(1e-4);
    for (int k = 0; k < 2; k++) {
      I c = k ? ix2 : ix1;
      if (empty(c)) continue;
      if (width(c) < tol * ix_width || c == ix) { if (roots < max_roots) result[thread_id + 64 * roots++] = c; }
      else if (!st.full()) st.push(c);
    }
  }
  nresult[thread_id] = roots;
}
template <class T, template <class, int, int> class Stack, bool Global>
__global__ void test_interval_newton(interval_gpu<T> *buffer, interval_gpu<T> *result, int *nresult, interval_gpu<T> i) {
  int thread_id = blockIdx.x * blockDim.x + threadIdx.x;
  interval_gpu<T> local = i;
  newton_interval<T, Stack, Global>(local, buffer, result, nresult, thread_id);
}

template <class T, template <class, int, int> class Stack, bool Global> void solve(const char *name) {
  interval_gpu<T> *result, *buffer; int *nresult;
  cudaMalloc(&result, 16 * 64 * sizeof(*result)); cudaMalloc(&nresult, 64 * sizeof(int)); cudaMalloc(&buffer, 64 * 64 * sizeof(*buffer));
  cudaMemset(result, 0, 16 * 64 * sizeof(*result));
  interval_gpu<T> i(T(0.01), T(4));
  test_interval_newton<T, Stack, Global><<<2, 32>>>(buffer, result, nresult, i);
  static interval_gpu<T> h[16 * 64]; int n[64];
  cudaMemcpy(h, result, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(n, nresult, sizeof n, cudaMemcpyDeviceToHost);
  printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
  for (int t = 0; t < 64; t += 9) {
    printf("  %d: %d roots", t, n[t]);
    for (int k = 0; k < n[t]; k++) printf(" [%.9g, %.9g]", (double)h[t + 64 * k].lower(), (double)h[t + 64 * k].upper());
    printf("\n");
  }
}
int main() {
  solve<float, local_stack, false>("float, local stack");
  solve<double, local_stack, false>("double, local stack");
  solve<double, global_stack, true>("double, global stack");
  return 0;
}
