"""Model the verdict on a launch: its costs as the rows of a table, each with the place where it shows. Qt-free."""

from __future__ import annotations

from warpview.run.verdict import LEAST_SHARE, Verdict
from warpview.sim.history.events import Inefficiency
from warpview.trace.frame import Mark
from warpview.ui.panels.profiler_model import ProfilerCell, RowPlace, Table

# Inefficiency -> the steps at which it shows.
MARKS = {
    Inefficiency.UNCOALESCED.value: Mark.UNCOALESCED, Inefficiency.CONFLICTS.value: Mark.CONFLICT,
    Inefficiency.BARRIERS.value: Mark.BARRIER, Inefficiency.ATOMICS.value: Mark.COLLISION,
}  # fmt: skip
LEADS = "Click to go to the next step where it occurs"


def verdict_table(verdict: Verdict, kernel: str) -> Table:
    """Return the costly lines, the possible gains and the use of each resource, each group in descending order."""
    rows: list[tuple[ProfilerCell, ...]] = []
    places: list[RowPlace] = []
    for line in verdict.lines:
        rows.append(_row(f"line {line.line}", f"{100 * line.share:.0f} %", f"of the warps' cycles: {line.text}", LEADS))
        places.append(RowPlace(line=line.line))
    if verdict.active_lanes is not None:
        words = "active on average: the others are idle where branches diverge"
        rows.append(_row("lanes of a warp", f"{verdict.active_lanes:.1f} of 32", words, LEADS))
        places.append(RowPlace(mark=Mark.DIVERGENCE))
    for gain in verdict.gains:
        mark = MARKS.get(gain.inefficiency, Mark.NONE)
        words = "largest speedup without this cost, by the model"
        rows.append(_row(f"without {gain.inefficiency}", f"{gain.speedup:.2f} ×", words, LEADS if mark else ""))
        places.append(RowPlace(mark=mark))
    for name, share in sorted(verdict.shares.items(), key=lambda item: -item[1]):
        if share >= LEAST_SHARE:
            rows.append(_row(name, f"{100 * share:.0f} %", "utilisation, of its peak", ""))
            places.append(RowPlace())
    return Table(
        f"Why is {kernel} as slow as it is?",
        f"{verdict.sentence} {verdict.time_sentence}",
        ("cost", "figure", "meaning"),
        tuple(rows),
        tuple(places),
    )


def _row(name: str, figure: str, words: str, tip: str) -> tuple[ProfilerCell, ...]:
    return ProfilerCell(name, "name", tip), ProfilerCell(figure, "number", tip), ProfilerCell(words, tip=tip)
