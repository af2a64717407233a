// Modes of integer instructions: what the hardware gives is recorded by record_probes.py.
#define PROBE(name, ...) extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i>=n) return; unsigned a=pa[i], b=pb[i], c=pc[i]; (void)a,(void)b,(void)c; __VA_ARGS__ }
#define OUT4(x,y,z,w) o[4*i]=(x),o[4*i+1]=(y),o[4*i+2]=(z),o[4*i+3]=(w);
#define PR(m) unsigned m##_; asm("prmt.b32." #m " %0,%1,%2,%3;":"=r"(m##_):"r"(a),"r"(b),"r"(c));
PROBE(q_prmt, PR(f4e) PR(b4e) PR(rc8) PR(ecl) OUT4(f4e_,b4e_,rc8_,ecl_))
PROBE(q_prmt2, PR(ecr) PR(rc16) OUT4(ecr_,rc16_,__byte_perm(a,b,c),0))
PROBE(q_simd, OUT4(__vabsdiffu4(a,b), __sad((int)a,(int)b,c), __dp2a_lo((int)a,(int)b,(int)c), __dp2a_hi(a,b,c)))
PROBE(q_simd2, OUT4(__vimin3_s32((int)a,(int)b,(int)c), __viaddmax_s32((int)a,(int)b,(int)c), __usad(a,b,c), __vimax3_u32(a,b,c)))
PROBE(q_simd3, OUT4(__viaddmin_s32_relu((int)a,(int)b,(int)c), __vimax3_s32_relu((int)a,(int)b,(int)c), __vimax_s32_relu((int)a,(int)b), __viaddmax_u32(a,b,c)))
PROBE(q_dp2a, OUT4(__dp2a_hi((int)a,(int)b,(int)c), __dp2a_lo(a,b,c), __vabsdiffs4(a,b), __vsadu4(a,b)))
