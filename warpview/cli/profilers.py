"""Print a run as the Visual Profiler did, and beside an export of Nsight Compute."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from warpview.cli.tables import console
from warpview.profile.export import as_number
from warpview.profile.nsight import agreement
from warpview.profile.visual_profiler import READING_COLUMNS
from warpview.run import Run
from warpview.run.profilers import nsight_comparison, visual_profile_of


def print_visual_profile(run: Run) -> None:
    """Print the counters of one multiprocessor or TPC, extrapolated to the device, and the derived columns."""
    profile = visual_profile_of(run)
    table = Table(header_style="bold", title="as the Visual Profiler counts it", title_justify="left")
    for title in READING_COLUMNS:
        table.add_column(title, justify="right" if title in ("counted", "extrapolated") else "left")
    for reading in profile.readings:
        table.add_row(
            reading.name, reading.scope, str(reading.value), str(reading.extrapolated), reading.meaning
        )  # fmt: skip
    out = console()
    out.print(table)
    for line in profile.throughput.lines:
        out.print(line, highlight=False, soft_wrap=True)


def print_caches(run: Run) -> None:
    """Print the cache hits and misses of the traced multiprocessor's accesses."""
    out = console()
    if run.trace is None:
        out.print("no caches without a recorded multiprocessor: run with --engine sm", highlight=False)
        return
    from warpview.trace.cache_report import cache_report

    report = cache_report(run.trace)
    table = Table(header_style="bold", title="caches of one multiprocessor, cold at the start", title_justify="left")
    for title in ("cache", "hits", "misses", "hit rate", "evictions"):
        table.add_column(title, justify="left" if title == "cache" else "right")
    for name, counts in report.levels.items():
        rate = "" if counts.hit_rate is None else f"{100 * counts.hit_rate:.1f} %"
        table.add_row(name, str(counts.hits), str(counts.misses), rate, str(counts.evictions))
    if report.levels:
        out.print(table)
    part = "" if report.complete else f" (of the first {report.accesses} accesses)"
    out.print(
        f"from DRAM {32 * report.dram_sectors_read} bytes, to DRAM {32 * report.dram_sectors_written} bytes{part}",
        highlight=False,
        soft_wrap=True,
    )


def print_nsight_comparison(run: Run, report: Path) -> None:
    """Print each metric of the simulated run beside that of the same kernel in a report."""
    kernel, rows = nsight_comparison(run, report)
    table = Table(header_style="bold", title=f"beside {report.name}, {kernel}", title_justify="left")
    for title in ("metric", "simulated", "measured", "difference"):
        table.add_column(title, justify="left" if title == "metric" else "right")
    for row in rows:
        table.add_row(row.counter.nsight, as_number(row.simulated), f"{row.measured:.12g}", row.difference)
    out = console()
    out.print(table)
    out.print(agreement(rows), highlight=False, soft_wrap=True)
