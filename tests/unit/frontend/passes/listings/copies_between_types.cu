// A copy between signed and unsigned of one width costs nothing; between float and int it is a move of bits.
__device__ unsigned doubled(unsigned x) { return x * 2; }
__device__ long long half(unsigned long long x) { return x / 2; }
__global__ void kernel(int *out, unsigned long long *wide, float *floats, int n, long long m) {
    out[0] = doubled(n + 1);
    wide[0] = half(m + 1);
    unsigned u = out[1];
    int s = u;
    out[2] = s < 0 ? s : n;
    long long l = wide[1];
    wide[2] = l < 0 ? (unsigned long long)l : 7ull;
    unsigned char c = n;
    signed char d = c;
    out[3] = d + c;
    floats[0] = __int_as_float(n);
    short small = (short)(n * 3);
    out[4] = (unsigned short)small;
    for (int k = 0; k < n; ++k) { u = u * 3 + (int)u; l = l + (long long)(unsigned long long)l; }
    out[5] = u;
    wide[3] = l;
}

/* as written, as compiled:
    add.s32 %x, n, 1
    shl.b32 %r1, %x, 1
    st.global.s32 [out], %r1
    add.s64 %x.2, m, 1
    shr.u64 %rd1, %x.2, 1
    st.global.u64 [wide], %rd1
    ld.global.s32 %u, [out+4]
    mov.u32 %s, %u
    setp.lt.s32 %p1, %s, 0
    selp.s32 %r2, %s, n, %p1
    st.global.s32 [out+8], %r2
    ld.global.u64 %l, [wide+8]
    setp.lt.s64 %p1, %l, 0
    selp.u64 %rd1, %l, 7, %p1
    st.global.u64 [wide+16], %rd1
    cvt.u8.s32 %c, n
    cvt.s8.u8 %d, %c
    add.s32 %r2, %d, %c
    st.global.s32 [out+12], %r2
    mov.f32 %f1, n
    st.global.f32 [floats], %f1
    mul.lo.s32 %r2, n, 3
    cvt.s16.s32 %small, %r2
    cvt.u16.s16 %rs1, %small
    st.global.s32 [out+16], %rs1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    mad.lo.u32 %u, %u, 3, %u
    add.s64 %l, %l, %l
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    st.global.s32 [out+20], %u
    st.global.u64 [wide+24], %l
    exit
9 registers, 0 bytes of local memory
*/
