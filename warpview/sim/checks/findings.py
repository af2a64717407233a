"""Report findings in the user's terms: the mistake, its place in the source, the thread and the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpview.diagnostics import Diagnostic, Span
from warpview.isa.program import NONE, Program
from warpview.isa.types import Space
from warpview.sim.checks.finding_text import FindingText
from warpview.sim.checks.integer_traps import is_harmless
from warpview.sim.checks.places import is_null
from warpview.sim.checks.race_remedies import RaceRemedies
from warpview.sim.launch import Dim3, FindingKind, Launch, RawFinding
from warpview.sim.memory import DeviceMemory


@dataclass(frozen=True)
class Finding:
    """Report a mistake that the launch of a kernel showed.

    Attributes
    ----------
    kind : str
        The ``words`` of a ``FindingKind``.
    severity : str
        "error", or "warning" for a same-value race, for code that relies on lockstep where there is lockstep, and for
        an uninitialised read of which it is not known whether it matters.
    message : str
        The whole story in one sentence.
    span : Span
        Place in the source.
    pc : int
        Index of the instruction.
    block, thread : (x, y, z)
        The thread, of the first occurrence.
    address : int
        Byte address in its memory space; of a member mask the mask; of an index into a member array the index.
    count : int
        Number of occurrences at this instruction.
    issue : int
        Number of instructions that the thread's warp had issued before, -1 where it is not known.
    value : int, float or None
        What a race read or wrote; of a wrong result what the element holds.
    elements : tuple of str
        The first few places that a race is about, such as "sdata[17]"; there are ``n_elements`` or more.
    remedy : str
        What would have ordered the accesses of a race, or made the barrier complete; empty where nothing is known.
    expected : int, float or None
        What the element of a wrong result should hold.
    step : int or None
        The step of the trace that wrote the element of a wrong result, where it is recorded.
    space : Space or None
        Memory space of ``address`` where it is not that of the instruction.
    other : Finding or None
        The same of the other thread: of a race the access that came first.
    """

    kind: str
    message: str
    span: Span
    pc: int
    block: Dim3
    thread: Dim3
    address: int
    count: int = 1
    issue: int = -1
    value: int | float | None = None
    elements: tuple[str, ...] = ()
    n_elements: int = 0
    remedy: str = ""
    other: Finding | None = None
    expected: int | float | None = None
    step: int | None = None
    space: Space | None = None

    @property
    def severity(self) -> str:
        unknown = self.kind == FindingKind.UNINITIALISED.words and self.other is None
        return "warning" if unknown or self.kind in WARNINGS else "error"

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """Return the finding as a compiler would print it, with the source line and a caret, and the other place."""
        times = f" ({self.count} times)" if self.count > 1 else ""
        text = Diagnostic(f"{self.kind}: {self.message}{times}", self.span).render()
        text = text.replace(": error: ", f": {self.severity}: ", 1)
        if self.other is not None and self.other.pc != NONE and self.other.span != self.span:
            note = Diagnostic(self.other.message, self.other.span).render()
            text += "\n" + note.replace(": error: ", ": note: ", 1)
        return text


WARNINGS = frozenset({FindingKind.SAME_VALUE_RACE.words, FindingKind.LOCKSTEP.words})
RACES = frozenset({FindingKind.RACE.words, FindingKind.SAME_VALUE_RACE.words})
WRONG_RESULTS = frozenset({FindingKind.WRONG_RESULT.words, FindingKind.NEVER_WRITTEN.words})


def describe(
    found: Sequence[RawFinding], program: Program, launch: Launch, memory: DeviceMemory
) -> tuple[Finding, ...]:
    """Return what an engine has found in the user's terms: first the races, one for each pair of lines."""
    remedies = RaceRemedies(program, launch, (raw for raw in found if raw.is_race))
    text = FindingText(program, launch, memory, remedies)
    others = [_placed(raw, program, launch) for raw in found if not raw.is_race]
    if program.is_compiled:
        others = _by_line(others, program, memory)
    told = [*remedies.merged(), *_without_harmless(others, program)]
    return tuple(_described(raw, program, text) for raw in told)


def _by_line(found: Sequence[RawFinding], program: Program, memory: DeviceMemory) -> list[RawFinding]:
    """Return one finding for what several instructions of machine code do that an access of a line has become."""
    of_line: dict[tuple[object, ...], RawFinding] = {}
    for raw in found:
        instruction, near = program.instructions[raw.pc], memory.nearest(raw.address)
        key = raw.kind, instruction.span.line, instruction.op, raw.space, near and near.name
        first = of_line.get(key)
        of_line[key] = raw if first is None else replace(first, count=first.count + raw.count)
    return list(of_line.values())


def _without_harmless(found: Sequence[RawFinding], program: Program) -> list[RawFinding]:
    """Return findings without the overflows that are taken to be on purpose."""
    outside = [raw.pc for raw in found if raw.kind in (FindingKind.OUT_OF_BOUNDS, FindingKind.NULL_POINTER)]
    return [
        raw for raw in found if raw.kind != FindingKind.INTEGER_OVERFLOW or not is_harmless(program, raw.pc, outside)
    ]


def _placed(raw: RawFinding, program: Program, launch: Launch) -> RawFinding:
    """Return a finding about a null pointer as one about bounds where no pointer of the launch is null: the address
    then lies that far before a buffer."""
    is_far = raw.kind == FindingKind.NULL_POINTER and not is_null(program, launch, raw.address)
    return replace(raw, kind=FindingKind.OUT_OF_BOUNDS) if is_far else raw


def _described(raw: RawFinding, program: Program, text: FindingText) -> Finding:
    instruction, kind = program.instructions[raw.pc], raw.kind.words
    finding = Finding(
        kind, text.message(raw), instruction.span, raw.pc, text.block(raw.block), text.thread(raw.thread),
        raw.address, raw.count, raw.issue,
    )  # fmt: skip
    if raw.other is None:
        return finding
    party = raw.other
    other_span = instruction.span if party.pc == NONE else program.instructions[party.pc].span
    other = Finding(
        kind, text.about_other(raw, party), other_span, party.pc, text.block(party.block),
        text.thread(party.thread), party.address, 1, party.issue,
    )  # fmt: skip
    finding = replace(finding, other=other, remedy=text.remedy(raw))
    if not raw.is_race:
        return finding
    return replace(
        finding,
        value=text.value(raw.pc, raw.space, raw.address, raw.value),
        elements=tuple(text.place(raw.space, address, raw.pc) for address in raw.elements),
        n_elements=raw.n_elements,
        other=replace(other, value=text.value(party.pc, raw.space, party.address, party.value)),
    )
