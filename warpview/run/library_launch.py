"""Launch library kernels at their presets, with arguments as the command line writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from warpview import frontend, library
from warpview.argument_checks import instance
from warpview.devices import Device
from warpview.diagnostics import SourceText, WarpviewError
from warpview.isa.program import Program
from warpview.run.argument_texts import BlankConverter
from warpview.run.expectation import compared
from warpview.run.options import RunOptions, shows_options_of
from warpview.run.result import Series, noted
from warpview.run.simulation import Step, simulate_series

ROUNDING = 1e-3  # error allowed in floating-point results of arguments that are not the library's


@dataclass(frozen=True)
class Changes:
    """Changes replace a preset's values; a field left at its default keeps the library's value.

    ``arguments`` are input specs by parameter name (see library.make_input), ``source`` an edited text. Grid, block,
    cluster and shared memory replace those of every launch; the library's arrays grow with the grid and the block where
    its presets show how (see library.grown).
    """

    grid: Sequence[int] | None = None
    block: Sequence[int] | None = None
    shared_bytes: int | None = None
    cluster: Sequence[int] | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, object] = field(default_factory=dict)
    kernel: str | None = None
    source: SourceText | None = None
    any_result: bool = False

    @property
    def keep_the_purpose(self) -> bool:
        """Return whether the kernel must still compute what the library says, whatever its arguments and extents.
        Macros and another kernel of the file make it another computation, and ``any_result`` says that it is one."""
        return not self.defines and self.kernel is None and not self.any_result


@shows_options_of(simulate_series, hidden=("constants", "traced_block"))
def simulate_preset(
    kernel: str | library.Entry,
    preset: str = "small",
    device: str | Path | Device = "h200",
    changes: Changes | None = None,
    *,
    fma: bool = True,
    predicate: bool = False,
    compiler: str = "warpview",
    traced: int | None = None,
    **options: Unpack[RunOptions],
) -> Series:
    """Simulate a library kernel, one of ``kernels()`` or its key, at a preset: one launch, or several in sequence.

    ``preset`` is "small" or "large", or another one of the kernel's ``presets``; the library makes the arguments.
    ``fma``, ``predicate`` and ``compiler`` are those of ``compile``, the other options those of ``simulate_series``.
    The result is compared with numpy's, a finding of the last launch, for a changed launch where numpy can tell it.
    Raises WarpviewError where there is no such kernel or preset.
    """
    changed = changes or Changes()
    preset = library.preset_key(instance(preset, str, "preset", "the name of a preset"))
    entry = instance(kernel, (str, library.Entry), "kernel", "a key, or one of kernels()")
    entry = library.entry(entry) if isinstance(entry, str) else entry
    entry = library.grown(entry, preset, changed.grid, changed.block)
    chosen = entry.preset(preset)
    values = library.launch_arguments(entry, preset, changed.arguments)
    passed = BlankConverter()
    steps = [
        Step(
            _program(entry, launch, changed, fma, predicate, compiler, device),
            changed.grid or launch.grid,
            changed.block or launch.block,
            {name: passed.on(value) for name, value in arguments.items()},
            launch.shared_bytes if changed.shared_bytes is None else changed.shared_bytes,
            changed.cluster,
        )
        for launch, arguments in zip(chosen.launches, values, strict=True)
    ]
    series = simulate_series(steps, constants=library.constants(entry, preset), device=device, traced=traced, **options)
    return _explained(_checked(series, entry, preset, changed, values), entry, chosen, changed)


def _checked(
    series: Series, entry: library.Entry, preset: str, changed: Changes, values: Sequence[Mapping[str, library.Input]]
) -> Series:
    """Return a series compared with numpy's results, where numpy can tell them."""
    steps = entry.preset(preset).launches
    ended = len(series.launches) < len(steps) or series.launches[-1].aborted
    if series.mismatch or ended or not changed.keep_the_purpose:
        return series
    if changed == Changes(source=changed.source):
        return compared(series, _flat(library.expected(entry, preset, values), series), entry.tolerance)
    wanted = library.expected_of_changed(entry, preset, values, changed.grid, changed.block, changed.arguments)
    # The library's numbers are such that sums are exact; others have rounding errors.
    tolerance = max(entry.tolerance, ROUNDING) if changed.arguments else entry.tolerance
    return compared(series, _flat(wanted, series), tolerance)


def _explained(series: Series, entry: library.Entry, chosen: library.Preset, changed: Changes) -> Series:
    """Return a series whose findings say what else must fit a grid or a block that is not the library's."""
    asked = (("grid", changed.grid, chosen.grid), ("block", changed.block, chosen.block))
    other = [f"{name} {_by(new)} in place of {_by(own)}" for name, new, own in asked if new is not None]
    meant = {finding.kind for run in series.launches for finding in run.findings} <= set(entry.findings)
    given = [name for name in chosen.args if name not in changed.arguments]
    if not other or meant or not given:
        return series
    return noted(series, f"{' and '.join(other)}: {', '.join(given)} may have to fit it")


def _by(extents: Sequence[int]) -> str:
    return "x".join(map(str, extents))


def _flat(arrays: Mapping[str, NDArray[np.generic]], series: Series) -> dict[str, NDArray[np.generic]]:
    """Return expected arrays flat, as far as the arrays of the run go."""
    return {name: array.reshape(-1)[: np.asarray(series.buffers[name]).size] for name, array in arrays.items()}


def _program(
    entry: library.Entry, launch: library.PresetLaunch, changes: Changes, fma: bool, predicate: bool, compiler: str,
    device: str | Path | Device,
) -> Program:  # fmt: skip
    source, kernel = changes.source or entry.source, changes.kernel or launch.kernel
    defines = {**entry.defines, **changes.defines}
    if compiler == "nvrtc":
        from warpview.run.nvrtc_targets import architecture_of

        return _by_nvrtc(source, kernel, tuple(defines.items()), fma, entry.path.parent, architecture_of(device))
    if compiler != "warpview":
        raise WarpviewError(f"there is no compiler '{compiler}': use 'warpview' or 'nvrtc'")
    return _compiled(source, kernel, tuple(defines.items()), fma, predicate, entry.path.parent)


@lru_cache(maxsize=64)
def _by_nvrtc(
    source: SourceText, kernel: str, defines: tuple[tuple[str, object], ...], fma: bool, folder: Path,
    architecture: int,
) -> Program:  # fmt: skip
    """Return the program as ``_compiled`` does, by NVRTC."""
    from warpview.run.nvrtc_program import compile_with_nvrtc

    return compile_with_nvrtc(source, kernel, dict(defines), architecture, fma=fma, include_folder=folder)


@lru_cache(maxsize=64)
def _compiled(
    source: SourceText,
    kernel: str,
    defines: tuple[tuple[str, object], ...],
    fma: bool,
    predicate: bool,
    folder: Path,
) -> Program:
    """Return one program for all launches of a kernel, for a series may have hundreds."""
    return frontend.compile_source(source, kernel, dict(defines), fma=fma, predicate=predicate, include_dir=folder)
