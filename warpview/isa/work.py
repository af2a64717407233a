"""Count the arithmetic of an instruction: what a roofline and the profilers' counters of operations add up.

As the profilers do (Nsight Compute, Kernel Profiling Guide, "Roofline"; nvprof's ``flop_count_sp``): additions and
multiplications count one, multiply-adds two, special functions and conversions none. Our own division counts one;
machine code spells it out. Integer instructions count one each, whatever they compute.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from warpview.isa.matrices import COLUMNS, LANES, PRODUCTS
from warpview.isa.ops import MATRIX_OPS, OPS, HalfFn, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.isa.program import Instruction


class Work(IntEnum):
    """Name a kind of operations."""

    SINGLE = 0
    DOUBLE = 1
    HALF = 2
    MATRIX = 3  # floating-point operations of matrix instructions
    INTEGER = 4


FLOATING = (Work.SINGLE, Work.DOUBLE, Work.HALF, Work.MATRIX)

_ONE = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV})
# Those that compute integers and do not only move or convert them.
_INTEGER = frozenset(op for op, info in OPS.items() if info.compute and not {"i", "w"}.isdisjoint(info.types)) - {
    Op.MOV, Op.SELP, Op.CVT,
}  # fmt: skip
_HALF_ONE = frozenset({HalfFn.ADD_F16, HalfFn.SUB_F16, HalfFn.MUL_F16})
_NATIVE_FLOATING = {
    "fadd": (Work.SINGLE, 1), "fmul": (Work.SINGLE, 1), "fmulscaled": (Work.SINGLE, 1), "ffma": (Work.SINGLE, 2),
    "dadd": (Work.DOUBLE, 1), "dmul": (Work.DOUBLE, 1), "dfma": (Work.DOUBLE, 2),
    "hadd2": (Work.HALF, 2), "hmul2": (Work.HALF, 2), "hfma2": (Work.HALF, 4),
}  # fmt: skip
_NATIVE_INTEGER = frozenset(
    {"iadd3", "viadd", "imad", "imadwide", "imadhi", "iabs", "imnmx", "lea", "lop3", "shf", "sgxt",
     "viaddmnmx", "isetp", "flo", "popc", "idp", "vimnmx3", "i2i", "i2ip", "imma", "immasp"}
)  # fmt: skip
# A product of an m x k with a k x n matrix has 2 m n k operations; D has m n values and A m k, in all lanes together.


def work_of(instruction: Instruction) -> tuple[Work, int] | None:
    """Return the kind of an instruction's operations and how many each lane does; None where it does none."""
    native = instruction.native
    if native is not None:
        if native.meaning in ("hmma", "hmmasp", "hmmaquad", "dmma"):
            return Work.MATRIX, _matrix_operations(instruction)
        if native.is_uniform or native.meaning not in _NATIVE_INTEGER:
            return _NATIVE_FLOATING.get(native.meaning)
        return Work.INTEGER, 1
    if instruction.op in MATRIX_OPS:
        product = PRODUCTS[instruction.mod] if instruction.op == Op.MMA else None
        return (Work.MATRIX, product.operations) if product is not None and product.meaning != "imma" else None
    if instruction.op in (Op.OP16, Op.FMA16):
        times = 2 if instruction.op == Op.FMA16 else int(instruction.mod & ~1 in _HALF_ONE)
        return (Work.HALF, times) if times else None
    if instruction.type in (Type.F32, Type.F64):
        times = 2 if instruction.op == Op.FMA else int(instruction.op in _ONE)
        kind = Work.DOUBLE if instruction.type == Type.F64 else Work.SINGLE
        return (kind, times) if times else None
    is_integer = instruction.op in _INTEGER and instruction.type != Type.PRED
    return (Work.INTEGER, 1) if is_integer else None


def _matrix_operations(instruction: Instruction) -> int:
    """Return the operations of a lane: those of the product, over the lanes."""
    native = instruction.native
    assert native is not None
    a = native.sources["a"].span
    if native.meaning == "dmma":  # a double takes two registers
        values = a * LANES // 2
    else:
        # Registers of A hold two halves each, or one TF32.
        is_tf32 = native.meaning != "hmmaquad" and int(native.variant[0]) & 3 == 2
        values = a * LANES * (1 if is_tf32 else 2)
    steps = 1
    if native.meaning == "hmmaquad":  # a step is a part of the product: a fourth of floats, half of halves
        steps = 4 if int(native.variant[0]) & 16 else 2
    return 2 * values * COLUMNS // LANES // steps
