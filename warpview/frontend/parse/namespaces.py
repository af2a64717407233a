"""Parse namespaces, and what brings their names elsewhere: using-declarations, using-directives, aliases."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.name_tables import NameTable
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.words import UNNAMED
from warpview.frontend.preprocess.tokens import Token, TokenKind


class NamespaceRules(Rules):
    def namespace(self) -> bool:
        """Parse [inline] namespace [name [:: name ...]] { declaration... }, or an alias; False where none starts."""
        is_inline = self.cursor.at("inline") and self.cursor.ahead().text == "namespace"
        if not (self.cursor.at("namespace") or is_inline):
            return False
        self.cursor.accept("inline")
        if self.cursor.ahead(2).text == "=":
            alias = self.alias()
            self.rules.unit.uses.append(alias)
            self.rules.unit.namespaces[alias] = self.rules.namespace
            return True
        self.cursor.advance()
        path = [self.cursor.advance().text] if self.cursor.token.kind is TokenKind.NAME else []
        while self.cursor.accept("::"):
            is_inline = bool(self.cursor.accept("inline"))
            path.append(self.cursor.name("the name of a namespace").text)
        while self.cursor.at("[", "__attribute__"):
            self.cursor.skip_balanced() if self.cursor.at("[") else self.cursor.advance()
        if not self.cursor.at("{"):
            return True
        outside, depth = self.rules.namespace, len(self.cursor.names.open)
        self.enter(path or [UNNAMED], is_inline or not path)
        self.rules.braced()
        self.rules.namespace = outside
        del self.cursor.names.open[depth:]
        return True

    def enter(self, path: list[str], is_inline: bool = False) -> None:
        """Open a namespace, and those within which it lies."""
        names, unit = self.cursor.names, self.rules.unit
        for position, name in enumerate(path):
            around = names.innermost
            table = around.inner.setdefault(name, NameTable())
            names.enter(table)
            self.rules.namespace += f"{name}::"
            if is_inline and position == len(path) - 1:
                around.use(table)
                unit.inline_namespaces.add(self.rules.namespace)

    def alias(self) -> s.Use:
        """Parse namespace name = a::b;"""
        span = self.cursor.advance().span
        name = self.cursor.name("a name")
        self.cursor.expect("=", "after the name")
        qualifier = self._path() or self.cursor.name("the name of a namespace").text
        self.cursor.expect(";", "after the namespace")
        if (table := self.cursor.names.at_path(qualifier.split("::")[:-1])) is not None:
            self.cursor.names.innermost.inner[name.text] = table
        return s.Use(span, qualifier, name.text, is_alias=True, seen=self.rules.seen)

    def _path(self) -> str:
        """Parse [::] name [:: name ...]; return it with '::' at its end."""
        qualifier = "::" if self.cursor.accept("::") else ""
        while self.cursor.token.kind is TokenKind.NAME:
            qualifier += f"{self.cursor.advance().text}::"
            self.cursor.accept("::")
        return qualifier

    def using_names(self, using: Token) -> s.Use:
        """Parse [namespace] a::name; behind 'using'."""
        names = self.cursor.names
        is_directive = bool(self.cursor.accept("namespace"))
        self.cursor.accept("typename")
        qualifier = self._path()
        if is_directive and not qualifier:
            self.cursor.name("the name of a namespace")
        while not self.cursor.at(";") and self.cursor.token.kind is not TokenKind.END:  # operators, lists of names
            qualifier += self.cursor.advance().text
        self.cursor.expect(";", "after 'using'")
        if is_directive:
            if (table := names.at_path(qualifier.split("::")[:-1])) is not None:
                names.innermost.use(table)
            return s.Use(using.span, qualifier, seen=self.rules.seen)
        owner, _, name = qualifier.removesuffix("::").rpartition("::")
        kind = self.rules.types.qualified_kind(name, f"{owner}::")
        if kind is not None:
            names.declare(name, kind)
        if (table := names.at_path([*owner.split("::"), name])) is not None:
            names.innermost.inner[name] = table
        return s.Use(using.span, f"{owner}::", name, seen=self.rules.seen)
