"""Find expressions that may be evaluated speculatively: cheap, without effect, without access to memory."""

from __future__ import annotations

from typing import Protocol

from warpview.frontend import syntax as s
from warpview.frontend.semantic.values import Lvalue, Value

MAX_NODES = 12


class KnownNames(Protocol):
    """Look up names: the objects that they stand for, and constants."""

    def lookup(self, e: s.Name) -> object: ...

    def constant(self, expression: s.Expression) -> int | float | None: ...


def is_cheap(e: s.Expression, names: KnownNames) -> bool:
    """Return whether a compiler would rather compute ``e`` than branch around it."""
    return _cost(e, names) <= MAX_NODES


def _cost(e: s.Expression, names: KnownNames) -> int:
    too_much = MAX_NODES + 1
    match e:
        case s.Literal() | s.SizeOf() | s.NullPointer():
            return 1
        case s.Name():
            found = names.lookup(e)
            in_registers = isinstance(found, Value) or (isinstance(found, Lvalue) and found.is_local)
            return 1 if in_registers else too_much
        case s.Member(base=base, arrow=False):
            return _cost(base, names)
        case s.Unary(operator="+" | "-" | "!" | "~", operand=operand):
            return 1 + _cost(operand, names)
        case s.Binary(operator=op, left=left, right=right) if op != ",":
            if op in ("/", "%", "<<", ">>") and names.constant(right) is None:  # the check of shifts looks at each
                return too_much
            return 1 + _cost(left, names) + _cost(right, names)
        case s.Cast(operand=operand):
            return 1 + _cost(operand, names)
        case s.Conditional(condition=condition, then=then, other=other):
            return 1 + _cost(condition, names) + _cost(then, names) + _cost(other, names)
        case s.Construct(arguments=[argument], braces=False):
            return 1 + _cost(argument, names)
    return too_much
