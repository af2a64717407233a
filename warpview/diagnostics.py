"""Locate something in a source text, and describe what is wrong there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property


@dataclass(frozen=True)
class SourceText:
    """Hold a text under its name, as the user wrote it (before preprocessing)."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """Return line ``number``, counted from 1; empty beyond the end."""
        return self._lines[number - 1] if 1 <= number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()


@dataclass(frozen=True)
class Span:
    """Mark a place in a source text: 1-based ``line`` and ``column``, ``length`` in characters on that line."""

    source: SourceText = field(repr=False)
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


class Refusal(Enum):
    """Say who refuses a construct of CUDA that is no mistake."""

    FRONT_END = auto()  # NVIDIA's compiler takes it, and its code can be run here
    ANYHOW = auto()  # with either compiler


@dataclass(frozen=True)
class Diagnostic:
    """Say one sentence about one place. ``severity`` is 'error', 'warning' or 'note'; ``hint`` says what to do, and
    ``refusal`` that the construct is not supported, where it is no mistake."""

    message: str
    span: Span | None = None
    severity: str = "error"
    hint: str = ""
    refusal: Refusal | None = None

    def render(self) -> str:
        """Return the message with its place, the source line and a caret, as a compiler prints it."""
        place = f"{self.span}: " if self.span else ""
        parts = [f"{place}{self.severity}: {self.message}"]
        if self.span and self.span.line:
            text = self.span.source.line(self.span.line)
            # Tabs are kept in the margin so that the caret stays under its column however wide they are.
            margin = "".join("\t" if c == "\t" else " " for c in text[: self.span.column - 1])
            width = max(1, min(self.span.length, len(text) - self.span.column + 1))
            parts += [f"    {text}", f"    {margin}^{'~' * (width - 1)}"]
        if self.hint:
            parts.append(f"    {self.hint}")
        return "\n".join(parts)


class WarpviewError(Exception):
    """The user's input is wrong; the message says how, in the user's terms."""


class CompileError(WarpviewError):
    """The source is outside the language, or wrong. ``diagnostics`` is never empty."""

    def __init__(self, diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics))

    @property
    def is_unsupported(self) -> bool:
        """Return whether the source is not known to be wrong: it needs what is not supported."""
        return self.diagnostics[0].refusal is not None


class LaunchError(WarpviewError):
    """The launch cannot start: a block too large, too much shared memory, an argument of the wrong kind."""


def capitalised(words: str) -> str:
    """Return the words with a capital first letter, the others as they are."""
    return words[:1].upper() + words[1:]
