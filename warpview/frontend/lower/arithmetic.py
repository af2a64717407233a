"""Lower arithmetic on values to the code that a plain optimising compiler would write for each operator."""

from __future__ import annotations

import math
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constant_operations import alike_members
from warpview.frontend.semantic.constants import compare, fold
from warpview.frontend.semantic.inheritance import cast_related
from warpview.frontend.semantic.values import Value, number
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Space, Type

_COMPARE = {"==": Cmp.EQ, "!=": Cmp.NE, "<": Cmp.LT, "<=": Cmp.LE, ">": Cmp.GT, ">=": Cmp.GE}
_PLAIN = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIV, "%": Op.REM, "&": Op.AND, "|": Op.OR, "^": Op.XOR}
_INTEGER_ONLY = frozenset(("%", "&", "|", "^", "<<", ">>"))


class Arithmetic(LoweringPart):
    def binary_values(self, op: str, left: Value, right: Value, span: Span) -> Value:
        """Lower ``left op right`` for any operator but && || and the comma."""
        left, right = alike_members(op, left, right, span)
        left, right = (self.low.conversions.pointer_value(value, span) for value in (left, right))
        if isinstance(t.plain(left.type), t.Pointer) or isinstance(t.plain(right.type), t.Pointer):
            return self._pointer_operation(op, left, right, span)
        left, left_type = self.low.conversions.arithmetic_value(left, span, f"'{op}'")
        right, right_type = self.low.conversions.arithmetic_value(right, span, f"'{op}'")
        if op in _INTEGER_ONLY and (left_type.is_float or right_type.is_float):
            fail(f"'{op}' needs integers, not '{left.type}' and '{right.type}'", span)
        if op in ("<<", ">>"):
            return self._shift(op, left, left_type, right, right_type)
        if op in ("&", "|", "^") and not self._both_known(left, right):
            a, b = (self._truth(value, type) for value, type in ((left, left_type), (right, right_type)))
            if a is not None and b is not None:
                both = self.combine_predicates(op, a, b)
                return replace(self.low.conversions.convert_scalar(both, t.BOOL, t.INT), truth=both.operand)
        common = t.usual(left_type, right_type)
        a = self.low.conversions.convert_scalar(left, left_type, common)
        b = self.low.conversions.convert_scalar(right, right_type, common)
        if op in _COMPARE:
            return self._compare(op, a, b, common)
        return self.arithmetic(op, a, b, common)

    @staticmethod
    def _both_known(left: Value, right: Value) -> bool:
        return left.constant is not None and right.constant is not None

    @staticmethod
    def _truth(value: Value, type: t.Scalar) -> Value | None:
        """Return a bool, or the bool that an int was made from."""
        return value if type.is_bool else None if value.truth is None else Value(t.BOOL, value.truth)

    def combine_predicates(self, op: str, left: Value, right: Value) -> Value:
        """Combine two truth values; the result is one too."""
        for known, other in ((left, right), (right, left)):
            if known.constant is not None and op != "^":
                return number(t.BOOL, 0) if known.constant == 0 and op == "&" else (
                    number(t.BOOL, 1) if known.constant == 1 and op == "|" else other
                )  # fmt: skip
        return Value(t.BOOL, self.context.emit(_PLAIN[op], Type.PRED, left.scalar_operand, right.scalar_operand))

    def _compare(self, op: str, a: Value, b: Value, common: t.Scalar) -> Value:
        x, y = a.constant, b.constant
        if x is not None and y is not None:
            return number(t.BOOL, compare(op, x, y))
        if y == 0 and not common.is_float and not common.is_signed and op in ("<", ">="):
            return number(t.BOOL, op == ">=")
        return Value(
            t.BOOL, self.context.emit(Op.SETP, common.isa, a.scalar_operand, b.scalar_operand, mod=_COMPARE[op])
        )

    # --------------------------------------------------------------------------------------- arithmetic
    def arithmetic(self, op: str, a: Value, b: Value, type: t.Scalar) -> Value:
        """Lower ``a op b``, both already of ``type``."""
        x, y = a.constant, b.constant
        if x is not None and y is not None:
            result = fold(op, x, y, type)
            if result is not None:
                return number(type, result)
        if (simple := self._simplified(op, a, b, type)) is not None:
            return simple
        if op == "+" and (fused := self._fused(a, b, type) or self._fused(b, a, type)) is not None:
            return fused
        if op == "/" and type.is_float and y is not None and _has_exact_reciprocal(float(y)):
            op, b = "*", number(type, 1 / y)
        if op == "*":
            return self._product(a, b, type)
        if op in ("/", "%") and y is not None and not type.is_float and _is_power_of_two(y):
            return self._by_power_of_two(op, a, int(y), type)
        contracts = type.is_float and self.context.fma and op in ("+", "-")
        operands = a.scalar_operand, b.scalar_operand
        return Value(type, self.context.emit(_PLAIN[op], type.isa, *operands, contracts=contracts))

    def _simplified(self, op: str, a: Value, b: Value, type: t.Scalar) -> Value | None:
        """Return the result of an operation that needs no instruction; None where it needs one."""
        x, y = a.constant, b.constant
        if type.is_float:
            return replace(a, type=type) if y == 1 and op in ("*", "/") else None
        if y == 0 and op in ("+", "-", "|", "^"):
            return replace(a, type=type)
        if x == 0 and op in ("+", "|", "^"):
            return replace(b, type=type)
        if y == 1 and op in ("*", "/"):
            return replace(a, type=type)
        if x == 1 and op == "*":
            return replace(b, type=type)
        if (x == 0 or y == 0) and op in ("*", "&"):
            return number(type, 0)
        return number(type, 0) if y == 1 and op == "%" else None

    def _fused(self, product: Value, addend: Value, type: t.Scalar) -> Value | None:
        """Lower product + addend of integers as one instruction."""
        if product.product is None or type.is_float:
            return None
        return Value(type, self.context.emit(Op.MAD, type.isa, *product.product, addend.scalar_operand))

    def _product(self, a: Value, b: Value, type: t.Scalar) -> Value:
        if a.constant is not None:
            a, b = b, a
        factors = (a.scalar_operand, b.scalar_operand)
        y = b.constant
        if not type.is_float and y is not None and _is_power_of_two(y):
            count = ir.const(Type.U32, int(y).bit_length() - 1)
            return Value(type, self.context.emit(Op.SHL, type.isa, factors[0], count), product=factors)
        contracts = type.is_float and self.context.fma
        return Value(type, self.context.emit(Op.MUL, type.isa, *factors, contracts=contracts), product=factors)

    def _by_power_of_two(self, op: str, a: Value, divisor: int, type: t.Scalar) -> Value:
        """Lower division and remainder by shifts and masks; of signed numbers rounded towards zero by a bias."""
        shift = divisor.bit_length() - 1
        operand, isa = a.scalar_operand, type.isa
        if not type.is_signed:
            if op == "/":
                return Value(type, self.context.emit(Op.SHR, isa, operand, ir.const(Type.U32, shift)))
            return Value(type, self.context.emit(Op.AND, isa, operand, ir.const(isa, divisor - 1)))
        bits, unsigned = 8 * type.size, Type.U64 if type.size == 8 else Type.U32
        sign = operand if shift == 1 else self.context.emit(Op.SHR, isa, operand, ir.const(Type.U32, bits - 1))
        bias = self.context.emit(Op.SHR, unsigned, sign, ir.const(Type.U32, bits - shift))
        biased = self.context.emit(Op.ADD, isa, operand, bias)
        if op == "/":
            return Value(type, self.context.emit(Op.SHR, isa, biased, ir.const(Type.U32, shift)))
        multiple = self.context.emit(Op.AND, isa, biased, ir.const(isa, -divisor))
        return Value(type, self.context.emit(Op.SUB, isa, operand, multiple))

    def _shift(self, op: str, left: Value, left_type: t.Scalar, right: Value, right_type: t.Scalar) -> Value:
        """Return a shift, whose type is that of its left operand, promoted."""
        type = t.promoted(left_type)
        value = self.low.conversions.convert_scalar(left, left_type, type)
        x, y = value.constant, right.constant
        if x is not None and y is not None and (result := fold(op, x, y, type)) is not None:
            return number(type, result)
        if y == 0:
            return value
        if y is not None and not 0 <= y < 1 << 32:
            right = number(t.UINT, 255)  # every bit goes
            right_type = t.UINT
        count = self.low.conversions.convert_scalar(right, right_type, t.UINT).scalar_operand
        factors = None
        if op == "<<" and y is not None and 0 < y < 8 * type.size - 1:
            factors = (value.scalar_operand, ir.const(type.isa, 1 << int(y)))
        opcode = Op.SHL if op == "<<" else Op.SHR
        return Value(type, self.context.emit(opcode, type.isa, value.scalar_operand, count), product=factors)

    def negated(self, value: Value, type: t.Scalar) -> Value:
        constant = value.constant
        if constant is not None:
            return number(type, -constant if type.is_float else t.wrap(-int(constant), type))
        return Value(type, self.context.emit(Op.NEG, type.isa, value.scalar_operand))

    def inverted(self, value: Value) -> Value:
        """Lower the negation of a truth value: of a comparison that was just made, the opposite comparison."""
        if value.constant is not None:
            return number(t.BOOL, not value.constant)
        instrs = self.context.builder.block.instrs
        operand = value.scalar_operand
        if isinstance(operand, ir.Reg) and self.context.just_computed(operand) and instrs[-1].op == Op.SETP:
            last = instrs[-1]
            opposite = _opposite(Cmp(last.mod), last.type)
            if opposite is not None:
                return Value(t.BOOL, self.context.emit(Op.SETP, last.type, *last.srcs, mod=opposite))
        return Value(t.BOOL, self.context.emit(Op.NOT, Type.PRED, operand))

    # ---------------------------------------------------------------------------------------- pointers
    def _pointer_operation(self, op: str, left: Value, right: Value, span: Span) -> Value:
        a, b = t.plain(left.type), t.plain(right.type)
        if op in _COMPARE:
            self._check_comparable(op, a, b, left, right, span)
            return self._compare_pointers(op, self._as_pointer(left, b, span), self._as_pointer(right, a, span))
        if isinstance(a, t.Pointer) and isinstance(b, t.Pointer) and op == "-":
            return self._pointer_difference(left, right, a, span)
        if isinstance(b, t.Pointer) and op == "+":
            left, right, a, b = right, left, b, a
        if isinstance(a, t.Pointer) and t.arithmetic(b) is not None and op in ("+", "-"):
            assert left.address is not None
            if op == "-":
                right, scalar = self.low.conversions.integer_value(right, span, "pointer arithmetic")
                scalar = t.promoted(scalar)
                wide = self.low.conversions.convert(right, scalar if scalar.is_signed else t.LONG, span)
                plain = t.arithmetic(wide.type)
                assert plain is not None
                right = self.negated(wide, plain)
            address = left.address if right.constant is not None else replace(left.address, member=None)
            return Value(a, address=self.low.memory.advanced(address, right, a.to.size, span))
        message = f"'{op}' cannot be applied to '{left.type}' and '{right.type}'"
        self.low.semantics.names.fail_operator(op, left.type, message, span)

    @staticmethod
    def _check_comparable(op: str, a: t.CType, b: t.CType, left: Value, right: Value, span: Span) -> None:
        """Fail where two pointers point to objects of unrelated types."""
        if not isinstance(a, t.Pointer) or not isinstance(b, t.Pointer):
            return
        is_null = any(side.address is not None and side.address.is_null for side in (left, right))
        is_void = isinstance(a.to, t.Void) or isinstance(b.to, t.Void)
        if not (is_null or is_void or t.same(a, b) or cast_related(a.to, b.to)):
            fail(f"'{op}' cannot compare {t.with_article(a)} with {t.with_article(b)}", span, "write a cast")

    def _as_pointer(self, value: Value, other: t.CType, span: Span) -> Value:
        if isinstance(t.plain(value.type), t.Pointer):
            return value
        return self.low.conversions.convert(value, other, span)

    def _compare_pointers(self, op: str, left: Value, right: Value) -> Value:
        a, b = left.address, right.address
        assert a is not None
        assert b is not None
        if a.is_null and b.is_null:
            return number(t.BOOL, compare(op, 0, 0))
        if (a.is_null or b.is_null) and op in ("==", "!="):
            holds = self.low.conversions.pointer_holds(b if a.is_null else a)
            return holds if op == "!=" else self.inverted(holds)
        if (a.cell, a.space, a.base) == (b.cell, b.space, b.base):
            return number(t.BOOL, compare(op, a.offset, b.offset))
        if a.space == b.space and a.cell is None and b.cell is None:
            type = Type.U64 if a.is_wide else Type.U32
            x, y = self.low.memory.address_operand(a), self.low.memory.address_operand(b)
        else:
            type, x, y = Type.U64, self.low.memory.generic_operand(a), self.low.memory.generic_operand(b)
        return Value(t.BOOL, self.context.emit(Op.SETP, type, x, y, mod=_COMPARE[op]))

    def _pointer_difference(self, left: Value, right: Value, type: t.Pointer, span: Span) -> Value:
        a, b = left.address, right.address
        assert a is not None
        assert b is not None
        size = type.to.size
        if (a.cell, a.space, a.base) == (b.cell, b.space, b.base):
            return number(t.LONG, (a.offset - b.offset) // size)
        if a.space == b.space and not a.is_wide and Space.NONE not in (a.space, b.space):
            narrow = self.context.emit(
                Op.SUB, Type.S32, self.low.memory.address_operand(a), self.low.memory.address_operand(b)
            )
            bytes_apart = self.context.emit(Op.CVT, Type.S64, narrow, stype=Type.S32)
        else:
            bytes_apart = self.context.emit(
                Op.SUB, Type.S64, self.low.memory.generic_operand(a), self.low.memory.generic_operand(b)
            )
        if _is_power_of_two(size):
            shift = ir.const(Type.U32, size.bit_length() - 1)
            return Value(t.LONG, self.context.emit(Op.SHR, Type.S64, bytes_apart, shift) if size > 1 else bytes_apart)
        return self.arithmetic("/", Value(t.LONG, bytes_apart), number(t.LONG, size), t.LONG)


def _is_power_of_two(value: int | float) -> bool:
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0


def _opposite(comparison: Cmp, type: Type) -> Cmp | None:
    """Return the comparison that holds where this one does not; of floats only (un)equality has one, because of NaN."""
    pairs = {Cmp.EQ: Cmp.NE, Cmp.NE: Cmp.EQ}
    if not type.is_float:
        pairs |= {Cmp.LT: Cmp.GE, Cmp.GE: Cmp.LT, Cmp.GT: Cmp.LE, Cmp.LE: Cmp.GT}
    return pairs.get(comparison)


def _has_exact_reciprocal(value: float) -> bool:
    """Return whether dividing by ``value`` is the same as multiplying by its reciprocal: a power of two is."""
    return math.isfinite(value) and abs(math.frexp(value)[0]) == 0.5 and 1e-30 < abs(value) < 1e30
