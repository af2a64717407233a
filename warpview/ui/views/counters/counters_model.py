"""Model the counter table: every counter so far, at the end of the trace, and for the whole launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import Program
from warpview.profile.counters import Counter, Value, counters_of
from warpview.profile.instruction_traits import traits_of
from warpview.profile.totals import Selector, Totals
from warpview.ui.drawing.numbers import short
from warpview.ui.drawing.values import NARROW_SPACE, thousands
from warpview.ui.panels.comparison_model import difference, matches
from warpview.ui.views.context import FrameContext, RunLike

NAMES = ("warpview", "Nsight Compute", "Visual Profiler")


class SelectorMatrix:
    """Hold the matrix of the instructions that each selector picks, a row for each selector: the sums of a step over
    all of them are one product, of floating-point numbers because those are multiplied ten times as fast; counts stay
    far below 2 to the 53rd, up to which they are exact. Found by identity: to hash a selector takes as long as to
    sum."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._selectors: dict[int, Selector] = {}  # held, so that no other takes their identity
        self._chosen: dict[int, NDArray[np.bool_]] = {}
        self._matrix: NDArray[np.float64] = np.zeros((0, len(program.instructions)))

    def chosen(self, selector: Selector) -> NDArray[np.bool_]:
        """Return which of the instructions are selected: bool[n]."""
        if id(selector) not in self._selectors:
            self._selectors[id(selector)] = selector
            row = Totals.of(self._program, np.zeros((0, 0), dtype=np.int64)).chosen(selector)
            self._chosen[id(selector)] = row
            self._matrix = np.vstack([self._matrix, row.astype(np.float64)])
        return self._chosen[id(selector)]

    def sums(self, counts: NDArray[np.int64]) -> dict[int, list[int]]:
        """Return the sum of each raw column over what each selector so far picks, by the selector's identity."""
        sums = (self._matrix @ counts.astype(np.float64)).astype(np.int64)
        return dict(zip(self._selectors, sums.tolist(), strict=True))


@dataclass(frozen=True)
class FastTotals(Totals):
    """Compute the sums of all totals at once, because the window asks at every step."""

    matrix: SelectorMatrix = field(kw_only=True)
    sums: dict[int, list[int]] = field(default_factory=dict)

    def chosen(self, selector: Selector) -> NDArray[np.bool_]:
        return self.matrix.chosen(selector)

    def sum(self, column: int, selector: Selector) -> int:
        found = self.sums.get(id(selector))
        if found is None:
            self.matrix.chosen(selector)
            self.sums.update(self.matrix.sums(self.counts))
            found = self.sums[id(selector)]
        return found[column]


class CountersSoFar(Mapping[str, Value]):
    """Map the key of every counter to its value at a step, computed when it is first asked for: few are in sight."""

    def __init__(self, counters: Mapping[str, Counter], totals: Totals) -> None:
        self._counters, self._totals = counters, totals
        self._values: dict[str, Value] = {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._values:
            self._values[key] = self._counters[key].compute(self._totals)
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counters)

    def __len__(self) -> int:
        return len(self._counters)


@dataclass(frozen=True)
class CounterRow:
    counter: Counter
    end: Value  # at the end of the trace
    launch: Value  # of the whole grid
    series: Value = None  # of all launches, where this is one of several
    earlier: Value = None  # of the run it is compared with

    @property
    def difference(self) -> str:
        """Return the difference of this run from the earlier one; the number itself where that one had none."""
        if self.earlier == 0 and self.launch:
            return f"+{short(self.launch)}"
        return difference(self.earlier, self.launch)

    @property
    def share(self) -> float:
        """Return the absolute difference as a share of the earlier run's value; below 0 where it is unknown."""
        if self.earlier is None or self.launch is None:
            return -1.0
        return abs(self.launch - self.earlier) / abs(self.earlier) if self.earlier else float(bool(self.launch))

    @property
    def from_earlier(self) -> str:
        """Return the earlier run's value, and how far this one is from it."""
        if self.earlier is None:
            return "–"
        return "  ".join(filter(None, (number(self.earlier, self.counter.unit), self.difference)))

    def name(self, which: int) -> str:
        """Return the short title, or the name in a profiler ('' where it had none)."""
        return (self.counter.label, self.counter.nsight, self.counter.visual_profiler)[which]


class CounterTable:
    """Compute the rows for one run, when they are first asked for; ``so_far`` gives the column that changes with every
    step."""

    def __init__(self, run: RunLike) -> None:
        self._run = run
        self._matrix = SelectorMatrix(run.program)
        self._counters = {counter.key: counter for counter in counters_of(run.device)}
        self.in_series, self.has_earlier = run.part is not None and run.part.count > 1, False

    @cached_property
    def _all(self) -> list[CounterRow]:
        run, part = self._run, self._run.part
        end = self.so_far(run.trace.frame(run.trace.steps).counts)
        launch: Mapping[str, Value] = run.counters
        series = part.counters if part is not None else {}
        return [CounterRow(c, end[k], launch.get(k), series.get(k)) for k, c in self._counters.items()]

    @cached_property
    def rows(self) -> list[CounterRow]:
        """Return the rows to show of a run alone."""
        return self.ordered(())

    @cached_property
    def traced_all(self) -> bool:
        """Return whether the steps are all that the launch did."""
        return all(r.end == r.launch for r in self.rows if isinstance(r.end, int))

    def compare(self, earlier: Mapping[str, Value] | None) -> None:
        """Set the counters of the run that this one is compared with beside its own; None for no such run."""
        self.has_earlier = earlier is not None
        self._all = [replace(row, earlier=(earlier or {}).get(row.counter.key)) for row in self._all]

    def ordered(self, pins: Collection[str], asked: str | None = None) -> list[CounterRow]:
        """Return the rows to show, ``pins`` (keys) on top. What never happens in this kernel is left out unless it is
        pinned or ``asked`` for; facts of the launch, which no step changes, come last."""
        wanted = {*pins, asked}
        shown = [r for r in self._all if r.end or r.launch or r.series or r.earlier or r.counter.key in wanted]
        return sorted(shown, key=lambda r: (r.counter.key not in pins, r.end is None))

    def so_far(self, counts: NDArray[np.int64]) -> Mapping[str, Value]:
        """Return the values of the counters by key; ``counts`` are the raw counts of a frame."""
        totals = FastTotals(counts, traits_of(self._run.program), matrix=self._matrix)
        return CountersSoFar(self._counters, totals)


def samples(steps: int, wanted: int = 48) -> list[int]:
    """Return the steps at which the sparklines are sampled: evenly, with the first and the last."""
    return sorted({round(steps * k / (wanted - 1)) for k in range(wanted)}) if steps else [0]


def number(value: Value, unit: str = "") -> str:
    """Return a number as a table shows it: whole ones in full with thin spaces, others to four figures."""
    if value is None:
        return "–"
    if unit == "%":
        return f"{value:.1f} %".replace("100.0", "100")
    if float(value).is_integer() and abs(value) < 1e15:
        return thousands(int(value))
    return (f"{value:.3g}" if abs(value) < 1 else f"{value:,.4g}").replace(",", NARROW_SPACE)


def arranged(
    rows: Iterable[CounterRow],
    names: int,
    words: str,
    pins: Collection[str],
    key: Callable[[CounterRow], Any] | None,
    descending: bool = False,
) -> list[CounterRow]:
    """Return the rows that have a name of that kind and the words, sorted by ``key`` if there is one. Pinned ones (by
    their counter's key) stay on top whichever way one sorts."""
    found = [row for row in rows if row.name(names) and matches(row.counter, words)]
    if key is not None:
        found.sort(key=key, reverse=descending)
    return sorted(found, key=lambda row: row.counter.key not in pins)


def definition(row: CounterRow) -> str:
    """Return the hover text: title, definition, unit and the names elsewhere."""
    counter = row.counter
    lines = [counter.title, counter.description, f"Unit: {counter.unit}. Key: {counter.key}"]
    lines += [f"{name}: {row.name(n)}" for n, name in enumerate(NAMES) if n and row.name(n)]
    return "\n".join(lines)


def before(context: FrameContext, table: CounterTable) -> Mapping[str, Value]:
    """Return the counters one step earlier; none at step 0."""
    return table.so_far(context.frame.previous.counts) if context.frame.previous is not None else {}


def columns_that_fit(widths: Mapping[int, float], room: float) -> set[int]:
    """Return the columns that there is room for, in the order of ``widths`` (column to pixels); the first always."""
    shown: set[int] = set()
    for column, width in widths.items():
        if not shown or width <= room:
            shown.add(column)
            room -= width
    return shown


def longest(texts: Iterable[str], measure: Callable[[str], float]) -> float:
    """Return the width in pixels of the widest text; 0 where there is none."""
    return max(map(measure, texts), default=0.0)


def broken(name: str, room: float, measure: Callable[[str], float]) -> list[str]:
    """Return a name in lines no wider than ``room`` pixels, broken after underscores, points, strokes and spaces."""
    lines = [""]
    for piece in re.findall(r"[^_. /]*[_. /]*", name):
        if lines[-1] and measure((lines[-1] + piece).rstrip()) > room:
            lines.append(piece)
        else:
            lines[-1] += piece
    return lines
