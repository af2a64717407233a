"""Skip host code, whatever it holds, but for the launches of kernels found in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Diagnostic, Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.operators import ANGLE_DEPTH
from warpview.frontend.preprocess.tokens import Token, TokenKind
from warpview.frontend.syntax.walk import walk

if TYPE_CHECKING:
    from warpview.frontend.parse.parser import Parser

# Types of host variables that a launch configuration is computed from.
_HOST_TYPES = frozenset(["const", "constexpr", "static", "int", "unsigned", "dim3", "size_t", "long", "uint", "auto"])
# Operators that no C++ lets stand before the end of an expression; after & and * a type can end, after [= a capture.
_BEFORE_OPERANDS = frozenset(["=", "+", "-", "/", "%", "|", "^", "||", "?", "==", "!=", "<=", "+=", "-=", "*=", "/="])


def _missing_operand(tokens: Sequence[Token]) -> Token | None:
    """Return the first token that ends an expression where an operand should be."""
    triples = zip([None, *tokens], tokens, tokens[1:], strict=False)
    return next((
        end for before, token, end in triples
        if end.text in (";", ")") and token.text in _BEFORE_OPERANDS and end.kind is token.kind is TokenKind.PUNCT
        and (before is None or before.text != "operator")
    ), None)  # fmt: skip


class HostRules(Rules):
    def __init__(self, rules: Parser) -> None:
        super().__init__(rules)
        self._types: set[str] = set()  # structs that only the host can use, as far as they could be read

    def is_of_host(self, declared: s.TypeDeclaration) -> bool:
        """Return whether a struct is the host's, and remember it: it has members, or a base class, of a type that could
        not be read, and not for what is only not supported here."""
        if not isinstance(declared.type, s.StructType):
            return False
        parts = [*declared.type.bases, *(member.type for member in declared.type.fields)]
        named = (node.name for part in parts for node in walk(part) if isinstance(node, s.NamedType))
        if not any(name in self._types or self._is_unreadable(name) for name in named):
            return False
        self._types.add(declared.name)
        return True

    def _is_unreadable(self, name: str) -> bool:
        error = self.rules.unreadable.get(name)
        return error is not None and error.diagnostics[0].refusal is None

    def skip_host(self, start: int) -> None:
        """Skip the declaration or definition that starts at ``start``; collect the launches in it."""
        self.cursor.position = start
        while self.cursor.token.kind is not TokenKind.END:
            if self.cursor.at(";"):
                self.cursor.advance()
                break
            if self.cursor.at("{"):
                self.cursor.skip_balanced()
                if not self.cursor.at(";", ",", "="):  # a definition ends with its body
                    break
            elif self.cursor.at("(", "["):
                self.cursor.skip_balanced()
            elif self.cursor.at("}"):
                break
            else:
                self.cursor.advance()
        self._collect(start, self.cursor.position)

    def note(self, start: int) -> None:
        """Remember that what was read since ``start`` is of no use to kernels, and what is wrong in it."""
        stretch = self.cursor.tokens[start : self.cursor.position]
        if not stretch:
            return
        self.rules.unit.host_code.append((stretch[0].span, stretch[-1].span))
        found = _missing_operand(stretch)
        if found is not None and all(found.span != error.span for error in self.rules.unit.host_errors):
            self._warn(f"expected an expression, found {found}", found.span)

    def note_error(self, error: CompileError) -> None:
        """Remember what is wrong in a declaration that ends the reading at the cursor, if it is wrong in any C++: a
        name there, or what follows that of a class, may mean something that only the host's compiler knows."""
        known = self.cursor.token.kind is not TokenKind.NAME and not self.cursor.at("::", "<")
        if known and error.diagnostics[0].message.startswith("expected"):
            self._warn(error.diagnostics[0].message, error.diagnostics[0].span)

    def _warn(self, message: str, span: Span | None) -> None:
        hint = "this is host code, which the simulated kernel does without; no host compiler takes it"
        self.rules.unit.host_errors.append(Diagnostic(message, span, "warning", hint))

    def _collect(self, start: int, end: int) -> None:
        """Find launches and the host variables before them between two positions."""
        declarations: list[s.Declaration] = []
        position = start
        while position < end:
            token = self.cursor.tokens[position]
            starts = position == start or self.cursor.tokens[position - 1].text in (";", "{", "}")
            if starts and token.text in _HOST_TYPES:
                declaration = self._read(position, end, self._host_declaration)
                if isinstance(declaration, s.Declaration):
                    declarations.append(declaration)
            elif token.kind is TokenKind.PUNCT and token.text == "<<<":
                configuration = self._read(position, end, self.rules.expressions.launch_configuration)
                name, qualifier = self._launched(position, start)
                if isinstance(configuration, list) and name:
                    arguments = self._launch_arguments(self.cursor.position, end)
                    launch = s.LaunchSyntax(token.span, name, configuration, list(declarations), arguments, qualifier)
                    self.rules.unit.launches.append(launch)
            position += 1
        self.cursor.position = end

    def _read(self, position: int, end: int, reader: object) -> object:
        """Return the node that ``reader`` reads at ``position``, or None where it cannot."""
        assert callable(reader)
        token, nesting, depth = self.cursor.tokens[position:end], self.cursor.nesting, len(self.cursor.names.open)
        self.cursor.position = position
        self.cursor.names.enter()
        try:
            return reader()
        except CompileError:
            return None
        finally:
            self.cursor.rewrite(position, end, token)  # undo any '>>' split
            del self.cursor.names.open[depth:]
            self.cursor.nesting, self.cursor.angle_closes = nesting, False

    def _host_declaration(self) -> s.Statement:
        return self.rules.statements.declaration()

    def _launch_arguments(self, position: int, end: int) -> list[s.Expression | None]:
        """Parse ( expression, ... ) behind a configuration; None for what no kernel could compute."""
        arguments: list[s.Expression | None] = []
        if position >= end or self.cursor.tokens[position].text != "(":
            return arguments
        depth, start = 0, position + 1
        for k in range(position, end):
            text = self.cursor.tokens[k].text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            if depth == 0 or (depth == 1 and text == ","):
                if k > start:
                    value = self._read(start, end, self.rules.expressions.assignment)
                    whole = self.cursor.position == k and isinstance(value, s.Expression)
                    arguments.append(value if whole and isinstance(value, s.Expression) else None)
                start = k + 1
            if depth == 0:
                break
        return arguments

    def _launched(self, position: int, start: int) -> tuple[str, str]:
        """Return the kernel named before '<<<', with its template arguments as written, and what qualifies it."""
        end = position
        position -= 1
        depth = 0
        while position > start:
            text = self.cursor.tokens[position].text
            depth -= ANGLE_DEPTH.get(text, 0)
            if depth <= 0 and text != "<":
                break
            position -= 1
        if self.cursor.tokens[position].kind is not TokenKind.NAME:
            return "", ""
        first = position
        while first > start and self.cursor.tokens[first - 1].text == "::":
            first -= 2 if self.cursor.tokens[first - 2].kind is TokenKind.NAME else 1
        texts = [t.text for t in self.cursor.tokens[first:end]]
        return "".join(texts[position - first :]), "".join(texts[: position - first])
