"""Parse the definitions of member functions behind their struct: ``float Sum::add(float x) { ... }``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import NamedTuple

from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import opening_angle
from warpview.frontend.preprocess.tokens import TokenKind, fail
from warpview.frontend.syntax.nodes import Node


class Qualifier(NamedTuple):
    """Say where a struct qualifies the name that is declared: ``Sum::``, ``Vector<T>::``."""

    struct: s.StructType
    start: int  # tokens ahead
    end: int


class MethodDefinitionRules(Rules):
    def qualifier(self) -> Qualifier | None:
        """Return the qualifier of the function whose declaration starts here; None where it belongs to no struct."""
        texts = self.rules.members.head()
        for name in range(2, len(texts)):
            if texts[name - 1] == "::" and self._behind_name(texts, name) == "(":
                end = start = name - 1
                if texts[end - 1] in (">", ">>"):
                    start = opening_angle(texts, end - 1)
                start -= 1
                struct = self.rules.structs.get(texts[start]) if start >= 0 else None
                return Qualifier(struct, start, end + 1) if struct else None
        return None

    def _behind_name(self, texts: list[str], name: int) -> str:
        """Return the token behind the name of a function, which may be an operator's."""
        if texts[name] == "operator":
            name += 2 if texts[name + 1 : name + 3] in (["(", ")"], ["[", "]"]) else 1
        return texts[name + 1] if name + 1 < len(texts) else ""

    def definition(self, qualifier: Qualifier, template: list[s.TemplateParameter] | None) -> None:
        """Parse the definition as if it stood in the struct, and give it to the function that the struct declares."""
        struct, place = qualifier.struct, self.cursor.token.span
        if len(struct.template or []) != len(template or []):
            fail(f"'{struct.name}' has {len(struct.template or [])} template parameters", place)
        own = {here.name: there.name for here, there in zip(template or [], struct.template or [], strict=True)}
        self._rename(own)
        for here, there in own.items():
            self.cursor.names[-1][there] = self.cursor.names[-1][here]
        start = self.cursor.position
        del self.cursor.tokens[start + qualifier.start : start + qualifier.end]
        inside = s.StructType(struct.span, struct.name, struct.is_union, bases=struct.bases)
        self.cursor.names.append(dict(self.cursor.member_names[struct.name]))
        self.rules.members.data_or_method(inside, None)
        self.cursor.names.pop()
        for defined in inside.methods:
            self._define(struct, defined)

    def _rename(self, names: dict[str, str]) -> None:
        """Rename template parameters in the definition that starts here."""
        start = self.cursor.position
        while not self.cursor.at("{", ";") and self.cursor.token.kind is not TokenKind.END:
            self.cursor.advance()
        self.cursor.skip_balanced()
        tokens = self.cursor.tokens[start : self.cursor.position]
        renamed = [replace(token, text=names.get(token.text, token.text)) for token in tokens]
        self.cursor.tokens[start : self.cursor.position] = renamed
        self.cursor.position = start

    def _define(self, struct: s.StructType, defined: s.FunctionDeclaration) -> None:
        named = [m for m in struct.methods if m.name == defined.name and len(m.parameters) == len(defined.parameters)]
        types = [parameter.type for parameter in defined.parameters]
        alike = [m for m in named if _alike([parameter.type for parameter in m.parameters], types)]
        declared = next(iter(alike or named), None)
        if declared is None:
            fail(f"'{struct.name}' declares no function '{defined.name}' with these parameters", defined.span)
        if declared.body is not None:
            fail(f"'{struct.name}::{defined.name}' is defined twice", defined.span)
        for parameter, before in zip(defined.parameters, declared.parameters, strict=True):
            parameter.default = parameter.default or before.default
        declared.span, declared.parameters, declared.body = defined.span, defined.parameters, defined.body
        declared.initialises = defined.initialises


def _alike(a: object, b: object) -> bool:
    """Return whether two trees say the same, wherever they stand."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, Node):
        return all(_alike(getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.name != "span")
    return a == b
