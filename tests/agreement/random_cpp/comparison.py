"""Run a program of one warp as our compiler or NVRTC compiles it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import warpview as wv
from warpview.diagnostics import SourceText, WarpviewError
from warpview.frontend import compile_source
from warpview.isa.program import Program
from warpview.run.nvrtc_program import compile_with_nvrtc

Outcome = NDArray[np.int32] | str
NAME = "random.cu"


def launched(program: Program, device: str) -> wv.Run:
    """Return a launch of one warp."""
    return wv.simulate(program, 1, 32, [np.zeros(32, np.int32), 0, 32], device=device, check=False)


def machine_code(text: str) -> Program:
    """Return the program as NVRTC compiles it for an H200."""
    return compile_with_nvrtc(SourceText(NAME, text), "kernel", None, 90)


def results(program: Program, device: str) -> NDArray[np.int32]:
    """Return ``out`` after a launch of one warp."""
    return np.asarray(launched(program, device).buffers["out"])


def ours(text: str, device: str) -> Outcome:
    """Return what the program computes as written, or why it is refused."""
    try:
        return results(compile_source(SourceText(NAME, text)), device)
    except WarpviewError as error:
        return str(error).splitlines()[0]


@lru_cache(4)
def theirs(text: str) -> Outcome:
    """Return what NVRTC's machine code for an H200 computes, or why it is refused."""
    try:
        return results(machine_code(text), "h200")
    except WarpviewError as error:
        return str(error).splitlines()[0]
