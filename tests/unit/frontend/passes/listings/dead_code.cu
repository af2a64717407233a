// What nobody reads goes, except for volatile loads and atomics, which become reductions where they can.
__global__ void kernel(int *out, volatile int *seen, unsigned *words, int n) {
    int unused = n * 17;
    int counts = 0;
    for (int k = 0; k < n; ++k) counts += 2;
    int overwritten = n / 3;
    overwritten = 4;
    out[0] = overwritten;
    seen[1];
    out[2];
    atomicAdd(out, 1);
    atomicMax(out, n);
    atomicInc(words, 5u);
    atomicExch(out, n);
    atomicCAS(out, 1, 2);
    atomicSub(out, 3);
    out[3] = atomicAdd(out, 1);
}

/* as written, as compiled:
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    st.global.s32 [out], 4
    ld.volatile.global.s32 %r1, [seen+4]
    red.global.add.s32 [out], 1
    red.global.max.s32 [out], n
    red.global.inc.u32 [words], 5
    atom.global.exch.s32 %r1, [out], n
    atom.global.cas.s32 %r1, [out], 1, 2
    red.global.add.s32 [out], -3
    atom.global.add.s32 %r1, [out], 1
    st.global.s32 [out+12], %r1
    exit
8 registers, 0 bytes of local memory
*/
