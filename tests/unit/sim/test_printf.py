"""printf formats give what C gives."""

from __future__ import annotations

import pytest

from warpview.sim.printf import format_print


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("%d of %d", (3, -4), "3 of -4"),
        ("%5.2f|%-6d|", (1.005, 7), " 1.00|7     |"),
        ("%u %x", (-1, -1), "4294967295 ffffffff"),
        ("%lld %llu", (-1, -(1 << 40)), f"-1 {(1 << 64) - (1 << 40)}"),
        ("%c%%", (65,), "A%"),
        ("%p", (255,), "0xff"),
        ("%s", ("name",), "name"),
        ("%d", (), "?"),
        ("%e", (12.5,), "1.250000e+01"),
    ],
)
def test_formats(template: str, values: tuple[int | float | str, ...], text: str) -> None:
    assert format_print(template, values) == text
