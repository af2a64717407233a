"""Name the pipe that executes an instruction, as Nsight Compute counts it (``smsp__inst_executed_pipe_*``).

What an H200 counts is in tests/truth/pipelines_h200.csv, and taken for all devices that Nsight Compute measures. For
older ones pipes are called after the units of the timing model.
"""

from __future__ import annotations

from enum import Enum

from warpview.devices import Device
from warpview.isa.ops import BLOCK_BARRIERS, Op, Unit
from warpview.isa.program import Instruction, unit_of
from warpview.isa.types import Space


class Pipe(Enum):
    """Hold the name of a pipe, what it executes, and the unit whose issue cycles a device gives for it. The name in
    small letters is Nsight Compute's, but for ``SFU`` (xu), ``TEXTURE`` (tex) and ``BRANCH`` (cbu)."""

    ALU = ("ALU", "32-bit integer and floating-point arithmetic", Unit.ALU)
    FMA = ("FMA", "32-bit floating-point arithmetic and products of integers", Unit.FMA)
    FP64 = ("FP64", "double precision", Unit.FP64)
    SFU = ("SFU", "reciprocals, square roots, sines, conversions", Unit.SFU)
    TENSOR = ("tensor", "products of a warp's matrices", Unit.WARP)
    SHUFFLE = ("shuffle", "shuffles, votes and matches of a warp", Unit.WARP)
    ADU = ("ADU", "barriers of blocks, constants loaded into registers, matches and reductions of a warp", Unit.WARP)
    TEXTURE = ("texture", "fetches of textures and surfaces", Unit.SFU)
    BRANCH = ("branch", "branches and reconvergence", Unit.BRANCH)
    LSU = ("LSU", "loads, stores and atomics of every space; shuffles from compute capability 7.0 on", Unit.LSU)

    def __init__(self, title: str, about: str, unit: Unit) -> None:
        self.title, self.about, self.unit = title, about, unit


_OF_UNIT = {
    Unit.ALU: Pipe.ALU, Unit.IDIV: Pipe.ALU, Unit.FP64: Pipe.FP64, Unit.SFU: Pipe.SFU, Unit.WARP: Pipe.SHUFFLE,
    Unit.BRANCH: Pipe.BRANCH, Unit.SYNC: Pipe.BRANCH, Unit.LSU: Pipe.LSU,
}  # fmt: skip
# Instructions that have another pipe than the rest of their unit, by the first part of their names.
_COUNTED = {
    "SHFL": Pipe.LSU, "MOVM": Pipe.LSU, "VOTE": Pipe.ALU, "VOTEU": Pipe.ALU, "MATCH": Pipe.ADU, "REDUX": Pipe.ADU,
    "BAR": Pipe.ADU, "LDC": Pipe.ADU, "S2R": Pipe.LSU, "S2UR": Pipe.ADU, "IDP": Pipe.FMA,
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
    counted = _counted(instruction) if device.has_nsight_compute else None
    return counted or _OF_UNIT[unit]


def _counted(instruction: Instruction) -> Pipe | None:
    if instruction.native is not None:
        return _COUNTED.get(instruction.native.mnemonic.partition(".")[0])
    if instruction.op in BLOCK_BARRIERS or instruction.space == Space.CONST:
        return Pipe.ADU
    return _COUNTED.get(instruction.op.name)


def is_matrix_product(instruction: Instruction) -> bool:
    """Return whether tensor cores execute the instruction, as they do some products of two pairs of halves."""
    native = instruction.native
    return instruction.op == Op.MMA or (native is not None and "MMA" in native.mnemonic)


def is_texture_fetch(instruction: Instruction) -> bool:
    """Return whether the texture unit executes the instruction."""
    return instruction.op == Op.TEX or (instruction.native is not None and instruction.native.meaning == "texture")
