"""Look up what operations take that NVIDIA's compiler writes out: exact divisions and roots, remainders of 64 bits,
quotients by a constant, and functions.

Each is one instruction as written. The figures are those of NVRTC 13's code for sm_90, timed as machine code by this
model, for numbers that are neither zero nor denormal, infinite or (of 64 bits) below 2^32, which have ways of their own
(``tests/sass/test_written_out.py`` times them again).
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.isa.modes import MathFn
from warpview.isa.ops import Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Type


class Sequence(NamedTuple):
    """Hold the cycles until the result of a sequence is there, those that it takes of its scheduler's pipes, and its
    instructions. ``branches`` says that it has a way of its own for special numbers, so that what follows in the
    source does not go between its instructions."""

    latency: int
    cycles: int
    instructions: int
    branches: bool = False


_LONG_QUOTIENT, _LONG_REMAINDER = Sequence(324, 116, 82, True), Sequence(324, 113, 78, True)
_EXACT = {
    (Op.DIV, Type.F32): Sequence(59, 17, 10, True), (Op.RCP, Type.F32): Sequence(79, 13, 10, True),
    (Op.SQRT, Type.F32): Sequence(57, 12, 10, True), (Op.RSQRT, Type.F32): Sequence(37, 8, 4),
    (Op.DIV, Type.F64): Sequence(126, 25, 17, True), (Op.RCP, Type.F64): Sequence(77, 15, 11, True),
    (Op.SQRT, Type.F64): Sequence(95, 25, 18, True), (Op.RSQRT, Type.F64): Sequence(71, 18, 14, True),
    (Op.DIV, Type.U64): _LONG_QUOTIENT, (Op.DIV, Type.S64): Sequence(350, 127, 94, True),
    (Op.REM, Type.U64): _LONG_REMAINDER, (Op.REM, Type.S64): Sequence(346, 121, 88, True),
}  # fmt: skip
_BY_CONSTANT = {
    (Op.DIV, Type.S32): Sequence(16, 4, 4), (Op.REM, Type.S32): Sequence(21, 5, 4),
    (Op.DIV, Type.U32): Sequence(8, 4, 2), (Op.REM, Type.U32): Sequence(17, 6, 4),
    (Op.DIV, Type.S64): Sequence(55, 30, 16), (Op.REM, Type.S64): Sequence(76, 41, 20),
    (Op.DIV, Type.U64): Sequence(42, 18, 8), (Op.REM, Type.U64): Sequence(77, 32, 18),
}  # fmt: skip
_FLOATS = {
    MathFn.SIN: Sequence(100, 27, 25, True), MathFn.COS: Sequence(105, 29, 26, True),
    MathFn.TAN: Sequence(116, 28, 23, True), MathFn.ASIN: Sequence(93, 26, 23), MathFn.ACOS: Sequence(96, 27, 24),
    MathFn.ATAN: Sequence(74, 20, 18), MathFn.SINH: Sequence(99, 31, 24), MathFn.COSH: Sequence(93, 27, 15),
    MathFn.TANH: Sequence(63, 20, 16), MathFn.EXP: Sequence(42, 11, 9), MathFn.EXP2: Sequence(21, 8, 2),
    MathFn.EXP10: Sequence(42, 11, 9), MathFn.EXPM1: Sequence(97, 31, 28), MathFn.LOG: Sequence(85, 29, 26),
    MathFn.LOG2: Sequence(93, 31, 28), MathFn.LOG10: Sequence(87, 29, 26), MathFn.LOG1P: Sequence(93, 27, 25),
    MathFn.CBRT: Sequence(76, 21, 16), MathFn.ERF: Sequence(66, 27, 23), MathFn.ERFC: Sequence(118, 49, 46),
    MathFn.TGAMMA: Sequence(218, 94, 89), MathFn.LGAMMA: Sequence(204, 60, 53), MathFn.POW: Sequence(266, 83, 74),
    MathFn.ATAN2: Sequence(132, 38, 34), MathFn.HYPOT: Sequence(110, 29, 24),
}  # fmt: skip
_DOUBLES = {
    MathFn.SIN: Sequence(233, 54, 41, True), MathFn.COS: Sequence(241, 55, 42, True),
    MathFn.EXP: Sequence(202, 53, 41), MathFn.LOG: Sequence(302, 97, 81), MathFn.TANH: Sequence(164, 51, 42),
    MathFn.POW: Sequence(916, 257, 208, True),
}  # fmt: skip


def sequence_of(program: Program, instruction: Instruction) -> Sequence | None:
    """Return what an instruction of code as written becomes; None where it stays one."""
    kind = instruction.type
    if instruction.approximate:
        return None
    if instruction.op in (Op.MATH1, Op.MATH2):
        return (_DOUBLES if kind == Type.F64 else _FLOATS).get(MathFn(instruction.mod))
    if not kind.is_float and instruction.op in (Op.DIV, Op.REM):
        known = program.constants64 if kind.is_wide else program.constants32
        if instruction.srcs[1] in known:
            return _BY_CONSTANT.get((instruction.op, kind))
    is_reciprocal = instruction.op == Op.DIV and _is_one(program, instruction)
    return _EXACT.get((Op.RCP if is_reciprocal else instruction.op, kind))


def _is_one(program: Program, division: Instruction) -> bool:
    """Return whether the dividend of floats is 1."""
    row = division.srcs[0]
    if division.type == Type.F64:
        return program.constants64.get(row) == 0x3FF0000000000000
    return division.type == Type.F32 and program.constants32.get(row) == 0x3F800000
