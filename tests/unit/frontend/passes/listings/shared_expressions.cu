// A value that was computed on the only way here is not computed again, unless its operands have changed since.
__global__ void kernel(int *out, int a, int b) {
    out[0] = a * b + 1;
    out[1] = b * a + 2;
    int c = a - b;
    out[2] = c;
    if (a > 5) {
        out[3] = a * b + 3;
        out[4] = a - b;
    } else {
        out[5] = b - a;
        out[6] = a / b;
    }
    out[7] = a / b;
    int v = threadIdx.x;
    out[8] = v * 3;
    v += 1;
    out[9] = v * 3;
    for (int k = 0; k < b; ++k) out[k + 10] = a * b + v * 3;
}

/* as written:
    mad.lo.s32 %r1, a, b, 1
    st.global.s32 [out], %r1
    mad.lo.s32 %r1, b, a, 2
    st.global.s32 [out+4], %r1
    sub.s32 %c, a, b
    st.global.s32 [out+8], %c
    setp.gt.s32 %p1, a, 5
    @!%p1 bra L1
    mad.lo.s32 %r1, a, b, 3
    st.global.s32 [out+12], %r1
    st.global.s32 [out+16], %c
    bra L2
L1:
    sub.s32 %r1, b, a
    st.global.s32 [out+20], %r1
    div.s32 %r1, a, b
    st.global.s32 [out+24], %r1
L2:
    div.s32 %r1, a, b
    st.global.s32 [out+28], %r1
    mov.s32 %v, %tid.x
    mul.lo.s32 %r1, %v, 3
    st.global.s32 [out+32], %r1
    add.s32 %v, %v, 1
    mul.lo.s32 %r1, %v, 3
    st.global.s32 [out+36], %r1
    mov.s32 %k, 0
    setp.gt.s32 %p1, b, 0
    @!%p1 bra L4
L3:
    mul.lo.s32 %r1, %v, 3
    mad.lo.s32 %r1, a, b, %r1
    mad.wide.s32 %rd1, %k, 4, out
    st.global.s32 [%rd1+40], %r1
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, b
    @%p1 bra L3
L4:
    exit
9 registers, 0 bytes of local memory
*/

/* as compiled:
    mad.lo.s32 %r1, a, b, 1
    st.global.s32 [out], %r1
    mad.lo.s32 %r1, b, a, 2
    st.global.s32 [out+4], %r1
    sub.s32 %c, a, b
    st.global.s32 [out+8], %c
    setp.gt.s32 %p1, a, 5
    @%p1 mad.lo.s32 %r1, a, b, 3
    @%p1 st.global.s32 [out+12], %r1
    @%p1 st.global.s32 [out+16], %c
    @!%p1 sub.s32 %r1, b, a
    @!%p1 st.global.s32 [out+20], %r1
    @!%p1 div.s32 %r1, a, b
    @!%p1 st.global.s32 [out+24], %r1
    div.s32 %r1, a, b
    st.global.s32 [out+28], %r1
    mov.s32 %v, %tid.x
    mul.lo.s32 %r1, %v, 3
    st.global.s32 [out+32], %r1
    add.s32 %v, %v, 1
    mul.lo.s32 %r1, %v, 3
    st.global.s32 [out+36], %r1
    mov.s32 %k, 0
    setp.gt.s32 %p1, b, 0
    @!%p1 bra L2
L1:
    mul.lo.s32 %r1, %v, 3
    mad.lo.s32 %r1, a, b, %r1
    mad.wide.s32 %rd1, %k, 4, out
    st.global.s32 [%rd1+40], %r1
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, b
    @%p1 bra L1
L2:
    exit
9 registers, 0 bytes of local memory
*/
