"""Lower the lengths of vectors, and their reciprocals: ``hypot``, ``norm3d``, ``norm4d``, ``rhypot``, ...

Those of floats are the operations that NVRTC 13.0 makes of CUDA's device library, and so give the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.approximate import APPROXIMATE_FLOATS, approximated
from warpview.frontend.lower.builtins.maths import two
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

# name without 'f' -> number of components
_COMPONENTS = {"hypot": 2, "rhypot": 2, "norm3d": 3, "rnorm3d": 3, "norm4d": 4, "rnorm4d": 4}
# Limits beyond which squares of doubles would be too large or too small, and the powers of two to scale with there.
_SCALES = ((2.0**500, 2.0**-600, Cmp.GT), (2.0**-500, 2.0**600, Cmp.LT))
_EXPONENT = 0xFE000000  # sign and exponent of a float but for the last bit: that of an even power of two
_ABOVE = 0x7E800000  # from which the exponent of the largest component is taken: 2 ** 126
_HALF = 0x00800000  # the last bit of the exponent, which makes a scale of the length the opposite of that of components
_INFINITY = float("inf")


def _length(low: Lowering, call: s.Call, name: str) -> Value:
    count = _COMPONENTS[name.removesuffix("f")]
    values = evaluate(low, call, count)
    if name.endswith("f"):
        parts = [as_type(low, value, t.FLOAT, call.span) for value in values]
        return Value(t.FLOAT, _FloatLength(low, parts).result(name.startswith("r")))
    return Value(t.DOUBLE, _of_doubles(low, [as_type(low, v, t.DOUBLE, call.span) for v in values], name))


def _hypot(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower hypot, which is hypotf of two floats."""
    types = [low.semantics.typer.type_of(argument) for argument in call.arguments]
    is_float = name == "hypotf" or all(t.same(type, t.FLOAT) for type in types)
    return _length(low, call, "hypotf") if is_float else two(low, call, name)


def _of_doubles(low: Lowering, parts: list[ir.Value], name: str) -> ir.Value:
    """Return a length of doubles, or its reciprocal, scaled so that no square is too large or too small."""
    emit, isa = low.context.emit, Type.F64
    most: ir.Value = emit(Op.ABS, isa, parts[0])
    for part in parts[1:]:
        most = emit(Op.MAX, isa, most, emit(Op.ABS, isa, part))
    scale: ir.Value = ir.const(isa, 1.0)
    for limit, factor, comparison in _SCALES:
        is_beyond = emit(Op.SETP, isa, most, ir.const(isa, limit), mod=comparison)
        scale = emit(Op.SELP, isa, ir.const(isa, factor), scale, is_beyond)
    total: ir.Value = ir.const(isa, 0.0)
    for part in parts:
        scaled = emit(Op.MUL, isa, part, scale)
        total = emit(Op.FMA, isa, scaled, scaled, total)
    if name.startswith("r"):
        return emit(Op.MUL, isa, emit(Op.RSQRT, isa, total), scale)
    return emit(Op.DIV, isa, emit(Op.SQRT, isa, total), scale)


class _FloatLength:
    """Write the length of a vector of floats: components are put in order, scaled by the exponent of the largest one,
    and their squares added from the smaller ones on."""

    def __init__(self, low: Lowering, parts: list[ir.Value]) -> None:
        self.low, self.emit = low, low.context.emit
        self.parts = [self.emit(Op.ABS, Type.F32, part) for part in parts]
        self.least: list[ir.Value] = []  # of the components so far and the next one, at each step
        self.most: ir.Value = self.parts[0]

    def result(self, is_reciprocal: bool) -> ir.Value:
        """Return the length, or its reciprocal."""
        # Two components are compared as integers, in which a NaN is the largest.
        type = Type.S32 if len(self.parts) == 2 else Type.F32
        for part in self.parts[1:]:
            pair = [self._as(value, type) for value in (self.most, part)]
            self.least.append(self._as(self.emit(Op.MIN, type, *pair), Type.F32))
            self.most = self._as(self.emit(Op.MAX, type, *pair), Type.F32)
        exponent = self.emit(Op.AND, Type.U32, self._as(self.most, Type.U32), ir.const(Type.U32, _EXPONENT))
        scale = self._as(self.emit(Op.SUB, Type.U32, ir.const(Type.U32, _ABOVE), exponent), Type.F32)
        total = self._squares(scale)
        if is_reciprocal:
            inverse = approximated(self.low, APPROXIMATE_FLOATS["rsqrt"], total)
            return self._reciprocal(self.emit(Op.MUL, Type.F32, inverse, scale))
        back = self._as(self.emit(Op.OR, Type.U32, exponent, ir.const(Type.U32, _HALF)), Type.F32)
        return self._whole(self.emit(Op.MUL, Type.F32, self.emit(Op.SQRT, Type.F32, total), back))

    def _squares(self, scale: ir.Value) -> ir.Value:
        """Return the sum of the squares of the scaled components."""
        last, *others = [self.emit(Op.MUL, Type.F32, value, scale) for value in (*reversed(self.least), self.most)]
        total = self.emit(Op.MUL, Type.F32, last, last)
        for other in others:
            total = self.emit(Op.FMA, Type.F32, other, other, total)
        return total

    def _whole(self, length: ir.Value) -> ir.Value:
        """Return a length where that of zeros, of one component, of a NaN or of infinity is another."""
        if len(self.parts) == 2:
            is_one = self._compared(self.least[0], ir.const(Type.F32, 0.0), Cmp.EQ)
            length = self.emit(Op.SELP, Type.F32, self.most, length, is_one)
        else:
            total = self._sum()
            has_several = self._compared(total, self.most, Cmp.GT)
            length = self.emit(Op.SELP, Type.F32, length, total, has_several)
        return self._unless_infinite(length, _INFINITY)

    def _reciprocal(self, inverse: ir.Value) -> ir.Value:
        """Return the reciprocal of a length where that of a NaN or of infinity is another."""
        if len(self.parts) > 2:
            total = self._sum()
            inverse = self.emit(Op.SELP, Type.F32, total, inverse, self._compared(total, total, Cmp.NE))
        return self._unless_infinite(inverse, 0.0)

    def _unless_infinite(self, value: ir.Value, otherwise: float) -> ir.Value:
        """Return a value, or another one where a component is infinite: of two that may be the smaller one, of those
        that are compared as integers."""
        largest = self.least[0] if len(self.parts) == 2 else self.most
        is_infinite = self._compared(largest, ir.const(Type.F32, _INFINITY), Cmp.EQ)
        return self.emit(Op.SELP, Type.F32, ir.const(Type.F32, otherwise), value, is_infinite)

    def _sum(self) -> ir.Value:
        """Return the sum of the components, the last one but one last."""
        first, second, *rest = self.parts
        total: ir.Value = self.emit(Op.ADD, Type.F32, first, second)
        for part in reversed(rest):
            total = self.emit(Op.ADD, Type.F32, total, part)
        return total

    def _compared(self, a: ir.Value, b: ir.Value, how: Cmp) -> ir.Value:
        return self.emit(Op.SETP, Type.F32, a, b, mod=how)

    def _as(self, value: ir.Value, type: Type) -> ir.Value:
        """Return the bits of a value as another type."""
        if value.type == type:
            return value
        scalars = {Type.F32: t.FLOAT, Type.S32: t.INT, Type.U32: t.UINT}
        given = Value(scalars[value.type], value)
        return self.low.conversions.reinterpret(given, scalars[type]).scalar_operand


TABLE: dict[str, Handler] = {
    **{name + suffix: _length for name in _COMPONENTS for suffix in ("", "f")},
    "hypot": _hypot,
    "hypotf": _hypot,
}
