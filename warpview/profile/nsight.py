"""Read CSV exports of Nsight Compute, and compare their metrics with a simulated run."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from warpview.diagnostics import WarpviewError
from warpview.files import read_text
from warpview.profile.counters import COUNTERS, Counter, Value

MOST_REPORT_BYTES = 1 << 28
# What one of a report's units is in the unit of our counters.
_SCALES = {
    "µs": {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6},
    "bytes": {"Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9},
}
# Counters that follow from the addresses of the accesses and not from the machine code that a compiler made.
_RULE = re.compile(r"(global|shared|distributed)_\w+_(requests|sectors|wavefronts|bank_conflicts)")


@dataclass(frozen=True)
class Metric:
    """A metric has the value and the unit that the report prints."""

    value: float
    unit: str


@dataclass(frozen=True)
class ProfiledLaunch:
    """A report has one or more profiled launches; ``grid`` and ``block`` are tuples of three."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    metrics: Mapping[str, Metric]


@dataclass(frozen=True)
class NsightComparison:
    """A comparison has a metric simulated and measured; ``by_rule`` says that no compiler can change it."""

    counter: Counter
    simulated: Value
    measured: float
    by_rule: bool

    @property
    def difference_pct(self) -> float | None:
        """Return the difference in percent of the measured value; None where that value is 0 or one is not known."""
        if self.simulated is None:
            return None
        if self.measured == 0:
            return 0.0 if self.simulated == 0 else None
        return 100 * (self.simulated - self.measured) / self.measured

    @property
    def equal(self) -> bool:
        """Return whether the numbers are the same to hundredths, which is what a report prints."""
        return self.simulated is not None and abs(self.simulated - self.measured) < 0.0051

    @property
    def difference(self) -> str:
        """Return the difference in a few words: "=", "+4.0 %", or nothing where it cannot be said."""
        percent = self.difference_pct
        return "=" if self.equal else "" if percent is None else f"{percent:+.1f} %"


def agreement(rows: Sequence[NsightComparison]) -> str:
    """Return one sentence on how well the two agree."""
    ruled = [row for row in rows if row.by_rule]
    if not ruled:
        return "None of the metrics follows from the addresses alone: they depend on the machine code as well."
    return (
        f"{sum(row.equal for row in ruled)} of {len(ruled)} metrics that follow from the addresses are equal; "
        "the others depend on the machine code as well."
    )


def read_report(text: str) -> tuple[ProfiledLaunch, ...]:
    """Return the launches of a CSV that ``ncu --csv`` wrote: its raw page (a column a metric) or details page (a line
    each). What other programs printed before the table is skipped."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise WarpviewError('this is not a CSV export of Nsight Compute: no line begins with "ID"')
    rows = list(csv.DictReader(StringIO("\n".join(lines[start:]))))
    if rows and "Metric Name" in rows[0]:
        return _details(rows)
    return _raw(rows)


def read_report_file(path: Path) -> tuple[ProfiledLaunch, ...]:
    """Read the launches of a report file as ``read_report`` does."""
    return read_report(read_text(path, MOST_REPORT_BYTES))


def find_launch(
    launches: Sequence[ProfiledLaunch], kernel: str, grid: tuple[int, ...] = (), block: tuple[int, ...] = ()
) -> ProfiledLaunch:
    """Return the first launch of that kernel, with that grid and block if one has them. Template arguments are
    ignored."""
    wanted = base_name(kernel)
    named = [launch for launch in launches if base_name(launch.kernel) == wanted]
    if not named:
        there = ", ".join(sorted({base_name(launch.kernel) for launch in launches})) or "none"
        raise WarpviewError(f"the report has no launch of {wanted}; it has {there}")
    same = [launch for launch in named if launch.grid == grid and launch.block == block]
    return (same or named)[0]


def compare(launch: ProfiledLaunch, counters: Mapping[str, Value]) -> tuple[NsightComparison, ...]:
    """Return every metric of the report that the simulated run has a counter for, in the order of the counters."""
    return tuple(
        NsightComparison(
            counter,
            counters[counter.key],
            _converted(launch.metrics[counter.nsight], counter.unit),
            _RULE.fullmatch(counter.key) is not None,
        )
        for counter in COUNTERS
        if counter.nsight in launch.metrics and counter.key in counters
    )


def base_name(kernel: str) -> str:
    """Return a kernel's name without return type, template arguments, parameters and namespaces."""
    name = kernel.partition("(")[0].partition("<")[0].strip()
    return name.split()[-1].rpartition("::")[2] if name else ""


def _raw(rows: list[dict[str, str]]) -> tuple[ProfiledLaunch, ...]:
    if not rows:
        return ()
    units, launches = rows[0], rows[1:]
    result = []
    for row in launches:
        metrics = {}
        for name, text in row.items():
            value = _number(text)
            if "__" in name and value is not None:
                metrics[name] = Metric(value, units.get(name) or "")
        result.append(ProfiledLaunch(row["Kernel Name"], _extents(row), _extents(row, "Block Size"), metrics))
    return tuple(result)


def _details(rows: list[dict[str, str]]) -> tuple[ProfiledLaunch, ...]:
    """Return the launches of a details page, whose lines share an ID for each launch."""
    metrics: dict[str, dict[str, Metric]] = {}
    first: dict[str, dict[str, str]] = {}
    for row in rows:
        first.setdefault(row["ID"], row)
        value = _number(row["Metric Value"])
        if value is not None:
            metrics.setdefault(row["ID"], {})[row["Metric Name"]] = Metric(value, row.get("Metric Unit") or "")
    return tuple(
        ProfiledLaunch(row["Kernel Name"], _extents(row), _extents(row, "Block Size"), metrics.get(number, {}))
        for number, row in first.items()
    )


def _extents(row: Mapping[str, str], column: str = "Grid Size") -> tuple[int, ...]:
    """Return "(64, 1, 1)" as numbers; empty where the report does not say."""
    return tuple(int(part) for part in re.findall(r"\d+", row.get(column) or ""))


def _number(text: str | None) -> float | None:
    """Return a number with thousands separators; None for anything else."""
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return None


def _converted(metric: Metric, unit: str) -> float:
    return metric.value * _SCALES.get(unit, {}).get(metric.unit, 1.0)
