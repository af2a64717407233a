"""Compute the initial bytes of a file-scope variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constant_operations import converted
from warpview.frontend.semantic.layout import fully_braced

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering


def image(low: Lowering, variable: s.DeclaredVariable, type: t.CType) -> bytes:
    """Return the initial bytes of a variable; zeros where nothing is written."""
    data = bytearray(type.size)
    if variable.initialiser is not None:
        _fill(low, data, 0, variable.initialiser, type)
    return bytes(data)


def _fill(low: Lowering, data: bytearray, offset: int, e: s.Expression, type: t.CType) -> None:
    type = t.plain(type)
    if isinstance(e, s.Construct) and e.braces and len(e.arguments) == 1:
        e = e.arguments[0]
    if isinstance(e, s.StringLiteral) and isinstance(type, t.Array):
        text = e.value.encode()[: type.size]
        data[offset : offset + len(text)] = text
        return
    if isinstance(e, (s.InitList, s.Construct)) or (isinstance(e, s.Call) and isinstance(type, t.Struct)):
        _fill_parts(low, data, offset, e, type)
        return
    scalar = t.arithmetic(type)
    if scalar is None:
        fail(f"a '{type}' cannot be initialised here", e.span)
    value = low.semantics.evaluator.attempt(lambda: converted(low.semantics.evaluator.rvalue(e), type, e.span))
    if value is None or not isinstance(value.operand, ir.Const):
        fail("the initial value must be known at compile time", e.span)
    bits = value.operand.bits & ((1 << (8 * scalar.size)) - 1)
    data[offset : offset + scalar.size] = bits.to_bytes(scalar.size, "little")


def _fill_parts(low: Lowering, data: bytearray, offset: int, e: s.Expression, type: t.CType) -> None:
    if isinstance(e, s.InitList):
        items = fully_braced(type, e, low.semantics.typer.type_of).items
    else:
        items = [("", a) for a in e.arguments]  # type: ignore[attr-defined]
    if isinstance(type, t.Array):
        parts = [("", i * type.of.size, type.of) for i in range(min(type.length or 0, len(items)))]
    elif isinstance(type, t.Struct):
        parts = [(f.name, f.offset, f.type) for f in type.info.fields]
    else:
        parts = [("", 0, type)]
    if len(items) > len(parts):
        checks.fail_too_many_values(type, e.span)
    for position, (name, item) in enumerate(items):
        matching = [p for p in parts if p[0] == name] if name else [parts[position]]
        if not matching:
            checks.fail_no_member(type, name, item.span)
        _fill(low, data, offset + matching[0][1], item, matching[0][2])
