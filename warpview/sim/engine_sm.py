"""Simulate one multiprocessor cycle by cycle with its history, then the rest of the grid as the profile engine does.

Beside ``engine.py`` and ``contention_sampler.py`` this is the only door to the jitted code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device, block_shared
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.sim.checks.race_marks import mark_races
from warpview.sim.engine import merge_findings, printed_rows, run_profile
from warpview.sim.estimate.block_sample import BlockSample
from warpview.sim.estimate.grid_barriers import with_word
from warpview.sim.estimate.grid_sample import GridSample
from warpview.sim.estimate.other_blocks import (
    ENOUGH_EXECUTED,
    STEP,
    OtherBlocks,
    PacedBlocks,
    depends_on_others,
    other_blocks,
)
from warpview.sim.history.events import EVENT_BYTES, Events, MemoryBusy, MemoryTraffic, SmOptions, SmResult, Stall
from warpview.sim.history.keyframes import LAST_INTERVAL, HistoryCost, Keyframe, KeyframeHistory, MemoryChanges
from warpview.sim.history.replay import JitReplay, SmState
from warpview.sim.history.snapshot import CountTrack
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.sm_machine import WORDS_AN_EVENT, CacheRecords, Partners, SmRecords
from warpview.sim.jit.sm_state import NOT_RUNNABLE, SmStatus
from warpview.sim.launch import (
    PRINTED_KEPT,
    RACE_KINDS,
    Cancelled,
    Launch,
    Options,
    Outcome,
    RawFinding,
    waits_for_blocks,
)
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw
from warpview.sim.resident_blocks import blocks_followed, resident_blocks, shared_of_block
from warpview.sim.timing.contention import sampling_options
from warpview.sim.timing.ideal_timing import without
from warpview.sim.timing.l2_share import shares_of, stores_held
from warpview.sim.timing.model import FRACTION, NEVER, Timing, extrapolated_time, timing_of

Progress = Callable[[int, int], bool]
# Of a launch, in times of one execution by the profile engine: the executions of all blocks, and what those of one
# multiprocessor take cycle by cycle.
PASSES, CYCLES_COST = 2, 10
UNRECORDED_CHUNK = 1 << 17  # instructions between two looks at the progress callback
CHUNK = 1 << 11  # the same where other blocks are executed, too
# What one step can take at most: its event, and 32 lanes that each change 16 bytes of global memory.
LARGEST_STEP = EVENT_BYTES + 8 + 3 * 4 * WORDS_AN_EVENT


def warm_up(progress: Callable[[int, int], object] | None = None) -> None:
    """Compile both engines, or load them from the cache; ``progress(done, total)`` on the way."""
    machine_code.load(progress)


@dataclass(frozen=True)
class SmRun:
    """Hold the result of ``run_sm``; ``events`` is empty where nothing was recorded. ``track`` are the counts at
    keyframes."""

    outcome: Outcome
    result: SmResult
    events: Events
    replay: JitReplay
    track: CountTrack


def run_sm(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options | None = None,
    sm: SmOptions | None = None,
    grid: GridSample | None = None,
) -> SmRun:
    """Run the whole grid. The blocks of multiprocessor ``m`` are ``m``, ``m + multiprocessors``, ...: they are run
    cycle by cycle, and all others afterwards, so that what depends on the order of blocks may differ from a real
    device's, as it may between two runs there. ``memory`` is changed in place. ``grid`` is shared by several estimates
    of one launch."""
    options, sm = options or Options(), sm or SmOptions()
    warm_up(None if options.progress is None else _cancelling(options.progress))
    races, share = ([], 1.0) if sm.estimate else _races(program, device, launch, memory, options)
    if share < 1:
        options = replace(options, sample=share, too_long=None)
    grid = grid or GridSample(program, device, launch, memory, options)
    if sm.estimate and program.has_grid_barrier:
        return _with_written_barriers(device, memory, options, sm, grid)
    resident = resident_blocks(program, device, launch, sm)
    followed = blocks_followed(program, device, launch, sm, resident, grid.slowest)
    own = followed.blocks
    if options.sample < 1 and not waits_for_blocks(program, launch):
        own = own[: max(resident, round(options.sample * len(own)))]
    sample = BlockSample(own, resident) if sm.estimate else None
    own = own if sample is None else sample.blocks
    if not len(own):
        raise LaunchError(f"multiprocessor {sm.multiprocessor} of {device.name} gets no block of this launch")
    contention = grid.contention(resident)
    timing = without(timing_of(program, device, contention, launch.n_blocks, followed.n_busy), sm.without)
    if sm.estimate and launch.cluster_blocks > 2:
        timing = timing._replace(block_start=timing.block_start + device.cluster_start_cycles)
    recorder = _Recorder(program, device, launch, memory, options, sm, own, resident, timing, sample, followed.n_busy)
    outcome, counts = _outcome(recorder, program, device, launch, memory, options, sm, own)
    outcome = replace(outcome, findings=[*races, *outcome.findings])
    result = recorder.result(device, counts, resident, followed.n_own)
    one_less = followed.one_less if followed.n_own == result.blocks_run else 0.0
    result = replace(result, partition_camping=contention.mean_camping, one_less=one_less)
    events = recorder.events()
    mark_races(events, races)
    return SmRun(outcome, result, events, recorder.replay(), recorder.track())


def _outcome(
    recorder: _Recorder, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options,
    sm: SmOptions, own: NDArray[np.int64],
) -> tuple[Outcome, NDArray[np.int64]]:  # fmt: skip
    """Run the followed blocks, and behind them all others but for an estimate; return what came out of them, and the
    counts of the followed ones."""
    aborted = recorder.run()
    if aborted and sm.estimate and launch.cluster_blocks > 1:
        raise LaunchError(
            f"a cluster of {program.kernel} does not come to its end without the others: there is no estimate of its "
            "time"
        )
    counts, outcome = recorder.machine.counts.copy(), recorder.outcome(aborted)
    others = np.delete(np.arange(launch.n_blocks, dtype=np.int64), own)
    if len(others) and not aborted and not sm.estimate:
        later = replace(options, races=False, progress=_after(options.progress, len(own), launch.n_blocks))
        rest = run_profile(program, device, launch, memory, later, others)
        executed = len(own) + rest.sample * len(others)
        outcome = replace(_joined(outcome, rest), sample=executed / launch.n_blocks)
    return outcome, counts


def _with_written_barriers(
    device: Device, memory: DeviceMemory, options: Options, sm: SmOptions, grid: GridSample
) -> SmRun:
    """Run a launch whose barriers of the whole grid are written out (grid_barriers.py), and return what came out as of
    the program itself."""
    (parts, sample), extended = grid.written_out, with_word(memory)
    run = run_sm(parts.program, device, parts.launch, extended, options, sm, sample)
    memory.data[:] = extended.data[: len(memory.data)]
    result = replace(
        run.result,
        counts=parts.of_original(run.result.counts),
        waited=parts.of_original(run.result.waited),
        free_issues=parts.of_original(run.result.free_issues),
    )
    outcome = replace(run.outcome, counts=parts.of_original(run.outcome.counts), memory=memory)
    return replace(run, outcome=outcome, result=result)


def _races(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
) -> tuple[list[RawFinding], float]:
    """Return the races of the launch and the share of its blocks to execute. They do not depend on the order of
    execution: the profile engine finds them."""
    if not options.check or not options.races:
        return [], options.sample
    ask, cost = options.too_long, PASSES + CYCLES_COST / device.multiprocessors
    first = replace(
        options, progress=_waiting(options.progress),
        too_long=None if ask is None else lambda seconds: ask(seconds * cost),
    )  # fmt: skip
    outcome = run_profile(program, device, launch, memory.copy(), first)
    return [finding for finding in outcome.findings if finding.kind in RACE_KINDS], outcome.sample


def _waiting(progress: Progress | None) -> Progress | None:
    """Return the progress callback for what precedes the first block."""
    return None if progress is None else lambda _, total: progress(0, total)


def _cancelling(progress: Progress) -> Callable[[int, int], None]:
    """Return the progress callback for work that only an exception stops."""

    def report(done: int, total: int) -> None:
        if not progress(done, total):
            raise Cancelled

    return report


def _after(progress: Progress | None, done: int, total: int) -> Progress | None:
    """Return the progress callback for what follows ``done`` blocks."""
    return None if progress is None else lambda more, _: progress(done + more, total)


def _joined(first: Outcome, second: Outcome) -> Outcome:
    """Return the outcome of a launch in two parts."""
    printed = (first.printed + second.printed)[:PRINTED_KEPT]
    findings = merge_findings([*first.findings, *second.findings])
    return Outcome(first.counts + second.counts, findings, second.memory, second.aborted, printed)


class _Recorder:
    """Run a multiprocessor and keep its recorded events."""

    def __init__(self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options,
                 sm: SmOptions, own: NDArray[np.int64], resident: int, timing: Timing,
                 sample: BlockSample | None, n_busy: int) -> None:  # fmt: skip
        self._launch, self._options, self._blocks = launch, options, own
        self._memory, self._device, self._sample, self._resident = memory, device, sample, resident
        self._others: OtherBlocks | PacedBlocks | None = None
        size = 1 if sample is None else launch.cluster_blocks
        if sample is not None and size == 1 and depends_on_others(program):
            context = LaunchContext.of(program, device, launch, memory, sampling_options(options))
            self._others = other_blocks(context, own, resident * device.multiprocessors, timing)
        self._recording = sm.record and len(memory.data) <= sm.history_bytes
        self._limit = sm.history_limit if self._recording else 0
        slots = min(resident, len(own))
        self.machine = Machine(LaunchContext.of(program, device, launch, memory, options), slots * size)
        partners = Partners(self.machine, own) if size > 1 else None
        self.machine.record["looks"] = self._others is None  # else what a warp waits for may still be to come
        self.machine.record["l1_timed"] = device.l1_pass_cycles > 0
        self.machine.record["set_window"] = device.shared_set_cycles
        self.machine.record["times_bulk"] = device.bulk_cycles > 0
        part = 1.0 if sample is None else sample.part
        shared = resident * block_shared(device, shared_of_block(program, launch, sm))
        self.records = SmRecords(
            program, timing, self.machine.address, self.machine.warp_addresses[: slots * launch.warps], launch.warps,
            own,
            self._limit + 2 if self._limit else 0, LAST_INTERVAL,
            CacheRecords(
                device, options.cache_global_in_l1, shared, program.local_bytes,
                shares_of(device, memory, n_busy, part), stores_held(device, n_busy, part),
            ),
            partners,
        )  # fmt: skip
        self._chunk = UNRECORDED_CHUNK if self._others is None and partners is None else CHUNK
        self._state = SmState(self.machine, self.records)
        counts, state = int(self.machine.counts.nbytes), self._state.nbytes
        # The state that is at hand is there once more beside those of the keyframes.
        left, cost = sm.history_bytes - len(memory.data) - state, HistoryCost(EVENT_BYTES, counts, LARGEST_STEP)
        self._keyframes = KeyframeHistory(left, state, cost)
        # Global memory as of the last event recorded; afterwards it belongs to the replay.
        self._mirror = memory.data.copy() if self._recording else np.zeros(0, dtype=np.uint8)
        self.records.sm["mirror_at"] = self._mirror.ctypes.data
        self.records.sm["recording"] = int(self._limit > 0)

    # ------------------------------------------------------------------------------------ the run

    def run(self) -> bool:
        """Run the blocks; True if the launch was aborted."""
        sm, advance = self.records.sm, machine_code.entry("sm_advance")
        machine_code.entry("sm_start")(self.records.address)
        if not self._limit or not self._keyframes.room():  # nothing is recorded but the start
            self._keyframes.append(Keyframe(0, self._state.copy()), self._changes(0))
        status = SmStatus.MORE
        while status == SmStatus.MORE:
            if sm["recording"][0]:
                status = self._record_until_keyframe(advance)
            else:
                self._run_others()
                status = SmStatus(advance(self.records.address, self._chunk))
                self._reduce_sample()
            self._report()
        return status == SmStatus.ABORTED

    def _record_until_keyframe(self, advance: object) -> SmStatus:
        sm, first = self.records.sm, int(self.records.sm["n_events"][0])
        steps = min(self._keyframes.room(), self._limit - first)
        if steps <= 0:
            sm["recording"] = 0
            return SmStatus.MORE
        state = self._state.copy()
        sm["first_event"], sm["n_changes"] = first, 0
        status = SmStatus(advance(self.records.address, steps))  # type: ignore[operator]
        self._keyframes.append(Keyframe(first, state), self._changes(int(sm["n_events"][0]) - first))
        return status

    def _reduce_sample(self) -> None:
        """Leave blocks out of an estimate once the first one has ended and it is known what they cost."""
        sm, sample = self.records.sm, self._sample
        if sample is None or not self.records.ended.any():
            return
        self._sample, before = None, sample.part
        if sample.reduce(int(sm["n_started"][0]), int(sm["issued"][0])):
            self._blocks = sample.blocks
            self.records.replace_queue(sample.blocks)
            self.records.caches.reduce_shares(sm, sample.part / before)

    def _run_others(self) -> None:
        sm, others = self.records.sm, self._others
        if isinstance(others, PacedBlocks):
            cycle, going_on = int(sm["cycle"][0]), int((self.records.timed["pc"] != NOT_RUNNABLE).sum())
            others.follow(cycle, self.machine.counts[:, Raw.EXECUTED], int(sm["changed"][0]), going_on)
            sm["pause_at"] = cycle + STEP if others.are_left else NEVER
            if others.were_left and int(sm["issued"][0]) > ENOUGH_EXECUTED:
                raise self._too_long()
        elif self.records.partners is not None:
            machine_code.entry("run_all_partners")(self.records.address)
        elif others is not None:
            others.follow(int(self._blocks[max(0, int(sm["n_started"][0]) - 1)]))

    def _changes(self, events: int) -> MemoryChanges:
        n = int(self.records.sm["n_changes"][0])
        word, old, new = (self.records.changes[name][:n].copy() for name in ("word", "old", "new"))
        return MemoryChanges(self.records.change_end[:events].copy(), word, old, new)

    def _report(self) -> None:
        progress = self._options.progress
        if progress is not None and not progress(int(self.records.sm["n_started"][0]), self._launch.n_blocks):
            raise Cancelled

    # ------------------------------------------------------------------------------------ what came out

    @property
    def cycles(self) -> int:
        return int(self.records.sm["last_cycle"][0]) + 1 if self.records.sm["issued"][0] else 0

    def outcome(self, aborted: bool) -> Outcome:
        findings = merge_findings([finding for _, _, finding in sorted(self.machine.found(), key=lambda f: f[1])])
        return Outcome(self.machine.counts.copy(), findings, self._memory, aborted, printed_rows(self.machine))

    def result(self, device: Device, counts: NDArray[np.int64], resident: int, n_own: int | None) -> SmResult:
        drained = max(self.cycles, int(self.records.sm["drained"][0]), self._end_of_others())
        stays = self.records.residency(self._launch.warps, self.cycles)
        ends = [stay.end for stay in stays]
        time = extrapolated_time(drained, device, self._launch.n_blocks, len(self._blocks), resident, ends, n_own)
        return SmResult(
            cycles=self.cycles,
            time_us=time.us,
            time_error_us=time.error_us,
            issued=int(self.records.sm["issued"][0]),
            blocks_run=len(self._blocks),
            resident_blocks=resident,
            warps_per_block=self._launch.warps,
            max_warps=device.max_warps,
            counts=counts,
            stalls=self._stalls(resident),
            waited=self.records.costs["waited"].copy(),
            free_issues=self.records.costs["free_issues"].copy(),
            busy=self._busy(),
            residency=stays,
            dram_sectors=int(self.records.sm["dram_sectors"][0]),
            traffic=MemoryTraffic(*(int(self.records.sm[name][0]) for name in MemoryTraffic._fields)),
            draining=int(self.records.sm["draining"][0]),
            active_cycles=max(self.cycles, int(self.records.sm["active_until"][0])),
        )

    def _end_of_others(self) -> int:
        """Return when the last of the other blocks ends, where all run at once."""
        launch, device = self._launch, self._device
        if not isinstance(self._others, PacedBlocks) or launch.n_blocks > self._resident * device.multiprocessors:
            return 0
        end = self._others.end()
        if self._others.gave_up:
            raise self._too_long()
        return end

    def _too_long(self) -> LaunchError:
        kernel = self.machine.common.program.kernel
        return LaunchError(f"the blocks of {kernel} wait for one another too long for an estimate of its time")

    def _busy(self) -> MemoryBusy:
        cycles = {name: int(self.records.sm[f"busy_{name}"][0]) for name in MemoryBusy._fields}
        return MemoryBusy(**cycles).in_cycles(FRACTION)

    def _stalls(self, resident: int) -> NDArray[np.int64]:
        """Return warp cycles by scheduler and reason, with those of warps that an abort cut short and of empty
        slots."""
        stalls: NDArray[np.int64] = self.records.schedulers["stalls"].copy()
        schedulers, cycles = len(stalls), self.cycles
        for slot, timed in enumerate(self.records.timed):
            if self.records.resident_blocks["live_warps"][slot // self._launch.warps]:
                alive = self.machine.warps["live"][slot] != 0
                stalls[slot % schedulers, timed["wait"] if alive else Stall.EXITED] += max(0, cycles - timed["since"])
        for scheduler in range(schedulers):
            own = len(range(scheduler, resident * self._launch.warps, schedulers))
            stalls[scheduler, Stall.EMPTY] = own * cycles - stalls[scheduler].sum()
        return stalls

    def events(self) -> Events:
        return self.records.kept_events()

    def track(self) -> CountTrack:
        counts = [self._state.counts_of(keyframe.state) for keyframe in self._keyframes.keyframes]
        shape = (len(counts), *self.machine.counts.shape)
        return CountTrack(self._keyframes.steps, np.array(counts, dtype=np.int64).reshape(shape))

    def replay(self) -> JitReplay:
        return JitReplay(self._state, self._keyframes, self._mirror, int(self.records.sm["n_events"][0]))
