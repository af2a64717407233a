"""Host code and kernels see the macros by which nvcc tells itself and its version."""

import pytest
from support.compilers import COMPILERS

import warpview as wv

PROGRAM = r"""
#include <cstdio>
#include <cuda.h>
#include "both.h"
#if CUDART_VERSION >= 9000 && CUDA_VERSION >= 9000 && __CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__ >= 90
#define SUM(value) __reduce_add_sync(~0u, value)
#else
#define SUM(value) __a_function_of_older_days(value)
#endif
__global__ void k(int *out) { out[threadIdx.x] = shared_by_both(SUM((int)threadIdx.x)); }
int plain();
int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d", out[7], shared_by_both(CUDART_VERSION / 1000), plain());
    cudaFree(out);
}
"""
HEADER = r"""
#ifdef __CUDACC__
__host__ __device__ inline int shared_by_both(int a) { return a + 1; }
#endif
"""
PLAIN = r"""
int plain() {
#ifdef __CUDACC__
    return 1;
#else
    return 2;
#endif
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_versions_and_headers_for_nvcc_alone(program, compiler):
    path, further = program(PROGRAM), program(PLAIN, "plain.cpp")
    program(HEADER, "both.h")
    result = wv.run_program([path, further], compiler=compiler, timed=False)
    assert result.output == "497 14 2"
    assert len(result.runs[0].findings) == 0
