"""Parsing of a whole file: what belongs to the device is read, host code is skipped.

    translation_unit = { namespace | using | typedef | struct | enum | variable | function | host code }

Host code may be any C++; nothing in it is an error. What is not marked for the device but may concern it (a
constant, a struct, an enum) is read if it can be.
"""

from __future__ import annotations

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.host import HostReader
from warpview.frontend.parse_types import STORAGE_WORDS, Specifiers
from warpview.frontend.stream import FUNCTION_TEMPLATE, TYPE, TYPE_TEMPLATE
from warpview.frontend.tokens import Kind, Token, fail
from warpview.frontend.types import TYPEDEFS, VECTORS, VOID

DEVICE_MARKS = frozenset(("__global__", "__device__", "__constant__", "__shared__", "__managed__"))
# Names from headers that take template arguments.
_KNOWN = (
    dict.fromkeys((*TYPEDEFS, *VECTORS), TYPE)
    | dict.fromkeys(("thread_block", "coalesced_group", "thread_group", "grid_group"), TYPE)
    | dict.fromkeys(("thread_block_tile", "numeric_limits", "plus", "less", "greater"), TYPE_TEMPLATE)
    | dict.fromkeys(("bit_and", "bit_or", "bit_xor", "is_same"), TYPE_TEMPLATE)
    | dict.fromkeys(("tiled_partition", "min", "max", "is_same_v", "swap", "reduce"), FUNCTION_TEMPLATE)
)


def parse(tokens: list[Token]) -> s.Unit:
    """The syntax tree of a preprocessed file."""
    return Parser(tokens).translation_unit()


class Parser(HostReader):
    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(list(tokens))
        self.unit = s.Unit()
        self.names = [dict(_KNOWN), {}]
        self.unreadable: dict[str, CompileError] = {}

    def translation_unit(self) -> s.Unit:
        while self.token.kind is not Kind.END:
            self.external_declaration()
        self.unit.end = self.token.span
        return self.unit

    def external_declaration(self) -> None:
        start = self.position
        if self.accept(";") or self._linkage() or self._namespace():
            return
        if self.token.kind is Kind.PRAGMA:
            self.advance()
        elif self._for_device():
            self._device_or_refused()
        elif self._maybe_for_device():
            self._lenient_declaration()
        else:
            self.unit.host_functions.add(self._templated_name())
            self.skip_host(start)
        if self.position == start:  # whatever it is, it must not stop us for ever
            self.advance()

    # --------------------------------------------------------------------------- what groups declarations
    def _linkage(self) -> bool:
        """extern "C" [{ ... }]."""
        if not (self.at("extern") and self.ahead().kind is Kind.STRING):
            return False
        self.advance()
        self.advance()
        if self.at("{"):
            self._braced()
        return True

    def _namespace(self) -> bool:
        if not (self.at("namespace") or (self.at("inline") and self.ahead().text == "namespace")):
            return False
        self.accept("inline")
        if self.ahead(2).text == "=":
            self.namespace_alias()
            return True
        self.advance()
        while self.token.kind is Kind.NAME or self.at("::"):
            self.advance()
        if self.at("{"):
            self._braced()
        return True

    def _braced(self) -> None:
        opening = self.advance()
        self.deeper()
        while not self.at("}"):
            if self.token.kind is Kind.END:
                fail("this block is never closed", opening.span, "a '}' is missing")
            self.external_declaration()
        self.nesting -= 1
        self.advance()

    # -------------------------------------------------------------------------------- device or host?
    def _head(self) -> list[str]:
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

    def _for_device(self) -> bool:
        return not DEVICE_MARKS.isdisjoint(self._head())

    def _maybe_for_device(self) -> bool:
        """A type, a constant, an alias: what a kernel may use although nothing marks it."""
        head = self._head()
        if not head:
            return False
        if head[0] == "template":
            return bool({"struct", "class", "union", "using"} & set(head)) or "constexpr" in head
        if head[0] in ("struct", "class", "union", "enum", "typedef", "using", "static_assert", "constexpr"):
            return True
        stop = next((text for text in head if text in ("(", "=")), ";")
        return stop != "(" or "constexpr" in head

    def _device_or_refused(self) -> None:
        """Read device code. What uses something that is not supported is put aside: it only matters if it is used."""
        start, depth, nesting = self.position, len(self.names), self.nesting
        name, head = self._templated_name(), self._head()
        try:
            self._device_declaration()
        except CompileError as error:
            if "not supported" not in error.diagnostics[0].message:
                raise
            del self.names[depth:]
            self.position, self.nesting, self.angle_closes = start, nesting, False
            self.unreadable.setdefault(name, error)
            if "__global__" in head:
                self.unit.refused[name] = self.tokens[start].span, error
            self.skip_host(start)

    def _lenient_declaration(self) -> None:
        """Read a declaration that may be host code: what cannot be read is skipped and remembered by name."""
        start, depth, nesting = self.position, len(self.names), self.nesting
        try:
            self._device_declaration()
        except CompileError as error:
            names = {t.text for t in self.tokens[start : self.position + 1] if t.kind is Kind.NAME}
            del self.names[depth:]
            self.position, self.nesting, self.angle_closes = start, nesting, False
            for name in names:
                self.unreadable.setdefault(name, error)
            self.skip_host(start)

    # ------------------------------------------------------------------------------------ declarations
    def _device_declaration(self) -> None:
        if self.at("typedef"):
            self._type(self.typedef())
        elif self.at("using"):
            self._type(self.using())
        elif self.at("static_assert", "_Static_assert"):
            assertion = self.static_assert()
            assert isinstance(assertion, s.StaticAssert)
            self.unit.asserts.append(assertion)
        elif self.at("template"):
            self._template()
        else:
            self._declaration(None)

    def _type(self, statement: s.Statement) -> None:
        if isinstance(statement, s.TypeDeclaration):
            self.unit.types.append(statement)

    def _template(self) -> None:
        """template < parameters > declaration."""
        self.advance()
        if not self.at("<"):  # explicit instantiation
            self.skip_host(self.position)
            return
        self.names.append({})
        parameters = self.template_parameters()
        declared = self._templated_name()
        if declared:
            tagged = self.at("struct", "class", "union", "using")
            self.names[-2][declared] = TYPE_TEMPLATE if tagged else FUNCTION_TEMPLATE
        try:
            if self.at("using"):
                statement = self.using()
                assert isinstance(statement, s.TypeDeclaration)
                statement.template = parameters
                self.unit.types.append(statement)
            else:
                self._declaration(parameters)
        finally:
            self.names.pop()

    def _templated_name(self) -> str:
        """The name that is declared here: of a struct behind its keyword, of a function before its parameters."""
        texts = self._head()
        if texts and texts[0] in ("struct", "class", "union", "using", "enum"):
            return next((x for x in texts[1:] if x.isidentifier() and x not in STORAGE_WORDS), "")
        position = 0
        while position < len(texts) and texts[position] not in ("(", "="):
            position += 2 if texts[position] in ("__launch_bounds__", "__align__", "alignas", "__attribute__") else 1
            if position < len(texts) and texts[position - 1] == "(":  # the arguments of an attribute
                position = texts.index(")", position) + 1 if ")" in texts[position:] else len(texts)
        position -= 1
        if 0 <= position < len(texts) and texts[position] in (">", ">>"):  # name<arguments>(
            depth = 0
            while position >= 0:
                depth += {">": 1, ">>": 2, "<": -1}.get(texts[position], 0)
                position -= 1
                if depth == 0:
                    break
        return texts[position] if 0 <= position < len(texts) else ""

    def _declaration(self, template: list[s.TemplateParameter] | None) -> None:
        found = self.specifiers()
        if found.defined:
            if isinstance(found.defined.type, s.StructType):
                found.defined.type.template = template
            found.defined.template = template
            self.unit.types.append(found.defined)
        if self.accept(";"):
            return
        if found.type is None:
            self._refuse_unknown_type()
            self.unexpected("a type")
        type, name, span = self.declarator(found.type)
        if not name:
            self.unexpected("a name")
        if self.at("(", "<") and (self.at("<") or self._function_ahead()):
            self.unit.functions.append(self.function(found, type, name, span, template))
            return
        self.unit.variables.append(self.variable(found, type, name, span))
        if self.accept(","):
            self.unit.variables += self.init_declarators(found, found.type)
        self.expect(";", "after the declaration")

    def _function_ahead(self) -> bool:
        """Whether '(' opens parameters rather than the arguments of a constructor."""
        if self.ahead().text in (")", "..."):
            return True
        self.position += 1
        found = self.at_type() or (self.token.kind is Kind.NAME and self.ahead().kind is Kind.NAME)
        self.position -= 1
        return found

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

    # ------------------------------------------------------------------------------------------ structs
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
        head = self._head()
        stop = next((text for text in head if text in ("(", "=", "operator")), ";")
        if stop in (";", "=") or {"__device__", "constexpr", "virtual"} & set(head):
            return False
        if stop == "operator" or head[0] in ("using", "typedef", "static_assert", "alignas", "__align__", "struct"):
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
