// As compiled, a store that is overwritten before anybody may look is left out.
__global__ void kernel(int *out, int *other, int i, int n) {
    out[i] = 1;
    out[i] = 2;
    other[0] = 1;
    n += out[i + 1];
    other[0] = n;
    out[5] = 1;
    __syncthreads();
    out[5] = 2;
    out[6] = 1;
    printf("%d\n", n);
    out[6] = 2;
    out[7] = 3;
    if (n > 3) out[7] = 4;
    out[8] = 5;
    out[8] = atomicAdd(&out[9], 1);
    out[10] = 1;
    i = n;
    out[i] = 7;
    i += 1;
    out[i] = 8;
}

/* as written:
    mov.s32 %i, i
    mov.s32 %n, n
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 1
    st.global.s32 [%rd1], 2
    st.global.s32 [other], 1
    ld.global.s32 %r1, [%rd1+4]
    add.s32 %n, %n, %r1
    st.global.s32 [other], %n
    st.global.s32 [out+20], 1
    bar.sync 0
    st.global.s32 [out+20], 2
    st.global.s32 [out+24], 1
    printf #0, %n
    st.global.s32 [out+24], 2
    st.global.s32 [out+28], 3
    setp.gt.s32 %p1, %n, 3
    @!%p1 bra L1
    st.global.s32 [out+28], 4
L1:
    st.global.s32 [out+32], 5
    atom.global.add.s32 %r1, [out+36], 1
    st.global.s32 [out+32], %r1
    st.global.s32 [out+40], 1
    mov.s32 %i, %n
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 7
    add.s32 %i, %i, 1
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 8
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.s32 %i, i
    mov.s32 %n, n
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 2
    st.global.s32 [other], 1
    ld.global.s32 %r1, [%rd1+4]
    add.s32 %n, %n, %r1
    st.global.s32 [other], %n
    st.global.s32 [out+20], 1
    bar.sync 0
    st.global.s32 [out+20], 2
    st.global.s32 [out+24], 1
    printf #0, %n
    st.global.s32 [out+24], 2
    st.global.s32 [out+28], 3
    setp.gt.s32 %p1, %n, 3
    @%p1 st.global.s32 [out+28], 4
    atom.global.add.s32 %r1, [out+36], 1
    st.global.s32 [out+32], %r1
    st.global.s32 [out+40], 1
    mov.s32 %i, %n
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 7
    add.s32 %i, %i, 1
    mad.wide.s32 %rd1, %i, 4, out
    st.global.s32 [%rd1], 8
    exit
8 registers, 0 bytes of local memory
*/
