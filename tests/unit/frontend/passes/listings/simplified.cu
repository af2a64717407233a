// Identities of algebra, and powers of two as shifts and masks; a signed division by one rounds towards zero.
__global__ void kernel(int *out, unsigned *words, float *floats, int n, unsigned u, float x) {
    out[0] = n + 0;
    out[1] = n * 1;
    out[2] = n * 16;
    out[3] = n / 8;
    out[4] = n % 8;
    out[5] = n ^ 0;
    out[6] = n << 0;
    out[7] = 3 + n;
    out[8] = (n + 3) + 4;
    out[9] = n - n;
    out[10] = n / 1;
    out[11] = n - 0;
    out[12] = n | 0;
    out[13] = n >> 0;
    out[14] = n * 0;
    out[15] = n - 5;
    out[16] = n << 1 >> 1;
    out[17] = (n | 1) + (n - 1) + (n >> 1) + n / 2;
    words[0] = u / 8;
    words[1] = u % 8;
    words[2] = u * 3;
    words[3] = u / 7;
    words[4] = u & 0xFFFFFFFFu;
    words[5] = u / 1;
    words[6] = u % 1;
    floats[0] = x * 1.0f;
    floats[1] = x + 0.0f;
    floats[2] = x * 0.0f;
    floats[3] = x / 2.0f;
    floats[4] = -(-x);
    floats[5] = x - 0.0f;
}

/* as written, as compiled:
    st.global.s32 [out], n
    st.global.s32 [out+4], n
    shl.b32 %r1, n, 4
    st.global.s32 [out+8], %r1
    shr.s32 %r1, n, 31
    shr.u32 %r2, %r1, 29
    add.s32 %r1, n, %r2
    shr.s32 %r3, %r1, 3
    st.global.s32 [out+12], %r3
    and.b32 %r1, %r1, -8
    sub.s32 %r1, n, %r1
    st.global.s32 [out+16], %r1
    st.global.s32 [out+20], n
    st.global.s32 [out+24], n
    add.s32 %r1, n, 3
    st.global.s32 [out+28], %r1
    add.s32 %r1, %r1, 4
    st.global.s32 [out+32], %r1
    sub.s32 %r1, n, n
    st.global.s32 [out+36], %r1
    st.global.s32 [out+40], n
    st.global.s32 [out+44], n
    st.global.s32 [out+48], n
    st.global.s32 [out+52], n
    st.global.s32 [out+56], 0
    add.s32 %r1, n, -5
    st.global.s32 [out+60], %r1
    shl.b32 %r1, n, 1
    shr.s32 %r1, %r1, 1
    st.global.s32 [out+64], %r1
    or.b32 %r1, n, 1
    add.s32 %r3, n, -1
    add.s32 %r3, %r1, %r3
    shr.s32 %r1, n, 1
    add.s32 %r1, %r3, %r1
    shr.u32 %r2, n, 31
    add.s32 %r3, n, %r2
    shr.s32 %r3, %r3, 1
    add.s32 %r3, %r1, %r3
    st.global.s32 [out+68], %r3
    shr.u32 %r2, u, 3
    st.global.u32 [words], %r2
    and.b32 %r2, u, 7
    st.global.u32 [words+4], %r2
    mul.lo.u32 %r2, u, 3
    st.global.u32 [words+8], %r2
    div.u32 %r2, u, 7
    st.global.u32 [words+12], %r2
    and.b32 %r2, u, 4294967295
    st.global.u32 [words+16], %r2
    st.global.u32 [words+20], u
    st.global.u32 [words+24], 0
    st.global.f32 [floats], x
    add.f32 %f1, x, 0
    st.global.f32 [floats+4], %f1
    mul.f32 %f1, x, 0
    st.global.f32 [floats+8], %f1
    mul.f32 %f1, x, 0.5
    st.global.f32 [floats+12], %f1
    neg.f32 %f1, x
    neg.f32 %f1, %f1
    st.global.f32 [floats+16], %f1
    sub.f32 %f1, x, 0
    st.global.f32 [floats+20], %f1
    exit
8 registers, 0 bytes of local memory
*/
