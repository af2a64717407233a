"""One simulated launch, from arguments to counters: the public ``simulate`` and the immutable ``Run``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview import frontend, library
from warpview.devices import Device, Occupancy, load_device
from warpview.diagnostics import LaunchError, SourceText, WarpviewError
from warpview.isa.program import Program
from warpview.isa.types import Type
from warpview.profile.counters import Value, counter_values
from warpview.profile.export import Row
from warpview.profile.totals import Totals
from warpview.sim.binding import DTYPES, Argument, Binding, BoundBuffer, Uninitialised, bind, dim3
from warpview.sim.findings import Finding, describe
from warpview.sim.launch import Launch, Options, Outcome
from warpview.sim.launch_check import check_launch
from warpview.sim.memory import Allocation

if TYPE_CHECKING:
    from warpview.sim.events import SmResult
    from warpview.trace import Trace

ENGINES = ("profile", "sm")


@dataclass(frozen=True)
class Run:
    """What one launch did. Immutable: counters, buffers and frames can be read in any order, from any thread."""

    program: Program
    device: Device
    launch: Launch
    engine: str
    occupancy: Occupancy
    registers_per_thread: int
    counts: NDArray[np.int64]
    """raw counts over the whole grid, int64[n_instructions, N_RAW]; see sim/layout.py"""
    findings: tuple[Finding, ...]
    aborted: bool
    """the launch was ended early: its findings say why"""
    output: tuple[str, ...]
    """lines printed by printf"""
    trace: Trace | None = None
    facts: Mapping[str, float] = field(default_factory=dict)
    allocations: tuple[Allocation, ...] = ()
    """where each buffer lies in global memory"""
    mismatch: str | None = None
    """of a library kernel: where its result differs from numpy's, None where it does not"""
    _outcome: Outcome | None = field(default=None, repr=False)
    _bound: Mapping[str, BoundBuffer] = field(default_factory=dict, repr=False)

    @cached_property
    def counters(self) -> Mapping[str, Value]:
        """Every counter that the device has, by key; None where it is not known."""
        return MappingProxyType(counter_values(self.totals, self.device))

    @cached_property
    def totals(self) -> Totals:
        """The counts that the counters are computed from."""
        return Totals.of(self.program, self.counts, self.facts)

    @cached_property
    def buffers(self) -> Mapping[str, NDArray[np.generic]]:
        """The arrays after the launch, by parameter name: copies, with shape and type as they were passed."""
        if self._outcome is None:
            return MappingProxyType({})
        memory = self._outcome.memory
        return MappingProxyType({name: bound.read(memory) for name, bound in self._bound.items()})

    @property
    def row(self) -> Row:
        """The run as one row of an exported file."""
        launch: dict[str, str | int] = {
            "kernel": self.program.kernel,
            "device": self.device.key,
            "compute_capability": self.device.version,
            "engine": self.engine,
            "grid": "x".join(map(str, self.launch.grid)),
            "block": "x".join(map(str, self.launch.block)),
            "dynamic_shared_bytes": self.launch.dynamic_shared_bytes,
        }
        return Row(launch, self.counters)

    @property
    def time_us(self) -> float | None:
        """Duration on the whole device; None where the engine has no clock."""
        return self.facts.get("time_us")


def compile(
    path_or_source: str | Path,
    kernel: str | None = None,
    defines: Mapping[str, object] | None = None,
    *,
    fma: bool = True,
    predicate: bool = False,
) -> Program:
    """Compile a kernel of a ``.cu`` file, given by path or as text.

    ``kernel`` names it, with template arguments where it has parameters (``reduce<128>``); it may be left out where
    the file has one. ``fma`` contracts multiply-add as nvcc does; ``predicate`` turns short branches into predicated
    instructions as nvcc does. Raises CompileError with ``.diagnostics``.
    """
    source = _source(path_or_source)
    folder = Path(source.name).parent if isinstance(path_or_source, Path) or source.name != "<source>" else None
    return frontend.compile_source(source, kernel, defines, fma=fma, predicate=predicate, include_dir=folder)


def _source(path_or_source: str | Path) -> SourceText:
    text = str(path_or_source)
    is_path = isinstance(path_or_source, Path) or ("\n" not in text and text.strip().endswith((".cu", ".cuh")))
    if not is_path:
        return SourceText("<source>", text)
    try:
        return SourceText(text, Path(text).read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise WarpviewError(f"cannot read {text}: {error.strerror}") from None


def simulate(
    program: Program,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Sequence[Argument] | Mapping[str, Argument] = (),
    *,
    shared_bytes: int = 0,
    constants: Mapping[str, NDArray[np.generic]] | None = None,
    device: str | Path | Device = "h200",
    engine: str = "profile",
    check: bool = True,
    registers: int | None = None,
    step_budget: int | None = None,
    threads: int = 0,
    progress: Callable[[int, int], bool] | None = None,
) -> Run:
    """Launch ``program`` on a simulated device.

    ``args`` is positional or by parameter name: numpy arrays are device buffers (copied; the caller's are left
    alone), numbers are scalars, a struct is a dict of its fields, and ``Buffer`` and ``Uninitialised`` make pointers
    into arrays and buffers that nobody has written. ``engine`` "profile" runs every block and counts; "sm" runs one
    multiprocessor cycle by cycle besides, records its history and gives a time. ``registers`` overrides the
    estimate of registers per thread. ``progress(done, total)`` returns False to cancel (then Cancelled is raised).
    Raises LaunchError where the device cannot run the launch or an argument does not fit.
    """
    if engine not in ENGINES:
        raise LaunchError(f"there is no engine '{engine}': use 'profile' or 'sm'")
    chosen = device if isinstance(device, Device) else load_device(device)
    extents = dim3(grid, "grid"), dim3(block, "block")
    program = with_constants(program, constants or {})
    used = registers or program.registers_per_thread
    shared = program.static_shared_bytes + shared_bytes
    occupancy = check_launch(program, chosen, *extents, shared, used)
    binding = bind(program, *extents, args, shared_bytes)
    options = Options(check=check, threads=threads, progress=progress)
    if step_budget is not None:
        options = replace(options, step_budget=step_budget)
    return _execute(program, chosen, binding, options, engine, occupancy, used)


def _execute(
    program: Program,
    device: Device,
    binding: Binding,
    options: Options,
    engine: str,
    occupancy: Occupancy,
    registers: int,
) -> Run:
    # The engines are imported at first use: a program that only lists kernels does not wait for numba.
    launch = binding.launch
    facts = _facts(program, device, launch, occupancy, registers)
    trace: Trace | None = None
    if engine == "sm":
        from warpview.sim.events import SmOptions
        from warpview.trace.record import record

        outcome, trace = record(
            program, device, launch, binding.memory, options, sm=SmOptions(registers_per_thread=registers)
        )
        facts |= timing_facts(trace.result)
    else:
        from warpview.sim.engine import run_profile

        outcome = run_profile(program, device, launch, binding.memory, options)
    return Run(
        program=program,
        device=device,
        launch=launch,
        engine=engine,
        occupancy=occupancy,
        registers_per_thread=registers,
        counts=outcome.counts,
        findings=tuple(describe(raw, program, launch, outcome.memory) for raw in outcome.findings),
        aborted=outcome.aborted,
        output=printed(program, outcome),
        trace=trace,
        facts=facts,
        allocations=tuple(outcome.memory.allocations),
        _outcome=outcome,
        _bound=binding.buffers,
    )


def launch_entry(
    entry: library.Entry,
    preset: str = "step",
    device: str | Path | Device = "h200",
    *,
    engine: str = "profile",
    grid: Sequence[int] | None = None,
    block: Sequence[int] | None = None,
    shared_bytes: int | None = None,
    arguments: Mapping[str, str] | None = None,
    defines: Mapping[str, object] | None = None,
    kernel: str | None = None,
    source: SourceText | None = None,
    registers: int | None = None,
    fma: bool = True,
    predicate: bool = False,
    check: bool = True,
    progress: Callable[[int, int], bool] | None = None,
) -> Run:
    """Run a library kernel at one of its presets; what is given besides replaces the preset's.

    ``arguments`` are input specs by parameter name (see library.make_input), ``source`` an edited text. The result
    is compared with numpy's (``Run.mismatch``), unless the source was edited.
    """
    launch = library.preset(entry, preset)
    program = frontend.compile_source(
        source or entry.source,
        kernel or entry.kernel,
        {**entry.defines, **(defines or {})},
        fma=fma,
        predicate=predicate,
        include_dir=entry.path.parent,
    )
    values = library.arguments(entry, preset, arguments)
    run = simulate(
        program,
        grid or launch.grid,
        block or launch.block,
        {name: _passed(value) for name, value in values.items()},
        shared_bytes=launch.shared_bytes if shared_bytes is None else shared_bytes,
        constants=library.constants(entry, preset),
        device=device,
        engine=engine,
        check=check,
        registers=registers,
        progress=progress,
    )
    changed = source is not None or kernel or grid or block or arguments or defines
    if changed or run.aborted:
        return run
    return replace(run, mismatch=library.mismatch(entry, preset, values, run.buffers))


def argument_from_text(program: Program, name: str, text: str) -> Argument:
    """An argument as the command line gives it: an input spec of the library, typed by the parameter.

    Raises LaunchError for a parameter that does not exist, WarpviewError for a spec that means nothing.
    """
    params = [p for p in program.params if p.name == name]
    if not params:
        known = ", ".join(dict.fromkeys(p.name for p in program.params))
        raise LaunchError(f"{program.kernel} has no parameter '{name}' (it has: {known or 'none'})")
    param = params[0]
    element = (param.element or Type.U8) if param.is_pointer else param.type
    return _passed(library.make_input(text, DTYPES[element]))


def _passed(value: object) -> Argument:
    """The library's blank buffers as uninitialised ones; everything else as it is."""
    return Uninitialised(value.shape, value.dtype) if isinstance(value, library.Blank) else value


def timing_facts(result: SmResult) -> dict[str, float]:
    """What a run on one multiprocessor adds to the launch facts."""
    return {
        "cycles": result.cycles,
        "time_us": result.time_us,
        "ipc": result.ipc,
        "achieved_occupancy_pct": 100 * result.achieved_occupancy,
    }


def _facts(program: Program, device: Device, launch: Launch, occupancy: Occupancy, registers: int) -> dict[str, float]:
    return {
        "blocks_launched": launch.n_blocks,
        "warps_launched": launch.n_blocks * launch.warps,
        "registers_per_thread": registers,
        "shared_mem_per_block": program.static_shared_bytes + launch.dynamic_shared_bytes,
        "limit_blocks_warps": occupancy.limit_warps,
        "limit_blocks_registers": occupancy.limit_registers,
        "limit_blocks_shared": occupancy.limit_shared,
        "limit_blocks_slots": occupancy.limit_blocks,
        "theoretical_occupancy_pct": 100 * occupancy.fraction,
    }


def with_constants(program: Program, constants: Mapping[str, NDArray[np.generic]]) -> Program:
    """The program with its ``__constant__`` variables filled in by name."""
    image = bytearray(program.constant_bytes)
    symbols = {symbol.name: symbol for symbol in program.constant_symbols}
    for name, values in constants.items():
        symbol = symbols.get(name)
        if symbol is None:
            known = ", ".join(symbols) or "none"
            raise LaunchError(f"{program.kernel} has no __constant__ variable '{name}' (it has: {known})")
        raw = np.ascontiguousarray(values).tobytes()
        size = symbol.element_bytes * int(np.prod(symbol.dims or (1,)))
        if len(raw) > size:
            raise LaunchError(f"constant '{name}' holds {size} bytes, not {len(raw)}")
        image[symbol.offset : symbol.offset + len(raw)] = raw
    return replace(program, constant_bytes=bytes(image)) if constants else program


def printed(program: Program, outcome: Outcome) -> tuple[str, ...]:
    """The text of the kernel's printf calls, in order."""
    from warpview.sim.printf import format_print

    return tuple(format_print(program.prints[index].format, values) for index, _, _, values in outcome.printed)
