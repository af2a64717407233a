// Arithmetic on vector types, under the names that course code expects of a header called helper_math.h.
// It is used where a file includes that header and none lies beside it.
#pragma once

typedef unsigned int uint;
typedef unsigned short ushort;

#define FUNCTION inline __host__ __device__

// Each macro applies F to every component of vectors: of one, of two, of three, of a vector and a scalar.
#define EACH2(F, V, a) make_##V(F(a.x), F(a.y))
#define EACH3(F, V, a) make_##V(F(a.x), F(a.y), F(a.z))
#define EACH4(F, V, a) make_##V(F(a.x), F(a.y), F(a.z), F(a.w))
#define BOTH2(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y))
#define BOTH3(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z))
#define BOTH4(F, V, a, b) make_##V(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z), F(a.w, b.w))
#define WITH2(F, V, a, s) make_##V(F(a.x, s), F(a.y, s))
#define WITH3(F, V, a, s) make_##V(F(a.x, s), F(a.y, s), F(a.z, s))
#define WITH4(F, V, a, s) make_##V(F(a.x, s), F(a.y, s), F(a.z, s), F(a.w, s))
#define CLAMPED2(V, v, a, b) make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y))
#define CLAMPED3(V, v, a, b) make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z))
#define CLAMPED4(V, v, a, b) \
    make_##V(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z), clamp(v.w, a.w, b.w))
#define MINUS(x) (-(x))

// ---- vectors of other vectors and of scalars
#define OF_OTHERS(S, O1, O2) \
    FUNCTION S##2 make_##S##2(S s) { return make_##S##2(s, s); } \
    FUNCTION S##2 make_##S##2(S##3 a) { return make_##S##2(a.x, a.y); } \
    FUNCTION S##2 make_##S##2(O1##2 a) { return EACH2(S, S##2, a); } \
    FUNCTION S##2 make_##S##2(O2##2 a) { return EACH2(S, S##2, a); } \
    FUNCTION S##3 make_##S##3(S s) { return make_##S##3(s, s, s); } \
    FUNCTION S##3 make_##S##3(S##2 a) { return make_##S##3(a.x, a.y, 0); } \
    FUNCTION S##3 make_##S##3(S##2 a, S s) { return make_##S##3(a.x, a.y, s); } \
    FUNCTION S##3 make_##S##3(S##4 a) { return make_##S##3(a.x, a.y, a.z); } \
    FUNCTION S##3 make_##S##3(O1##3 a) { return EACH3(S, S##3, a); } \
    FUNCTION S##3 make_##S##3(O2##3 a) { return EACH3(S, S##3, a); } \
    FUNCTION S##4 make_##S##4(S s) { return make_##S##4(s, s, s, s); } \
    FUNCTION S##4 make_##S##4(S##3 a) { return make_##S##4(a.x, a.y, a.z, 0); } \
    FUNCTION S##4 make_##S##4(S##3 a, S w) { return make_##S##4(a.x, a.y, a.z, w); } \
    FUNCTION S##4 make_##S##4(O1##4 a) { return EACH4(S, S##4, a); } \
    FUNCTION S##4 make_##S##4(O2##4 a) { return EACH4(S, S##4, a); }
OF_OTHERS(float, int, uint)
OF_OTHERS(int, float, uint)
OF_OTHERS(uint, float, int)

// ---- operators
#define ASSIGNED2(V, S, OP) \
    FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; } \
    FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; }
#define ASSIGNED3(V, S, OP) \
    FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; a.z OP b.z; } \
    FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; a.z OP b; }
#define ASSIGNED4(V, S, OP) \
    FUNCTION void operator OP(V &a, V b) { a.x OP b.x; a.y OP b.y; a.z OP b.z; a.w OP b.w; } \
    FUNCTION void operator OP(V &a, S b) { a.x OP b; a.y OP b; a.z OP b; a.w OP b; }
#define PLUS(a, b) ((a) + (b))
#define LESS(a, b) ((a) - (b))
#define TIMES(a, b) ((a) * (b))
#define OVER(a, b) ((a) / (b))
#define INTO(a, b) ((b) / (a))
#define FROM(a, b) ((b) - (a))
#define OPERATOR(V, S, N, OP, F, REVERSED) \
    FUNCTION V operator OP(V a, V b) { return BOTH##N(F, V, a, b); } \
    FUNCTION V operator OP(V a, S b) { return WITH##N(F, V, a, b); } \
    FUNCTION V operator OP(S b, V a) { return WITH##N(REVERSED, V, a, b); } \
    ASSIGNED##N(V, S, OP##=)
#define OPERATORS(S, N) \
    OPERATOR(S##N, S, N, +, PLUS, PLUS) OPERATOR(S##N, S, N, -, LESS, FROM) OPERATOR(S##N, S, N, *, TIMES, TIMES)
OPERATORS(float, 2) OPERATORS(float, 3) OPERATORS(float, 4)
OPERATORS(int, 2) OPERATORS(int, 3) OPERATORS(int, 4)
OPERATORS(uint, 2) OPERATORS(uint, 3) OPERATORS(uint, 4)
OPERATOR(float2, float, 2, /, OVER, INTO)
OPERATOR(float3, float, 3, /, OVER, INTO)
OPERATOR(float4, float, 4, /, OVER, INTO)
#define NEGATION(V, N) FUNCTION V operator-(V a) { return EACH##N(MINUS, V, a); }
NEGATION(float2, 2) NEGATION(float3, 3) NEGATION(float4, 4)
NEGATION(int2, 2) NEGATION(int3, 3) NEGATION(int4, 4)

// ---- functions of scalars
FUNCTION float lerp(float a, float b, float t) { return a + t * (b - a); }
FUNCTION float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
FUNCTION int clamp(int f, int a, int b) { return max(a, min(f, b)); }
FUNCTION uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
FUNCTION float fracf(float v) { return v - floorf(v); }
FUNCTION float smoothstep(float a, float b, float x)
{
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

// ---- functions of vectors
#define DOTS(S) \
    FUNCTION S dot(S##2 a, S##2 b) { return a.x * b.x + a.y * b.y; } \
    FUNCTION S dot(S##3 a, S##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
    FUNCTION S dot(S##4 a, S##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
DOTS(float) DOTS(int) DOTS(uint)
FUNCTION float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
#define BOUNDED(S, N, LEAST, MOST) \
    FUNCTION S##N LEAST(S##N a, S##N b) { return BOTH##N(LEAST, S##N, a, b); } \
    FUNCTION S##N MOST(S##N a, S##N b) { return BOTH##N(MOST, S##N, a, b); } \
    FUNCTION S##N clamp(S##N v, S##N a, S##N b) { return CLAMPED##N(S##N, v, a, b); } \
    FUNCTION S##N clamp(S##N v, S a, S b) { return clamp(v, make_##S##N(a), make_##S##N(b)); }
BOUNDED(float, 2, fminf, fmaxf) BOUNDED(float, 3, fminf, fmaxf) BOUNDED(float, 4, fminf, fmaxf)
BOUNDED(int, 2, min, max) BOUNDED(int, 3, min, max) BOUNDED(int, 4, min, max)
BOUNDED(uint, 2, min, max) BOUNDED(uint, 3, min, max) BOUNDED(uint, 4, min, max)
#define OF_FLOATS(V, N) \
    FUNCTION float length(V v) { return sqrtf(dot(v, v)); } \
    FUNCTION V normalize(V v) { return v * rsqrtf(dot(v, v)); } \
    FUNCTION V lerp(V a, V b, float t) { return a + t * (b - a); } \
    FUNCTION V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); } \
    FUNCTION V floorf(V v) { return EACH##N(floorf, V, v); } \
    FUNCTION V fracf(V v) { return EACH##N(fracf, V, v); } \
    FUNCTION V fabs(V v) { return EACH##N(fabs, V, v); } \
    FUNCTION V fmodf(V a, V b) { return BOTH##N(fmodf, V, a, b); } \
    FUNCTION V smoothstep(V a, V b, V x) \
    { \
        V y = clamp((x - a) / (b - a), 0.0f, 1.0f); \
        return y * y * (make_##V(3.0f) - make_##V(2.0f) * y); \
    }
OF_FLOATS(float2, 2) OF_FLOATS(float3, 3) OF_FLOATS(float4, 4)
FUNCTION int2 abs(int2 v) { return EACH2(abs, int2, v); }
FUNCTION int3 abs(int3 v) { return EACH3(abs, int3, v); }
FUNCTION int4 abs(int4 v) { return EACH4(abs, int4, v); }

#undef FUNCTION
#undef EACH2
#undef EACH3
#undef EACH4
#undef BOTH2
#undef BOTH3
#undef BOTH4
#undef WITH2
#undef WITH3
#undef WITH4
#undef CLAMPED2
#undef CLAMPED3
#undef CLAMPED4
#undef MINUS
#undef OF_OTHERS
#undef ASSIGNED2
#undef ASSIGNED3
#undef ASSIGNED4
#undef PLUS
#undef LESS
#undef TIMES
#undef OVER
#undef INTO
#undef FROM
#undef OPERATOR
#undef OPERATORS
#undef NEGATION
#undef DOTS
#undef BOUNDED
#undef OF_FLOATS
