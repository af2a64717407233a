"""Kernels take references to objects in managed memory, as pointers, as written and by NVRTC."""

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv

PROGRAM = r"""
#include <cstdio>
struct Sample {
    int value;
    float weights[3];
    __host__ __device__ int &cell() { return value; }
};
__global__ void bump(Sample &s, const float &by, int n) {
    if (threadIdx.x < n) s.weights[threadIdx.x] += by;
    if (threadIdx.x == 0) ++s.cell();
}
template <class T> __global__ void fill(T (&row)[4], T first) { row[threadIdx.x] = first + threadIdx.x; }
int main() {
    Sample *s;
    float *by;
    int (*row)[4];
    cudaMallocManaged(&s, sizeof(Sample));
    cudaMallocManaged(&by, sizeof(float));
    cudaMallocManaged(&row, sizeof *row);
    *s = {4, {1, 2, 3}};
    *by = 0.5f;
    bump<<<1, 32>>>(*s, *by, 3);
    fill<<<1, 4>>>(*row, 7);
    cudaDeviceSynchronize();
    printf("%d, %g %g %g, %d %d\n", s->value, s->weights[0], s->weights[1], s->weights[2], (*row)[0], (*row)[3]);
    cudaFree(s);
    cudaFree(by);
    cudaFree(row);
}
"""
STACK = r"""
__global__ void read(const int &n, int *out) { *out = n; }
int main() {
    int n = 3, *out;
    cudaMalloc(&out, sizeof n);
    read<<<1, 1>>>(n, out);
    cudaFree(out);
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_program_hands_over_objects(program, compiler):
    result = wv.run_program(program(PROGRAM), compiler=compiler, timed=False)
    assert result.output == "5, 1.5 2.5 3.5, 7 10\n"
    assert not result.host_findings
    assert [len(run.findings) for run in result.runs] == [0, 0]


def test_a_reference_to_memory_of_the_host_is_found(program):
    result = wv.run_program(program(STACK), timed=False)
    told = "'n' of read is a pointer to memory of the host"
    assert told in [finding.message for finding in result.host_findings]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_reference_is_a_buffer_for_a_kernel_alone(compiler):
    text = "struct Pair { int a; float b; }; __global__ void k(const Pair &p, float &out) { out = p.a * p.b; }"
    pair = np.array([(3, 2.5)], [("a", np.int32), ("b", np.float32)])
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 1, [pair, np.zeros(1, np.float32)], device="h200")
    assert run.buffers["out"].tolist() == [7.5]
