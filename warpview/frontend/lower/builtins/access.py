"""Lower loads and stores with cache hints, output, assertions, and other functions that concern memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, check_count, evaluate, forwarded_type, pointee, require
from warpview.frontend.passes.infer_spaces import WINDOWS
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.ops import Cmp, Op
from warpview.isa.print_format import check_format
from warpview.isa.program import Print
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

LOADS = ("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv")
WINDOW_SHIFT = 40  # generic addresses of the spaces differ in the bits above
STORES = ("__stwb", "__stcg", "__stcs", "__stwt")


def _load(low: Lowering, call: s.Call, name: str) -> Value:
    """Return a load with a hint; through the read-only path for __ldg, past the first cache for .cg and .cv."""
    (pointer,) = evaluate(low, call, 1)
    address, type = pointee(pointer, call)
    if name == "__ldg":
        require(low, features.READ_ONLY_LOADS)
        address = replace(address, read_only=True)
    if name in ("__ldcg", "__ldcv"):
        type = replace(type, volatile=True)
    place = Lvalue(address, type)
    if isinstance(t.plain(type), t.Struct):
        copy = low.objects.temporary(t.plain(type), call)
        low.memory.copy(copy, place, call.span)
        return low.memory.load(copy, call.span)
    return low.memory.load(place, call.span)


def _store(low: Lowering, call: s.Call, name: str) -> Value:
    pointer, value = evaluate(low, call, 2)
    address, type = pointee(pointer, call)
    low.memory.store(Lvalue(address, type), low.conversions.convert(value, type, call.span), call.span)
    return Value(t.VOID)


def _printf(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower printf: the format is kept in the program; a string among the arguments is its address."""
    require(low, features.PRINTF)
    format, extra = _format(low, call), []
    try:
        check_format(format)
    except ValueError as error:
        refuse(f"{error} is not supported", call.span)
    for argument in call.arguments[1:]:
        value = low.expressions.rvalue(argument)
        if isinstance(t.plain(value.type), t.Pointer):
            assert value.address is not None
            extra.append(low.memory.generic_operand(value.address))
            continue
        value, scalar = low.conversions.arithmetic_value(value, argument.span, "printf")
        type = t.DOUBLE if scalar.is_float else t.promoted(scalar)
        extra.append(low.conversions.convert_scalar(value, scalar, type).scalar_operand)
    low.context.function.prints.append(Print(format, call.span))
    low.context.builder.effect(Op.PRINTF, Type.U32, imm=len(low.context.function.prints) - 1, extra=tuple(extra))
    return number(t.INT, len(extra))


def _format(low: Lowering, call: s.Call) -> str:
    """Return the format of a call of printf: a string, or a pointer to one that is known."""
    first = call.arguments[0] if call.arguments else None
    if isinstance(first, s.StringLiteral):
        return first.printable
    pointer = low.expressions.rvalue(first) if first is not None else None
    text = None if pointer is None or pointer.address is None else low.memory.fixed_string(pointer.address)
    return fail("the format of printf must be a string that is known here", call.span) if text is None else text


def _assert(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower assert(condition): the threads for which it does not hold stop the launch."""
    check_count(call, 1)
    condition = low.conversions.truth(low.expressions.rvalue(call.arguments[0]), call.span)
    if condition.constant:
        return Value(t.VOID)
    low.context.function.asserts.append(Print(_text_of(call), call.span))
    guard = {"guard": condition.scalar_operand, "guard_negated": True}
    low.context.builder.effect(Op.TRAP, Type.U32, imm=len(low.context.function.asserts) - 1, **guard)
    return Value(t.VOID)


def _text_of(call: s.Call) -> str:
    """Return the condition of an assertion as written, where it stands on one line."""
    line = call.span.source.line(call.span.line)[call.span.column - 1 :]
    start, end = line.find("("), line.rfind(")")
    return line[start + 1 : end].strip() if 0 <= start < end else "assertion"


def _trap(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    low.context.function.asserts.append(Print("__trap()", call.span))
    low.context.builder.effect(Op.TRAP, Type.U32, imm=len(low.context.function.asserts) - 1)
    return Value(t.VOID)


def _is_space(low: Lowering, call: s.Call, name: str) -> Value:
    (pointer,) = evaluate(low, call, 1)
    address, _ = pointee(pointer, call)
    wanted = {"__isGlobal": Space.GLOBAL, "__isShared": Space.SHARED, "__isLocal": Space.LOCAL}.get(name, Space.CONST)
    if address.space == Space.GENERIC:  # the upper half of a generic address tells
        upper = low.context.emit(
            Op.SHR, Type.U64, low.memory.generic_operand(address), ir.const(Type.U32, WINDOW_SHIFT)
        )
        window = ir.const(Type.U64, WINDOWS.get(wanted, 0) >> WINDOW_SHIFT)
        return Value(t.BOOL, low.context.emit(Op.SETP, Type.U64, upper, window, mod=Cmp.EQ))
    space = Space.LOCAL if address.cell is not None else address.space
    return number(t.UINT, int(space == wanted))


def _swap(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 2)
    first, second = (low.lvalues.place(a) for a in call.arguments)
    if not t.same(first.type, second.type):
        fail("swap needs two things of one type", call.span)
    kept = low.objects.temporary(t.plain(first.type), call)
    low.memory.store(kept, low.memory.load(first, call.span), call.span)
    low.memory.store(first, low.memory.load(second, call.span), call.span)
    low.memory.store(second, low.memory.load(kept, call.span), call.span)
    return Value(t.VOID)


def _move(low: Lowering, call: s.Call, name: str) -> Value | Lvalue:
    """Lower std::move and std::forward, which moves where it is not given a reference."""
    check_count(call, 1)
    found = low.expressions.lvalue(call.arguments[0])
    moves = name == "move" or not isinstance(forwarded_type(call, low.semantics.types.resolve), t.Reference)
    return replace(found, expiring=True) if isinstance(found, Lvalue) and moves else found


def _never(low: Lowering, node: s.Call, name: str) -> Value:
    """Lower a question that only evaluation at compile time answers with yes."""
    return number(t.BOOL, 0)


def _expect(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 2)
    return low.expressions.rvalue(call.arguments[0])


def _aligned(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower __builtin_assume_aligned, which returns the pointer as one to void."""
    return low.conversions.convert(evaluate(low, call, 2)[0], t.Pointer(t.VOID), call.span, explicit=True)


def _assume(low: Lowering, call: s.Call, name: str) -> Value:
    return Value(t.VOID)


def _address_in(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower __cvta_generic_to_shared and __cvta_generic_to_global: the lower half of a generic address is its offset in
    shared memory; one of global memory stays as it is."""
    (pointer,) = evaluate(low, call, 1)
    address = low.memory.generic_operand(pointee(pointer, call)[0])
    if name.endswith("shared"):
        address = low.context.emit(Op.AND, Type.U64, address, ir.const(Type.U64, 0xFFFFFFFF))
    return Value(t.ULONG, address)


ADDRESSES_IN = ("__cvta_generic_to_shared", "__cvta_generic_to_global")
SPACE_QUERIES = ("__isGlobal", "__isShared", "__isLocal", "__isConstant")

TABLE: dict[str, Handler] = {
    **dict.fromkeys(LOADS, _load),
    **dict.fromkeys(STORES, _store),
    "printf": _printf,
    "assert": _assert,
    "__trap": _trap,
    **dict.fromkeys(SPACE_QUERIES, _is_space),
    **dict.fromkeys(ADDRESSES_IN, _address_in),
    "swap": _swap,
    **dict.fromkeys(("move", "forward"), _move),
    "__builtin_expect": _expect,
    "__builtin_is_constant_evaluated": _never,
    "__builtin_assume_aligned": _aligned,
    "__builtin_unreachable": _assume,
    **dict.fromkeys(("__builtin_assume", "__assume"), _assume),
}
