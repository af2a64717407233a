"""Make the arguments of library kernels from their manifests, and compare the results with numpy's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import WarpviewError
from warpview.library.comparison import differing
from warpview.library.inputs import Input, make_input
from warpview.library.manifest import Entry, ManifestError, PresetLaunch
from warpview.library.oracles import ORACLES

Buffers = Mapping[str, NDArray[np.generic]]


def launch_arguments(
    entry: Entry, preset: str, overrides: Mapping[str, str] | None = None
) -> tuple[dict[str, Input], ...]:
    """Return the arguments of every launch of a preset, by parameter name.

    A buffer that several launches share is one object. ``overrides`` replace the specs of the first launch's
    parameters. Raises WarpviewError for an override of a parameter that does not exist.
    """
    chosen = entry.preset(preset)
    known: dict[str, Input] = {
        name: _typed_input(f"{entry.key}: {name}", spec) for name, spec in chosen.buffers.items()
    }
    given = dict(overrides or {})
    result = []
    for launch in chosen.launches:
        values = {name: _value(entry, name, spec, known, given) for name, spec in launch.args.items()}
        known = {**values, **known}
        result.append(values)
    unused = [name for name in given if not any(name in values for values in result)]
    if unused:
        raise WarpviewError(no_parameter(entry.key, unused[0], result[0]))
    return tuple(result)


def no_parameter(kernel: str, name: str, known: Iterable[str]) -> str:
    """Return the message about a parameter that a kernel does not have."""
    return f"{kernel} has no parameter '{name}' (it has: {', '.join(known) or 'none'})"


def arguments(entry: Entry, preset: str, overrides: Mapping[str, str] | None = None) -> dict[str, Input]:
    """Return the arguments of a preset's first launch."""
    return launch_arguments(entry, preset, overrides)[0]


def _value(entry: Entry, name: str, spec: str, known: Mapping[str, Input], overrides: Mapping[str, str]) -> Input:
    if spec.startswith("@"):
        if spec[1:] not in known:
            raise ManifestError(f"{entry.key}: '{name}' refers to '{spec[1:]}', which no launch has named")
        return known[spec[1:]]
    if name not in overrides:
        return _typed_input(f"{entry.key}: {name}", spec)
    dtype = np.dtype(spec.split(" ")[0]) if " " in spec else np.dtype(np.int32)
    return make_input(overrides[name], dtype)


def _typed_input(where: str, spec: str) -> Input:
    """Return a manifest's spec: a number, or "dtype kind:shape[:parameter]"."""
    dtype, space, rest = spec.partition(" ")
    if not space:
        return make_input(spec, np.dtype(np.int32))
    try:
        return make_input(rest, np.dtype(dtype))
    except TypeError:
        raise ManifestError(f"{where}: '{dtype}' is not an element type") from None


def constants(entry: Entry, preset: str) -> dict[str, NDArray[np.generic]]:
    """Return the contents of the kernel's ``__constant__`` variables, by name."""
    values = {name: _typed_input(f"{entry.key}: {name}", spec) for name, spec in entry.preset(preset).constants.items()}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def expected(
    entry: Entry, preset: str, launches: Sequence[Mapping[str, Input]], grid: Sequence[int] | None = None,
    block: Sequence[int] | None = None,
) -> dict[str, NDArray[np.generic]]:  # fmt: skip
    """Return the outputs that numpy expects after the last launch, by parameter name. ``grid`` and ``block`` replace
    those of the preset."""
    if entry.oracle not in ORACLES:
        raise ManifestError(f"{entry.key}: there is no oracle '{entry.oracle}'")
    return ORACLES[entry.oracle](_inputs(entry, preset, launches), _first(entry, preset, grid, block))


def expected_of_changed(
    entry: Entry, preset: str, launches: Sequence[Mapping[str, Input]], grid: Sequence[int] | None,
    block: Sequence[int] | None, changed: Collection[str],
) -> dict[str, NDArray[np.generic]]:  # fmt: skip
    """Return ``expected`` of ``changed`` arguments and extents that are not the library's.

    It is empty where numpy cannot tell: where the sizes of arrays do not fit one another, or the oracle takes no notice
    of an argument that was changed.
    """
    inputs = _ReadInputs(_inputs(entry, preset, launches))
    try:
        with np.errstate(all="ignore"):
            found = ORACLES[entry.oracle](inputs, _first(entry, preset, grid, block))
    except (ValueError, IndexError, TypeError, AttributeError, ArithmeticError):
        return {}
    return found if inputs.read.issuperset(set(changed) - set(found)) else {}


class _ReadInputs(dict[str, Any]):
    """Hold inputs, and note which of them are read."""

    def __init__(self, inputs: Mapping[str, Any]) -> None:
        super().__init__(inputs)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


def _inputs(entry: Entry, preset: str, launches: Sequence[Mapping[str, Input]]) -> dict[str, Any]:
    """Return the arguments of all launches and the constants; the first launch that names a buffer knows its initial
    contents."""
    inputs: dict[str, Any] = {**constants(entry, preset)}
    for values in launches:
        inputs = {**values, **inputs}
    return inputs


def _first(entry: Entry, preset: str, grid: Sequence[int] | None, block: Sequence[int] | None) -> PresetLaunch:
    own = entry.preset(preset).launches[0]
    return replace(own, grid=tuple(grid or own.grid), block=tuple(block or own.block))


def mismatch(entry: Entry, preset: str, launches: Sequence[Mapping[str, Input]], buffers: Buffers) -> str | None:
    """Return a sentence that says where the buffers differ from numpy's result; None where they do not."""
    for name, wanted in expected(entry, preset, launches).items():
        sentence = _difference(name, np.asarray(buffers[name]).reshape(-1), wanted.reshape(-1), entry.tolerance)
        if sentence:
            return sentence
    return None


def _difference(name: str, found: NDArray[np.generic], wanted: NDArray[np.generic], tolerance: float) -> str | None:
    if found.size < wanted.size:
        return f"'{name}' has {found.size} elements instead of {wanted.size}"
    found = found[: wanted.size]
    wrong = differing(found, wanted, tolerance)
    if not wrong.any():
        return None
    at = int(np.argmax(wrong))
    count = int(wrong.sum())
    return (
        f"'{name}' differs from numpy at index {at}: {found[at]} instead of {wanted[at]} "
        f"({count} of {wanted.size} elements differ)"
    )
