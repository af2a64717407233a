// Written out: loops of constant bounds with the pragma or for an array in registers, and small ones as compiled.
__global__ void kernel(float *out, const float *in, int n) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) sum += in[k];
#pragma unroll
    for (int k = 0; k < 4; k += 2) sum *= in[k + n];
#pragma unroll 2
    for (int k = 0; k < n; ++k) out[k] = sum;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) out[k + 8] = sum;
    float registers[4];
    for (int k = 0; k < 4; ++k) registers[k] = in[4 * k];
    for (int k = 3; k >= 0; --k) out[k] = registers[k];
    for (int k = 1; k < 16; k *= 2) out[k + 20] = sum;
}

/* as written:
    mov.f32 %sum, 0
    mov.s32 %k, 0
L1:
    mad.wide.s32 %rd1, %k, 4, in
    ld.global.f32 %f1, [%rd1]
    add.f32 %sum, %sum, %f1
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, 3
    @%p1 bra L1
    mad.wide.s32 %rd1, n, 4, in
    ld.global.f32 %f1, [%rd1]
    mul.f32 %sum, %sum, %f1
    ld.global.f32 %f1, [%rd1+8]
    mul.f32 %sum, %sum, %f1
    mov.s32 %k.2, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L3
L2:
    mad.wide.s32 %rd1, %k.2, 4, out
    st.global.f32 [%rd1], %sum
    add.s32 %k.2, %k.2, 1
    setp.lt.s32 %p1, %k.2, n
    @%p1 bra L2
L3:
    mov.s32 %k.3, 0
L4:
    mad.wide.s32 %rd1, %k.3, 4, out
    st.global.f32 [%rd1+32], %sum
    add.s32 %k.3, %k.3, 1
    setp.lt.s32 %p1, %k.3, 2
    @%p1 bra L4
    ld.global.f32 %registers[0], [in]
    ld.global.f32 %registers[1], [in+16]
    ld.global.f32 %registers[2], [in+32]
    ld.global.f32 %registers[3], [in+48]
    st.global.f32 [out+12], %registers[3]
    st.global.f32 [out+8], %registers[2]
    st.global.f32 [out+4], %registers[1]
    st.global.f32 [out], %registers[0]
    mov.s32 %k.4, 1
L5:
    mad.wide.s32 %rd1, %k.4, 4, out
    st.global.f32 [%rd1+80], %sum
    shl.b32 %k.4, %k.4, 1
    setp.lt.s32 %p1, %k.4, 16
    @%p1 bra L5
    exit
9 registers, 0 bytes of local memory
*/

/* as compiled:
    ld.global.f32 %f1, [in]
    add.f32 %sum, %f1, 0
    ld.global.f32 %f1, [in+4]
    add.f32 %sum, %sum, %f1
    ld.global.f32 %f1, [in+8]
    add.f32 %sum, %sum, %f1
    mad.wide.s32 %rd1, n, 4, in
    ld.global.f32 %f1, [%rd1]
    mul.f32 %sum, %sum, %f1
    ld.global.f32 %f1, [%rd1+8]
    mul.f32 %sum, %sum, %f1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    mad.wide.s32 %rd1, %k, 4, out
    st.global.f32 [%rd1], %sum
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    mov.s32 %k.2, 0
L3:
    mad.wide.s32 %rd1, %k.2, 4, out
    st.global.f32 [%rd1+32], %sum
    add.s32 %k.2, %k.2, 1
    setp.lt.s32 %p1, %k.2, 2
    @%p1 bra L3
    ld.global.f32 %registers[0], [in]
    ld.global.f32 %registers[1], [in+16]
    ld.global.f32 %registers[2], [in+32]
    ld.global.f32 %registers[3], [in+48]
    st.global.f32 [out+12], %registers[3]
    st.global.f32 [out+8], %registers[2]
    st.global.f32 [out+4], %registers[1]
    st.global.f32 [out], %registers[0]
    st.global.f32 [out+84], %sum
    st.global.f32 [out+88], %sum
    st.global.f32 [out+96], %sum
    st.global.f32 [out+112], %sum
    exit
9 registers, 0 bytes of local memory
*/
