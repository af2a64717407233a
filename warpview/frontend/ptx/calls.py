"""Lower calls of PTX: a function is written in place of its call; one that calls itself keeps a stack.

A call through a pointer compares it with the number of each function that it may mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpview.frontend.ir import CallSite, Reg, Slot, StackFrame, const
from warpview.frontend.ptx.functions import PtxProcedure, instructions_of
from warpview.frontend.ptx.syntax import PtxFunction, PtxInstruction, PtxOperand, PtxShape, PtxVariable
from warpview.frontend.ptx.system_calls import system_call
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.program import Print
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

DEEPEST = 64  # calls within calls
NO_FUNCTION = "a call through a pointer that points to none of the functions which the kernel knows"


def lower_call(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower a call."""
    operands = list(ins.operands)
    results = operands.pop(0).parts if operands[0].kind == "list" else ()
    target = operands.pop(0)
    arguments = operands[0].parts if operands and operands[0].kind == "list" else ()
    name = target.text
    prototype = low.code.prototypes.get(operands[-1].text) if operands else None
    if prototype is not None:
        _call_by_pointer(low, target, prototype, arguments, results)
        return
    callee = low.functions.module.functions.get(name)
    given, taken = [operand.text for operand in arguments], [operand.text for operand in results]
    if (callee is None or not callee.body) and system_call(low, name, given, taken):
        return
    if callee is None or not callee.body:
        low.refuse(f"a call of '{name}'")
    _call(low, callee, arguments, results)


def _call_by_pointer(
    low: PtxCall, pointer: PtxOperand, shape: PtxShape, arguments: Sequence[PtxOperand], results: Sequence[PtxOperand]
) -> None:
    """Lower a call through a pointer: the launch stops where it points to no function that fits."""
    builder, value = low.builder, low.read(pointer, Type.U64)
    span, done = low.span, builder.new_block("end")
    for function in low.functions.fitting(shape):
        there, following = builder.new_block("call"), builder.new_block("test")
        number = const(Type.U64, low.functions.number(function.name) or 0)
        builder.branch(low.emit(Op.SETP, Type.U64, value, number, mod=Cmp.EQ), there, following)
        builder.place(there)
        _call(low, function, arguments, results)
        low.span = builder.span = span
        builder.jump(done)
        builder.place(following)
    low.function.asserts.append(Print(NO_FUNCTION, span, is_assertion=False))
    builder.effect(Op.TRAP, Type.U32, imm=len(low.function.asserts) - 1)
    builder.place(done)


def _call(low: PtxCall, callee: PtxFunction, arguments: Sequence[PtxOperand], results: Sequence[PtxOperand]) -> None:
    """Lower a call of a function."""
    if low.functions.calls_itself(callee.name):
        known = low.functions.active.get(callee.name)
        inner = _written(low, callee, arguments) if known is None else _called(low, known, arguments)
    else:
        if low.depth >= DEEPEST:
            low.refuse(f"more than {DEEPEST} calls within calls")
        inner = low.inner(callee)
        for formal, actual in zip(callee.parameters, arguments, strict=True):
            inner.passed.update({(formal.name, at): reg for at, reg in low.parts(actual.text)})
        inner.lower()
    for formal, actual in zip(callee.results, results, strict=True):
        for at, reg in inner.parts(formal.name):
            low.store_param(actual.text, at, reg.type, reg)


def _written(low: PtxCall, callee: PtxFunction, arguments: Sequence[PtxOperand]) -> PtxCall:
    """Write a function that calls itself in place of a call from outside."""
    builder, function, functions = low.builder, low.function, low.functions
    outer, span = functions.frame, low.span
    if function.stack_pointer is None:
        function.stack_pointer = builder.reg(Type.U32, "stack")
    before, enter, after = builder.block, builder.new_block("call"), builder.new_block("return")
    builder.jump(enter)
    builder.place(enter)
    functions.frame = frame = StackFrame(callee.name)
    inner = low.inner(callee)
    frame.number = number = builder.reg(Type.U32, "return")
    procedure = PtxProcedure(inner, frame, builder.new_block("function"), number)
    _declare(inner, callee.parameters, "ld")
    registers = _declare(inner, callee.results, "st")
    frame.result = Slot("", 1, 1, None, callee.span, registers=dict(enumerate(registers)))
    _give(low, procedure, arguments, 0)
    builder.place(procedure.entry)
    frame.first, functions.active[callee.name] = procedure.entry, procedure
    inner.lower()
    frame.done = inner.end
    del functions.active[callee.name]
    builder.span = span
    for place, back in enumerate(procedure.returns, start=1):
        following = builder.new_block("test")
        builder.branch(low.emit(Op.SETP, Type.U32, number, const(Type.U32, place), mod=Cmp.EQ), back, following)
        builder.place(following)
    builder.jump(after)
    functions.frame = outer
    frame.end = builder.place(after)
    if outer is not None:
        function.calls.append(CallSite(before, enter, after, outer, None, span))
    return inner


def _called(low: PtxCall, procedure: PtxProcedure, arguments: Sequence[PtxOperand]) -> PtxCall:
    """Go back to the beginning of a function that is being written."""
    builder, within = low.builder, low.functions.frame
    assert within is not None
    before, enter, after = builder.block, builder.new_block("call"), builder.new_block("return")
    builder.jump(enter)
    builder.place(enter)
    procedure.returns.append(after)
    _give(low, procedure, arguments, len(procedure.returns))
    builder.jump(procedure.entry)
    builder.place(after)
    low.function.calls.append(CallSite(before, enter, after, within, procedure.frame, low.span))
    return procedure.call


def _declare(inner: PtxCall, variables: Sequence[PtxVariable], opcode: str) -> list[Reg]:
    """Give each part of the parameters or results that the code of a function reads or writes a register."""
    names = [variable.name for variable in variables]
    registers = []
    for ins in instructions_of(inner.code):
        if ins.opcode != opcode or "param" not in ins.modifiers:
            continue
        place, value = ins.operands if opcode == "st" else ins.operands[::-1]
        if place.parts[0].text in names:
            for k in range(len(value.parts) or 1):
                key = place.parts[0].text, place.value + k * ins.types[-1].bytes
                if key not in inner.passed:
                    inner.passed[key] = inner.function.reg(ins.types[-1])
                    registers.append(inner.passed[key])
    return registers


def _give(low: PtxCall, procedure: PtxProcedure, arguments: Sequence[PtxOperand], number: int) -> None:
    """Put the arguments of a call into the registers of the parameters."""
    inner = procedure.call
    for formal, actual in zip(inner.code.parameters, arguments, strict=True):
        for at, value in low.parts(actual.text):
            if (formal.name, at) in inner.passed:
                low.builder.mov(inner.passed[formal.name, at], low.as_type(value, inner.passed[formal.name, at].type))
    low.builder.mov(procedure.number, const(Type.U32, number))
