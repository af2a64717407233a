"""Lay out a struct that a kernel takes by value and of which only the size is known, as machine code alone tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from warpview.diagnostics import LaunchError

INT32 = np.iinfo(np.int32)
Place = Callable[[str, object], int | None]
"""returns the address of the buffer that a field's value is, given the field's path; None where it is none"""


def packed(path: str, value: object, size: int, place: Place) -> bytes:
    """Return the bytes of a struct as C lays it out, from its fields in order: a dict, list or tuple of them.

    NumPy's numbers have their own sizes, an int is a C ``int`` where it fits and else a ``long long``, a float a
    ``float``, and a buffer a pointer. A dict by number has the words of the struct, one behind the other. A NumPy
    record and bytes are taken as they are. Raises LaunchError where the bytes are not ``size`` in number.
    """
    raw = _own_bytes(value)
    found, align = (raw, 1) if raw is not None else _fields(path, value, place)
    found += bytes(-len(found) % align)
    if len(found) != size:
        hint = "give its fields in order, with NumPy's numbers where C's types are not int and float"
        raise LaunchError(f"parameter '{path}' is a struct of {size} bytes, and these are {len(found)}: {hint}")
    return found


def word(path: str, value: int, size: int) -> bytes:
    """Return an integer, signed or not, as ``size`` bytes. Raises LaunchError where it needs more."""
    bits = 8 * size
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise LaunchError(f"parameter '{path}' has {size} bytes, too few for {value}")
    return (value & (1 << bits) - 1).to_bytes(size, "little")


def _own_bytes(value: object) -> bytes | None:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    is_record = isinstance(value, np.void) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return value.tobytes() if is_record else None  # type: ignore[attr-defined]


def _items(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield the fields of a struct with their paths."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield f"{path}.{name}" if isinstance(name, str) else f"{path}[{name}]", part
    elif isinstance(value, list | tuple):
        for k, part in enumerate(value):
            yield f"{path}[{k}]", part
    else:
        raise LaunchError(f"parameter '{path}' is a struct: pass a dict of its fields in order, not {value!r}")


def _fields(path: str, value: object, place: Place) -> tuple[bytes, int]:
    """Return the bytes of fields, each at its alignment, and the alignment of the whole."""
    result, strictest = b"", 1
    is_words = isinstance(value, Mapping) and all(isinstance(key, int) for key in value)
    for name, part in _items(path, value):
        field, align = _field(name, part, place)
        align = 1 if is_words else align
        result += bytes(-len(result) % align) + field
        strictest = max(strictest, align)
    return result, strictest


def _field(path: str, value: object, place: Place) -> tuple[bytes, int]:
    address = place(path, value)
    if address is not None:
        return address.to_bytes(8, "little"), 8
    if isinstance(value, bool | np.bool_):
        return bytes([int(value)]), 1
    if isinstance(value, np.number):
        return value.tobytes(), value.dtype.alignment
    if isinstance(value, int):
        size = 4 if INT32.min <= value <= INT32.max else 8
        return word(path, value, size), size
    if isinstance(value, float):
        return np.float32(value).tobytes(), 4
    inner, align = _fields(path, value, place)
    return inner + bytes(-len(inner) % align), align
