// Arithmetic on vector types, under the names that course code expects of a header called helper_math.h.
// It is used where a file includes that header and none lies beside it.
#pragma once

typedef unsigned int uint;
typedef unsigned short ushort;

#define WV_FUNCTION inline __host__ __device__

// Each macro applies F to every component of vectors: of one, of two, of three, of a vector and a scalar.
#define WV_EACH2(F, V, a) make_##V(F(a.x), F(a.y))
#define WV_EACH3(F, V, a) make_##V(F(a.x), F(a.y), F(a.z))
#define WV_EACH4(F, V, a) make_##V(F(a.x), F(a.y), F(a.z), F(a.w))
#define WV_BOTH2(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y))
#define WV_BOTH3(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z))
#define WV_BOTH4(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w))
#define WV_WITH2(F, V, a, s) make_##V(F(a.x, s), F(a.y, s))
#define WV_WITH3(F, V, a, s) make_##V(F(a.x, s), F(a.y, s), F(a.z, s))
#define WV_WITH4(F, V, a, s) make_##V(F(a.x, s), F(a.y, s), F(a.z, s), F(a.w, s))
#define WV_CLAMPED2(V, v, a, b) make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y))
#define WV_CLAMPED3(V, v, a, b) make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z))
#define WV_CLAMPED4(V, v, a, b) \
    make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w))
#define WV_MINUS(x) (-(x))

// ---- vectors of other vectors and of scalars
#define WV_OF_OTHERS(S, O1, O2) \
    WV_FUNCTION S##2 make_##S##2(S s) { return make_##S##2(s, s); } \
    WV_FUNCTION S##2 make_##S##2(S##3 a) { return make_##S##2(a.x, a.y); } \
    WV_FUNCTION S##2 make_##S##2(O1##2 a) { return WV_EACH2(S, S##2, a); } \
    WV_FUNCTION S##2 make_##S##2(O2##2 a) { return WV_EACH2(S, S##2, a); } \
    WV_FUNCTION S##3 make_##S##3(S s) { return make_##S##3(s, s, s); } \
    WV_FUNCTION S##3 make_##S##3(S##2 a) { return make_##S##3(a.x, a.y, 0); } \
    WV_FUNCTION S##3 make_##S##3(S##2 a, S s) { return make_##S##3(a.x, a.y, s); } \
    WV_FUNCTION S##3 make_##S##3(S##4 a) { return make_##S##3(a.x, a.y, a.z); } \
    WV_FUNCTION S##3 make_##S##3(O1##3 a) { return WV_EACH3(S, S##3, a); } \
    WV_FUNCTION S##3 make_##S##3(O2##3 a) { return WV_EACH3(S, S##3, a); } \
    WV_FUNCTION S##4 make_##S##4(S s) { return make_##S##4(s, s, s, s); } \
    WV_FUNCTION S##4 make_##S##4(S##3 a) { return make_##S##4(a.x, a.y, a.z, 0); } \
    WV_FUNCTION S##4 make_##S##4(S##3 a, S w) { return make_##S##4(a.x, a.y, a.z, w); } \
    WV_FUNCTION S##4 make_##S##4(O1##4 a) { return WV_EACH4(S, S##4, a); } \
    WV_FUNCTION S##4 make_##S##4(O2##4 a) { return WV_EACH4(S, S##4, a); }
WV_OF_OTHERS(float, int, uint)
WV_OF_OTHERS(int, float, uint)
WV_OF_OTHERS(uint, float, int)

// ---- operators
#define WV_ASSIGNED2(V, S, OP) \
    WV_FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; } \
    WV_FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; }
#define WV_ASSIGNED3(V, S, OP) \
    WV_FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; a.z OP b.z; } \
    WV_FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; a.z OP b; }
#define WV_ASSIGNED4(V, S, OP) \
    WV_FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; a.z OP b.z; a.w OP b.w; } \
    WV_FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; a.z OP b; a.w OP b; }
#define WV_PLUS(a, b) ((a) + (b))
#define WV_LESS(a, b) ((a) - (b))
#define WV_TIMES(a, b) ((a) * (b))
#define WV_OVER(a, b) ((a) / (b))
#define WV_INTO(a, b) ((b) / (a))
#define WV_FROM(a, b) ((b) - (a))
#define WV_OPERATOR(V, S, N, OP, F, REVERSED) \
    WV_FUNCTION V operator OP(V a, V b) { return WV_BOTH##N(F, V, a, b); } \
    WV_FUNCTION V operator OP(V a, S b) { return WV_WITH##N(F, V, a, b); } \
    WV_FUNCTION V operator OP(S b, V a) { return WV_WITH##N(REVERSED, V, a, b); } \
    WV_ASSIGNED##N(V, S, OP##=)
#define WV_OPERATORS(S, N) \
    WV_OPERATOR(S##N, S, N, +, WV_PLUS, WV_PLUS) WV_OPERATOR(S##N, S, N, -, WV_LESS, WV_FROM) \
    WV_OPERATOR(S##N, S, N, *, WV_TIMES, WV_TIMES)
WV_OPERATORS(float, 2) WV_OPERATORS(float, 3) WV_OPERATORS(float, 4)
WV_OPERATORS(int, 2) WV_OPERATORS(int, 3) WV_OPERATORS(int, 4)
WV_OPERATORS(uint, 2) WV_OPERATORS(uint, 3) WV_OPERATORS(uint, 4)
WV_OPERATOR(float2, float, 2, /, WV_OVER, WV_INTO)
WV_OPERATOR(float3, float, 3, /, WV_OVER, WV_INTO)
WV_OPERATOR(float4, float, 4, /, WV_OVER, WV_INTO)
#define WV_NEGATION(V, N) WV_FUNCTION V operator-(V a) { return WV_EACH##N(WV_MINUS, V, a); }
WV_NEGATION(float2, 2) WV_NEGATION(float3, 3) WV_NEGATION(float4, 4)
WV_NEGATION(int2, 2) WV_NEGATION(int3, 3) WV_NEGATION(int4, 4)

// ---- functions of scalars
WV_FUNCTION float lerp(float a, float b, float t) { return a + t * (b - a); }
WV_FUNCTION float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
WV_FUNCTION int clamp(int f, int a, int b) { return max(a, min(f, b)); }
WV_FUNCTION uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
WV_FUNCTION float fracf(float v) { return v - floorf(v); }
WV_FUNCTION float smoothstep(float a, float b, float x)
{
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

// ---- functions of vectors
#define WV_DOTS(S) \
    WV_FUNCTION S dot(S##2 a, S##2 b) { return a.x * b.x + a.y * b.y; } \
    WV_FUNCTION S dot(S##3 a, S##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
    WV_FUNCTION S dot(S##4 a, S##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
WV_DOTS(float) WV_DOTS(int) WV_DOTS(uint)
WV_FUNCTION float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#define WV_BOUNDED(S, N, LEAST, MOST) \
    WV_FUNCTION S##N LEAST(S##N a, S##N b) { return WV_BOTH##N(LEAST, S##N, a, b); } \
    WV_FUNCTION S##N MOST(S##N a, S##N b) { return WV_BOTH##N(MOST, S##N, a, b); } \
    WV_FUNCTION S##N clamp(S##N v, S##N a, S##N b) { return WV_CLAMPED##N(S##N, v, a, b); } \
    WV_FUNCTION S##N clamp(S##N v, S a, S b) { return clamp(v, make_##S##N(a), make_##S##N(b)); }
WV_BOUNDED(float, 2, fminf, fmaxf) WV_BOUNDED(float, 3, fminf, fmaxf) WV_BOUNDED(float, 4, fminf, fmaxf)
WV_BOUNDED(int, 2, min, max) WV_BOUNDED(int, 3, min, max) WV_BOUNDED(int, 4, min, max)
WV_BOUNDED(uint, 2, min, max) WV_BOUNDED(uint, 3, min, max) WV_BOUNDED(uint, 4, min, max)
#define WV_OF_FLOATS(V, N) \
    WV_FUNCTION float length(V v) { return sqrtf(dot(v, v)); } \
    WV_FUNCTION V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
    WV_FUNCTION V lerp(V a, V b, float t) { return a + t * (b - a); } \
    WV_FUNCTION V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); } \
    WV_FUNCTION V floorf(V v) { return WV_EACH##N(floorf, V, v); } \
    WV_FUNCTION V fracf(V v) { return WV_EACH##N(fracf, V, v); } \
    WV_FUNCTION V fabs(V v) { return WV_EACH##N(fabs, V, v); } \
    WV_FUNCTION V fmodf(V a, V b) { return WV_BOTH##N(fmodf, V, a, b); } \
    WV_FUNCTION V smoothstep(V a, V b, V x) \
    { \
        V y = clamp((x - a) / (b - a), 0.0f, 1.0f); \
        return y * y * (make_##V(3.0f) - make_##V(2.0f) * y); \
    }
WV_OF_FLOATS(float2, 2) WV_OF_FLOATS(float3, 3) WV_OF_FLOATS(float4, 4)
WV_FUNCTION int2 abs(int2 v) { return WV_EACH2(abs, int2, v); }
WV_FUNCTION int3 abs(int3 v) { return WV_EACH3(abs, int3, v); }
WV_FUNCTION int4 abs(int4 v) { return WV_EACH4(abs, int4, v); }

#undef WV_FUNCTION
#undef WV_EACH2
#undef WV_EACH3
#undef WV_EACH4
#undef WV_BOTH2
#undef WV_BOTH3
#undef WV_BOTH4
#undef WV_WITH2
#undef WV_WITH3
#undef WV_WITH4
#undef WV_CLAMPED2
#undef WV_CLAMPED3
#undef WV_CLAMPED4
#undef WV_MINUS
#undef WV_OF_OTHERS
#undef WV_ASSIGNED2
#undef WV_ASSIGNED3
#undef WV_ASSIGNED4
#undef WV_PLUS
#undef WV_LESS
#undef WV_TIMES
#undef WV_OVER
#undef WV_INTO
#undef WV_FROM
#undef WV_OPERATOR
#undef WV_OPERATORS
#undef WV_NEGATION
#undef WV_DOTS
#undef WV_BOUNDED
#undef WV_OF_FLOATS
