"""The ticks of an axis are told apart at every zoom."""

from __future__ import annotations

from itertools import pairwise

import pyqtgraph as pg
import pytest
from PySide6.QtGui import QFont, QPainter, QPicture
from pytestqt.qtbot import QtBot

from warpview.ui.drawing.plot import NamesAxis, NumberAxis
from warpview.ui.views.timeline.timeline_model import cycle_names
from warpview.ui.views.timeline.timeline_states import Window


def test_large_names_do_not_lie_over_the_label_of_the_axis(qtbot: QtBot) -> None:
    axis, scene = NamesAxis("bottom"), pg.GraphicsScene()
    scene.addItem(axis)
    axis.setLabel("cycle")
    axis.setTickFont(QFont("Inter", 20))
    axis.setGeometry(0.0, 0.0, 600.0, axis.minimumHeight())
    axis.show_names([(0.5, "1\u202f000")])
    picture = QPicture()  # which a painter does not hold
    with QPainter(picture) as painter:
        _, _, texts = axis.generateDrawSpecs(painter)
    label = axis.label.mapRectToParent(axis.label.boundingRect())
    assert texts[0][0].bottom() < label.center().y()


@pytest.mark.parametrize(
    ("low", "high", "ticks", "texts"),
    [
        (0, 6e6, [0, 2e6, 4e6], ["0", "2 M", "4 M"]),
        (5_480_000, 5_481_000, [5_480_200, 5_480_400], ["5\u202f480\u202f200", "5\u202f480\u202f400"]),
        (0.0, 1.0, [0.25, 0.5], ["0.25", "0.5"]),
        (0, 180_000, [50_000, 100_000], ["50 k", "100 k"]),
        (879_000, 879_060, [879_020, 879_040], ["879\u202f020", "879\u202f040"]),
    ],
)
def test_ticks_have_the_digits_that_tell_them_apart(
    qtbot: QtBot, low: float, high: float, ticks: list[float], texts: list[str]
) -> None:
    axis = NumberAxis("bottom")
    axis.setRange(low, high)
    assert axis.tickStrings(ticks, 1.0, ticks[1] - ticks[0]) == texts


def test_ticks_of_a_logarithmic_axis_have_thousands_beside_thousands(qtbot: QtBot) -> None:
    axis = NumberAxis("left")
    axis.setLogMode(x=False, y=True)
    for top, texts in ((6.1, ["1 k", "10 k", "1 M"]), (4.8, ["1\u202f000", "10\u202f000", "1 M"])):
        axis.setRange(2.0, top)
        assert axis.tickStrings([3.0, 4.0, 6.0], 1.0, 1.0) == texts


def test_texts_do_not_touch_below_a_narrow_plot(qtbot: QtBot) -> None:
    axis, scene = NumberAxis("bottom"), pg.GraphicsScene()
    scene.addItem(axis)
    axis.setTickFont(QFont("Inter", 10))
    axis.setRange(0.0, 1.02e6)
    for width, texts in ((400.0, ["200 k", "400 k", "600 k", "800 k"]), (186.0, ["", "400 k", "", "800 k"])):
        axis.setGeometry(0.0, 0.0, width, 40.0)
        assert axis.tickStrings([2e5, 4e5, 6e5, 8e5], 1.0, 2e5) == texts


def test_the_cycles_of_the_timeline_are_round_and_no_number_is_cut_at_the_ends(qtbot: QtBot) -> None:
    names = cycle_names(Window(1_000_000.0, 12_000.0), 600.0, 15.0)
    assert [name for _, name in names][:2] == ["1\u202f000\u202f000", "1\u202f002\u202f000"]
    axis, scene = NamesAxis("bottom"), pg.GraphicsScene()
    scene.addItem(axis)
    axis.setTickFont(QFont("Inter", 10))
    axis.setRange(1_000_000.0, 1_012_000.0)
    axis.setGeometry(0.0, 0.0, 600.0, 40.0)
    axis.show_names(names)
    picture = QPicture()  # which a painter does not hold
    with QPainter(picture) as painter:
        _, ticks, texts = axis.generateDrawSpecs(painter)
    boxes = [box for box, _, _ in texts]
    assert boxes[0].left() == 0.0
    assert boxes[-1].right() <= 600.0
    assert all(left.right() < right.left() for left, right in pairwise(boxes))
    assert [start.x() for _, start, _ in ticks] == pytest.approx([600 * (at - 1e6) / 12_000 for at, _ in names])
