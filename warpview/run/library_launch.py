"""Launches of library kernels at their presets, and arguments as the command line writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from warpview import frontend, library
from warpview.devices import Device
from warpview.diagnostics import LaunchError, SourceText
from warpview.isa.program import Program
from warpview.isa.types import Type
from warpview.run.result import Run
from warpview.run.simulation import simulate
from warpview.sim.binding import DTYPES, Argument, Uninitialised


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
    is compared with numpy's (``Run.mismatch``) as long as kernel and launch are the library's own.
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
