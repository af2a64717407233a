"""Parse the definitions of member functions behind their struct: ``float Sum::add(float x) { ... }``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.name_tables import NameTable
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import closing_angle, opening_angle
from warpview.frontend.preprocess.tokens import TokenKind, fail
from warpview.frontend.syntax.walk import same_syntax


class Qualifier(NamedTuple):
    """Say where a struct or namespace qualifies the name that is declared: ``Sum::``, ``a::Vector<T>::``."""

    path: list[str]
    tables: list[NameTable]  # those that the path leads through
    start: int  # tokens ahead
    end: int


class MethodDefinitionRules(Rules):
    def qualifier(self) -> Qualifier | None:
        """Return the qualifier of the function whose declaration starts here; None where it has none."""
        texts = self.rules.members.head()
        depth = 0
        for name in range(2, len(texts)):
            depth += (texts[name - 2] == "(") - (texts[name - 2] == ")")
            if depth == 0 and texts[name - 2] == "=":
                return None
            if depth == 0 and texts[name - 1] == "::" and self._behind_name(texts, name) == "(":
                return self._leading_to(texts, name)
        return None

    def _leading_to(self, texts: list[str], name: int) -> Qualifier | None:
        """Return the qualifier before the name of a function; None where the file does not know it."""
        path: list[str] = []
        start = name
        while start > 1 and texts[start - 1] == "::":
            last = start - 2
            start = opening_angle(texts, last) - 1 if texts[last] in (">", ">>") else last
            path.insert(0, texts[start])
        names = self.cursor.names
        tables = [names.at_path(path[: k + 1]) for k in range(len(path))]
        known = [table for table in tables if table is not None]
        return Qualifier(path, known, start, name) if known and len(known) == len(tables) else None

    def _behind_name(self, texts: list[str], name: int) -> str:
        """Return the token behind the name of a function, which may be an operator's or have template arguments."""
        if texts[name] == "operator":
            name += 2 if texts[name + 1 : name + 3] in (["(", ")"], ["[", "]"]) else 1
        elif texts[name] == "~":
            name += 1
        elif texts[name + 1 : name + 2] == ["<"]:
            name = closing_angle(texts, name + 1)
        return texts[name + 1] if name + 1 < len(texts) else ""

    def definition(
        self, qualifier: Qualifier, template: list[s.TemplateParameter] | None,
        inner: Sequence[list[s.TemplateParameter]] = (),
    ) -> None:  # fmt: skip
        """Parse the definition as if it stood in the struct, and give it to the function that the struct declares; or
        as if it stood in the namespace. ``inner`` are the parameters of templates within the outermost one."""
        struct, place = qualifier.tables[-1].struct, self.cursor.token.span
        if struct is None:
            self._in_namespace(qualifier, template)
            return
        heads = [head for head in (template, *inner) if head]
        arguments = self._arguments(qualifier) if template == [] and struct.template else None
        if arguments is None:
            own, further = self._own_names(qualifier, heads, place)
        else:
            own, further = {}, next(iter(inner), None)
        self._rename(own)
        for here, there in own.items():
            self.cursor.names.innermost[there] = self.cursor.names.innermost[here]
        start = self.cursor.position
        self.cursor.rewrite(start + qualifier.start, start + qualifier.end, [])
        inside = s.StructType(struct.span, struct.name, struct.is_union, bases=struct.bases)
        depth = len(self.cursor.names.open)
        for table in qualifier.tables:
            self.cursor.names.enter(table)
        self.cursor.names.enter()
        self.rules.members.data_or_method(inside, further)
        del self.cursor.names.open[depth:]
        for defined in inside.methods:
            if arguments is None:
                self._define(struct, defined)
            else:
                self._specialise(struct, arguments, defined)

    def _arguments(self, qualifier: Qualifier) -> list[s.TypeSyntax | s.Expression]:
        """Parse the template arguments for which alone a struct gets a function, ``template <> int A<int>::f()``."""
        start = self.cursor.position
        texts = [token.text for token in self.cursor.tokens[start : start + qualifier.end]]
        self.cursor.position += opening_angle(texts, qualifier.end - 2)
        arguments = self.rules.types.template_arguments()
        self.cursor.position = start
        return arguments

    def _own_names(
        self, qualifier: Qualifier, heads: list[list[s.TemplateParameter]], span: Span
    ) -> tuple[dict[str, str], list[s.TemplateParameter] | None]:  # fmt: skip
        """Return the names that the template parameters of structs have where these are defined, by the names here,
        and the parameters that are the function's own."""
        structs = [table.struct for table in qualifier.tables if table.struct is not None and table.struct.template]
        own: dict[str, str] = {}
        for struct, head in zip_longest(structs, heads[: len(structs)], fillvalue=None):
            there = (struct.template if struct is not None else None) or []
            if len(there) != len(head or []):
                fail(f"'{struct.name if struct else ''}' has {len(there)} template parameters", span)
            own |= {here.name: parameter.name for here, parameter in zip(head or [], there, strict=True)}
        further = heads[len(structs) :]
        if len(further) > 1:
            fail(f"'{qualifier.path[-1]}' is no template within a template", span)
        return own, further[0] if further else None

    def _in_namespace(self, qualifier: Qualifier, template: list[s.TemplateParameter] | None) -> None:
        """Parse the definition of a function that a namespace has declared."""
        start = self.cursor.position
        self.cursor.rewrite(start + qualifier.start, start + qualifier.end, [])
        unit, outside, depth = self.rules.unit, self.rules.namespace, len(self.cursor.names.open)
        known, parameters = len(unit.functions), self.cursor.names.innermost
        self.rules.namespaces.enter(qualifier.path)
        if template is not None:
            self.cursor.names.enter(parameters)
        self.rules.declaration(template)
        unit.namespaces.update(dict.fromkeys(unit.functions[known:], self.rules.namespace))
        self.rules.namespace = outside
        del self.cursor.names.open[depth:]

    def _rename(self, names: dict[str, str]) -> None:
        """Rename template parameters in the definition that starts here."""
        start = self.cursor.position
        while not self.cursor.at("{", ";") and self.cursor.token.kind is not TokenKind.END:
            self.cursor.advance()
        self.cursor.skip_balanced()
        tokens = self.cursor.tokens[start : self.cursor.position]
        renamed = [replace(token, text=names.get(token.text, token.text)) for token in tokens]
        self.cursor.rewrite(start, self.cursor.position, renamed)
        self.cursor.position = start

    def _specialise(
        self, struct: s.StructType, arguments: list[s.TypeSyntax | s.Expression], defined: s.FunctionDeclaration
    ) -> None:  # fmt: skip
        declared = self._declared(struct, defined)
        defined.specifiers |= declared.specifiers
        for parameter, before in zip(defined.parameters, declared.parameters, strict=True):
            parameter.default = before.default
        struct.specialised_members.append(s.MemberSpecialisation(defined.span, arguments, defined))

    @staticmethod
    def _declared(struct: s.StructType, defined: s.FunctionDeclaration) -> s.FunctionDeclaration:
        """Return the function of a struct that is defined outside of it, or specialised there."""
        named = [
            m for m in struct.methods
            if m.name == defined.name and len(m.parameters) == len(defined.parameters)
            and (defined.is_specialisation or len(m.template or []) == len(defined.template or []))
        ]  # fmt: skip
        types = [parameter.type for parameter in defined.parameters]
        alike = [m for m in named if same_syntax([parameter.type for parameter in m.parameters], types)]
        declared = next(iter(alike or named), None)
        if declared is None:
            fail(f"'{struct.name}' declares no function '{defined.name}' with these parameters", defined.span)
        return declared

    def _define(self, struct: s.StructType, defined: s.FunctionDeclaration) -> None:
        declared = self._declared(struct, defined)
        if declared.body is not None:
            fail(f"'{struct.name}::{defined.name}' is defined twice", defined.span)
        for parameter, before in zip(defined.parameters, declared.parameters, strict=True):
            parameter.default = parameter.default or before.default
        for own, earlier in zip(defined.template or [], declared.template or [], strict=True):
            own.default = own.default or earlier.default
        if defined.template is not None:
            declared.template, declared.result = defined.template, defined.result
        declared.span, declared.parameters, declared.body = defined.span, defined.parameters, defined.body
