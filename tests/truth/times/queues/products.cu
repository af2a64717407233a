// A loop over 128 products in a line, whose registers banks.py changes in the machine code; with LOADS also four loads of
// shared memory, of 16 bytes a lane.

extern "C" __global__ void __launch_bounds__(1024) products(int rounds, long long *clocks, float *sink)
{
    __shared__ float4 data[64];
    float sums[16], factors[24];
    for (int k = 0; k < 24; k++)
        factors[k] = sink[threadIdx.x + 32 * k];
    for (int k = 0; k < 16; k++)
        sums[k] = sink[threadIdx.x + 32 * k + 1024];
    data[threadIdx.x % 64] = make_float4(1, 1, 1, 1);
    unsigned at = (unsigned)__cvta_generic_to_shared(data) + threadIdx.x % 32 * 16;
    __syncthreads();
    long long start = clock64();
    #pragma unroll 1
    for (int r = 0; r < rounds; r++)
        #pragma unroll
        for (int j = 0; j < 8; j++)
            #pragma unroll
            for (int k = 0; k < 16; k++) {
                sums[k] = fmaf(factors[(k + j) % 24], factors[(k + j * 3 + 5) % 24], sums[k]);
#ifdef LOADS
                float x, y, z, w;
                if (k == 15 && j % 2)
                    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(at));
#endif
            }
    __syncthreads();
    if (threadIdx.x == 0)
        clocks[0] = clock64() - start;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += sums[k];
    for (int k = 0; k < 24; k++)
        sum += factors[k];
    sink[threadIdx.x] = sum;
}
