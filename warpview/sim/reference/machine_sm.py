"""Execute a whole launch with one multiprocessor cycle by cycle: the readable counterpart of engine_sm."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.checks.race_marks import mark_races
from warpview.sim.history.events import Events, MemoryBusy, MemoryTraffic, SmOptions, SmResult
from warpview.sim.launch import PRINTED_KEPT, RACE_KINDS, Launch, Options, Outcome, RawFinding, runs_in_clusters
from warpview.sim.memory import DeviceMemory
from warpview.sim.reference.block import ThreadBlock
from warpview.sim.reference.contention_sampler import ReferenceContentionSampler
from warpview.sim.reference.machine import in_clusters, run_blocks, run_reference
from warpview.sim.reference.multiprocessor import Multiprocessor
from warpview.sim.resident_blocks import blocks_of, resident_blocks
from warpview.sim.timing.contention import contention_of
from warpview.sim.timing.model import FRACTION, extrapolated_time


@dataclass(frozen=True)
class ReferenceSmRun:
    """Hold the result of ``run_sm_reference``; ``started`` lists (events before it, slot, block) of every block."""

    outcome: Outcome
    result: SmResult
    events: Events
    started: list[tuple[int, int, int]]


def run_sm_reference(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options | None = None,
    sm: SmOptions | None = None,
) -> ReferenceSmRun:
    """Return the traced multiprocessor's blocks cycle by cycle, then all others as the profile engine would; see
    run_sm."""
    options, sm = options or Options(), sm or SmOptions()
    races = _races(program, device, launch, memory, options)
    resident = resident_blocks(program, device, launch, sm)
    own = blocks_of(program, device, launch, sm, resident)
    sampler = ReferenceContentionSampler(program, device, launch, memory, options)
    contention = contention_of(program, device, launch, resident, sampler.traffic)
    machine = Multiprocessor(program, device, launch, memory, options, resident, contention, sm)
    machine.run(own)
    counts = machine.counts.copy()
    aborted, printed = machine.aborted, machine.printed
    order = launch.clusters().ravel().tolist() if runs_in_clusters(program, launch) else range(launch.n_blocks)
    others = [] if aborted else [index for index in order if index not in set(own)]
    blocks = (
        ThreadBlock(
            program, device, launch, options, index, machine.segment, machine.counts, machine.log, cluster=cluster
        )
        for index, cluster in in_clusters(others, launch)
    )
    for block in run_blocks(blocks, program, launch, replace(options, progress=None), None, []):
        aborted = not block.done
        printed += block.share.printed[: PRINTED_KEPT - len(printed)]
    drained, ends = max(machine.cycles, machine.drained), [stay.end for stay in machine.accounts.residency]
    time = extrapolated_time(drained, device, launch.n_blocks, len(own), resident, ends)
    result = SmResult(
        cycles=machine.cycles,
        time_us=time.us,
        time_error_us=time.error_us,
        issued=len(machine.rows["cycle"]),
        blocks_run=len(own),
        resident_blocks=resident,
        warps_per_block=launch.warps,
        max_warps=device.max_warps,
        counts=counts,
        stalls=machine.accounts.stalls,
        waited=machine.waited,
        free_issues=machine.free_issues,
        busy=MemoryBusy(**machine.memory.busy).in_cycles(FRACTION),
        residency=tuple(sorted(machine.accounts.residency, key=lambda r: (r.start, r.first_slot))),
        partition_camping=contention.mean_camping,
        dram_sectors=machine.memory.dram_sectors,
        traffic=MemoryTraffic(**machine.caches.traffic),
        draining=machine.draining,
        active_cycles=max(machine.cycles, machine.active_until),
    )
    outcome = Outcome(machine.counts, [*races, *machine.log.listed()], memory, aborted, printed)
    events = machine.events
    mark_races(events, races)
    return ReferenceSmRun(outcome, result, events, machine.started)


def _races(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
) -> list[RawFinding]:
    """Return the races of the launch, which do not depend on the order of execution: those of the blocks one by one."""
    if not options.check or not options.races:
        return []
    outcome = run_reference(program, device, launch, memory.copy(), replace(options, progress=None))
    return [finding for finding in outcome.findings if finding.kind in RACE_KINDS]
