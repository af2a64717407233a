"""Parsing of a whole file: what belongs to the device is read, host code is skipped.

    translation_unit = { namespace | using | typedef | struct | enum | variable | function | host code }

Host code may be any C++; nothing in it is an error. What is not marked for the device but may concern it (a
constant, a struct, an enum) is read if it can be.
"""

from __future__ import annotations

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.parse.host_code import HostReader
from warpview.frontend.parse.stream import FUNCTION_TEMPLATE, TYPE, TYPE_TEMPLATE
from warpview.frontend.parse.types import STORAGE_WORDS
from warpview.frontend.preprocess.tokens import Kind, Token, fail
from warpview.frontend.semantic.types import TYPEDEFS, VECTORS

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

    def _for_device(self) -> bool:
        return not DEVICE_MARKS.isdisjoint(self.head())

    def _maybe_for_device(self) -> bool:
        """A type, a constant, an alias: what a kernel may use although nothing marks it."""
        head = self.head()
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
        name, head = self._templated_name(), self.head()
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
        name = self._templated_name()
        try:
            self._device_declaration()
        except CompileError as error:
            del self.names[depth:]
            self.position, self.nesting, self.angle_closes = start, nesting, False
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
        texts = self.head()
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
        if not found:  # parameters of a type that nobody declared still have a body behind them
            start = self.position
            self.skip_balanced()
            found = self.at("{")
            self.position = start
        return found
