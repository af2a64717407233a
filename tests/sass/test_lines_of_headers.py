"""Code of a header has the line of the kernel's file that uses it, in machine code and in PTX."""

from __future__ import annotations

from pathlib import Path

import pytest

import warpview as wv
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend.ptx import parse
from warpview.sass import nvrtc

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HEADER = """// far down
\n\n\n\n\n
template <class T> __device__ T twice(T x) {
    T y = x * x;
    y += __shfl_down_sync(~0u, y, 1);
    return y + x;
}
"""
KERNEL = """#include "twice.cuh"
__global__ void k(float *a) {
    float v = a[threadIdx.x];
    a[threadIdx.x] = twice(v);
}
"""
GRID = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *a) {
    cg::grid_group grid = cg::this_grid();
    a[grid.thread_rank()] += 1;
    SYNC;
    a[grid.thread_rank()] += a[0];
}
"""


@needs_nvrtc
@pytest.mark.parametrize("device", ["gtx1080", "rtx2080", "h200", "b200"])
def test_an_instruction_of_a_header_has_the_line_of_the_call(tmp_path: Path, device: str) -> None:
    (tmp_path / "twice.cuh").write_text(HEADER)
    (tmp_path / "k.cu").write_text(KERNEL)
    program = wv.compile(tmp_path / "k.cu", compiler="nvrtc", device=device)
    lines = [i.span.line for i in program.instructions]
    assert set(lines) <= {2, 3, 4, 5}
    texts = [i.native.text if i.native else i.op.name for i in program.instructions]
    (shuffle,) = (k for k, text in enumerate(texts) if text.startswith("SHFL"))
    assert lines[shuffle] == 4


@needs_nvrtc
def test_a_barrier_of_the_grid_stands_at_the_users_line() -> None:
    """Its code, in PTX, is that of a header of NVIDIA."""
    empty, barrier = (
        wv.compile(GRID, defines={"SYNC": statement}, compiler="nvrtc", device="gtx1080").instructions
        for statement in ("", "grid.sync()")
    )
    assert {i.span.source.name for i in barrier} == {"<source>"}
    at_barrier, without = (sum(i.span.line in (4, 6) for i in code) for code in (barrier, empty))
    assert at_barrier > without + 10


PTX = """.version 8.0
.target sm_50
.address_size 64
.visible .entry k()
{
    .loc 1 2 5
    bar.sync 0;
    .loc 2 77 5, function_name $L__info_string0+12, inlined_at 1 3 5
    bar.sync 0;
    .loc 2 78 5
    bar.sync 0;
    .loc 1 4 1
    ret;
}
"""
FILES = '.file 1 "/home/someone/k.cu"\n.file 2 "/home/someone/other.cuh"\n'


@pytest.mark.parametrize(("files", "lines"), [(FILES, [2, 3, 3, 4]), ("", [2, 77, 78, 4])])
def test_the_line_table_of_ptx_names_files(files: str, lines: list[int]) -> None:
    module = parse(SourceText("k.ptx", PTX + files), SourceText("k.cu", "\n".join("abcde")))
    assert [item.span.line for item in module.functions["k"].body] == lines


@needs_nvrtc
def test_a_refusal_names_the_line_of_the_header(tmp_path: Path) -> None:
    (tmp_path / "wait.cuh").write_text('\n__device__ void trigger() {\n    asm volatile("pmevent 1;");\n}\n')
    (tmp_path / "k.cu").write_text('#include "wait.cuh"\n__global__ void k(float *a) { trigger(); }\n')
    with pytest.raises(CompileError, match=r"PMTRIG .* \(line 3 of wait\.cuh\)") as refused:
        wv.compile(tmp_path / "k.cu", compiler="nvrtc", device="h200")
    assert refused.value.diagnostics[0].span.line == 2
