"""Run two kernels that sum a block's elements, on 2 blocks of 128 threads: small enough to know each step.

``divergent`` has a branch that every second thread leaves, ``strided`` an index that conflicts in shared memory.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

import warpview as wv
from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.isa.types import Type

BLOCKS, THREADS = 2, 128
TEXT = """\
// {comment}
__global__ void {kernel}(const float* in, float* out, unsigned n)
{{
    __shared__ float sdata[128];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = in[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {{
        {condition}
            {addition}
        __syncthreads();
    }}
    if (tid == 0) out[blockIdx.x] = sdata[0];
}}
"""
SOURCE = {
    "divergent": TEXT.format(
        comment="Interleaved addressing: every second thread of those left adds.",
        kernel="reduce0",
        condition="if (tid % (2 * s) == 0)",
        addition="sdata[tid] += sdata[tid + s];",
    ),
    "strided": TEXT.format(
        comment="Interleaved addressing with a strided index: no divergence, but conflicts.",
        kernel="reduce1",
        condition="if (2 * s * tid < blockDim.x)",
        addition="sdata[2 * s * tid] += sdata[2 * s * tid + s];",
    ),
}


# Where a step does what: the line, the operation, its type, and which of several.
PLACES = {
    "load": (7, Op.LD, Type.F32, 0),
    "store": (7, Op.ST, Type.F32, 0),
    "start": (9, Op.MOV, Type.U32, 0),
    "branch": (10, Op.BRA, Type.U32, 0),
    "first read": (11, Op.LD, Type.F32, 0),
    "addition": (11, Op.ADD, Type.F32, 0),
    "write": (11, Op.ST, Type.F32, 0),
    "barrier": (12, Op.BAR_SYNC, Type.U32, 0),
    "back": (9, Op.BRA, Type.U32, 1),
    "result": (14, Op.ST, Type.F32, 0),
    "end": (15, Op.EXIT, Type.U32, 0),
}


def place(program: wv.Program, name: str) -> int:
    """Return the program counter of one of ``PLACES``."""
    line, op, type_, which = PLACES[name]
    return [pc for pc, i in enumerate(program.instructions) if (i.span.line, i.op, i.type) == (line, op, type_)][which]


@cache
def small_program(variant: str = "divergent") -> wv.Program:
    """Compile one of the two kernels."""
    return wv.compile(SOURCE[variant])


@cache
def small_run(variant: str = "divergent", device: str = "8800gtx") -> wv.Run:
    """Run one of the two kernels, both blocks on one multiprocessor, cycle by cycle; its input is 0, 1, ..."""
    n = BLOCKS * THREADS
    args = [np.arange(n, dtype=np.float32), np.zeros(BLOCKS, np.float32), n]
    one = replace(load_device(device), multiprocessors=1)
    return wv.simulate(small_program(variant), BLOCKS, THREADS, args, device=one, engine="sm")
