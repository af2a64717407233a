"""The bars of a comparison, without a window."""

import pytest

from warpview.ui.drawing.picture import Box, plain_measure
from warpview.ui.panels import bars_model
from warpview.ui.panels.comparison_model import BY_NAME, TELLING, WIDEST, charts, difference, left_out
from warpview.ui.session.backend import Measured

UNIT = 15.0
LONG = "Thread x along the columns of a tile with one row more than banks"


def _runs(*titles):
    return [
        Measured(
            title, "k", "h200", {"inst_executed": 1234567 - n, "divergent_branches": 8 * n, "barriers": 100 // (n + 1)}
        )
        for n, title in enumerate(titles)
    ]


@pytest.mark.parametrize("width", [500, 900, 1500])
@pytest.mark.parametrize("titles", [("a", "b"), (LONG, "b", "c")])
def test_every_name_is_whole_and_nothing_overlaps(picture, width, titles):
    made = charts(_runs(*titles))
    height = bars_model.height(made, width, UNIT, plain_measure)
    drawn = picture(width, height, UNIT)
    bars_model.draw(drawn, Box(0, 0, width, height), made)
    boxes = drawn.text_boxes()
    if width > 500:
        assert sum(text in titles for text, _ in boxes) == len(titles) * len(made)
    assert all(box.x >= 0 and box.right <= width + 1 and box.bottom <= height for _, box in boxes)
    assert not [(s, t) for n, (s, a) in enumerate(boxes) for t, b in boxes[n + 1 :] if a.overlaps(b)]


def test_as_many_boxes_beside_one_another_as_names_leave_room_for():
    short, long = charts(_runs("a", "b")), charts(_runs(LONG, "b"))
    assert bars_model.layout(short, 1200, UNIT, plain_measure).columns == 3
    assert bars_model.layout(long, 1200, UNIT, plain_measure).columns == 1


def test_a_bar_says_its_number_in_full():
    made = next(c for c in charts(_runs("a", "b")) if c.key == "inst_executed")
    assert "1\u202f234\u202f566 instructions" in bars_model.words(made, made.bars[1])
    assert bars_model.words(made, made.bars[1]).endswith("the same as a")
    barriers = next(c for c in charts(_runs("a", "b")) if c.key == "barriers")
    assert bars_model.words(barriers, barriers.bars[1]).endswith("−50 % against a")
    unknown = next(c for c in charts([*_runs("a"), Measured("b", "k", "h200", {})]) if c.key == "barriers")
    assert "is not known there" in bars_model.words(unknown, unknown.bars[1])


def test_orders():
    def keys(order):
        return [chart.key for chart in charts(_runs("a", "b"), order=order)]

    assert keys(TELLING) == ["inst_executed", "divergent_branches", "barriers"]
    assert keys(WIDEST) == ["divergent_branches", "barriers", "inst_executed"]
    assert keys(BY_NAME) == ["barriers", "divergent_branches", "inst_executed"]


def test_what_cannot_run_takes_one_line():
    out = [Measured(t, "k", "d", {}, f"{t} needs more") for t in ("a", "b")]
    assert left_out([*_runs("c"), *out]) == "Left out, 2 that cannot run: a · b"
    assert left_out(out[:1]) == "Left out: a (a needs more)"
    assert left_out(_runs("c")) == ""


@pytest.mark.parametrize(
    ("first", "value", "text"), [(100, 138, "+38 %"), (100, 1100, "11×"), (3, 24576, "8\u202f190×"), (0, 5, "")]
)
def test_differences(first, value, text):
    assert difference(first, value) == text
