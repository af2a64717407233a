"""Tell why a launch takes as long as it does: its limit, the costly source lines, and the possible gains.

The launch is estimated by the cycle-level engine as it is, and once more for each inefficiency, with its cost left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview.argument_checks import function_or_none
from warpview.devices.hardware_words import named_on
from warpview.diagnostics import WarpviewError, capitalised
from warpview.isa.ops import Unit
from warpview.isa.program import Instruction, Program, unit_of
from warpview.run.rerun import MOST_BYTES, Rerun
from warpview.run.roofline import KEYS, SECTOR, Operations, RooflinePoint, roofline_point
from warpview.sim.engine import run_profile
from warpview.sim.history.events import Inefficiency, SmOptions, SmResult, Stall
from warpview.sim.launch import Cancelled
from warpview.sim.raw_counts import Raw
from warpview.trace.pipes import is_matrix_product, is_texture_fetch
from warpview.trace.presentation import STALLS

if TYPE_CHECKING:
    from warpview.devices import Device
    from warpview.run.result import Run
    from warpview.sim.launch import Launch
    from warpview.sim.memory import DeviceMemory

NEAR_PEAK = 0.6  # of a resource's time, from which on it is what limits the launch
WORTH_A_LINE = 1.03  # times faster, from which on a gain is told
MOST_LINES = 3
SHUFFLES = "shuffles and votes"
UNIT_NAMES = {  # what limits a launch whose instructions of one unit take most of its time
    Unit.ALU: "the integer pipe", Unit.FMA: "the FP32 pipe", Unit.FP64: "the FP64 pipe", Unit.SFU: "the SFU pipe",
    Unit.WARP: SHUFFLES,
}  # fmt: skip
LAUNCH, IDLE, TAIL = (
    "the launch itself",
    "multiprocessors without a block",
    "the last wave of blocks, which is not full",
)
DRAM, L2, L1 = "DRAM bandwidth", "L2 bandwidth", "the tag and data stages of the L1"
ATOMIC_UNITS, STARTS, NETWORK = "the atomic units", "the rate of block launches", "the SM-to-SM network"
# A busy resource does not limit a launch that would not gain without its cost.
COSTS = {
    DRAM: Inefficiency.BANDWIDTH.value, L2: Inefficiency.BANDWIDTH.value, ATOMIC_UNITS: Inefficiency.ATOMICS.value,
    STARTS: Inefficiency.STARTS.value, NETWORK: Inefficiency.DISTRIBUTED.value,
}  # fmt: skip
PLURAL = ("stages of the L1", "units", "votes")
ESTIMATE = SmOptions(record=False, estimate=True)
LEAST_SHARE = 0.005  # of the time, from which on a line or a resource is told
MOST_WAVES = 8  # after which the last one counts little
WAITING = [stall for stall, words in STALLS.items() if words.limit]


def time_words(time_us: float, error_us: float | None) -> str:
    """Return a time in µs with its sampling error, where only a sample of the blocks was followed."""
    error = " (sampled; too few blocks to tell the error)" if error_us is None else f" ± {error_us:.2g} µs (sampled)"
    return f"{time_us:.4g} µs{'' if error_us == 0 else error}"


def time_basis(program: Program, device: Device) -> str:
    """Return what a time rests on, without a full stop."""
    unrolled = device.unrolls_loops and not program.is_compiled
    return "extrapolated from one multiprocessor" + (", loops timed as unrolled" if unrolled else "")


@dataclass(frozen=True)
class CostlyLine:
    """Name a source line with its part (0 to 1) of the cycles for which warps waited and issued."""

    line: int
    text: str
    share: float


@dataclass(frozen=True)
class Gain:
    """Bound the speedup that a launch has without an inefficiency."""

    inefficiency: str
    speedup: float


@dataclass(frozen=True, repr=False)
class Verdict:
    """Give the reasons for the time of a launch.

    Attributes
    ----------
    time_us : float
        Estimated time of the launch in µs; ``overhead_us`` of them are spent outside its blocks.
    overhead_us : float
    error_us : float or None
        Sampling error of the time, two standard errors; 0 where all blocks were looked at, None where too few were to
        tell.
    limiter : str
        What limits the launch, such as "DRAM bandwidth".
    share : float
        Part (0 to 1) of the time for which the limiter is busy, or for which warps wait because of it.
    is_resource : bool
        Whether the limiter is a resource that has a peak; otherwise warps wait while all resources are idle.
    shares : mapping of str to float
        Part of the time for which each resource is busy.
    lines : tuple of CostlyLine
        The source lines that cost most, at most three.
    gains : tuple of Gain
        Inefficiencies whose removal is worth it, the largest gain first.
    roofline : tuple of RooflinePoint
        Where the launch stands below the roofs of the device: in floating-point operations, and in integer ones.
    basis : str
        What the time rests on.
    active_lanes : float or None
        Lanes of a warp that are active on average; None where no branch diverges.
    """

    time_us: float
    overhead_us: float
    error_us: float | None
    limiter: str
    share: float
    is_resource: bool
    shares: dict[str, float]
    lines: tuple[CostlyLine, ...]
    gains: tuple[Gain, ...]
    roofline: tuple[RooflinePoint, ...] = ()
    basis: str = ""
    active_lanes: float | None = None

    @property
    def sentence(self) -> str:
        """Return the limiter and how near it is to its peak, as a sentence."""
        part = f"{100 * self.share:.0f} %"
        if self.limiter == LAUNCH:
            return f"The launch itself takes {part} of the time: the kernel is too short for other limits."
        if self.limiter == IDLE:
            return f"{part} of the multiprocessors have no block: the grid is too small for the device."
        if self.limiter == TAIL:
            return (
                f"The last wave of blocks is not full and costs {part} of the time: the grid does not fit the device."
            )
        if self.is_resource:
            limits = "limit" if self.limiter.endswith(PLURAL) else "limits"
            return f"{capitalised(self.limiter)} {limits} the launch: {part} of the peak."
        return f"Warps wait for {self.limiter}: {part} of their cycles. No resource is near its peak."

    @property
    def time_sentence(self) -> str:
        """Return the estimated time, and what it rests on, as a sentence."""
        launch = f", of which {self.overhead_us:.1f} µs are launch overhead" if self.overhead_us else ""
        basis = f" ({self.basis})" if self.basis else ""
        return f"Estimated time: {time_words(self.time_us, self.error_us)}{launch}{basis}."

    def __repr__(self) -> str:
        return f"<Verdict: {self.sentence}>"

    def _repr_html_(self) -> str:
        return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in self.text().splitlines())}</ul>"

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Return the whole verdict, a line for each statement."""
        rows = [self.sentence, self.time_sentence]
        rows += [point.sentence for point in self.roofline]
        rows += [f"Line {line.line} costs {100 * line.share:.0f} %: {line.text}" for line in self.lines]
        if self.active_lanes is not None:
            rows.append(f"{self.active_lanes:.1f} of 32 lanes are active on average, as branches diverge.")
        rows += [f"Without {gain.inefficiency}: at most {gain.speedup:.2f} times faster." for gain in self.gains]
        return "\n".join(rows)


def verdict(run: Run, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Return why a launch takes as long as it does; see ``Run.verdict``."""
    function_or_none(progress, "progress")
    rerun = run.rerun
    if rerun is None:
        raise WarpviewError(
            f"a launch is executed again to find what limits it, for which it must have buffers of at most "
            f"{MOST_BYTES >> 20} MiB, and its memory must have been kept"
        )
    program, launch = rerun.launches[-1]
    tell = progress or (lambda done, total: True)
    estimates = _Estimates(rerun)
    _go_on(tell, 0)
    result = estimates.of(ESTIMATE)
    shares = dict(_shares(program, run.device, result))
    tail = _without_tail(estimates, launch, result)
    gains = {gain.inefficiency: gain.speedup for gain in _gains(estimates, result, run, tail, tell)}
    limiter, share, is_resource = _limiter(run.device, launch, result, shares, gains)
    return Verdict(
        result.time_us, run.device.launch_overhead_us, result.time_error_us, limiter, share, is_resource, shares,
        _costly_lines(program, run.device, result), _worthwhile(gains, run.device),
        tuple(_roofline(program, run.device, result, launch.n_blocks)), time_basis(program, run.device),
        _active_lanes(run),
    )  # fmt: skip


def _active_lanes(run: Run) -> float | None:
    """Return how many lanes of a warp are active on average; None where no branch diverges."""
    lanes = run.counters["active_lanes_average"]
    return float(lanes) if lanes is not None and run.counters["divergent_branches"] else None


def _memory_before(rerun: Rerun) -> DeviceMemory:
    """Return global memory before the last launch."""
    memory = rerun.memory.copy()
    options = replace(rerun.options, check=False, progress=None, too_long=None)
    for program, launch in rerun.launches[:-1]:
        memory = run_profile(program, rerun.device, launch, memory, options).memory
    return memory


class _Estimates:
    """Estimate the last launch of a series again and again; what they share is looked at once."""

    def __init__(self, rerun: Rerun) -> None:
        from warpview.sim.estimate.grid_sample import GridSample

        program, launch = rerun.launches[-1]
        # An estimate takes a sample of its own, of whole waves of blocks.
        self._options = replace(rerun.options, check=False, progress=None, too_long=None, sample=1.0)
        self._memory, self.device = _memory_before(rerun), rerun.device
        self._given = (program, self.device, launch)
        self._grid = GridSample(*self._given, self._memory, self._options)

    def of(self, sm: SmOptions) -> SmResult:
        from warpview.sim.engine_sm import run_sm

        return run_sm(*self._given, self._memory.copy(), self._options, sm, self._grid).result


def _without_tail(estimates: _Estimates, launch: Launch, result: SmResult) -> Gain:
    """Return what the launch would gain if all multiprocessors had as much to do: the time of the full waves of blocks,
    simulated without the last one, in proportion."""
    device = estimates.device
    mean, resident = launch.n_blocks / device.multiprocessors, result.resident_blocks
    full = math.floor(mean) // resident * resident
    if not 0 < full < mean <= MOST_WAVES * resident:
        return Gain(TAIL, 1.0)
    waves = estimates.of(replace(ESTIMATE, block_limit=full))
    time_us = device.launch_overhead_us + waves.cycles * mean / waves.blocks_run / device.clock_mhz
    return Gain(TAIL, max(1.0, result.time_us / time_us))


def _shares(program: Program, device: Device, result: SmResult) -> Iterator[tuple[str, float]]:
    """Yield the part of the time for which each resource is busy."""
    cycles = max(1, result.cycles)
    slots = cycles * device.schedulers
    yield DRAM, result.busy.dram / cycles
    if device.l2 is not None:
        yield L2, result.busy.l2 / cycles
    yield named_on(device, L1), result.busy.l1 / cycles
    yield "shared memory", result.busy.shared / cycles
    yield ATOMIC_UNITS, result.busy.atomics / cycles
    if result.busy.distributed:
        yield NETWORK, result.busy.distributed / cycles
    executed = _executed(result)
    yield "issue", int(executed.sum()) * device.issue_port_cycles / slots / device.dispatch_per_scheduler
    busy: Counter[str] = Counter()  # cycles of each pipe
    for count, instruction in zip(executed.tolist(), program.instructions, strict=True):
        busy[_pipe_name(instruction)] += count * device.issue_cycles[unit_of(instruction)]
    yield from ((name, spent / slots) for name, spent in busy.items() if name and spent)
    interval = device.block_launch_cycles * device.multiprocessors
    if interval:
        yield STARTS, result.blocks_run * interval / cycles


def _pipe_name(instruction: Instruction) -> str:
    """Return what an instruction counts for among the limits of a launch; '' where that is counted otherwise."""
    if is_matrix_product(instruction):
        return "the tensor pipe"
    return "the texture pipe" if is_texture_fetch(instruction) else UNIT_NAMES.get(unit_of(instruction), "")


def _executed(result: SmResult) -> NDArray[np.int64]:
    """Return int64[n_instructions]: the issues that took time."""
    executed: NDArray[np.int64] = result.counts[:, Raw.EXECUTED] - result.free_issues
    return executed


def _roofline(program: Program, device: Device, result: SmResult, n_blocks: int) -> Iterator[RooflinePoint]:
    """Yield the place of the estimated launch by each reading that has operations."""
    share = n_blocks / max(1, result.blocks_run)
    done = result.counts[:, Raw.LANES_ON] @ program.work * share
    counters: dict[str, float] = {key: float(done[kind]) for kind, key in KEYS.items()}
    counters |= {
        "time_us": result.time_us, "dram_bytes": SECTOR * result.dram_sectors * share,
        "l2_bytes": SECTOR * result.traffic.l2_sectors * share,
    }  # fmt: skip
    places = (roofline_point(device, counters, reading) for reading in Operations)
    yield from (place for place in places if place is not None)


def _limiter(
    device: Device, launch: Launch, result: SmResult, shares: dict[str, float], gains: dict[str, float]
) -> tuple[str, float, bool]:
    """Return what limits a launch, to what part of its peak, and whether it has one."""
    if device.launch_overhead_us > result.time_us / 2:
        return LAUNCH, device.launch_overhead_us / result.time_us, True
    if gains[TAIL] >= 1 / NEAR_PEAK:
        return TAIL, 1 - 1 / gains[TAIL], False
    limiting = [name for name in shares if name not in COSTS or _is_worth(gains[COSTS[name]])]
    busiest = max(limiting, key=lambda name: shares[name])
    if shares[busiest] >= NEAR_PEAK:
        return busiest, min(1.0, shares[busiest]), True
    if launch.n_blocks < device.multiprocessors:
        return IDLE, 1 - launch.n_blocks / device.multiprocessors, False
    stalls = result.stalls.sum(axis=0)
    reason = max(WAITING, key=lambda stall: int(stalls[stall]))
    return STALLS[reason].limit, float(stalls[reason]) / max(1, result.resident_warp_cycles), False


def _costly_lines(program: Program, device: Device, result: SmResult) -> tuple[CostlyLine, ...]:
    """Return the lines that cost most: the cycles for which warps wait at them, and of those for which warps wait for
    other warps a part like that of the issue slots which the line takes."""
    taken = _executed(result) * np.array([device.issue_cycles[unit_of(i)] for i in program.instructions])
    contended = result.stalls[:, [Stall.NOT_SELECTED, Stall.MATH_PIPE_THROTTLE]].sum()
    cost = result.waited + contended * taken / max(1, taken.sum())
    cycles: dict[int, float] = {}
    for instruction, one in zip(program.instructions, cost, strict=True):
        cycles[instruction.span.line] = cycles.get(instruction.span.line, 0.0) + float(one)
    most = sorted(cycles, key=lambda line: -cycles[line])[:MOST_LINES]
    shares = {line: cycles[line] / max(1.0, float(cost.sum())) for line in most}
    return tuple(
        CostlyLine(line, program.source.line(line).strip(), share)
        for line, share in shares.items()
        if share >= LEAST_SHARE
    )


def _go_on(progress: Callable[[int, int], object], done: int) -> None:
    """Tell how many of the estimates are done. Raises Cancelled where no more are wanted."""
    if progress(done, 1 + len(Inefficiency)) is False:
        raise Cancelled


def _gains(
    estimates: _Estimates, result: SmResult, run: Run, tail: Gain, progress: Callable[[int, int], object]
) -> Iterator[Gain]:
    """Yield what the launch would gain without each inefficiency; that of a network which it does not use costs it
    nothing."""
    time_us = result.time_us
    yield tail
    for number, inefficiency in enumerate(Inefficiency, start=1):
        _go_on(progress, number)
        if inefficiency is Inefficiency.DISTRIBUTED and not result.busy.distributed:
            continue
        without = replace(ESTIMATE, without=frozenset({inefficiency}))
        yield Gain(inefficiency.value, time_us / estimates.of(without).time_us)
    for words, limit, sm in (
        ("registers set", run.occupancy.limit_registers, replace(ESTIMATE, registers_per_thread=1)),
        ("shared memory sets", run.occupancy.limit_shared, replace(ESTIMATE, shared_bytes=0)),
    ):
        if limit < run.occupancy.limit_warps:
            yield Gain(f"the limit that {words} to occupancy", time_us / estimates.of(sm).time_us)


def _is_worth(speedup: float) -> bool:
    return speedup >= WORTH_A_LINE


def _worthwhile(gains: dict[str, float], device: Device) -> tuple[Gain, ...]:
    """Return what is worth to be removed, the largest gain first."""
    found = [Gain(named_on(device, name), speedup) for name, speedup in gains.items() if _is_worth(speedup)]
    return tuple(sorted(found, key=lambda gain: -gain.speedup))
