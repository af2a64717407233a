"""Compile a kernel and run it on the slow reference, to look at what it computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.program import Program
from warpview.sim.arguments.binding import bind
from warpview.sim.arguments.values import dim3
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

# Each block writes its part, and after a barrier of the grid BETWEEN reads that of the block after it.
ROTATE = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rotate(int *a, int *b, int rounds) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int s[64];
    int n = gridDim.x * blockDim.x, i = grid.thread_rank();
    for (int k = 0; k < rounds; ++k) {
        s[threadIdx.x] = a[(i + blockDim.x) % n] + 1;
        __syncthreads();
        b[i] = s[63 - threadIdx.x];
        BETWEEN
        int *t = a; a = b; b = t;
    }
}
"""


def small_kernel(declarations: str, body: str) -> str:
    """Return a file with a kernel ``k`` that has a body on its fourth line, and stores the ``r`` that this leaves."""
    return f"{declarations}\n__global__ void k(int *out, int x, float y) {{\nint r = 0;\n{body}\nout[0] = r;\n}}\n"


def program_of(text: str, kernel: str | None = None, **options: object) -> Program:
    return compile_source(SourceText("test.cu", text), kernel, **options)  # type: ignore[arg-type]


def run(
    text: str,
    args: Sequence[object] | Mapping[str, object],
    kernel: str | None = None,
    grid: int | tuple[int, ...] = 1,
    block: int | tuple[int, ...] = 32,
    shared_bytes: int = 0,
    device: str = "h200",
    **options: object,
) -> dict[str, NDArray[np.generic]]:
    """The buffers after the launch, by parameter name; no finding may have been made."""
    program = program_of(text, kernel, **options)
    binding = bind(program, dim3(grid, "grid"), dim3(block, "block"), args, shared_bytes)
    outcome = run_reference(program, load_device(device), binding.launch, binding.memory, Options(check=True))
    assert not outcome.findings, outcome.findings
    return {name: buffer.read(binding.memory) for name, buffer in binding.buffers.items()}


def evaluate(expression: str, type: str = "int", dtype: object = np.int32, setup: str = "") -> NDArray[np.generic]:
    """What ``expression`` comes to in each of 32 lanes, as ``type``; ``i`` is the lane, an int that varies."""
    text = f"""
    __global__ void kernel({type}* out, int zero) {{
        int i = threadIdx.x;
        {setup}
        out[i] = {expression};
    }}"""
    return run(text, [np.zeros(32, dtype), 0])["out"]  # type: ignore[arg-type]


def compute(body: str, file: str = "", block: int = 32, dtype: object = np.int32) -> NDArray[np.generic]:
    """What ``body`` leaves in ``out[i]`` (int, or float by ``dtype``), with ``file`` before the kernel."""
    type = "float" if dtype == np.float32 else "int"
    text = f"""{file}
    __global__ void kernel({type}* out, int zero, int n) {{
        int i = threadIdx.x;
        {body}
    }}"""
    return run(text, [np.zeros(block, dtype), 0, block], "kernel", block=block)["out"]  # type: ignore[arg-type]
