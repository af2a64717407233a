"""Open a CUDA file of the user's: find its kernels, each with a launch to begin with. Qt-free.

Nothing is executed: of a launch in the host code, the constants that stand there are taken, and the size of buffers is
assumed and said so. A scalar that only the running program knows is left out, and asked for when the kernel is run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from warpview import frontend
from warpview.diagnostics import CompileError, LaunchError, SourceText
from warpview.frontend import LaunchInfo
from warpview.host import has_main
from warpview.isa.program import Param, Program
from warpview.isa.types import small_float
from warpview.sim.launch import Dim3
from warpview.ui.session import text_file
from warpview.ui.session.backend import LaunchPreset, Variant

# A kernel that the file's host code does not launch begins so, with as many elements as there are threads.
GRID, BLOCK = (4, 1, 1), (128, 1, 1)
MOST_ELEMENTS = 1 << 26  # of a buffer whose size is assumed


def open_file(path: Path) -> Variant:
    """Return the file as a variant of no family. A preset for every launch in its host code, and one made up for every
    other kernel; a file that does not compile has one, and what is wrong is said when it is run, with the source beside
    it.
    """
    source = SourceText(str(path), text_file.read(path))
    presets = tuple(presets_in(source, path.parent)) or (LaunchPreset("first", "Default launch", GRID, BLOCK, 0, {}),)
    return Variant(
        str(path), "", path.name, "", "", presets[0].entry, str(path), source.text, presets, is_program=has_main(path)
    )


def presets_in(source: SourceText, folder: Path) -> list[LaunchPreset]:
    """Return a preset for every launch in the host code of a source, and one for every other kernel that needs no
    template arguments; none where the source does not compile."""
    try:
        kernels = frontend.kernels_in(source, include_dir=folder)
    except CompileError:
        return []
    found: dict[str, LaunchPreset] = {}
    for kernel in kernels:
        for launch in kernel.launches:
            if launch.grid is not None and launch.block is not None:
                preset = _written(source, folder, launch)
                found.setdefault(preset.key, preset)
        if not kernel.template and not any(preset.entry == kernel.name for preset in found.values()):
            found[kernel.name] = _first_launch(source, folder, kernel.name)
    return list(found.values())


def _written(source: SourceText, folder: Path, launch: LaunchInfo) -> LaunchPreset:
    """Return a launch of the file's host code, with the constants of its call."""
    assert launch.grid is not None
    assert launch.block is not None
    threads = math.prod(launch.grid) * math.prod(launch.block)
    title = launch_title(launch.kernel, launch.grid, launch.block)
    arguments: dict[str, str] = {}
    try:
        program = frontend.compile_source(source, launch.kernel, include_dir=folder)
        arguments, elements = as_written(program, launch.arguments, threads)
        if any(param.is_pointer for param in program.params):
            title += f" (assumed: buffers of {elements} elements)"
    except (CompileError, LaunchError):
        pass  # said when it is run
    return LaunchPreset(
        launch.kernel, title, launch.grid, launch.block, launch.shared_bytes, arguments, entry=launch.kernel
    )


def as_written(program: Program, constants: Sequence[int | float | None], threads: int) -> tuple[dict[str, str], int]:
    """Return the arguments of a launch of which some are constant, and how many elements its buffers are assumed to
    have: as many as there are threads, or as the product of its whole numbers if those are more (rows times
    columns)."""
    names = list(dict.fromkeys(param.name for param in program.params))
    known = {name: value for name, value in zip(names, constants, strict=False) if value is not None}
    scalars = {param.path: param for param in program.params if not param.is_pointer}
    counts = [int(v) for n, v in known.items() if n in scalars and not scalars[n].type.is_float and v > 0]
    elements = threads
    if 0 < math.prod(counts) <= MOST_ELEMENTS:
        elements = max(threads, math.prod(counts))
    arguments = made_up(program.params, elements)
    for name in scalars:
        if name in known:
            arguments[name] = repr(known[name])
        else:
            del arguments[name]
    return arguments, elements


def _first_launch(source: SourceText, folder: Path, kernel: str) -> LaunchPreset:
    try:
        return first_launch(kernel, frontend.compile_source(source, kernel, include_dir=folder).params)
    except (CompileError, LaunchError):
        return first_launch(kernel, ())  # said when it is run


def first_launch(kernel: str, params: Sequence[Param]) -> LaunchPreset:
    """Return the launch that a kernel begins with; those of its arguments whose type is unknown are to be confirmed."""
    arguments = made_up(params, math.prod(GRID) * math.prod(BLOCK))
    sizes = {param.name: param.type.bytes for param in params if param.untyped}
    return LaunchPreset(kernel, launch_title(kernel, GRID, BLOCK), GRID, BLOCK, 0, arguments, entry=kernel, sizes=sizes)


def launch_title(kernel: str, grid: Dim3, block: Dim3) -> str:
    return f"{kernel}, {math.prod(grid)} blocks of {math.prod(block)} threads"


def made_up(params: Sequence[Param], elements: int) -> dict[str, str]:
    """Make arguments to begin with: numbers in what is only read, zeros in the rest, and counts that fit both.

    Of an untyped parameter, eight bytes are taken as a buffer of floats. Each field of a struct has its own.
    """

    def spec(param: Param) -> str:
        if param.untyped and param.type.is_wide:
            return f"float32 zeros:{elements}"
        if not param.is_pointer:
            return "1.0" if param.type.is_float or small_float(param.ctype, param.type) else str(elements)
        return f"iota:{elements}" if "const" in param.ctype else f"zeros:{elements}"

    return {param.path: spec(param) for param in params}
