"""Skip host code, whatever it holds, but for the launches of kernels found in it."""

from __future__ import annotations

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.operators import ANGLE_DEPTH
from warpview.frontend.preprocess.tokens import TokenKind

# Types of host variables that a launch configuration is computed from.
_HOST_TYPES = frozenset(["const", "constexpr", "static", "int", "unsigned", "dim3", "size_t", "long", "uint", "auto"])


class HostRules(Rules):
    unit: s.TranslationUnit

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
