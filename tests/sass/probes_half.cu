// Operations on pairs of 16 bits, and conversions: what the hardware gives is recorded by record_probes.py.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define P(name, ...) extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i>=n) return; unsigned a=pa[i], b=pb[i], c=pc[i]; (void)a,(void)b,(void)c; __VA_ARGS__ }
#define H(x) (*(__half2*)&(x))
#define B(x) (*(__nv_bfloat162*)&(x))
#define U(x) (*(unsigned*)&(x))
#define S(x) (*(unsigned short*)&(x))
#define O1(x) o[i]=(x);
#define O2(x,y) o[2*i]=(x),o[2*i+1]=(y);
#define O4(x,y,z,w) o[4*i]=(x),o[4*i+1]=(y),o[4*i+2]=(z),o[4*i+3]=(w);
P(h_arith, __half2 r=__hadd2(H(a),H(b)), s=__hmul2(H(a),H(b)), t=__hfma2(H(a),H(b),H(c)), u=__hsub2(H(a),H(b)); O4(U(r),U(s),U(t),U(u)))
P(h_sat, __half2 r=__hadd2_sat(H(a),H(b)), s=__hmul2_sat(H(a),H(b)), t=__hfma2_sat(H(a),H(b),H(c)), u=__hfma2_relu(H(a),H(b),H(c)); O4(U(r),U(s),U(t),U(u)))
P(h_scalar, __half x=__low2half(H(a)), y=__high2half(H(b)), z=__low2half(H(c)); __half r=__hadd(x,y), s=__hmul(x,y), t=__hfma(x,y,z), u=__hneg(__habs(y)); O4(S(r),S(s),S(t),S(u)))
P(h_const, __half2 k=__floats2half2_rn(1.5f,-0.25f); __half2 r=__hadd2(H(a),k), s=__hmul2(H(a),k), t=__hfma2(H(a),k,H(c)), u=__hfma2(H(a),H(b),k); O4(U(r),U(s),U(t),U(u)))
P(h_minmax, __half2 r=__hmin2(H(a),H(b)), s=__hmax2(H(a),H(b)), t=__hmin2_nan(H(a),H(b)), u=__habs2(H(c)); O4(U(r),U(s),U(t),U(u)))
P(h_cmp, unsigned r=0; r|=__hblt2(H(a),H(b)); r|=__hbeq2(H(a),H(c))<<1; r|=__hlt(__low2half(H(a)),__high2half(H(b)))<<2; r|=__hgeu(__low2half(H(a)),__low2half(H(c)))<<3; __half2 e=__hgt2(H(a),H(b)), f=__hneu2(H(b),H(c)); O4(r,U(e),U(f), __hisnan(__low2half(H(a)))))
P(h_mask, unsigned m=__hlt2_mask(H(a),H(b)), k=__heq2_mask(H(a),H(b)); O2(m,k))
P(h_cvt, float x=__uint_as_float(a), y=__uint_as_float(b); __half r=__float2half_rn(x), s=__float2half_rz(x), t=__float2half_rd(x), u=__float2half_ru(y); O4(S(r),S(s),S(t),S(u)))
P(h_cvt2, __half2 r=__floats2half2_rn(__uint_as_float(a),__uint_as_float(b)); float2 f=__half22float2(H(c)); O4(U(r),__float_as_uint(f.x),__float_as_uint(f.y),__float_as_uint(__half2float(__low2half(H(a)))))) 
P(h_int, __half x=__low2half(H(a)); __half t=__int2half_rn((int)b), u=__uint2half_rz(c); __half v=__ushort2half_rn((unsigned short)b); O4((unsigned)__half2int_rz(x),(unsigned)__half2uint_rn(x), S(t)|(S(v)<<16), S(u)))
P(h_int64, __half x=__low2half(H(a)); long long r=__half2ll_rz(x); __half t=__ll2half_rn((long long)((unsigned long long)b<<32|c)); __half d=__double2half(__hiloint2double(b,c)); double e=(double)__half2float(x); O4((unsigned)r,(unsigned)(r>>32),S(t)|S(d)<<16, __double2hiint(e)))
P(h_short, short r=__half2short_rz(__low2half(H(a))); unsigned short s=__half2ushort_rz(__high2half(H(a))); O2((unsigned)r, s))
P(h_math, __half x=__low2half(H(a)); __half r=hrcp(x), s=hsqrt(x), t=hexp2(x), u=hlog2(x); O4(S(r),S(s),S(t),S(u)))
P(h_math2, __half2 r=h2floor(H(a)), s=h2rint(H(a)), t=h2ceil(H(a)), u=h2trunc(H(a)); O4(U(r),U(s),U(t),U(u)))
P(h_div, __half2 r=__h2div(H(a),H(b)); unsigned t,u; asm("tanh.approx.f16x2 %0, %1;":"=r"(t):"r"(a)); asm("ex2.approx.f16x2 %0, %1;":"=r"(u):"r"(a)); __half2 z=h2rsqrt(H(b)); O4(U(r),t,u,U(z)))
P(b_arith, __nv_bfloat162 r=__hadd2(B(a),B(b)), s=__hmul2(B(a),B(b)), t=__hfma2(B(a),B(b),B(c)), u=__hsub2(B(a),B(b)); O4(U(r),U(s),U(t),U(u)))
P(b_sat, __nv_bfloat162 r=__hadd2_sat(B(a),B(b)), t=__hfma2_sat(B(a),B(b),B(c)), u=__hfma2_relu(B(a),B(b),B(c)); O4(U(r),0,U(t),U(u)))
P(b_minmax, __nv_bfloat162 r=__hmin2(B(a),B(b)), s=__hmax2(B(a),B(b)), u=__habs2(B(c)), v=__hneg2(B(b)); O4(U(r),U(s),U(v),U(u)))
P(b_cmp, unsigned r=0; r|=__hblt2(B(a),B(b)); r|=__hbeq2(B(a),B(c))<<1; __nv_bfloat162 e=__hgt2(B(a),B(b)); O2(r,U(e)))
P(b_cvt, float x=__uint_as_float(a), y=__uint_as_float(b); __nv_bfloat16 r=__float2bfloat16_rn(x), s=__float2bfloat16_rz(x); __nv_bfloat162 t=__floats2bfloat162_rn(x,y); float2 f=__bfloat1622float2(B(c)); O4(S(r)|S(s)<<16,U(t),__float_as_uint(f.x),__float_as_uint(f.y)))
P(b_int, __nv_bfloat16 r=__int2bfloat16_rn((int)a); __nv_bfloat16 s=__uint2bfloat16_rz(b); O4(S(r),S(s),(unsigned)__bfloat162int_rz(__low2bfloat16(B(c))),(unsigned)__bfloat162uint_rz(__low2bfloat16(B(c)))))
P(b_math, __nv_bfloat162 r=h2rint(B(a)), s=h2floor(B(a)); unsigned t,u; asm("tanh.approx.bf16x2 %0, %1;":"=r"(t):"r"(a)); asm("ex2.approx.ftz.bf16x2 %0, %1;":"=r"(u):"r"(a)); O4(U(r),U(s),t,u))
P(h_atomic, __half2 r=atomicAdd((__half2*)(o+(i&3)),H(a)); O1(U(r)))
P(h_atomic1, atomicAdd((__half*)(o+(i&3)),__low2half(H(a))); atomicAdd((__nv_bfloat162*)(o+4+(i&3)),B(a));)
extern __shared__ __half sh[];
P(h_shatom, atomicAdd((__half2*)sh, H(a)); __syncthreads(); O1(((unsigned*)sh)[0]))
