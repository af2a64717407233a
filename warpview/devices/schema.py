"""Turn each TOML value of a device file into an attribute, or say what is wrong with the value."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

from warpview.isa.ops import Unit

Rule = Callable[[object], Any]  # returns the converted value, raises ValueError("must be ...")


class Cache(NamedTuple):
    """A cache has ``bytes`` in all, in lines of ``line`` bytes with a tag each, filled in pieces of ``sector``
    bytes. Where it is ``hashed``, no stride of addresses maps to only a few of its sets. Lines that were used again
    since they came are the last to be replaced, up to ``kept`` of a set. There may be more tags: for ``tagged`` bytes.
    """

    bytes: int
    line: int
    sector: int
    ways: int
    hashed: bool = False
    kept: int = 0
    tagged: int = 0

    @property
    def sets(self) -> int:
        return max(self.bytes, self.tagged) // (self.line * self.ways)

    @property
    def lines(self) -> int:
        """Return how many lines have room at a time: of tags for as many, one for each way."""
        return self.bytes // self.line if self.tagged else self.sets * self.ways


def fact(section: str, rule: Rule, key: str = "", default: Any = dataclasses.MISSING) -> Any:
    """Return a dataclass field that is read from ``[section] key`` of a device file; ``key`` is the field's name if
    empty, and the whole section where it is "*"."""
    return dataclasses.field(default=default, metadata={"section": section, "key": key, "rule": rule})


def integer(low: int, high: int) -> Rule:
    """Return a rule for whole numbers between two bounds, both allowed."""

    def rule(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, not {value!r}")
        return value

    return rule


def number(low: float, high: float) -> Rule:
    """Return a rule for numbers between two bounds, both allowed."""

    def rule(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"must be a number from {low:g} to {high:g}, not {value!r}")
        return float(value)

    return rule


def choice(*names: str) -> Rule:
    """Return a rule for one of a few words."""

    def rule(value: object) -> str:
        if value not in names:
            raise ValueError(f"must be one of {', '.join(map(repr, names))}, not {value!r}")
        return str(value)

    return rule


def flag(value: object) -> bool:
    """Accept true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def text(value: object) -> str:
    """Accept a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"must be a text, not {value!r}")
    return value


def version(value: object) -> tuple[int, int]:
    """Accept a compute capability such as "7.5"."""
    parts = value.split(".") if isinstance(value, str) else []
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise ValueError(f'must be a compute capability such as "7.5", not {value!r}')
    return int(parts[0]), int(parts[1])


def integers(rule: Rule, length: int = 0) -> Rule:
    """Return a rule for lists of values that each pass ``rule``, of exactly ``length`` where that is given."""

    def check(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or (length and len(value) != length):
            raise ValueError(f"must be a list of {length or 'some'} whole numbers, not {value!r}")
        return tuple(rule(item) for item in value)

    return check


def by_unit(low: int, high: int) -> Rule:
    """Return a rule for tables with a whole number for each execution unit; the result is indexed by
    ``isa.ops.Unit``."""
    names = [unit.name.lower() for unit in Unit]
    one = integer(low, high)

    def check(value: object) -> tuple[int, ...]:
        assert isinstance(value, dict)
        for name in value:
            if name not in names:
                raise ValueError(f"has no unit {name!r}; the units are {', '.join(names)}")
        missing = [name for name in names if name not in value]
        if missing:
            raise ValueError(f"lacks {', '.join(missing)}")
        result = []
        for name in names:
            try:
                result.append(one(value[name]))
            except ValueError as error:
                raise ValueError(f"{name} {error}") from None
        return tuple(result)

    return check


def cache(value: object) -> Cache:
    """Accept a table {bytes, line, sector, ways} whose numbers fit together, and those that a Cache may have."""
    numbers, more = Cache._fields[:4], Cache._fields[4:]
    if not isinstance(value, dict) or {*value, *more} != set(Cache._fields):
        raise ValueError(f"must be a table of {', '.join(numbers)}, and {', '.join(more)} perhaps, not {value!r}")
    one, perhaps = integer(1, 1 << 30), integer(0, 1 << 30)
    geometry = Cache(
        **{name: one(value[name]) for name in numbers}, hashed=flag(value.get("hashed", False)),
        kept=perhaps(value.get("kept", 0)), tagged=perhaps(value.get("tagged", 0)),
    )  # fmt: skip
    held = geometry.tagged or geometry.bytes
    if geometry.line % geometry.sector or held % (geometry.line * geometry.ways) or geometry.kept >= geometry.ways:
        raise ValueError("must hold a whole number of sets, and a line a whole number of sectors")
    return geometry
