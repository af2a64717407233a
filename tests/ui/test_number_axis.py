"""The ticks of an axis are told apart at every zoom."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from warpview.ui.drawing.plot import NumberAxis


@pytest.mark.parametrize(
    ("low", "high", "ticks", "texts"),
    [
        (0, 6e6, [0, 2e6, 4e6], ["0", "2 M", "4 M"]),
        (5_480_000, 5_481_000, [5_480_200, 5_480_400], ["5\u202f480\u202f200", "5\u202f480\u202f400"]),
        (0.0, 1.0, [0.25, 0.5], ["0.25", "0.5"]),
        (879_000, 879_060, [879_020, 879_040], ["879\u202f020", "879\u202f040"]),
    ],
)
def test_ticks_have_the_digits_that_tell_them_apart(
    qtbot: QtBot, low: float, high: float, ticks: list[float], texts: list[str]
) -> None:
    axis = NumberAxis("bottom")
    axis.setRange(low, high)
    assert axis.tickStrings(ticks, 1.0, ticks[1] - ticks[0]) == texts
