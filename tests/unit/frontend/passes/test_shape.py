"""The compiled reduction has its loops turned over, addresses shared, short branches predicated."""

from __future__ import annotations

import pytest

from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.emit import finish
from warpview.frontend.flow import post_dominators
from warpview.frontend.ir import Function, Instr, ParamValue, SpecialValue, Value, const
from warpview.frontend.verify import IrError, verify
from warpview.isa.disassembly import disassemble, labels, listing
from warpview.isa.ops import AtomOp, Cmp, Op
from warpview.isa.program import NONE, Param, Special, Variable
from warpview.isa.types import Space, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
TID, NTID = SpecialValue(Special.TID_X), SpecialValue(Special.NTID_X)


def start(shared: int = 0) -> Builder:
    params = [Param("in", "int*", Type.U64, -1, True), Param("out", "int*", Type.U64, -1, True)]
    return Builder(Function("kernel", SPAN.source, SPAN, params, static_shared_bytes=shared))


def element(b: Builder, pointer: int, index: Value) -> Value:
    wide = b.emit(Op.CVT, Type.S64, index, stype=Type.S32)
    scaled = b.emit(Op.SHL, Type.S64, wide, const(Type.U32, 2))
    return b.emit(Op.ADD, Type.U64, ParamValue(Type.U64, pointer), scaled)


def shared_element(b: Builder, index: Value) -> Value:
    scaled = b.emit(Op.SHL, Type.U32, index, const(Type.U32, 2))
    return b.emit(Op.ADD, Type.U32, const(Type.U32, 0), scaled)


def texts(b: Builder, **how: bool) -> list[str]:
    return disassemble(finish(b.function, **how))


def divergent_sum() -> Builder:
    """The loop of the first reduction variant."""
    b = start(shared=512)
    s = b.reg(Type.U32, "s")
    b.function.variables.append((Variable("s", "unsigned int", Type.U32), s))
    b.mov(s, const(Type.U32, 1))
    head, body, then, after, out = (b.new_block() for _ in range(5))
    b.place(head)
    b.branch(b.emit(Op.SETP, Type.U32, s, NTID, mod=Cmp.LT), body, out)
    b.place(body)
    rest = b.emit(Op.REM, Type.U32, TID, b.emit(Op.MUL, Type.U32, const(Type.U32, 2), s))
    b.branch(b.emit(Op.SETP, Type.U32, rest, const(Type.U32, 0), mod=Cmp.EQ), then, after)
    b.place(then)
    far = b.emit(Op.LD, Type.S32, shared_element(b, b.emit(Op.ADD, Type.U32, TID, s)), space=Space.SHARED)
    near = shared_element(b, TID)
    total = b.emit(Op.ADD, Type.S32, b.emit(Op.LD, Type.S32, near, space=Space.SHARED), far)
    b.effect(Op.ST, Type.S32, shared_element(b, TID), total, space=Space.SHARED)
    b.place(after)
    b.effect(Op.BAR_SYNC)
    b.mov(s, b.emit(Op.MUL, Type.U32, s, const(Type.U32, 2)))
    b.jump(head)
    b.place(out)
    b.exit()
    return b


LOOP = """\
    mov.u32 %s, 1
    setp.gt.u32 %p1, %ntid.x, 1
    @!%p1 bra L3
L1:
    shl.b32 %r1, %s, 1
    rem.u32 %r1, %tid.x, %r1
    setp.eq.u32 %p1, %r1, 0
    @!%p1 bra L2
    add.u32 %r1, %tid.x, %s
    shl.b32 %r1, %r1, 2
    ld.shared.s32 %r2, [%r1]
    shl.b32 %r1, %tid.x, 2
    ld.shared.s32 %r3, [%r1]
    add.s32 %r2, %r3, %r2
    st.shared.s32 [%r1], %r2
L2:
    bar.sync 0
    shl.b32 %s, %s, 1
    setp.lt.u32 %p1, %s, %ntid.x
    @%p1 bra L1
L3:
    exit"""


def test_a_loop_tests_once_before_and_then_at_its_end() -> None:
    program = finish(divergent_sum().function)
    assert listing(program) == LOOP
    assert labels(program) == {3: "L1", 14: "L2", 18: "L3"}
    assert [i.reconvergence for i in program.instructions if i.op == Op.BRA] == [18, 14, 18]


def test_a_short_branch_is_predicated_on_request() -> None:
    lines = texts(divergent_sum(), predicate=True)
    assert sum(line.startswith("@%p1 ") and "bra" not in line for line in lines) == 7
    assert sum("bra" in line for line in lines) == 2


def test_an_early_return_becomes_a_guarded_exit() -> None:
    b = start()
    leave, stay = b.new_block(), b.new_block()
    b.branch(b.emit(Op.SETP, Type.U32, TID, const(Type.U32, 5), mod=Cmp.GE), leave, stay)
    b.place(leave)
    b.exit()
    b.place(stay)
    b.effect(Op.ST, Type.U32, element(b, 1, TID), TID, space=Space.GLOBAL)
    b.exit()
    assert texts(b, predicate=True) == [
        "setp.ge.u32 %p1, %tid.x, 5",
        "@%p1 exit",
        "mad.wide.s32 %rd1, %tid.x, 4, out",
        "st.global.u32 [%rd1], %tid.x",
        "exit",
    ]


def test_neighbouring_elements_share_an_address() -> None:
    b = start()
    i = b.reg(Type.S32, "i")
    b.emit(Op.MAD, Type.S32, SpecialValue(Special.CTAID_X), NTID, TID, dst=i)
    values = [
        b.emit(Op.LD, Type.S32, element(b, 0, b.emit(Op.ADD, Type.S32, i, const(Type.S32, d))), space=Space.GLOBAL)
        for d in (-1, 1)
    ]
    b.effect(Op.ST, Type.S32, element(b, 1, i), b.emit(Op.ADD, Type.S32, *values), space=Space.GLOBAL)
    b.exit()
    lines = texts(b)
    assert lines[1] == "mad.wide.s32 %rd1, %r1, 4, in"
    assert lines[2] == "ld.global.s32 %r2, [%rd1-4]"
    assert lines[3] == "ld.global.s32 %r3, [%rd1+4]"
    assert len(lines) == 8


def test_unsigned_sums_may_wrap_and_stay() -> None:
    b = start()
    i = b.emit(Op.ADD, Type.U32, TID, const(Type.U32, 0xFFFFFFFF))
    wide = b.emit(Op.CVT, Type.U64, i, stype=Type.U32)
    address = b.emit(Op.ADD, Type.U64, ParamValue(Type.U64, 1), b.emit(Op.MUL, Type.U64, wide, const(Type.U64, 4)))
    b.effect(Op.ST, Type.U32, address, TID, space=Space.GLOBAL)
    b.exit()
    assert texts(b)[0] == "add.u32 %r1, %tid.x, 4294967295"


def test_vector_accesses_get_neighbouring_rows() -> None:
    b = start()
    values = b.load_vector(Type.F32, 4, Space.GLOBAL, ParamValue(Type.U64, 0))
    b.store_vector(Type.F32, Space.GLOBAL, ParamValue(Type.U64, 1), values)
    b.store_vector(Type.F32, Space.GLOBAL, ParamValue(Type.U64, 1), values[1::-1], imm=16)
    b.exit()
    assert texts(b) == [
        "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [in]",
        "st.global.v4.f32 [out], {%f1, %f2, %f3, %f4}",
        "mov.f32 %f5, %f2",
        "mov.f32 %f6, %f1",
        "st.global.v2.f32 [out+16], {%f5, %f6}",
        "exit",
    ]


def test_a_vector_with_one_part_of_another_is_copied() -> None:
    b = start()
    first, second = b.load_vector(Type.F32, 2, Space.GLOBAL, ParamValue(Type.U64, 0))
    total = b.emit(Op.ADD, Type.F32, first, second)
    b.store_vector(Type.F32, Space.GLOBAL, ParamValue(Type.U64, 1), (first, total))
    b.exit()
    assert texts(b) == [
        "ld.global.v2.f32 {%f1, %f2}, [in]",
        "add.f32 %f5, %f1, %f2",
        "mov.f32 %f3, %f1",
        "mov.f32 %f4, %f5",
        "st.global.v2.f32 [out], {%f3, %f4}",
        "exit",
    ]


def test_an_atomic_whose_result_nobody_reads_is_a_reduction() -> None:
    b = start()
    b.emit(Op.ATOM, Type.S32, ParamValue(Type.U64, 0), const(Type.S32, 1), mod=AtomOp.ADD, space=Space.GLOBAL)
    b.emit(Op.ATOM, Type.S32, ParamValue(Type.U64, 0), const(Type.S32, 1), mod=AtomOp.EXCH, space=Space.GLOBAL)
    b.exit()
    assert [line.split()[0] for line in texts(b)] == ["red.global.add.s32", "atom.global.exch.s32", "exit"]


def test_a_variable_that_is_a_constant_can_still_be_shown() -> None:
    b = start()
    n = b.reg(Type.S32, "n")
    b.function.variables.append((Variable("n", "int", Type.S32), n))
    b.mov(n, const(Type.S32, 7))
    b.effect(Op.ST, Type.S32, ParamValue(Type.U64, 1), b.emit(Op.ADD, Type.S32, n, n), space=Space.GLOBAL)
    b.exit()
    program = finish(b.function)
    assert disassemble(program)[0] == "st.global.s32 [out], 14"
    assert program.constants32[program.variables[0].row] == 7


def test_post_dominators_of_an_endless_loop() -> None:
    b = start()
    loop, leave = b.new_block(), b.new_block()
    b.branch(b.emit(Op.SETP, Type.U32, TID, const(Type.U32, 3), mod=Cmp.EQ), loop, leave)
    b.place(loop)
    b.effect(Op.MEMBAR)
    b.jump(loop)
    b.place(leave)
    b.exit()
    assert set(post_dominators(b.function).values()) == {None}
    program = finish(b.function)
    assert program.instructions[1].reconvergence == NONE


@pytest.mark.parametrize(
    ("op", "type", "srcs", "complaint"),
    [
        (Op.ADD, Type.S32, (const(Type.S32, 1),), "has 1 operands instead of 2"),
        (Op.ADD, Type.S32, (const(Type.F32, 1), const(Type.S32, 1)), "where s32 is expected"),
        (Op.ADD, Type.S64, (const(Type.S32, 1), const(Type.S64, 1)), "where s64 is expected"),
        (Op.FMA, Type.S32, (const(Type.S32, 1),) * 3, "needs a float type"),
        (Op.ADD, Type.PRED, (const(Type.PRED, 1),) * 2, "has no predicate form"),
    ],
)
def test_the_verifier_says_what_is_wrong(op: Op, type: Type, srcs: tuple[Value, ...], complaint: str) -> None:
    b = start()
    b.emit(op, type, *srcs)
    b.exit()
    with pytest.raises(IrError, match=complaint):
        verify(b.function)


@pytest.mark.parametrize(
    ("between", "loads"),
    [
        (None, 0),
        (Instr(Op.BAR_SYNC, Type.U32, (), (), SPAN), 1),
        (Instr(Op.ST, Type.S32, (), (const(Type.U32, 64), const(Type.S32, 1)), SPAN, space=Space.SHARED), 0),
        (Instr(Op.ST, Type.S32, (), (NTID, const(Type.S32, 1)), SPAN, space=Space.SHARED), 1),
        (Instr(Op.ST, Type.S32, (), (ParamValue(Type.U64, 0), TID), SPAN, space=Space.GLOBAL), 0),
    ],
    ids=["nothing", "barrier", "elsewhere", "perhaps here", "another space"],
)
@pytest.mark.parametrize("cached", [True, False], ids=["plain", "volatile"])
def test_as_compiled_a_value_just_stored_is_not_loaded(between: Instr | None, loads: int, cached: bool) -> None:
    b = start(shared=512)
    place = const(Type.U32, 4)
    b.effect(Op.ST, Type.S32, place, TID, space=Space.SHARED, cached=cached)
    if between:
        b.block.instrs.append(between)
    value = b.emit(Op.LD, Type.S32, place, space=Space.SHARED, cached=cached)
    b.effect(Op.ST, Type.S32, ParamValue(Type.U64, 1), value, space=Space.GLOBAL)
    b.exit()
    lines = texts(b, predicate=True)
    assert sum(line.startswith("ld.") for line in lines) == (loads if cached else 1)


def test_two_parts_of_a_vector_for_one_variable() -> None:
    b = start()
    first, second = b.load_vector(Type.F32, 2, Space.GLOBAL, ParamValue(Type.U64, 0))
    x = b.reg(Type.F32, "x")
    b.mov(x, first)
    b.mov(x, second)
    b.effect(Op.ST, Type.F32, ParamValue(Type.U64, 1), x, space=Space.GLOBAL)
    b.exit()
    lines = texts(b)
    assert lines[0].startswith("ld.global.v2.f32 {")
    assert lines[-2].rpartition(" ")[2] in (
        lines[0].partition(", ")[2].partition("}")[0],
        lines[-3].split()[1].strip(","),
    )
