"""List the PTX instructions that become one operation: one row each.

A row has the operation for integers and that for floats (None: there is none), and the number of sources. The meaning
of each is that of the *PTX ISA*. Functions of F32 that PTX calls approximate are those of the hardware, of F64 exact:
see ``assets/docs/machine-code.md``.
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.isa.modes import FLUSHES, Approximation, AtomOp, Cmp, ReduxOp, ShflMode, VoteMode
from warpview.isa.ops import MathFn, MemoryScope, Op
from warpview.isa.program import Special


class PtxRow(NamedTuple):
    """Describe an instruction that becomes one operation."""

    integer: Op | None
    floating: Op | None
    sources: int


ROWS: dict[str, PtxRow] = {
    "add": PtxRow(Op.ADD, Op.ADD, 2),
    "sub": PtxRow(Op.SUB, Op.SUB, 2),
    "mul": PtxRow(Op.MUL, Op.MUL, 2),
    "mul24": PtxRow(Op.MUL24, None, 2),
    "mad": PtxRow(Op.MAD, Op.FMA, 3),
    "mad24": PtxRow(Op.MAD24, None, 3),
    "fma": PtxRow(None, Op.FMA, 3),
    "div": PtxRow(Op.DIV, Op.DIV, 2),
    "rem": PtxRow(Op.REM, None, 2),
    "sad": PtxRow(Op.SAD, None, 3),
    "min": PtxRow(Op.MIN, Op.MIN, 2),
    "max": PtxRow(Op.MAX, Op.MAX, 2),
    "neg": PtxRow(Op.NEG, Op.NEG, 1),
    "abs": PtxRow(Op.ABS, Op.ABS, 1),
    "and": PtxRow(Op.AND, None, 2),
    "or": PtxRow(Op.OR, None, 2),
    "xor": PtxRow(Op.XOR, None, 2),
    "not": PtxRow(Op.NOT, None, 1),
    "shl": PtxRow(Op.SHL, None, 2),
    "shr": PtxRow(Op.SHR, None, 2),
    "popc": PtxRow(Op.POPC, None, 1),
    "clz": PtxRow(Op.CLZ, None, 1),
    "brev": PtxRow(Op.BREV, None, 1),
    "sqrt": PtxRow(None, Op.SQRT, 1),
    "rsqrt": PtxRow(None, Op.RSQRT, 1),
    "rcp": PtxRow(None, Op.RCP, 1),
    "sin": PtxRow(None, Op.APPROX1, 1),
    "cos": PtxRow(None, Op.APPROX1, 1),
    "ex2": PtxRow(None, Op.APPROX1, 1),
    "lg2": PtxRow(None, Op.APPROX1, 1),
    "tanh": PtxRow(None, Op.APPROX1, 1),
}
# Roundings that the operations have; the functions that PTX rounds as it likes come as "approx" or "full".
ROUNDINGS = frozenset({"rn", "approx", "full"})
FORMS = frozenset({"lo", "wide", "hi", "sat"})
_ALWAYS_APPROXIMATE = frozenset({"sin", "cos", "ex2", "lg2", "tanh", "rsqrt"})  # named so or not, as up to PTX 1.3

COMPARISONS = {
    "eq": Cmp.EQ, "ne": Cmp.NE, "lt": Cmp.LT, "le": Cmp.LE, "gt": Cmp.GT, "ge": Cmp.GE,
    "lo": Cmp.LT, "ls": Cmp.LE, "hi": Cmp.GT, "hs": Cmp.GE,
}  # fmt: skip
ORDERED = ("eq", "lt", "le", "gt", "ge")  # comparisons that are false where one is no number
# Of floats, true where one is no number: the complement of the opposite comparison.
OPPOSITES = {"ltu": Cmp.GE, "leu": Cmp.GT, "gtu": Cmp.LE, "geu": Cmp.LT}
TO_INTEGRAL = {"rni": MathFn.RINT, "rzi": MathFn.TRUNC, "rmi": MathFn.FLOOR, "rpi": MathFn.CEIL}
ATOMICS = {
    "add": AtomOp.ADD, "min": AtomOp.MIN, "max": AtomOp.MAX, "and": AtomOp.AND, "or": AtomOp.OR, "xor": AtomOp.XOR,
    "exch": AtomOp.EXCH, "inc": AtomOp.INC, "dec": AtomOp.DEC, "cas": AtomOp.CAS,
}  # fmt: skip
SCOPES = {
    "cta": MemoryScope.BLOCK, "cluster": MemoryScope.DEVICE, "gl": MemoryScope.DEVICE, "gpu": MemoryScope.DEVICE,
    "sys": MemoryScope.SYSTEM,
}  # fmt: skip
SHUFFLES = {"idx": ShflMode.IDX, "up": ShflMode.UP, "down": ShflMode.DOWN, "bfly": ShflMode.BFLY}
VOTES = {"all": VoteMode.ALL, "any": VoteMode.ANY, "uni": VoteMode.UNI, "ballot": VoteMode.BALLOT}
REDUCTIONS = {
    "add": ReduxOp.ADD, "min": ReduxOp.MIN, "max": ReduxOp.MAX, "and": ReduxOp.AND, "or": ReduxOp.OR,
    "xor": ReduxOp.XOR,
}  # fmt: skip
SPECIALS = {f"%{special.name.lower().replace('_', '.')}": special for special in Special}


def approximation(opcode: str, modifiers: tuple[str, ...]) -> Approximation | None:
    """Return the function of F32 that an instruction approximates; None of one that does not."""
    is_full = "full" in modifiers
    if not (opcode in _ALWAYS_APPROXIMATE or "approx" in modifiers or is_full):
        return None
    function = Approximation["DIV_FULL" if is_full else opcode.upper()]
    flushing = function | FLUSHES
    return Approximation(flushing) if "ftz" in modifiers and flushing in tuple(Approximation) else function
