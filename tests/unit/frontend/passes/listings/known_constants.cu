// What is the same on every way into a block is known there; what differs is not.
__global__ void kernel(int *out, int n) {
    int same = 4, other = 5, copy = n;
    if (n > 2) { same = 4; other = 6; }
    out[0] = same * 2;
    out[1] = other * 2;
    int late = copy + 1;
    copy = 9;
    out[2] = late + copy;
    int k = 0;
    while (k < n) {
        int step = 2;
        k += step;
    }
    out[3] = k;
    const int zero = n * 0;
    if (zero) out[4] = 1;
    out[5] = (same > 3) ? n : -n;
    float x = 2.5f;
    out[6] = int(x) + (unsigned char)300 + (n & 0) + (n | -1);
}

/* as written:
    mov.s32 %other, 5
    mov.s32 %copy, n
    setp.gt.s32 %p1, n, 2
    @!%p1 bra L1
    mov.s32 %other, 6
L1:
    st.global.s32 [out], 8
    shl.b32 %r1, %other, 1
    st.global.s32 [out+4], %r1
    add.s32 %late, %copy, 1
    add.s32 %r1, %late, 9
    st.global.s32 [out+8], %r1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L3
L2:
    add.s32 %k, %k, 2
    setp.lt.s32 %p1, %k, n
    @%p1 bra L2
L3:
    st.global.s32 [out+12], %k
    st.global.s32 [out+20], n
    or.b32 %r1, n, -1
    add.s32 %r1, %r1, 46
    st.global.s32 [out+24], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.s32 %other, 5
    mov.s32 %copy, n
    setp.gt.s32 %p1, n, 2
    @%p1 mov.s32 %other, 6
    st.global.s32 [out], 8
    shl.b32 %r1, %other, 1
    st.global.s32 [out+4], %r1
    add.s32 %late, %copy, 1
    add.s32 %r1, %late, 9
    st.global.s32 [out+8], %r1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    add.s32 %k, %k, 2
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    st.global.s32 [out+12], %k
    st.global.s32 [out+20], n
    or.b32 %r1, n, -1
    add.s32 %r1, %r1, 46
    st.global.s32 [out+24], %r1
    exit
8 registers, 0 bytes of local memory
*/
