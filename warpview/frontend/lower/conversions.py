"""Convert values between types, by C's rules."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constant_operations import to_member_pointer
from warpview.frontend.semantic.constants import convert_number
from warpview.frontend.semantic.inheritance import base_offset, cast_offset
from warpview.frontend.semantic.values import NULL, Address, Value, number
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Space, Type

_TRIPLES = frozenset(("dim3", "uint3"))  # which convert to one another

_CAST = "write a cast"
_NUMERIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "~"))  # not of the values of an enum class


class Conversions(LoweringPart):
    def convert(self, value: Value, to: t.CType, span: Span, explicit: bool = False) -> Value:
        """Convert ``value`` to ``to``; fail where C has no such conversion (or only by a cast, unless
        ``explicit``)."""
        to = t.plain(to)
        if t.same(value.type, to) and not isinstance(to, t.Pointer):
            return replace(value, type=to)
        if isinstance(to, t.Void):
            return Value(t.VOID)
        if isinstance(to, t.MemberPointer):
            return to_member_pointer(value, to, span)
        if isinstance(member := t.plain(value.type), t.MemberPointer) and t.same(to, t.BOOL):
            return self.low.arithmetic.binary_values("!=", value, Value(member, ir.const(Type.S64, member.null)), span)
        if (offset := base_offset(value.type, to)) is not None and value.address is not None:
            return Value(to, address=value.address.plus(offset))
        if isinstance(t.plain(value.type), t.Struct) and (
            converted := self.low.calls.user_conversion(value, to, span, explicit)
        ):
            return converted
        if isinstance(to, t.Pointer):
            return self._to_pointer(value, to, span, explicit)
        if isinstance(to, t.Struct) and (made := self.low.construction.from_value(value, to, span)) is not None:
            return made
        if isinstance(to, t.Struct) and to.info.name in _TRIPLES and str(t.plain(value.type)) in _TRIPLES:
            return replace(value, type=to)
        target, source = t.arithmetic(to), t.arithmetic(value.type)
        if target is not None and isinstance(t.plain(value.type), t.Pointer):
            return self._pointer_to_number(value, target, span, explicit)
        is_enum = isinstance(to, t.Enum) or (isinstance(kind := t.plain(value.type), t.Enum) and kind.scoped)
        if is_enum and not explicit:
            fail(f"{t.with_article(t.plain(value.type))} does not convert to '{to}' implicitly", span, _CAST)
        if target is None or source is None:
            fail(f"a value of type '{value.type}' cannot become '{to}'", span)
        return replace(self.convert_scalar(value, source, target), type=to)

    def reinterpret(self, value: Value, type: t.CType) -> Value:
        """Return the same bits as another type of the same size."""
        if t.same(value.type, type):
            return value
        to = t.arithmetic(type)
        if to is None or value.operand is None:
            return replace(value, type=t.plain(type))
        source = value.operand.type
        if source == to.register or (
            not source.is_float and not to.is_float and source.bytes >= 4 and Type.PRED not in (source, to.register)
        ):
            return Value(to, value.operand)
        if isinstance(value.operand, ir.Const):
            return Value(to, ir.same_bits(value.operand, to.register))
        operand = self.context.builder.emit(Op.MOV, to.register, value.operand)
        return Value(to, operand)

    def convert_scalar(self, value: Value, source: t.Scalar, to: t.Scalar) -> Value:
        """Convert between arithmetic types."""
        constant = value.constant
        if constant is not None:
            return number(to, convert_number(constant, to))
        operand = value.scalar_operand
        if to.is_bool:
            is_truth = operand.type == Type.PRED
            return Value(to, operand if is_truth else value.truth or self.not_zero(operand, source))
        if source.is_bool:
            return Value(to, self._from_predicate(operand, to))
        if source.is_float and not to.is_float and to.size < 4:
            wide = self.context.emit(Op.CVT, Type.S32 if to.is_signed else Type.U32, operand, stype=source.isa)
            return Value(to, self.context.emit(Op.CVT, to.isa, wide, stype=wide.type))
        if _reads_alike(source, to):
            return Value(to, operand, product=value.product if source.size == to.size else None)
        return Value(to, self.context.emit(Op.CVT, to.isa, operand, stype=source.isa))

    def not_zero(self, operand: ir.Value, source: t.Scalar) -> ir.Value:
        isa = source.isa if source.size >= 4 else Type.S32
        return self.context.emit(Op.SETP, isa, operand, ir.const(isa, 0), mod=Cmp.NE)

    def _from_predicate(self, predicate: ir.Value, to: t.Scalar) -> ir.Value:
        return self.context.emit(Op.SELP, to.isa, ir.const(to.isa, 1), ir.const(to.isa, 0), predicate)

    # ---------------------------------------------------------------------------------------- pointers
    def _to_pointer(self, value: Value, to: t.Pointer, span: Span, explicit: bool) -> Value:
        source = t.plain(value.type)
        if value.object is not None and isinstance(to.to, t.FunctionSignature):
            return self.low.function_pointers.pointer(value.object, to, span)
        if isinstance(source, t.NullPointerType):
            return Value(to, address=NULL)
        if isinstance(to, t.NullPointerType) and value.constant != 0:
            fail(f"{t.with_article(source)} does not convert to {t.with_article(to)}", span)
        if isinstance(source, t.Pointer):
            assert value.address is not None
            related = t.same(source.to, to.to) or isinstance(to.to, t.Void) or value.address.is_null
            related = related or base_offset(source.to, to.to) is not None
            if not (explicit or related):
                fail(f"{t.with_article(source)} does not convert to {t.with_article(to)} implicitly", span, _CAST)
            is_text = value.address.space == Space.CONST and t.same(source.to, t.CHAR)  # C's strings, with a warning
            drops_const = source.to.const and not to.to.const and not value.address.is_null and not is_text
            if not explicit and drops_const:
                fail(
                    f"{t.with_article(source)} does not convert to {t.with_article(to)}: that would drop 'const'", span
                )
            offset = 0 if value.address.is_null else cast_offset(source.to, to.to)
            return Value(to, address=value.address.plus(offset))
        scalar = t.arithmetic(source)
        if scalar is not None and not scalar.is_float:
            if value.constant == 0:
                return Value(to, address=NULL)
            if explicit:
                wide = self.convert_scalar(value, scalar, t.ULONG)
                return Value(to, address=Address(Space.GENERIC, wide.scalar_operand))
        fail(f"a value of type '{value.type}' cannot become a pointer", span)

    def _pointer_to_number(self, value: Value, to: t.Scalar, span: Span, explicit: bool) -> Value:
        assert value.address is not None
        if to.is_bool and isinstance(t.plain(value.type), t.NullPointerType) and not explicit:
            fail("'nullptr' does not convert to 'bool' implicitly", span)
        if to.is_bool:
            return self.pointer_holds(value.address)
        if not explicit or to.is_float:
            fail(f"a pointer does not convert to '{to}' implicitly", span, _CAST)
        if to.size < t.ULONG.size and not is_own_header(span.source):
            fail(f"'{to}' is too small for a pointer", span, "use size_t")
        return self.convert_scalar(Value(t.ULONG, self.low.memory.generic_operand(value.address)), t.ULONG, to)

    def pointer_holds(self, address: Address) -> Value:
        """Return whether a pointer is not null."""
        if address.is_null:
            return number(t.BOOL, 0)
        if not address.is_wide or address.base is None:
            return number(t.BOOL, 1)  # the address of a variable
        operand = self.low.memory.address_operand(address)
        return Value(t.BOOL, self.context.emit(Op.SETP, Type.U64, operand, ir.const(Type.U64, 0), mod=Cmp.NE))

    # ------------------------------------------------------------------------------------- expectations
    def truth(self, value: Value, span: Span) -> Value:
        """Return a condition as bool."""
        type = t.plain(value.type)
        is_scoped = isinstance(type, t.Enum) and type.scoped and not isinstance(type, t.MemberPointer)
        own = self.low.semantics.own_conversions
        number_type = own.number_type(value.type, explicit=True, is_lvalue=value.is_lvalue)
        is_number = number_type is not None and not is_scoped
        becomes = (type, *(result for _, result in own.conversions_of(value.type)))
        points = any(isinstance(t.plain(each), t.Pointer) for each in becomes)
        if not (is_number or points or isinstance(type, t.MemberPointer)):
            fail(f"a value of type '{value.type}' cannot be a condition", span)
        return self.convert(value, t.BOOL, span, explicit=True)

    def pointer_value(self, value: Value, span: Span) -> Value:
        """Return a struct as the pointer that it converts itself to; anything else as it is."""
        if not isinstance(t.plain(value.type), t.Struct):
            return value
        pointer = self.low.semantics.own_conversions.operand_type(value.type)
        return self.convert(value, pointer, span) if isinstance(pointer, t.Pointer) else value

    def arithmetic_value(self, value: Value, span: Span, what: str) -> tuple[Value, t.Scalar]:
        scalar = self.low.semantics.own_conversions.number_type(value.type, is_lvalue=value.is_lvalue)
        if what[1:-1] in _NUMERIC and isinstance(enum := t.plain(value.type), t.Enum) and enum.scoped:
            fail(f"{what} cannot be applied to a value of type '{enum}'", span, _CAST)
        if scalar is not None and isinstance(t.plain(value.type), t.Struct):
            self.low.semantics.own_conversions.check_clear(value.type, value.is_lvalue, what, span)
            return self.convert(value, scalar, span), scalar
        if scalar is None:
            type = t.plain(value.type)
            is_vector = isinstance(type, t.Struct) and type.info.is_vector
            hint = "#include <helper_math.h> gives vectors their operators" if is_vector else ""
            message = f"{what} cannot be applied to a value of type '{value.type}'"
            self.low.semantics.names.fail_operator(what.strip("'"), value.type, message, span, hint)
        return value, scalar

    def integer_value(self, value: Value, span: Span, what: str) -> tuple[Value, t.Scalar]:
        value, scalar = self.arithmetic_value(value, span, what)
        if scalar.is_float:
            fail(f"{what} needs integers, not '{value.type}'", span)
        return value, scalar


def _reads_alike(source: t.Scalar, to: t.Scalar) -> bool:
    """Return whether a register that holds a value of one type already reads as the other."""
    if source.is_float or to.is_float:
        return source.isa == to.isa
    if source.isa == to.isa:
        return True
    if to.size == source.size:
        return to.size >= 4
    return to.size == 4 and source.size < 4  # registers hold narrow integers widened
