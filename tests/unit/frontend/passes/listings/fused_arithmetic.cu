// A product and a sum become one instruction where the product is read once; so do a widening and a product.
__global__ void kernel(int *out, long long *wide, int a, int b, int c, unsigned u) {
    int i = threadIdx.x;
    out[0] = a * b + c;
    out[1] = c + a * b;
    out[2] = a * 8 + c;
    out[3] = a * 12 + c;
    int twice = a * c;
    out[4] = twice + b;
    out[5] = twice - b;
    wide[0] = (long long)i * b + c;
    wide[1] = ((long long)i << 4) + wide[2];
    wide[3] = (long long)i << 31;
    wide[4] = (long long)i * 0x40000000;
    wide[5] = (long long)i * 0x80000000ll;
    wide[6] = (unsigned long long)u * 10;
    wide[7] = (long long)i * -3;
}

/* as written, as compiled:
    mov.u32 %i, %tid.x
    mad.lo.s32 %r1, a, b, c
    st.global.s32 [out], %r1
    st.global.s32 [out+4], %r1
    mad.lo.s32 %r1, a, 8, c
    st.global.s32 [out+8], %r1
    mad.lo.s32 %r1, a, 12, c
    st.global.s32 [out+12], %r1
    mul.lo.s32 %twice, a, c
    add.s32 %r1, %twice, b
    st.global.s32 [out+16], %r1
    sub.s32 %r1, %twice, b
    st.global.s32 [out+20], %r1
    cvt.s64.s32 %rd1, %i
    cvt.s64.s32 %rd2, b
    cvt.s64.s32 %rd3, c
    mad.lo.s64 %rd3, %rd1, %rd2, %rd3
    st.global.s64 [wide], %rd3
    ld.global.s64 %rd3, [wide+16]
    mad.lo.s64 %rd3, %rd1, 16, %rd3
    st.global.s64 [wide+8], %rd3
    shl.b64 %rd3, %rd1, 31
    st.global.s64 [wide+24], %rd3
    mul.wide.s32 %rd2, %i, 1073741824
    st.global.s64 [wide+32], %rd2
    st.global.s64 [wide+40], %rd3
    mul.wide.u32 %rd4, u, 10
    st.global.s64 [wide+48], %rd4
    mul.lo.s64 %rd1, %rd1, -3
    st.global.s64 [wide+56], %rd1
    exit
11 registers, 0 bytes of local memory
*/
