"""Generate kernel inputs from one grammar, in manifests and in ``warpview run --arg name=SPEC``.

A spec is a number, or ``kind:shape[:parameter]`` for a buffer. ``shape`` is a count, or extents joined by ``x``.
Everything is reproducible: the same spec gives the same values on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import WarpviewError
from warpview.files import regular_file

Array = NDArray[np.generic]
_MOST_BYTES = 1 << 31


@dataclass(frozen=True, eq=False)
class Blank:
    """Mark a buffer that nobody has written."""

    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]


Input = Array | Blank | int | float
Inputs = Mapping[str, Any]  # of an oracle: the arguments of a kernel, by name, arrays or numbers
Outputs = dict[str, Array]  # its expected results, by name


def hash32(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return a 32-bit hash of each value (xor-shift-multiply): it looks random and is the same everywhere."""
    x = values.astype(np.uint32)
    with np.errstate(over="ignore"):
        x ^= x >> np.uint32(16)
        x *= np.uint32(0x7FEB352D)
        x ^= x >> np.uint32(15)
        x *= np.uint32(0x846CA68B)
        x ^= x >> np.uint32(16)
    return x


def _hash(count: int, parameter: float | None) -> Array:
    modulus = int(parameter) if parameter else 1 << 31
    return hash32(np.arange(count, dtype=np.uint32)).astype(np.int64) % modulus


def _uniform(count: int, parameter: float | None) -> Array:
    """Return multiples of 2^-24 in [0, 1), which are exact in float32."""
    start = np.uint32(int(parameter or 0) * 0x9E3779B9 & 0xFFFFFFFF)
    bits = hash32(np.arange(count, dtype=np.uint32) + start)
    return (bits >> np.uint32(8)).astype(np.float64) / (1 << 24)


def _permutation(count: int, parameter: float | None) -> Array:
    return np.argsort(hash32(np.arange(count, dtype=np.uint32) + np.uint32(int(parameter or 0))), kind="stable")


def _skewed(count: int, parameter: float | None) -> Array:
    """Return numbers of bins: half of them are 0, a quarter 1, and so on."""
    bits = hash32(np.arange(count, dtype=np.uint32)) | np.uint32(1 << 31)
    lowest = bits & (~bits + np.uint32(1))
    return np.minimum(np.log2(lowest).astype(np.int64), int(parameter or 32) - 1)


# kind -> values of ``count`` elements; the result is converted to the parameter's type.
KINDS: dict[str, Callable[[int, float | None], Array]] = {
    "zeros": lambda count, _: np.zeros(count),
    "ones": lambda count, _: np.ones(count),
    "constant": lambda count, value: np.full(count, value or 0),
    "iota": lambda count, step: np.arange(count, dtype=np.int64) * int(step or 1),
    "reversed": lambda count, _: np.arange(count, dtype=np.int64)[::-1],
    "hash": _hash,
    "dice": lambda count, sides: _hash(count, sides) + 1,
    "uniform": _uniform,
    "permutation": _permutation,
    "skewed": _skewed,
}


def make_input(spec: str, dtype: np.dtype[np.generic]) -> Input:
    """Return the value that ``spec`` describes; buffers have element type ``dtype``.

    Raises WarpviewError where the spec means nothing.
    """
    kind, colon, rest = spec.strip().partition(":")
    if not colon:
        return _number(spec)
    if kind == "file":
        return _from_file(rest, dtype)
    if kind not in KINDS and kind != "blank":
        raise WarpviewError(f"'{spec}': there is no input kind '{kind}'; use {', '.join([*KINDS, 'blank', 'file'])}")
    size, _, parameter = rest.partition(":")
    shape = _shape(spec, size)
    if int(np.prod(shape)) * dtype.itemsize > _MOST_BYTES:
        raise WarpviewError(f"'{spec}' is larger than 2 GiB")
    if kind == "blank":
        return Blank(shape, dtype)
    values = KINDS[kind](int(np.prod(shape)), _parameter(spec, parameter))
    return values.astype(dtype).reshape(shape)


def _number(text: str) -> int | float:
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise WarpviewError(f"'{text}' is neither a number nor KIND:COUNT (such as iota:1024)") from None


def _shape(spec: str, text: str) -> tuple[int, ...]:
    parts = text.split("x")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise WarpviewError(f"'{spec}': '{text}' is not a number of elements")
    return tuple(int(part) for part in parts)


def _parameter(spec: str, text: str) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise WarpviewError(f"'{spec}': '{text}' is not a number") from None


def _from_file(name: str, dtype: np.dtype[np.generic]) -> Array:
    """Return the array of a ``.npy`` file, with elements of type ``dtype`` where they can be converted safely."""
    array = array_of_file(name)
    if not np.can_cast(array.dtype, dtype, "same_kind"):
        raise WarpviewError(f"{name} holds {array.dtype} where {dtype} is wanted")
    return np.array(array, dtype=dtype)


def array_of_file(name: str) -> Array:
    """Return the array of a ``.npy`` file, mapped into memory. Raises WarpviewError where it holds none."""
    path = regular_file(Path(name), _MOST_BYTES)
    try:
        # Mapped, so that a header that promises more than the file holds costs nothing.
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, MemoryError, OverflowError, TokenError) as error:
        reason = "it is not a .npy file of numbers" if "pickle" in str(error) or "objects" in str(error) else error
        raise WarpviewError(f"cannot read {name} as a numpy file: {reason}") from None
    if not isinstance(array, np.ndarray):
        array.close()
        raise WarpviewError(f"{name} holds several arrays; give a .npy file of one")
    if array.size == 0:
        raise WarpviewError(f"{name} holds an array without elements")
    return array
