"""Launch programs on a simulated device: the public ``simulate``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from warpview.argument_checks import function_or_none, instance, named_values, truth_value, whole_number
from warpview.devices import Device, device_meant
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.run.execution import EngineSetting, PreparedLaunch, execute
from warpview.run.expectation import compared, expected_arrays
from warpview.run.options import SeriesOptions, shows_options_of
from warpview.run.rerun import MOST_BYTES, Rerun
from warpview.run.result import Run, Series
from warpview.sim.arguments.binding import Argument, BoundBuffer, BufferAllocator, bind
from warpview.sim.arguments.values import constant_image, dim3
from warpview.sim.history.events import HISTORY_BYTES
from warpview.sim.launch import Launch, Options
from warpview.sim.launch_check import check_launch, cluster_of

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
    cluster: int | Sequence[int] | None = None


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
    traced_block: int = 0,
    history_bytes: int = HISTORY_BYTES,
    progress: Callable[[int, int], object] | None = None,
    expect: Mapping[str, ArrayLike] | None = None,
    tolerance: float | None = None,
    sample: float = 1.0,
    too_long: Callable[[float], float] | None = None,
) -> Series:
    """Launch several programs one after another over the same device memory; options as for ``simulate``.

    With the engine "sm", ``traced`` is the only launch (from 0) whose history is recorded: the others run with the
    engine "profile". ``history_bytes`` bounds the history of each launch; 0 records none. The
    multiprocessor that is followed is the one of ``traced_block``; the first one where a launch has no such block. A
    launch that is ended early by a finding ends the series. ``expect`` is compared after the last launch.
    """
    if not isinstance(engine, str) or engine not in ENGINES:
        raise LaunchError(f"there is no engine {engine!r}: use 'profile' or 'sm'")
    constants, expect = named_values(constants, "constants"), named_values(expect, "expect")
    check, l1 = truth_value(check, "check"), truth_value(l1, "l1")
    for step in instance(steps, Sequence, "steps", "a list"):
        instance(step, Step, "a launch of a series", "a Step")
    if not steps:
        raise LaunchError("a series needs at least one launch")
    if traced is not None and not 0 <= whole_number(traced, "traced", 0) < len(steps):
        raise LaunchError(f"there is no launch {traced + 1}: the series has {len(steps)}")
    function_or_none(too_long, "too_long")
    options = Options(
        check=check, threads=whole_number(threads, "threads", 0, MOST_THREADS), progress=_until_false(progress),
        cache_global_in_l1=l1, source_checks=True, sample=share_of_blocks(sample), too_long=too_long,
    )  # fmt: skip
    if step_budget is not None:
        options = replace(options, step_budget=whole_number(step_budget, "step_budget", 1))
    chosen = device_meant(device)
    setting = EngineSetting(chosen, engine, options, history_bytes, traced_block)
    buffers = BufferAllocator()
    prepared = [_prepare(step, chosen, constants, registers, buffers) for step in steps]
    arrays = {name: bound for step in prepared for name, bound in step.binding.buffers.items()}
    expected = expected_arrays(expect, {name: bound.shape for name, bound in arrays.items()})
    runs = tuple(_launches(prepared, setting, buffers, arrays, traced))
    series = Series(runs)
    return compared(series, expected, allowed_error(tolerance)) if len(runs) == len(prepared) else series


def _launches(
    prepared: Sequence[PreparedLaunch], setting: EngineSetting, buffers: BufferAllocator,
    arrays: Mapping[str, BoundBuffer], traced: int | None,
) -> Iterator[Run]:  # fmt: skip
    """Execute the launches of a series one after another, up to the one that a finding ends early."""
    before = buffers.memory.copy() if buffers.memory.nbytes <= MOST_BYTES else None
    launches: tuple[tuple[Program, Launch], ...] = ()
    for number, step in enumerate(prepared):
        untraced = traced is not None and number != traced
        own = replace(setting, engine="profile") if untraced else setting
        run = execute(step, own, buffers, before if number == 0 else None)
        launches = (*launches, (run.program, run.launch))
        if before is not None:
            run = replace(run, rerun=Rerun(before, launches, arrays, setting.device, setting.options))
        yield run
        if run.aborted:
            break


@shows_options_of(simulate_series, hidden=("traced", "traced_block", "history_bytes"))
def simulate(
    program: Program,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Arguments = (),
    *,
    shared_bytes: int = 0,
    cluster: int | Sequence[int] | None = None,
    **options: Unpack[SeriesOptions],
) -> Run:
    """Launch ``program`` on a simulated device.

    ``args`` is positional or by parameter name: numpy arrays are device buffers (copied; the caller's are left alone),
    numbers are scalars, a struct is a dict of its fields, and ``Buffer`` and ``Uninitialised`` make pointers into
    arrays and buffers that nobody has written. ``cluster`` are the blocks of a thread block cluster in each direction,
    from compute capability 9.0 on; a kernel's ``__cluster_dims__`` says so, too. ``engine`` "profile" runs every block
    and counts; "sm" runs one multiprocessor cycle by cycle besides, records its history and gives a time. ``registers``
    overrides the estimate of registers per thread; ``l1`` False sends loads of global memory around the L1 of CC 2.x
    (nvcc's -dlcm=cg). ``progress(done, total)`` returns False to cancel (then Cancelled is raised). ``expect`` are
    arrays by parameter name that the launch is to leave: the first element that differs by more than ``tolerance``
    (relative to values above 1; None: rounding errors) is a finding. ``sample`` below 1 executes only that share of the
    blocks: the counters are estimates then, the buffers incomplete, and ``Run.sample`` says so. ``too_long(seconds)``
    is asked, with an estimate, about a launch of more than ten seconds: it returns such a share, 1 to go on.
    Raises LaunchError where the device cannot run the launch or an argument does not fit.
    """
    (run,) = simulate_series([Step(program, grid, block, args, shared_bytes, cluster)], **options).launches
    return run


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


def _until_false(progress: Callable[[int, int], object] | None) -> Progress | None:
    """Return a callback that asks to go on unless ``progress`` returns False; None, as of a print, means to go on."""
    function_or_none(progress, "progress")
    return None if progress is None else lambda done, total: progress(done, total) is not False


def _prepare(
    step: Step,
    device: Device,
    constants: Mapping[str, ArrayLike],
    registers: int | None,
    buffers: BufferAllocator,
) -> PreparedLaunch:
    program = instance(step.program, Program, "program", "what compile returns")
    if constants:
        program = replace(program, constant_bytes=constant_image(program, constants))
    grid, block = dim3(step.grid, "grid"), dim3(step.block, "block")
    used = program.registers_per_thread if registers is None else whole_number(registers, "registers", 1)
    dynamic = whole_number(step.shared_bytes, "shared_bytes", 0)
    cluster = cluster_of(program, None if step.cluster is None else dim3(step.cluster, "cluster"))
    occupancy = check_launch(program, device, grid, block, program.static_shared_bytes + dynamic, used, cluster)
    bound = bind(program, grid, block, step.args, dynamic, buffers, cluster, device.multiprocessors)
    return PreparedLaunch(program, bound, occupancy, used)
