// As compiled, a word that the thread has just loaded or stored is not loaded again, up to what might have changed it.
__global__ void kernel(int *out, const int *in, float *floats, volatile int *seen, int i, int k) {
    __shared__ int tile[32];
    out[0] = in[i] + in[i];
    out[1] = in[i];
    tile[i] = 5;
    out[2] = tile[i];
    tile[k] = 6;
    out[3] = tile[i];
    tile[4] = 1;
    tile[5] = 2;
    out[4] = tile[4];
    __syncthreads();
    out[5] = tile[4];
    floats[i] = 1.0f;
    out[6] = __float_as_int(floats[i]);
    out[7] = seen[0] + seen[0];
    atomicAdd(&tile[5], 1);
    out[8] = tile[4] + tile[5];
    __syncwarp();
    out[9] = tile[4];
    char *bytes = (char *)out;
    bytes[40] = 1;
    out[11] = bytes[40];
    if (k > 2) out[12] = tile[4];
    out[13] = tile[4];
}

/* as written:
    mad.wide.s32 %rd1, i, 4, in
    ld.global.s32 %r1, [%rd1]
    ld.global.s32 %r2, [%rd1]
    add.s32 %r2, %r1, %r2
    st.global.s32 [out], %r2
    ld.global.s32 %r2, [%rd1]
    st.global.s32 [out+4], %r2
    shl.b32 %r3, i, 2
    st.shared.s32 [%r3], 5
    ld.shared.s32 %r2, [%r3]
    st.global.s32 [out+8], %r2
    shl.b32 %r4, k, 2
    st.shared.s32 [%r4], 6
    ld.shared.s32 %r2, [%r3]
    st.global.s32 [out+12], %r2
    st.shared.s32 [16], 1
    st.shared.s32 [20], 2
    ld.shared.s32 %r2, [16]
    st.global.s32 [out+16], %r2
    bar.sync 0
    ld.shared.s32 %r2, [16]
    st.global.s32 [out+20], %r2
    mad.wide.s32 %rd1, i, 4, floats
    st.global.f32 [%rd1], 1
    ld.global.f32 %f1, [%rd1]
    mov.s32 %r2, %f1
    st.global.s32 [out+24], %r2
    ld.volatile.global.s32 %r2, [seen]
    ld.volatile.global.s32 %r1, [seen]
    add.s32 %r1, %r2, %r1
    st.global.s32 [out+28], %r1
    red.shared.add.s32 [20], 1
    ld.shared.s32 %r1, [16]
    ld.shared.s32 %r2, [20]
    add.s32 %r2, %r1, %r2
    st.global.s32 [out+32], %r2
    bar.warp.sync 0xffffffff
    ld.shared.s32 %r2, [16]
    st.global.s32 [out+36], %r2
    st.global.s8 [out+40], 1
    ld.global.s8 %rs1, [out+40]
    st.global.s32 [out+44], %rs1
    setp.gt.s32 %p1, k, 2
    @!%p1 bra L1
    ld.shared.s32 %r2, [16]
    st.global.s32 [out+48], %r2
L1:
    ld.shared.s32 %r2, [16]
    st.global.s32 [out+52], %r2
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mad.wide.s32 %rd1, i, 4, in
    ld.global.s32 %r1, [%rd1]
    add.s32 %r1, %r1, %r1
    st.global.s32 [out], %r1
    ld.global.s32 %r1, [%rd1]
    st.global.s32 [out+4], %r1
    shl.b32 %r2, i, 2
    st.shared.s32 [%r2], 5
    st.global.s32 [out+8], 5
    shl.b32 %r3, k, 2
    st.shared.s32 [%r3], 6
    ld.shared.s32 %r1, [%r2]
    st.global.s32 [out+12], %r1
    st.shared.s32 [16], 1
    st.shared.s32 [20], 2
    st.global.s32 [out+16], 1
    bar.sync 0
    ld.shared.s32 %r1, [16]
    st.global.s32 [out+20], %r1
    mad.wide.s32 %rd1, i, 4, floats
    st.global.f32 [%rd1], 1
    st.global.s32 [out+24], 1065353216
    ld.volatile.global.s32 %r4, [seen]
    ld.volatile.global.s32 %r5, [seen]
    add.s32 %r5, %r4, %r5
    st.global.s32 [out+28], %r5
    red.shared.add.s32 [20], 1
    ld.shared.s32 %r5, [20]
    add.s32 %r5, %r1, %r5
    st.global.s32 [out+32], %r5
    bar.warp.sync 0xffffffff
    ld.shared.s32 %r5, [16]
    st.global.s32 [out+36], %r5
    st.global.s8 [out+40], 1
    ld.global.s8 %rs1, [out+40]
    st.global.s32 [out+44], %rs1
    setp.gt.s32 %p1, k, 2
    @%p1 st.global.s32 [out+48], %r5
    ld.shared.s32 %r5, [16]
    st.global.s32 [out+52], %r5
    exit
8 registers, 0 bytes of local memory
*/
