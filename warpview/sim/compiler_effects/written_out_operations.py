"""Find the operations that NVIDIA's compiler writes out, which are one instruction as written: exact divisions and
roots, divisions of 64 bits and by constants, and functions, also in their fast form."""

from __future__ import annotations

from warpview.devices import Device, Sequence, written_out
from warpview.isa.modes import Approximation, MathFn
from warpview.isa.ops import ATOMIC_OPS, AtomOp, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space, Type


def sequence_of(program: Program, instruction: Instruction, device: Device) -> Sequence | None:
    """Return what an instruction of code as written becomes on a device; None where it stays one."""
    if instruction.op in ATOMIC_OPS and not _adds_floats_in_shared_memory(instruction):
        return None
    return written_out(device.sass).get(_name(program, instruction))


def _adds_floats_in_shared_memory(instruction: Instruction) -> bool:
    """Return whether an instruction is what becomes a loop: it loads a word and exchanges it for the sum until no other
    lane has changed it meanwhile."""
    adds = instruction.mod == AtomOp.ADD and instruction.type.is_float
    return adds and instruction.space == Space.SHARED and instruction.vec == 1


def _name(program: Program, instruction: Instruction) -> str:
    """Return the name of an operation in the table of those that are written out."""
    kind = instruction.type
    type = f"{kind.name.lower()}"
    if instruction.op in ATOMIC_OPS:
        return f"add_shared.{type}"
    if instruction.op in (Op.MATH1, Op.MATH2):
        return f"{MathFn(instruction.mod).name.lower()}.{type}"
    if not kind.is_float and instruction.op in (Op.DIV, Op.REM):
        known = program.constants64 if kind.is_wide else program.constants32
        if instruction.srcs[1] in known:
            return f"{instruction.op.name.lower()}.{type}.constant"
    if instruction.op in (Op.APPROX1, Op.APPROX2):
        return f"{Approximation(instruction.mod).ptx}.{type}"
    op = Op.RCP if instruction.op == Op.DIV and _is_one(program, instruction) else instruction.op
    return f"{op.name.lower()}.{type}"


def _is_one(program: Program, division: Instruction) -> bool:
    """Return whether the dividend of floats is 1."""
    row = division.srcs[0]
    if division.type == Type.F64:
        return program.constants64.get(row) == 0x3FF0000000000000
    return division.type == Type.F32 and program.constants32.get(row) == 0x3F800000
