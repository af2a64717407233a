"""Parsing of functions and of the members of structs."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.statements import StatementParser
from warpview.frontend.parse.stream import TYPE
from warpview.frontend.parse.types import STORAGE_WORDS, Specifiers
from warpview.frontend.preprocess.tokens import Kind, fail
from warpview.frontend.semantic.types import VOID


class MemberParser(StatementParser):
    def head(self) -> list[str]:
        """The tokens of the declaration that starts here, up to its body, initialiser or end."""
        texts: list[str] = []
        depth = 0
        for distance in range(4000):
            token = self.ahead(distance)
            if token.kind is Kind.END or (depth == 0 and token.text in (";", "{")):
                break
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            texts.append(token.text)
        return texts

    def function(
        self, found: Specifiers, result: s.TypeSyntax, name: str, span: Span,
        template: list[s.TemplateParameter] | None,
    ) -> s.FunctionDeclaration:  # fmt: skip
        """[<arguments>] ( parameters ) [qualifiers] ( body | ; ), after the name."""
        specialises = self.template_arguments() if self.at("<") else None
        self.names.append({})
        parameters = self.parameters()
        while self.at("const", "noexcept", "override", "final", "volatile"):
            self.advance()
            if self.at("("):
                self.skip_balanced()
        if self.accept("->"):
            result = self.type_name()
        body = self.compound() if self.at("{") else None
        self.names.pop()
        if body is None:
            self.expect(";", "after the declaration of the function")
        return s.FunctionDeclaration(
            span, name, result, parameters, body, frozenset(found.storage), template, specialises, found.launch_bounds
        )

    def struct_body(self, struct: s.StructType) -> None:
        """{ member... }."""
        self.expect("{", "to start the members")
        self.names.append({})
        self.deeper()
        while not self.at("}"):
            if self.token.kind is Kind.END:
                fail(f"'{struct.name}' is never closed", struct.span, "a '}' is missing")
            self._member(struct)
        self.advance()
        self.nesting -= 1
        self.names.pop()

    def _member(self, struct: s.StructType) -> None:
        if self.accept(";"):
            return
        if self.at("public", "private", "protected") and self.ahead().text == ":":
            self.advance()
            self.advance()
            return
        if self._host_method(struct):
            return
        template = None
        self.names.append({})
        if self.accept("template"):
            template = self.template_parameters()
        if self.at("using", "typedef"):
            statement = self.using() if self.at("using") else self.typedef()
            if isinstance(statement, s.TypeDeclaration):
                struct.members.append(statement)
                self.names[-2][statement.name] = TYPE
        elif self.at("static_assert"):
            self.static_assert()
        else:
            self._data_or_method(struct, template)
        scope = self.names.pop()
        self.names[-1].update({n: k for n, k in scope.items() if template is None})

    def _host_method(self, struct: s.StructType) -> bool:
        """Skip a function that is not marked for the device: it may be any C++, and no kernel can call it."""
        head = self.head()
        stop = next((text for text in head if text in ("(", "=", "operator")), ";")
        if stop in (";", "=") or {"__device__", "constexpr", "virtual"} & set(head):
            return False
        allocates = stop == "operator" and head[head.index("operator") + 1 :][:1] in (["new"], ["delete"])
        if (stop == "operator" and not allocates) or head[0] in (
            "using",
            "typedef",
            "static_assert",
            "alignas",
            "__align__",
            "struct",
        ):
            return False
        struct.host_methods.add(head[head.index("(") - 1])
        while not self.at("{", ";", "}") and self.token.kind is not Kind.END:
            self.skip_balanced() if self.at("(") else self.advance()
        if self.at("{"):
            self.skip_balanced()
        return True

    def _data_or_method(self, struct: s.StructType, template: list[s.TemplateParameter] | None) -> None:
        constructor = self._constructor(struct, template)
        if constructor:
            return
        found = self.specifiers()
        if found.defined:
            struct.members.append(found.defined)
            if self.accept(";"):
                if found.defined.name == "(unnamed)" and isinstance(found.defined.type, s.StructType):
                    struct.fields.append(s.Field(found.span, "", found.defined.type))
                return
        if found.type is None and self.accept("operator"):
            span, type = self.token.span, self.type_name()
            struct.methods.append(self.function(found, type, s.CONVERSION, span, template))
            return
        if found.type is None:
            self._refuse_unknown_type()
            self.unexpected("a member")
        if "virtual" in found.storage:
            fail("virtual functions are not supported", found.span)
        while True:
            type, name, span = self.declarator(found.type)
            if not name:
                self.unexpected("the name of a member")
            if self.at("("):
                struct.methods.append(self.function(found, type, name, span, template))
                return
            if "static" in found.storage:
                struct.members.append(s.Declaration(span, [self.variable(found, type, name, span)]))
            else:
                if self.at(":"):
                    fail("bit fields are not supported", self.token.span)
                default = self.assignment() if self.accept("=") else self.init_list() if self.at("{") else None
                struct.fields.append(s.Field(span, name, type, default))
            if not self.accept(","):
                break
        self.expect(";", "after the member")

    def _constructor(self, struct: s.StructType, template: list[s.TemplateParameter] | None) -> bool:
        """A constructor or destructor: ``T(parameters) [: member(value), ...] { ... }``."""
        distance = 0
        while self.ahead(distance).text in STORAGE_WORDS:
            distance += 1
        if self.ahead(distance).text == "~":
            fail("destructors are not supported", self.ahead(distance).span)
        if not (self.ahead(distance).text == struct.name and self.ahead(distance + 1).text == "("):
            return False
        storage = {self.advance().text for _ in range(distance)}
        token = self.advance()
        self.names.append({})
        parameters = self.parameters()
        self.accept("noexcept")
        body: list[s.Statement] = []
        if self.accept(":"):
            while True:
                member = self.name("the name of a member")
                values = self.init_list() if self.at("{") else None
                arguments = [e for _, e in values.items] if values else self.arguments()
                value = arguments[0] if len(arguments) == 1 else s.InitList(member.span, [("", a) for a in arguments])
                target = s.Member(member.span, s.This(member.span), member.text, arrow=True)
                body.append(s.ExpressionStatement(member.span, s.Assign(member.span, "", target, value)))
                if not self.accept(","):
                    break
        if self.accept("="):  # = default
            self.advance()
            self.expect(";", "after the constructor")
            self.names.pop()
            return True
        block = self.compound()
        self.names.pop()
        block.body[:0] = body
        struct.methods.append(
            s.FunctionDeclaration(
                token.span, struct.name, s.PlainType(token.span, VOID), parameters, block, frozenset(storage), template
            )
        )
        return True
