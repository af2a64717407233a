// Arrays and structs that are only read and written by known parts live in registers, others in local memory.
struct Vector { float x, y; int tag; };
union Word { float f; unsigned u; };
__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }
__global__ void kernel(int *out, float *floats, int n, bool flag) {
    int small[3] = {n, n + 1, n + 2};
    swap(small[0], small[2]);
    out[0] = small[0] * 100 + small[1] * 10 + small[2];
    Vector v = {1.0f, 2.0f, n};
    v.x += v.y;
    floats[0] = v.x * v.tag;
    Word word;
    word.f = floats[1];
    out[1] = word.u;
    int indexed[4] = {1, 2, 3, 4};
    indexed[n] = 7;
    out[2] = indexed[1];
    bool flags[2] = {flag, !flag};
    out[3] = flags[n & 1];
    bool fixed[2] = {flag, n > 2};
    out[4] = fixed[0] && fixed[1];
    char bytes[4] = {1, 2, 3, 4};
    out[5] = *(int *)bytes;
    short halves[2];
    halves[0] = n;
    halves[1] = 5;
    out[6] = halves[0] + halves[1];
}

/* as written:
    setp.ne.u32 %fixed[0], flag, 0
    mov.s32 %small[0], n
    add.s32 %small[1], n, 1
    add.s32 %small[2], n, 2
    mov.s32 %t, %small[0]
    mov.s32 %small[0], %small[2]
    mov.s32 %small[2], %t
    mul.lo.s32 %r1, %small[1], 10
    mad.lo.s32 %r1, %small[0], 100, %r1
    add.s32 %r1, %r1, %small[2]
    st.global.s32 [out], %r1
    mov.s32 %v.tag, n
    cvt.rn.f32.s32 %f1, %v.tag
    mul.f32 %f1, %f1, 3
    st.global.f32 [floats], %f1
    ld.global.f32 %word.f, [floats+4]
    mov.u32 %r2, %word.f
    st.global.s32 [out+4], %r2
    st.local.s32 [0], 1
    st.local.s32 [4], 2
    st.local.s32 [8], 3
    st.local.s32 [12], 4
    shl.b32 %r2, n, 2
    st.local.s32 [%r2], 7
    ld.local.s32 %r1, [4]
    st.global.s32 [out+8], %r1
    selp.u32 %r2, 1, 0, %fixed[0]
    st.local.u8 [16], %r2
    not.pred %p2, %fixed[0]
    selp.u32 %r2, 1, 0, %p2
    st.local.u8 [17], %r2
    and.b32 %r1, n, 1
    ld.local.u8 %rs1, [%r1+16]
    setp.ne.s32 %p2, %rs1, 0
    selp.s32 %r1, 1, 0, %p2
    st.global.s32 [out+12], %r1
    setp.gt.s32 %fixed[1], n, 2
    mov.pred %p1, %fixed[0]
    @!%fixed[0] bra L1
    mov.pred %p1, %fixed[1]
L1:
    selp.s32 %r1, 1, 0, %p1
    st.global.s32 [out+16], %r1
    st.global.s32 [out+20], 67305985
    cvt.s16.s32 %halves[0], n
    add.s32 %r1, %halves[0], 5
    st.global.s32 [out+24], %r1
    exit
8 registers, 18 bytes of local memory
*/

/* as compiled:
    setp.ne.u32 %fixed[0], flag, 0
    mov.s32 %small[0], n
    add.s32 %small[1], n, 1
    add.s32 %small[2], n, 2
    mov.s32 %t, %small[0]
    mov.s32 %small[0], %small[2]
    mov.s32 %small[2], %t
    mul.lo.s32 %r1, %small[1], 10
    mad.lo.s32 %r1, %small[0], 100, %r1
    add.s32 %r1, %r1, %small[2]
    st.global.s32 [out], %r1
    mov.s32 %v.tag, n
    cvt.rn.f32.s32 %f1, %v.tag
    mul.f32 %f1, %f1, 3
    st.global.f32 [floats], %f1
    ld.global.f32 %word.f, [floats+4]
    mov.u32 %r2, %word.f
    st.global.s32 [out+4], %r2
    st.local.s32 [0], 1
    st.local.s32 [4], 2
    st.local.s32 [8], 3
    st.local.s32 [12], 4
    shl.b32 %r2, n, 2
    st.local.s32 [%r2], 7
    ld.local.s32 %r1, [4]
    st.global.s32 [out+8], %r1
    selp.u32 %r2, 1, 0, %fixed[0]
    st.local.u8 [16], %r2
    not.pred %p1, %fixed[0]
    selp.u32 %r2, 1, 0, %p1
    st.local.u8 [17], %r2
    and.b32 %r1, n, 1
    ld.local.u8 %rs1, [%r1+16]
    setp.ne.s32 %p1, %rs1, 0
    selp.s32 %r1, 1, 0, %p1
    st.global.s32 [out+12], %r1
    setp.gt.s32 %fixed[1], n, 2
    mov.pred %p1, %fixed[0]
    @%fixed[0] mov.pred %p1, %fixed[1]
    selp.s32 %r1, 1, 0, %p1
    st.global.s32 [out+16], %r1
    st.global.s32 [out+20], 67305985
    cvt.s16.s32 %halves[0], n
    add.s32 %r1, %halves[0], 5
    st.global.s32 [out+24], %r1
    exit
8 registers, 18 bytes of local memory
*/
