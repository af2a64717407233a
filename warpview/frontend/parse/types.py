"""Parsing of types: specifiers, declarators, template arguments, structs and enums."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.stream import TYPE, TYPE_TEMPLATE, TokenStream
from warpview.frontend.preprocess.tokens import Kind, fail
from warpview.frontend.semantic import types as t

SCALAR_WORDS = frozenset(
    ["void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "__signed__", "__int64"]
)
CONST_WORDS = frozenset(("const", "__const"))
VOLATILE_WORDS = frozenset(("volatile", "__volatile__"))
RESTRICT_WORDS = frozenset(("__restrict__", "__restrict", "restrict"))
STORAGE_WORDS = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__constant__",
        "__managed__",
        "__forceinline__",
        "__noinline__",
        "__inline__",
        "__inline",
        "static",
        "extern",
        "inline",
        "constexpr",
        "register",
        "mutable",
        "thread_local",
        "friend",
        "explicit",
        "virtual",
        "__grid_constant__",
        "consteval",
        "constinit",
    ]
)
TAG_WORDS = frozenset(("struct", "class", "union", "enum"))

# How the words of a scalar type add up, in any order.
_SCALARS: dict[str, t.CType] = {
    "void": t.VOID, "bool": t.BOOL, "char": t.CHAR, "char signed": t.SCHAR, "char unsigned": t.UCHAR,
    "float": t.FLOAT, "double": t.DOUBLE, "double long": t.DOUBLE, "__int64": t.LONGLONG,
    "__int64 unsigned": t.ULONGLONG,
} | {
    " ".join(sorted([*words.split(), *sign.split(), *extra.split()])): unsigned if sign == "unsigned" else signed
    for words, signed, unsigned in (
        ("short", t.SHORT, t.USHORT), ("long", t.LONG, t.ULONG), ("long long", t.LONGLONG, t.ULONGLONG),
    )
    for sign in ("", "signed", "unsigned")
    for extra in ("", "int")
} | {"int": t.INT, "int signed": t.INT, "signed": t.INT, "unsigned": t.UINT, "int unsigned": t.UINT}  # fmt: skip


@dataclass
class Specifiers:
    """What stands before a declarator."""

    span: Span
    storage: set[str] = field(default_factory=set)
    type: s.TypeSyntax | None = None
    align: s.Expression | None = None
    launch_bounds: list[s.Expression] = field(default_factory=list)
    defined: s.TypeDeclaration | None = None  # a struct or enum defined on the way


class TypeParser(TokenStream):
    # ------------------------------------------------------- provided by the layers that build on this one
    def expression(self) -> s.Expression:
        raise NotImplementedError

    def assignment(self) -> s.Expression:
        raise NotImplementedError

    def template_value(self) -> s.Expression:
        raise NotImplementedError

    def struct_specifier(self, found: Specifiers) -> s.TypeSyntax:
        raise NotImplementedError

    def enum_specifier(self, found: Specifiers) -> s.TypeSyntax:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- queries
    def at_type(self) -> bool:
        """Whether a type (or a declaration) starts here."""
        token = self.token
        if token.kind is not Kind.NAME:
            return token.text == "::" and self.ahead().kind is Kind.NAME and self._named_type_length() > 0
        text = token.text
        if text in SCALAR_WORDS or text in CONST_WORDS or text in VOLATILE_WORDS or text in TAG_WORDS:
            return True
        if text in STORAGE_WORDS or text in ("auto", "typename", "decltype", "__align__", "alignas"):
            return True
        return self._named_type_length() > 0

    def _named_type_length(self) -> int:
        """How many tokens (with namespaces) name a type here; 0 where they do not."""
        distance = 1 if self.token.text == "::" else 0
        while self.ahead(distance).kind is Kind.NAME and self.ahead(distance + 1).text == "::":
            kind = self.kind_of(self.ahead(distance).text)
            if kind in (TYPE, TYPE_TEMPLATE):
                return distance + 1 if self._names_type_after(distance) else 0
            distance += 2
        token = self.ahead(distance)
        if token.kind is Kind.NAME and self.kind_of(token.text) in (TYPE, TYPE_TEMPLATE):
            return distance + 1
        return 0

    def _names_type_after(self, distance: int) -> bool:
        """``T::name``: a value unless something can only follow a type."""
        after = self.ahead(distance + 3)
        return after.kind is Kind.NAME or (after.text in ("*", "&") and self.ahead(distance + 4).kind is Kind.NAME)

    # ------------------------------------------------------------------------------------- specifiers
    def specifiers(self) -> Specifiers:
        """declaration-specifiers: storage, qualifiers and one type, in any order."""
        found = Specifiers(self.token.span)
        words: list[str] = []
        const = volatile = False
        while True:
            token = self.token
            text = token.text if token.kind is Kind.NAME else ""
            if text in STORAGE_WORDS:
                found.storage.add(self.advance().text)
            elif text in CONST_WORDS:
                const = bool(self.advance())
            elif text in VOLATILE_WORDS:
                volatile = bool(self.advance())
            elif text in RESTRICT_WORDS:
                self.advance()
            elif text == "typename" and found.type is None:
                self.advance()
                found.type = self.named_type(is_type=True)
            elif text in SCALAR_WORDS and found.type is None:
                words.append(self.advance().text)
            elif text in ("__launch_bounds__", "__align__", "alignas", "__attribute__", "__declspec") or (
                token.text == "[" and self.ahead().text == "["
            ):
                self.attribute(found)
            elif found.type is None and not words and self._type_specifier(found):
                pass
            else:
                break
        if words:
            found.type = self._scalar(words, found.span)
        if found.type is not None and (const or volatile or "constexpr" in found.storage):
            constant = const or "constexpr" in found.storage
            found.type = s.QualifiedType(found.span, found.type, constant, volatile)
        return found

    def _scalar(self, words: list[str], span: Span) -> s.TypeSyntax:
        words = ["signed" if w == "__signed__" else w for w in words]
        key = " ".join(sorted(words))
        if key not in _SCALARS:
            fail(f"'{' '.join(words)}' is not a type", span)
        if Counter(words)["long"] == 1 and "double" in words:
            fail("long double does not exist on a GPU", span, "use double")
        return s.PlainType(span, _SCALARS[key])

    def attribute(self, found: Specifiers) -> None:
        name = self.advance()
        if name.text == "[":
            self.position -= 1
            self.skip_balanced()
        elif name.text in ("__attribute__", "__declspec"):
            self.skip_balanced()
        else:
            self.expect("(", f"after {name.text}")
            values = [self.type_name() if self.at_type() else self.assignment()]
            while self.accept(","):
                values.append(self.assignment())
            self.expect(")", f"to close {name.text}")
            if name.text == "__launch_bounds__":
                found.launch_bounds = [v for v in values if isinstance(v, s.Expression)]
            else:
                value = values[0]
                found.align = value if isinstance(value, s.Expression) else s.SizeOf(name.span, value, align=True)

    def _type_specifier(self, found: Specifiers) -> bool:
        """One named, tagged or deduced type; False where none starts here."""
        token = self.token
        if self.at("struct", "class", "union"):
            found.type = self.struct_specifier(found)
        elif self.at("enum"):
            found.type = self.enum_specifier(found)
        elif self.accept("auto"):
            found.type = s.AutoType(token.span)
        elif self.accept("decltype"):
            self.expect("(", "after decltype")
            found.type = s.DecltypeType(token.span, self.expression())
            self.expect(")", "to close decltype")
        elif token.kind is Kind.NAME or token.text == "::":
            if not self._named_type_length():
                self._refuse_type_named_here()
                return False
            found.type = self.named_type()
        else:
            return False
        return True

    def _refuse_type_named_here(self) -> None:
        """Stop at a type that is not supported, also behind the names of namespaces."""
        distance = 0
        unsupported.refuse_type(self.token)
        while self.ahead(distance + 1).text == "::" and self.ahead(distance + 2).kind is Kind.NAME:
            distance += 2
            unsupported.refuse_type(self.ahead(distance))

    def named_type(self, is_type: bool = False) -> s.TypeSyntax:
        """[namespace::]name[<arguments>][::name]; ``is_type`` where 'typename' says that all of it is a type."""
        self.accept("::")
        while self.ahead().text == "::" and self.kind_of(self.token.text) not in (TYPE, TYPE_TEMPLATE):
            self.advance()
            self.advance()
        token = self.name("a type")
        arguments = self.template_arguments() if self.at("<") else None
        named: s.TypeSyntax = s.NamedType(token.span, token.text, arguments)
        while self.at("::") and self.ahead().kind is Kind.NAME and (is_type or self._names_type_after(-1)):
            self.advance()
            self.accept("template")
            member = self.advance()
            named = s.NamedType(member.span, member.text, None, named)
        return named

    def template_arguments(self) -> list[s.TypeSyntax | s.Expression]:
        """< argument, ... >."""
        self.expect("<", "before the template arguments")
        arguments: list[s.TypeSyntax | s.Expression] = []
        while not self.at_closing_angle():
            arguments.append(self.template_argument())
            if not self.accept(","):
                break
        self.closing_angle()
        return arguments

    def template_argument(self) -> s.TypeSyntax | s.Expression:
        """A type where one can be read up to ',' or '>', else a value."""
        if not self.at_type():
            return self.template_value()
        start = self.position
        try:
            type = self.type_name()
        except CompileError:
            type = None
        if type is not None and (self.at(",") or self.at_closing_angle()):
            return type
        self.position = start
        return self.template_value()

    # ------------------------------------------------------------------------------------- declarators
    def type_name(self) -> s.TypeSyntax:
        """A type with an abstract declarator, as in a cast."""
        found = self.specifiers()
        if found.type is None:
            self.unexpected("a type")
        type, name, _ = self.declarator(found.type)
        if name:
            fail(f"'{name}' is not expected here", found.span)
        return type

    def declarator(self, base: s.TypeSyntax) -> tuple[s.TypeSyntax, str, Span]:
        """'*' and '&' prefixes, a name (or none), array and function suffixes: (type, name, place)."""
        self.deeper()
        type = base
        while True:
            token = self.token
            if self.accept("*"):
                type = self._pointer(type, token.span)
            elif self.accept("&", "&&"):
                type = s.ReferenceType(token.span, type)
                while self.token.text in RESTRICT_WORDS:
                    self.advance()
            else:
                break
        if self.at("(") and self.ahead().text in ("*", "&", "&&"):
            result = self._nested_declarator(type)
        else:
            name = self.advance() if self._at_declared_name() else None
            text = name.text if name else ""
            if text == "operator":
                text += self._operator_name()
            result = self.declarator_suffix(type), text, name.span if name else self.token.span
        self.nesting -= 1
        return result

    def _at_declared_name(self) -> bool:
        return self.token.kind is Kind.NAME and self.token.text not in RESERVED

    def _operator_name(self) -> str:
        if self.accept("("):
            self.expect(")", "after 'operator('")
            return "()"
        if self.accept("["):
            self.expect("]", "after 'operator['")
            return "[]"
        return self.advance().text

    def _pointer(self, to: s.TypeSyntax, span: Span) -> s.TypeSyntax:
        pointer: s.TypeSyntax = s.PointerType(span, to)
        while True:
            text = self.token.text
            if text in RESTRICT_WORDS:
                target = pointer.of if isinstance(pointer, s.QualifiedType) else pointer
                assert isinstance(target, s.PointerType)
                target.restrict = True
            elif text in CONST_WORDS or text in VOLATILE_WORDS:
                pointer = s.QualifiedType(span, pointer, text in CONST_WORDS, text in VOLATILE_WORDS)
            else:
                return pointer
            self.advance()

    def _nested_declarator(self, base: s.TypeSyntax) -> tuple[s.TypeSyntax, str, Span]:
        """``(*p)[4]``: what stands inside the parentheses applies after the suffix."""
        self.expect("(", "here")
        start = self.position
        placeholder = s.PlainType(self.token.span, t.INT)
        self.declarator(placeholder)
        self.expect(")", "to close the declarator")
        type = self.declarator_suffix(base)
        end = self.position
        self.position = start
        result = self.declarator(type)
        self.position = end
        return result

    def declarator_suffix(self, type: s.TypeSyntax) -> s.TypeSyntax:
        """Array dimensions; parameters are left to the caller, who knows whether a function may stand here."""
        if not self.at("[") or self.ahead().text == "[":
            return type
        token = self.advance()
        self.deeper()
        length = None if self.at("]") else self.expression()
        self.expect("]", "to close the array length")
        inner = self.declarator_suffix(type)
        self.nesting -= 1
        return s.ArrayType(token.span, inner, length)


RESERVED = (
    frozenset(
        ("if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto",
         "sizeof", "true", "false", "nullptr", "this", "new", "delete", "throw", "try", "catch", "asm", "__asm__",
         "template", "using", "namespace", "typedef", "static_assert", "static_cast", "reinterpret_cast",
         "const_cast", "dynamic_cast")
    )
    | SCALAR_WORDS | STORAGE_WORDS | TAG_WORDS | CONST_WORDS | VOLATILE_WORDS
)  # fmt: skip
