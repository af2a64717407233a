"""Compare the arrays of a run with their expected values, and tell of the first element that differs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpview.diagnostics import LaunchError
from warpview.isa.types import Space
from warpview.library.comparison import differing
from warpview.run.result import Run, Series
from warpview.sim.checks.findings import Finding
from warpview.sim.launch import FindingKind

Array = NDArray[np.generic]
ELEMENTS_KEPT = 8


def expected_arrays(expect: Mapping[str, ArrayLike], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    """Return the expected arrays by name, flat; ``shapes`` are those of the arrays that the launch has.

    Raises LaunchError for a name that no pointer parameter has, for more elements than the array has, and for what is
    no array of numbers.
    """
    arrays = {}
    for name, values in expect.items():
        shape = shapes.get(str(name))
        if shape is None:
            known = ", ".join(shapes) or "none"
            raise LaunchError(f"expect: the launch has no array '{name}' (it has: {known})")
        try:
            array = np.asarray(values)
        except ValueError:
            raise LaunchError(f"expect: '{name}' must be an array of numbers") from None
        if array.dtype.kind not in "biuf":
            raise LaunchError(f"expect: '{name}' must be an array of numbers, not of {array.dtype}")
        if array.size > math.prod(shape):
            raise LaunchError(f"expect: '{name}' has {math.prod(shape)} elements, not {array.size}")
        arrays[str(name)] = array.reshape(-1)
    return arrays


def compared(series: Series, expected: Mapping[str, Array], tolerance: float | None) -> Series:
    """Return a series whose last run has a finding where an array is not as expected.

    ``tolerance`` is the largest error allowed, relative to values above 1 and absolute below; None allows rounding
    errors of floating-point numbers (library.comparison.TOLERANCES) and nothing else.
    """
    last = series.launches[-1]
    if last.aborted or not expected or any(run.sample < 1 for run in series.launches):
        return series
    if last.rerun is not None:
        last = replace(last, rerun=replace(last.rerun, expected=expected))
    for name, wanted in expected.items():
        finding = wrong_result(last, name, np.asarray(series.buffers[name]).reshape(-1), wanted, tolerance)
        if finding is not None:
            last = replace(last, findings=(*last.findings, finding))
            break
    return Series((*series.launches[:-1], last))


def wrong_result(run: Run, name: str, found: Array, wanted: Array, tolerance: float | None) -> Finding | None:
    """Return the finding about the first element of an array of a run that differs, None if all are right."""
    found = found[: wanted.size]
    wrong = np.flatnonzero(differing(found, wanted, tolerance))
    if not len(wrong):
        return None
    at = int(wrong[0])
    writer = run.who_wrote(name, at) if run.rerun is not None else None
    differ = "1 element differs" if len(wrong) == 1 else f"{len(wrong)} of {wanted.size} elements differ"
    message = f"'{name}[{at}]' is {found[at]} instead of {wanted[at]} ({differ})"
    kind, address = FindingKind.WRONG_RESULT, 0
    if run.rerun is not None:
        bound = run.rerun.buffers[name]
        address = bound.allocation.base + at * bound.dtype.itemsize
        kind = kind if writer is not None else FindingKind.NEVER_WRITTEN
        message += f"; {writer}" if writer is not None else "; no thread wrote it"
    is_own = writer is not None and writer.launch == len(run.rerun.launches) - 1 if run.rerun is not None else False
    pc = writer.pc if writer is not None and is_own else 0
    return Finding(
        kind.words, message, writer.span if writer is not None else run.program.instructions[0].span, pc,
        writer.block if writer is not None else (0, 0, 0), writer.thread if writer is not None else (0, 0, 0), address,
        value=found[at].item(), elements=tuple(f"{name}[{k}]" for k in wrong[:ELEMENTS_KEPT]),
        n_elements=len(wrong), expected=wanted[at].item(), step=writer.step if writer is not None else None,
        space=Space.GLOBAL,
    )  # fmt: skip
