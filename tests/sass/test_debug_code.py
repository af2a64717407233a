"""Code that is compiled for debuggers (``-G``): it checks its stack, and keeps every variable in local memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.sass import nvrtc
from warpview.sass.linking import MOST_LINKED, common_places

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__device__ int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
extern "C" __global__ void f(int *o, int n)
{
    int a[9], i = threadIdx.x;
    for (int k = 0; k < 9; k++)
        a[k] = k * n;
    o[i] = a[i % 9] + depth(i % 4);
}
"""
# The variables hold addresses of functions, which lie in sections of their own and are called by both kernels.
TABLES = """
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation table[2] = {add, multiply};
struct Shape { __device__ virtual int size() const = 0; };
struct Line : Shape { int a; __device__ Line(int a) : a(a) {} __device__ int size() const override { return a; } };
struct Square : Shape {
    int a;
    __device__ Square(int a) : a(a) {}
    __device__ int size() const override { return a * a; }
};
extern "C" __global__ void short_one(int *o) { o[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x, 3); }
extern "C" __global__ void f(int *o, int n)
{
    int i = threadIdx.x;
    Line line(i);
    Square square(i);
    const Shape *shape = i % 3 ? (const Shape *)&line : &square;
    o[i] = table[i & 1](i, n) + shape->size();
}
"""


def compiled(source: str, architecture: int, path: Path) -> Path:
    with nvrtc._Program(SourceText("f.cu", source), {}, ()) as program:
        program.compile(["--device-debug", f"--gpu-architecture=sm_{architecture}"])
        path.write_bytes(program.output("nvrtcGetCUBINSize", "nvrtcGetCUBIN"))
    return path


@pytest.mark.parametrize(("device", "architecture"), [("rtx2080", 75), ("a100", 80), ("h200", 90), ("b200", 100)])
def test_code_for_debuggers_runs(device: str, architecture: int, tmp_path: Path) -> None:
    kernel = wv.compile(compiled(SOURCE, architecture, tmp_path / "f.cubin"))
    run = wv.simulate(kernel, 1, 32, [np.zeros(32, np.int32), np.int32(5)], device=device)
    i = np.arange(32)
    assert np.asarray(run.buffers["arg0"]).tolist() == (i % 9 * 5 + i % 4).tolist()
    assert run.findings == ()
    assert any("SR_LMEMHIOFF" in x.native.text for x in kernel.instructions if x.native is not None)


def test_variables_hold_addresses_of_functions(tmp_path: Path) -> None:
    cubin, i = compiled(TABLES, 90, tmp_path / "f.cubin"), np.arange(32)
    run = wv.simulate(wv.compile(cubin, kernel="f"), 1, 32, [np.zeros(32, np.int32), np.int32(5)], device="h200")
    of_table, sizes = np.where(i & 1, i * 5, i + 5), np.where(i % 3, i, i * i)
    assert np.asarray(run.buffers["arg0"]).tolist() == (of_table + sizes).tolist()
    run = wv.simulate(wv.compile(cubin, kernel="short_one"), 1, 32, [np.zeros(32, np.int32)], device="h200")
    assert np.asarray(run.buffers["arg0"]).tolist() == np.where(i & 1, i * 3, i + 3).tolist()


def test_functions_that_would_take_too_much_in_each_kernel_are_refused() -> None:
    names = [f"k{n}" for n in range(64)]
    with pytest.raises(wv.WarpviewError, match="the cubin is too large"):
        common_places(dict.fromkeys(names, 16) | {"f": MOST_LINKED // 32}, names)
    assert common_places({"k": 40, "f": 20, "g": 16}, ["k"]) == {"f": 48, "g": 80}
