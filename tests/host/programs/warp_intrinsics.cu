#include <cstdio>
#include <cuda_fp16.h>
template <int W> __device__ int prefix(int v) { for (int d = 1; d < W; d *= 2) { int u = __shfl_up_sync(0xffffffff, v, d, W); if ((threadIdx.x & (W - 1)) >= d) v += u; } return v; }
__global__ void w(unsigned long long *o, const int *in) {
    int l = threadIdx.x, v = in[l]; unsigned long long *p = o + l * 24;
    p[0] = __ballot_sync(~0u, v > 10); p[1] = __any_sync(~0u, v == 3) + 2 * __all_sync(~0u, v >= 0); p[2] = __match_any_sync(~0u, v % 5); int pred; p[3] = __match_all_sync(~0u, v / 100, &pred) + pred;
    p[4] = __reduce_add_sync(~0u, (unsigned)v); p[5] = __reduce_min_sync(~0u, v - 20); p[6] = __reduce_xor_sync(~0u, (unsigned)v); p[7] = prefix<32>(v); p[8] = prefix<8>(v);
    p[9] = __shfl_xor_sync(~0u, v, 5); p[10] = (unsigned long long)(__shfl_sync(~0u, (double)v * 0.5, l ^ 1) * 8); p[11] = __shfl_down_sync(~0u, (long long)v << 33, 3); p[12] = __shfl_sync(~0u, v, 3, 8);
    p[13] = __clz(v) + 100 * __ffs(v) + 10000 * __popc(v); p[14] = __clzll((long long)v << 20) + 100 * __ffsll((long long)v << 30); p[15] = __brev(v); p[16] = __brevll(v + 1ull); p[17] = __popcll(0xf0f0f0f0f0ull ^ v);
    p[18] = __funnelshift_l(v, v * 3, 7); p[19] = __mul24(v, 1001) + __mulhi(v << 20, v << 18) + __umulhi(v << 24, 77777u); p[20] = __mul64hi((long long)v << 50, 1ll << 40) + __umul64hi(~0ull, v); p[21] = __byte_perm(v, ~v, 0x3715);
}

__global__ void maths(float *f, double *d, int n) {
    int i = threadIdx.x; float x = 0.1f + i * 0.37f; double y = 0.05 + i * 0.21; float *p = f + i * 24; double *q = d + i * 16;
    p[0] = rsqrtf(x); p[1] = cbrtf(x); p[2] = hypotf(x, 2); p[3] = exp2f(x); p[4] = exp10f(x * 0.1f); p[5] = log2f(x); p[6] = log1pf(x); p[7] = expm1f(x); p[8] = erff(x); p[9] = tgammaf(x * 0.3f + 1); p[10] = lgammaf(x); p[11] = fmodf(x * 7, 1.3f); p[12] = remainderf(x * 7, 1.3f); p[13] = rintf(x * 3) + roundf(x * 5) + truncf(-x) + nearbyintf(x); p[14] = copysignf(x, -1) + fdimf(x, 1) + fmaf(x, x, 1); p[15] = ldexpf(x, 3) + ilogbf(x) + logbf(x); int e; p[16] = frexpf(x, &e) + e; float ip; p[17] = modff(x * 3, &ip) + ip; p[18] = atan2f(x, 1 - x); p[19] = sinhf(x * 0.1f) + coshf(x * 0.1f) + tanhf(x); p[20] = asinhf(x) + acoshf(1 + x) + atanhf(x * 0.02f); p[21] = __saturatef(x * 0.2f) + __frcp_rn(x) + __fsqrt_rd(x) + __fadd_ru(x, 1e-9f) + __fmul_rz(x, x); p[22] = norm3df(x, 1, 2) + rnorm3df(x, 1, 2) + rhypotf(x, 1) + sinpif(x) + cospif(x); p[23] = __expf(x * 0.1f) + __logf(x) + __powf(x, 0.5f) + __tanf(x * 0.1f) + __fdividef(x, 3) + nextafterf(x, 9);
    q[0] = sqrt(y) + rsqrt(y) + cbrt(y); q[1] = exp(y) + exp2(y) + exp10(y * 0.1); q[2] = log(y) + log2(y) + log10(y) + log1p(y); q[3] = sin(y) + cos(y) + tan(y * 0.3); q[4] = asin(y * 0.1) + acos(y * 0.1) + atan(y); q[5] = sinh(y) + cosh(y) + tanh(y); q[6] = erf(y) + erfc(y) + erfinv(y * 0.1) + normcdf(y) + normcdfinv(y * 0.1); q[7] = tgamma(y + 1) + lgamma(y); q[8] = pow(y, 1.7) + hypot(y, 2.0) + fmod(y * 7, 1.1); q[9] = floor(y * 3) + ceil(y) + trunc(-y) + round(y * 3) + rint(y); double sn, cs; sincos(y, &sn, &cs); q[10] = sn * cs; sincospi(y, &sn, &cs); q[11] = sn + cs; q[12] = __dadd_rd(y, 1e-20) + __dmul_ru(y, y) + __ddiv_rn(y, 3.0) + __dsqrt_rz(y) + __fma_rn(y, y, 1.0); q[13] = lrint(y * 3) + llround(y * 5) + lround(-y); q[14] = __double2int_rd(y * 3) + __double2hiint(y) % 1000 + __hiloint2double(1072693248, 5); q[15] = fmax(y, 1.0) + fmin(y, 2.0) + fabs(-y) + (isnan(y) ? 1 : 0) + (isinf(y / 0.0) ? 2 : 0) + signbit(-y);
    if (i == 0) { half2 h = __floats2half2_rn(1.5f, -2.25f), g = __hmul2(h, __float2half2_rn(3)); printf("%.3f %.3f %.3f %d\n", __low2float(g), __high2float(g), __half2float(hsqrt(__float2half(2.0f))), (int)__half_as_ushort(__hadd(__low2half(h), __high2half(h)))); }
}
int main() {
    int h[32], *in; for (int i = 0; i < 32; i++) h[i] = (i * 13 + 5) % 41; unsigned long long *o; cudaMalloc(&in, sizeof h); cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice); cudaMallocManaged(&o, 32 * 24 * 8);
    w<<<1, 32>>>(o, in); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int k = 0; k < 22; k++) { unsigned long long s = 0; for (int i = 0; i < 32; i++) s = s * 1000003 + o[i * 24 + k]; printf("%016llx%c", s, k % 4 == 3 ? '\n' : ' '); } printf("\n");
    float *f; double *d; cudaMallocManaged(&f, 32 * 24 * 4); cudaMallocManaged(&d, 32 * 16 * 8); maths<<<1, 32>>>(f, d, 32); cudaDeviceSynchronize();
    for (int k = 0; k < 24; k++) { double s = 0; for (int i = 0; i < 32; i++) s += f[i * 24 + k] * (1 + i % 3); printf("%.5g%c", s, k % 8 == 7 ? '\n' : ' '); }
    for (int k = 0; k < 16; k++) { double s = 0; for (int i = 0; i < 32; i++) s += d[i * 16 + k] * (1 + i % 3); printf("%.11g%c", s, k % 4 == 3 ? '\n' : ' '); }
}
