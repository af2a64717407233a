"""Launch a kernel as far as the program's text tells, where its ``main`` cannot run on this computer."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import typer

from warpview.cli.launching import LaunchOptions, launch
from warpview.diagnostics import WarpviewError
from warpview.frontend import LaunchInfo, kernels_in
from warpview.run import Series
from warpview.run.compilation import read_source


def written_launches(path: Path) -> list[LaunchInfo]:
    """Return the launches in a file's text, in order of their lines."""
    found = [one for kernel in kernels_in(read_source(path), include_dir=path.parent) for one in kernel.launches]
    return sorted(found, key=lambda one: (one.span.line, one.span.column))


def launch_as_written(path: Path, device: str, settings: LaunchOptions, number: int, problem: WarpviewError) -> Series:
    """Launch what the text says that launch ``number``, from 1, of a program is; ``problem`` is why ``main`` does not
    run. What the text does not tell is asked for in a terminal; elsewhere it is named in a LaunchError."""
    launches = written_launches(path)
    if number > len(launches):
        raise problem
    chosen = launches[number - 1]
    typer.echo(f"warpview: main does not run: {problem}", err=True)
    others = "" if len(launches) == 1 else f" of {len(launches)} (--launch chooses another)"
    typer.echo(
        f"warpview: launch {number}{others} as the text has it: {chosen.kernel} in line {chosen.span.line}", err=True
    )
    grid, block = (None if size is None else "x".join(map(str, size)) for size in (chosen.grid, chosen.block))
    known = replace(
        settings, kernel=chosen.kernel, grid=grid, block=block, shared=chosen.shared_bytes or None,
        written_at=chosen.span.line, asks=sys.stdin.isatty() and sys.stderr.isatty(),
    )  # fmt: skip
    return launch(str(path), device, known)
