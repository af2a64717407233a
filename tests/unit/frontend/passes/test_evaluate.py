"""Constant folding gives the bits that the simulated machine gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from warpview.diagnostics import SourceText, Span
from warpview.frontend.ir import Const, Function, Instr, const
from warpview.frontend.passes.evaluate import evaluate
from warpview.frontend.passes.simplify import reduce_strength, simplify
from warpview.isa import ops
from warpview.isa.ops import OPS, Cmp, Op
from warpview.isa.program import operand_type
from warpview.isa.types import Space, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
WORDS = [Type.U32, Type.S32, Type.U64, Type.S64]
INTEGER_OPS = [
    Op.ADD, Op.SUB, Op.MUL, Op.MULHI, Op.MAD, Op.DIV, Op.REM, Op.MIN, Op.MAX, Op.NEG, Op.ABS, Op.AND, Op.OR, Op.XOR,
    Op.NOT, Op.SHL, Op.SHR, Op.POPC, Op.CLZ, Op.FFS, Op.BREV, Op.SETP, Op.SELP, Op.MULWIDE, Op.MADWIDE,
]  # fmt: skip
FLOAT_OPS = [Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.ABS, Op.SQRT, Op.SETP]
INTERESTING = [0, 1, 2, 4, 31, 32, 33, 63, 64, -1, -2, 0x7FFFFFFF, -0x80000000, 2**63 - 1, -(2**63), 1024]


def constants(type: Type) -> st.SearchStrategy[Const]:
    if type == Type.PRED:
        return st.integers(0, 1).map(lambda v: const(type, v))
    if type.is_float:
        width = 8 * type.bytes
        return st.floats(width=width, allow_nan=False).map(lambda v: const(type, v))
    return (st.sampled_from(INTERESTING) | st.integers(-(2**63), 2**64 - 1)).map(lambda v: const(type, v))


@st.composite
def instructions(draw: st.DrawFn) -> Instr:
    if draw(st.booleans()):
        type, op = draw(st.sampled_from([Type.F32, Type.F64])), draw(st.sampled_from(FLOAT_OPS))
    else:
        op = draw(st.sampled_from(INTEGER_OPS))
        type = draw(st.sampled_from(WORDS[:2] if op in (Op.MULWIDE, Op.MADWIDE) else WORDS))
    return _instruction(draw, op, type, Type.U32)


@st.composite
def conversions(draw: st.DrawFn) -> Instr:
    types = [t for t in Type if t != Type.PRED]
    return _instruction(draw, Op.CVT, draw(st.sampled_from(types)), draw(st.sampled_from(types)))


def _instruction(draw: st.DrawFn, op: Op, type: Type, stype: Type) -> Instr:
    mod = draw(st.sampled_from(list(Cmp))) if op == Op.SETP else 0
    srcs = tuple(draw(constants(operand_type(c, type, stype, Space.NONE))) for c in OPS[op].srcs)
    function = Function("k", SPAN.source, SPAN)
    dst = function.reg(operand_type(OPS[op].dst, type, stype, Space.NONE))
    return Instr(op, type, (dst,), srcs, SPAN, stype=stype, mod=int(mod))


def machine_result(instr: Instr) -> int:
    sources = [v.bits for v in instr.srcs if isinstance(v, Const)]
    return ops.operation(instr.op, instr.type, instr.stype, instr.mod)(*sources)


@given(instructions() | conversions())
@settings(max_examples=400, deadline=None)
def test_folding_gives_the_machine_s_bits(instr: Instr) -> None:
    result = evaluate(instr)
    if result is not None:
        assert result.bits == machine_result(instr), f"{instr} gives {result}"


@given(instructions())
@settings(max_examples=300, deadline=None)
def test_algebra_keeps_the_value(instr: Instr) -> None:
    """Only some operands are made known, so that the identities and not the folding do the work."""
    function = Function("k", SPAN.source, SPAN)
    srcs = tuple(function.reg(v.type) if k % 2 == 0 else v for k, v in enumerate(instr.srcs))
    values = dict(zip(srcs, instr.srcs, strict=True))
    simple = reduce_strength(simplify(Instr(instr.op, instr.type, instr.dsts, srcs, SPAN, mod=instr.mod)))
    known = tuple(values.get(v, v) for v in simple.srcs)
    if simple.op != instr.op or known != instr.srcs:
        again = Instr(simple.op, simple.type, simple.dsts, known, SPAN, stype=simple.stype, mod=simple.mod)
        assert machine_result(again) == machine_result(instr), f"{instr} became {simple}"
