from warpview.ui.drawing.cached_drawing import cached_drawing
from warpview.ui.drawing.picture import Box, Picture, alike
from warpview.ui.views import lanes_model

calls = []


@cached_drawing(kept=2)
def _label(picture: Picture, text: str) -> float:
    calls.append(text)
    picture.text(0, 0, text)
    picture.hit(Box(0, 0, 9, 9), text)
    picture.cover(Box(5, 5, 1, 1))
    return len(text)


def test_a_part_is_cached_drawing_and_put_into_every_picture():
    calls.clear()
    one, two = Picture(100, 100, 10), Picture(100, 100, 10)
    assert _label(one, "abc") == _label(two, "abc") == 3
    assert calls == ["abc"]
    assert two.marks[0] is one.marks[0]
    assert (two.hit_regions, two.covers) == (one.hit_regions, one.covers)


def test_what_is_added_later_does_not_come_along():
    one, two = Picture(100, 100, 10), Picture(100, 100, 10)
    _label(one, "x")
    one.text(0, 50, "y")
    _label(two, "x")
    assert [mark.text for mark in two.marks] == ["x"]


def test_another_size_or_unit_is_drawn_anew():
    calls.clear()
    for picture in (Picture(50, 100, 10), Picture(50, 100, 12), Picture(50, 120, 12)):
        _label(picture, "size")
    assert len(calls) == 3


def test_most_of_a_picture_is_the_same_objects_at_the_next_step(scenes, picture):
    before, now = picture(), picture()
    context = scenes().pc(7)
    lanes_model.draw(context, before, None)
    lanes_model.draw(scenes().at(context.frame.step + 1), now, None)
    held = {id(mark) for mark in before.marks}
    assert sum(id(mark) in held for mark in now.marks) > 0.6 * len(now.marks)


def test_alike_counts_the_first_marks_that_two_pictures_share():
    one, two = Picture(100, 100, 10), Picture(100, 100, 10)
    for drawn in (one, two):
        _label(drawn, "same")
        drawn.rect(Box(0, 0, 5, 5), "active")
    two.text(0, 50, "more")
    assert alike(one, two) == 2
    two.marks[1] = two.marks[1]._replace(fill="idle")
    assert alike(one, two) == 1
