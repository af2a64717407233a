"""Compute the heat of source lines and of instructions: a counter told apart by where it was counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from warpview.profile.counters import BY_KEY, Counter, Value, counters_of
from warpview.profile.lines import by_line
from warpview.profile.totals import Totals
from warpview.ui.views.context import RunLike

DEFAULT_COUNTER = "inst_executed"
EVEN = 0.15  # strength of a heat that is the same everywhere


@dataclass(frozen=True)
class Heat:
    """Share a counter out by line or instruction: ``share`` of the hottest (0 to 1), and the value in words."""

    title: str = ""
    most: str = ""  # the value of the hottest, with its unit
    share: Mapping[int, float] = field(default_factory=dict)
    words: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def _even(self) -> bool:
        return len(self.share) > 1 and min(self.share.values()) == 1.0

    def strength(self, key: int) -> float:
        """Return the strength of the colour, 0 to 1: weak where none is hotter than the others."""
        share = self.share.get(key, 0.0)
        return share * EVEN if self._even else share

    @property
    def scale(self) -> str:
        """Return the words of the legend: which counter, and what the strongest colour stands for."""
        return f"heat: {self.title}, up to {self.most}" if self.most else "heat"


def line_heat(run: RunLike, key: str | None) -> Heat:
    """Return the heat by source line; of the warp instructions where there is no such counter."""
    counter = _counter(key)
    return _heat(counter, by_line(counter, run.program, run.counts))


def instruction_heat(run: RunLike, key: str | None) -> Heat:
    counter, totals = _counter(key), Totals.of(run.program, run.counts)
    return _heat(counter, {pc: counter.compute(totals.restricted([pc])) for pc in range(len(run.program.instructions))})


def choices(run: RunLike) -> dict[str, list[Counter]]:
    """Return the counters that instructions of this run have counted, by group."""
    totals = Totals.of(run.program, run.counts)
    found: dict[str, list[Counter]] = {}
    for counter in counters_of(run.device):
        if counter.compute(totals):
            found.setdefault(counter.group, []).append(counter)
    return found


def _counter(key: str | None) -> Counter:
    return BY_KEY.get(key or DEFAULT_COUNTER, BY_KEY[DEFAULT_COUNTER])


def _heat(counter: Counter, values: Mapping[int, Value]) -> Heat:
    there = {k: float(v) for k, v in values.items() if v}
    if not there:
        return Heat(counter.title)
    top, total = max(there.values()), sum(there.values())
    adds_up = counter.unit != "%" and "/" not in counter.unit

    def words(value: float) -> str:
        part = f" ({100 * value / total:.0f} %)" if adds_up else ""
        return f"{counter.title}: {_number(value)} {counter.unit}{part}"

    return Heat(
        counter.title, f"{_number(top)} {counter.unit}", {k: v / top for k, v in there.items()},
        {k: words(v) for k, v in there.items()},
    )  # fmt: skip


def _number(value: float) -> str:
    text = f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"
    return text.replace(",", "\u202f")
