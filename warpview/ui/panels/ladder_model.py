"""Model the optimisation ladder of a family: the time of each variant, and the gain of each step and of all steps so
far. Kernels that are no steps of one optimisation have their times alone.

Qt-free; laid out like the table in M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA 2007).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from warpview.diagnostics import capitalised
from warpview.ui.drawing.bar_row import BarRow
from warpview.ui.drawing.numbers import duration
from warpview.ui.session.backend import Measured

REQUESTED = ("global_ld_bytes_requested", "global_st_bytes_requested")
HEADS = ("bandwidth", "vs previous", "vs first")  # of the columns behind the time


@dataclass(frozen=True)
class Rung:
    """Name one variant by its ``number`` in the family. ``step`` and ``total`` are speed-ups, None for the first, and
    for what is no step; ``findings`` say what went wrong in it."""

    number: int
    title: str
    time_us: float
    gbps: float
    step: float | None
    total: float | None
    findings: tuple[str, ...] = ()

    @property
    def slower(self) -> bool:
        """Return whether this step lost time."""
        return self.step is not None and self.step < 0.995

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Return time, bandwidth, step and total in words."""
        return (duration(self.time_us), bandwidth(self.gbps), times(self.step), times(self.total))


def bandwidth(gbps: float) -> str:
    """Return a bandwidth with three digits: 7.30 GB/s, 123 GB/s, 4.81 TB/s."""
    value, unit = (gbps, "GB/s") if gbps < 999.5 else (gbps / 1000, "TB/s")
    return f"{value:#.3g}".rstrip(".") + f" {unit}"


def times(factor: float | None) -> str:
    return "" if factor is None else f"{factor:.2f}×"


def ladder(runs: Sequence[Measured], steps: int) -> list[Rung]:
    """Return the variants that ran, in the order of the family, of which the first ``steps`` are a step each."""
    rungs: list[Rung] = []
    timed = [
        (number, run, float(time))
        for number, run in enumerate(runs, 1)
        if not run.problem and (time := run.counters.get("time_us"))
    ]
    for number, run, time in timed:
        asked = sum(run.counters.get(key) or 0 for key in REQUESTED)
        is_step = bool(rungs) and number <= steps
        before = rungs[-1].time_us / time if is_step else None
        total = timed[0][2] / time if is_step else None
        gbps = asked / time / 1000
        rungs.append(Rung(number, run.title, time, gbps, before, total, run.findings))
    return rungs


def rows(rungs: Sequence[Rung]) -> list[BarRow]:
    """Return a bar for each variant; a step that made it slower is told apart by its hatching as well."""
    _, size = unit(rungs)
    return [
        BarRow(
            f"{rung.number}  {rung.title}{'  ⚠' if rung.findings else ''}", rung.time_us / size, figures,
            "conflict" if rung.slower else "active" if rung.step is not None else "idle", rung.slower, words(rung),
        )
        for rung, figures in zip(rungs, _figures(rungs)[1:], strict=True)
    ]  # fmt: skip


def key(rungs: Sequence[Rung]) -> str:
    """Return what the looks of bars mean, of those that there are."""
    looks = (
        ("hatched: slower than the previous variant", any(rung.slower for rung in rungs)),
        ("grey: no step from it", any(rung.step is None for rung in rungs[1:])),
        ("⚠: findings", any(rung.findings for rung in rungs)),
    )
    told = "; ".join(words for words, there in looks if there)
    return f"{capitalised(told)}." if told else ""


def heading(rungs: Sequence[Rung]) -> str:
    """Return the names of the columns of figures."""
    return _figures(rungs)[0]


def unit(rungs: Sequence[Rung]) -> tuple[str, float]:
    """Return the unit of time that suits the longest of all, and its microseconds."""
    longest = max((rung.time_us for rung in rungs), default=0.0)
    return next((found for found in (("s", 1e6), ("ms", 1e3)) if longest >= found[1]), ("µs", 1.0))


def _figures(rungs: Sequence[Rung]) -> list[str]:
    """Return the heading and the figures of each variant, as lines whose columns and decimal points line up."""
    name, size = unit(rungs)
    shortest = min((rung.time_us / size for rung in rungs), default=1.0)
    digits = max(0, 2 - math.floor(math.log10(shortest)))
    table = [(f"time, {name}", *HEADS), *((f"{r.time_us / size:.{digits}f}", *r.texts[1:]) for r in rungs)]
    columns = 4 if any(rung.step is not None for rung in rungs) else 2
    widths = [max(len(texts[k]) for texts in table) for k in range(columns)]
    return ["  ".join(t.rjust(width) for t, width in zip(texts, widths, strict=False)).rstrip() for texts in table]


def words(rung: Rung) -> str:
    """Return the hover text of a variant: its figures in words, and its findings."""
    said = f"{rung.title}: {rung.texts[0]}, {rung.texts[1]}"
    if rung.step is not None:
        said += f"\n{rung.texts[2]} the speed of the variant before, {rung.texts[3]} that of the first"
    return "\n".join([said, *(f"⚠ {finding}" for finding in rung.findings)])


def spoken(rungs: Sequence[Rung]) -> str:
    """Return the ladder as one text for screen readers."""
    said = "; ".join(": ".join([r.title, ", ".join(filter(None, (*r.texts, *r.findings)))]) for r in rungs)
    return said or "No variant has a time."
