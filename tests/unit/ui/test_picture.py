from itertools import pairwise

import pytest

from warpview.ui.drawing.brush import cubic_path, partial, partial_cubic
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, s_curve


def test_text_is_shrunk_then_cut_to_its_room():
    p = Picture(100, 100, 10)
    whole = p.size_of("a long sentence", 10)
    assert p.fit("a long sentence", whole, 10, 5) == ("a long sentence", 10)
    text, size = p.fit("a long sentence", 0.8 * whole, 10, 5)
    assert text == "a long sentence"
    assert 5 < size < 10
    text, size = p.fit("a long sentence", 0.3 * whole, 10, 8)
    assert text.endswith("…")
    assert size == 8
    assert p.size_of(text, size) <= 0.3 * whole
    assert p.fit("word", 0.5, 10, 10)[0] == ""


def test_text_returns_the_box_it_takes():
    p = Picture(100, 100, 10)
    left, middle, right = (p.text(50, 20, "abc", align=a) for a in (-1, 0, 1))
    assert left.x == 50
    assert middle.cx == 50
    assert right.right == 50
    assert p.text(50, 20, "abc", room=0.1).w == 0


def test_the_topmost_hot_place_answers_and_regions_are_asked():
    p = Picture(100, 100, 10)
    p.hit(Box(0, 0, 50, 50), "below")
    p.hit(Box(0, 0, 10, 10), "above", Target(lane=3))
    p.region(Box(60, 60, 20, 20), lambda x, y: HitRegion(Box(x, y, 1, 1), f"{x:.0f}") if x < 70 else None)
    assert p.at(5, 5).target == Target(lane=3)
    assert p.at(20, 20).hover == "below"
    assert p.at(65, 65).hover == "65"
    assert p.at(75, 75) is None
    assert p.at(99, 1) is None


def test_columns_stand_in_eights_and_find_their_lane():
    c = LaneColumns.between(10, 330)
    assert c.left[0] == 10
    assert abs(c.left[31] + c.width - 330) < 1e-6
    assert c.left[8] - c.left[7] > c.left[7] - c.left[6]
    assert [c.at(c.centre(lane)) for lane in range(32)] == list(range(32))
    assert c.at(5) is None
    assert len(LaneColumns.between(0, 160, 16).left) == 16


@pytest.mark.parametrize("width", [40, 90, 200, 400, 900])
def test_numbers_of_lanes_never_overlap(width: int) -> None:
    number = 14.0
    columns = LaneColumns.between(0, width)
    numbered = [columns.centre(lane) for lane in range(0, 32, columns.pitch_of_numbers(number))]
    assert all(after - before > number for before, after in pairwise(numbered))


def test_motion_draws_a_growing_part_of_a_line():
    assert partial([(0, 0), (10, 0)], 0.25)[-1] == (2.5, 0)
    assert partial([(0, 0), (10, 0)], 1.0) == [(0, 0), (10, 0)]


def test_motion_draws_a_growing_part_of_a_curve():
    curve = s_curve(0, 0, 10, 10)
    assert (curve[0], curve[-1]) == ((0, 0), (10, 10))
    assert partial_cubic(curve, 1.0)[-1] == (10, 10)
    half = partial_cubic(curve, 0.5)
    assert half[0] == (0, 0)
    assert half[-1] == pytest.approx((5, 5))
    whole, part = cubic_path(curve), cubic_path(half)
    assert part.pointAtPercent(1.0).y() == pytest.approx(whole.pointAtPercent(0.5).y(), abs=0.1)
