// Variables whose bytes are accessed in several sizes or by an address that was chosen, as courses and libraries write
// them: unions, casts, memcpy, optional and variant, fragments, references to one of two. The launch is that of
// register_arrays.cu.
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/bit>
#include <cuda_fp16.h>
#include <string.h>
#define KERNEL extern "C" __global__ void

union Bits { float f; unsigned u; unsigned char b[4]; };
KERNEL union_bits(float *out, const float *in, int n) {
    Bits x; x.f = in[threadIdx.x];
    x.u ^= 0x80000000u;
    out[threadIdx.x] = x.f + x.u % 7u;
}
KERNEL union_bytes(float *out, const float *in, int n) {
    Bits x; x.f = in[threadIdx.x];
    int s = 0;
    for (int i = 0; i < 4; ++i) s = s * 3 + x.b[i];
    out[threadIdx.x] = s;
}
KERNEL union_bytes_written(float *out, const float *in, int n) {
    Bits x;
    for (int i = 0; i < 4; ++i) x.b[i] = (unsigned char)(in[threadIdx.x + i] * 32.0f);
    out[threadIdx.x] = (float)(x.u >> 3);
}
union Vec { float4 v; float a[4]; };
KERNEL union_vec(float *out, const float *in, int n) {
    Vec x; x.v = reinterpret_cast<const float4 *>(in)[threadIdx.x];
    float s = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) s += x.a[i] * (i + 1);
    x.a[2] = s;
    reinterpret_cast<float4 *>(out)[threadIdx.x] = x.v;
}
union HalfPack { uint4 u; __half2 h[4]; };
KERNEL union_half2(float *out, const float *in, int n) {
    HalfPack p; p.u = reinterpret_cast<const uint4 *>(in)[threadIdx.x];
    HalfPack q;
#pragma unroll
    for (int i = 0; i < 4; ++i) q.h[i] = __hadd2(p.h[i], __float2half2_rn(0.5f * i));
    float s = 0;
    for (int i = 0; i < 4; ++i) { float2 f = __half22float2(q.h[i]); s += (f.x == f.x ? 1.0f : 0.0f) + (f.y > 0 ? 0.5f : 0.25f); }
    out[threadIdx.x] = s + q.u.x % 5u;
}
union DoubleInts { double d; int2 i; long long l; };
KERNEL union_double(float *out, const float *in, int n) {
    DoubleInts x; x.d = in[threadIdx.x] * 1.25;
    x.i.y += 1 << 20;
    out[threadIdx.x] = (float)x.d + (float)(x.l & 15) + x.i.x;
}
KERNEL optional_value(float *out, const float *in, int n) {
    cuda::std::optional<float> best;
    for (int k = 0; k < 8; ++k) {
        float x = in[threadIdx.x + k];
        if (x > 0.5f && (!best || x < *best)) best = x;
    }
    out[threadIdx.x] = best.value_or(-1.0f);
}
__device__ cuda::std::optional<int> find(const float *in, float x) {
    for (int k = 0; k < 16; ++k) if (in[k] > x) return k;
    return cuda::std::nullopt;
}
KERNEL optional_returned(float *out, const float *in, int n) {
    auto r = find(in, in[threadIdx.x]);
    out[threadIdx.x] = r ? *r * 2.0f : -1.0f;
}
KERNEL variant_visit(float *out, const float *in, int n) {
    cuda::std::variant<int, float> v;
    if (threadIdx.x & 1) v = in[threadIdx.x]; else v = (int)threadIdx.x;
    out[threadIdx.x] = cuda::std::visit([](auto x) { return (float)x * 2.0f; }, v);
}
KERNEL variant_get_if(float *out, const float *in, int n) {
    cuda::std::variant<int, float> v = (int)threadIdx.x;
    if (in[threadIdx.x] > 0.7f) v = in[threadIdx.x];
    float r = 0;
    if (auto *p = cuda::std::get_if<float>(&v)) r = *p; else r = cuda::std::get<int>(v) + 0.5f;
    out[threadIdx.x] = r;
}
KERNEL static_table(float *out, const float *in, int n) {
    static const float w[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    float s = 0;
    for (int i = 0; i < 5; ++i) s += w[i] * in[threadIdx.x + i];
    out[threadIdx.x] = s;
}
KERNEL static_constexpr_table(float *out, const float *in, int n) {
    static constexpr int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    float s = 0;
    for (int d = 0; d < 4; ++d) s += in[(threadIdx.x / 8 + 1 + dy[d]) * 16 + threadIdx.x % 8 + 1 + dx[d]];
    out[threadIdx.x] = s;
}
struct Weights { static constexpr float w[3] = {0.25f, 0.5f, 0.25f}; };
KERNEL static_member_table(float *out, const float *in, int n) {
    float s = 0;
#pragma unroll
    for (int i = 0; i < 3; ++i) s += Weights::w[i] * in[threadIdx.x + i];
    out[threadIdx.x] = s;
}
template <class T> __device__ void cas(T &a, T &b) { T lo = min(a, b), hi = max(a, b); a = lo; b = hi; }
template <int N> __device__ void batcher(float (&a)[N]) {
#pragma unroll
    for (int p = 1; p < N; p <<= 1)
#pragma unroll
        for (int k = p; k >= 1; k >>= 1)
#pragma unroll
            for (int j = k % p; j <= N - 1 - k; j += 2 * k)
#pragma unroll
                for (int i = 0; i < k; ++i)
                    if ((i + j) / (2 * p) == (i + j + k) / (2 * p) && i + j + k < N) cas(a[i + j], a[i + j + k]);
}
KERNEL batcher_sort(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x * 8 + i];
    batcher(a);
    for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL odd_even_unrolled(float *out, const float *in, int n) {
    float a[7];
#pragma unroll
    for (int i = 0; i < 7; ++i) a[i] = in[threadIdx.x * 7 + i];
#pragma unroll
    for (int i = 0; i < 7; ++i)
#pragma unroll
        for (int j = 1 & i; j < 6; j += 2) if (a[j + 1] < a[j]) cuda::std::swap(a[j], a[j + 1]);
#pragma unroll
    for (int i = 0; i < 7; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL bit_cast_float(float *out, const float *in, int n) {
    unsigned u = cuda::std::bit_cast<unsigned>(in[threadIdx.x]);
    out[threadIdx.x] = cuda::std::bit_cast<float>(u | 1u) + (u & 3u);
}
struct Two { unsigned short lo, hi; };
KERNEL bit_cast_struct(float *out, const float *in, int n) {
    Two t = cuda::std::bit_cast<Two>(in[threadIdx.x]);
    t.lo += 3;
    out[threadIdx.x] = t.hi + t.lo * 0.5f;
}
KERNEL memcpy_bits(float *out, const float *in, int n) {
    float x = in[threadIdx.x]; unsigned u; memcpy(&u, &x, 4);
    u += 0x00800000u; memcpy(&x, &u, sizeof x);
    out[threadIdx.x] = x;
}
KERNEL memcpy_double(float *out, const float *in, int n) {
    double x = in[threadIdx.x]; unsigned long long u; memcpy(&u, &x, 8);
    out[threadIdx.x] = (float)(u >> 40);
}
struct Rec { float x, y; int id; };
KERNEL memcpy_struct(float *out, const float *in, int n) {
    Rec a{in[threadIdx.x], in[threadIdx.x + 1], (int)threadIdx.x}, b;
    memcpy(&b, &a, sizeof a);
    int w[3]; memcpy(w, &b, 12);
    out[threadIdx.x] = b.x * b.y + w[2] + (w[0] & 1);
}
KERNEL memset_array(float *out, const float *in, int n) {
    float a[6]; memset(a, 0, sizeof a);
    for (int k = 0; k < 18; ++k) a[k % 6] += in[threadIdx.x + k];
    float s = 0; for (int i = 0; i < 6; ++i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}
KERNEL member_pointer(float *out, const float *in, int n) {
    Rec r[3];
    for (int i = 0; i < 3; ++i) r[i] = Rec{in[threadIdx.x + i], in[threadIdx.x + 2 * i], i};
    float Rec::*m[2] = {&Rec::x, &Rec::y};
    float s = 0;
    for (int i = 0; i < 3; ++i) for (int k = 0; k < 2; ++k) s = s * 0.5f + r[i].*m[k];
    out[threadIdx.x] = s;
}
template <float Rec::*M> __device__ float total(const Rec *r, int c) { float s = 0; for (int i = 0; i < c; ++i) s += r[i].*M; return s; }
KERNEL member_pointer_template(float *out, const float *in, int n) {
    Rec r[4];
    for (int i = 0; i < 4; ++i) { r[i].x = in[threadIdx.x + i]; r[i].y = r[i].x * i; r[i].id = i; }
    out[threadIdx.x] = total<&Rec::x>(r, 4) - total<&Rec::y>(r, 4);
}
KERNEL nested_lambdas(float *out, const float *in, int n) {
    float a[4], b[4];
    auto each = [&](auto f) { for (int i = 0; i < 4; ++i) f(i); };
    each([&](int i) { a[i] = in[threadIdx.x + i]; });
    each([&](int i) { b[i] = 0; each([&](int j) { b[i] += a[j] * (i - j); }); });
    float s = 0; each([&, t = 2.0f](int i) { s += t * b[i]; });
    out[threadIdx.x] = s;
}
KERNEL lambda_by_copy(float *out, const float *in, int n) {
    float a[4];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i];
    auto f = [a](int i) mutable { a[i] += 1.0f; return a[i] * a[3 - i]; };
    float s = 0; for (int i = 0; i < 4; ++i) s += f(i);
    out[threadIdx.x] = s + a[0];
}
template <int N> struct Mat { float m[N][N];
    __device__ Mat operator*(const Mat &o) const { Mat r; for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j) { r.m[i][j] = 0; for (int k = 0; k < N; ++k) r.m[i][j] += m[i][k] * o.m[k][j]; } return r; }
    __device__ float trace() const { float s = 0; for (int i = 0; i < N; ++i) s += m[i][i]; return s; } };
KERNEL matrix_class(float *out, const float *in, int n) {
    Mat<3> a, b;
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) { a.m[i][j] = in[threadIdx.x + i * 3 + j]; b.m[j][i] = in[threadIdx.x + j]; }
    out[threadIdx.x] = (a * b * a).trace();
}
__device__ void scale(float *a, int c, float by) { for (int i = 0; i < c; ++i) a[i] *= by; }
__device__ void prefix(float (*a)[4], int r) { for (int i = 1; i < 4; ++i) a[r][i] += a[r][i - 1]; }
KERNEL by_pointer(float *out, const float *in, int n) {
    float a[2][4];
    for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = in[threadIdx.x + i];
    for (int r = 0; r < 2; ++r) { scale(a[r], 4, 0.5f + r); prefix(a, r); }
    out[threadIdx.x] = a[0][3] * a[1][3] + a[1][2];
}
KERNEL partly_unrolled(float *out, const float *in, int n) {
    float a[16];
#pragma unroll 4
    for (int i = 0; i < 16; ++i) a[i] = in[threadIdx.x + i];
    float s = 0;
#pragma unroll 4
    for (int i = 0; i < 16; ++i) s = s * 0.5f + a[15 - i];
    out[threadIdx.x] = s;
}
KERNEL unroll_one(float *out, const float *in, int n) {
    float a[8];
#pragma unroll 1
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x + i];
    float s = 0;
    for (int i = 0; i < 8; ++i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}
KERNEL unrolled_window(float *out, const float *in, int n) {
    float w[4] = {};
#pragma unroll 4
    for (int i = 0; i < 16 * n; ++i) { w[i % 4] = in[threadIdx.x + i]; out[(i & 15) * 64 + threadIdx.x] = w[0] + w[1] * w[2] - w[3]; }
}
KERNEL float4_array_as_floats(float *out, const float *in, int n) {
    float4 v[2];
    v[0] = reinterpret_cast<const float4 *>(in)[threadIdx.x]; v[1] = reinterpret_cast<const float4 *>(in)[threadIdx.x + 1];
    float *f = (float *)v;
    for (int i = 0; i < 7; ++i) f[i + 1] += f[i] * 0.25f;
    reinterpret_cast<float4 *>(out)[threadIdx.x] = v[1];
}
KERNEL floats_as_float2(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x + i];
    float2 *p = reinterpret_cast<float2 *>(a);
    float s = 0;
    for (int i = 0; i < 4; ++i) { float2 t = p[i]; s += t.x * t.y; p[i] = make_float2(t.y, t.x); }
    out[threadIdx.x] = s + a[0] - a[7];
}
KERNEL float4_component_pointer(float *out, const float *in, int n) {
    float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x];
    float m = (&v.x)[0]; int at = 0;
    for (int i = 1; i < 4; ++i) if ((&v.x)[i] > m) { m = (&v.x)[i]; at = i; }
    out[threadIdx.x] = m + at;
}
KERNEL halves_in_float4(float *out, const float *in, int n) {
    float4 raw = reinterpret_cast<const float4 *>(in)[threadIdx.x];
    const half *h = reinterpret_cast<const half *>(&raw);
    float s = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) s += __half2float(h[i]) > 1.0f ? 1.0f : 0.25f;
    out[threadIdx.x] = s;
}
KERNEL half2_in_uint4(float *out, const float *in, int n) {
    uint4 raw; half2 *h = reinterpret_cast<half2 *>(&raw);
    for (int i = 0; i < 4; ++i) h[i] = __floats2half2_rn(in[threadIdx.x + i], in[threadIdx.x + 2 * i]);
    reinterpret_cast<uint4 *>(out)[threadIdx.x] = raw;
}
KERNEL half_array_to_words(float *out, const float *in, int n) {
    half a[8];
    for (int i = 0; i < 8; ++i) a[i] = __float2half(in[threadIdx.x + i]);
    float4 w = *reinterpret_cast<float4 *>(a);
    reinterpret_cast<float4 *>(out)[threadIdx.x] = w;
}
template <class T, int N> struct alignas(sizeof(T) * N) AlignedArray { T s[N]; __device__ T &operator[](int i) { return s[i]; } __device__ const T &operator[](int i) const { return s[i]; } };
KERNEL aligned_vector(float *out, const float *in, int n) {
    using V = AlignedArray<float, 4>;
    V v = *reinterpret_cast<const V *>(in + threadIdx.x * 4);
    for (int i = 0; i < 4; ++i) v[i] = v[i] * 2.0f + i;
    *reinterpret_cast<V *>(out + threadIdx.x * 4) = v;
}
template <class T, int N> struct Fragment { static constexpr int kElements = N; T storage[N];
    __device__ void clear() { for (int i = 0; i < N; ++i) storage[i] = T(0); }
    __device__ T *data() { return storage; }
    __device__ T &at(int i) { return storage[i]; } __device__ T const &operator[](int i) const { return storage[i]; } __device__ T &operator[](int i) { return storage[i]; } };
template <int M, int N> struct ThreadMma { using FA = Fragment<float, M>; using FB = Fragment<float, N>; using FC = Fragment<float, M * N>;
    __device__ void operator()(FC &d, FA const &a, FB const &b, FC const &c) const { d = c;
#pragma unroll
        for (int j = 0; j < N; ++j)
#pragma unroll
            for (int i = 0; i < M; ++i) { int s = (j & 1) ? M - 1 - i : i; d[s * N + j] += a[s] * b[j]; } } };
KERNEL cutlass_fragments(float *out, const float *in, int n) {
    using Mma = ThreadMma<4, 4>; Mma mma; Mma::FA a[2]; Mma::FB b[2]; Mma::FC c; c.clear();
    for (int i = 0; i < 4; ++i) { a[0][i] = in[threadIdx.x + i]; b[0][i] = in[i]; }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < 4; ++i) { a[(k + 1) % 2][i] = in[threadIdx.x + k * 4 + i]; b[(k + 1) % 2][i] = in[k * 4 + i]; }
        mma(c, a[k % 2], b[k % 2], c);
    }
    for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = c[i];
}
KERNEL fragment_iterator(float *out, const float *in, int n) {
    Fragment<float4, 2> f; float *p = reinterpret_cast<float *>(f.data());
    for (int i = 0; i < 8; ++i) p[i] = in[threadIdx.x + i] + i;
    Fragment<float, 8> const *g = reinterpret_cast<Fragment<float, 8> const *>(&f);
    float s = 0; for (int i = 0; i < 8; ++i) s = s * 0.5f + (*g)[i];
    out[threadIdx.x] = s;
}
template <class... T> __device__ float sum_all(T... t) { return (t + ...); }
template <size_t... I> __device__ float sum_indexed(const float *a, cuda::std::index_sequence<I...>) { return sum_all(a[I]...); }
KERNEL index_sequence_sum(float *out, const float *in, int n) {
    float a[5]; for (int i = 0; i < 5; ++i) a[i] = in[threadIdx.x + i];
    out[threadIdx.x] = sum_indexed(a, cuda::std::make_index_sequence<5>{});
}
KERNEL tuple_array(float *out, const float *in, int n) {
    cuda::std::tuple<float, cuda::std::array<float, 3>> t; cuda::std::get<0>(t) = 0.5f;
    for (int i = 0; i < 3; ++i) cuda::std::get<1>(t)[i] = in[threadIdx.x + i];
    auto [f, a] = t;
    for (float x : a) f = f * 0.5f + x;
    out[threadIdx.x] = f;
}
struct Philox { uint4 c; uint2 k; __device__ uint4 next() { for (int i = 0; i < 10; ++i) { unsigned h = __umulhi(0xD2511F53u, c.x), l = 0xD2511F53u * c.x, h2 = __umulhi(0xCD9E8D57u, c.z), l2 = 0xCD9E8D57u * c.z; c = make_uint4(h2 ^ c.y ^ k.x, l2, h ^ c.w ^ k.y, l); k.x += 0x9E3779B9u; k.y += 0xBB67AE85u; } return c; } };
KERNEL philox_words(float *out, const float *in, int n) {
    Philox p{make_uint4(threadIdx.x, 1, 2, 3), make_uint2(n, 7)};
    uint4 r = p.next(); unsigned *w = &r.x; float s = 0;
    for (int i = 0; i < 4; ++i) s += (w[i] >> 8) * (1.0f / 16777216.0f);
    out[threadIdx.x] = s;
}
KERNEL xorshift_state(float *out, const float *in, int n) {
    unsigned s[5] = {threadIdx.x + 1u, 2u, 3u, 4u, 5u};
    float a = 0;
    for (int k = 0; k < 8 * n; ++k) { unsigned t = s[4], f = s[0]; s[4] = s[3]; s[3] = s[2]; s[2] = s[1]; s[1] = f; t ^= t >> 2; t ^= t << 1; t ^= f ^ (f << 4); s[0] = t; s[4 - 4 * 1] += 362437u; a += t >> 24; }
    out[threadIdx.x] = a;
}
KERNEL struct_with_arrays(float *out, const float *in, int n) {
    struct State { float pos[3], vel[3]; struct { int hits[2]; } stats; } s = {};
    for (int d = 0; d < 3; ++d) { s.pos[d] = in[threadIdx.x + d]; s.vel[d] = in[threadIdx.x + 3 + d]; }
    for (int k = 0; k < 4 * n; ++k) for (int d = 0; d < 3; ++d) { s.pos[d] += 0.1f * s.vel[d]; if (s.pos[d] > 1.0f) { s.vel[d] = -s.vel[d]; s.stats.hits[d != 0]++; } }
    out[threadIdx.x] = s.pos[0] + s.pos[1] * s.pos[2] + s.stats.hits[0] * 10 + s.stats.hits[1];
}
KERNEL struct_copy_in_loop(float *out, const float *in, int n) {
    Rec a[4]; for (int i = 0; i < 4; ++i) a[i] = {in[threadIdx.x + i], in[threadIdx.x + 4 - i], i};
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3 - i; ++j) if (a[j + 1].x < a[j].x) { Rec t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
    float s = 0; for (int i = 0; i < 4; ++i) s = s * 0.5f + a[i].y + a[i].id;
    out[threadIdx.x] = s;
}
KERNEL ternary_address(float *out, const float *in, int n) {
    float a[3] = {in[threadIdx.x], 1, 2}, b[3] = {in[threadIdx.x + 1], 3, 4};
    const float *p = in[threadIdx.x] > 0.7f ? a : b;
    out[threadIdx.x] = p[0] + p[1] * p[2];
}
KERNEL reference_chosen(float *out, const float *in, int n) {
    float lo = 0, hi = 0;
    for (int k = 0; k < 8; ++k) { float x = in[threadIdx.x + k]; float &r = x < 0.8f ? lo : hi; r += x; }
    out[threadIdx.x] = lo - hi;
}
KERNEL switch_cases(float *out, const float *in, int n) {
    float a[3] = {};
#pragma unroll
    for (int i = 0; i < 9; ++i) switch (i % 3) { case 0: a[0] += in[threadIdx.x + i]; break; case 1: a[i % 3] -= in[threadIdx.x + i]; break; default: a[2] *= 0.5f; a[2] += i; }
    out[threadIdx.x] = a[0] + a[1] * a[2];
}
KERNEL bool_flags(float *out, const float *in, int n) {
    bool seen[4] = {};
    for (int k = 0; k < 4; ++k) seen[k] = in[threadIdx.x + k] > 0.75f;
    int c = 0; for (int i = 0; i < 4; ++i) c = c * 2 + seen[i];
    out[threadIdx.x] = c;
}
KERNEL byte_pack(float *out, const float *in, int n) {
    unsigned char px[4]; for (int i = 0; i < 4; ++i) px[i] = (unsigned char)(in[threadIdx.x + i] * 100.0f);
    uchar4 v = *reinterpret_cast<uchar4 *>(px); unsigned w = *reinterpret_cast<unsigned *>(px);
    out[threadIdx.x] = v.x + v.w * 2 + (w >> 20);
}
KERNEL char_of_word(float *out, const float *in, int n) {
    unsigned w = __float_as_uint(in[threadIdx.x]); const unsigned char *b = (const unsigned char *)&w;
    int s = 0; for (int i = 0; i < 4; ++i) s += b[i] * (i + 1);
    out[threadIdx.x] = s;
}
KERNEL int_as_float_pointer(float *out, const float *in, int n) {
    float x = in[threadIdx.x]; int i = *(int *)&x; i = 0x5f3759df - (i >> 1); float y = *(float *)&i;
    out[threadIdx.x] = y * (1.5f - 0.5f * x * y * y);
}
KERNEL long_as_two(float *out, const float *in, int n) {
    unsigned long long k = ((unsigned long long)__float_as_uint(in[threadIdx.x]) << 32) | threadIdx.x;
    unsigned *p = reinterpret_cast<unsigned *>(&k); p[0] ^= 5u;
    out[threadIdx.x] = (float)(k % 1000ull) + p[1] % 3u;
}
template <int N> struct Fft { static __device__ void run(float *a) { for (int i = 0; i < N / 2; ++i) { float u = a[i], v = a[i + N / 2]; a[i] = u + v; a[i + N / 2] = u - v; } Fft<N / 2>::run(a); Fft<N / 2>::run(a + N / 2); } };
template <> struct Fft<1> { static __device__ void run(float *) {} };
KERNEL recursive_template(float *out, const float *in, int n) {
    float a[8]; for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x + i];
    Fft<8>::run(a); for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL goto_state(float *out, const float *in, int n) {
    float st[3] = {1, 0, 0}; int k = 0;
next: { float t[3]; for (int i = 0; i < 3; ++i) t[i] = st[(i + 2) % 3] * 0.5f + in[threadIdx.x + k]; for (int i = 0; i < 3; ++i) st[i] = t[i]; }
    if (++k < 5) goto next;
    out[threadIdx.x] = st[0] + st[1] * st[2];
}
KERNEL returned_array_struct(float *out, const float *in, int n) {
    auto make = [&](int o) { cuda::std::array<float, 4> r; for (int i = 0; i < 4; ++i) r[i] = in[threadIdx.x + o + i]; return r; };
    auto a = make(0), b = make(2); cuda::std::swap(a, b);
    float s = 0; for (int i = 0; i < 4; ++i) s += a[i] * (b[i] - 1.0f);
    out[threadIdx.x] = s;
}
KERNEL runtime_select_four(float *out, const float *in, int n) {
    float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x]; float a[4] = {v.x, v.y, v.z, v.w};
    out[threadIdx.x] = a[threadIdx.x & 3] + a[n];
}
KERNEL constexpr_lookup(float *out, const float *in, int n) {
    constexpr cuda::std::array<int, 4> perm{2, 0, 3, 1}; float a[4];
    for (int i = 0; i < 4; ++i) a[perm[i]] = in[threadIdx.x + i];
    float s = 0; for (int i = 0; i < 4; ++i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}
KERNEL digits(float *out, const float *in, int n) {
    int d[6], v = (int)(in[threadIdx.x] * 100000.0f), c = 0;
    for (int i = 0; i < 6; ++i) { d[i] = v % 10; v /= 10; }
    for (int i = 0; i < 3; ++i) c += d[i] == d[5 - i];
    out[threadIdx.x] = c;
}
KERNEL iterator_pair(float *out, const float *in, int n) {
    struct Span { float *b, *e; __device__ float *begin() const { return b; } __device__ float *end() const { return e; } };
    float a[6]; for (int i = 0; i < 6; ++i) a[i] = in[threadIdx.x + i];
    Span s{a + 1, a + 5}; float r = 0; for (float &x : s) { x *= 2; r = r * 0.5f + x; }
    out[threadIdx.x] = r + a[0] + a[4];
}
KERNEL object_with_pointer(float *out, const float *in, int n) {
    struct View { float *p; int w; __device__ float &operator()(int r, int c) { return p[r * w + c]; } };
    float a[6]; View v{a, 3}; for (int r = 0; r < 2; ++r) for (int c = 0; c < 3; ++c) v(r, c) = in[threadIdx.x + r + c];
    float s = 0; for (int c = 0; c < 3; ++c) s += v(0, c) * v(1, 2 - c);
    out[threadIdx.x] = s;
}
KERNEL array_of_pointers(float *out, const float *in, int n) {
    float a[2] = {in[threadIdx.x], 2}, b[2] = {in[threadIdx.x + 1], 3}; float *p[2] = {a, b}; float s = 0;
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) s = s * 0.5f + p[i][j];
    out[threadIdx.x] = s;
}
template <class T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
KERNEL larger_by_reference(float *out, const float *in, int n) { float a = in[threadIdx.x], b = in[threadIdx.x + 1]; a += 1; out[threadIdx.x] = larger(a, b); }
KERNEL larger_of_two_changed(float *out, const float *in, int n) { float a = in[threadIdx.x], b = in[threadIdx.x + 1]; a += 1; out[threadIdx.x] = larger(a, b); }
KERNEL larger_in_a_loop(float *out, const float *in, int n) { float a[4]; for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i]; float m = a[0]; for (int i = 1; i < 4; ++i) m = larger(m, a[i]); out[threadIdx.x] = m + larger(a[1], a[2]); }
struct Point { float x, y; };
KERNEL struct_chosen(float *out, const float *in, int n) { Point a{in[threadIdx.x], 1}, b{in[threadIdx.x + 1], 2}; a.y += n; Point c = a.x < b.x ? a : b; out[threadIdx.x] = c.x + c.y; }
KERNEL reference_to_a_struct(float *out, const float *in, int n) { Point a{in[threadIdx.x], 1}, b{in[threadIdx.x + 1], 2}; a.y += n; const Point &c = a.x < b.x ? a : b; out[threadIdx.x] = c.x + c.y; }
KERNEL pointer_moved_to_another(float *out, const float *in, int n) { Point a{in[threadIdx.x], 1}, b{in[threadIdx.x + 1], 2}; a.y += n; Point *c = &a; if (a.x < b.x) c = &b; c->x += 1; out[threadIdx.x] = a.x + b.x + c->y; }
KERNEL row_chosen(float *out, const float *in, int n) { float bufs[2][4]; for (int i = 0; i < 8; ++i) bufs[i / 4][i % 4] = in[threadIdx.x + i]; float *p = n > 2 ? bufs[0] : bufs[1]; float s = 0; for (int i = 0; i < 4; ++i) s += p[i] * (i + 1); out[threadIdx.x] = s; }
KERNEL assigned_to_one_of_two(float *out, const float *in, int n) { float lo = 0, hi = 0; float &r = in[threadIdx.x] < 0.5f ? lo : hi; r += 1; (in[1] < 0.5f ? hi : lo) = 3.0f; out[threadIdx.x] = lo - hi; }
KERNEL pointer_or_null(float *out, const float *in, int n) { float v = in[threadIdx.x]; float *p = n > 0 ? &v : nullptr; out[threadIdx.x] = p ? *p * 2 : 0; }
KERNEL optional_copied(float *out, const float *in, int n) { cuda::std::optional<float> a; if (in[threadIdx.x] > 0.5f) a.emplace(in[threadIdx.x]); cuda::std::optional<float> b = a; out[threadIdx.x] = b.has_value() ? b.value() : a.value_or(2.0f); }
KERNEL swapped_and_chosen(float *out, const float *in, int n) { Point a{in[threadIdx.x], 1}, b{in[threadIdx.x + 1], 2}; a.y += n; b.y -= 2; cuda::std::swap(a, b); Point &m = larger(a.x, b.x) == a.x ? a : b; m.y = 7; out[threadIdx.x] = a.y - b.y; }
