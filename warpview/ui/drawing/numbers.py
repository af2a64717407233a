"""Write numbers, sizes and times as plots and texts show them. Qt-free."""

from __future__ import annotations

# From which number on a unit is used, its factor and its suffix.
_UNITS = ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e5, 1e3, " k"))


def short(value: float | int | None, largest: float | None = None, all_digits: bool = False) -> str:
    """Return a number that fits beside a bar: 1 234, 56.7 k, 4.19 M; '–' for None. It has the unit that suits the
    ``largest`` of those that it stands among, unless it is less than a hundredth of that unit, or than a thousand. With
    ``all_digits`` there are three of them, also where the last are 0: 11.0 M, as beside 4.19 M."""
    if value is None:
        return "–"
    factor, suffix = _unit(max(abs(value), abs(largest or 0)))
    if abs(value) < max(factor / 100, 1000):
        factor, suffix = _unit(abs(value))
    whole = value == 0 or abs(value) >= 1000 or isinstance(value, int) or (value.is_integer() and not all_digits)
    if whole and not suffix:
        return f"{value:,.0f}".replace(",", "\u202f")
    return f"{value / factor:{'#.3g' if all_digits else '.3g'}}".rstrip(".") + suffix


def _unit(value: float) -> tuple[float, str]:
    """Return the factor and the suffix that suit a number."""
    return next(((factor, suffix) for limit, factor, suffix in _UNITS if value >= limit), (1.0, ""))


def byte_count(size: float) -> str:
    """Return a number of bytes with a unit of 1024: 512 B, 2.5 KiB, 60 MiB."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.3g} {unit}" if unit != "B" else f"{size:.0f} B"
        size /= 1024
    return f"{size:.3g} GiB"


def duration(microseconds: float | None) -> str:
    """Return a time with the unit that suits: 2.22 µs, 8.05 ms; '–' for None."""
    if microseconds is None:
        return "–"
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:.4g} {unit}"
    return f"{microseconds:.3g} µs"
