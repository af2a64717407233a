// Variables that are set on several ways, swapped, or passed around a loop take few registers and few copies.
__global__ void kernel(int *out, int n) {
    int a = 0, b = 1;
    for (int k = 0; k < n; ++k) {
        int next = a + b;
        a = b;
        b = next;
    }
    out[0] = a;
    int t = a;
    a = b;
    b = t;
    out[1] = a - b;
    int chosen;
    if (n > 4) chosen = a * 3; else chosen = b * 5;
    out[2] = chosen;
    int kept = chosen;
    chosen += 1;
    out[3] = kept * chosen;
}

/* as written:
    mov.s32 %a, 0
    mov.s32 %b, 1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    add.s32 %next, %a, %b
    mov.s32 %a, %b
    mov.s32 %b, %next
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    st.global.s32 [out], %a
    mov.s32 %t, %a
    mov.s32 %a, %b
    mov.s32 %b, %t
    sub.s32 %r1, %a, %b
    st.global.s32 [out+4], %r1
    setp.gt.s32 %p1, n, 4
    @!%p1 bra L3
    mul.lo.s32 %chosen, %a, 3
    bra L4
L3:
    mul.lo.s32 %chosen, %b, 5
L4:
    st.global.s32 [out+8], %chosen
    mov.s32 %kept, %chosen
    add.s32 %chosen, %chosen, 1
    mul.lo.s32 %r1, %kept, %chosen
    st.global.s32 [out+12], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    mov.s32 %a, 0
    mov.s32 %b, 1
    mov.s32 %k, 0
    setp.gt.s32 %p1, n, 0
    @!%p1 bra L2
L1:
    add.s32 %next, %a, %b
    mov.s32 %a, %b
    mov.s32 %b, %next
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, n
    @%p1 bra L1
L2:
    st.global.s32 [out], %a
    mov.s32 %t, %a
    mov.s32 %a, %b
    mov.s32 %b, %t
    sub.s32 %r1, %a, %b
    st.global.s32 [out+4], %r1
    setp.gt.s32 %p1, n, 4
    @%p1 mul.lo.s32 %chosen, %a, 3
    @!%p1 mul.lo.s32 %chosen, %b, 5
    st.global.s32 [out+8], %chosen
    mov.s32 %kept, %chosen
    add.s32 %chosen, %chosen, 1
    mul.lo.s32 %r1, %kept, %chosen
    st.global.s32 [out+12], %r1
    exit
8 registers, 0 bytes of local memory
*/
