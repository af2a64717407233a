"""The six counters are chosen on real runs."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from support.pictures import text_boxes

import warpview as wv
from warpview.profile.counters import BY_KEY
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.views.counters import key_counters_model as model
from warpview.ui.views.counters.counters_model import CounterTable

UNIT = 15.0


@pytest.fixture(scope="module")
def run():
    program = wv.compile("""
    __global__ void k(int *a) {
        __shared__ int s[64];
        s[threadIdx.x] = a[threadIdx.x];
        __syncthreads();
        if (threadIdx.x % 2) a[threadIdx.x] = s[threadIdx.x * 2 % 64];
    }""")
    return wv.simulate(program, grid=2, block=64, args=[np.arange(64, dtype=np.int32)], device="h200", engine="sm")


def test_every_candidate_is_a_counter():
    assert {*model.CANDIDATES, *model.WITHOUT_SECTORS.values()} <= set(BY_KEY)
    assert set(model.WITHOUT_SECTORS) <= set(model.CANDIDATES)
    assert set(model.CANDIDATES) >= model.WORSE_IF_MORE


def test_six_that_happen_are_shown_and_none_that_never_does(run):
    keys = model.keys_of(run)
    assert len(keys) == model.SHOWN
    assert keys[:3] == ("inst_executed", "active_lanes_average", "divergent_branches")
    assert "atomic_collisions" not in keys
    assert all(run.counters[key] for key in keys)
    assert model.keys_of(SimpleNamespace(device=run.device, counters={"barriers": 0})) == ()


def test_devices_without_sectors_show_the_share_of_the_bytes_that_was_asked_for(run):
    old = model.keys_of(wv.simulate(run.program, 2, 64, [np.arange(64, dtype=np.int32)], device="8800gtx"))
    assert {"global_ld_efficiency_pct", "global_st_efficiency_pct"} <= set(old)
    assert not any("sectors_per_request" in key for key in old)
    assert "global_ld_sectors_per_request" in model.keys_of(run)


def test_the_last_step_says_what_the_counters_say(run):
    table = CounterTable(run)
    trace = run.trace
    end = table.so_far(trace.frame(trace.steps).counts)
    before = table.so_far(trace.frame(trace.steps - 1).counts)
    shown = model.tiles(model.keys_of(run), run.device, end, before, run.counters)
    first = shown[0]
    assert first.changed
    assert first.so_far == trace.steps
    assert first.of == f"of {run.counters['inst_executed']}"
    assert shown[1].of.startswith("launch "), "an average adds up to nothing"


@pytest.mark.parametrize("size", [(240.0, 90.0), (330.0, 300.0), (560.0, 220.0), (900.0, 120.0)])
def test_tiles_fill_the_view_without_overlap(size, run):
    boxes = model.grid(*size, UNIT, model.SHOWN)
    assert len(boxes) == model.SHOWN
    for n, box in enumerate(boxes):
        assert box.x >= 0
        assert box.right <= size[0] + 1e-6
        assert box.bottom <= size[1] + 1e-6
        assert not any(box.inset(0.01).overlaps(other) for other in boxes[n + 1 :])
        line = model.line_box(box, UNIT)
        assert line is None or (line.y > box.y + 2 * UNIT and line.bottom <= box.bottom)


def test_numbers_are_hidden_while_the_class_guesses(run):
    shown = model.tiles(("inst_executed",), run.device, {"inst_executed": 1234}, {}, {"inst_executed": 5000})
    for hidden in (True, False):
        drawn = Picture(300.0, 100.0, UNIT)
        model.draw(drawn, shown, hidden)
        assert ("1\u202f234" in [text for text, _ in text_boxes(drawn)]) is not hidden
        assert ("1\u202f234" in drawn.spoken) is not hidden


def test_a_number_is_whole_in_a_narrow_tile(run):
    picture = Picture(6 * 3.4 * UNIT, 4 * UNIT, UNIT)
    tiles = model.tiles(model.keys_of(run), run.device, {"inst_executed": 1_716}, {}, run.counters)
    model.draw(picture, tiles, hidden=False)
    assert tiles[0].text in {text for text, _ in text_boxes(picture)}


@pytest.mark.parametrize(("width", "height", "shown"), [(30, 4.0, 4), (44, 4.0, 5), (36, 9.0, 6), (8, 4.0, 1)])
def test_a_narrow_view_shows_fewer_tiles_with_whole_names(run, width, height, shown):
    keys = model.keys_of(run)
    like_inter = lambda text, size, *_: 0.49 * size * len(text)  # noqa: E731
    picture = Picture(width * UNIT, height * UNIT, UNIT, like_inter)
    count = model.fitting(picture.width, picture.height, UNIT, len(keys))
    assert count == shown
    tiles = model.tiles(keys[:count], run.device, run.counters, {}, run.counters)
    model.draw(picture, tiles, hidden=False)
    assert {tile.name for tile in tiles} <= {text for text, _ in text_boxes(picture)}
    assert model.fitting(400.0, 80.0, UNIT, 0) == 0


def test_all_names_have_one_size(run):
    keys = model.keys_of(run)
    assert len({len(BY_KEY[key].label) for key in keys}) > 1
    picture = Picture(4 * 8.0 * UNIT, 5 * UNIT, UNIT)
    shown = model.tiles(keys[:4], run.device, run.counters, {}, run.counters)
    model.draw(picture, shown, hidden=False)
    sizes = {mark.size for mark in picture.marks if getattr(mark, "text", "") in {tile.name for tile in shown}}
    assert len(sizes) == 1
    assert min(sizes) < 0.9 * UNIT


def test_the_value_in_the_whole_launch_is_whole_or_not_there(run):
    table = CounterTable(run)
    end = table.so_far(run.trace.frame(run.trace.steps).counts)
    shown = model.tiles(model.keys_of(run)[:4], run.device, end, end, run.counters)
    written = []
    for width in range(300, 900, 10):
        picture = Picture(float(width), 60.0, UNIT)
        model.draw(picture, shown, hidden=False)
        texts = [text for text, _ in text_boxes(picture)]
        assert not any("launch" in text and "\u2026" in text for text in texts), (width, texts)
        written.append(sum(tile.of in texts for tile in shown))
    assert written[0] < written[-1] == len(shown)


@pytest.mark.parametrize("height", [24.0, 36.0, 44.0])
def test_in_a_row_that_is_low_nothing_is_cut(height, run):
    launch = CounterTable(run).so_far(run.trace.frame(run.trace.steps).counts)
    shown = model.tiles(model.keys_of(run)[:3], run.device, launch, {}, run.counters)
    picture = Picture(400.0, height, UNIT, lambda text, size, mono, bold: 0.6 * size * len(text))
    model.draw(picture, shown, hidden=False)
    texts = text_boxes(picture)
    assert len(texts) >= 6
    assert all(box.y >= 0 and box.bottom <= height for _, box in texts)


def test_a_curve_begins_at_the_foot_of_its_place_and_ends_at_its_corner() -> None:
    places = [Box(10.0, 20.0, 100.0, 8.0), Box(120.0, 20.0, 100.0, 8.0)]
    x, y = model.curves(places, [0, 5, 20], [[0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    np.testing.assert_array_equal(x, [10, 35, 110, np.nan, 120, 145, 220, np.nan])
    np.testing.assert_array_equal(y, [28, 26, 20, np.nan, 28, 28, 28, np.nan])
    assert model.curves([], [0, 5], [])[0].size == 0


@pytest.mark.parametrize("size", [(661.0, 145.0), (526.0, 61.0)], ids=["1600x1000", "1280x720"])
def test_where_type_is_large_all_six_are_lines(size, run):
    """Two tiles are all that the room has for type of 200 %."""
    unit, keys = 30.7, model.keys_of(run)
    picture = Picture(*size, unit)
    assert (model.fitting(*size, unit, len(keys)), len(keys)) == (2, 6)
    boxes = model.listed(*size, unit, len(keys))
    now = CounterTable(run).so_far(run.trace.frame(run.trace.steps).counts)
    shown = model.tiles(keys, run.device, now, now, run.counters)
    model.draw_list(picture, shown, boxes, hidden=False)
    written = [text[:12] for text, _ in text_boxes(picture)]
    assert written == [words[:12] for tile in shown for words in (tile.text, tile.name)]
    assert all(box.x >= 0 and box.right <= size[0] and box.bottom <= size[1] for _, box in text_boxes(picture))


def test_tiles_that_show_all_six_are_no_list(run):
    assert not model.listed(640.0, 190.0, UNIT, len(model.keys_of(run)))


@pytest.mark.parametrize("height", [90.0, 96.0])
def test_all_six_are_shown_while_the_banner_takes_room(height, run):
    """That is the room at 1280x720 with a message of three lines above."""
    keys = model.keys_of(run)
    assert model.fitting(525.0, height, 15.36, len(keys)) == len(keys) == 6
    shown = model.tiles(keys, run.device, run.counters, {}, run.counters)
    picture = Picture(525.0, height, 15.36)
    model.draw(picture, shown, hidden=False)
    texts = text_boxes(picture)
    assert {tile.name for tile in shown} <= {text for text, _ in texts}
    assert all(box.y >= 0 and box.bottom <= height for _, box in texts)


def test_lines_take_the_fewest_columns_so_that_names_are_large(run):
    """That is the room at 1280x720 with a lesson open."""
    keys = model.keys_of(run)
    boxes = model.listed(525.0, 75.0, 15.36, len(keys))
    assert len({box.x for box in boxes}) == 2
    shown = model.tiles(keys, run.device, run.counters, {}, run.counters)
    picture = Picture(525.0, 75.0, 15.36)
    model.draw_list(picture, shown, boxes, hidden=False)
    names = {tile.name for tile in shown}
    assert min(mark.size for mark in picture.marks if getattr(mark, "text", "") in names) > 0.85 * 15.36
