"""What the counter table shows: every counter so far, at the end of the trace, and for the whole launch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import NONE
from warpview.profile.counters import Counter, Value, counters_of
from warpview.profile.totals import Selector, Totals
from warpview.sim.layout import Raw
from warpview.ui.panels.comparison_model import difference
from warpview.ui.views.context import FrameContext, RunLike

NAMES = ("warpview", "Nsight Compute", "Visual Profiler")


@dataclass(frozen=True)
class FastTotals(Totals):
    """Totals that remember which instructions a selector picks, because the window asks at every step."""

    masks: dict[Selector, NDArray[np.bool_]] = field(default_factory=dict)

    def sum(self, column: Raw, selector: Selector) -> int:
        chosen = self.masks.get(selector)
        if chosen is None:
            chosen = np.isin(self.ops, list(selector.ops)) & np.isin(self.spaces, list(selector.spaces))
            if selector.conditional:
                chosen &= self.guards != NONE
            self.masks[selector] = chosen
        return int(self.counts[chosen, column].sum())


@dataclass(frozen=True)
class Row:
    counter: Counter
    end: Value  # at the end of the trace
    launch: Value  # of the whole grid
    series: Value = None  # of all launches, where this is one of several
    earlier: Value = None  # of the run before

    @property
    def difference(self) -> str:
        """How far this run is from the one before."""
        return difference(self.earlier, self.launch)

    @property
    def from_earlier(self) -> str:
        """The run before, and how far this one is from it."""
        if self.earlier is None:
            return "–"
        return "  ".join(filter(None, (number(self.earlier, self.counter.unit), self.difference)))

    def name(self, which: int) -> str:
        """The title, or the name in a profiler ('' where it had none)."""
        return (self.counter.title, self.counter.nsight, self.counter.visual_profiler)[which]


class CounterTable:
    """The rows for one run; ``so_far`` gives the column that changes with every step. ``earlier`` are the counters of
    the run before, if there was one."""

    def __init__(self, run: RunLike, earlier: Mapping[str, Value] | None = None) -> None:
        self._run = run
        self._masks: dict[Selector, NDArray[np.bool_]] = {}
        end = self._values(run.trace.frame(run.trace.steps).counts, {})
        launch: Mapping[str, Value] = run.counters
        part = run.part
        self.in_series, self.has_earlier = part is not None and part.count > 1, bool(earlier)
        series = part.counters if part is not None else {}
        before = earlier or {}
        self._all = [
            Row(c, end.get(c.key), launch.get(c.key), series.get(c.key), before.get(c.key))
            for c in counters_of(run.device)
        ]
        self.rows = self.ordered(())
        self.traced_all = all(r.end == r.launch for r in self.rows if isinstance(r.end, int))

    def ordered(self, pins: Collection[str]) -> list[Row]:
        """The rows to show, ``pins`` (keys) on top. What never happens in this kernel is left out unless it is pinned;
        facts of the launch, which no step changes, come last."""
        shown = [r for r in self._all if r.end or r.launch or r.series or r.earlier or r.counter.key in pins]
        return sorted(shown, key=lambda r: (r.counter.key not in pins, r.end is None))

    def _values(self, counts: NDArray[np.int64], facts: Mapping[str, float]) -> dict[str, Value]:
        code = self._run.program.code
        totals = FastTotals(counts, code.op, code.space, code.guard, facts, self._masks)
        return {c.key: c.compute(totals) for c in counters_of(self._run.device)}

    def so_far(self, counts: NDArray[np.int64]) -> dict[str, Value]:
        return self._values(counts, {})


def samples(steps: int, wanted: int = 48) -> list[int]:
    """Steps at which the sparklines are sampled: evenly, with the first and the last."""
    return sorted({round(steps * k / (wanted - 1)) for k in range(wanted)}) if steps else [0]


def number(value: Value, unit: str = "") -> str:
    """A number as a table shows it: whole ones in full with thin spaces, others to four figures."""
    if value is None:
        return "–"
    if unit == "%":
        return f"{value:.1f} %"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:,.4g}".replace(",", "\u202f")


def matches(row: Row, words: str) -> bool:
    """Whether every word typed occurs in the counter's key, title, group or profiler names."""
    counter = row.counter
    everything = f"{counter.key} {counter.title} {counter.group} {counter.nsight} {counter.visual_profiler}".lower()
    return all(word in everything for word in words.lower().split())


def definition(row: Row) -> str:
    """The hover text: definition, unit and the names elsewhere."""
    counter = row.counter
    lines = [counter.description, f"Unit: {counter.unit}. Key: {counter.key}"]
    lines += [f"{name}: {row.name(n)}" for n, name in enumerate(NAMES) if n and row.name(n)]
    return "\n".join(lines)


def changed(before: Mapping[str, Value], now: Mapping[str, Value]) -> set[str]:
    """Keys whose value this step changed."""
    return {key for key, value in now.items() if before.get(key) != value}


def before(context: FrameContext, table: CounterTable) -> dict[str, Value]:
    """The counters one step earlier."""
    return table.so_far(context.previous.counts) if context.previous is not None else {}
