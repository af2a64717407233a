"""What a program reads that is not its own: the clock of a multiprocessor, and variables of the device on the host."""

from __future__ import annotations

from pathlib import Path

import pytest

import warpview as wv
from warpview.sass import nvrtc

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

CLOCK = r"""
#include <cstdio>
__global__ void chain(long long *cycles, float x) {
    long long begin = clock64();
    for (int i = 0; i < 100; ++i)
        x = sqrtf(x) + 1.0f;
    cycles[0] = clock64() - begin + (x > 1e9f);
}
int main() {
    long long *device, host;
    cudaMalloc(&device, sizeof host);
    for (int k = 0; k < 3; ++k) {
        chain<<<1, 1>>>(device, 3.0f);
        cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
        printf("%lld\n", host);
    }
    cudaFree(device);
}
"""

SHADOWS = r"""
#include <cstdio>
__constant__ float weights[3] = {1, 2, 3};
__device__ int count = 5;
struct Pair { int a; float b; };
__constant__ Pair pair = {3, 4};
__constant__ const int seven = 7;
static __device__ const float halves[2] = {1.5f, 2.5f};
__device__ constexpr int nine = 9;
__global__ void show() {
    count++;
    printf("%g %d %d %d %g %d\n", weights[0], count, pair.a, seven, halves[1], nine);
}
int main() {
    printf("%g %d %d %d %g %d\n", weights[0], count, pair.a, seven, halves[1], nine);
    count = 4;
    show<<<1, 1>>>();
    cudaDeviceSynchronize();
    int there;
    cudaMemcpyFromSymbol(&there, count, sizeof there);
    printf("%d %d\n", there, count);
}
"""


@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
def test_every_launch_reads_the_same_clock(tmp_path: Path, compiler: str) -> None:
    """The later ones too, whose time is known from the first; a root has several instructions, and takes longer."""
    file = tmp_path / "clock.cu"
    file.write_text(CLOCK)
    first, *others = map(int, wv.run_program(file, compiler=compiler).output.split())
    assert first > 2000
    assert others == [first, first]


def test_the_host_has_no_initial_value_of_a_variable_of_the_device(tmp_path: Path) -> None:
    file = tmp_path / "shadows.cu"
    file.write_text(SHADOWS)
    # As nvcc 13.0 and an H200 print it.
    assert wv.run_program(file).output == "0 0 0 7 2.5 9\n1 6 3 7 2.5 9\n6 4\n"
