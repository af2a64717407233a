// Lanes that get out of a loop that waits for others are not gathered behind it; those of a loop that retries are.
__global__ void kernel(int *lock, volatile int *flag, int *out, float *sum, float x) {
    while (atomicCAS(lock, 0, 1) != 0) { }
    out[0] += 1;
    atomicExch(lock, 0);
    while (*flag == 0) { }
    int *word = (int *)sum;
    int old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(x + __int_as_float(assumed)));
    } while (assumed != old);
    for (int k = 0; k < *out; ++k) out[k + 1] = k;
}

/* as written, as compiled:
L1:
    atom.global.cas.s32 %r1, [lock], 0, 1
    setp.ne.s32 %p1, %r1, 0
    @%p1 bra L1
    ld.global.s32 %r1, [out]
    add.s32 %r1, %r1, 1
    st.global.s32 [out], %r1
    atom.global.exch.s32 %r1, [lock], 0
L2:
    ld.volatile.global.s32 %r1, [flag]
    setp.eq.s32 %p1, %r1, 0
    @%p1 bra L2
    ld.global.s32 %old, [sum]
L3:
    mov.s32 %assumed, %old
    mov.f32 %f1, %assumed
    add.f32 %f1, x, %f1
    mov.s32 %r1, %f1
    atom.global.cas.s32 %old, [sum], %assumed, %r1
    setp.ne.s32 %p1, %assumed, %old
    @%p1 bra L3
    mov.s32 %k, 0
    ld.global.s32 %r1, [out]
    setp.gt.s32 %p1, %r1, 0
    @!%p1 bra L5
L4:
    mad.wide.s32 %rd1, %k, 4, out
    st.global.s32 [%rd1+4], %k
    add.s32 %k, %k, 1
    ld.global.s32 %r1, [out]
    setp.lt.s32 %p1, %k, %r1
    @%p1 bra L4
L5:
    exit
8 registers, 0 bytes of local memory
instruction 2 waits for other threads
instruction 9 waits for other threads
*/
