"""Align the steps of one run with those of another, so that two runs can be stepped together. Qt-free.

Instructions of the two programs are put into groups, and the n-th event of a warp in a group corresponds to the n-th
event of the same warp in that group of the other run. Where a source line is the same in both and compiles to the same
operations, each of its instructions is a group of its own; where it compiles to others, its accesses are. Accesses that
only one of the sources has on a line are grouped by memory space and by whether they load or store.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import Instruction, Program
from warpview.trace.access_log import ordinals
from warpview.trace.frame import Mark
from warpview.trace.trace import Trace
from warpview.ui.views.context import RunLike

ALONE = -1  # the group of an instruction that has no counterpart
ALIKE = 0.6  # lines that share at least this much of their text are the same line, edited
Kind = tuple[int, bool]  # memory space, and whether a load


@dataclass(frozen=True)
class Counterpart:
    """Name the step of the other run that corresponds to a step.

    Where the event itself has no counterpart, ``exact`` is False and ``step`` is that of the last event of its warp
    that has one (0: none has so far). ``present`` is False where the other run did not record this warp at all.
    """

    step: int
    exact: bool
    present: bool = True


class Alignment:
    """Find for each step of ``first`` the corresponding step of ``second``."""

    def __init__(self, first: RunLike, second: RunLike) -> None:
        self.first, self.second = first, second
        self._groups = groups(first.program, second.program)
        self._found: dict[tuple[int, int], NDArray[np.int64]] = {}
        self._marked: dict[Mark, NDArray[np.int64]] = {}

    def counterpart(self, step: int) -> Counterpart:
        """Return the counterpart of a step of the first run, of the warp that issued there."""
        if step == 0:
            return Counterpart(0, True)
        event = self.first.trace.event(step)
        warp = event.block, event.warp
        if not len(self.second.trace.steps_of_warp(*warp)):
            return Counterpart(0, False, False)
        at = int(np.searchsorted(self.first.trace.steps_of_warp(*warp), step))
        found = self._counterparts(warp)
        if found[at]:
            return Counterpart(int(found[at]), True)
        before = np.flatnonzero(found[:at])
        return Counterpart(int(found[before[-1]]) if len(before) else 0, False)

    def steps_marked(self, mark: Mark) -> NDArray[np.int64]:
        """Return the steps of the first run whose counterparts carry a mark, ascending: int64[steps]."""
        if mark not in self._marked:
            arrays, marks = self.second.trace.arrays, self.second.trace.marks
            rows = np.flatnonzero(marks & int(mark))
            warps = set(zip(arrays.block[rows].tolist(), arrays.warp[rows].tolist(), strict=True))
            found = [np.zeros(0, np.int64)]
            for warp in warps:
                steps, theirs = self.first.trace.steps_of_warp(*warp), self._counterparts(warp)
                found.append(steps[(theirs > 0) & (marks[theirs - 1] & int(mark) != 0)])
            self._marked[mark] = np.sort(np.concatenate(found))
        return self._marked[mark]

    def _counterparts(self, warp: tuple[int, int]) -> NDArray[np.int64]:
        """Return what ``_steps_of`` does, found once for each warp."""
        if warp not in self._found:
            self._found[warp] = self._steps_of(*warp)
        return self._found[warp]

    def _steps_of(self, block: int, warp: int) -> NDArray[np.int64]:
        """Return the corresponding step of each event of a warp, 0 where there is none: int64[events of the warp]."""
        mine, theirs = (
            _occurrences(run.trace, groups, block, warp)
            for run, groups in zip((self.first, self.second), self._groups, strict=True)
        )
        order = np.argsort(theirs)
        at = np.minimum(np.searchsorted(theirs, mine, sorter=order), len(theirs) - 1)
        same = (theirs[order[at]] == mine) & (mine != ALONE)
        return np.where(same, self.second.trace.steps_of_warp(block, warp)[order[at]], 0)


def _occurrences(trace: Trace, group_of: NDArray[np.int64], block: int, warp: int) -> NDArray[np.int64]:
    """Return for each event of a warp a number made of its group and of how many of the group came before it:
    int64[events of the warp]. An event in no group has the number ``ALONE``."""
    steps = trace.steps_of_warp(block, warp)
    group = group_of[trace.arrays.pc[steps - 1]]
    return np.where(group == ALONE, ALONE, (group << 32) + ordinals(group))


def groups(first: Program, second: Program) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the group of each instruction of the two programs: int64[instructions] each."""
    numbers: dict[tuple[object, ...], int] = {}
    lines = same_lines(first.source.text, second.source.text)
    back = {there: here for here, there in lines.items()}
    on_lines = _by_line(first), _by_line(second)
    found = []
    for which, program in enumerate((first, second)):
        group = np.full(len(program.instructions), ALONE, np.int64)
        for line, rows in on_lines[which].items():
            here = line if which == 0 else back.get(line)
            there = lines.get(here) if here is not None else None
            both = (on_lines[0].get(here, []), on_lines[1].get(there, [])) if here and there else None
            for row, key in zip(rows, _keys(first, second, program, rows, here, both), strict=True):
                group[row] = ALONE if key is None else numbers.setdefault(key, len(numbers))
        found.append(group)
    return found[0], found[1]


def _keys(
    first: Program, second: Program, program: Program, rows: Sequence[int], line: int | None,
    both: tuple[Sequence[int], Sequence[int]] | None,
) -> list[tuple[object, ...] | None]:  # fmt: skip
    """Return what names the group of each instruction on a line, None for one without a group. ``both`` are the
    instructions of the line in each of the programs; None where only one of them has the line."""
    kinds = [_kind(program.instructions[row]) for row in rows]
    if both is None:
        return [kind if kind is None else ("elsewhere", *kind) for kind in kinds]
    ops = [[of.instructions[row].op for row in on] for of, on in zip((first, second), both, strict=True)]
    if ops[0] == ops[1]:
        return [(line, n) for n in range(len(rows))]
    accesses = [
        [_kind(of.instructions[row]) for row in on] for of, on in zip((first, second), both, strict=True)
    ]  # fmt: skip
    keys: list[tuple[object, ...] | None] = []
    for n, kind in enumerate(kinds):
        counts = {of.count(kind) for of in accesses}
        if kind is None:
            keys.append(None)
        elif 0 in counts:
            keys.append(("elsewhere", *kind))
        else:
            keys.append((line, *kind, kinds[:n].count(kind)) if len(counts) == 1 else (line, *kind))
    return keys


def _kind(instruction: Instruction) -> Kind | None:
    """Return the space of an access and whether it is a load; None for what accesses no memory."""
    return (int(instruction.space), instruction.op is Op.LD) if instruction.op in MEMORY_OPS else None


def _by_line(program: Program) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row, instruction in enumerate(program.instructions):
        found.setdefault(instruction.span.line, []).append(row)
    return found


def same_lines(first: str, second: str) -> dict[int, int]:
    """Return which line of ``second`` each line of ``first`` is, by their numbers from 1.

    Spaces and comments do not count. Of lines that were replaced by others, those in the same place that are alike
    count as the same.
    """
    mine, theirs = ([_bare(line) for line in text.splitlines()] for text in (first, second))
    found: dict[int, int] = {}
    for tag, a, a_end, b, b_end in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            found.update(zip(range(a + 1, a_end + 1), range(b + 1, b_end + 1), strict=True))
        elif tag == "replace":
            found.update(_edited(mine[a:a_end], theirs[b:b_end], a + 1, b + 1))
    return found


def _edited(first: Sequence[str], second: Sequence[str], a: int, b: int) -> dict[int, int]:
    """Pair edited lines in their order, each with the next one that is alike; ``a`` and ``b`` number the first ones."""
    if len(first) == len(second):
        return {a + n: b + n for n in range(len(first)) if _alike(first[n], second[n])}
    found, after = {}, 0
    for i, text in enumerate(first):
        match = next((j for j in range(after, len(second)) if _alike(text, second[j])), None)
        if match is not None:
            found[a + i], after = b + match, match + 1
    return found


def _alike(first: str, second: str) -> bool:
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= ALIKE


def _bare(line: str) -> str:
    return re.sub(r"//.*|/\*.*?\*/|\s+", "", line)
