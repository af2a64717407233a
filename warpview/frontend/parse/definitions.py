"""Parsing of structs, enums and template parameters."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.stream import TYPE, TYPE_TEMPLATE, VALUE
from warpview.frontend.parse.types import Specifiers, TypeParser
from warpview.frontend.preprocess.tokens import Kind, fail


class DefinitionParser(TypeParser):
    def struct_body(self, struct: s.StructType) -> None:
        raise NotImplementedError

    def struct_specifier(self, found: Specifiers) -> s.TypeSyntax:
        tag = self.advance()
        align = None
        while self.at("__align__", "alignas", "__attribute__", "["):
            before = Specifiers(tag.span)
            self.attribute(before)
            align = before.align
        name = self.advance() if self.token.kind is Kind.NAME else None
        text = name.text if name else "(unnamed)"
        span = name.span if name else tag.span
        specialises = self.template_arguments() if self.at("<") else None
        if specialises is not None and not self.at("{"):
            return s.NamedType(span, text, specialises)
        self.accept("final")
        if self.at(":"):
            fail("structs with base classes are not supported", self.token.span)
        if not self.at("{"):
            if name and self.kind_of(text) is None:
                self.declare(text, TYPE)
            return s.NamedType(span, text)
        struct = s.StructType(span, text, tag.text == "union", align=align or found.align, specialises=specialises)
        if name and self.kind_of(text) != TYPE_TEMPLATE:
            self.declare(text, TYPE)
        self.struct_body(struct)
        found.defined = s.TypeDeclaration(span, text, struct)
        return struct

    def enum_specifier(self, found: Specifiers) -> s.TypeSyntax:
        tag = self.advance()
        scoped = bool(self.accept("class", "struct"))
        name = self.advance() if self.token.kind is Kind.NAME else None
        text = name.text if name else "(unnamed)"
        span = name.span if name else tag.span
        if name:
            self.declare(text, TYPE)
        underlying = self.type_name() if self.accept(":") else None
        if not self.at("{"):
            return s.NamedType(span, text)
        self.advance()
        values: list[tuple[str, s.Expression | None, Span]] = []
        while not self.at("}"):
            constant = self.name("a name in the enum")
            if not scoped:
                self.declare(constant.text, VALUE)
            values.append((constant.text, self.assignment() if self.accept("=") else None, constant.span))
            if not self.accept(","):
                break
        self.expect("}", "to close the enum")
        enum = s.EnumType(span, text, scoped, underlying, values)
        found.defined = s.TypeDeclaration(span, text, enum)
        return enum

    def template_parameters(self) -> list[s.TemplateParameter]:
        """template < ... >; declares the names, so call it inside a scope."""
        self.expect("<", "after 'template'")
        parameters: list[s.TemplateParameter] = []
        while not self.at_closing_angle():
            parameters.append(self._template_parameter())
            if not self.accept(","):
                break
        self.closing_angle()
        return parameters

    def _template_parameter(self) -> s.TemplateParameter:
        token = self.token
        if self.at("template"):
            fail("template template parameters are not supported", token.span)
        default: s.TypeSyntax | s.Expression | None = None
        if self.accept("typename", "class"):
            if self.accept("..."):
                fail("parameter packs are not supported", token.span)
            name = self.advance() if self.token.kind is Kind.NAME else token
            self.declare(name.text, TYPE)
            default = self.type_name() if self.accept("=") else None
            return s.TemplateParameter(name.span, name.text, None, default)
        found = self.specifiers()
        if found.type is None:
            self.unexpected("a template parameter")
        if self.at("..."):
            fail("parameter packs are not supported", self.token.span)
        type, text, span = self.declarator(found.type)
        if text:
            self.declare(text, VALUE)
        default = self.template_value() if self.accept("=") else None
        return s.TemplateParameter(span, text, type, default)
