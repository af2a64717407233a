"""Name the pipe that executes an instruction.

Products of matrices have the pipe of tensor cores and fetches of textures that of the texture unit, as the pipelines of
NVIDIA's "Nsight Compute Profiling Guide" do; the timing model takes both for other units.
"""

from __future__ import annotations

from enum import Enum

from warpview.devices import Device
from warpview.isa.ops import Op, Unit
from warpview.isa.program import Instruction, unit_of


class Pipe(Enum):
    """Hold the name of a pipe, what it executes, and the unit whose issue cycles a device gives for it."""

    ALU = ("ALU", "32-bit integer and floating-point arithmetic", Unit.ALU)
    FMA = ("FMA", "32-bit floating-point arithmetic and products of integers", Unit.FMA)
    FP64 = ("FP64", "double precision", Unit.FP64)
    SFU = ("SFU", "reciprocals, square roots, sines, conversions", Unit.SFU)
    TENSOR = ("tensor", "products of a warp's matrices", Unit.WARP)
    SHUFFLE = ("shuffle", "shuffles, votes and matches of a warp", Unit.WARP)
    TEXTURE = ("texture", "fetches of textures and surfaces", Unit.SFU)
    BRANCH = ("branch", "branches and reconvergence", Unit.BRANCH)
    LSU = ("LSU", "loads, stores and atomics of every space", Unit.LSU)

    def __init__(self, title: str, about: str, unit: Unit) -> None:
        self.title, self.about, self.unit = title, about, unit


_OF_UNIT = {
    Unit.ALU: Pipe.ALU, Unit.IDIV: Pipe.ALU, Unit.FP64: Pipe.FP64, Unit.SFU: Pipe.SFU, Unit.WARP: Pipe.SHUFFLE,
    Unit.BRANCH: Pipe.BRANCH, Unit.SYNC: Pipe.BRANCH, Unit.LSU: Pipe.LSU,
}  # fmt: skip


def pipe_of(instruction: Instruction, device: Device) -> Pipe:
    """Return the pipe of an instruction; floats and products of integers share that of integers on some devices."""
    if is_matrix_product(instruction):
        return Pipe.TENSOR
    if is_texture_fetch(instruction):
        return Pipe.TEXTURE
    unit = unit_of(instruction)
    if unit in (Unit.FMA, Unit.IMUL):
        return Pipe.FMA if device.separate_fma else Pipe.ALU
    return _OF_UNIT[unit]


def is_matrix_product(instruction: Instruction) -> bool:
    """Return whether tensor cores execute the instruction."""
    return instruction.op == Op.MMA or (instruction.native is not None and "mma" in instruction.native.meaning)


def is_texture_fetch(instruction: Instruction) -> bool:
    """Return whether the texture unit executes the instruction."""
    return instruction.op == Op.TEX or (instruction.native is not None and instruction.native.meaning == "texture")
