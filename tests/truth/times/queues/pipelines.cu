// One kernel for each instruction, 128 times each, by one warp: which pipe does Nsight Compute count it under?
#include <cstdio>
#include <cuda_fp16.h>
#define R4(x) x x x x
#define R16(x) R4(x) R4(x) R4(x) R4(x)
#define R128(x) R16(x) R16(x) R16(x) R16(x) R16(x) R16(x) R16(x) R16(x)
struct Args { int *out; const int *in; cudaTextureObject_t tex; cudaSurfaceObject_t surf; int zero, one; float f; };
#define K(name, ...) __global__ void name(Args p) { \
    extern __shared__ int sh[]; \
    int t = threadIdx.x; unsigned a = p.in[t], b = p.in[t + 32], c = p.in[t + 64], d = p.in[t + 96]; \
    float x = __int_as_float(a), y = __int_as_float(b), z = p.f; double u = p.f, v = a + 1.0, w = b + 2.0; \
    unsigned s = (unsigned)__cvta_generic_to_shared(sh) + 4 * t; const int *g = p.in + t; int *o = p.out + t; \
    R128(__VA_ARGS__) \
    p.out[t] = a + b + c + d + __float_as_int(x + y + z) + (int)(u + v + w) + sh[t]; (void)s; (void)g; (void)o; }
#define A(...) asm volatile(__VA_ARGS__);
K(k_none, )
K(k_shfl, A("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(a)))
K(k_ballot, A("{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1;}" : "=r"(a) : "r"(a)))
K(k_match, A("match.any.sync.b32 %0, %0, -1;" : "+r"(a)))
K(k_redux, A("redux.sync.add.u32 %0, %0, -1;" : "+r"(a)))
K(k_elect, A("{.reg .pred p; elect.sync %0|p, -1;}" : "=r"(a)))
K(k_activemask, A("activemask.b32 %0;" : "=r"(a)))
K(k_hmma, A("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%0,%1,%2,%3},{%0,%1},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)))
K(k_imma, A("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%0,%1,%2,%3},{%0,%1},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)))
K(k_bmma, A("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3},{%0,%1,%2,%3},{%0,%1},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)))
K(k_dmma, A("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%2},{%0,%1};" : "+d"(u), "+d"(v) : "d"(w)))
K(k_movm, A("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(a)))
K(k_ldmatrix, A("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(s & ~15u)))
K(k_laneid, A("mov.u32 %0, %%laneid;" : "=r"(a)))
K(k_tid, A("mov.u32 %0, %%tid.y;" : "=r"(a)))
K(k_smid, A("mov.u32 %0, %%smid;" : "=r"(a)))
K(k_clock, A("mov.u32 %0, %%clock;" : "=r"(a)))
K(k_tex, A("{.reg .f32 q, r, t; tex.1d.v4.f32.f32 {%0, q, r, t}, [%1, {%0}];}" : "+f"(x) : "l"(p.tex)))
K(k_suld, A("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(a) : "l"(p.surf), "r"(4 * t)))
K(k_barsync, A("bar.sync 0;"))
K(k_warpsync, A("bar.warp.sync -1;"))
K(k_ex2, A("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)))
K(k_rcp, A("rcp.approx.ftz.f32 %0, %0;" : "+f"(x)))
K(k_sin, A("sin.approx.ftz.f32 %0, %0;" : "+f"(x)))
K(k_i2f, A("cvt.rn.f32.s32 %0, %1;" : "=f"(x) : "r"(a)) A("mov.b32 %0, %1;" : "=r"(a) : "f"(x)))
K(k_f2i, A("cvt.rzi.s32.f32 %0, %1;" : "=r"(a) : "f"(x)) A("mov.b32 %0, %1;" : "=f"(x) : "r"(a)))
K(k_f2h, A("{.reg .b16 h; cvt.rn.f16.f32 h, %1; mov.b32 %0, {h, h};}" : "=r"(a) : "f"(x)) A("mov.b32 %0, %1;" : "=f"(x) : "r"(a)))
K(k_d2f, A("cvt.rn.f32.f64 %0, %1;" : "=f"(x) : "d"(u)) A("cvt.f64.f32 %0, %1;" : "=d"(u) : "f"(x)))
K(k_i2d, A("cvt.rn.f64.s32 %0, %1;" : "=d"(u) : "r"(a)) A("{.reg .b32 h; mov.b64 {%0, h}, %1;}" : "=r"(a) : "d"(u)))
K(k_frnd, A("cvt.rni.f32.f32 %0, %0;" : "+f"(x)))
K(k_popc, A("popc.b32 %0, %0;" : "+r"(a)))
K(k_flo, A("bfind.u32 %0, %0;" : "+r"(a)))
K(k_brev, A("brev.b32 %0, %0;" : "+r"(a)))
K(k_fchk, x = __fdiv_rn(x, y);)
K(k_iadd3, A("add.u32 %0, %0, %1;" : "+r"(a) : "r"(b)))
K(k_imad, A("mad.lo.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)))
K(k_imadhi, A("mul.hi.u32 %0, %0, %1;" : "+r"(a) : "r"(b)))
K(k_imadwide, A("{.reg .u64 q; mul.wide.u32 q, %0, %1; mov.b64 {%0, %1}, q;}" : "+r"(a), "+r"(b)))
K(k_lop3, A("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(a) : "r"(b), "r"(c)))
K(k_shf, A("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)))
K(k_prmt, A("prmt.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)))
K(k_dp4a, A("dp4a.u32.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)))
K(k_vimnmx, A("min.s32 %0, %0, %1;" : "+r"(a) : "r"(b)) A("max.s32 %0, %0, %1;" : "+r"(a) : "r"(c)))
K(k_fadd, A("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y)))
K(k_fmul, A("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y)))
K(k_ffma, A("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z)))
K(k_fmnmx, A("min.f32 %0, %0, %1;" : "+f"(x) : "f"(y)) A("max.f32 %0, %0, %1;" : "+f"(x) : "f"(z)))
K(k_hfma2, A("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)))
K(k_hadd2, A("add.rn.f16x2 %0, %0, %1;" : "+r"(a) : "r"(b)))
K(k_dadd, A("add.rn.f64 %0, %0, %1;" : "+d"(u) : "d"(v)))
K(k_dfma, A("fma.rn.f64 %0, %0, %1, %2;" : "+d"(u) : "d"(v), "d"(w)))
K(k_dsetp, A("{.reg .pred p; setp.lt.f64 p, %1, %2; selp.u32 %0, %0, %3, p;}" : "+r"(a) : "d"(u), "d"(v), "r"(b)))
K(k_setp_sel, A("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %2, %0, p;}" : "+r"(a) : "r"(b), "r"(c)))
K(k_fsetp, A("{.reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %0, p;}" : "+f"(x) : "f"(y), "f"(z)))
K(k_ldg, A("ld.volatile.global.u32 %0, [%1];" : "=r"(a) : "l"(g)))
K(k_stg, A("st.volatile.global.u32 [%0], %1;" :: "l"(o), "r"(a)))
K(k_lds, A("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(s)))
K(k_sts, A("st.volatile.shared.u32 [%0], %1;" :: "r"(s), "r"(a)))
K(k_atoms, A("atom.shared.add.u32 %0, [%1], 1;" : "=r"(a) : "r"(s)))
K(k_atomg, A("atom.global.add.u32 %0, [%1], 1;" : "=r"(a) : "l"(o)))
K(k_red, A("red.global.add.u32 [%0], 1;" :: "l"(o)))
K(k_cpasync, A("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(s), "l"(g)))
K(k_membar, A("membar.gl;"))
K(k_nanosleep, A("nanosleep.u32 0;"))
__constant__ int table[256];
__global__ void k_ldc(Args p) { int t = threadIdx.x & p.zero; R128(t = *(volatile int *)(table + (t & 127));) p.out[threadIdx.x] = t; }
__global__ void k_branch(Args p) { int t = threadIdx.x; for (int i = 0; i < 128 * p.one; ++i) { if (t & (1 << (i & 7))) asm volatile("st.volatile.shared.u32 [%0], 1;" :: "r"(4 * t)); } p.out[t] = t; }
int main() {
    int *out; cudaMalloc(&out, 4096); cudaMemset(out, 0, 4096);
    int *in; cudaMalloc(&in, 4096); cudaMemset(in, 0, 4096);
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(); cudaArray_t array;
    cudaMallocArray(&array, &f, 64, 0, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = array;
    cudaTextureDesc td = {}; td.readMode = cudaReadModeElementType;
    Args p = {out, in, 0, 0, 0, 1, 1.0f};
    cudaCreateTextureObject(&p.tex, &r, &td, nullptr); cudaCreateSurfaceObject(&p.surf, &r);
#define L(k) k<<<1, 32, 1024>>>(p);
    L(k_none) L(k_shfl) L(k_ballot) L(k_match) L(k_redux) L(k_elect) L(k_activemask) L(k_hmma) L(k_imma) L(k_bmma) L(k_dmma)
    L(k_movm) L(k_ldmatrix) L(k_laneid) L(k_tid) L(k_smid) L(k_clock) L(k_tex) L(k_suld) L(k_barsync) L(k_warpsync) L(k_ex2)
    L(k_rcp) L(k_sin) L(k_i2f) L(k_f2i) L(k_f2h) L(k_d2f) L(k_i2d) L(k_frnd) L(k_popc) L(k_flo) L(k_brev) L(k_fchk)
    L(k_iadd3) L(k_imad) L(k_imadhi) L(k_imadwide) L(k_lop3) L(k_shf) L(k_prmt) L(k_dp4a) L(k_vimnmx) L(k_fadd) L(k_fmul)
    L(k_ffma) L(k_fmnmx) L(k_hfma2) L(k_hadd2) L(k_dadd) L(k_dfma) L(k_dsetp) L(k_setp_sel) L(k_fsetp) L(k_ldg) L(k_stg)
    L(k_lds) L(k_sts) L(k_atoms) L(k_atomg) L(k_red) L(k_cpasync) L(k_membar) L(k_nanosleep) L(k_ldc) L(k_branch)
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); return 0;
}
