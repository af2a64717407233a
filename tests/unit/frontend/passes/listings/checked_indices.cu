// A constant index outside its array keeps its instruction, in which the checks find it; one inside becomes an offset.
struct Item { int values[4]; int next; };
__global__ void kernel(int *out, Item *items) {
    __shared__ Item own[2];
    int sum = 0;
    for (int k = 0; k <= 4; ++k) sum += items->values[k];
#pragma unroll
    for (int k = 3; k <= 4; ++k) own[1].values[k] = sum;
    __syncthreads();
    out[0] = own[1].next;
}

/* as written:
    mov.s32 %sum, 0
    mov.s32 %k, 0
L1:
    mad.wide.s32 %rd1, %k, 4, items
    ld.global.s32 %r1, [%rd1]
    add.s32 %sum, %sum, %r1
    add.s32 %k, %k, 1
    setp.le.s32 %p1, %k, 4
    @%p1 bra L1
    st.shared.s32 [32], %sum
    st.shared.s32 [36], %sum
    bar.sync 0
    ld.shared.s32 %r1, [36]
    st.global.s32 [out], %r1
    exit
8 registers, 0 bytes of local memory
*/

/* as compiled:
    ld.global.s32 %sum, [items]
    ld.global.s32 %r1, [items+4]
    add.s32 %sum, %sum, %r1
    ld.global.s32 %r1, [items+8]
    add.s32 %sum, %sum, %r1
    ld.global.s32 %r1, [items+12]
    add.s32 %sum, %sum, %r1
    mad.wide.s32 %rd1, 4, 4, items
    ld.global.s32 %r1, [%rd1]
    add.s32 %sum, %sum, %r1
    st.shared.s32 [32], %sum
    st.shared.s32 [36], %sum
    bar.sync 0
    ld.shared.s32 %r1, [36]
    st.global.s32 [out], %r1
    exit
8 registers, 0 bytes of local memory
*/
