"""Lessons: Markdown that walks through a run, page by page. Qt-free.

A lesson begins with ``# Title``. Each page begins with a directive, a comment of ``key: value`` pairs, and goes on to
the next one::

    <!-- kernel: reduction/interleaved; device: 8800gtx; preset: step; warp: 0; step: divergence 1; view: lanes -->

What a page does not say stays as the page before left it, but for ``predict: yes``, which hides the answer on its own
page only. ``step`` is a number, ``first``, ``last``, ``line N`` (the first step at which the selected warp executes
source line N) or ``<mark> N`` (the N-th event of that kind in the run).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from warpview.diagnostics import WarpviewError
from warpview.isa.program import NONE
from warpview.resources import assets_dir
from warpview.trace.frame import Mark
from warpview.ui.views.context import History

MARKS: dict[str, tuple[Mark, str]] = {
    "divergence": (Mark.DIVERGENCE, "divergence"),
    "conflict": (Mark.CONFLICT, "bank conflict"),
    "uncoalesced": (Mark.UNCOALESCED, "wasteful global access"),
    "barrier": (Mark.BARRIER, "barrier"),
    "collision": (Mark.COLLISION, "atomic collision"),
    "finding": (Mark.FINDING, "finding"),
}
VIEWS = ("lanes", "divergence", "shared", "global", "occupancy", "counters", "timeline", "source")
STEPS = "a number, 'first', 'last', 'line N', or one of " + ", ".join(f"'{mark} N'" for mark in MARKS)

_DIRECTIVE = re.compile(r"^<!--(.*?)-->[ \t]*$", re.MULTILINE | re.DOTALL)


class LessonError(WarpviewError):
    """A lesson that cannot be read; the message begins with file and line."""


@dataclass(frozen=True)
class Place:
    """A step by name. ``kind`` is 'step', 'line' or a key of ``MARKS``; the last step is 'last'."""

    kind: str
    number: int = 0

    def missing(self) -> str:
        """A sentence for a run that does not have it."""
        if self.kind == "line":
            return f"No warp executes line {self.number} in this run."
        return f"This run has no {MARKS[self.kind][1]} number {self.number}."


@dataclass(frozen=True)
class Directive:
    """What a page sets; None is not said."""

    kernel: str | None = None
    device: str | None = None
    preset: str | None = None
    warp: int | None = None
    step: Place | None = None
    view: str | None = None
    predict: bool | None = None

    def after(self, before: Directive) -> Directive:
        """This page with what earlier pages left; hiding the answer is never left over."""
        said = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}
        return replace(before, **{"predict": None, **said})


@dataclass(frozen=True)
class Page:
    """``text`` is Markdown."""

    text: str
    directive: Directive


@dataclass(frozen=True)
class Lesson:
    """``pages`` is never empty. ``name`` is the file."""

    title: str
    pages: tuple[Page, ...]
    name: str

    def directive(self, number: int) -> Directive:
        """Everything that holds on page ``number`` (from 0), wherever one comes from."""
        held = Directive()
        for page in self.pages[: number + 1]:
            held = page.directive.after(held)
        return held


def lessons() -> list[Lesson]:
    """Those that come with warpview, in order."""
    return [load(path) for path in sorted((assets_dir() / "lessons").glob("*.md"))]


def load(path: Path) -> Lesson:
    """A lesson from a file; LessonError if it is none, OSError if it cannot be read."""
    return parse(path.read_text(encoding="utf-8", errors="replace"), path.name)


def parse(text: str, name: str) -> Lesson:
    """``name`` stands in the messages."""
    heading = re.match(r"\s*#[ \t]+(\S.*)", text)
    if heading is None:
        raise LessonError(f"{name}:1: a lesson begins with '# Title'")
    found = list(_DIRECTIVE.finditer(text, heading.end()))
    start = found[0].start() if found else len(text)
    pages = []
    if preface := text[heading.end() : start].strip():
        pages.append(Page(preface, Directive()))
    for n, match in enumerate(found):
        end = found[n + 1].start() if n + 1 < len(found) else len(text)
        line = text.count("\n", 0, match.start()) + 1
        body = text[match.end() : end].strip()
        if not body:
            raise LessonError(f"{name}:{line}: no text follows this directive")
        pages.append(Page(body, _directive(match.group(1), f"{name}:{line}")))
    if not pages:
        raise LessonError(f"{name}:1: the lesson has no pages")
    return Lesson(heading.group(1).strip(), tuple(pages), name)


def _directive(words: str, place: str) -> Directive:
    said: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in words.split(";"))):
        key, colon, value = (piece.strip() for piece in part.partition(":"))
        reader = _READERS.get(key)
        if not colon or reader is None:
            raise LessonError(f"{place}: '{key}' is not a key of a lesson; keys are {', '.join(_READERS)}")
        if key in said:
            raise LessonError(f"{place}: {key}: given twice")
        try:
            said[key] = reader(value)
        except ValueError as problem:
            raise LessonError(f"{place}: {key}: {problem}") from None
    return Directive(**said)  # type: ignore[arg-type]


def _name(value: str) -> str:
    if not value:
        raise ValueError("a name is missing")
    return value


def _number(value: str) -> int:
    if not value.isdecimal():
        raise ValueError(f"'{value}' is not a number")
    return int(value)


def _step(value: str) -> Place:
    kind, _, number = value.partition(" ")
    number = number.strip()
    if value in ("first", "last"):
        return Place("step") if value == "first" else Place("last")
    if value.isdecimal():
        return Place("step", int(value))
    if (kind in MARKS or kind == "line") and number.isdecimal() and int(number) > 0:
        return Place(kind, int(number))
    raise ValueError(f"'{value}' is no step; it is {STEPS}")


def _view(value: str) -> str:
    if value not in VIEWS:
        raise ValueError(f"there is no view '{value}'; views are {', '.join(VIEWS)}")
    return value


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError(f"'{value}' is neither yes nor no")
    return value == "yes"


_READERS: dict[str, Callable[[str], object]] = {
    "kernel": _name,
    "device": _name,
    "preset": _name,
    "warp": _number,
    "step": _step,
    "view": _view,
    "predict": _yes,
}


def step_of(directive: Directive, trace: History, key: tuple[int, int] | None = None) -> int | None:
    """The step that the page names; None where the run has no such event, or the page names none.

    ``key`` is the selected (block, warp); a line that it never executes is looked for in any warp.
    """
    place = directive.step
    if place is None:
        return None
    if place.kind == "step":
        return place.number if place.number <= trace.steps else None
    if place.kind == "last":
        return trace.steps
    if place.kind == "line":
        return _first_at_line(trace, place.number, key)
    at = np.flatnonzero(trace.marks & int(MARKS[place.kind][0]))
    return int(at[place.number - 1]) + 1 if len(at) >= place.number else None


def _first_at_line(trace: History, line: int, key: tuple[int, int] | None) -> int | None:
    pcs = [pc for pc, ins in enumerate(trace.program.instructions) if ins.span.line == line]
    events = trace.arrays
    there = np.isin(events.pc, pcs) & (events.pc != NONE)
    if key is not None:
        own = there & (events.block == key[0]) & (events.warp == key[1])
        there = own if own.any() else there
    at = np.flatnonzero(there)
    return int(at[0]) + 1 if len(at) else None
