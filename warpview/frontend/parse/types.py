"""Parse types: specifiers, declarators, template arguments, structs and enums."""

from __future__ import annotations

from collections import Counter

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.attributes import Specifiers
from warpview.frontend.parse.name_tables import NameTable
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import ATTRIBUTES, TYPE, TYPE_TEMPLATE
from warpview.frontend.parse.words import (
    BEGINNING_TYPES,
    CONST_WORDS,
    RESERVED,
    RESTRICT_WORDS,
    SCALAR_WORDS,
    SCALARS,
    STORAGE_WORDS,
    TAG_WORDS,
    VOLATILE_WORDS,
)
from warpview.frontend.preprocess.literals import literal_operator
from warpview.frontend.preprocess.tokens import TokenKind, fail


class TypeRules(Rules):
    # ---------------------------------------------------------------------------------------- queries
    def at_type(self) -> bool:
        """Return whether a type (or a declaration) starts here."""
        token = self.cursor.token
        if token.kind is not TokenKind.NAME:
            return token.text == "::" and self.cursor.ahead().kind is TokenKind.NAME and self.named_type_length() > 0
        text = token.text
        if text in SCALAR_WORDS or text in CONST_WORDS or text in VOLATILE_WORDS or text in TAG_WORDS:
            return True
        if text in STORAGE_WORDS or text in BEGINNING_TYPES:
            return True
        return self.named_type_length() > 0 or self.rules.concepts.at_constrained_auto()

    def named_type_length(self) -> int:
        """Return the number of tokens, with namespaces, that name a type here; 0 where they name none."""
        names = self.cursor.names
        distance = 1 if self.cursor.token.text == "::" else 0
        within = names.file if distance else None
        while self.cursor.ahead(distance).kind is TokenKind.NAME and self.cursor.ahead(distance + 1).text == "::":
            text = self.cursor.ahead(distance).text
            if names.kind_of(text, within) in (TYPE, TYPE_TEMPLATE):
                return distance + 1 if self._names_type_after(distance, within) else 0
            within = names.namespace(text, within)
            distance += 2
        token = self.cursor.ahead(distance)
        if token.kind is TokenKind.NAME and names.kind_of(token.text, within) in (TYPE, TYPE_TEMPLATE):
            return distance + 1
        return 0

    def qualified_kind(self, name: str, qualifier: str) -> str | None:
        """Return the kind of a name behind the names of namespaces, as ``a::b::``."""
        return self.cursor.names.kind_of(name, self.cursor.names.at_qualifier(qualifier))

    def is_member_type(self, length: int) -> bool:
        """Return whether ``T::name``, with so many tokens of T before '::', is a type that the struct T declares, and
        nothing is made of it here."""
        path = [self.cursor.ahead(distance).text for distance in range(0, self.named_type_length(), 2)]
        table = self.cursor.names.at_path(path) if path[0] != "::" else None
        while table is not None and table.kind_of(member := self.cursor.ahead(length + 1).text) in (
            TYPE,
            TYPE_TEMPLATE,
        ):
            if self.cursor.ahead(length + 2).text != "::":
                return self.cursor.ahead(length + 2).text not in ("(", "{")
            table, length = table.table(member), length + 2
        return False

    def single_type_length(self) -> int:
        """Return the number of tokens of a type that may stand before ``(``: a named one, or one word such as int."""
        return self.template_type_length() or int(self.cursor.token.text in SCALAR_WORDS)

    def template_type_length(self) -> int:
        """Return the number of tokens of a named type with its template arguments, and those of types that are known
        to be declared in it; 0 where no type is named."""
        named = self.named_type_length()
        length = self.cursor.behind_arguments(named) if named else 0
        path = [self.cursor.ahead(distance).text for distance in range(0, named, 2)]
        table = self.cursor.names.at_path(path) if path and path[0] != "::" else None
        while table is not None and self.cursor.ahead(length).text == "::":
            member = self.cursor.ahead(length + 1).text
            if table.kind_of(member) != TYPE_TEMPLATE or self.cursor.ahead(length + 2).text != "<":
                break
            length = self.cursor.behind_arguments(length + 2)
            table = table.table(member)
        return length

    def _declares_type(self, table: NameTable | None) -> bool:
        """Return whether the name behind '::' is a type that a struct declares, whose table this is."""
        return table is not None and table.kind_of(self.cursor.ahead().text) in (TYPE, TYPE_TEMPLATE)

    def _names_type_after(self, distance: int, within: NameTable | None = None) -> bool:
        """Return whether ``T::name`` is a type: a type that the struct T declares; where T is not known before it is
        used, as a template parameter, a value unless a name follows."""
        owner, member = self.cursor.ahead(distance).text, self.cursor.ahead(distance + 2).text
        table = self.cursor.names.table(owner, within)
        if table is not None:
            return table.kind_of(member) in (TYPE, TYPE_TEMPLATE)
        return self.cursor.ahead(distance + 3).kind is TokenKind.NAME

    # ------------------------------------------------------------------------------------- specifiers
    def specifiers(self) -> Specifiers:
        """Parse declaration-specifiers: storage, qualifiers and one type, in any order."""
        found = Specifiers(self.cursor.token.span)
        words: list[str] = []
        const = volatile = False
        while True:
            token = self.cursor.token
            text = token.text if token.kind is TokenKind.NAME else ""
            if (condition := self.explicit_condition()) is not None:
                found.explicit_if = condition
            elif text in STORAGE_WORDS:
                found.storage.add("constexpr" if self.cursor.advance().text == "consteval" else text)
            elif text in CONST_WORDS:
                const = bool(self.cursor.advance())
            elif text in VOLATILE_WORDS:
                volatile = bool(self.cursor.advance())
            elif text in RESTRICT_WORDS:
                self.cursor.advance()
            elif text == "typename" and found.type is None:
                self.cursor.advance()
                found.type = self.named_type(is_type=True)
            elif text in SCALAR_WORDS and found.type is None:
                words.append(self.cursor.advance().text)
            elif text in ATTRIBUTES or (token.text == "[" and self.cursor.ahead().text == "["):
                self.rules.attributes.attribute(found)
            elif found.type is None and not words and self._type_specifier(found):
                pass
            else:
                break
        if words:
            found.type = self._scalar(words, found.span)
        if found.type is not None and (const or volatile):
            found.type = s.QualifiedType(found.span, found.type, const, volatile)
        return found

    def explicit_condition(self) -> s.Expression | None:
        """Parse ``explicit(condition)``, where it stands here."""
        if not self.cursor.at("explicit") or self.cursor.ahead().text != "(":
            return None
        self.cursor.advance()
        return self.rules.expressions.primary()

    def _scalar(self, words: list[str], span: Span) -> s.TypeSyntax:
        words = ["signed" if w == "__signed__" else w for w in words]
        key = " ".join(sorted(words))
        if key not in SCALARS:
            fail(f"'{' '.join(words)}' is not a type", span)
        if Counter(words)["long"] == 1 and "double" in words and not self._of_literal_operator(len(words)):
            fail("long double does not exist on a GPU", span, "use double")
        return s.PlainType(span, SCALARS[key])

    def _of_literal_operator(self, words: int) -> bool:
        """Return whether a type that was just read is that of the parameter of ``operator""_name``."""
        before = self.cursor.position - words - 4
        return before >= 0 and self.cursor.tokens[before].text == "operator"

    def _type_specifier(self, found: Specifiers) -> bool:
        """Parse one named, tagged or deduced type; False where none starts here."""
        token = self.cursor.token
        if self.cursor.at("struct", "class", "union"):
            found.type = self.rules.definitions.struct_specifier(found)
        elif self.cursor.at("enum"):
            found.type = self.rules.definitions.enum_specifier(found)
        elif self.cursor.accept("auto"):
            found.type = s.AutoType(token.span)
        elif self.cursor.accept("decltype"):
            self.cursor.expect("(", "after decltype")
            if self.cursor.accept("auto"):
                self.cursor.expect(")", "to close decltype")
                found.type = s.DecltypeAutoType(token.span)
                return True
            in_brackets = self.cursor.in_brackets(")")
            found.type = s.DecltypeType(token.span, self.rules.expressions.expression(), in_brackets)
            self.cursor.expect(")", "to close decltype")
        elif self.cursor.accept("__underlying_type"):
            self.cursor.expect("(", "after __underlying_type")
            found.type = s.UnderlyingType(token.span, self.type_name())
            self.cursor.expect(")", "to close __underlying_type")
        elif (concept := self.rules.concepts.constrained_auto()) is not None:
            found.type, found.concept = s.AutoType(token.span), concept
        elif token.kind is TokenKind.NAME or token.text == "::":
            if not self.named_type_length():
                self._refuse_type_named_here()
                return False
            found.type = self.named_type()
        else:
            return False
        return True

    def _refuse_type_named_here(self) -> None:
        """Stop at a type that is not supported, also behind the names of namespaces."""
        distance = 0
        self.cursor.refuse_type(self.cursor.token)
        while self.cursor.ahead(distance + 1).text == "::" and self.cursor.ahead(distance + 2).kind is TokenKind.NAME:
            distance += 2
            self.cursor.refuse_type(self.cursor.ahead(distance))

    def named_type(self, is_type: bool = False) -> s.TypeSyntax:
        """Parse [namespace::]name[<arguments>][::name]; ``is_type`` where 'typename' says that all of it is a type."""
        seen, qualifier = self.rules.seen, "::" if self.cursor.accept("::") else ""
        while self.cursor.ahead().text == "::" and self.qualified_kind(self.cursor.token.text, qualifier) not in (
            TYPE,
            TYPE_TEMPLATE,
        ):
            qualifier += f"{self.cursor.advance().text}::"
            self.cursor.advance()
        token = self.cursor.name("a type")
        arguments = self.template_arguments() if self.cursor.at("<") else None
        named: s.TypeSyntax = s.NamedType(token.span, token.text, arguments, None, qualifier, seen)
        within = self.cursor.names.at_qualifier(qualifier) if qualifier else None
        table = self.cursor.names.table(token.text, within)
        while (
            self.cursor.at("::")
            and self.cursor.ahead().kind is TokenKind.NAME
            and (is_type or self._declares_type(table) or (table is None and self._names_type_after(-1)))
        ):
            is_template = table is not None and table.kind_of(self.cursor.ahead().text) == TYPE_TEMPLATE
            table = None if table is None else table.table(self.cursor.ahead().text)
            self.cursor.advance()
            is_template |= bool(self.cursor.accept("template"))
            member = self.cursor.advance()
            of_template = self.template_arguments() if is_template and self.cursor.at("<") else None
            named = s.NamedType(member.span, member.text, of_template, named)
        return named

    def template_arguments(self) -> list[s.TypeSyntax | s.Expression]:
        """Parse < argument, ... >."""
        self.cursor.expect("<", "before the template arguments")
        arguments: list[s.TypeSyntax | s.Expression] = []
        while not self.cursor.at_closing_angle():
            arguments.append(self.template_argument())
            if not self.cursor.accept(","):
                break
        self.cursor.closing_angle()
        return arguments

    def template_argument(self) -> s.TypeSyntax | s.Expression:
        """Return a type where one can be read up to ',' or '>', else a value."""
        if not self.at_type():
            return self.rules.expressions.expanded(self.rules.expressions.template_value())
        start, nesting = self.cursor.mark(), self.cursor.nesting
        try:
            type = self.type_name()
            type = self.function_type(type) if self.cursor.at("(") else type
        except CompileError:
            type, self.cursor.nesting = None, nesting
        if type is not None and (self.cursor.at(",") or self.cursor.at_closing_angle()):
            return type
        self.cursor.go_back(start)
        return self.rules.expressions.expanded(self.rules.expressions.template_value())

    # ------------------------------------------------------------------------------------- declarators
    def type_name(self) -> s.TypeSyntax:
        """Return a type with an abstract declarator, as in a cast."""
        found = self.specifiers()
        if found.type is None:
            self.cursor.unexpected("a type")
        type, name, _ = self.declarator(found.type)
        if name:
            fail(f"'{name}' is not expected here", found.span)
        return type

    def declarator(self, base: s.TypeSyntax) -> tuple[s.TypeSyntax, str, Span]:
        """Parse '*' and '&' prefixes, a name (or none), array and function suffixes: (type, name, place)."""
        self.cursor.deeper()
        type = base
        while True:
            token = self.cursor.token
            if self.cursor.accept("*"):
                type = self.rules.pointers.pointer(type, token.span)
            elif self.cursor.accept("&", "&&"):
                type = s.ReferenceType(token.span, type, rvalue=token.text == "&&")
                while self.cursor.token.text in RESTRICT_WORDS:
                    self.cursor.advance()
            elif self.rules.pointers.to_member_length():
                type = self.rules.pointers.to_member(type)
            else:
                break
        if self.cursor.at("..."):
            type = s.PackType(self.cursor.advance().span, type)
        if self.cursor.at("(") and (
            self.cursor.ahead().text in ("*", "&", "&&") or self.rules.pointers.to_member_length(1)
        ):
            result = self.rules.pointers.in_brackets(type)
        else:
            name = self.cursor.advance() if self._at_declared_name() else None
            text = name.text if name else ""
            while name and self.cursor.at("[") and self.cursor.ahead().text == "[":  # attributes change nothing
                self.cursor.skip_balanced()
            if text == "operator":
                text += self.operator_name()
            result = self.declarator_suffix(type), text, name.span if name else self.cursor.token.span
        self.cursor.nesting -= 1
        return result

    def _at_declared_name(self) -> bool:
        return self.cursor.token.kind is TokenKind.NAME and self.cursor.token.text not in RESERVED

    def operator_name(self) -> str:
        self.rules.unit.has_operators = True
        if self.cursor.accept("("):
            self.cursor.expect(")", "after 'operator('")
            return "()"
        if self.cursor.accept("["):
            self.cursor.expect("]", "after 'operator['")
            return "[]"
        if self.cursor.token.kind is TokenKind.STRING:
            self.cursor.advance()
            return literal_operator(self.cursor.advance().text).removeprefix("operator")
        return self.cursor.advance().text

    def function_type(self, result: s.TypeSyntax) -> s.TypeSyntax:
        """Parse the parameters of the type of a function."""
        self.rules.unit.has_function_types = True
        self.cursor.names.enter()
        span, parameters = self.cursor.token.span, self.rules.parameters.parse()
        self.cursor.names.leave()
        is_const = self.cursor.accept("const") is not None
        self.cursor.accept("noexcept")
        return s.FunctionType(span, result, parameters, is_const)

    def declarator_suffix(self, type: s.TypeSyntax, in_brackets: bool = False) -> s.TypeSyntax:
        """Parse array dimensions, and the parameters of a function behind a declarator ``in_brackets``: elsewhere the
        caller knows whether they may stand here."""
        if self.cursor.at("(") and in_brackets:
            return self.function_type(type)
        if not self.cursor.at("[") or self.cursor.ahead().text == "[":
            return type
        token = self.cursor.advance()
        self.cursor.deeper()
        length = None if self.cursor.at("]") else self.rules.expressions.expression()
        self.cursor.expect("]", "to close the array length")
        inner = self.declarator_suffix(type)
        self.cursor.nesting -= 1
        return s.ArrayType(token.span, inner, length)
