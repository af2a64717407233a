// The parts of a vector access lie in neighbouring registers, also where they are used or set one by one.
__global__ void kernel(float4 *out, const float4 *in, float2 *pairs, int2 *words, float x) {
    int i = threadIdx.x;
    float4 v = in[i];
    v.y += x;
    out[i] = v;
    float4 turned = make_float4(v.w, v.z, v.y, v.x);
    out[i + 32] = turned;
    pairs[i] = make_float2(v.x, v.x);
    words[i] = make_int2(i, 7);
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < i; ++k) {
        float4 next = in[k];
        sum.x += next.x;
        sum.w += next.w;
    }
    out[i + 64] = sum;
}

/* as written, as compiled:
    mov.u32 %i, %tid.x
    mad.wide.s32 %rd2, %i, 16, in
    ld.global.v4.f32 {%v.x, %v.y, %v.z, %v.w}, [%rd2]
    add.f32 %v.y, %v.y, x
    mad.wide.s32 %rd1, %i, 16, out
    st.global.v4.f32 [%rd1], {%v.x, %v.y, %v.z, %v.w}
    mov.f32 %turned.w, %v.x
    mov.f32 %f1, %v.w
    mov.f32 %f2, %v.z
    mov.f32 %f3, %v.y
    mov.f32 %f4, %turned.w
    st.global.v4.f32 [%rd1+512], {%f1, %f2, %f3, %f4}
    mad.wide.s32 %rd2, %i, 8, pairs
    mov.f32 %f5, %v.x
    mov.f32 %f6, %v.x
    st.global.v2.f32 [%rd2], {%f5, %f6}
    mad.wide.s32 %rd2, %i, 8, words
    mov.s32 %r1, %i
    mov.s32 %r2, 7
    st.global.v2.s32 [%rd2], {%r1, %r2}
    mov.f32 %sum.x, 0
    mov.f32 %sum.w, 0
    mov.s32 %k, 0
    setp.gt.s32 %p1, %i, 0
    @!%p1 bra L2
L1:
    mad.wide.s32 %rd2, %k, 16, in
    ld.global.v4.f32 {%next.x, %next.y, %next.z, %next.w}, [%rd2]
    add.f32 %sum.x, %sum.x, %next.x
    add.f32 %sum.w, %sum.w, %next.w
    add.s32 %k, %k, 1
    setp.lt.s32 %p1, %k, %i
    @%p1 bra L1
L2:
    mov.f32 %f7, %sum.x
    mov.f32 %f8, 0
    mov.f32 %f9, 0
    mov.f32 %f10, %sum.w
    st.global.v4.f32 [%rd1+1024], {%f7, %f8, %f9, %f10}
    exit
14 registers, 0 bytes of local memory
*/
