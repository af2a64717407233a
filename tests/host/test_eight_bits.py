"""Numbers of eight bits are converted alike in host code and in kernels."""

import pytest
from support.compilers import COMPILERS

import warpview as wv

PROGRAM = r"""
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>
__host__ __device__ unsigned together(double a) {
    const float f = (float)a;
    const __nv_fp8x4_e4m3 four(float4{f, -f, f * 8, 0.0f});
    const unsigned fine = __nv_fp8_e4m3(a).__x, wide = __nv_fp8_e5m2(a).__x;
    return fine ^ wide << 8 ^ four.__x << 3 ^ (int)(float)__nv_fp8_e5m2(f);
}
__global__ void k(const double *in, unsigned *out) { out[threadIdx.x] = together(in[threadIdx.x]); }
int main() {
    double *in;
    unsigned *out, wrong = 0;
    cudaMallocManaged(&in, 256 * sizeof(double));
    cudaMallocManaged(&out, 256 * sizeof(unsigned));
    for (int i = 0; i < 256; i++)
        in[i] = std::ldexp(1.0 + i % 17 / 16.0 + 1e-12 * (i % 3), i % 30 - 12) * (i % 2 ? 1 : -1);
    in[0] = INFINITY, in[1] = 1e300;
    k<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) wrong += out[i] != together(in[i]);
    printf("%u wrong, %g", wrong, (double)(float)__nv_fp8_e4m3(19.0));
    cudaFree(in); cudaFree(out);
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_both_sides_convert_alike(program, compiler):
    result = wv.run_program(program(PROGRAM), compiler=compiler, timed=False)
    assert result.output == "0 wrong, 20"
