"""Carry out the launches that kernels make (dynamic parallelism), which wait in a variable of the device.

Its layout is that of ``frontend/headers/device_launches.h``. Kernels that a kernel launches begin when all its blocks
are done, which CUDA allows: nothing but a tail launch or the end of the launching kernel tells when they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.isa.child_kernel import CHILD_ARGUMENT_BYTES
from warpview.isa.program import Program
from warpview.sim.launch import Dim3

TAIL_STREAM = 3  # cudaStreamTailLaunch
HEADER = np.dtype([("taken", "<u4"), ("streams", "<u4"), ("unused", "<u4", 2), ("failures", "<u8", 1024)])
RECORD = np.dtype(
    [("kernel", "<u8"), ("stream", "<u8"), ("grid", "<u4", 3), ("block", "<u4", 3), ("shared", "<u4"),
     ("is_complete", "<u4"), ("arguments", "u1", CHILD_ARGUMENT_BYTES)]
)  # fmt: skip


@dataclass(frozen=True)
class ChildLaunch:
    """Describe a launch by a kernel: ``arguments`` are the bytes of each parameter."""

    kernel: str
    grid: Dim3
    block: Dim3
    shared: int
    arguments: tuple[bytes, ...]
    is_tail: bool


def take_launches(variable: NDArray[np.uint8], program: Program) -> tuple[list[ChildLaunch], int]:
    """Return the launches that a kernel has made, in the order in which they are to be carried out, and how many did
    not fit; ``variable`` is the memory that holds them, which is empty afterwards."""
    header, records = variable[: HEADER.itemsize].view(HEADER), variable[HEADER.itemsize :].view(RECORD)
    taken, capacity = int(header["taken"][0]), len(records) - 1
    used = records[: min(taken, capacity)]
    launches = [_launch(record, program) for record in used if record["is_complete"]]
    used.view(np.uint8)[:] = 0
    header.view(np.uint8)[:] = 0
    ordered = sorted(launches, key=lambda launch: launch.is_tail)
    return ordered, max(0, taken - capacity)


def _launch(record: np.void, program: Program) -> ChildLaunch:
    child = program.children[int(record["kernel"])]
    data = record["arguments"].tobytes()
    return ChildLaunch(
        child.name, _extents(record["grid"]), _extents(record["block"]), int(record["shared"]),
        tuple(data[offset : offset + size] for offset, size in child.arguments), int(record["stream"]) == TAIL_STREAM,
    )  # fmt: skip


def _extents(values: Sequence[int]) -> Dim3:
    x, y, z = (int(value) for value in values)
    return x, y, z
