"""Lower memcpy and memset of sizes that are known at compile time: one access for each element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, evaluate, pointee
from warpview.frontend.preprocess.tokens import refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

MAX_COPIED = 4096  # bytes


def _copy(low: Lowering, call: s.Call, name: str) -> Value:
    """Copy element by element, of the smaller type where the two differ; all are read before the first is written."""
    to, source, size = evaluate(low, call, 3)
    (target, target_type), (origin, origin_type) = pointee(to, call), pointee(source, call)
    element = min(target_type, origin_type, key=lambda type: type.size)
    offsets = _offsets(size, element, name, call.span)
    read = [low.memory.load(Lvalue(origin.plus(k), t.plain(element)), call.span) for k in offsets]
    for offset, value in zip(offsets, read, strict=True):
        place = Lvalue(target.plus(offset), target_type if target_type.size == element.size else element)
        low.memory.store(place, low.conversions.reinterpret(value, place.type), call.span)
    return to


def _fill(low: Lowering, call: s.Call, name: str) -> Value:
    """Write one byte into all bytes of an object."""
    to, byte, size = evaluate(low, call, 3)
    target, type = pointee(to, call)
    offsets = _offsets(size, type, name, call.span)
    if byte.constant == 0:
        for offset in offsets:
            low.initialisers.zero(Lvalue(target.plus(offset), type), call.span)
        return to
    scalar = t.arithmetic(type)
    if byte.constant is None or scalar is None:
        refuse(f"{name} is not supported but for bytes and types known at compile time", call.span)
    pattern = int.from_bytes(bytes([int(byte.constant) & 0xFF]) * scalar.size, "little")
    whole = {1: t.UCHAR, 2: t.USHORT, 4: t.UINT, 8: t.ULONG}[scalar.size]
    value = low.conversions.reinterpret(number(whole, pattern), scalar)
    for offset in offsets:
        low.memory.store(Lvalue(target.plus(offset), type), value, call.span)
    return to


def _offsets(size: Value, element: t.CType, name: str, span: Span) -> range:
    """Return the offsets of the elements that so many bytes hold."""
    if size.constant is None or isinstance(element, t.Void):
        refuse(f"{name} is not supported but for sizes and types known at compile time", span)
    n_bytes = int(size.constant)
    if n_bytes > MAX_COPIED or n_bytes % element.size:
        refuse(f"{name} of {n_bytes} bytes of '{element}' is not supported: write a loop", span)
    return range(0, n_bytes, element.size)


TABLE: dict[str, Handler] = {"memcpy": _copy, "memset": _fill}
