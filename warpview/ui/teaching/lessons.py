"""Parse lessons: Markdown that walks through a run, page by page. Qt-free.

A lesson begins with ``# Title``. Each page begins with a directive, a comment of ``key: value`` pairs, and goes on to
the next one; ``## Heading`` names it in the list of contents::

    <!-- kernel: reduction/interleaved; device: 8800gtx; preset: small; warp: 0; step: divergence 1; view: lanes -->

    ## The comb

    How many lanes are active? Ask the class.

    <!-- answer -->

    Sixteen of 32.

What a page does not say stays as the page before left it, but for what it sets on its own page only: ``predict: yes``
hides the answer of the step, ``zoom: yes`` gives the window to the view, ``counter`` selects a row of the counters,
``ask`` names what the page asks about its step (one of ``question.KINDS``): guesses are judged by what the run says.
``any_result: yes`` lets an edit compute something else than the kernel was meant to, which is a wrong result elsewhere.
``code`` is "written" or "nvidia": whose code runs. What follows ``<!-- answer -->`` is hidden until it is asked for;
where the page has ``ask`` or ``predict``, the views hide the answer of the step as well, and elsewhere they show the
evidence. ``step`` is a number, ``first``, ``last``, ``line N`` (the first step at which the selected warp executes
source line N), ``line N shared`` or ``line N global`` (its first access to that memory there) or ``<mark> N`` (the N-th
event of that kind in the run).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.isa.ops import MEMORY_OPS
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space
from warpview.library import preset_key, preset_name
from warpview.profile.counter import no_counter
from warpview.profile.counters import BY_KEY
from warpview.resources import assets_dir
from warpview.trace import presentation
from warpview.trace.frame import Mark
from warpview.trace.question import KINDS
from warpview.ui.view_list import VIEWS as VIEW_TYPES
from warpview.ui.views.context import History

MARKS: dict[str, tuple[Mark, str]] = {shown.short: (mark, shown.name) for mark, shown in presentation.MARKS.items()}
VIEWS = tuple(view.key for view in VIEW_TYPES)
CODES = ("written", "nvidia")
MEMORIES = {"shared": Space.SHARED, "global": Space.GLOBAL}
STEPS = "a number, 'first', 'last', 'line N', 'line N shared', 'line N global', or one of " + ", ".join(
    f"'{mark} N'" for mark in MARKS
)

# What holds on the page that says it, and not on those that follow.
OWN = ("predict", "zoom", "counter", "ask", "any_result")

_ANSWER = re.compile(r"^<!--\s*answer\s*-->[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^<!--(?!\s*answer\s*-->)(.*?)-->[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"##[ \t]+(\S.*)\n?")


class LessonError(WarpviewError):
    """A lesson cannot be read; the message begins with file and line."""


@dataclass(frozen=True)
class StepName:
    """Refer to a step by name. ``kind`` is 'step', 'line' or a key of ``MARKS``; the last step is 'last'. ``memory`` is
    a key of ``MEMORIES`` where an access to it is meant."""

    kind: str
    number: int = 0
    memory: str = ""

    def missing(self) -> str:
        """Return the sentence for a run that has no such step."""
        if self.kind == "line" and self.memory:
            return f"No warp accesses {self.memory} memory at line {self.number} in this run."
        if self.kind == "line":
            return f"No warp executes line {self.number} in this run."
        return f"This run has no {MARKS[self.kind][1]} number {self.number}."


@dataclass(frozen=True)
class Directive:
    """A directive is what a page sets; None leaves a setting as it is."""

    kernel: str | None = None
    device: str | None = None
    preset: str | None = None
    warp: int | None = None
    step: StepName | None = None
    view: str | None = None
    predict: bool | None = None
    zoom: bool | None = None
    counter: str | None = None
    ask: str | None = None
    any_result: bool | None = None
    code: str | None = None

    def after(self, before: Directive) -> Directive:
        """Return this directive, with ``before`` for what it does not set and what does not hold for one page only."""
        said = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}
        return replace(before, **{**dict.fromkeys(OWN), **said})


@dataclass(frozen=True)
class Page:
    """``text`` and ``answer`` are Markdown; ``line`` is that of the directive in the file, from 1."""

    text: str
    directive: Directive
    title: str = ""
    answer: str = ""
    line: int = 1


@dataclass(frozen=True)
class Lesson:
    """``pages`` is never empty. ``name`` is that of the file, ``path`` where it lies if it did not come with
    warpview."""

    title: str
    pages: tuple[Page, ...]
    name: str
    path: str = ""

    @property
    def key(self) -> str:
        """Return what ``find`` finds the lesson by."""
        return self.path or self.name

    def directive(self, number: int) -> Directive:
        """Return all that is set on page ``number`` (from 0), by itself or by the pages before it."""
        held = Directive()
        for page in self.pages[: number + 1]:
            held = page.directive.after(held)
        return held

    def contents(self) -> list[str]:
        """Return the pages by name: their heading, or else how they begin."""
        return [page.title or _beginning(page.text) for page in self.pages]


def _beginning(text: str, most: int = 40) -> str:
    words = text.splitlines()[0]
    return words if len(words) <= most else f"{words[:most].rsplit(' ', 1)[0]} …"


def files() -> list[Path]:
    """Return the lessons that come with warpview, in order."""
    return sorted((assets_dir() / "lessons").glob("*.md"))


def load(path: Path) -> Lesson:
    """Return a lesson from a file; LessonError if it is none, OSError if it cannot be read."""
    lesson = parse(path.read_text(encoding="utf-8", errors="replace"), path.name)
    return lesson if path in files() else replace(lesson, path=str(path.absolute()))


def find(key: str) -> Path:
    """Return where the lesson with this ``Lesson.key`` lies."""
    return next((path for path in files() if path.name == key), Path(key))


def parse(text: str, name: str) -> Lesson:
    """Return the lesson in a text; ``name`` stands in the messages of the LessonError."""
    heading = re.match(r"\s*#[ \t]+(\S.*)", text)
    if heading is None:
        raise LessonError(f"{name}:1: a lesson begins with '# Title'")
    found = list(_DIRECTIVE.finditer(text, heading.end()))
    start = found[0].start() if found else len(text)
    pages = []
    if preface := text[heading.end() : start].strip():
        pages.append(_page(preface, Directive(), 1, name))
    for n, match in enumerate(found):
        end = found[n + 1].start() if n + 1 < len(found) else len(text)
        line = text.count("\n", 0, match.start()) + 1
        directive = _directive(match.group(1), f"{name}:{line}")
        pages.append(_page(text[match.end() : end].strip(), directive, line, name))
    if not pages:
        raise LessonError(f"{name}:1: the lesson has no pages")
    return Lesson(heading.group(1).strip(), tuple(pages), name)


def _page(body: str, directive: Directive, line: int, name: str) -> Page:
    """Return the page of a text between two directives: its heading, its words and its answer."""
    heading = _HEADING.match(body)
    title, body = (heading.group(1).strip(), body[heading.end() :].strip()) if heading else ("", body)
    question, *answers = (part.strip() for part in _ANSWER.split(body))
    if not question:
        raise LessonError(f"{name}:{line}: no text follows this directive")
    if len(answers) > 1 or "" in answers:
        raise LessonError(f"{name}:{line}: a page has one answer, which stands below its <!-- answer -->")
    if directive.ask and not answers:
        raise LessonError(f"{name}:{line}: ask: the answer is missing below <!-- answer -->")
    directive = replace(directive, predict=True) if directive.ask else directive
    return Page(question, directive, title, "".join(answers), line)


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
        raise ValueError(f"'{value}' is not a whole number")
    return int(value)


def _counter(value: str) -> str:
    if value not in BY_KEY:
        raise ValueError(no_counter(value, BY_KEY))
    return value


def near(word: str, known: Collection[str]) -> str:
    """Return a hint at the known word that is nearest in spelling; '' if none is near."""
    found = difflib.get_close_matches(word, known, 1, 0.4)
    return f"; did you mean '{found[0]}'?" if found else ""


def _step(value: str) -> StepName:
    kind, *rest = value.split() or [""]
    if value in ("first", "last"):
        return StepName("step") if value == "first" else StepName("last")
    if value.isdecimal():
        return StepName("step", int(value))
    if rest and rest[0].isdecimal() and int(rest[0]) > 0:
        number = int(rest[0])
        if len(rest) == 1 and (kind == "line" or kind in MARKS):
            return StepName(kind, number)
        if len(rest) == 2 and kind == "line" and rest[1] in MEMORIES:
            return StepName(kind, number, rest[1])
    raise ValueError(f"'{value}' is not a step; a step is {STEPS}")


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError(f"'{value}' is neither yes nor no")
    return value == "yes"


def _one_of(known: Collection[str], wrong: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in known:
            raise ValueError(wrong.format(value))
        return value

    return read


_READERS: dict[str, Callable[[str], object]] = {
    "kernel": _name,
    "device": _name,
    "preset": lambda text: preset_key(_name(text)),
    "code": _one_of(CODES, f"there is no code '{{}}'; it is {' or '.join(CODES)}"),
    "warp": _number,
    "step": _step,
    "view": _one_of(VIEWS, f"there is no view '{{}}'; views are {', '.join(VIEWS)}"),
    "predict": _yes,
    "zoom": _yes,
    "counter": _counter,
    "ask": _one_of(KINDS, f"'{{}}' is not a question; questions are {', '.join(KINDS)}"),
    "any_result": _yes,
}


def mistakes(lesson: Lesson, kernels: Mapping[str, Collection[str]], devices: Collection[str]) -> list[Diagnostic]:
    """Return the names in a lesson that stand for nothing. ``kernels``: key to the launches (presets) of each."""
    return [
        Diagnostic(f"{lesson.name}:{page.line}: {words}", hint=f"Correct it in {lesson.name} and open it again.")
        for number, page in enumerate(lesson.pages)
        for words in _unknown(page.directive, lesson.directive(number), kernels, devices)
    ]


def _unknown(
    said: Directive, held: Directive, kernels: Mapping[str, Collection[str]], devices: Collection[str]
) -> Iterator[str]:
    """Yield the errors of a page that says ``said``, where ``held`` holds."""
    if said.kernel is not None and said.kernel not in kernels:
        yield f"kernel: there is no kernel '{said.kernel}'{near(said.kernel, kernels)}"
    if said.device is not None and said.device not in devices:
        yield f"device: there is no device '{said.device}'{near(said.device, devices)}"
    launches = kernels.get(held.kernel or "", ())
    if launches and (said.preset or said.kernel) and held.preset is not None and held.preset not in launches:
        there = ", ".join(map(preset_name, launches))
        yield f"preset: {held.kernel} has no launch '{preset_name(held.preset)}'; it has {there}"


def step_of(directive: Directive, trace: History, key: tuple[int, int] | None = None) -> int | None:
    """Return the step that the page names; None where the run has no such event, or the page names none.

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
        return _first_at_line(trace, place, key)
    at = np.flatnonzero(trace.marks & int(MARKS[place.kind][0]))
    return int(at[place.number - 1]) + 1 if len(at) >= place.number else None


def _first_at_line(trace: History, place: StepName, key: tuple[int, int] | None) -> int | None:
    pcs = [pc for pc, ins in enumerate(trace.program.instructions) if _is_at(ins, place)]
    events = trace.arrays
    there = np.isin(events.pc, pcs) & (events.pc != NONE)
    if key is not None:
        own = there & (events.block == key[0]) & (events.warp == key[1])
        there = own if own.any() else there
    at = np.flatnonzero(there)
    return int(at[0]) + 1 if len(at) else None


def _is_at(instruction: Instruction, place: StepName) -> bool:
    """Return whether an instruction belongs to the line, and accesses the memory, that the place names."""
    if instruction.span.line != place.number:
        return False
    return not place.memory or (instruction.op in MEMORY_OPS and instruction.space == MEMORIES[place.memory])
