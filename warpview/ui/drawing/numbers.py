"""Write numbers as plots and their texts show them. Qt-free."""

from __future__ import annotations


def short(value: float | int | None) -> str:
    """Return a number that fits beside a bar: 1 234, 56.7 k, 4.19 M; '–' for None."""
    if value is None:
        return "–"
    for limit, factor, suffix in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e5, 1e3, " k")):
        if abs(value) >= limit:
            return f"{value / factor:.3g}{suffix}"
    whole = float(value).is_integer() or abs(value) >= 1000
    return f"{value:,.0f}".replace(",", "\u202f") if whole else f"{value:.3g}"
