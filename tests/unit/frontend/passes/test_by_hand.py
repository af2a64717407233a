"""Small pieces of intermediate code, each with what one pass makes of it, worked out by hand."""

from __future__ import annotations

import pytest

from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import Function, Instr, ParamValue, Reg, SpecialValue, Value, const
from warpview.frontend.passes.coalesce_copies import coalesce_joins
from warpview.frontend.passes.fold_offsets import fold_offsets
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.simplify import reduce_strength, simplify
from warpview.isa.ops import Op
from warpview.isa.program import Param, Special
from warpview.isa.types import Space, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
TID, NTID = SpecialValue(Special.TID_X), SpecialValue(Special.NTID_X)
OUT = ParamValue(Type.U64, 0)


def start() -> Builder:
    params = [Param("out", "int*", Type.U64, -1, True)]
    return Builder(Function("kernel", SPAN.source, SPAN, params))


def instructions(b: Builder) -> list[Instr]:
    return [instr for block in b.function.blocks for instr in block.instrs]


@pytest.mark.parametrize(
    ("op", "factor", "becomes"),
    [
        (Op.MUL, 0, Op.MUL), (Op.MUL, 1, Op.SHL), (Op.MUL, 2, Op.SHL), (Op.MUL, 3, Op.MUL), (Op.MUL, 6, Op.MUL),
        (Op.MUL, 8, Op.SHL), (Op.DIV, 0, Op.DIV), (Op.DIV, 2, Op.SHR), (Op.DIV, 5, Op.DIV), (Op.DIV, 64, Op.SHR),
        (Op.REM, 0, Op.REM), (Op.REM, 4, Op.AND), (Op.REM, 12, Op.REM),
    ],
)  # fmt: skip
def test_powers_of_two_are_shifts_and_masks(op: Op, factor: int, becomes: Op) -> None:
    made = reduce_strength(Instr(op, Type.U32, (Reg(Type.U32, 1),), (TID, const(Type.U32, factor)), SPAN))
    assert made.op == becomes
    if becomes != op:
        right = factor - 1 if op == Op.REM else factor.bit_length() - 1
        assert made.srcs == (TID, const(Type.U32, right))


def test_division_by_a_variable_or_of_signed_numbers_stays() -> None:
    for type, right in ((Type.U32, NTID), (Type.S32, const(Type.S32, 4))):
        division = Instr(Op.DIV, type, (Reg(type, 1),), (TID, right), SPAN)
        assert reduce_strength(division) is division


@pytest.mark.parametrize(("factor", "op", "srcs"), [(0, Op.MOV, (NTID,)), (1, Op.ADD, (TID, NTID)), (2, Op.MAD, None)])
def test_multiply_add_by_a_constant(factor: int, op: Op, srcs: tuple[Value, ...] | None) -> None:
    given = (TID, const(Type.U32, factor), NTID)
    made = simplify(Instr(Op.MAD, Type.U32, (Reg(Type.U32, 1),), given, SPAN))
    assert (made.op, made.srcs) == (op, srcs or given)


def test_offsets_that_cancel_leave_the_sum_of_the_bases() -> None:
    """(tid + 4) + (ntid - 4) is tid + ntid, and the address of the load is that sum without an offset."""
    b = start()
    above = b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 4))
    below = b.emit(Op.ADD, Type.S32, NTID, const(Type.S32, -4))
    address = b.emit(Op.ADD, Type.S32, above, below)
    value = b.emit(Op.LD, Type.S32, address, space=Space.SHARED)
    b.effect(Op.ST, Type.S32, OUT, value, space=Space.GLOBAL)
    b.exit()
    fold_offsets(b.function)
    made = instructions(b)
    total = next(instr for instr in made if instr.dsts == (address,))
    load = next(instr for instr in made if instr.op == Op.LD)
    assert (total.op, total.srcs) == (Op.ADD, (TID, NTID))
    assert (load.srcs, load.imm) == ((address,), 0)


@pytest.mark.parametrize("pointer_first", [True, False])
def test_an_index_and_a_pointer_are_a_pointer(pointer_first: bool) -> None:
    """The sum of a parameter's pointer and a number that was loaded points into global memory, in either order."""
    b = start()
    index = b.emit(Op.LD, Type.S64, OUT, space=Space.GLOBAL)
    address = b.emit(Op.ADD, Type.U64, *((OUT, index) if pointer_first else (index, OUT)))
    b.effect(Op.ST, Type.S32, address, const(Type.S32, 1), space=Space.GENERIC)
    b.exit()
    infer_spaces(b.function)
    assert [instr.space for instr in instructions(b) if instr.op == Op.ST] == [Space.GLOBAL]


def joined(*, changes: str) -> Builder:
    """Return code in which a temporary is copied to a variable, and then one of the two is changed and both stored."""
    b = start()
    temporary, variable = b.reg(Type.S32), b.reg(Type.S32, "x")
    b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 1), dst=temporary)
    b.mov(variable, temporary)
    if changes == "sum":
        b.emit(Op.ADD, Type.S32, temporary, const(Type.S32, 1), dst=variable)
    elif changes == "constant":
        b.mov(variable, const(Type.S32, 7))
    elif changes == "temporary":
        b.emit(Op.ADD, Type.S32, NTID, const(Type.S32, 2), dst=temporary)
    b.effect(Op.ST, Type.S32, OUT, variable, space=Space.GLOBAL)
    b.effect(Op.ST, Type.S32, OUT, temporary, space=Space.GLOBAL, imm=4)
    b.exit()
    return b


@pytest.mark.parametrize("changes", ["sum", "constant", "temporary"])
def test_values_that_are_needed_together_keep_their_copy(changes: str) -> None:
    b = joined(changes=changes)
    before = instructions(b)
    coalesce_joins(b.function)
    assert instructions(b) == before


def test_a_copy_of_the_same_value_is_left_out() -> None:
    """While both hold the same value, one register serves both."""
    b = joined(changes="nothing")
    coalesce_joins(b.function)
    total, *stores = instructions(b)
    assert total.op == Op.ADD
    assert [store.op for store in stores] == [Op.ST, Op.ST]
    assert all(store.srcs[1] is total.dsts[0] and total.dsts[0].name == "x" for store in stores)
