"""Represent the result of a launch, an immutable ``Run``, and a ``Series`` of launches over the same buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device, Occupancy
from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.profile.counter import no_counter
from warpview.profile.counters import Value, counter_values
from warpview.profile.export import ExportRow
from warpview.profile.instruction_traits import InstructionTraits
from warpview.profile.totals import Selector, Totals
from warpview.run.notebook import run_page, series_page
from warpview.run.replay import SEEDS, Replay, replay
from warpview.run.rerun import Rerun
from warpview.run.roofline import Operations, RooflinePoint, roofline_point
from warpview.run.verdict import Verdict, time_words, verdict
from warpview.run.writers import Index, Writer, who_wrote
from warpview.sim.checks.findings import WRONG_RESULTS, Finding
from warpview.sim.launch import Launch
from warpview.sim.memory import Allocation
from warpview.sim.raw_counts import Raw

if TYPE_CHECKING:
    from warpview.trace import Trace


def percent(share: float) -> str:
    """Return a share as a percentage without its sign."""
    return f"{100 * share:.3g}"


class Sampled(Protocol):
    """A sampled run executed a share of the blocks."""

    @property
    def sample(self) -> float: ...
    @property
    def time_us(self) -> float | None: ...
    @property
    def time_error_us(self) -> float | None: ...


def sample_words(run: Sampled) -> str:
    """Return what stands beside the counters of a run of whose blocks only a share was executed."""
    words = f"a sample of {percent(run.sample)} % of the blocks: counters are estimates, results incomplete"
    return words if run.time_us is None else f"{words}; time {time_words(run.time_us, run.time_error_us)}"


class _Counters(dict[str, Value]):
    """Suggest a counter for a key that is none."""

    def __missing__(self, key: str) -> Value:
        raise KeyError(no_counter(str(key), self))


@dataclass(frozen=True)
class SeriesPosition:
    """A run picked from a series is launch ``index`` (from 0) of ``count``; ``counters`` are those of all."""

    index: int
    count: int
    counters: Mapping[str, Value]


@dataclass(frozen=True, repr=False)
class Run:
    """A run holds the results of one launch. It is immutable: counters, buffers and frames can be read in any order,
    from any thread."""

    program: Program
    device: Device
    launch: Launch
    engine: str
    occupancy: Occupancy
    registers_per_thread: int
    counts: NDArray[np.int64]
    """raw counts over the whole grid, int64[n_instructions, N_RAW]; see sim/raw_counts.py"""
    findings: tuple[Finding, ...]
    aborted: bool
    """the launch was ended early: its findings say why"""
    output: tuple[str, ...]
    """what printf printed, one entry for each call of each thread; a launch keeps the first 4,096"""
    buffers: Mapping[str, NDArray[np.generic]]
    """the arrays after the launch, by parameter name: copies, with shape and type as they were passed"""
    shapes: Mapping[str, tuple[int, ...]]
    """of the arrays, by parameter name"""
    allocations: tuple[Allocation, ...]
    """where each buffer lies in global memory"""
    facts: Mapping[str, float] = field(default_factory=dict)
    """numbers of the launch that no instruction owns: occupancy, cycles, time"""
    trace: Trace | None = None
    """the recorded history of one multiprocessor; None for the engine "profile" """
    rerun: Rerun | None = None
    """what is needed to execute the launch again; None where its buffers are too large to keep"""
    sample: float = 1.0
    """share of the blocks that were executed: below 1 the counters are estimates and the buffers incomplete"""
    part: SeriesPosition | None = None
    """of a launch that was picked from several (``Series.part``): where it stands among them"""

    def __repr__(self) -> str:
        count = len(self.findings)
        told = f"{count} finding{'s' if count != 1 else ''}"
        grid, block = ("x".join(map(str, size)) for size in (self.launch.grid, self.launch.block))
        return f"<Run of {self.program.kernel}, {grid} blocks of {block} on {self.device.name}, {told}>"

    def _repr_html_(self) -> str:
        return run_page(self)

    @cached_property
    def counters(self) -> Mapping[str, Value]:
        """Return every counter that the device has, by key; None where it is not known."""
        return MappingProxyType(_Counters(counter_values(self.totals, self.device)))

    @cached_property
    def totals(self) -> Totals:
        """Return the counts that the counters are computed from."""
        return Totals.of(self.program, self.counts, self.facts)

    @property
    def mismatch(self) -> str | None:
        """Return where a result differs from the expected one, in words; None where nothing differs."""
        wrong = (finding.message for finding in self.findings if finding.kind in WRONG_RESULTS)
        return next(wrong, None)

    def who_wrote(self, name: str, index: Index) -> Writer | None:
        """Return the store or atomic that wrote an element of an array last; None where no thread wrote it.

        ``name`` is a pointer parameter of the launch, ``index`` that of the element, flat or one for each dimension.
        The launches of the series are executed again with a watch on the element. With the engine "sm" the writer's
        step is told, too. Raises WarpviewError where there is no such element, or the buffers were too large to keep.
        """
        return who_wrote(self, name, index)

    def replay(self, seeds: int = SEEDS) -> Replay | None:
        """Execute a launch that has races in an order in which it ends with another result.

        Each racing pair is tried the other way round, then the last warps first, then ``seeds`` random orders. Returns
        None where the result stays the same, or the launch has no races. Raises WarpviewError where the buffers were
        too large to keep.
        """
        return replay(self, seeds)

    def verdict(self, progress: Callable[[int, int], object] | None = None) -> Verdict:
        """Tell what limits the launch, which source lines cost most, and what could be gained.

        The launch is estimated by the cycle-level engine, once more without each inefficiency. ``progress`` is called
        with the estimates done and all of them; where it returns False, Cancelled is raised. Raises WarpviewError where
        the buffers were too large to keep.
        """
        return verdict(self, progress)

    def roofline(self, reading: Operations = Operations.FLOATING) -> RooflinePoint | None:
        """Return where the launch stands below the roofs of its device.

        ``reading`` chooses floating-point or integer operations. Returns None without operations of that reading, or
        without a time (engine "profile").
        """
        return roofline_point(self.device, self.counters, reading)

    @property
    def output_dropped(self) -> int:
        """Return the number of printf calls whose text was not kept in ``output``."""
        return self.totals.sum(Raw.LANES_ON, Selector(frozenset({Op.PRINTF}))) - len(self.output)

    @property
    def row(self) -> ExportRow:
        """Return the run as one row of an exported file."""
        launch: dict[str, str | int] = {
            "kernel": self.program.kernel,
            "code": "nvidia" if self.program.is_compiled else "written",
            "device": self.device.key,
            "compute_capability": self.device.version,
            "engine": self.engine,
            "grid": "x".join(map(str, self.launch.grid)),
            "block": "x".join(map(str, self.launch.block)),
            "dynamic_shared_bytes": self.launch.dynamic_shared_bytes,
            "sample_pct": percent(self.sample),
        }
        return ExportRow(launch, self.counters)

    @property
    def time_us(self) -> float | None:
        """Return the duration in µs on the whole device; None where the engine has no clock."""
        return self.facts.get("time_us")

    @property
    def time_error_us(self) -> float | None:
        """Return the sampling error of the time in µs, two standard errors: 0 where all blocks of the multiprocessor
        were followed, None where too few were to tell."""
        return self.trace.result.time_error_us if self.trace is not None else 0.0


# Facts of a launch that add up over several of them; the others hold for each launch alone.
_ADDITIVE = ("blocks_launched", "warps_launched", "cycles", "time_us", "dram_bytes", "l2_bytes")


@dataclass(frozen=True)
class Series:
    """A series holds several launches over the same buffers, with counters of each and in total."""

    launches: tuple[Run, ...]

    def _repr_html_(self) -> str:
        return series_page(self)

    @cached_property
    def counters(self) -> Mapping[str, Value]:
        """Return the counters of all launches together; a ratio is that of the sums."""
        if len(self.launches) == 1:
            return self.launches[0].counters
        parts = [run.totals for run in self.launches]
        facts = {key: sum(part.facts[key] for part in parts) for key in _ADDITIVE if all(key in p.facts for p in parts)}
        traits = InstructionTraits.joined(part.traits for part in parts)
        together = Totals(np.concatenate([part.counts for part in parts]), traits, facts)
        return MappingProxyType(counter_values(together, self.launches[0].device))

    def part(self, index: int) -> Run:
        """Return launch ``index`` with its position in the series."""
        return replace(self.launches[index], part=SeriesPosition(index, len(self.launches), self.counters))

    @property
    def buffers(self) -> Mapping[str, NDArray[np.generic]]:
        """Return the arrays after the last launch, by parameter name; a name of several launches is the last one's."""
        merged: dict[str, NDArray[np.generic]] = {}
        for run in self.launches:
            merged |= run.buffers
        return MappingProxyType(merged)

    @property
    def sample(self) -> float:
        """Return the smallest share of a launch's blocks that was executed."""
        return min(run.sample for run in self.launches)

    @property
    def row(self) -> ExportRow:
        """Return all launches as one row: the first one's kernel and shape, the counters of all."""
        return ExportRow({**self.launches[0].row.launch, "sample_pct": percent(self.sample)}, self.counters)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for run in self.launches for finding in run.findings)

    @property
    def mismatch(self) -> str | None:
        """Return where a result differs from the expected one, in words; None where nothing differs."""
        return self.launches[-1].mismatch

    def who_wrote(self, name: str, index: Index) -> Writer | None:
        """Return the last writer of an element, of all launches; see ``Run.who_wrote``."""
        return self.launches[-1].who_wrote(name, index)

    @property
    def time_us(self) -> float | None:
        times = [run.time_us for run in self.launches]
        return None if None in times else sum(time for time in times if time is not None)

    @property
    def time_error_us(self) -> float | None:
        """Return the sum of the sampling errors of the times in µs; None where one is not known."""
        errors = [run.time_error_us for run in self.launches]
        return None if None in errors else sum(error for error in errors if error is not None)


def noted(series: Series, words: str) -> Series:
    """Return a series whose findings say in addition what was assumed of the launch."""

    def with_words(run: Run) -> Run:
        found = (replace(finding, message=f"{finding.message} ({words})") for finding in run.findings)
        return replace(run, findings=tuple(found))

    return Series(tuple(with_words(run) for run in series.launches))
