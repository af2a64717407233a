// A truth value that is tested is the predicate itself; the complement of a comparison is the opposite comparison.
__global__ void kernel(int *out, float x, int a, int b) {
    bool less = a < b;
    int flag = less ? 1 : 0;
    if (flag) out[0] = 1;
    if (!(a == b)) out[1] = 2;
    if (!(x < 1.0f)) out[2] = 3;
    int inverse = less ? 0 : 5;
    if (inverse == 0) out[3] = a;
    int neither = less ? 2 : 3;
    if (neither != 0) out[4] = b;
    if ((less ? 1 : 0) != 0) out[6] = a;
    if ((less ? 0 : 5) != 0) out[7] = a;
    if ((less ? 4 : 0) == 0) out[8] = a;
    if ((less ? 2 : 3) != 0) out[9] = a;
    if ((less ? 1 : 0) > 0) out[10] = a;
    out[5] = !(a >= b) && !(x > 2.0f);
}

/* as written:
    setp.lt.s32 %less, a, b
    selp.s32 %flag, 1, 0, %less
    setp.ne.s32 %p2, %flag, 0
    @!%p2 bra L1
    st.global.s32 [out], 1
L1:
    setp.eq.s32 %p2, a, b
    @%p2 bra L2
    st.global.s32 [out+4], 2
L2:
    setp.lt.f32 %p2, x, 1
    @%p2 bra L3
    st.global.s32 [out+8], 3
L3:
    selp.s32 %inverse, 0, 5, %less
    setp.eq.s32 %p2, %inverse, 0
    @!%p2 bra L4
    st.global.s32 [out+12], a
L4:
    selp.s32 %neither, 2, 3, %less
    setp.ne.s32 %p1, %neither, 0
    @!%p1 bra L5
    st.global.s32 [out+16], b
L5:
    @!%less bra L6
    st.global.s32 [out+24], a
L6:
    @%less bra L7
    st.global.s32 [out+28], a
L7:
    @%less bra L8
    st.global.s32 [out+32], a
L8:
    @!%p1 bra L9
    st.global.s32 [out+36], a
L9:
    setp.gt.s32 %p2, %flag, 0
    @!%p2 bra L10
    st.global.s32 [out+40], a
L10:
    setp.gt.f32 %p2, x, 2
    not.pred %p2, %p2
    and.pred %p2, %less, %p2
    selp.s32 %r1, 1, 0, %p2
    st.global.s32 [out+20], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    setp.lt.s32 %less, a, b
    selp.s32 %flag, 1, 0, %less
    setp.ne.s32 %p1, %flag, 0
    @%p1 st.global.s32 [out], 1
    setp.eq.s32 %p1, a, b
    @!%p1 st.global.s32 [out+4], 2
    setp.lt.f32 %p1, x, 1
    @!%p1 st.global.s32 [out+8], 3
    selp.s32 %inverse, 0, 5, %less
    setp.eq.s32 %p1, %inverse, 0
    @%p1 st.global.s32 [out+12], a
    selp.s32 %neither, 2, 3, %less
    setp.ne.s32 %p1, %neither, 0
    @%p1 st.global.s32 [out+16], b
    @%less st.global.s32 [out+24], a
    @!%less st.global.s32 [out+28], a
    @!%less st.global.s32 [out+32], a
    @%p1 st.global.s32 [out+36], a
    setp.gt.s32 %p1, %flag, 0
    @%p1 st.global.s32 [out+40], a
    setp.gt.f32 %p1, x, 2
    not.pred %p1, %p1
    and.pred %p1, %less, %p1
    selp.s32 %r1, 1, 0, %p1
    st.global.s32 [out+20], %r1
    exit
8 registers, 0 bytes of local memory
*/
