"""Model the verdict on a launch: groups of bars, each with the place where it shows. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.run.verdict import LEAST_SHARE, Verdict
from warpview.sim.history.events import Inefficiency
from warpview.trace.frame import Mark
from warpview.ui.drawing.bar_row import BarRow
from warpview.ui.panels.profiler_model import ProfilerCell, Table

# Inefficiency -> the steps at which it shows.
MARKS = {
    Inefficiency.UNCOALESCED.value: Mark.UNCOALESCED, Inefficiency.CONFLICTS.value: Mark.CONFLICT,
    Inefficiency.BARRIERS.value: Mark.BARRIER, Inefficiency.ATOMICS.value: Mark.COLLISION,
}  # fmt: skip
LEADS = "Click to go to the next step where it occurs"
MOST_LETTERS = 56  # of a source line; a longer one ends in an ellipsis
WARP = 32


@dataclass(frozen=True)
class CostPlace:
    """Hold the place where a cost shows: a source ``line``, or the steps with a ``mark``."""

    line: int = 0
    mark: Mark = Mark.NONE


Row = tuple[str, float, str, CostPlace | None]  # name, percent, figure if not the percent, place


@dataclass(frozen=True)
class CostGroup:
    """Hold bars in percent of one whole, which the title names, and the place of each, if it has one."""

    title: str
    rows: tuple[BarRow, ...]
    places: tuple[CostPlace | None, ...]


def groups(verdict: Verdict) -> tuple[CostGroup, ...]:
    """Return the costly lines, the possible gains and the use of each resource, each group in descending order."""
    lines: list[Row] = [
        (f"{line.line}  {_shortened(line.text)}", 100 * line.share, "", CostPlace(line=line.line))
        for line in verdict.lines
    ]
    gains: list[Row] = [
        (f"without {gain.inefficiency}", 100 - 100 / gain.speedup, f"{gain.speedup:.2f}×",
         CostPlace(mark=mark) if (mark := MARKS.get(gain.inefficiency)) else None)
        for gain in verdict.gains
    ]  # fmt: skip
    shares: list[Row] = [
        (name, 100 * share, "", None) for name, share in verdict.shares.items() if share >= LEAST_SHARE
    ]
    if (lanes := verdict.active_lanes) is not None:
        place = CostPlace(mark=Mark.DIVERGENCE)
        shares.append(("active lanes per warp (branches diverge)", 100 * lanes / WARP, f"{lanes:.1f} of {WARP}", place))
    shares.sort(key=lambda row: -row[1])
    return (
        _group("Costly lines: % of warp cycles", lines, "active"),
        _group("Possible gains: % of the time saved, and the speedup, at most", gains, "good"),
        _group("Utilisation: % of peak", shares, "idle", verdict.limiter),
    )


def _group(title: str, rows: Sequence[Row], colour: str, limiter: str = "") -> CostGroup:
    """Return a group; the ``limiter`` among its rows has the colour of a cost."""
    bars = [
        BarRow(
            name.removeprefix("the "), percent, figure or f"{percent:.0f} %",
            "conflict" if name == limiter else colour, hover=LEADS if place else "",
        )
        for name, percent, figure, place in rows
    ]  # fmt: skip
    bars = bars or [BarRow("none significant", 0.0, "")]
    return CostGroup(title, tuple(bars), tuple(row[-1] for row in rows) or (None,))


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def verdict_table(verdict: Verdict, kernel: str) -> Table:
    """Return the bars as a table for export, under the verdict's sentence."""
    rows = tuple(
        (ProfilerCell(group.title.partition(":")[0]), ProfilerCell(row.name), ProfilerCell(row.figures, "number"))
        for group in groups(verdict)
        for row in group.rows
    )
    return Table(verdict.sentence, f"{kernel}: {verdict.time_sentence}", ("group", "name", "figure"), rows)
