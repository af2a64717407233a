// Offsets that cancel leave nothing; constant addresses become offsets of zero.
__global__ void kernel(int *out, int i) {
    __shared__ char bytes[256];
    __shared__ int words[8];
    bytes[i + 5] = 1;
    bytes[i - 5 + 5] = 2;
    words[3] = i;
    __syncthreads();
    out[0] = words[3] + words[i & 7] + bytes[200];
    out[i + 1 - 1] = bytes[i + 1];
}

/* as written, as compiled:
    st.shared.s8 [i+5], 1
    st.shared.s8 [i], 2
    st.shared.s32 [268], i
    bar.sync 0
    ld.shared.s32 %r1, [268]
    and.b32 %r2, i, 7
    shl.b32 %r3, %r2, 2
    ld.shared.s32 %r2, [%r3+256]
    add.s32 %r2, %r1, %r2
    ld.shared.s8 %rs1, [200]
    add.s32 %r2, %r2, %rs1
    st.global.s32 [out], %r2
    ld.shared.s8 %rs1, [i+1]
    mad.wide.s32 %rd1, i, 4, out
    st.global.s32 [%rd1], %rs1
    exit
8 registers, 0 bytes of local memory
*/
