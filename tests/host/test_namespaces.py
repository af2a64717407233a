"""Kernels, variables and functions of one name in two namespaces of a program are told apart."""

import pytest

import warpview as wv
from warpview.sass import nvrtc

PROGRAM = r"""
#include <cstdio>
namespace plain {
__constant__ int factor = 2;
__device__ int seen;
__device__ int scaled(int v) { return factor * v; }
__global__ void scale(int *p) { p[threadIdx.x] = scaled(p[threadIdx.x]); atomicAdd(&seen, 1); }
void run(int *p) { scale<<<1, 4>>>(p); }
}
namespace doubled {
__constant__ int factor = 3;
__device__ int seen;
__device__ int scaled(int v) { return 10 * factor * v; }
__global__ void scale(int *p) { p[threadIdx.x] = scaled(p[threadIdx.x]); atomicAdd(&seen, 100); }
void run(int *p) { scale<<<1, 4>>>(p); }
}
int main() {
    int host[4] = {1, 2, 3, 4}, *p, factor = 5, seen[2];
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    plain::run(p);
    cudaMemcpyToSymbol(doubled::factor, &factor, sizeof factor);
    doubled::run(p);
    plain::scale<<<1, 2>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&seen[0], plain::seen, sizeof(int));
    cudaMemcpyFromSymbol(&seen[1], doubled::seen, sizeof(int));
    printf("%d %d %d %d, %d %d\n", host[0], host[1], host[2], host[3], seen[0], seen[1]);
    cudaFree(p);
}
"""


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_one_name_in_two_namespaces(program, compiler):
    if compiler == "nvrtc" and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    result = wv.run_program(program(PROGRAM), compiler=compiler)
    assert result.output == "200 400 300 400, 6 400\n"
    assert [launch.kernel for launch in result.launches] == ["plain::scale", "doubled::scale", "plain::scale"]


def test_variables_of_the_device_point_to_strings(program):
    text = """#include <cstdio>
    __device__ const char *names[] = {"red", "green", "blue"};
    __global__ void k() { printf("%s %c\\n", names[threadIdx.x], names[1][threadIdx.x]); }
    int main() { k<<<1, 3>>>(); cudaDeviceSynchronize(); }
    """
    result = wv.run_program(program(text))
    assert result.output == "red g\ngreen r\nblue e\n"


def test_variables_of_the_device_point_to_others(program):
    text = """#include <cstdio>
    struct S { char c; int *p; };
    __device__ int v = 7, a[] = {1, 2, 3};
    __device__ int *p = &v, *q = a + 1, *table[] = {a, nullptr, &v};
    __device__ S s = {'a', &a[2]};
    __global__ void k() { printf("%d %d %d %d\\n", *p, q[1], *s.p, *table[2]); (*p)++; }
    int main() { k<<<1, 1>>>(); k<<<1, 1>>>(); cudaDeviceSynchronize(); }
    """
    assert wv.run_program(program(text)).output == "7 3 3 7\n8 3 3 8\n"
