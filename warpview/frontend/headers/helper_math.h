// Arithmetic on vector types, under the names that course code expects of a header called helper_math.h.
// It is used where a file includes that header and none lies beside it.
#pragma once


#define BINARY2(V, S, OP) \
    inline __host__ __device__ V operator OP(V a, V b) { return make_##V(a.x OP b.x, a.y OP b.y); } \
    inline __host__ __device__ V operator OP(V a, S b) { return make_##V(a.x OP b, a.y OP b); } \
    inline __host__ __device__ V operator OP(S a, V b) { return make_##V(a OP b.x, a OP b.y); } \
    inline __host__ __device__ void operator OP##=(V& a, V b) { a.x OP##= b.x; a.y OP##= b.y; } \
    inline __host__ __device__ void operator OP##=(V& a, S b) { a.x OP##= b; a.y OP##= b; }
#define BINARY3(V, S, OP) \
    inline __host__ __device__ V operator OP(V a, V b) { return make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z); } \
    inline __host__ __device__ V operator OP(V a, S b) { return make_##V(a.x OP b, a.y OP b, a.z OP b); } \
    inline __host__ __device__ V operator OP(S a, V b) { return make_##V(a OP b.x, a OP b.y, a OP b.z); } \
    inline __host__ __device__ void operator OP##=(V& a, V b) { a.x OP##= b.x; a.y OP##= b.y; a.z OP##= b.z; } \
    inline __host__ __device__ void operator OP##=(V& a, S b) { a.x OP##= b; a.y OP##= b; a.z OP##= b; }
#define BINARY4(V, S, OP) \
    inline __host__ __device__ V operator OP(V a, V b) { \
        return make_##V(a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w); } \
    inline __host__ __device__ V operator OP(V a, S b) { return make_##V(a.x OP b, a.y OP b, a.z OP b, a.w OP b); } \
    inline __host__ __device__ V operator OP(S a, V b) { return make_##V(a OP b.x, a OP b.y, a OP b.z, a OP b.w); } \
    inline __host__ __device__ void operator OP##=(V& a, V b) { \
        a.x OP##= b.x; a.y OP##= b.y; a.z OP##= b.z; a.w OP##= b.w; } \
    inline __host__ __device__ void operator OP##=(V& a, S b) { a.x OP##= b; a.y OP##= b; a.z OP##= b; a.w OP##= b; }
#define INTEGERS(V, S, N) BINARY##N(V, S, +) BINARY##N(V, S, -) BINARY##N(V, S, *)
INTEGERS(int2, int, 2) INTEGERS(int3, int, 3) INTEGERS(int4, int, 4)
INTEGERS(uint2, uint, 2) INTEGERS(uint3, uint, 3) INTEGERS(uint4, uint, 4)
INTEGERS(float2, float, 2) INTEGERS(float3, float, 3) INTEGERS(float4, float, 4)
BINARY2(float2, float, /) BINARY3(float3, float, /) BINARY4(float4, float, /)

inline __host__ __device__ float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
inline __host__ __device__ float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
inline __host__ __device__ float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
inline __host__ __device__ int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
inline __host__ __device__ int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
inline __host__ __device__ int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }

inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
inline __host__ __device__ float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
inline __host__ __device__ float2 make_float2(int2 a) { return make_float2(float(a.x), float(a.y)); }
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0.0f); }
inline __host__ __device__ float3 make_float3(float2 a, float s) { return make_float3(a.x, a.y, s); }
inline __host__ __device__ float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
inline __host__ __device__ float3 make_float3(int3 a) { return make_float3(float(a.x), float(a.y), float(a.z)); }
inline __host__ __device__ float4 make_float4(float s) { return make_float4(s, s, s, s); }
inline __host__ __device__ float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0.0f); }
inline __host__ __device__ float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
inline __host__ __device__ int2 make_int2(int s) { return make_int2(s, s); }
inline __host__ __device__ int3 make_int3(int s) { return make_int3(s, s, s); }
inline __host__ __device__ int4 make_int4(int s) { return make_int4(s, s, s, s); }

inline __host__ __device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __device__ __host__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
inline __device__ __host__ int clamp(int f, int a, int b) { return max(a, min(f, b)); }
inline __device__ __host__ uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }

#define VECTOR(V) \
    inline __host__ __device__ float length(V v) { return sqrtf(dot(v, v)); } \
    inline __host__ __device__ V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
    inline __host__ __device__ V lerp(V a, V b, float t) { return a + t * (b - a); } \
    inline __host__ __device__ V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
VECTOR(float2) VECTOR(float3) VECTOR(float4)

#define LANES2(V, F) inline __host__ __device__ V F(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y)); }
#define LANES3(V, F) \
    inline __host__ __device__ V F(V a, V b) { return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z)); }
#define LANES4(V, F) \
    inline __host__ __device__ V F(V a, V b) { \
        return make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w)); }
LANES2(float2, fminf) LANES3(float3, fminf) LANES4(float4, fminf)
LANES2(float2, fmaxf) LANES3(float3, fmaxf) LANES4(float4, fmaxf)
LANES2(int2, min) LANES3(int3, min) LANES4(int4, min)
LANES2(int2, max) LANES3(int3, max) LANES4(int4, max)

inline __device__ __host__ float2 clamp(float2 v, float a, float b) {
    return make_float2(clamp(v.x, a, b), clamp(v.y, a, b));
}
inline __device__ __host__ float3 clamp(float3 v, float a, float b) {
    return make_float3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
inline __device__ __host__ float4 clamp(float4 v, float a, float b) {
    return make_float4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
inline __host__ __device__ float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
inline __host__ __device__ float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }

#undef BINARY2
#undef BINARY3
#undef BINARY4
#undef INTEGERS
#undef VECTOR
#undef LANES2
#undef LANES3
#undef LANES4
