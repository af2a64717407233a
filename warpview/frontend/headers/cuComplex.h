// Complex numbers of CUDA: pairs of floats and of doubles, with the formulas that its library documents.
#pragma once

#define __WV_INLINE __host__ __device__ inline
#define __WV_COMPLEX(T, C, PART, F, LARGEST) \
    typedef PART C; \
    __WV_INLINE T cuCreal##F(C a) { return a.x; } \
    __WV_INLINE T cuCimag##F(C a) { return a.y; } \
    __WV_INLINE C make_##C(T x, T y) { return make_##PART(x, y); } \
    __WV_INLINE C cuConj##F(C a) { return make_##C(a.x, -a.y); } \
    __WV_INLINE C cuCadd##F(C a, C b) { return make_##C(a.x + b.x, a.y + b.y); } \
    __WV_INLINE C cuCsub##F(C a, C b) { return make_##C(a.x - b.x, a.y - b.y); } \
    __WV_INLINE C cuCmul##F(C a, C b) { return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
    __WV_INLINE C cuCdiv##F(C a, C b) { \
        T scale = (T)1 / (fabs##F(b.x) + fabs##F(b.y)); /* so that no square overflows */ \
        T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
        T inverse = (T)1 / (bx * bx + by * by); \
        return make_##C((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse); \
    } \
    __WV_INLINE T cuCabs##F(C a) { \
        T x = fabs##F(a.x), y = fabs##F(a.y), most = x > y ? x : y, least = x > y ? y : x; \
        if (most == 0 || most > LARGEST || least > LARGEST) return most + least; \
        T ratio = least / most; \
        return most * sqrt##F((T)1 + ratio * ratio); \
    } \
    __WV_INLINE C cuCfma##F(C a, C b, C c) { \
        return make_##C(-(a.y * b.y) + (a.x * b.x + c.x), a.y * b.x + (a.x * b.y + c.y)); \
    }
__WV_COMPLEX(float, cuFloatComplex, float2, f, 3.402823466e+38f)
__WV_COMPLEX(double, cuDoubleComplex, double2, , 1.7976931348623157e+308)
#undef __WV_COMPLEX
#undef __WV_INLINE

typedef cuFloatComplex cuComplex;
__host__ __device__ inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_float2((float)a.x, (float)a.y);
}
