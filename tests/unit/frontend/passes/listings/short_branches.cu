// As compiled, few instructions under a branch are guarded; many, barriers and loops stay under the branch.
__global__ void kernel(int *out, const float *in, int n, int a, int b) {
    int i = threadIdx.x;
    if (i < n) out[i] = a;
    if (i > 3) out[0] = a; else out[1] = b;
    int best = a;
    if (b > best) best = b;
    out[2] = best;
    if (a > 7) {
        out[3] = a * 3;
        out[4] = b * 5;
        out[5] = a / b;
        out[6] = a % b;
    }
    if (n > 32) __syncthreads();
    if (n == 5) {
        if (a == 6) out[7] = b;
    }
    if (a < b && b < n) out[8] = 1;
    if (i == 9) return;
    out[9] = a > b ? int(in[a]) : int(in[b]);
}

/* as written:
    mov.u32 %i, %tid.x
    setp.lt.s32 %p1, %i, n
    @!%p1 bra L1
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], a
L1:
    setp.gt.s32 %p1, %i, 3
    @!%p1 bra L2
    st.global.s32 [out], a
    bra L3
L2:
    st.global.s32 [out+4], b
L3:
    mov.s32 %best, a
    setp.gt.s32 %p1, b, %best
    @!%p1 bra L4
    mov.s32 %best, b
L4:
    st.global.s32 [out+8], %best
    setp.gt.s32 %p1, a, 7
    @!%p1 bra L5
    mul.lo.s32 %r2, a, 3
    st.global.s32 [out+12], %r2
    mul.lo.s32 %r2, b, 5
    st.global.s32 [out+16], %r2
    div.s32 %r2, a, b
    st.global.s32 [out+20], %r2
    rem.s32 %r2, a, b
    st.global.s32 [out+24], %r2
L5:
    setp.gt.s32 %p1, n, 32
    @!%p1 bra L6
    bar.sync 0
L6:
    setp.eq.s32 %p1, n, 5
    @!%p1 bra L7
    setp.eq.s32 %p1, a, 6
    @!%p1 bra L7
    st.global.s32 [out+28], b
L7:
    setp.lt.s32 %p1, a, b
    setp.lt.s32 %p2, b, n
    and.pred %p2, %p1, %p2
    @!%p2 bra L8
    st.global.s32 [out+32], 1
L8:
    setp.eq.s32 %p2, %i, 9
    @!%p2 bra L9
    exit
L9:
    setp.gt.s32 %p2, a, b
    @!%p2 bra L10
    mad.wide.s32 %rd1, a, 4, in
    ld.global.f32 %f1, [%rd1]
    cvt.rzi.s32.f32 %r1, %f1
    bra L11
L10:
    mad.wide.s32 %rd1, b, 4, in
    ld.global.f32 %f1, [%rd1]
    cvt.rzi.s32.f32 %r1, %f1
L11:
    st.global.s32 [out+36], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.u32 %i, %tid.x
    setp.lt.s32 %p1, %i, n
    @%p1 mad.wide.s32 %rd1, %i, 4, out
    @%p1 st.global.s32 [%rd1], a
    setp.gt.s32 %p1, %i, 3
    @%p1 st.global.s32 [out], a
    @!%p1 st.global.s32 [out+4], b
    mov.s32 %best, a
    setp.gt.s32 %p1, b, %best
    @%p1 mov.s32 %best, b
    st.global.s32 [out+8], %best
    setp.gt.s32 %p1, a, 7
    @!%p1 bra L1
    mul.lo.s32 %r2, a, 3
    st.global.s32 [out+12], %r2
    mul.lo.s32 %r2, b, 5
    st.global.s32 [out+16], %r2
    div.s32 %r2, a, b
    st.global.s32 [out+20], %r2
    rem.s32 %r2, a, b
    st.global.s32 [out+24], %r2
L1:
    setp.gt.s32 %p1, n, 32
    @!%p1 bra L2
    bar.sync 0
L2:
    setp.eq.s32 %p1, n, 5
    @!%p1 bra L3
    setp.eq.s32 %p1, a, 6
    @%p1 st.global.s32 [out+28], b
L3:
    setp.lt.s32 %p1, a, b
    setp.lt.s32 %p2, b, n
    and.pred %p2, %p1, %p2
    @%p2 st.global.s32 [out+32], 1
    setp.eq.s32 %p2, %i, 9
    @%p2 exit
    setp.gt.s32 %p2, a, b
    @%p2 mad.wide.s32 %rd1, a, 4, in
    @%p2 ld.global.f32 %f1, [%rd1]
    @%p2 cvt.rzi.s32.f32 %r1, %f1
    @!%p2 mad.wide.s32 %rd1, b, 4, in
    @!%p2 ld.global.f32 %f1, [%rd1]
    @!%p2 cvt.rzi.s32.f32 %r1, %f1
    st.global.s32 [out+36], %r1
    exit
8 registers, 0 bytes of local memory
*/
