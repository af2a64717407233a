// A pointer that only ever points into one memory names it; where two are possible the access is generic.
__constant__ float table[16];
__global__ void kernel(float *out, const float *in, int n) {
    __shared__ float tile[32];
    int i = threadIdx.x;
    float *near = tile + i;
    *near = in[i];
    float *end = tile + 32;
    __syncthreads();
    float sum = 0;
    for (float *p = near; p != end; ++p) sum += *p;
    float *either = n > 3 ? near : out;
    *either = sum;
    const float *fixed = table + n;
    float *none = nullptr;
    if (n > 100) none = out + 1;
    if (none) *none = *fixed;
    out[2] = near < end ? float(end - near) : 0.0f;
    if (near != nullptr) out[3] = 1;
    if (near == nullptr) out[4] = 2;
    if (nullptr < near) out[6] = 4;
    if (in <= out) out[5] = 3;
}

/* as written:
    mov.u32 %i, %tid.x
    shl.b32 %near, %i, 2
    mad.wide.s32 %rd1, %i, 4, in
    ld.global.f32 %f1, [%rd1]
    st.shared.f32 [%near], %f1
    bar.sync 0
    mov.f32 %sum, 0
    mov.u32 %p, %near
    setp.ne.u32 %p1, %p, 128
    @!%p1 bra L2
L1:
    ld.shared.f32 %f1, [%p]
    add.f32 %sum, %sum, %f1
    add.u32 %p, %p, 4
    setp.ne.u32 %p1, %p, 128
    @%p1 bra L1
L2:
    setp.gt.s32 %p1, n, 3
    @!%p1 bra L3
    cvt.u64.u32 %rd2, %near
    add.u64 %either, %rd2, 1099511627776
    bra L4
L3:
    mov.u64 %either, out
L4:
    st.f32 [%either], %sum
    shl.b32 %fixed, n, 2
    mov.u64 %none, 0
    setp.gt.s32 %p1, n, 100
    @!%p1 bra L5
    add.u64 %none, out, 4
L5:
    setp.ne.u64 %p1, %none, 0
    @!%p1 bra L6
    ld.const.f32 %f1, [%fixed]
    st.global.f32 [%none], %f1
L6:
    setp.lt.u32 %p1, %near, 128
    sub.s32 %r1, 128, %near
    cvt.s64.s32 %rd1, %r1
    shr.s64 %rd1, %rd1, 2
    cvt.rn.f32.s64 %f1, %rd1
    selp.f32 %f1, %f1, 0, %p1
    st.global.f32 [out+8], %f1
    st.global.f32 [out+12], 1
    st.global.f32 [out+24], 4
    setp.le.u64 %p1, in, out
    @!%p1 bra L7
    st.global.f32 [out+20], 3
L7:
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.u32 %i, %tid.x
    shl.b32 %near, %i, 2
    mad.wide.s32 %rd1, %i, 4, in
    ld.global.f32 %f1, [%rd1]
    st.shared.f32 [%near], %f1
    bar.sync 0
    mov.f32 %sum, 0
    mov.u32 %p, %near
    setp.ne.u32 %p1, %p, 128
    @!%p1 bra L2
L1:
    ld.shared.f32 %f1, [%p]
    add.f32 %sum, %sum, %f1
    add.u32 %p, %p, 4
    setp.ne.u32 %p1, %p, 128
    @%p1 bra L1
L2:
    setp.gt.s32 %p1, n, 3
    @%p1 cvt.u64.u32 %rd2, %near
    @%p1 add.u64 %either, %rd2, 1099511627776
    @!%p1 mov.u64 %either, out
    st.f32 [%either], %sum
    shl.b32 %fixed, n, 2
    mov.u64 %none, 0
    setp.gt.s32 %p1, n, 100
    @%p1 add.u64 %none, out, 4
    setp.ne.u64 %p1, %none, 0
    @%p1 ld.const.f32 %f1, [%fixed]
    @%p1 st.global.f32 [%none], %f1
    setp.lt.u32 %p1, %near, 128
    sub.s32 %r1, 128, %near
    cvt.s64.s32 %rd1, %r1
    shr.s64 %rd1, %rd1, 2
    cvt.rn.f32.s64 %f1, %rd1
    selp.f32 %f1, %f1, 0, %p1
    st.global.f32 [out+8], %f1
    st.global.f32 [out+12], 1
    st.global.f32 [out+24], 4
    setp.le.u64 %p1, in, out
    @%p1 st.global.f32 [out+20], 3
    exit
10 registers, 0 bytes of local memory
*/
