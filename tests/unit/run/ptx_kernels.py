"""Kernels k(out, in) of two blocks of 64 threads, by what of C++ and CUDA each uses.

``in`` has 512 numbers below 4096.
"""

from __future__ import annotations

KERNELS = {
    "device_var": r"""
__device__ int total; __device__ int table[8]; __device__ int fixed[4] = {5,6,7,8};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&total, in[i]); __syncthreads(); if (threadIdx.x == 0)
out[i] = 1; if (threadIdx.x < 8 && blockIdx.x == 0) table[i] = 3; out[i+128] = fixed[i%4];
}
""",
    "constant_var": r"""
__constant__ int c[4] = {1,2,3,4}; __constant__ float f = 7.5f; struct S { char a; int b; }; __constant__ S s = {1,
9};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = c[i % 4] + (int)f + s.b;
}
""",
    "managed_var": r"""
__managed__ int m; __managed__ int n = 3;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; if (i == 0) m = 5; out[i] = n + i;
}
""",
    "pointer_to_device_var": r"""
__device__ int t[4] = {9,8,7,6}; __device__ int *p = t; __device__ int *q = t + 2;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = p[i % 4] + *q;
}
""",
    "struct_table_ptr": r"""
__device__ int a[2]={1,2}, b[2]={3,4}; struct E { int v; const int *p; }; __device__ E tab[2] = {{10, a},{20, b}};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = tab[i%2].p[1] + tab[i%2].v;
}
""",
    "fptr_table": r"""
typedef int (*Op)(int,int); __device__ int add(int a,int b){return a+b;} __device__ int mul(int a,int b){return
a*b;} __device__ int sub(int a,int b){return a-b;}
__device__ Op table[3] = {add, mul, sub};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = table[in[i] % 3](i, 7);
}
""",
    "fptr_const_table": r"""
typedef int (*Op)(int,int); __device__ int add(int a,int b){return a+b;} __device__ int mul(int a,int b){return
a*b;} __device__ int sub(int a,int b){return a-b;}
__constant__ Op table[3] = {add, mul, sub};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = table[in[i] % 3](i, 7);
}
""",
    "fptr_local": r"""
typedef int (*Op)(int,int); __device__ int add(int a,int b){return a+b;} __device__ int mul(int a,int b){return
a*b;} __device__ int sub(int a,int b){return a-b;}
__device__ __noinline__ int twice(Op f, int a) { return f(f(a, 1), 2); }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; int w = in[i] % 3; Op f = w == 0 ? add : w == 1 ? mul : sub; out[i]
= twice(f, i);
}
""",
    "fptr_local_array": r"""
typedef int (*Op)(int,int); __device__ int add(int a,int b){return a+b;} __device__ int mul(int a,int b){return
a*b;} __device__ int sub(int a,int b){return a-b;}

__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; Op t[3] = {sub, add, mul}; out[i] = t[in[i] % 3](i, 3);
}
""",
    "fptr_double": r"""
typedef float (*G)(float, double); __device__ float a(float x, double y) { return x + (float)y; } __device__ float
b(float x, double y) { return x * (float)y; } __device__ G t[2] = {a, b};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; float r = t[in[i]%2]((float)i, 0.5); out[i] = (int)(r * 8);
}
""",
    "fptr_struct": r"""
struct P { int a; float b; long long c; }; struct R { double a; int b; long long c; }; typedef R (*G)(P);
__device__ R f(P p) { return {p.b * 2, p.a, p.c}; } __device__ R g(P p) { return {p.b, p.a * 3, p.c - 1}; }
__device__ G t[2] = {f, g};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; P p{i, 2.5f, 3}; R r = t[in[i]%2](p); out[i] = (int)(r.a + r.b +
r.c);
}
""",
    "fptr_void": r"""
typedef void (*G)(int*, int); __device__ void f(int *o, int v) { *o = v * 2; } __device__ void g(int *o, int v) {
*o = v + 100; } __device__ G t[2] = {f, g};
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; t[in[i]%2](out + i, i);
}
""",
    "virtual": r"""
struct Shape { int side; __device__ Shape(int side) : side(side) {} __device__ virtual int corners() const { return
0; } __device__ virtual int size() const = 0; };
struct Line : Shape { using Shape::Shape; __device__ int size() const override { return side; } };
struct Square : Shape { using Shape::Shape; __device__ int size() const override { return side * side; } __device__
int corners() const override { return 4; } };
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; Line line(i); Square square(i); const Shape *s = in[i] % 2 ? (const
Shape*)&square : &line; out[i] = s->size() + s->corners();
}
""",
    "virtual_multi": r"""
struct A { int x; __device__ virtual int f() { return 1; } }; struct B { int y = 3; __device__ virtual int g() {
return 2; } };
struct C : A, B { __device__ int f() override { return x; } __device__ int g() override { return x + y; } };
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; C c; c.x = i; A *a = &c; B *b = &c; out[i] = (in[i]&1 ? a :
(A*)&c)->f() + b->g() * 10;
}
""",
    "virtual_new": r"""
struct Base { __device__ virtual int f() = 0; __device__ virtual ~Base() {} }; struct D1 : Base { int v; __device__
D1(int v):v(v){} __device__ int f() override { return v; } }; struct D2 : Base { __device__ int f() override {
return -5; } };
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; Base *b; if (in[i] & 1) b = new D1(i); else b = new D2(); out[i] =
b->f(); delete b;
}
""",
    "recursion_fact": r"""
__device__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = fact(in[i] % 10);
}
""",
    "recursion_fib": r"""
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = fib(i % 12);
}
""",
    "recursion_mutual": r"""
__device__ int odd(int n); __device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); } __device__
__noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = even(i % 20) * 2 + odd(i % 7);
}
""",
    "recursion_array": r"""
__device__ void sort(int *a, int lo, int hi) { if (lo >= hi) return; int p = a[hi], j = lo; for (int k = lo; k <
hi; k++) if (a[k] < p) { int t = a[k]; a[k] = a[j]; a[j] = t; j++; } int t = a[hi]; a[hi] = a[j]; a[j] = t; sort(a,
lo, j - 1); sort(a, j + 1, hi); }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; int a[6]; for (int j = 0; j < 6; j++) a[j] = (in[i] * (j + 3)) % 17;
sort(a, 0, 5); for (int j = 0; j < 3; j++) out[i + 128*j] = a[2*j];
}
""",
    "recursion_local_frame": r"""
__device__ __noinline__ int walk(int n, int d) { int t[4]; for (int j = 0; j < 4; j++) t[j] = n * j + d; if (n ==
0) return t[d & 3]; int r = walk(n - 1, d + 1); return r + t[r & 3]; }
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = walk(i % 9, 2);
}
""",
    "ptr_to_member": r"""
struct S { int v; __device__ int a(int x) const { return v + x; } __device__ int b(int x) const { return v * x; } };
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; S s{i}; int (S::*m)(int) const = in[i] & 1 ? &S::a : &S::b; int
S::*d = &S::v; out[i] = (s.*m)(3) + s.*d;
}
""",
    "int128": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned __int128 a = (unsigned __int128)in[i] *
1234567890123456789ull * 77; a = a / 12345 + (a << 3); out[i] = (int)(a >> 64); out[i + 128] = (int)a;
}
""",
    "cg_tile4": r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; auto t = cg::tiled_partition<4>(cg::this_thread_block()); int v =
t.shfl_down(in[i], 1); out[i] = v + t.any(in[i] & 1) + t.ballot(in[i] & 1) * 2 + t.thread_rank();
}
""",
    "cg_labeled": r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; auto t = cg::tiled_partition<32>(cg::this_thread_block()); auto g =
cg::labeled_partition(t, in[i] % 3); out[i] = g.size() * 100 + g.thread_rank();
}
""",
    "atomics_wide": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned long long *o = (unsigned long long*)out; atomicAdd(o + i %
4, (unsigned long long)in[i] << 20); atomicMax(o + 4, (unsigned long long)in[i]); atomicMin((long long*)o + 5,
-(long long)i); atomicCAS(o + 6 + i % 50, 0ull, 7ull);
}
""",
    "atomics_double": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd((double*)out + i % 4, 1.0);
}
""",
    "half": r"""
#include <cuda_fp16.h>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __half a = __int2half_rn(in[i]), b = __float2half(0.25f * i); __half
c = __hadd(__hmul_rn(a, b), a); out[i] = (int)__half2float(c); __half2 p = __halves2half2(a, b); p = __hfma2(p, p, p);
out[i+128] = (int)__low2float(p); out[i+256] = __hgt(a, b);
}
""",
    "shfl": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; int v = in[i]; out[i] = __shfl_sync(~0u, v, (i * 3) & 31) +
__shfl_up_sync(~0u, v, 3) + __shfl_down_sync(~0u, v, 5, 16) + __shfl_xor_sync(~0u, v, 9); double d =
__shfl_sync(~0u, (double)v, 3); out[i+128] = (int)d;
}
""",
    "match": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; int p; unsigned m = __match_any_sync(~0u, in[i] % 5), q =
__match_all_sync(~0u, in[i] / 4096, &p); out[i] = m; out[i+128] = q + p;
}
""",
    "switch_table": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; int r; switch (in[i] % 9) { case 0: r = 3; break; case 1: r = i * 2;
break; case 2: r = in[0]; break; case 3: r = i / 3; break; case 4: r = i ^ 5; break; case 5: r = -i; break; case 6:
r = i % 7; break; case 7: out[i+128] = 9; r = 1; break; default: r = 77; } out[i] = r;
}
""",
    "cub_sort": r"""
#include <cub/cub.cuh>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; typedef cub::BlockRadixSort<int, 64, 2> S; __shared__ S::TempStorage
t; int v[2] = {in[2*i], in[2*i+1]}; S(t).Sort(v); out[2*i] = v[0]; out[2*i+1] = v[1];
}
""",
    "template_class": r"""
template <class T, int N> struct Poly { __device__ static T eval(T x) { return x * Poly<T, N - 1>::eval(x) + N; }
}; template <class T> struct Poly<T, 0> { __device__ static T eval(T) { return 1; } }; template <class X> struct
CRTP { __device__ int go(int v) { return static_cast<X*>(this)->f(v); } }; struct D : CRTP<D> { __device__ int
f(int v) { return v + 9; } };
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = Poly<int, 3>::eval(i) + CRTP<D>().go(i);
}
""",
    "timer": r"""
#define READ(x, register, kind) asm volatile("mov." kind " %0, %%" register ";" : "=" x)
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned long long a, b; unsigned low, high, clock;
READ("l"(a), "globaltimer", "u64"); READ("r"(low), "globaltimer_lo", "u32"); READ("l"(b), "globaltimer", "u64");
READ("r"(high), "globaltimer_hi", "u32"); READ("r"(clock), "clock_hi", "u32");
out[i] = a <= low && low <= b && high == 0; out[i + 128] = clock;
}
""",
    "barrier_of_library": r"""
#include <cuda/barrier>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; using B = cuda::barrier<cuda::thread_scope_block>; __shared__ B bar;
__shared__ int s[64]; if (threadIdx.x == 0) init(&bar, blockDim.x); __syncthreads(); s[threadIdx.x] = in[i];
bar.arrive_and_wait(); int r = s[63 - threadIdx.x]; auto token = bar.arrive(); r += 5; bar.wait(std::move(token));
s[threadIdx.x] = r; bar.arrive_and_wait(); out[i] = s[threadIdx.x ^ 33];
}
""",
    "pipeline_of_library": r"""
#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __shared__ int s[2][64]; __shared__
cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; auto block = cooperative_groups::this_thread_block();
auto p = cuda::make_pipeline(block, &state); int sum = 0; for (int j = 0; j < 5; j++) { if (j < 4) {
p.producer_acquire(); cuda::memcpy_async(block, s[j & 1], in + j * 64, 256, p); p.producer_commit(); } if (j) {
p.consumer_wait(); sum += s[(j - 1) & 1][63 - threadIdx.x]; p.consumer_release(); } } out[i] = sum;
}
""",
    "half_atomics": r"""
#include <cuda_fp16.h>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __half *h = (__half *)(out + 128); __half old = atomicAdd(h + i % 5,
__int2half_rn(in[i] % 4)); __half2 *pairs = (__half2 *)(out + 256); atomicAdd(pairs + i % 3, __floats2half2_rn(in[i] %
2, 1)); out[i] = __half2int_rn(old) >= 0;
}
""",
    "half_pair_atomics": r"""
#include <cuda_fp16.h>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __half2 *pairs = (__half2 *)(out + 128); __half2 old = atomicAdd(pairs +
i, __floats2half2_rn(in[i] / 7.0f, 6e-8f)); out[i] = *(int *)&old; atomicAdd(pairs + i, __floats2half2_rn(1e-7f, 2));
}
""",
    "narrow_swaps": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned short *h = (unsigned short *)(out + 128); out[i] = atomicCAS(h
+ i, (unsigned short)0, (unsigned short)(in[i] * 31)); out[i + 256] = atomicCAS(h + i, (unsigned short)in[i],
(unsigned short)9);
}
""",
    "set_of_floats": r"""
#define SET(how, x, y, z) asm("set." how " %0, %1, %2;" : "=" x : y, z)
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x, v; float a = in[i], q, n, m; unsigned u;
SET("lt.f32.s32", "f"(q), "r"(in[i]), "r"(2000)); SET("gt.u32.f32", "r"(u), "f"(a), "f"(1000.f));
asm("{ .reg .pred p; setp.lt.s32 p, %1, 3000; set.le.and.s32.u32 %0, %1, %2, p;}" : "=r"(v) : "r"(in[i]), "r"(i * 7));
SET("ltu.f32.f32", "f"(n), "f"(in[i] & 1 ? __int_as_float(0x7fffffff) : 1.f), "f"(0.5f));
SET("ge.ftz.f32.f32", "f"(m), "f"(a), "f"(999.f));
out[i] = (int)(q * 4 + n * 2 + m) + (u & 8) + (v & 16);
}
""",
    "set_of_halves": r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __half2 a = __floats2half2_rn(in[i] & 3, in[i] >> 3 & 3), b =
__floats2half2_rn(1, 2), c = __hgt2(a, b), d = __hleu2(a, b); unsigned m = __hlt2_mask(a, b); out[i] =
(int)__low2float(c) + 2 * (int)__high2float(c) + 4 * (int)__low2float(d) + 8 * (int)__high2float(d) + (m & 16) + (m >>
16 & 32) + 64 * __hbeq2(a, b) + 128 * __heq(a.x, b.x); __nv_bfloat162 e = __floats2bfloat162_rn(in[i] & 3, in[i] >> 3 &
3), f = __floats2bfloat162_rn(1, 2), g = __hgt2(e, f); out[i + 128] = (int)__low2float(g) + 2 * (int)__high2float(g) +
4 * __hbeq2(e, f) + (__hlt2_mask(e, f) & 8);
}
""",
    "video": r"""
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned a = in[i] * 2654435761u, b = in[(i + 9) % 512] * 40503u + 77;
out[i] = __vabsdiffu4(a, b) ^ __vsadu4(a, b) * 5 ^ __vadd4(a, b) * 7 ^ __vavgu4(a, b) * 17 ^ __vmaxs4(a, b) ^
__vcmpgtu4(a, b) * 23;
}
""",
    "video_parts": r"""
#define BOTH(how, x, y) asm("v" how ", %1" x ", %2" y ";" : "=r"(r) : "r"(a), "r"(b)); s = s * 3 ^ r;
#define ALL(how, x, y) asm("v" how ", %1" x ", %2" y ", %3;" : "=r"(r) : "r"(a), "r"(b), "r"(i)); s = s * 3 ^ r;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x, a = in[i] * 2654435761u, b = in[(i + 9) % 512] * 40503u + 77, r, s = 0;
BOTH("add.s32.s32.s32 %0", "", "") BOTH("add.s32.s32.s32.sat %0", "", "") BOTH("sub.u32.u32.u32.sat %0", ".b1", ".h1")
ALL("absdiff.u32.s32.s32.add %0", ".b3", ".b0") ALL("min.s32.s32.s32.max %0", ".h0", ".h1")
ALL("max.u32.u32.u32 %0.b2", "", ".b1") BOTH("shl.u32.u32.u32.wrap %0", "", "") BOTH("set.s32.u32.lt %0", "", "")
ALL("shr.s32.s32.u32.clamp.add %0", "", ".b2") ALL("set.u32.u32.ne.add %0", ".b0", ".b0")
ALL("absdiff4.u32.u32.u32.add %0", "", "") ALL("add4.s32.s32.u32.sat %0", "", "") ALL("avrg2.s32.s32.s32 %0", "", "")
ALL("min2.u32.u32.u32 %0.h0", ".h10", ".h32") ALL("set4.u32.s32.ge.add %0", "", "")
ALL("sub4.s32.s32.s32 %0.b320", ".b7531", ".b0246") ALL("max4.s32.s32.s32.add %0", "", "")
out[i] = s;
}
""",
    "tiles_of_64": r"""
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out, const int *in) {
int i = blockIdx.x * blockDim.x + threadIdx.x; __shared__ int s[64]; s[threadIdx.x] = in[i]; __syncthreads();
#if __CUDA_ARCH__ < 900
__shared__ cg::block_tile_memory<64> m; auto t = cg::tiled_partition<64>(cg::this_thread_block(m)); t.sync();
out[i] = s[63 - t.thread_rank()] + t.meta_group_rank() * 100 + t.any(in[i] > 4000) + t.shfl(in[i], 40);
#else
int any = __syncthreads_or(in[i] > 4000); out[i] = s[63 - threadIdx.x] + (any != 0) + s[40];
#endif
}
""",
    "wmma": r"""
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(int *out, const int *in) {
    __shared__ half a[512];
    __shared__ float d[256];
    for (int i = threadIdx.x; i < 512; i += 64) a[i] = __float2half(in[i] % 32 - 16);
    __syncthreads();
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
        wmma::fill_fragment(sum, 0.5f);
        wmma::load_matrix_sync(left, a, 16);
        wmma::load_matrix_sync(right, a + 256, 16);
        wmma::mma_sync(sum, left, right, sum);
        wmma::store_matrix_sync(d, sum, 16, wmma::mem_col_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 64) out[blockIdx.x * 256 + i] = __float_as_int(d[i]);
}
""",
}
# The compute capability that a kernel needs, where an older device lacks something.
NEEDS = {
    "device_var": (1, 1), "fptr_double": (1, 3), "fptr_struct": (1, 3), "virtual_new": (1, 2), "cg_tile4": (3, 0),
    "cg_labeled": (7, 0), "atomics_wide": (1, 2), "atomics_double": (6, 0), "shfl": (3, 0), "match": (7, 0),
    "cub_sort": (3, 0), "barrier_of_library": (7, 0), "pipeline_of_library": (7, 0), "half_atomics": (7, 0),
    "half_pair_atomics": (6, 0), "narrow_swaps": (7, 0), "tiles_of_64": (3, 0), "video": (5, 0), "wmma": (7, 0),
}  # fmt: skip
