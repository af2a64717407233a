"""A run as other profilers show it: the Visual Profiler's table, and a comparison with an export of Nsight Compute."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from warpview.cli.tables import console
from warpview.profile.export import as_number
from warpview.profile.nsight import Comparison, compare, find_launch, read_report_file
from warpview.profile.totals import Totals
from warpview.profile.visual_profiler import VisualProfile, visual_profile
from warpview.run import Run


def print_visual_profile(run: Run) -> None:
    """The counters of one multiprocessor or TPC, extrapolated to the device, and the derived columns."""
    profile = profile_of(run)
    table = Table(header_style="bold", title="as the Visual Profiler counted", title_justify="left")
    for title in ("counter", "of one", "counted", "extrapolated", "meaning"):
        table.add_column(title, justify="right" if title in ("counted", "extrapolated") else "left")
    for reading in profile.readings:
        table.add_row(
            reading.name, reading.scope, str(reading.value), str(reading.extrapolated), reading.meaning
        )  # fmt: skip
    out = console()
    out.print(table)
    for line in throughput_lines(profile):
        out.print(line, highlight=False, soft_wrap=True)


def profile_of(run: Run) -> VisualProfile:
    """The counts of the simulated multiprocessor where there was one, else of the whole grid."""
    totals, counted = run.totals, run.launch.n_blocks
    if run.trace is not None:
        result = run.trace.result
        totals, counted = Totals.of(run.program, result.counts, run.facts), result.blocks_run
    return visual_profile(totals, run.device, run.launch.n_blocks, counted, run.time_us)


def throughput_lines(profile: VisualProfile) -> list[str]:
    """The derived columns in words; empty where the run has no time."""
    rates = profile.throughput
    if rates.hardware_read is None or rates.hardware_write is None or rates.instructions is None:
        return ["no throughput without a time: run with --engine sm"]
    return [
        f"global memory as the hardware sees it: read {rates.hardware_read:.4g}, write {rates.hardware_write:.4g}, "
        f"overall {rates.hardware_read + rates.hardware_write:.4g} GB/s",
        f"as the program sees it: read {rates.program_read:.4g}, write {rates.program_write:.4g}, "
        f"overall {(rates.program_read or 0) + (rates.program_write or 0):.4g} GB/s",
        f"instruction throughput {rates.instructions:.4g}",
    ]


def print_caches(run: Run) -> None:
    """Hits and misses of the traced multiprocessor's accesses."""
    out = console()
    if run.trace is None:
        out.print("no caches without a recorded multiprocessor: run with --engine sm", highlight=False)
        return
    from warpview.trace.caches import cache_report

    report = cache_report(run.trace)
    table = Table(header_style="bold", title="caches, as one multiprocessor meets them cold", title_justify="left")
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
    """Metric by metric, the simulated run beside the launch of its kernel in a report."""
    launch = find_launch(read_report_file(report), run.program.kernel, run.launch.grid, run.launch.block)
    rows = compare(launch, run.counters)
    table = Table(header_style="bold", title=f"beside {report.name}, {launch.kernel}", title_justify="left")
    for title in ("metric", "simulated", "measured", "difference"):
        table.add_column(title, justify="left" if title == "metric" else "right")
    for row in rows:
        table.add_row(row.counter.nsight, as_number(row.simulated), f"{row.measured:.12g}", _difference(row))
    out = console()
    out.print(table)
    ruled = [row for row in rows if row.by_rule]
    out.print(
        f"{sum(row.equal for row in ruled)} of {len(ruled)} metrics that follow from the addresses are equal; "
        "the others depend on the machine code as well.",
        highlight=False,
        soft_wrap=True,
    )


def _difference(row: Comparison) -> str:
    if row.equal:
        return "="
    percent = row.difference_pct
    return "" if percent is None else f"{percent:+.1f} %"
