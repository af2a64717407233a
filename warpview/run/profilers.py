"""Show a run as other profilers show it."""

from __future__ import annotations

from pathlib import Path

from warpview.profile.nsight import NsightComparison, compare, find_launch, read_report_file
from warpview.profile.totals import Totals
from warpview.profile.visual_profiler import VisualProfile, visual_profile
from warpview.run.result import Run


def visual_profile_of(run: Run) -> VisualProfile:
    """Return the Visual Profiler's view: from the counts of the simulated multiprocessor where there was one, else
    from those of the whole grid. Raises WarpviewError for devices after CC 3.x."""
    totals, counted = run.totals, run.launch.n_blocks
    if run.trace is not None:
        result = run.trace.result
        totals, counted = Totals.of(run.program, result.counts, run.facts), result.blocks_run
    return visual_profile(totals, run.device, run.launch.n_blocks, counted, run.time_us)


def nsight_comparison(run: Run, report: Path) -> tuple[str, tuple[NsightComparison, ...]]:
    """Return the name of the run's kernel in a CSV export of Nsight Compute, and its metrics beside the simulated ones.

    Raises WarpviewError where the file is no such export or has no launch of the kernel.
    """
    launch = find_launch(read_report_file(report), run.program.kernel, run.launch.grid, run.launch.block)
    return launch.kernel, compare(launch, run.counters)
