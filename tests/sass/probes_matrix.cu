// One matrix instruction a kernel, on fragments that the host lays out: what the hardware gives is recorded by
// record_probes.py. Each warp has its own operands.
#define PROBE(name, NA, NB, NC, TYPE, C_KIND, ...)                                                       \
    extern "C" __global__ void name(const TYPE *a, const TYPE *b, TYPE *c)                               \
    {                                                                                                    \
        TYPE A[NA], B[NB], C[NC];                                                                        \
        int t = blockIdx.x * 32 + threadIdx.x;                                                           \
        for (int k = 0; k < NA; k++) A[k] = a[t * NA + k];                                               \
        for (int k = 0; k < NB; k++) B[k] = b[t * NB + k];                                               \
        for (int k = 0; k < NC; k++) C[k] = c[t * NC + k];                                               \
        __VA_ARGS__;                                                                                     \
        for (int k = 0; k < NC; k++) c[t * NC + k] = C[k];                                               \
    }
#define R4(x) "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
#define R2(x) "r"(x[0]), "r"(x[1])
#define C4 "+r"(C[0]), "+r"(C[1]), "+r"(C[2]), "+r"(C[3])
#define C2 "+r"(C[0]), "+r"(C[1])
#define M424(s) asm volatile("mma.sync.aligned." s " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : C4 : R4(A), R2(B))
#define M214(s) asm volatile("mma.sync.aligned." s " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : C4 : R2(A), "r"(B[0]))
#define M422(s) asm volatile("mma.sync.aligned." s " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" : C2 : R4(A), R2(B))
#define M212(s) asm volatile("mma.sync.aligned." s " {%0,%1},{%2,%3},{%4},{%0,%1};" : C2 : R2(A), "r"(B[0]))
PROBE(m_16816_f32, 4, 2, 4, unsigned, 0, M424("m16n8k16.row.col.f32.f16.f16.f32"))
PROBE(m_16816_bf16, 4, 2, 4, unsigned, 0, M424("m16n8k16.row.col.f32.bf16.bf16.f32"))
PROBE(m_1688_f32, 2, 1, 4, unsigned, 0, M214("m16n8k8.row.col.f32.f16.f16.f32"))
PROBE(m_1688_bf16, 2, 1, 4, unsigned, 0, M214("m16n8k8.row.col.f32.bf16.bf16.f32"))
PROBE(m_1684_tf32, 2, 1, 4, unsigned, 0, M214("m16n8k4.row.col.f32.tf32.tf32.f32"))
PROBE(m_1688_tf32, 4, 2, 4, unsigned, 0, M424("m16n8k8.row.col.f32.tf32.tf32.f32"))
PROBE(m_16816_f16, 4, 2, 2, unsigned, 0, M422("m16n8k16.row.col.f16.f16.f16.f16"))
PROBE(m_1688_f16, 2, 1, 2, unsigned, 0, M212("m16n8k8.row.col.f16.f16.f16.f16"))
PROBE(m_16816_s8, 2, 1, 4, unsigned, 0, M214("m16n8k16.row.col.s32.s8.s8.s32"))
PROBE(m_16832_s8, 4, 2, 4, unsigned, 0, M424("m16n8k32.row.col.s32.s8.s8.s32"))
PROBE(m_16832_u8s8, 4, 2, 4, unsigned, 0, M424("m16n8k32.row.col.s32.u8.s8.s32"))
PROBE(m_16832_sat, 4, 2, 4, unsigned, 0, M424("m16n8k32.row.col.satfinite.s32.u8.u8.s32"))
PROBE(m_884_f64, 1, 1, 2, double, 0, asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(C[0]), "+d"(C[1]) : "d"(A[0]), "d"(B[0])))
PROBE(m_1688_f64, 4, 2, 4, double, 0, asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+d"(C[0]), "+d"(C[1]), "+d"(C[2]), "+d"(C[3]) : "d"(A[0]), "d"(A[1]), "d"(A[2]), "d"(A[3]), "d"(B[0]), "d"(B[1])))
