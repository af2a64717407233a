"""Small pieces of intermediate code, each with what one pass makes of it, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.calls import calls_in

from warpview.diagnostics import CompileError, SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import (
    ArrayBounds,
    Function,
    Instr,
    ParamValue,
    Reg,
    Slot,
    SlotAddress,
    SpecialValue,
    Value,
    const,
)
from warpview.frontend.passes import optimise
from warpview.frontend.passes.coalesce_copies import coalesce_joins
from warpview.frontend.passes.cse import eliminate_common_subexpressions
from warpview.frontend.passes.fold_offsets import fold_offsets
from warpview.frontend.passes.fuse import fuse
from warpview.frontend.passes.if_convert import if_convert
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.join_bytes import join_bytes
from warpview.frontend.passes.liveness import ABI_REGISTERS, registers_per_thread
from warpview.frontend.passes.promote import check_local_memory, place_in_memory, promote
from warpview.frontend.passes.propagate_constants import propagate
from warpview.frontend.passes.reuse_loads import KnownWords, MemoryWord, remove_overwritten_stores, reuse_loads
from warpview.frontend.passes.rotate_loops import rotate
from warpview.frontend.passes.simplify import reduce_strength, simplify
from warpview.frontend.passes.spin_loops import spin_exits
from warpview.frontend.passes.unroll_loops import unroll
from warpview.isa.ops import AtomOp, Cmp, Op
from warpview.isa.program import Param, Special, Variable
from warpview.isa.types import SHARED_WINDOW, Space, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
TID, NTID, OTHER = SpecialValue(Special.TID_X), SpecialValue(Special.NTID_X), SpecialValue(Special.CTAID_X)
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


def test_a_variable_that_is_watched_keeps_its_name() -> None:
    """The register of x takes the temporary's place, but y, which the temporary was, is not shown as x."""
    b = joined(changes="nothing")
    total, copy = instructions(b)[:2]
    temporary, variable = total.dsts[0], copy.dsts[0]
    b.function.variables = [(Variable("x", "int", Type.S32), variable), (Variable("y", "int", Type.S32), temporary)]
    coalesce_joins(b.function)
    assert [(v.name, register) for v, register in b.function.variables] == [("x", variable), ("y", temporary)]


def test_a_temporary_that_is_watched_is_shown_where_it_went() -> None:
    b = joined(changes="nothing")
    total, copy = instructions(b)[:2]
    b.function.variables = [(Variable("y", "int", Type.S32), total.dsts[0])]
    coalesce_joins(b.function)
    assert [register for _, register in b.function.variables] == [copy.dsts[0]]


def slot_of(b: Builder, **types: Type) -> SlotAddress:
    """Return the address of a variable of 8 bytes with parts of these types, by their byte offsets."""
    slot = Slot("s", 8, 4, {int(offset[2:]): type for offset, type in types.items()}, SPAN)
    b.function.slots.append(slot)
    return SlotAddress(slot)


def test_a_part_has_the_register_that_its_declaration_says() -> None:
    """A float whose bits are written as an integer still lives in a register for floats."""
    b = start()
    place = slot_of(b, at0=Type.F32)
    b.effect(Op.ST, Type.U32, place, const(Type.U32, 0x3F800000), space=Space.LOCAL)
    b.exit()
    promote(b.function)
    place_in_memory(b.function)
    assert place.slot.registers is not None
    assert {offset: register.type for offset, register in place.slot.registers.items()} == {0: Type.F32}


@pytest.mark.parametrize(("offset", "in_registers"), [(2, True), (3, False), (4, True), (6, True), (7, False)])
def test_parts_that_lie_across_or_stick_out_stay_in_memory(offset: int, in_registers: bool) -> None:
    """Beside the word at byte 0, two bytes at ``offset`` of eight: at byte 2 they lie within it, at byte 3 across its
    end, at byte 7 one is too far."""
    b = start()
    place = slot_of(b, at0=Type.U32)
    b.effect(Op.ST, Type.U32, place, const(Type.U32, 1), space=Space.LOCAL)
    b.effect(Op.ST, Type.U16, place, const(Type.U16, 2), space=Space.LOCAL, imm=offset)
    b.exit()
    promote(b.function)
    place_in_memory(b.function)
    assert (place.slot.registers is not None) is in_registers
    assert b.function.local_bytes == (0 if in_registers else 8)


@pytest.mark.parametrize(("holds", "negated"), [(1, False), (0, True)])
def test_a_guard_that_always_holds_is_left_out(holds: int, negated: bool) -> None:
    """``@!p`` with a p that is false becomes the plain instruction, equal to one that never had a guard."""
    b = start()
    b.effect(Op.ST, Type.S32, OUT, TID, space=Space.GLOBAL, guard=const(Type.PRED, holds), guard_negated=negated)
    b.exit()
    propagate(b.function)
    plain = Instr(Op.ST, Type.S32, (), (OUT, TID), SPAN, space=Space.GLOBAL)
    assert instructions(b) == [plain]


def loop_on(op: AtomOp, *operands: Value) -> Builder:
    """Return a loop that is left when an atomic operation on a word of global memory returns zero."""
    b = start()
    head, after = b.new_block("head"), b.new_block("after")
    b.place(head)
    old = b.emit(Op.ATOM, Type.U32, OUT, *operands, mod=op, space=Space.GLOBAL)
    b.branch(b.emit(Op.SETP, Type.U32, old, const(Type.U32, 0), mod=Cmp.NE), head, after)
    b.place(after)
    b.exit()
    return b


ZERO, ONE = const(Type.U32, 0), const(Type.U32, 1)


@pytest.mark.parametrize(
    ("op", "operands", "waits"),
    [
        (AtomOp.CAS, (ZERO, ONE), True), (AtomOp.EXCH, (ONE,), True),  # a lock
        (AtomOp.CAS, (TID, NTID), False), (AtomOp.EXCH, (TID,), False),  # an update that is tried again
        (AtomOp.ADD, (ONE,), False), (AtomOp.MAX, (ONE,), False),  # a queue of work
    ],
)  # fmt: skip
def test_loops_that_wait_for_a_lock_are_told_from_others(
    op: AtomOp, operands: tuple[Value, ...], waits: bool
) -> None:  # fmt: skip
    b = loop_on(op, *operands)
    assert set(spin_exits(b.function)) == ({b.function.blocks[1]} if waits else set())


def test_a_wait_may_have_several_blocks() -> None:
    """It is left from its first block; the last one leads back there."""
    b = start()
    head, body, after = b.new_block("head"), b.new_block("body"), b.new_block("after")
    b.place(head)
    old = b.emit(Op.ATOM, Type.U32, OUT, ZERO, ONE, mod=AtomOp.CAS, space=Space.GLOBAL)
    b.branch(b.emit(Op.SETP, Type.U32, old, ZERO, mod=Cmp.NE), body, after)
    b.place(body)
    b.jump(head)
    b.place(after)
    b.exit()
    assert spin_exits(b.function) == {head: {head, body}}


@pytest.mark.parametrize(("selector", "joined"), [(0x5410, True), (0x5210, False), (0x1054, False)])
def test_the_halves_of_a_word_in_order_are_the_word(selector: int, joined: bool) -> None:
    """Each half has zeros above it: byte 2 of the lower one is not that of the word."""
    b = start()
    word = b.emit(Op.MOV, Type.U32, TID)
    upper = b.emit(Op.SHR, Type.U32, word, const(Type.U32, 16))
    halves = [b.emit(Op.CVT, Type.U16, part, stype=Type.U32) for part in (word, upper)]
    b.emit(Op.PRMT, Type.U32, *halves, const(Type.U32, selector))
    b.exit()
    assert join_bytes(b.function) is joined
    last = instructions(b)[-1]
    assert (last.op, last.srcs[0]) == ((Op.MOV, word) if joined else (Op.PRMT, halves[0]))


@pytest.mark.parametrize(("number", "joined"), [(0, True), (0xFF0000, True), (0x100, False)])
def test_a_half_below_the_zeros_of_a_number_is_the_half(number: int, joined: bool) -> None:
    b = start()
    half = b.emit(Op.CVT, Type.U16, TID, stype=Type.U32)
    b.emit(Op.PRMT, Type.U32, half, const(Type.U32, number), const(Type.U32, 0x5410))
    b.exit()
    assert join_bytes(b.function) is joined
    assert instructions(b)[-1].op == (Op.MOV if joined else Op.PRMT)


def test_what_a_branch_on_a_constant_leaves_is_propagated() -> None:
    """A block that is never reached assigned x too: without it, which the first round tells, the store writes 5."""
    b = start()
    x = b.reg(Type.S32, "x")
    never, after = b.new_block("never"), b.new_block("after")
    b.mov(x, const(Type.S32, 5))
    b.branch(b.emit(Op.SETP, Type.S32, const(Type.S32, 1), const(Type.S32, 1), mod=Cmp.EQ), after, never)
    b.place(never)
    b.mov(x, const(Type.S32, 7))
    b.place(after)
    b.effect(Op.ST, Type.S32, OUT, x, space=Space.GLOBAL)
    b.exit()
    optimise(b.function, predicate=False)
    (store,) = [instr for instr in instructions(b) if instr.op == Op.ST]
    assert store.srcs[1] == const(Type.S32, 5)


@pytest.mark.parametrize("other", [(TID, OTHER, NTID), (TID, NTID, const(Type.U32, 3)), (TID, OTHER, OTHER)])
def test_products_with_another_factor_or_addend_are_other_values(other: tuple[Value, ...]) -> None:
    b = start()
    for offset, srcs in enumerate(((TID, NTID, OTHER), other)):
        value = b.emit(Op.MAD, Type.U32, *srcs)
        b.effect(Op.ST, Type.U32, OUT, value, space=Space.GLOBAL, imm=4 * offset)
    b.exit()
    assert not eliminate_common_subexpressions(b.function)


def test_a_product_with_its_factors_exchanged_is_the_same_value() -> None:
    b = start()
    for offset, srcs in enumerate(((TID, NTID, OTHER), (NTID, TID, OTHER))):
        value = b.emit(Op.MAD, Type.U32, *srcs)
        b.effect(Op.ST, Type.U32, OUT, value, space=Space.GLOBAL, imm=4 * offset)
    b.exit()
    assert eliminate_common_subexpressions(b.function)


@pytest.mark.parametrize(
    ("space", "type", "imm"),
    [(Space.SHARED, Type.U32, -4), (Space.GLOBAL, Type.U64, -4), (Space.GLOBAL, Type.U64, 1 << 40)],
)
def test_offsets_are_signed_in_the_width_of_their_address(space: Space, type: Type, imm: int) -> None:
    """Unsigned arithmetic adds 2^32 - 4 to a shared address in place of taking 4 from it."""
    b = start()
    base = b.emit(Op.LD, type, OUT, space=Space.GLOBAL)
    value = b.emit(Op.LD, Type.U32, b.emit(Op.ADD, type, base, const(type, imm)), space=space)
    b.effect(Op.ST, Type.U32, OUT, value, space=Space.GLOBAL)
    b.exit()
    fold_offsets(b.function)
    load = next(instr for instr in instructions(b) if instr.dsts == (value,))
    assert (load.srcs, load.imm) == ((base,), imm)


@pytest.mark.parametrize(("type", "imm"), [(Type.S32, 16), (Type.U32, 0)])
def test_only_signed_sums_are_taken_apart_through_a_widening(type: Type, imm: int) -> None:
    """An unsigned sum may wrap: widened as a signed number, it is not what its parts are."""
    b = start()
    index = b.emit(Op.ADD, type, TID, const(type, 16))
    address = b.emit(Op.ADD, Type.U64, OUT, b.emit(Op.CVT, Type.S64, index, stype=Type.S32))
    b.effect(Op.ST, Type.S32, address, TID, space=Space.GLOBAL)
    b.exit()
    fold_offsets(b.function)
    (store,) = [instr for instr in instructions(b) if instr.op == Op.ST]
    assert store.imm == imm


def test_bounds_of_an_index_move_with_it() -> None:
    """An index tid + 2 from 0 to 9 is a tid from -2 to 7."""
    b = start()
    index = b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 2))
    place = b.emit(Op.SHL, Type.S32, index, const(Type.U32, 2), bounds=ArrayBounds(0, 10))
    value = b.emit(Op.LD, Type.S32, place, space=Space.SHARED)
    b.effect(Op.ST, Type.S32, OUT, value, space=Space.GLOBAL)
    b.exit()
    fold_offsets(b.function)
    (shift,) = [instr for instr in instructions(b) if instr.op == Op.SHL]
    assert shift.bounds == ArrayBounds(-2, 8)


def test_a_pointer_that_may_be_the_sum_of_two_is_of_no_known_space() -> None:
    b = start()
    pointer = b.reg(Type.U64, "p")
    b.mov(pointer, OUT)
    b.emit(Op.ADD, Type.U64, OUT, OUT, dst=pointer)
    b.effect(Op.ST, Type.S32, pointer, const(Type.S32, 1), space=Space.GENERIC)
    b.exit()
    infer_spaces(b.function)
    assert [instr.space for instr in instructions(b) if instr.op == Op.ST] == [Space.GENERIC]


def test_a_pointer_that_a_loop_advances_keeps_its_space() -> None:
    """The step is found to be no pointer only after the pointer itself was looked at."""
    b = start()
    step, pointer = b.reg(Type.S64), b.reg(Type.U64, "p")
    loop, after = b.new_block("loop"), b.new_block("after")
    b.emit(Op.LD, Type.S64, OUT, space=Space.GLOBAL, dst=step)
    b.mov(pointer, OUT)
    b.place(loop)
    b.effect(Op.ST, Type.S32, pointer, const(Type.S32, 1), space=Space.GENERIC)
    b.emit(Op.ADD, Type.U64, pointer, step, dst=pointer)
    b.branch(b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.NE), loop, after)
    b.place(after)
    b.exit()
    infer_spaces(b.function)
    assert [instr.space for instr in instructions(b) if instr.op == Op.ST] == [Space.GLOBAL]


@pytest.mark.parametrize(("reads", "held"), [(1, 0), (2, 1), (3, 1)])
def test_a_special_value_that_is_read_twice_takes_a_register(reads: int, held: int) -> None:
    b = start()
    for _ in range(reads):
        b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL)
    values = [b.emit(Op.LD, Type.U32, OUT, space=Space.GLOBAL) for _ in range(32)]  # more than the least number
    for value in values:
        b.effect(Op.ST, Type.U32, OUT, value, space=Space.GLOBAL)
    b.exit()
    assert registers_per_thread(b.function) == len(values) + ABI_REGISTERS + held


@pytest.mark.parametrize(
    ("word", "written", "elements", "overlaps"),
    [(4, 0, 1, False), (4, 1, 1, True), (4, 4, 1, True), (4, 7, 1, True), (4, 8, 1, False), (4, 0, 2, True),
     (8, 0, 2, False), (12, 0, 4, True), (16, 0, 4, False)],
)  # fmt: skip
def test_a_write_beside_a_word_leaves_it(word: int, written: int, elements: int, overlaps: bool) -> None:
    values = (TID,) * elements
    store = Instr(Op.ST, Type.U32, (), (OUT, *values), SPAN, space=Space.GLOBAL, imm=written, vec=elements)
    known, held = KnownWords(), MemoryWord(Space.GLOBAL, OUT, word, Type.U32, lasting=False)
    known.add(held, TID)
    known.drop_touched(store)
    assert (held not in known.values) is overlaps


def test_what_one_way_overwrites_is_known_on_the_other() -> None:
    b = start()
    then, other = b.new_block("then"), b.new_block("other")
    first = b.emit(Op.LD, Type.U32, OUT, space=Space.GLOBAL)
    b.branch(b.emit(Op.SETP, Type.U32, TID, first, mod=Cmp.LT), then, other)
    for block in (then, other):
        b.place(block)
        if block is then:
            b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL)
        again = b.emit(Op.LD, Type.U32, OUT, space=Space.GLOBAL)
        b.effect(Op.ST, Type.U32, OUT, again, space=Space.GLOBAL, imm=4)
        b.exit()
    reuse_loads(b.function)
    copied = [[i.srcs[0] for i in block.instrs if i.op == Op.MOV] for block in (then, other)]
    assert copied == [[TID], [first]]


def test_a_thread_has_half_a_megabyte_of_local_memory() -> None:
    """CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"."""
    check_local_memory(512 * 1024, SPAN)
    with pytest.raises(CompileError, match="more local memory than a thread can have"):
        check_local_memory(512 * 1024 + 1, SPAN)


def test_a_constant_in_the_logic_of_predicates_decides_it() -> None:
    predicate, result = Reg(Type.PRED, 1), Reg(Type.PRED, 2)
    for op, right, becomes in (
        (Op.OR, 1, const(Type.PRED, 1)), (Op.OR, 0, predicate), (Op.AND, 1, predicate),
        (Op.AND, 0, const(Type.PRED, 0)), (Op.XOR, 0, predicate),
    ):  # fmt: skip
        made = simplify(Instr(op, Type.PRED, (result,), (predicate, const(Type.PRED, right)), SPAN))
        assert (made.op, made.srcs) == (Op.MOV, (becomes,))


def counting_loop(trips: int, stores: int, leaves_first: bool) -> Builder:
    """Return a loop that counts to ``trips``, whose branch names the way out or the way back first."""
    b = start()
    i = b.reg(Type.S32, "i")
    loop, after = b.new_block("loop"), b.new_block("after")
    b.mov(i, const(Type.S32, 0))
    b.place(loop)
    for _ in range(stores):
        b.effect(Op.ST, Type.S32, OUT, TID, space=Space.GLOBAL)
    b.emit(Op.ADD, Type.S32, i, const(Type.S32, 1), dst=i)
    if leaves_first:
        b.branch(b.emit(Op.SETP, Type.S32, i, const(Type.S32, trips), mod=Cmp.EQ), after, loop)
    else:
        b.branch(b.emit(Op.SETP, Type.S32, i, const(Type.S32, trips), mod=Cmp.NE), loop, after)
    b.place(after)
    b.exit()
    return b


@pytest.mark.parametrize("leaves_first", [True, False])
@pytest.mark.parametrize(
    ("trips", "stores", "written_out"),
    [(4, 1, True), (32, 1, True), (33, 1, False), (4, 254, True), (4, 255, False)],
)
def test_loops_are_written_out_to_a_limit(trips: int, stores: int, written_out: bool, leaves_first: bool) -> None:
    """At most 32 trips, and 1024 instructions: two of each trip count and compare."""
    b = counting_loop(trips, stores, leaves_first)
    assert unroll(b.function) is written_out
    assert sum(instr.op == Op.ST for instr in instructions(b)) == stores * (trips if written_out else 1)


@pytest.mark.parametrize(("written", "aligned"), [(0, 0), (1, 16), (16, 16), (17, 32), (32, 32), (33, 48)])
def test_dynamic_shared_memory_begins_at_a_multiple_of_16_bytes(written: int, aligned: int) -> None:
    b = start()
    b.exit()
    b.function.static_shared_bytes, b.function.uses_dynamic_shared = written, True
    promote(b.function)
    place_in_memory(b.function)
    assert b.function.static_shared_bytes == aligned


@pytest.mark.parametrize(
    ("space", "read_only", "loads"), [(Space.CONST, False, 1), (Space.GLOBAL, True, 1), (Space.GLOBAL, False, 2)]
)
def test_what_nobody_writes_is_loaded_once_across_a_barrier(space: Space, read_only: bool, loads: int) -> None:
    b = start()
    first = b.emit(Op.LD, Type.S32, OUT, space=space, read_only=read_only)
    b.effect(Op.BAR_SYNC)
    second = b.emit(Op.LD, Type.S32, OUT, space=space, read_only=read_only)
    b.effect(Op.ST, Type.S32, OUT, b.emit(Op.ADD, Type.S32, first, second), space=Space.GLOBAL)
    b.exit()
    reuse_loads(b.function)
    assert sum(instr.op == Op.LD for instr in instructions(b)) == loads


@pytest.mark.parametrize(
    ("op", "imm", "stores"), [(None, 0, 1), (Op.LD, 0, 2), (Op.LD, 4, 1), (Op.BAR_SYNC, 0, 2), (Op.ADD, 0, 1)]
)
def test_a_store_that_nobody_sees_is_left_out(op: Op | None, imm: int, stores: int) -> None:
    b = start()
    b.effect(Op.ST, Type.S32, OUT, TID, space=Space.GLOBAL)
    if op == Op.LD:
        b.emit(op, Type.S32, OUT, space=Space.GLOBAL, imm=imm)
    elif op == Op.ADD:
        b.emit(op, Type.S32, TID, NTID)
    elif op is not None:
        b.effect(op)
    b.effect(Op.ST, Type.S32, OUT, NTID, space=Space.GLOBAL)
    b.exit()
    remove_overwritten_stores(b.function)
    left = [instr.srcs[1] for instr in instructions(b) if instr.op == Op.ST]
    assert left == [TID, NTID][-stores:]


@pytest.mark.parametrize(("from_above_only", "loads"), [(True, 1), (False, 2)])
def test_a_value_is_known_in_the_next_block_where_no_other_leads_there(from_above_only: bool, loads: int) -> None:
    b = start()
    beside, after = b.new_block("beside"), b.new_block("after")
    if not from_above_only:
        above = b.new_block("above")
        b.branch(b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.LT), above, beside)
        b.place(above)
    b.emit(Op.LD, Type.S32, OUT, space=Space.GLOBAL)
    b.jump(after)
    if not from_above_only:
        b.place(beside)
    b.place(after)
    b.effect(Op.ST, Type.S32, OTHER, b.emit(Op.LD, Type.S32, OUT, space=Space.GLOBAL), space=Space.GLOBAL)
    b.exit()
    reuse_loads(b.function)
    assert sum(instr.op == Op.LD for instr in instructions(b)) == loads


def test_a_block_that_is_a_loop_by_itself_gets_no_second_test() -> None:
    """It ends with its test already, though another block leads back to it, too."""
    b = start()
    head, back, end = b.new_block("head"), b.new_block("back"), b.new_block("end")
    b.branch(b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.LT), head, back)
    b.place(head)
    b.branch(b.emit(Op.SETP, Type.U32, OTHER, NTID, mod=Cmp.LT), head, end)
    b.place(back)
    b.jump(head)
    b.place(end)
    b.exit()
    blocks = list(b.function.blocks)
    rotate(b.function)
    assert b.function.blocks == blocks


def test_the_copy_of_a_loop_test_stands_behind_the_last_block_of_the_loop() -> None:
    b = start()
    head, body = b.new_block("head"), b.new_block("body")
    after, end = b.new_block("after"), b.new_block("end")
    b.place(head)
    b.branch(b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.LT), body, after)
    b.place(body)
    b.effect(Op.ST, Type.S32, OUT, TID, space=Space.GLOBAL)
    b.jump(head)
    b.place(after)
    b.place(end)
    b.exit()
    entry = b.function.blocks[0]
    rotate(b.function)
    bottom = b.function.blocks[3]
    assert b.function.blocks == [entry, head, body, bottom, after, end]
    assert (body.successors, bottom.successors) == ((bottom,), (body, after))


def test_the_work_of_moving_tests_grows_as_the_number_of_loops() -> None:
    def calls(loops: int) -> int:
        b = start()
        for _ in range(loops):
            head, body, after = b.new_block("head"), b.new_block("body"), b.new_block("after")
            b.place(head)
            b.branch(b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.LT), body, after)
            b.place(body)
            b.jump(head)
            b.place(after)
        b.exit()
        count = calls_in(lambda: rotate(b.function)).total()
        assert sum(block.label.endswith(".again") for block in b.function.blocks) == loops
        return count

    assert calls(80) < 2.5 * calls(40)


def test_a_variable_that_is_read_before_it_is_written_keeps_its_copy() -> None:
    """Both would have to be zero at the start."""
    b = start()
    temporary, variable = b.reg(Type.S32), b.reg(Type.S32, "x")
    b.effect(Op.ST, Type.S32, OUT, variable, space=Space.GLOBAL)
    b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 1), dst=temporary)
    b.mov(variable, temporary)
    b.effect(Op.ST, Type.S32, OUT, variable, space=Space.GLOBAL)
    b.exit()
    before = instructions(b)
    coalesce_joins(b.function)
    assert instructions(b) == before


def test_a_variable_loses_a_copy_in_each_of_sixteen_rounds() -> None:
    b = start()
    variable = b.reg(Type.S32, "x")
    for number in range(20):
        b.mov(variable, b.emit(Op.ADD, Type.S32, TID, const(Type.S32, number)))
        b.effect(Op.ST, Type.S32, OUT, variable, space=Space.GLOBAL)
    b.exit()
    coalesce_joins(b.function)
    assert sum(instr.op == Op.MOV for instr in instructions(b)) == 20 - 16


def test_an_index_that_is_needed_as_a_number_too_keeps_its_sum() -> None:
    """To address by tid and an offset of 16 would need tid * 4 beside tid + 4."""
    b = start()
    index = b.emit(Op.ADD, Type.S32, TID, const(Type.S32, 4))
    place = b.emit(Op.SHL, Type.S32, index, const(Type.U32, 2))
    value = b.emit(Op.LD, Type.S32, place, space=Space.SHARED)
    mixed = b.emit(Op.XOR, Type.S32, index, value)
    b.effect(Op.ST, Type.S32, OUT, mixed, space=Space.GLOBAL)
    b.exit()
    before = instructions(b)
    fold_offsets(b.function)
    assert instructions(b) == before


def test_a_branch_that_is_folded_without_propagation_lets_more_be_known() -> None:
    """Only the way that writes 1 remains, so that 1 is stored."""
    b = start()
    variable = b.reg(Type.S32, "x")
    taken, other, after = b.new_block("taken"), b.new_block("other"), b.new_block("after")
    b.branch(const(Type.PRED, 1), taken, other)
    for block, value in ((taken, 1), (other, 2)):
        b.place(block)
        b.mov(variable, const(Type.S32, value))
        b.jump(after)
    b.place(after)
    b.effect(Op.ST, Type.S32, OUT, variable, space=Space.GLOBAL)
    b.exit()
    optimise(b.function, predicate=False)
    (store,) = instructions(b)
    assert store.srcs[1] == const(Type.S32, 1)


@pytest.mark.parametrize(
    ("type", "factor", "becomes"),
    [
        (Type.S32, NTID, Op.MAD), (Type.U32, const(Type.U32, 6), Op.MAD), (Type.U32, const(Type.U32, 8), Op.ADD),
        (Type.F32, const(Type.F32, 3.0), Op.ADD),
    ],
)  # fmt: skip
def test_a_product_of_integers_and_a_sum_are_one_instruction(type: Type, factor: Value, becomes: Op) -> None:
    """A product by a power of two stays, as a shift; floats are fused, or not, where rounding is decided."""
    b = start()
    left = b.emit(Op.LD, type, OUT, space=Space.GLOBAL)
    total = b.emit(Op.ADD, type, b.emit(Op.MUL, type, left, factor), left)
    b.effect(Op.ST, type, OUT, total, space=Space.GLOBAL)
    b.exit()
    fuse(b.function)
    made = next(instr for instr in instructions(b) if instr.dsts == (total,))
    assert made.op == becomes
    assert made.srcs == ((left, factor, left) if becomes == Op.MAD else made.srcs)


def branch_with_sides(then_stores: int, other_stores: int) -> Builder:
    """Return code with an if and an else of so many stores each."""
    b = start()
    then, other, end = b.new_block("then"), b.new_block("else"), b.new_block("end")
    b.branch(b.emit(Op.SETP, Type.U32, TID, const(Type.U32, 5), mod=Cmp.GE), then, other)
    for side, stores in ((then, then_stores), (other, other_stores)):
        b.place(side)
        for _ in range(stores):
            b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL)
        b.jump(end)
    b.place(end)
    b.exit()
    return b


@pytest.mark.parametrize(("then", "other", "converted"), [(4, 4, True), (5, 4, False), (4, 5, False)])
def test_sides_of_up_to_four_instructions_are_guarded(then: int, other: int, converted: bool) -> None:
    b = branch_with_sides(then, other)
    if_convert(b.function)
    guards = [instr.guard_negated for instr in instructions(b) if instr.guard is not None]
    assert guards == (then * [False] + other * [True] if converted else [])


@pytest.mark.parametrize(("length", "converted"), [(7, True), (8, False)])
def test_an_if_of_up_to_seven_instructions_is_guarded(length: int, converted: bool) -> None:
    b = start()
    then, end = b.new_block("then"), b.new_block("end")
    b.branch(b.emit(Op.SETP, Type.U32, TID, const(Type.U32, 8), mod=Cmp.LT), then, end)
    b.place(then)
    for k in range(length):
        b.effect(Op.ST, Type.U32, OUT, const(Type.U32, k), space=Space.GLOBAL)
    b.jump(end)
    b.place(end)
    b.exit()
    if_convert(b.function)
    assert sum(instr.guard is not None for instr in instructions(b)) == (length if converted else 0)


@pytest.mark.parametrize(
    ("address", "space", "local"),
    [
        (SHARED_WINDOW, Space.SHARED, 0), (SHARED_WINDOW + (1 << 24) - 4, Space.SHARED, (1 << 24) - 4),
        (SHARED_WINDOW + (1 << 24), Space.GENERIC, SHARED_WINDOW + (1 << 24)),
    ],
)  # fmt: skip
def test_a_constant_address_within_16_mib_of_a_window_is_of_its_space(address: int, space: Space, local: int) -> None:
    b = start()
    b.effect(Op.ST, Type.U32, const(Type.U64, address), TID, space=Space.GENERIC)
    b.exit()
    infer_spaces(b.function)
    (store,) = instructions(b)
    assert (store.space, store.srcs) == (space, (const(Type.U32 if space != Space.GENERIC else Type.U64, local), TID))


@pytest.mark.parametrize("null_first", [False, True])
@pytest.mark.parametrize("compare", list(Cmp))
def test_a_pointer_into_shared_memory_lies_above_the_null_pointer(compare: Cmp, null_first: bool) -> None:
    """Addresses are compared as unsigned numbers: p > 0, p >= 0 and p != 0 hold, and so do 0 < p and 0 <= p."""
    b = start()
    pointer = b.emit(Op.CVT, Type.U64, TID, stype=Type.U32, space=Space.SHARED)
    b.effect(Op.ST, Type.U32, pointer, TID, space=Space.GENERIC)
    null = const(Type.U64, 0)
    holds = b.emit(Op.SETP, Type.U64, *((null, pointer) if null_first else (pointer, null)), mod=compare)
    b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL, guard=holds)
    b.exit()
    infer_spaces(b.function)
    (known,) = [instr for instr in instructions(b) if instr.dsts == (holds,)]
    expected = {Cmp.NE, Cmp.LT, Cmp.LE} if null_first else {Cmp.NE, Cmp.GT, Cmp.GE}
    assert (known.op, known.srcs) == (Op.MOV, (const(Type.PRED, compare in expected),))


def test_two_pointers_into_one_space_are_compared_as_words() -> None:
    b = start()
    first, second = (
        b.emit(
            Op.CVT, Type.U64, b.emit(Op.ADD, Type.U32, TID, const(Type.U32, 4 * k)), stype=Type.U32, space=Space.SHARED
        )
        for k in (1, 2)
    )
    b.effect(Op.ST, Type.U32, first, TID, space=Space.GENERIC)
    b.effect(Op.ST, Type.U32, second, TID, space=Space.GENERIC)
    less = b.emit(Op.SETP, Type.U64, first, second, mod=Cmp.LT)
    b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL, guard=less)
    b.exit()
    infer_spaces(b.function)
    (compare,) = [instr for instr in instructions(b) if instr.op == Op.SETP]
    assert compare.type == Type.U32
    assert [value.type for value in compare.srcs] == [Type.U32, Type.U32]


def test_a_guard_that_is_a_copy_is_the_predicate_itself() -> None:
    b = start()
    holds = b.emit(Op.SETP, Type.U32, TID, NTID, mod=Cmp.LT)
    copy = b.reg(Type.PRED)
    b.mov(copy, holds)
    b.effect(Op.ST, Type.U32, OUT, TID, space=Space.GLOBAL, guard=copy)
    b.exit()
    propagate(b.function)
    assert [instr.guard for instr in instructions(b) if instr.op == Op.ST] == [holds]


def test_copies_of_a_loop_stand_in_order_where_it_stood_and_jump_from_its_line() -> None:
    b = counting_loop(3, 1, leaves_first=True)
    latch, after = b.function.blocks[-2:]
    place = Span(SPAN.source, 7, 1)
    assert latch.terminator is not None
    latch.terminator = replace(latch.terminator, span=place)
    assert unroll(b.function)
    name = latch.label
    assert [block.label for block in b.function.blocks[-4:]] == [name, f"{name}.1", f"{name}.2", after.label]
    assert [block.terminator.span for block in b.function.blocks[-4:-1] if block.terminator] == 3 * [place]


@pytest.mark.parametrize(("shift", "factor"), [(0, 1), (3, 8), (30, 1 << 30), (31, None), (32, None)])
def test_a_widened_index_is_scaled_by_what_a_signed_word_holds(shift: int, factor: int | None) -> None:
    """mul.wide.s32 takes factors below 2^31; further shifts stay shifts of the widened index."""
    b = start()
    index = b.emit(Op.LD, Type.S32, OUT, space=Space.GLOBAL)
    wide = b.emit(Op.CVT, Type.S64, index, stype=Type.S32)
    b.effect(Op.ST, Type.S64, OUT, b.emit(Op.SHL, Type.S64, wide, const(Type.U32, shift)), space=Space.GLOBAL)
    b.exit()
    fuse(b.function)
    scaled = instructions(b)[-2]
    if factor is None:
        assert (scaled.op, scaled.srcs) == (Op.SHL, (wide, const(Type.U32, shift)))
    else:
        assert (scaled.op, scaled.type, scaled.srcs) == (Op.MULWIDE, Type.S32, (index, const(Type.S32, factor)))
