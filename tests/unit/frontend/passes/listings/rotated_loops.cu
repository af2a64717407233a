// A loop tests once before its body and then at its end; a loop that runs at least once needs no test before.
__global__ void kernel(int *out, const int *in, int n) {
    int sum = 0, k;
    for (k = threadIdx.x; k < n; k += blockDim.x) sum += in[k];
    do { sum /= 2; } while (sum > 100);
    while (true) {
        if (in[sum] == 0) break;
        if (in[sum] == 1) continue;
        sum += in[sum];
    }
    for (int y = 0; y < n; ++y)
        for (int x = y; x < n; ++x) {
            if (in[x] < 0) break;
            out[x] += y;
        }
    out[0] = sum;
}

/* as written:
    mov.s32 %sum, 0
    mov.s32 %k, %tid.x
    setp.lt.s32 %p1, %k, n
    @!%p1 bra L2
L1:
    mad.wide.s32 %rd2, %k, 4, in
    ld.global.s32 %r1, [%rd2]
    add.s32 %sum, %sum, %r1
    add.u32 %k, %k, %ntid.x
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    shr.u32 %r2, %sum, 31
    add.s32 %r1, %sum, %r2
    shr.s32 %sum, %r1, 1
    setp.gt.s32 %p1, %sum, 100
    @%p1 bra L2
L3:
    mad.wide.s32 %rd1, %sum, 4, in
    ld.global.s32 %r1, [%rd1]
    setp.eq.s32 %p1, %r1, 0
    @%p1 bra L4
    ld.global.s32 %r1, [%rd1]
    setp.eq.s32 %p1, %r1, 1
    @%p1 bra L3
    ld.global.s32 %r1, [%rd1]
    add.s32 %sum, %sum, %r1
    bra L3
L4:
    mov.s32 %y, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L8
L5:
    mov.s32 %x, %y
    setp.lt.s32 %p1, %x, n
    @!%p1 bra L7
L6:
    mad.wide.s32 %rd2, %x, 4, in
    ld.global.s32 %r1, [%rd2]
    setp.lt.s32 %p1, %r1, 0
    @%p1 bra L7
    mad.wide.s32 %rd2, %x, 4, out
    ld.global.s32 %r1, [%rd2]
    add.s32 %r1, %r1, %y
    st.global.s32 [%rd2], %r1
    add.s32 %x, %x, 1
    setp.lt.s32 %p1, %x, n
    @%p1 bra L6
L7:
    add.s32 %y, %y, 1
    setp.lt.s32 %p1, %y, n
    @%p1 bra L5
L8:
    st.global.s32 [out], %sum
    exit
10 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.s32 %sum, 0
    mov.s32 %k, %tid.x
    setp.lt.s32 %p1, %k, n
    @!%p1 bra L2
L1:
    mad.wide.s32 %rd1, %k, 4, in
    ld.global.s32 %r2, [%rd1]
    add.s32 %sum, %sum, %r2
    add.u32 %k, %k, %ntid.x
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    shr.u32 %r3, %sum, 31
    add.s32 %r2, %sum, %r3
    shr.s32 %sum, %r2, 1
    setp.gt.s32 %p1, %sum, 100
    @%p1 bra L2
L3:
    mad.wide.s32 %rd1, %sum, 4, in
    ld.global.s32 %r1, [%rd1]
    setp.eq.s32 %p1, %r1, 0
    @%p1 bra L4
    setp.eq.s32 %p1, %r1, 1
    @!%p1 add.s32 %sum, %sum, %r1
    bra L3
L4:
    mov.s32 %y, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L8
L5:
    mov.s32 %x, %y
    setp.lt.s32 %p1, %x, n
    @!%p1 bra L7
L6:
    mad.wide.s32 %rd1, %x, 4, in
    ld.global.s32 %r2, [%rd1]
    setp.lt.s32 %p1, %r2, 0
    @%p1 bra L7
    mad.wide.s32 %rd1, %x, 4, out
    ld.global.s32 %r2, [%rd1]
    add.s32 %r2, %r2, %y
    st.global.s32 [%rd1], %r2
    add.s32 %x, %x, 1
    setp.lt.s32 %p1, %x, n
    @%p1 bra L6
L7:
    add.s32 %y, %y, 1
    setp.lt.s32 %p1, %y, n
    @%p1 bra L5
L8:
    st.global.s32 [out], %sum
    exit
10 registers, 0 bytes of local memory
*/
