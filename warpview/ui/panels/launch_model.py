"""Write launch fields as text, and read them: extents such as '4', '4×2' or '4,2,1', and the number of elements."""

from __future__ import annotations

import re
from collections.abc import Mapping

from warpview.diagnostics import LaunchError
from warpview.sim.launch import Dim3


def extent(text: str, what: str, most: int | None = None) -> Dim3:
    """Return '4', '4x2' or '4, 2' as three numbers, in all not more than ``most``; LaunchError says what is wrong."""
    parts = [p for p in re.split(r"[x×,;\s]+", text.strip()) if p]
    if not 1 <= len(parts) <= 3 or not all(p.isdigit() and int(p) > 0 for p in parts):
        raise LaunchError(f"{what} '{text}' is not one to three whole numbers, such as 4 or 16×16")
    x, y, z = [*map(int, parts), 1, 1][:3]
    if most is not None and x * y * z > most:
        raise LaunchError(f"{what} '{text}' is {x * y * z} threads; the device takes {most}")
    return (x, y, z)


def whole(text: str, what: str) -> int:
    """Return '512' as a number; LaunchError says what is wrong with it."""
    if not re.fullmatch(r"\d+", text.strip()):
        raise LaunchError(f"{what} '{text}' is not a whole number")
    return int(text)


def number(text: str, what: str) -> str:
    """Return a scalar argument as it is given to the kernel; LaunchError if it is no number."""
    try:
        float(text)
    except ValueError:
        raise LaunchError(f"{what} '{text}' is not a number") from None
    return text.strip()


def shown(dims: Dim3) -> str:
    """Write (4, 1, 1) as '4', (16, 16, 1) as '16×16'."""
    kept = list(dims)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return "×".join(map(str, kept))


def is_number(spec: str) -> bool:
    return re.fullmatch(r"-?\d+", spec.strip()) is not None


def scalars(arguments: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments that are plain whole numbers: those worth a field of their own."""
    return {name: spec for name, spec in arguments.items() if is_number(spec)}


def with_scalar(arguments: Mapping[str, str], name: str, value: str) -> dict[str, str]:
    """Return the arguments with another value of a scalar one. Buffers of as many elements grow or shrink with it."""
    old = arguments[name]
    result = dict(arguments)
    if is_number(old) and is_number(value):
        for other, spec in arguments.items():
            if not is_number(spec):
                result[other] = re.sub(rf"(?<=:){re.escape(old.strip())}(?=:|$)", value.strip(), spec)
    result[name] = value.strip()
    return result
