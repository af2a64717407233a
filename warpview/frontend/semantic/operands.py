"""Describe an expression to overload resolution and typing without evaluating it."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.types import CType
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value


@dataclass(frozen=True)
class TypedOperand:
    """Describe an expression: its type, whether it names an object and whether it is a null pointer constant.

    A lambda comes with its ``object``.
    """

    type: CType
    is_lvalue: bool = False
    is_null: bool = False
    object: FunctionObject | None = None

    @classmethod
    def of(cls, found: Lvalue | Value) -> TypedOperand:
        """Return the operand that an evaluated expression is."""
        if isinstance(found, Lvalue):
            return cls(found.type, is_lvalue=True)
        null = found.constant == 0 or (found.address is not None and found.address.is_null)
        return cls(found.type, is_lvalue=found.address is not None and not null, is_null=null, object=found.object)


def operands_of_step(e: s.Unary | s.Postfix) -> list[s.Expression]:
    """Return what an operator ++ or -- of a struct is called with: behind its operand also with an int."""
    return [e.operand, s.Literal(e.span, 0, t.INT)] if isinstance(e, s.Postfix) else [e.operand]
