"""Model a run as other profilers show it: the rows of a table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from warpview.profile.export import as_number, as_text
from warpview.profile.nsight import agreement
from warpview.profile.visual_profiler import READING_COLUMNS
from warpview.run.profilers import nsight_comparison, visual_profile_of
from warpview.run.result import Run
from warpview.ui.drawing.values import NARROW_SPACE, thousands


@dataclass(frozen=True)
class ProfilerCell:
    """Hold a cell: its ``role`` is 'name', 'number', 'words', 'good' or 'error'; ``tip`` says more."""

    text: str
    role: str = "words"
    tip: str = ""


@dataclass(frozen=True)
class Table:
    """Hold a table under a heading."""

    title: str
    about: str
    header: tuple[str, ...]
    rows: tuple[tuple[ProfilerCell, ...], ...]

    def to_csv(self) -> str:
        """Return the table as CSV text, its numbers without spaces."""
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([as_text(cell.text.replace(NARROW_SPACE, "")) for cell in row] for row in self.rows)
        return out.getvalue()


def visual_profiler_table(run: Run) -> Table:
    """Return counters of one multiprocessor or TPC, extrapolated. Raises WarpviewError for devices after CC 3.x."""
    profile = visual_profile_of(run)
    rows = tuple(
        (
            ProfilerCell(reading.name, "name", reading.meaning),
            ProfilerCell(reading.scope),
            ProfilerCell(thousands(reading.value), "number"),
            ProfilerCell(thousands(reading.extrapolated), "number"),
            ProfilerCell(reading.meaning),
        )
        for reading in profile.readings
    )
    return Table(
        f"{run.program.kernel} as the Visual Profiler counts it",
        "Counted on one multiprocessor or cluster and scaled to the whole grid. " + " ".join(profile.throughput.lines),
        READING_COLUMNS,
        rows,
    )


def nsight_table(run: Run, report: Path) -> Table:
    """Return the simulated run beside an export of Nsight Compute. Raises WarpviewError where the file does not fit."""
    kernel, comparisons = nsight_comparison(run, report)
    rows = tuple(
        (
            ProfilerCell(row.counter.title, "name", row.counter.description),
            ProfilerCell(row.counter.nsight),
            ProfilerCell(as_number(row.simulated), "number"),
            ProfilerCell(f"{row.measured:.12g}", "number"),
            ProfilerCell(row.difference, "good" if row.equal else "error" if row.by_rule else "number"),
        )
        for row in comparisons
    )
    return Table(
        f"{run.program.kernel} beside {report.name}",
        f"{kernel}: {agreement(comparisons)}",
        ("counter", "metric", "simulated", "measured", "difference"),
        rows,
    )
