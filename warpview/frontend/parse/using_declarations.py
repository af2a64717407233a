"""Parse the using-declarations of structs, which bring in members or constructors of base classes."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.tokens import TokenKind


class UsingDeclarationRules(Rules):
    def parse(self, struct: s.StructType) -> None:
        """Parse using [typename] Base[<...>]::name [...], ...; which makes functions of a base class those of the
        struct."""
        self.cursor.advance()
        words: list[str] = []
        start = self.cursor.mark()
        while self.cursor.token.kind is not TokenKind.END:
            is_within = sum(word.count("<") - word.count(">") for word in words) > 0  # template arguments
            if self.cursor.at(";", ",", "...") and not is_within:
                name = "".join(words[len(words) - words[::-1].index("::") :] if "::" in words else words)
                if name in {base.name for base in struct.named_bases} or name == _qualifier(words):
                    struct.inherits.add(name)
                else:
                    struct.brought.setdefault(name, set()).add(_qualifier(words))
                    if "<" in words[: -len(name)]:
                        struct.brought_from.setdefault(name, []).append(self._type_at(start))
                words = []
                self.cursor.accept("...")
                if not self.cursor.accept(","):
                    break
                start = self.cursor.mark()
            words.append(self.cursor.advance().text)
        self.cursor.expect(";", "after 'using'")

    def _type_at(self, start: tuple[int, int]) -> s.TypeSyntax:
        """Return the type that begins at a mark that was left behind."""
        end = self.cursor.mark()
        self.cursor.go_back(start)
        self.cursor.accept("typename")
        type = self.rules.types.named_type()
        self.cursor.go_back(end)
        return type


def _qualifier(words: list[str]) -> str:
    """Return the name before the last ``::`` of some words, without template arguments; nothing where there is none."""
    before = words[: len(words) - 1 - words[::-1].index("::")] if "::" in words else []
    return next(iter((before[: before.index("<")] if "<" in before else before)[-1:]), "")
