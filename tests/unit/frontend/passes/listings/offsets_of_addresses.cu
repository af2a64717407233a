// Constants of an index go into the offset of the access, but not through an unsigned index, which may wrap.
struct Pair { int first; float second[3]; };
__global__ void kernel(int *out, const int *in, Pair *pairs, int i, unsigned u) {
    __shared__ int tile[64];
    int k = threadIdx.x;
    tile[k] = in[i - 1] + in[i] + in[i + 1];
    __syncthreads();
    out[k] = tile[k + 1] + tile[63 - k] + tile[2 * (k + 3)];
    out[u + 1] = in[u - 1];
    pairs[i + 2].second[1] = 1.0f;
    pairs[k].first = pairs[k + 1].first;
    out[(i + 1) * 3 + 2] = in[(k - 4) * 5];
    int kept = i + 7;
    out[kept] = kept;
}

/* as written, as compiled:
    mov.u32 %k, %tid.x
    mad.wide.s32 %rd1, i, 4, in
    ld.global.s32 %r1, [%rd1-4]
    ld.global.s32 %r2, [%rd1]
    add.s32 %r2, %r1, %r2
    ld.global.s32 %r1, [%rd1+4]
    add.s32 %r1, %r2, %r1
    shl.b32 %r3, %k, 2
    st.shared.s32 [%r3], %r1
    bar.sync 0
    ld.shared.s32 %r1, [%r3+4]
    sub.s32 %r2, 63, %k
    shl.b32 %r3, %r2, 2
    ld.shared.s32 %r2, [%r3]
    add.s32 %r2, %r1, %r2
    shl.b32 %r1, %k, 1
    shl.b32 %r3, %r1, 2
    ld.shared.s32 %r1, [%r3+24]
    add.s32 %r1, %r2, %r1
    mad.wide.s32 %rd1, %k, 4, out
    st.global.s32 [%rd1], %r1
    add.u32 %r3, u, 4294967295
    mad.wide.u32 %rd2, %r3, 4, in
    ld.global.s32 %r1, [%rd2]
    add.u32 %r3, u, 1
    mad.wide.u32 %rd2, %r3, 4, out
    st.global.s32 [%rd2], %r1
    mad.wide.s32 %rd1, i, 16, pairs
    st.global.f32 [%rd1+40], 1
    mad.wide.s32 %rd1, %k, 16, pairs
    ld.global.s32 %r1, [%rd1+16]
    st.global.s32 [%rd1], %r1
    mul.lo.s32 %r1, %k, 5
    mad.wide.s32 %rd1, %r1, 4, in
    ld.global.s32 %r1, [%rd1-80]
    mul.lo.s32 %r2, i, 3
    mad.wide.s32 %rd1, %r2, 4, out
    st.global.s32 [%rd1+20], %r1
    add.s32 %kept, i, 7
    mad.wide.s32 %rd1, %kept, 4, out
    st.global.s32 [%rd1], %kept
    exit
9 registers, 0 bytes of local memory
*/
