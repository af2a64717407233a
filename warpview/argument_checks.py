"""Check the types of arguments of the public functions; raise LaunchError with a sentence that names each."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from warpview.diagnostics import LaunchError

Kind = TypeVar("Kind")
LARGEST = (1 << 63) - 1


def instance(value: Kind, kinds: type | tuple[type, ...], what: str, wanted: str) -> Kind:
    """Return ``value`` if it is of one of some kinds. ``what`` names it in the message, ``wanted`` what it must be."""
    if not isinstance(value, kinds):
        raise LaunchError(f"{what} must be {wanted}, not {value!r}")
    return value


def function_or_none(value: object, what: str) -> None:
    """Check that ``value`` can be called, or is None."""
    if value is not None and not callable(value):
        raise LaunchError(f"{what} must be a function, not {value!r}")


def whole_number(value: object, what: str, least: int, most: int = LARGEST) -> int:
    """Return ``value`` as an int; anything with ``__index__`` will do. ``what`` names it in the message."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise LaunchError(f"{what} must be a whole number, not {value!r}") from None
    if not least <= number <= most:
        bounds = f"at least {least}" if number < least else f"at most {most}"
        raise LaunchError(f"{what} must be {bounds}, not {number}")
    return number


def truth_value(value: object, what: str) -> bool:
    """Return ``value`` if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise LaunchError(f"{what} must be True or False, not {value!r}")
    return bool(value)


def named_values(value: Mapping[str, Kind] | None, what: str, kind: str = "arrays") -> Mapping[str, Kind]:
    """Return a mapping by name; None is an empty one. ``kind`` says in the message of what it is."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise LaunchError(f"{what} must be a dict of {kind} by name, not {value!r}")
    return value
