"""Programs that need C++20 are compiled by it, host code and machine code alike; others by C++17, as nvcc has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import warpview as wv
from warpview.diagnostics import CompileError

PROGRAM = """
#include <cstdio>
#include <numbers>
#include <span>

template <typename T> concept Number = requires(T a) { a + a; a * a; };
template <Number T> __device__ T squared(T x) { return x * x; }
struct Options { int scale = 1; int offset = 0; };

__global__ void squares(int *out, Options options) {
    auto put = []<typename V>(V *at, V value) { *at = value; };
    put(&out[threadIdx.x], (int)squared(threadIdx.x) * options.scale + options.offset);
}
int weighted(std::span<const int> values) {
    int sum = 0;
    for (int weight = 0; int v : values) sum += v * ++weight;
    return sum;
}
int main() {
    int *device, host[32];
    cudaMalloc(&device, sizeof host);
    squares<<<1, 32>>>(device, Options{.scale = 3, .offset = 2});
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %.4f\\n", host[10], weighted(host), std::numbers::pi);
    cudaFree(device);
}
"""


def test_a_program_of_the_newer_standard(tmp_path: Path) -> None:
    path = tmp_path / "twenty.cu"
    path.write_text(PROGRAM, encoding="utf-8")
    result = wv.run_program(path, compiler="nvrtc")
    weighted = sum((3 * i * i + 2) * (i + 1) for i in range(32))
    assert result.output == f"302 {weighted} 3.1416\n"


@pytest.mark.parametrize(("text", "says"), [
    ("template <typename T> concept Small = sizeof(T) < 9; int main() { Small; }", "concept"),
    ("int main() { wrong; }", "wrong"),
])  # fmt: skip
def test_what_neither_standard_takes_is_told_as_the_older_one_does(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "neither.cu"
    path.write_text(f"__global__ void k() {{}}\n{text}\n", encoding="utf-8")
    with pytest.raises(CompileError, match=says):
        wv.run_program(path)
