"""Launch programs on a simulated device: the public ``simulate``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from warpview.devices import UNLIMITED, Device, Occupancy, load_device
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.run.expectation import compared, expected_arrays
from warpview.run.rerun import MOST_BYTES, MemoryBefore, Rerun
from warpview.run.result import Run, Series
from warpview.sim.access_ranges import AccessRanges, launch_ranges
from warpview.sim.argument_values import constant_image, dim3, named_values, truth_value, whole_number
from warpview.sim.binding import Argument, Binding, BufferAllocator, bind, bind_bytes
from warpview.sim.checks.flow import may_read_undefined
from warpview.sim.events import HISTORY_BYTES, SmOptions
from warpview.sim.findings import describe
from warpview.sim.launch import FindingKind, Options, Outcome, RawFinding
from warpview.sim.launch_check import check_launch
from warpview.sim.memory import DeviceMemory
from warpview.sim.printf import format_print
from warpview.sim.rules.coalescing import SECTOR
from warpview.sim.undefined import MOST_BLOCKS, may_matter, undefined_values

if TYPE_CHECKING:
    from warpview.sim.events import SmResult
    from warpview.trace import Trace

ENGINES = ("profile", "sm")
MOST_THREADS = 1024  # of the host
Arguments = Sequence[Argument] | Mapping[str, Argument]
Progress = Callable[[int, int], bool]


@dataclass(frozen=True)
class Step:
    """A step is one launch of a series. Arrays that several steps name are one buffer on the device."""

    program: Program
    grid: int | Sequence[int]
    block: int | Sequence[int]
    args: Arguments = ()
    shared_bytes: int = 0


@dataclass(frozen=True)
class _Prepared:
    """The device can run this step, whose arguments are bound."""

    program: Program
    binding: Binding
    occupancy: Occupancy
    registers: int


@dataclass(frozen=True)
class _Setting:
    """A setting holds for every launch of a series."""

    device: Device
    engine: str
    options: Options = field(default_factory=Options)
    history_bytes: int = HISTORY_BYTES


def simulate(
    program: Program,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Arguments = (),
    *,
    shared_bytes: int = 0,
    constants: Mapping[str, ArrayLike] | None = None,
    device: str | Path | Device = "h200",
    engine: str = "profile",
    check: bool = True,
    registers: int | None = None,
    step_budget: int | None = None,
    threads: int = 0,
    l1: bool = True,
    progress: Callable[[int, int], object] | None = None,
    expect: Mapping[str, ArrayLike] | None = None,
    tolerance: float | None = None,
    sample: float = 1.0,
    too_long: Callable[[float], float] | None = None,
) -> Run:
    """Launch ``program`` on a simulated device.

    ``args`` is positional or by parameter name: numpy arrays are device buffers (copied; the caller's are left
    alone), numbers are scalars, a struct is a dict of its fields, and ``Buffer`` and ``Uninitialised`` make pointers
    into arrays and buffers that nobody has written. ``engine`` "profile" runs every block and counts; "sm" runs one
    multiprocessor cycle by cycle besides, records its history and gives a time. ``registers`` overrides the
    estimate of registers per thread; ``l1`` False sends loads of global memory around the L1 of CC 2.x (nvcc's
    -dlcm=cg). ``progress(done, total)`` returns False to cancel (then Cancelled is raised). ``expect`` are arrays by
    parameter name that the launch is to leave: the first element that differs by more than ``tolerance`` (relative to
    values above 1; None: rounding errors) is a finding. ``sample`` below 1 executes only that share of the blocks: the
    counters are estimates then, the buffers incomplete, and ``Run.sample`` says so. ``too_long(seconds)`` is asked,
    with an estimate, about a launch of more than ten seconds: it returns such a share, 1 to go on.
    Raises LaunchError where the device cannot run the launch or an argument does not fit.
    """
    step = Step(program, grid, block, args, shared_bytes)
    return simulate_series(
        [step],
        constants=constants,
        device=device,
        engine=engine,
        check=check,
        registers=registers,
        step_budget=step_budget,
        threads=threads,
        l1=l1,
        progress=progress,
        expect=expect,
        tolerance=tolerance,
        sample=sample,
        too_long=too_long,
    ).launches[0]


def simulate_series(
    steps: Sequence[Step],
    *,
    constants: Mapping[str, ArrayLike] | None = None,
    device: str | Path | Device = "h200",
    engine: str = "profile",
    check: bool = True,
    registers: int | None = None,
    step_budget: int | None = None,
    threads: int = 0,
    l1: bool = True,
    traced: int | None = None,
    history_bytes: int = HISTORY_BYTES,
    progress: Callable[[int, int], object] | None = None,
    expect: Mapping[str, ArrayLike] | None = None,
    tolerance: float | None = None,
    sample: float = 1.0,
    too_long: Callable[[float], float] | None = None,
) -> Series:
    """Launch several programs one after another over the same device memory; options as for ``simulate``.

    With the engine "sm", ``traced`` is the only launch (from 0) whose history is recorded: the others run with the
    engine "profile". ``history_bytes`` bounds the history of each launch; 0 records none. A
    launch that is ended early by a finding ends the series. ``expect`` is compared after the last launch.
    """
    if not isinstance(engine, str) or engine not in ENGINES:
        raise LaunchError(f"there is no engine {engine!r}: use 'profile' or 'sm'")
    constants, expect = named_values(constants, "constants"), named_values(expect, "expect")
    check, l1 = truth_value(check, "check"), truth_value(l1, "l1")
    if not steps:
        raise LaunchError("a series needs at least one launch")
    if traced is not None and not 0 <= traced < len(steps):
        raise LaunchError(f"there is no launch {traced + 1}: the series has {len(steps)}")
    options = Options(
        check=check, threads=whole_number(threads, "threads", 0, MOST_THREADS), progress=_until_false(progress),
        cache_global_in_l1=l1, source_checks=True, sample=share_of_blocks(sample), too_long=too_long,
    )  # fmt: skip
    if step_budget is not None:
        options = replace(options, step_budget=whole_number(step_budget, "step_budget", 1))
    if not isinstance(device, (Device, str, Path)):
        raise LaunchError(f"device must be a key, a path or a Device, not {device!r}")
    chosen = device if isinstance(device, Device) else load_device(device)
    setting = _Setting(chosen, engine, options, history_bytes)
    buffers = BufferAllocator()
    prepared = [_prepare(step, chosen, constants, registers, buffers) for step in steps]
    arrays = {name: bound for step in prepared for name, bound in step.binding.buffers.items()}
    expected = expected_arrays(expect, {name: bound.shape for name, bound in arrays.items()})
    before = buffers.memory.copy() if buffers.memory.nbytes <= MOST_BYTES else None
    runs: list[Run] = []
    for number, step in enumerate(prepared):
        untraced = traced is not None and number != traced
        own = replace(setting, engine="profile") if untraced else setting
        run = _execute(step, own, buffers, before if number == 0 else None)
        if before is not None:
            launches = tuple((done.program, done.binding.launch) for done in prepared[: number + 1])
            run = replace(run, rerun=Rerun(before, launches, arrays, chosen, options))
        runs.append(run)
        if run.aborted:
            break
    series = Series(tuple(runs))
    return compared(series, expected, allowed_error(tolerance)) if len(runs) == len(prepared) else series


def share_of_blocks(value: float) -> float:
    """Return the share of blocks to execute. Raises LaunchError where it is no number above 0 and up to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 < value <= 1:
        raise LaunchError(f"sample must be a number above 0 and up to 1, not {value!r}")
    return float(value)


def allowed_error(value: float | None) -> float | None:
    """Return a tolerance. Raises LaunchError where it is no number from 0 on."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 <= value < math.inf:
        raise LaunchError(f"tolerance must be a number of at least 0, not {value!r}")
    return float(value)


def simulate_in(
    memory: DeviceMemory,
    program: Program,
    grid: Sequence[int],
    block: Sequence[int],
    args: Sequence[bytes],
    *,
    shared_bytes: int = 0,
    constants: Mapping[str, bytes] | None = None,
    device: Device,
    engine: str = "profile",
    options: Options | None = None,
    history_bytes: int = HISTORY_BYTES,
    buffer_bytes: int = 1 << 28,
    before: MemoryBefore | None = None,
) -> Run:
    """Launch ``program`` over memory that exists already, as the launch of a host program does.

    ``args`` are the bytes of each parameter (see ``bind_bytes``), ``constants`` those of ``__constant__`` variables;
    ``memory`` is changed in place. ``Run.buffers`` holds copies of the allocations that pointers lead to, as long as
    they have ``buffer_bytes`` at most together. ``before`` keeps the memory as it is now, to execute it again.
    Raises LaunchError where the device cannot run the launch or an argument does not fit.
    """
    program = _with_constant_bytes(program, constants or {})
    extents = dim3(grid, "grid"), dim3(block, "block")
    shared = program.static_shared_bytes + shared_bytes
    fitting = check_launch(program, device, *extents, shared, program.registers_per_thread)
    binding = bind_bytes(program, *extents, args, shared_bytes, memory)
    chosen = replace(options or Options(), source_checks=True)
    rerun = None
    if before is not None:
        again = replace(chosen, progress=None, too_long=None)
        rerun = Rerun(before, ((program, binding.launch),), binding.buffers, device, again)
    if sum(bound.allocation.size for bound in binding.buffers.values()) > buffer_bytes:
        binding = replace(binding, buffers={})
    prepared = _Prepared(program, binding, fitting, program.registers_per_thread)
    run = _execute(prepared, _Setting(device, engine, chosen, history_bytes), BufferAllocator(memory))
    return replace(run, rerun=rerun)


def ranges_in(
    memory: DeviceMemory,
    program: Program,
    grid: Sequence[int],
    block: Sequence[int],
    args: Sequence[bytes],
    *,
    shared_bytes: int = 0,
    constants: Mapping[str, bytes] | None = None,
    device: Device,
    options: Options | None = None,
) -> AccessRanges | None:
    """Return what a launch as of ``simulate_in`` accesses of ``memory``, which is left as it is; None where the memory
    is too large."""
    program = _with_constant_bytes(program, constants or {})
    binding = bind_bytes(program, dim3(grid, "grid"), dim3(block, "block"), args, shared_bytes, memory)
    return launch_ranges(program, device, binding.launch, memory, options or Options())


def _until_false(progress: Callable[[int, int], object] | None) -> Progress | None:
    """Return a callback that asks to go on unless ``progress`` returns False; None, as of a print, means to go on."""
    return None if progress is None else lambda done, total: progress(done, total) is not False


def _prepare(
    step: Step,
    device: Device,
    constants: Mapping[str, ArrayLike],
    registers: int | None,
    buffers: BufferAllocator,
) -> _Prepared:
    program = step.program
    if constants:
        program = replace(program, constant_bytes=constant_image(program, constants))
    grid, block = dim3(step.grid, "grid"), dim3(step.block, "block")
    used = program.registers_per_thread if registers is None else whole_number(registers, "registers", 1)
    dynamic = whole_number(step.shared_bytes, "shared_bytes", 0)
    occupancy = check_launch(program, device, grid, block, program.static_shared_bytes + dynamic, used)
    return _Prepared(program, bind(program, grid, block, step.args, dynamic, buffers), occupancy, used)


def _execute(step: _Prepared, setting: _Setting, buffers: BufferAllocator, before: DeviceMemory | None = None) -> Run:
    """Run a launch; ``before`` is a copy of the memory, where there is one."""
    program, launch = step.program, step.binding.launch
    checked = setting.options.check and may_matter(program, buffers.memory)
    if before is None and checked:
        before = buffers.memory.copy()
    outcome, trace = _engine(step, setting, buffers, before)
    if checked and before is not None:
        outcome = replace(outcome, findings=_followed(step, setting, before, outcome.findings))
    facts = _facts(step)
    if trace is not None:
        facts |= _timing(trace.result, step.binding.launch.n_blocks)
        if program.synchronises_grid:
            del facts["time_us"]  # its blocks would be on several multiprocessors
    bound = step.binding.buffers.items()
    return Run(
        program=program,
        device=setting.device,
        launch=launch,
        engine=setting.engine,
        occupancy=step.occupancy,
        registers_per_thread=step.registers,
        counts=outcome.counts,
        findings=tuple(describe(raw, program, launch, outcome.memory) for raw in outcome.findings),
        aborted=outcome.aborted,
        output=tuple(format_print(program.prints[index].format, values) for index, _, _, values in outcome.printed),
        buffers=MappingProxyType({name: place.read(outcome.memory) for name, place in bound}),
        shapes=MappingProxyType({name: place.shape for name, place in bound}),
        allocations=tuple(outcome.memory.allocations),
        facts=MappingProxyType(facts),
        trace=trace,
        sample=outcome.sample,
    )


def _followed(
    step: _Prepared, setting: _Setting, before: DeviceMemory, findings: Sequence[RawFinding]
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


def _engine(
    step: _Prepared, setting: _Setting, buffers: BufferAllocator, before: DeviceMemory | None
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
    sm = SmOptions(registers_per_thread=step.registers, record=most > 0, history_bytes=most)
    return record(program, device, launch, buffers.memory, setting.options, sm)


def _timing(result: SmResult, n_blocks: int) -> dict[str, float]:
    """Return the facts that a run on one multiprocessor adds to those of the launch."""
    facts = {
        "cycles": result.cycles,
        "time_us": result.time_us,
        "ipc": result.ipc,
        "achieved_occupancy_pct": 100 * result.achieved_occupancy,
        "dram_bytes": round(SECTOR * result.dram_sectors * n_blocks / max(1, result.blocks_run)),
    }
    if result.partition_camping is not None:
        facts["partition_camping"] = result.partition_camping
    return facts


def _facts(step: _Prepared) -> dict[str, float]:
    """Return the numbers of the launch that every engine knows; a resource that is not used sets no limit."""
    launch, occupancy = step.binding.launch, step.occupancy
    facts = {
        "blocks_launched": launch.n_blocks,
        "warps_launched": launch.n_blocks * launch.warps,
        "registers_per_thread": step.registers,
        "shared_mem_per_block": step.program.static_shared_bytes + launch.dynamic_shared_bytes,
        "limit_blocks_warps": occupancy.limit_warps,
        "limit_blocks_registers": occupancy.limit_registers,
        "limit_blocks_shared": occupancy.limit_shared,
        "limit_blocks_slots": occupancy.limit_blocks,
        "theoretical_occupancy_pct": 100 * occupancy.fraction,
    }
    return {key: value for key, value in facts.items() if value != UNLIMITED}


def _with_constant_bytes(program: Program, constants: Mapping[str, bytes]) -> Program:
    """Return the program with its ``__constant__`` variables filled in as they lie in memory."""
    image = bytearray(program.constant_bytes)
    for symbol in program.constant_symbols:
        raw = constants.get(symbol.name, b"")
        image[symbol.offset : symbol.offset + len(raw)] = raw
    return replace(program, constant_bytes=bytes(image)) if constants else program
