"""The rows of the instruction table are whole, and agree with one another."""

import pytest

from warpview.isa.ops import OPS, SIDE_EFFECTS, Approximation, HalfFn, MathFn, Op, OpKind, Unit, operation
from warpview.isa.types import Type

COMPUTING = [op for op, info in OPS.items() if info.compute is not None]
TYPES = {"i": [t for t in Type if t not in (Type.PRED, Type.F32, Type.F64)], "w": [Type.U32, Type.S32],
         "h": [Type.U16], "f": [Type.F32, Type.F64], "r": [Type.F32], "p": [Type.PRED]}  # fmt: skip


def test_every_operation_has_a_row():
    assert list(OPS) == list(Op)


@pytest.mark.parametrize("op", Op, ids=lambda op: op.name)
def test_a_row_is_whole(op):
    info = OPS[op]
    assert set(info.dst) <= set("tswpu")
    assert set(info.srcs) <= set("tswpua")
    assert info.types in ("i", "w", "h", "f", "r", "hf", "ip", "if", "ifp")
    assert info.meaning
    assert bool(info.compute) <= (info.kind in (OpKind.ARITHMETIC, OpKind.MATH))
    if info.sentence:
        operands = len(info.srcs) + bool(info.dst) + (op == Op.BAR_RED)  # whose listing has the barrier's number
        assert f"{{{operands}}}" not in info.sentence
    if info.kind == OpKind.ARITHMETIC and op != Op.CLOCK:
        assert info.sentence, "what is executed often can be said in a sentence"


@pytest.mark.parametrize("op", COMPUTING, ids=lambda op: op.name)
def test_operations_compute_what_fits_their_register(op):
    info = OPS[op]
    for type_ in [t for letter in info.types for t in TYPES[letter]]:
        mod = {Op.MATH2: MathFn.POW, Op.FMA16: HalfFn.FMA_F16, Op.APPROX2: Approximation.DIV}.get(op, 0)
        result = operation(op, type_, Type.S32, mod)(*[1] * len(info.srcs))
        wide = type_.is_wide if info.dst == "t" else info.dst == "w"
        assert 0 <= result < 1 << (64 if wide else 32)


@pytest.mark.parametrize("op", [op for op in COMPUTING if OPS[op].commutes], ids=lambda op: op.name)
def test_operations_that_commute_do(op):
    info = OPS[op]
    for type_ in [t for letter in info.types for t in TYPES[letter]]:
        compute = operation(op, type_, Type.U32, 0)
        values = [0, 1] if type_ == Type.PRED else [0, 1, 5, 0x7F, 0x3F800000, 0xC0490FDB, 0x7FC00001, 0xFFFFFFFF]
        rest = [7] * (len(info.srcs) - 2)
        for a in values:
            for b in values:
                assert compute(a, b, *rest) == compute(b, a, *rest)


def test_only_operations_that_do_nothing_but_compute_or_read_may_be_moved():
    # A native instruction stands for one of the vendor's, whose own table says what it does.
    assert {op for op in Op if op not in SIDE_EFFECTS} == {*COMPUTING, Op.NOP, Op.LD, Op.NATIVE, Op.TEX}


def test_units():
    assert OPS[Op.MUL].unit_for(Type.S32) == Unit.IMUL
    assert OPS[Op.MUL].unit_for(Type.F32) == Unit.FMA
    assert OPS[Op.MUL].unit_for(Type.F64) == Unit.FP64
    assert OPS[Op.DIV].unit_for(Type.F32) == Unit.SFU
    assert OPS[Op.DIV].unit_for(Type.S64) == Unit.IDIV
    assert OPS[Op.SQRT].unit_for(Type.F64) == Unit.SFU
    assert OPS[Op.LD].unit_for(Type.F64) == Unit.LSU
