"""Report findings on the host's side of a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.files import read_text
from warpview.host.channel import SourcePlace


@dataclass(frozen=True)
class HostFinding:
    """Report a mistake in host code: ``kind`` in a word or two, ``message`` a sentence, ``span`` the line of the call.

    ``severity`` is "error" for what is wrong on every device, "warning" for what is wrong by luck or not checked.
    """

    kind: str
    message: str
    span: Span | None
    severity: str = "error"

    def render(self) -> str:
        """Return the finding as a compiler would print it, with the source line."""
        return Diagnostic(f"{self.kind}: {self.message}", self.span, self.severity).render()


@lru_cache(maxsize=32)
def _source(file: str) -> SourceText:
    path = Path(file)
    return SourceText(file, read_text(path) if path.is_file() else "")


def line_text(place: SourcePlace) -> str:
    """Return the source line of a place; empty where there is none."""
    return _source(place.file).line(place.line)


def call_start(place: SourcePlace) -> int:
    """Return where in its line the name of a call begins, from 0, or that of the macro that the call comes from; 0
    where the column is not known."""
    text = line_text(place)
    at = len(text.encode()[: max(0, place.column - 1)].decode(errors="ignore"))
    name = re.search(r"[\w:]*$", text[:at])
    return name.start() if name is not None else at


def span_of(place: SourcePlace) -> Span | None:
    """Return a place as the span of its call; of its line, without leading blanks, where the column is not known."""
    if not place.line:
        return None
    text, start = line_text(place), call_start(place)
    if not place.column or "<<<" in text:  # whose text is not what was compiled
        start = len(text) - len(text.lstrip())
        return Span(_source(place.file), place.line, start + 1, max(1, len(text.strip())))
    depth, end = 0, len(text.rstrip())
    for at in range(start, end):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if text[at] == ")" and depth <= 0:
            end = at + 1
            break
    return Span(_source(place.file), place.line, start + 1, max(1, end - start))


def finding(kind: str, message: str, place: SourcePlace, severity: str = "error") -> HostFinding:
    """Return a finding at a place."""
    return HostFinding(kind, message, span_of(place), severity)
