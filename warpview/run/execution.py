"""Execute launches whose arguments are bound, and make runs of their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from warpview.devices import UNLIMITED, Device, Occupancy
from warpview.devices.shared_choice import counted_limit
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.profile.stall_counters import stall_facts
from warpview.run.result import Run
from warpview.sim.arguments.binding import Binding, BufferAllocator
from warpview.sim.checks.findings import describe
from warpview.sim.checks.flow import may_read_undefined
from warpview.sim.checks.undefined import MOST_BLOCKS, may_matter, undefined_values
from warpview.sim.estimate.other_blocks import waits_for_others
from warpview.sim.history.events import HISTORY_BYTES, SmOptions
from warpview.sim.launch import FindingKind, Launch, Options, Outcome, RawFinding, waits_for_blocks
from warpview.sim.memory import DeviceMemory
from warpview.sim.printf import format_print
from warpview.sim.rules.coalescing import SECTOR

if TYPE_CHECKING:
    from warpview.sim.history.events import SmResult
    from warpview.trace import Trace

# Of a warp that waits endlessly, also where other lanes of it wait for those that do.
WAITS = (FindingKind.ENDLESS, FindingKind.DEADLOCK)


@dataclass(frozen=True)
class PreparedLaunch:
    """Hold a launch that the device can run, with its arguments bound."""

    program: Program
    binding: Binding
    occupancy: Occupancy
    registers: int


@dataclass(frozen=True)
class EngineSetting:
    """Say on what, and how, every launch of a series is executed."""

    device: Device
    engine: str
    options: Options = field(default_factory=Options)
    history_bytes: int = HISTORY_BYTES
    traced_block: int = 0  # whose multiprocessor the engine "sm" follows


def execute(
    step: PreparedLaunch, setting: EngineSetting, buffers: BufferAllocator, before: DeviceMemory | None = None
) -> Run:
    """Run a launch; ``before`` is a copy of the memory, where there is one."""
    launch, may_wait = step.binding.launch, _may_wait_for_grid(step, setting.device)
    checked = setting.options.check and may_matter(step.program, buffers.memory)
    if before is None and (checked or may_wait):
        before = buffers.memory.copy()
    if may_wait and before is not None:
        step, outcome, trace = _engine_of_waiting_blocks(step, setting, buffers, before)
    else:
        outcome, trace = _engine(step, setting, buffers, before)
    program = step.program
    if checked and before is not None:
        outcome = replace(outcome, findings=_followed(step, setting, before, outcome.findings))
    if program.native is not None:
        outcome = replace(outcome, findings=_without_padding(outcome.findings))
    facts = _facts(step, setting.device)
    if trace is not None:
        facts |= _timing(trace.result, step.binding.launch.n_blocks, setting.device)
        if waits_for_blocks(program, launch):
            del facts["time_us"]  # its blocks would be on several multiprocessors
        elif _has_fewer_blocks(launch, setting):
            del facts["time_us"]  # the first multiprocessors take longer
    bound = step.binding.buffers.items()
    return Run(
        program=program,
        device=setting.device,
        launch=launch,
        engine=setting.engine,
        occupancy=step.occupancy,
        registers_per_thread=step.registers,
        counts=outcome.counts,
        findings=describe(outcome.findings, program, launch, outcome.memory),
        aborted=outcome.aborted,
        output=tuple(format_print(program.prints[index].format, values) for index, _, _, values in outcome.printed),
        buffers=MappingProxyType({name: place.read(outcome.memory) for name, place in bound}),
        shapes=MappingProxyType({name: place.shape for name, place in bound}),
        allocations=tuple(outcome.memory.allocations),
        facts=MappingProxyType(facts),
        trace=trace,
        sample=outcome.sample,
    )


def _may_wait_for_grid(step: PreparedLaunch, device: Device) -> bool:
    """Return whether blocks may wait for any others of the launch by words in global memory, without a barrier that
    says so, and all of them can be resident together."""
    program, n_blocks = step.program, step.binding.launch.n_blocks
    fits = 1 < n_blocks <= step.occupancy.blocks * device.multiprocessors
    return fits and not program.synchronises_grid and waits_for_others(program)


def _followed(
    step: PreparedLaunch, setting: EngineSetting, before: DeviceMemory, findings: Sequence[RawFinding]
) -> list[RawFinding]:
    """Return the findings with those of undefined values where they matter in place of where they were read."""
    kind = FindingKind.UNINITIALISED
    if not any(finding.kind == kind for finding in findings) and not may_read_undefined(step.program):
        return list(findings)
    launch = step.binding.launch
    found = undefined_values(step.program, setting.device, launch, before.copy(), setting.options)
    # Of the blocks behind those that were followed the reads themselves are told.
    kept = [f for f in findings if f.kind != kind or (f.block >= MOST_BLOCKS and not found)]
    return [*kept, *found]


def _without_padding(findings: Sequence[RawFinding]) -> list[RawFinding]:
    """Return the findings of machine code without reads of local memory that nobody has written: NVIDIA's compiler
    copies the padding of a struct and saves registers without a value there, as it copies what the source has."""
    return [f for f in findings if (f.kind, f.space) != (FindingKind.UNINITIALISED, Space.LOCAL)]


def _engine_of_waiting_blocks(
    step: PreparedLaunch, setting: EngineSetting, buffers: BufferAllocator, before: DeviceMemory
) -> tuple[PreparedLaunch, Outcome, Trace | None]:
    """Run a launch whose blocks may wait for others: one after the other, and together where one waits endlessly then,
    as at a barrier of the grid that is written by hand. Return the launch with a program that says so.

    Whether one waits is found out without a cycle-level run, and without looking for races, which that run does again;
    a share of the blocks that was chosen on the way is kept.
    """
    options = setting.options
    first = setting if setting.engine == "profile" else replace(
        setting, engine="profile", options=replace(options, races=False)
    )  # fmt: skip
    outcome, trace = _engine(step, first, buffers, before)
    if any(finding.kind in WAITS for finding in outcome.findings):
        step = replace(step, program=replace(step.program, polls_grid=True))
    elif setting.engine == "profile":
        return step, outcome, trace
    if outcome.sample < 1:
        setting = replace(setting, options=replace(options, sample=outcome.sample, too_long=None))
    buffers.memory.restore(before)
    return step, *_engine(step, setting, buffers, before)


def _engine(
    step: PreparedLaunch, setting: EngineSetting, buffers: BufferAllocator, before: DeviceMemory | None
) -> tuple[Outcome, Trace | None]:
    """Run the launch; it leaves its results in the memory of ``buffers``.

    The engines are imported at first use: a program that only lists kernels does not wait for them.
    """
    program, launch, device = step.program, step.binding.launch, setting.device
    if setting.engine == "profile":
        from warpview.sim.engine import run_profile

        return run_profile(program, device, launch, buffers.memory, setting.options, before=before), None
    from warpview.trace.record import record

    most = setting.history_bytes
    sm = SmOptions(_multiprocessor(launch, setting), step.registers, record=most > 0, history_bytes=most)
    return record(program, device, launch, buffers.memory, setting.options, sm)


def _multiprocessor(launch: Launch, setting: EngineSetting) -> int:
    """Return the multiprocessor on which the traced block is; the first one where the launch has no such block."""
    if setting.traced_block >= launch.n_blocks:
        return 0
    return launch.position(setting.traced_block) // launch.cluster_blocks % setting.device.multiprocessors


def _has_fewer_blocks(launch: Launch, setting: EngineSetting) -> bool:
    """Return whether the multiprocessor of the traced block has fewer blocks than the first one."""
    clusters, count = launch.n_blocks // launch.cluster_blocks, setting.device.multiprocessors
    return clusters > count and _multiprocessor(launch, setting) >= (clusters % count or count)


def _timing(result: SmResult, n_blocks: int, device: Device) -> dict[str, float]:
    """Return the facts that a run on one multiprocessor adds to those of the launch."""
    facts = {
        "cycles": result.cycles,
        "time_us": result.time_us,
        "ipc": result.ipc,
        "achieved_occupancy_pct": 100 * result.achieved_occupancy,
        "dram_bytes": round(SECTOR * result.dram_sectors * n_blocks / max(1, result.blocks_run)),
        "l2_bytes": round(SECTOR * result.traffic.l2_sectors * n_blocks / max(1, result.blocks_run)),
        **stall_facts(result),
    }
    rates = (("l1_hit_pct", result.traffic.l1_hit_rate), ("l2_hit_pct", result.traffic.l2_hit_rate(device.l2_parts)))
    for key, rate in rates:
        if rate is not None:
            facts[key] = 100 * rate
    if result.partition_camping is not None:
        facts["partition_camping"] = result.partition_camping
    return facts


def _facts(step: PreparedLaunch, device: Device) -> dict[str, float]:
    """Return the numbers of the launch that every engine knows; a resource that is not used sets no limit."""
    launch, occupancy = step.binding.launch, step.occupancy
    shared = step.program.static_shared_bytes + launch.dynamic_shared_bytes
    facts = {
        "blocks_launched": launch.n_blocks,
        "warps_launched": launch.n_blocks * launch.warps,
        "registers_per_thread": step.registers,
        "shared_mem_per_block": shared,
        "limit_blocks_warps": occupancy.limit_warps,
        "limit_blocks_registers": occupancy.limit_registers,
        "limit_blocks_shared": counted_limit(device, launch.threads, shared, occupancy),
        "limit_blocks_slots": occupancy.limit_blocks,
        "theoretical_occupancy_pct": 100 * occupancy.fraction,
    }
    return {key: value for key, value in facts.items() if value != UNLIMITED}
