// Empty blocks, jumps to jumps and branches on constants leave nothing behind.
__global__ void kernel(int *out, int n) {
    if (n > 1) { } else { }
    if (true) out[0] = 1;
    if (false) out[1] = 2;
    switch (n) {
        case 0: out[2] = 3; break;
        case 1:
        case 2: out[3] = 4;
        default: out[4] = 5;
    }
    for (;;) { if (n) goto done; out[5] = 6; break; }
done:
    if (n == 3) { if (n == 3) out[6] = 7; }
    out[7] = n > 2 ? (n > 5 ? 1 : 2) : 3;
    return;
}

/* as written:
    st.global.s32 [out], 1
    setp.eq.s32 %p2, n, 0
    @%p2 bra L1
    setp.eq.s32 %p2, n, 1
    @%p2 bra L2
    setp.eq.s32 %p2, n, 2
    @%p2 bra L2
    bra L3
L1:
    st.global.s32 [out+8], 3
    bra L4
L2:
    st.global.s32 [out+12], 4
L3:
    st.global.s32 [out+16], 5
L4:
    setp.ne.s32 %p2, n, 0
    @%p2 bra L5
    st.global.s32 [out+20], 6
L5:
    setp.eq.s32 %p1, n, 3
    @!%p1 bra L6
    @!%p1 bra L6
    st.global.s32 [out+24], 7
L6:
    setp.gt.s32 %p2, n, 2
    setp.gt.s32 %p3, n, 5
    selp.s32 %r1, 1, 2, %p3
    selp.s32 %r1, %r1, 3, %p2
    st.global.s32 [out+28], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    st.global.s32 [out], 1
    setp.eq.s32 %p2, n, 0
    @%p2 bra L1
    setp.eq.s32 %p2, n, 1
    @%p2 bra L2
    setp.eq.s32 %p2, n, 2
    @%p2 bra L2
    bra L3
L1:
    st.global.s32 [out+8], 3
    bra L4
L2:
    st.global.s32 [out+12], 4
L3:
    st.global.s32 [out+16], 5
L4:
    setp.ne.s32 %p2, n, 0
    @!%p2 st.global.s32 [out+20], 6
    setp.eq.s32 %p1, n, 3
    @!%p1 bra L5
    @%p1 st.global.s32 [out+24], 7
L5:
    setp.gt.s32 %p2, n, 2
    setp.gt.s32 %p3, n, 5
    selp.s32 %r1, 1, 2, %p3
    selp.s32 %r1, %r1, 3, %p2
    st.global.s32 [out+28], %r1
    exit
8 registers, 0 bytes of local memory
*/
