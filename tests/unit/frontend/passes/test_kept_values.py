"""What a pass must not take for the same value: small pieces of intermediate code, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import ArrayBounds, Function, Instr, ParamValue, Reg, SpecialValue, Value, const
from warpview.frontend.passes.coalesce_copies import coalesce
from warpview.frontend.passes.contract import contract
from warpview.frontend.passes.dce import remove_dead
from warpview.frontend.passes.fold_offsets import fold_offsets
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.join_bytes import join_bytes
from warpview.frontend.passes.narrow_doubles import narrow_doubles
from warpview.frontend.passes.part_access import is_accessible, register_access
from warpview.frontend.passes.promote import place_in_memory
from warpview.frontend.passes.reuse_loads import reuse_loads
from warpview.frontend.passes.rotate_loops import rotate
from warpview.frontend.passes.simplify import simplify
from warpview.frontend.passes.slot_parts import SlotAccess
from warpview.isa.ops import Cmp, HalfFn, Op
from warpview.isa.program import Param, Special
from warpview.isa.types import Space, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
TID, NTID, OTHER = SpecialValue(Special.TID_X), SpecialValue(Special.NTID_X), SpecialValue(Special.CTAID_X)
OUT = ParamValue(Type.U64, 0)
MINUS_ZERO = const(Type.U16, 0x8000)


def start() -> Builder:
    return Builder(Function("kernel", SPAN.source, SPAN, [Param("out", "int*", Type.U64, -1, True)]))


def instructions(b: Builder) -> list[Instr]:
    return [instr for block in b.function.blocks for instr in block.instrs]


def store(b: Builder, value: Value, imm: int = 0) -> None:
    b.effect(Op.ST, value.type, OUT, value, space=Space.GLOBAL, imm=imm)


# ------------------------------------------------------------------------------------------------- copies
@pytest.mark.parametrize("is_needed_later", [True, False])
def test_a_temporary_that_is_read_behind_a_change_of_its_variable_stays(is_needed_later: bool) -> None:
    """x = t; x = 7; then t is stored: computing t straight into x would store 7. Without that store it may be."""
    b = start()
    x = b.reg(Type.S32, "x")
    t = b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 1))
    b.mov(x, t)
    store(b, x)
    b.mov(x, const(Type.S32, 7))
    store(b, t if is_needed_later else x, imm=4)
    b.exit()
    coalesce(b.function)
    first = instructions(b)[0]
    assert first.dsts == ((t,) if is_needed_later else (x,))
    assert sum(instr.op == Op.MOV for instr in instructions(b)) == 1 + is_needed_later


def test_only_a_constant_is_noted_of_a_variable_that_nothing_reads() -> None:
    b = start()
    seven, total = b.reg(Type.S32, "seven"), b.reg(Type.S32, "total")
    b.mov(seven, const(Type.S32, 7))
    b.emit(Op.ADD, Type.S32, const(Type.S32, 3), TID, dst=total)
    b.exit()
    remove_dead(b.function)
    assert instructions(b) == []
    assert b.function.folded == {seven: const(Type.S32, 7)}


# ---------------------------------------------------------------------------------------------- addresses
def test_a_sum_is_not_taken_apart_over_a_base_that_changed() -> None:
    """a = x + 4; x = x + 8; the load of a must not become one of x + 4."""
    b = start()
    x = b.reg(Type.U32, "x")
    b.mov(x, TID)
    a = b.emit(Op.ADD, Type.U32, x, const(Type.U32, 4))
    early = b.emit(Op.LD, Type.S32, a, space=Space.SHARED)
    b.emit(Op.ADD, Type.U32, x, const(Type.U32, 8), dst=x)
    late = b.emit(Op.LD, Type.S32, a, space=Space.SHARED)
    store(b, b.emit(Op.ADD, Type.S32, early, late))
    b.exit()
    fold_offsets(b.function)
    first, second = (instr for instr in instructions(b) if instr.op == Op.LD)
    assert (first.srcs, first.imm) == ((x,), 4)
    assert (second.srcs, second.imm) == ((a,), 0)


def test_a_constant_is_scaled_with_the_index_that_it_is_added_to() -> None:
    """((tid + 3) << 2) + ntid is (tid << 2) + ntid, 12 bytes further."""
    b = start()
    scaled = b.emit(Op.SHL, Type.S32, b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 3)), const(Type.U32, 2))
    value = b.emit(Op.LD, Type.S32, b.emit(Op.ADD, Type.S32, scaled, NTID), space=Space.SHARED)
    store(b, value)
    b.exit()
    fold_offsets(b.function)
    assert [instr.imm for instr in instructions(b) if instr.op == Op.LD] == [12]


def test_a_word_is_loaded_again_where_its_address_has_changed() -> None:
    b = start()
    p = b.reg(Type.U64, "p")
    b.mov(p, OUT)
    first = b.emit(Op.LD, Type.S32, p, space=Space.GLOBAL)
    b.emit(Op.ADD, Type.U64, p, const(Type.U64, 4), dst=p)
    second = b.emit(Op.LD, Type.S32, p, space=Space.GLOBAL)
    store(b, b.emit(Op.ADD, Type.S32, first, second))
    b.exit()
    reuse_loads(b.function)
    assert sum(instr.op == Op.LD for instr in instructions(b)) == 2


@pytest.mark.parametrize(("index", "folded"), [(0, True), (3, True), (4, False), (-1, False)])
def test_a_constant_index_outside_its_array_stays_for_the_checks(index: int, folded: bool) -> None:
    """index * 4 + ntid of an array of 4 elements."""
    srcs = (const(Type.S32, index), const(Type.S32, 4), NTID)
    made = simplify(Instr(Op.MAD, Type.S32, (Reg(Type.S32, 1),), srcs, SPAN, bounds=ArrayBounds(0, 4)))
    assert (made.op != Op.MAD) is folded


def pointer_into(b: Builder, space: Space, offset: int) -> Reg:
    """Return a generic address that is also accessed, so that it is held as one in its space."""
    at = b.emit(Op.ADD, Type.U32, TID, const(Type.U32, offset))
    pointer = b.emit(Op.CVT, Type.U64, at, stype=Type.U32, space=space)
    b.effect(Op.ST, Type.U32, pointer, TID, space=Space.GENERIC)
    return pointer


def test_every_pointer_that_is_needed_as_a_number_is_a_generic_address() -> None:
    """p * p + q reads p twice; the register of each operand is one that something writes."""
    b = start()
    p, q = (pointer_into(b, Space.SHARED, offset) for offset in (4, 8))
    store(b, b.emit(Op.MAD, Type.U64, p, p, q))
    b.exit()
    infer_spaces(b.function)
    made = instructions(b)
    product = next(instr for instr in made if instr.op == Op.MAD)
    assert set(product.srcs) <= {dst for instr in made for dst in instr.dsts}
    assert len(set(product.srcs)) == 2


@pytest.mark.parametrize(("space", "names_block"), [(Space.SHARED, True), (Space.LOCAL, False)])
def test_an_address_names_the_block_of_a_cluster_in_shared_memory_alone(space: Space, names_block: bool) -> None:
    b = start()
    b.function.names_blocks = True
    store(b, pointer_into(b, space, 4))
    b.exit()
    infer_spaces(b.function)
    ranks = [instr for instr in instructions(b) if SpecialValue(Special.CLUSTER_RANK) in instr.srcs]
    assert bool(ranks) is names_block


# ------------------------------------------------------------------------------------------- parts of words
def test_the_bytes_of_a_number_in_front_of_a_word_are_four() -> None:
    b = start()
    word = b.emit(Op.MOV, Type.U32, TID)
    b.emit(Op.PRMT, Type.U32, const(Type.U32, 0), word, const(Type.U32, 0x7654))
    b.exit()
    assert join_bytes(b.function)
    assert (instructions(b)[-1].op, instructions(b)[-1].srcs) == (Op.MOV, (word,))


@pytest.mark.parametrize(("mask", "changes", "joined"), [(0xFFFF, False, True), (0xFFFF, True, False),
                                                         (0x7FFF, False, False)])  # fmt: skip
def test_the_parts_of_a_word_are_joined_while_it_is_the_same(mask: int, changes: bool, joined: bool) -> None:
    b = start()
    word = b.reg(Type.U32, "word")
    b.mov(word, TID)
    lower = b.emit(Op.AND, Type.U32, word, const(Type.U32, mask))
    upper = b.emit(Op.SHR, Type.U32, word, const(Type.U32, 16))
    if changes:
        b.mov(word, NTID)
    b.emit(Op.PRMT, Type.U32, lower, upper, const(Type.U32, 0x5410))
    b.exit()
    join_bytes(b.function)
    assert (instructions(b)[-1].srcs[0] == word) is joined


@pytest.mark.parametrize(
    ("parts", "type", "offset", "accessible"),
    [
        ({0: Type.U8}, Type.U32, 0, False), ({0: Type.U32}, Type.U8, 3, True), ({0: Type.F64}, Type.U8, 1, False),
        ({0: Type.U16, 2: Type.U16}, Type.U32, 0, True), ({0: Type.U16, 2: Type.U8}, Type.U32, 0, False),
    ],
)  # fmt: skip
def test_parts_hold_an_access(parts: dict[int, Type], type: Type, offset: int, accessible: bool) -> None:
    registers = {at: Reg(part, 1 + at) for at, part in parts.items()}
    assert is_accessible(registers, SlotAccess(offset, type, is_load=True, is_constant=False)) is accessible


def test_a_truth_value_is_the_lowest_byte_of_a_part() -> None:
    """0x100 as two bytes is false in its first one."""
    part, truth = Reg(Type.U16, 1), Reg(Type.PRED, 2)
    load = Instr(Op.LD, Type.PRED, (truth,), (OUT,), SPAN, space=Space.LOCAL)
    byte, test = register_access(start().function, load, {0: part})
    assert (byte.op, byte.type, byte.srcs) == (Op.MOV, Type.U8, (part,))
    assert (test.op, test.srcs, test.mod) == (Op.SETP, (byte.dsts[0], const(Type.S32, 0)), Cmp.NE)


def test_a_store_of_a_byte_keeps_the_others_of_its_word() -> None:
    part = Reg(Type.U32, 1)
    into = Instr(Op.ST, Type.U8, (), (OUT, Reg(Type.U8, 2)), SPAN, space=Space.LOCAL)
    kept = register_access(start().function, into, {0: part}, offset=1)[0]
    assert (kept.op, kept.srcs) == (Op.AND, (part, const(Type.U32, 0xFFFF00FF)))


def test_a_store_of_a_word_goes_to_each_of_its_bytes() -> None:
    parts = {k: Reg(Type.U8, 1 + k) for k in range(4)}
    into = Instr(Op.ST, Type.U32, (), (OUT, Reg(Type.U32, 9)), SPAN, space=Space.LOCAL)
    made = register_access(start().function, into, parts)
    assert {dst for instr in made for dst in instr.dsts} >= set(parts.values())


def test_a_truth_value_that_is_known_is_stored_as_a_byte_at_its_address() -> None:
    b = start()
    b.effect(Op.ST, Type.PRED, OUT, const(Type.PRED, 1), space=Space.GLOBAL)
    b.exit()
    place_in_memory(b.function)
    (made,) = instructions(b)
    assert (made.type, made.srcs) == (Type.U8, (OUT, const(Type.U8, 1)))


# ------------------------------------------------------------------------------------------------- floats
@pytest.mark.parametrize("changes", [True, False])
def test_a_float_that_changes_is_not_what_its_double_was_made_from(changes: bool) -> None:
    b = start()
    x = b.reg(Type.F32, "x")
    b.mov(x, ParamValue(Type.F32, 8))
    wide = b.emit(Op.CVT, Type.F64, x, stype=Type.F32)
    if changes:
        b.mov(x, const(Type.F32, 1.0))
    b.emit(Op.CVT, Type.F32, wide, stype=Type.F64)
    b.exit()
    narrow_doubles(b.function)
    last = instructions(b)[-1]
    assert (last.op, last.srcs[0]) == ((Op.CVT, wide) if changes else (Op.MOV, x))


def of_halves(b: Builder, fn: HalfFn, *srcs: Value) -> Reg:
    value = b.emit(Op.OP16, Type.U16, *srcs, mod=fn)
    b.block.instrs[-1] = replace(b.block.instrs[-1], contracts=True)
    return value


@pytest.mark.parametrize("outer", [HalfFn.SUB_F16, HalfFn.ADD_F16])
def test_the_opposite_of_a_product_of_halves_is_added(outer: HalfFn) -> None:
    """(-0 - x * y) + z is -x * y + z; -0 + x * y is a sum of its own, and takes the product."""
    b = start()
    x, y, z = (ParamValue(Type.U16, 8 + 2 * k) for k in range(3))
    product = of_halves(b, HalfFn.MUL_F16, x, y)
    signed = of_halves(b, outer, MINUS_ZERO, product)
    store(b, of_halves(b, HalfFn.ADD_F16, signed, z))
    b.exit()
    contract(b.function)
    remove_dead(b.function)
    joined = next(instr for instr in instructions(b) if instr.op == Op.FMA16)
    if outer == HalfFn.ADD_F16:
        assert joined.srcs == (x, y, MINUS_ZERO)
    else:
        negative = instructions(b)[0]
        assert (negative.mod, negative.srcs) == (HalfFn.SUB_F16, (MINUS_ZERO, x))
        assert joined.srcs == (negative.dsts[0], y, z)


# ------------------------------------------------------------------------------------------------- loops
def test_the_copy_of_a_loop_test_has_its_guards() -> None:
    b = start()
    head, body, end = b.new_block("head"), b.new_block("body"), b.new_block("end")
    x = b.reg(Type.S32, "x")
    b.mov(x, TID)
    b.place(head)
    limit = b.emit(Op.SETP, Type.S32, x, NTID, mod=Cmp.LT)
    b.mov(x, OTHER)
    b.block.instrs[-1] = replace(b.block.instrs[-1], guard=limit)
    b.branch(b.emit(Op.SETP, Type.S32, x, NTID, mod=Cmp.LT), body, end)
    b.place(body)
    store(b, x)
    b.jump(head)
    b.place(end)
    b.exit()
    rotate(b.function)
    again = next(block for block in b.function.blocks if block.label.endswith(".again"))
    test, guarded, _ = again.instrs
    assert guarded.guard is test.dsts[0]
    assert test.dsts[0] is not limit
