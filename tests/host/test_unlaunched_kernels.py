"""A mistake in a kernel that a program never launches is told before the program runs, as nvcc refuses the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import warpview as wv
from warpview.diagnostics import CompileError
from warpview.host import device_code
from warpview.sass import nvrtc

PROGRAM = """#include <cstdio>
__global__ void used(int *p) {{ p[threadIdx.x] = 1; }}
{unused}
int main() {{
    int *d;
    cudaMalloc(&d, 128);
    used<<<1, 32>>>(d);
    puts("ran");
    cudaFree(d);
}}
"""


def run(folder: Path, unused: str) -> str:
    path = folder / "program.cu"
    path.write_text(PROGRAM.format(unused=unused), encoding="utf-8")
    return wv.run_program(path).output


@pytest.mark.parametrize(
    ("unused", "message"),
    [
        ("__global__ void unused(int *p) { p[0] = missing; }", "unknown name 'missing'"),
        ("__global__ void unused(int *p) { int x = p; }", "does not convert"),
        ("__global__ void unused(int *p) { p[0] = 1 }", "expected"),
    ],
)
def test_the_program_is_refused(tmp_path: Path, unused: str, message: str) -> None:
    with pytest.raises(CompileError, match=message) as error:
        run(tmp_path, unused)
    assert error.value.diagnostics[0].span is not None
    assert error.value.diagnostics[0].span.line == 3


@pytest.mark.parametrize(
    "unused",
    [
        "template <typename T> __global__ void unused(T *p) { p[0] = T::missing; }",
        "__global__ void unused(float *p) { p[0] = alloca(3) != 0; }",  # which is not supported, and no mistake
    ],
)
def test_the_program_runs(tmp_path: Path, unused: str) -> None:
    assert run(tmp_path, unused) == "ran\n"


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_what_nvidia_takes_is_no_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise CompileError([])

    monkeypatch.setattr(device_code.frontend, "check_kernels", refuse)
    assert run(tmp_path, "") == "ran\n"
    with pytest.raises(CompileError):
        run(tmp_path, "__global__ void unused(int *p) { p[0] = missing; }")
