"""Parse structs, enums and template parameters."""

from __future__ import annotations

from warpview.diagnostics import CompileError, Diagnostic, Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.attributes import Specifiers
from warpview.frontend.parse.packing import PackedTag
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import TYPE, TYPE_TEMPLATE, VALUE
from warpview.frontend.parse.words import SCALAR_WORDS, TAG_WORDS, UNNAMED
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail, refuse

# What the name of a template parameter is read as that has none: its first word, or nothing.
_WITHOUT_NAME = frozenset(("", "class", "typename", "template"))

# What no declaration can have behind a class or an enum that it defines, though more may follow there than ';'.
_OF_NEXT_DECLARATION = SCALAR_WORDS | TAG_WORDS | {"__global__", "template", "using", "typedef", "namespace"}


class WrongInAnyCode(CompileError):
    """Tell of a mistake that is one in host code, too, so that what holds it is not skipped as that."""


class DefinitionRules(Rules):
    def struct_specifier(self, found: Specifiers) -> s.TypeSyntax:
        tag = self.cursor.advance()
        before = Specifiers(tag.span, packing=tag.packing if isinstance(tag, PackedTag) else 0)
        while self.cursor.at("__align__", "alignas", "__attribute__", "["):
            self.rules.attributes.attribute(before)
        if self.cursor.ahead().text == "::" and (nested := self._nested_struct(tag, before, found)) is not None:
            return nested
        return self._struct_named_here(tag, before, found)

    def _struct_named_here(self, tag: Token, before: Specifiers, found: Specifiers) -> s.TypeSyntax:
        """Parse what follows the word ``tag``, struct, class or union, and the attributes ``before`` its name."""
        name = self.cursor.advance() if self.cursor.token.kind is TokenKind.NAME else None
        text = name.text if name else UNNAMED
        span = name.span if name else tag.span
        specialises = self.rules.types.template_arguments() if self.cursor.at("<") else None
        if specialises is not None and not self.cursor.at("{", ":", "final"):
            return s.NamedType(span, text, specialises)
        is_final = bool(self.cursor.accept("final"))
        if (
            name
            and self.cursor.at(":", "{")
            and not (self.rules.templates and self.cursor.kind_of(text) == TYPE_TEMPLATE)
        ):
            self.cursor.declare(text, TYPE)  # base classes may have it as a template argument
        bases, private = self._base_classes(tag.text == "class") if self.cursor.at(":") else ([], set())
        if not self.cursor.at("{"):
            if name and (self.cursor.kind_of(text) is None or (self.cursor.at(";") and not self.rules.templates)):
                self.cursor.declare(text, TYPE)
            return s.NamedType(span, text)
        struct = s.StructType(
            span, text, tag.text == "union", align=before.align or found.align, specialises=specialises, bases=bases
        )
        struct.is_final, struct.private_bases, struct.packing = is_final, private, before.packing
        self.rules.members.struct_body(struct, hidden=s.PRIVATE if tag.text == "class" else "")
        found.defined = s.TypeDeclaration(span, text, struct)
        self._check_end(text)
        return struct

    def _nested_struct(self, tag: Token, before: Specifiers, found: Specifiers) -> s.NamedType | None:
        """Parse ``Outer::Inner {...}``, the definition of a struct that another one declares, and make it a member of
        that; None where it is no such definition."""
        start, path = self.cursor.mark(), list[str]()
        while self.cursor.ahead().text == "::":
            path.append(self.cursor.advance().text)
            self.cursor.advance()
        tables = [self.cursor.names.at_path(path[: k + 1]) for k in range(len(path))]
        outer = tables[-1].struct if tables[-1] is not None else None
        if outer is None or self.cursor.ahead().text not in ("{", ":", "final"):
            self.cursor.go_back(start)
            return None
        depth, inside = len(self.cursor.names.open), Specifiers(found.span)
        for table in tables:
            self.cursor.names.enter(table)
        name = self.cursor.token
        self._struct_named_here(tag, before, inside)
        del self.cursor.names.open[depth:]
        outer.members += [inside.defined] if inside.defined is not None else []
        return s.NamedType(name.span, name.text, qualifier="".join(f"{part}::" for part in path))

    def _check_end(self, name: str) -> None:
        """Check that ';' or what the definition declares follows a struct or an enum, and not the next declaration."""
        if self.cursor.token.kind is TokenKind.NAME and self.cursor.token.text in _OF_NEXT_DECLARATION:
            message = f"expected ';' after the definition of '{name}', found {self.cursor.token}"
            raise WrongInAnyCode([Diagnostic(message, self.cursor.token.span)])

    def _base_classes(self, of_class: bool) -> tuple[list[s.NamedType | s.PackType], set[str]]:
        """Parse : [access] name [<arguments>] [...], ...; return the base classes, and the names of those whose members
        nobody else may use. They are private where nothing else is said of the bases ``of_class``."""
        bases: list[s.NamedType | s.PackType] = []
        private: set[str] = set()
        while self.cursor.accept(":", ","):
            is_private = of_class
            while self.cursor.at("public", "private", "protected"):
                is_private = self.cursor.advance().text != "public"
            if self.cursor.at("virtual"):
                refuse("virtual base classes are not supported", self.cursor.token.span)
            qualifier = "::" if self.cursor.accept("::") else ""
            while self.cursor.ahead().text == "::":
                qualifier += f"{self.cursor.advance().text}::"
                self.cursor.advance()
            name = self.cursor.name("the name of a base class")
            arguments = self.rules.types.template_arguments() if self.cursor.at("<") else None
            base = s.NamedType(name.span, name.text, arguments, None, qualifier, self.rules.seen)
            bases.append(s.PackType(name.span, base) if self.cursor.accept("...") else base)
            private |= {name.text} if is_private else set()
        return bases, private

    def enum_specifier(self, found: Specifiers) -> s.TypeSyntax:
        tag = self.cursor.advance()
        scoped = bool(self.cursor.accept("class", "struct"))
        while self.cursor.at("__attribute__", "["):
            self.rules.attributes.attribute(before := Specifiers(tag.span))
            if before.packing:
                refuse("an enum as short as its values allow is not supported", tag.span)
        name = self.cursor.advance() if self.cursor.token.kind is TokenKind.NAME else None
        text = name.text if name else UNNAMED
        span = name.span if name else tag.span
        if name:
            self.cursor.declare(text, TYPE)
        underlying = self.rules.types.type_name() if self.cursor.accept(":") else None
        if not self.cursor.at("{"):
            return s.NamedType(span, text)
        self.cursor.advance()
        values: list[tuple[str, s.Expression | None, Span]] = []
        while not self.cursor.at("}"):
            constant = self.cursor.name("a name in the enum")
            if not scoped:
                self.cursor.declare(constant.text, VALUE)
            values.append(
                (constant.text, self.rules.expressions.assignment() if self.cursor.accept("=") else None, constant.span)
            )
            if not self.cursor.accept(","):
                break
        self.cursor.expect("}", "to close the enum")
        enum = s.EnumType(span, text, scoped, underlying, values)
        found.defined = s.TypeDeclaration(span, text, enum)
        self._check_end(text)
        return enum

    def template_parameters(self) -> list[s.TemplateParameter]:
        """Parse template < ... > [requires constraint]; declares the names, so call it inside a scope."""
        self.cursor.expect("<", "after 'template'")
        parameters: list[s.TemplateParameter] = []
        while not self.cursor.at_closing_angle():
            parameter = self._template_parameter()
            if parameter.name in _WITHOUT_NAME:
                parameter.name = f"(unnamed {len(parameters) + 1})"
            if any(other.name == parameter.name for other in parameters):
                fail(f"two template parameters have the name '{parameter.name}'", parameter.span)
            parameters.append(parameter)
            if not self.cursor.accept(","):
                break
        self.cursor.closing_angle()
        if parameters:
            parameters[-1].constraints += self.rules.concepts.clause()
        return parameters

    def inner_heads(self) -> list[list[s.TemplateParameter]]:
        """Parse [template < parameters >]..., of the templates within one, a member of which is defined."""
        heads: list[list[s.TemplateParameter]] = []
        while self.cursor.accept("template"):
            heads.append(self.template_parameters())
        return heads

    def _parameters_of_parameter(self) -> bool:
        """Parse the parameters of ``template <typename> class T``, whose names nothing can use."""
        self.cursor.names.enter()
        self.template_parameters()
        self.cursor.names.leave()
        return True

    def _names_type_of_value(self) -> bool:
        """Return whether ``typename T::type`` comes next, the type of a parameter that is a value."""
        return self.cursor.at("typename") and (
            self.cursor.ahead().text == "::" or self.cursor.ahead(2).text in ("::", "<")
        )

    def _template_parameter(self) -> s.TemplateParameter:
        token = self.cursor.token
        default: s.TypeSyntax | s.Expression | None = None
        is_template = self._parameters_of_parameter() if self.cursor.accept("template") else False
        if not self._names_type_of_value() and self.cursor.accept("typename", "class"):
            pack = bool(self.cursor.accept("..."))
            name = self.cursor.advance() if self.cursor.token.kind is TokenKind.NAME else token
            self.cursor.declare(name.text, TYPE_TEMPLATE if is_template else TYPE)
            default = self.rules.types.type_name() if self.cursor.accept("=") else None
            return s.TemplateParameter(name.span, name.text, None, default, pack, is_template)
        if (concept := self.rules.concepts.type_constraint()) is not None:
            return self._constrained(concept)
        found = self.rules.types.specifiers()
        if found.type is None:
            self.cursor.unexpected("a template parameter")
        type, text, span = self.rules.types.declarator(found.type)
        if isinstance(type, s.PackType):
            self.cursor.declare(text, VALUE)
            return s.TemplateParameter(span, text, type.of, pack=True)
        if self.cursor.at("("):  # result (*name)(parameters): what it takes shows where it is called
            self.cursor.skip_balanced()
            type = s.AutoType(span)
        if text:
            self.cursor.declare(text, VALUE)
        default = self.rules.expressions.template_value() if self.cursor.accept("=") else None
        return s.TemplateParameter(span, text, type, default)

    def _constrained(self, concept: s.Name) -> s.TemplateParameter:
        """Parse [...] name [= type] behind a concept."""
        pack = bool(self.cursor.accept("..."))
        name = self.cursor.name("the name of a template parameter")
        self.cursor.declare(name.text, TYPE)
        default = self.rules.types.type_name() if self.cursor.accept("=") else None
        constraint = s.applied(concept, s.NamedType(name.span, name.text))
        return s.TemplateParameter(name.span, name.text, None, default, pack, constraints=[constraint])
