"""Write random expressions that never overflow, divide by zero or shift too far, and tell their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from .arithmetic_types import BITS, INTEGERS, SIGNED, TYPES, can_overflow, common, is_float, promoted

DEPTH = 3
SUFFIXES = {"int": "", "unsigned": "u", "long long": "ll", "unsigned long long": "ull"}


class Term(NamedTuple):
    """Hold an expression and its type."""

    text: str
    type: str


class ExpressionWriter:
    """Write expressions over the variables that it is given."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.forms: Sequence[tuple[int, Callable[[Sequence[Term], int], Term]]] = (
            (4, self._sum), (1, self._quotient), (1, self._bits), (1, self._shift), (1, self._comparison),
            (1, self._choice), (1, self._conversion), (1, self._unary), (1, self._logical), (1, self._size),
        )  # fmt: skip

    def literal(self, type: str) -> str:
        if type == "bool":
            return self.random.choice(("true", "false"))
        if type == "char":
            return self.random.choice(("'a'", r"'\n'", r"'\x41'", r"'\0'", "' '"))
        if is_float(type):
            number = self.random.choice(("0.5", "1.", "-2.25", "3e2", "100.75"))
            return number + "f" * (type == "float")
        bits = BITS[type] - (type in SIGNED)
        value = self.random.randrange(1 << min(bits, self.random.choice((3, 6, bits))))
        negative = type in SIGNED and self.random.random() < 0.4
        if BITS[type] < 32:
            return f"({type})({-value if negative else value})"
        text = self.random.choice(("{}", "0x{:x}")).format(value) + SUFFIXES[type]
        return f"(- {text})" if negative else text

    def leaf(self, variables: Sequence[Term], floats: bool = True) -> Term:
        if not floats:
            variables = [v for v in variables if not is_float(v.type)]
        if variables and self.random.random() < 0.75:
            return self.random.choice(variables)
        type = self.random.choice(TYPES if floats else INTEGERS)
        return Term(self.literal(type), type)

    def small(self, term: Term) -> str:
        """Return the expression, cut to a range in which sums and products are defined and exact."""
        if is_float(term.type):
            return f"clip({term.text})"
        return f"(({term.text}) % 1009)" if can_overflow(term.type) else f"({term.text})"

    def expression(self, variables: Sequence[Term], depth: int = 0) -> Term:
        if depth > DEPTH or self.random.random() < 0.15:
            return self.leaf(variables)
        weights, forms = zip(*self.forms, strict=True)
        return self.random.choices(forms, weights)[0](variables, depth + 1)

    def integer(self, variables: Sequence[Term], depth: int) -> Term:
        term = self.expression(variables, depth)
        return self.leaf(variables, floats=False) if is_float(term.type) else term

    def converted(self, type: str, variables: Sequence[Term], depth: int = 1) -> str:
        """Return an expression whose value converts to ``type`` without undefined behaviour."""
        return self.convertible(self.expression(variables, depth), type)

    def convertible(self, term: Term, type: str) -> str:
        if not is_float(term.type) or is_float(type):
            return term.text
        return f"clip({term.text})" if type == "bool" or type in SIGNED else f"absolute(clip({term.text}))"

    def _sum(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.expression(variables, depth) for _ in range(2))
        return Term(f"({self.small(a)} {self.random.choice('+-*')} {self.small(b)})", common(a.type, b.type))

    def _quotient(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.integer(variables, depth) for _ in range(2))
        added, type = self.random.choice((("1", "int"), ("2", "int"), ("3u", "unsigned"), ("5ll", "long long")))
        text = f"({self.small(a)} {self.random.choice('/%')} ((({b.text}) & 63) + {added}))"
        return Term(text, common(a.type, common(b.type, type)))

    def _bits(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.integer(variables, depth) for _ in range(2))
        return Term(f"({a.text} {self.random.choice('&|^')} {b.text})", common(a.type, b.type))

    def _shift(self, variables: Sequence[Term], depth: int) -> Term:
        a, by = self.integer(variables, depth), self.leaf(variables, floats=False).text
        type = promoted(a.type)
        if self.random.random() < 0.5:
            return Term(f"({a.text} >> ({by} & {BITS[type] - 1}))", type)
        if type in SIGNED:
            return Term(f"(({a.text} & 255) << ({by} & 7))", type)
        return Term(f"({a.text} << ({by} & {BITS[type] - 1}))", type)

    def _comparison(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.expression(variables, depth) for _ in range(2))
        return Term(f"({a.text} {self.random.choice(('<', '>', '<=', '>=', '==', '!='))} {b.text})", "bool")

    def _choice(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.expression(variables, depth) for _ in range(2))
        condition = self.expression(variables, depth + 1).text
        return Term(f"({condition} ? {a.text} : {b.text})", a.type if a.type == b.type else common(a.type, b.type))

    def _conversion(self, variables: Sequence[Term], depth: int) -> Term:
        type = self.random.choice((*INTEGERS, "float"))
        term = self.expression(variables, depth)
        text = self.convertible(term, type)
        forms = ("({})({})", "static_cast<{}>({})", "{}({})")
        return Term(self.random.choice(forms[: 2 if " " in type else 3]).format(type, text), type)

    def _unary(self, variables: Sequence[Term], depth: int) -> Term:
        operator, term = self.random.choice("~-!+"), self.expression(variables, depth)
        if operator == "!":
            return Term(f"(!{term.text})", "bool")
        if is_float(term.type):
            return Term(f"(- {term.text})", term.type)
        text = self.small(term) if operator == "-" else f"({term.text})"
        return Term(f"({operator} {text})", promoted(term.type))

    def _logical(self, variables: Sequence[Term], depth: int) -> Term:
        a, b = (self.expression(variables, depth).text for _ in range(2))
        return Term(f"({a} {self.random.choice(('&&', '||'))} {b})", "bool")

    def _size(self, variables: Sequence[Term], depth: int) -> Term:
        return Term(f"(int)sizeof({self.expression(variables, depth).text})", "int")
