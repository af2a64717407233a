"""Launch a library kernel or a file for the command line, with the options of a command applied."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from warpview.cli.long_launch import LongLaunch
from warpview.cli.simulator import load_simulator
from warpview.cli.tables import console
from warpview.devices import Device, load_device
from warpview.diagnostics import LaunchError, WarpviewError
from warpview.frontend import kernels_in
from warpview.frontend.lower.launches import LaunchInfo
from warpview.isa.program import Program
from warpview.run import Changes, Series, Step, arguments_from_texts, compile, noted, simulate_preset, simulate_series
from warpview.run.compilation import KERNEL_SUFFIXES
from warpview.run.options import RunOptions


@dataclass(frozen=True)
class LaunchOptions:
    """Collect the options that apply to every launch of a command; ``run`` has those of the simulation."""

    preset: str
    run: RunOptions
    kernel: str | None = None
    grid: str | None = None
    block: str | None = None
    shared: int | None = None
    arguments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    predicate: bool = False
    fma: bool = True
    bank_width: int | None = None
    compiler: str = "warpview"
    written_at: int | None = None  # the line of the launch in the file's text that is meant
    cluster: str | None = None
    asks: bool = False  # in the terminal, for what neither the options nor the text tell


def launch(kernel: str, device: str, settings: LaunchOptions) -> Series:
    """Launch a kernel, with a progress bar where it takes long."""
    chip = chosen_device(device, settings)
    load_simulator()
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True, console=console(), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"{short_name(kernel)} on {device}", total=None)

        def progress(done: int, total: int) -> bool:
            bar.update(task, completed=done, total=total)
            return True

        options: RunOptions = {**settings.run, "progress": progress, "too_long": LongLaunch(bar).ask}
        if kernel.endswith(KERNEL_SUFFIXES):
            return _launch_file(Path(kernel), chip, settings, options)
        changes = Changes(
            grid=_extents(settings.grid, "--grid"),
            block=_extents(settings.block, "--block"),
            shared_bytes=settings.shared,
            cluster=_extents(settings.cluster, "--cluster"),
            arguments=_assignments(settings.arguments, "--arg"),
            defines=macros(settings.defines),
            kernel=settings.kernel,
        )
        return simulate_preset(
            kernel, settings.preset, chip, changes, fma=settings.fma, predicate=settings.predicate,
            compiler=settings.compiler, **options,
        )  # fmt: skip


def _launch_file(path: Path, device: Device, settings: LaunchOptions, options: RunOptions) -> Series:
    program = compile(
        path, settings.kernel, macros(settings.defines), fma=settings.fma, predicate=settings.predicate,
        compiler=settings.compiler, device=device,
    )  # fmt: skip
    for warning in program.remarks:
        typer.echo(warning.render(), err=True)
    grid, block = _extents(settings.grid, "--grid"), _extents(settings.block, "--block")
    written = _written_launch(program, settings.written_at)
    if written is not None:
        grid, block = grid or written.grid, block or written.block
    if grid is None or block is None:
        raise LaunchError(f"say how to launch {program.kernel}: --grid and --block")
    given, taken = _assignments(settings.arguments, "--arg"), _written_arguments(program, written)
    texts = {**taken, **given}
    missing = [param.path for param in program.params if param.path not in texts]
    if missing:
        texts |= _asked(program, missing) if settings.asks else _not_told(program, missing, written)
    arguments = arguments_from_texts(program, texts)
    cluster = _extents(settings.cluster, "--cluster")
    step = Step(program, grid, block, arguments, settings.shared or 0, cluster)
    series = simulate_series([step], device=device, **options)
    if written is None or not texts:
        return series
    words = ", ".join(f"{name} = {text}" for name, text in texts.items())
    return noted(series, f"with {words}, as the launch in line {written.span.line} was read")


def _asked(program: Program, names: Sequence[str]) -> dict[str, str]:
    """Return the arguments that the user types."""
    kinds = {param.path: param.ctype for param in program.params}
    typer.echo("a number, or a buffer such as zeros:COUNT, iota:COUNT or file:PATH.npy:", err=True)
    return {name: typer.prompt(f"  {kinds[name]} {name}", err=True).strip() for name in names}


def _not_told(program: Program, names: Sequence[str], launch: LaunchInfo | None) -> dict[str, str]:
    """Raise LaunchError for arguments that a launch in the text does not tell; a launch that only options describe is
    left to the simulator's own message."""
    if launch is None:
        return {}
    params = {param.path: param for param in program.params}
    hints = (f"--arg {name}={'zeros:COUNT' if params[name].is_pointer else 'NUMBER'}" for name in names)
    raise LaunchError(
        f"the launch of {program.kernel} in line {launch.span.line} does not tell {', '.join(names)} by its text: give "
        f"{' '.join(hints)}"
    )


def _written_arguments(program: Program, launch: LaunchInfo | None) -> dict[str, str]:
    """Return the numbers that a launch in the file's text passes, by parameter; nothing else is guessed."""
    if launch is None:
        return {}
    names = list(dict.fromkeys(param.name for param in program.params))
    scalars = {param.name for param in program.params if not param.is_pointer and not param.field}
    values = dict(zip(names, launch.arguments, strict=False))
    taken = {name: repr(value) for name, value in values.items() if name in scalars and value is not None}
    if taken:
        said = ", ".join(f"{name} = {value}" for name, value in taken.items())
        typer.echo(f"from the launch in line {launch.span.line}: {said}", err=True)
    return taken


def _written_launch(program: Program, line: int | None) -> LaunchInfo | None:
    """Return the launch of the kernel that the file's host code holds in a line, or else the first whose grid and block
    are plain numbers."""

    def spelled(name: str) -> str:
        return name.replace(" ", "")

    kernels = kernels_in(program.source, include_dir=Path(program.source.name).parent)
    launches = [
        launch for kernel in kernels for launch in kernel.launches if spelled(launch.kernel) == spelled(program.kernel)
    ]
    if line is not None:
        return next((launch for launch in launches if launch.span.line == line), None)
    return next((launch for launch in launches if launch.grid and launch.block), None)


def chosen_device(key: str, settings: LaunchOptions) -> Device:
    """Load the device of a key, with the width of its banks that the options ask for."""
    chip = load_device(key)
    return chip if settings.bank_width is None else chip.with_bank_width(settings.bank_width)


def short_name(kernel: str) -> str:
    """Return the name of a file without its folder and ending, or of a library kernel without its family."""
    return Path(kernel).stem if kernel.endswith(".cu") else kernel.rpartition("/")[2]


def _extents(text: str | None, option: str) -> tuple[int, ...] | None:
    """Return '64', '16,16' or '16x16' as numbers."""
    if text is None:
        return None
    parts = re.split(r"[,x]", text)
    if not all(part.strip().isdecimal() for part in parts):
        raise WarpviewError(f"{option}: '{text}' is not one to three whole numbers such as 16,16")
    return tuple(int(part) for part in parts)


def _assignments(texts: Sequence[str], option: str) -> dict[str, str]:
    result = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise WarpviewError(f"{option}: '{text}' is not NAME=VALUE")
        result[name.strip()] = value.strip()
    return result


def macros(texts: Sequence[str]) -> dict[str, object]:
    """Return the macros of -D NAME and -D NAME=VALUE, as a compiler takes them."""
    pairs: Mapping[str, str] = _assignments([text if "=" in text else f"{text}=1" for text in texts], "--define")
    return dict(pairs)
