"""Lower memcpy and memset: one access for each element where the size is known at compile time, else loops over bytes
(``headers/device/copies.h``); and what the headers of asynchronous copies are written with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, evaluate, pointee
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.scopes import FunctionSet
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.modes import CopyGroup
from warpview.isa.ops import Op

if TYPE_CHECKING:
    from warpview.frontend.lower.inlining import Argument
    from warpview.frontend.lower.lowering import Lowering

MAX_COPIED = 4096  # bytes


def _copy(low: Lowering, call: s.Call, name: str) -> Value | Lvalue:
    """Copy element by element, of the smaller type where the two differ; all are read before the first is written."""
    to, source, size = evaluate(low, call, 3)
    (target, target_type), (origin, origin_type) = pointee(to, call), pointee(source, call)
    element = min(target_type, origin_type, key=lambda type: type.size)
    offsets = _offsets(size, element)
    if offsets is None or isinstance(target_type, t.Void) or isinstance(origin_type, t.Void):
        return _by_bytes(low, call, name, [to, source, size])
    read = [low.memory.load(Lvalue(origin.plus(k), t.plain(element)), call.span) for k in offsets]
    for offset, value in zip(offsets, read, strict=True):
        place = Lvalue(target.plus(offset), target_type if target_type.size == element.size else element)
        low.memory.store(place, low.conversions.reinterpret(value, place.type), call.span)
    return to


def _fill(low: Lowering, call: s.Call, name: str) -> Value | Lvalue:
    """Write one byte into all bytes of an object."""
    to, byte, size = evaluate(low, call, 3)
    target, type = pointee(to, call)
    offsets = _offsets(size, type)
    scalar = t.arithmetic(type)
    if offsets is None or byte.constant is None or (byte.constant != 0 and scalar is None):
        return _by_bytes(low, call, name, [to, byte, size])
    if scalar is None:
        for offset in offsets:
            low.initialisers.zero(Lvalue(target.plus(offset), type), call.span)
        return to
    pattern = int.from_bytes(bytes([int(byte.constant) & 0xFF]) * scalar.size, "little")
    whole = {1: t.UCHAR, 2: t.USHORT, 4: t.UINT, 8: t.ULONG}[scalar.size]
    value = low.conversions.reinterpret(number(whole, pattern), scalar)
    for offset in offsets:
        low.memory.store(Lvalue(target.plus(offset), type), value, call.span)
    return to


def _offsets(size: Value, element: t.CType) -> range | None:
    """Return the offsets of the elements that so many bytes hold; None where a loop has to copy them."""
    if size.constant is None or isinstance(element, t.Void):
        return None
    n_bytes = int(size.constant)
    return None if n_bytes > MAX_COPIED or n_bytes % element.size else range(0, n_bytes, element.size)


def _by_bytes(low: Lowering, call: s.Call, name: str, arguments: list[Argument]) -> Value | Lvalue:
    """Call the function of our own that loops over bytes."""
    callee = s.Name(call.span, f"__wv_{name}")
    functions = low.lvalues.lookup(callee)
    assert isinstance(functions, FunctionSet)
    return low.calls.call_candidates(functions.declarations, callee, call, arguments, None)


def _copy_asynchronously(low: Lowering, call: s.Call, name: str) -> Value:
    """Copy an element on the side: its load and its store are one instruction where the device has that."""
    to, origin = (
        Lvalue(replace(address, asynchronous=True), type)
        for address, type in (pointee(pointer, call) for pointer in evaluate(low, call, 2))
    )
    low.memory.store(to, low.memory.load(origin, call.span), call.span)
    return Value(t.VOID)


def _group(low: Lowering, call: s.Call, name: str, mod: CopyGroup) -> Value:
    """Close a group of such copies, or wait for all but the last ones, of a number known here."""
    left = evaluate(low, call, int(mod == CopyGroup.WAIT_GROUP))
    imm = int(left[0].constant or 0) if left else 0
    low.context.builder.effect(Op.CP_ASYNC, mod=mod, imm=imm)
    return Value(t.VOID)


ASYNCHRONOUS: dict[str, Handler] = {
    "__wv_copy_async": _copy_asynchronously,
    "__wv_copy_commit": partial(_group, mod=CopyGroup.COMMIT_GROUP),
    "__wv_copy_wait": partial(_group, mod=CopyGroup.WAIT_GROUP),
}
WHOLE: dict[str, Handler] = {"memcpy": _copy, "memset": _fill}
TABLE = WHOLE | ASYNCHRONOUS
