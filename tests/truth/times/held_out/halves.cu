// Pairs of halves.
#include <cuda_fp16.h>

__global__ void half_axpy(float a, const __half2 *x, __half2 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

__global__ void half_chain(__half2 *out, int rounds)
{
    __half2 x = __float2half2_rn(threadIdx.x * 0.001f), y = x, a = __float2half2_rn(0.5f);
    for (int k = 0; k < rounds; k++) {
        x = __hfma2(x, a, y);
        y = __hfma2(y, a, x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = __hadd2(x, y);
}
