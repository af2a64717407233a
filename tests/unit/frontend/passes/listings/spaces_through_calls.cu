// Pointers that a function gets or returns keep their memory once the function is inlined.
struct View { int *data; int size; };
__device__ int *pick(int *a, int *b, bool first) { return first ? a : b; }
__device__ void bump(View view, int k) { view.data[k % view.size] += 1; }
__device__ int counter;
__global__ void kernel(int *out, int n) {
    __shared__ int left[8], right[8];
    int own[4] = {n, 2, 3, 4};
    int k = threadIdx.x;
    *pick(left + k, right + k, n > 0) = k;
    View view = {left, 8};
    bump(view, n);
    int *inside = own + n;
    *inside += 1;
    atomicAdd(&counter, 1);
    atomicAdd(pick(out, left, n > 1), 2);
    out[k] = *inside + own[1] + (long long)(left + 1 == right);
    out[9] = (unsigned long long)left != 0;
}

/* as written:
    st.local.s32 [0], n
    st.local.s32 [4], 2
    st.local.s32 [8], 3
    st.local.s32 [12], 4
    mov.u32 %k, %tid.x
    shl.b32 %a, %k, 2
    setp.gt.s32 %first, n, 0
    @%first bra L1
    add.u32 %a, %a, 32
L1:
    st.shared.s32 [%a], %k
    rem.s32 %r1, n, 8
    shl.b32 %r2, %r1, 2
    ld.shared.s32 %r1, [%r2]
    add.s32 %r1, %r1, 1
    st.shared.s32 [%r2], %r1
    shl.b32 %inside, n, 2
    ld.local.s32 %r1, [%inside]
    add.s32 %r1, %r1, 1
    st.local.s32 [%inside], %r1
    red.global.add.s32 [__device__], 1
    setp.gt.s32 %first.2, n, 1
    @!%first.2 bra L2
    mov.u64 %rd1, out
    bra L3
L2:
    mov.u64 %rd1, 1099511627776
L3:
    red.generic.add.s32 [%rd1], 2
    ld.local.s32 %r1, [%inside]
    ld.local.s32 %r3, [4]
    add.s32 %r3, %r1, %r3
    cvt.s64.s32 %rd2, %r3
    mad.wide.s32 %rd3, %k, 4, out
    cvt.s32.s64 %r3, %rd2
    st.global.s32 [%rd3], %r3
    st.global.s32 [out+36], 1
    exit
8 registers, 16 bytes of local memory
*/

/* as compiled:
    st.local.s32 [0], n
    st.local.s32 [4], 2
    st.local.s32 [8], 3
    st.local.s32 [12], 4
    mov.u32 %k, %tid.x
    shl.b32 %a, %k, 2
    setp.gt.s32 %first, n, 0
    @!%first add.u32 %a, %a, 32
    st.shared.s32 [%a], %k
    rem.s32 %r1, n, 8
    shl.b32 %r2, %r1, 2
    ld.shared.s32 %r1, [%r2]
    add.s32 %r1, %r1, 1
    st.shared.s32 [%r2], %r1
    shl.b32 %inside, n, 2
    ld.local.s32 %r1, [%inside]
    add.s32 %r1, %r1, 1
    st.local.s32 [%inside], %r1
    red.global.add.s32 [__device__], 1
    setp.gt.s32 %first.2, n, 1
    @%first.2 mov.u64 %rd1, out
    @!%first.2 mov.u64 %rd1, 1099511627776
    red.generic.add.s32 [%rd1], 2
    ld.local.s32 %r1, [%inside]
    ld.local.s32 %r3, [4]
    add.s32 %r3, %r1, %r3
    cvt.s64.s32 %rd2, %r3
    mad.wide.s32 %rd3, %k, 4, out
    cvt.s32.s64 %r3, %rd2
    st.global.s32 [%rd3], %r3
    st.global.s32 [out+36], 1
    exit
9 registers, 16 bytes of local memory
*/
