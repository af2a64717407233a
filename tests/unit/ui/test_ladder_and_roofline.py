"""The optimisation ladder and the roofline, without a window."""

import math
from dataclasses import replace

import pytest

from warpview.devices import load_device
from warpview.ui.drawing.picture import Box, Curve, Dots
from warpview.ui.panels import ladder_model, roofline_model
from warpview.ui.session.backend import Measured

AREA = Box(0, 0, 1000, 500)


def _measured(title, time, device="8800gtx", **counters):
    values = {
        "time_us": time, "thread_inst_executed_on": 1_000_000, "dram_bytes": 320_000,
        "global_ld_bytes_requested": 320_000, **counters,
    }  # fmt: skip
    return Measured(title, "k", device, values)


RUNS = [_measured("first", 800.0), _measured("second", 200.0), Measured("third", "k", "d", {}, "does not fit"),
        _measured("fourth", 400.0)]  # fmt: skip


def test_the_ladder_has_step_and_cumulative_speed_ups():
    rungs = ladder_model.ladder(RUNS, 4)
    assert [(r.number, r.title) for r in rungs] == [(1, "first"), (2, "second"), (4, "fourth")]
    assert [r.texts for r in rungs] == [
        ("800 µs", "0.4 GB/s", "", ""),
        ("200 µs", "1.6 GB/s", "4.00×", "4.00×"),
        ("400 µs", "0.8 GB/s", "0.50×", "2.00×"),
    ]
    assert [r.share for r in rungs] == [1.0, 0.25, 0.5]


def test_what_comes_after_the_steps_is_timed_and_no_step():
    rungs = ladder_model.ladder(RUNS, 2)
    assert [r.texts[2:] for r in rungs] == [("", ""), ("4.00×", "4.00×"), ("", "")]


def test_kernels_that_are_no_steps_have_times_alone(picture):
    drawn = picture(AREA.w, AREA.h)
    ladder_model.draw(drawn, AREA, ladder_model.ladder(RUNS, 0))
    words = [text for text, _ in drawn.text_boxes()]
    assert {"time", "bandwidth", "800 µs"} <= set(words)
    assert not {"step", "in all", "4.00×"} & set(words)
    assert "before" not in drawn.at(300, next(b for t, b in drawn.text_boxes() if t == "second").cy).hover


def test_a_kernel_with_findings_has_the_sign_and_says_them(picture):
    wrong = replace(RUNS[1], findings=("race: two lanes write one word",))
    drawn = picture(AREA.w, AREA.h)
    ladder_model.draw(drawn, AREA, ladder_model.ladder([RUNS[0], wrong, RUNS[3]], 3))
    boxes = dict(drawn.text_boxes())
    assert abs(boxes["!"].cy - boxes["second"].cy) < boxes["second"].h
    assert boxes["!"].x >= boxes["second"].right
    assert [text for text, _ in drawn.text_boxes()].count("!") == 1
    assert drawn.at(300, boxes["second"].cy).hover.endswith("⚠ race: two lanes write one word")
    assert "race" not in drawn.at(300, boxes["fourth"].cy).hover
    assert "race: two lanes write one word" in drawn.spoken


def test_long_and_fast_are_written_in_the_unit_that_suits():
    assert ladder_model.duration(8054.0) == "8.054 ms"
    assert ladder_model.duration(1.115) == "1.11 µs"
    assert ladder_model.bandwidth(3350.0) == "3.35 TB/s"


def test_the_ladder_is_drawn_within_its_area_without_overlap(picture):
    drawn = picture(AREA.w, AREA.h)
    ladder_model.draw(drawn, AREA, ladder_model.ladder(RUNS, 4))
    boxes = drawn.text_boxes()
    assert {"time", "4.00×", "0.50×"} <= {text for text, _ in boxes}
    assert all(AREA.x <= b.x and b.right <= AREA.right + 1 and b.bottom <= AREA.bottom for _, b in boxes)
    assert not [(s, t) for n, (s, a) in enumerate(boxes) for t, b in boxes[n + 1 :] if a.overlaps(b)]
    second = next(box for text, box in boxes if text == "second")
    assert "4.00× the speed of the variant before" in drawn.at(300, second.cy).hover
    assert "second: 200 µs" in drawn.spoken
    empty = picture(AREA.w, AREA.h)
    ladder_model.draw(empty, AREA, [])
    assert [t for t, _ in empty.text_boxes()] == ["No variant has a time."]


def test_the_roof_of_a_g80():
    roof = roofline_model.Roof.of(load_device("8800gtx"))
    # 16 multiprocessors of 8 processors at 1.35 GHz; 384 bits at 1.8 GT/s.
    assert roof.peak == pytest.approx(16 * 8 * 1.35)
    assert roof.gbps == pytest.approx(86.4)
    assert roof.ridge == pytest.approx(2.0)
    assert roof.at(1.0) == pytest.approx(86.4)
    assert roof.at(100.0) == roof.peak


def test_points_stand_at_instructions_a_byte_and_a_second():
    points = roofline_model.points([*RUNS, _measured("lean", 100.0, dram_bytes=3_200_000)])
    assert [(p.number, p.title) for p in points] == [(1, "first"), (2, "second"), (4, "fourth"), (5, "lean")]
    assert points[0].intensity == pytest.approx(1_000_000 / 320_000)
    assert points[0].rate == pytest.approx(1.25)
    assert points[0].bound == "issue"
    assert points[3].bound == "memory"
    assert points[3].share == pytest.approx(10 / (86.4 * 0.3125))
    assert "% of the roof above it, which is the memory's" in points[3].words


@pytest.mark.parametrize("devices", [("8800gtx",), ("8800gtx", "h200", "gtx680")])
def test_the_roofline_is_drawn_within_its_area(picture, devices):
    runs = [_measured(d, 100.0 * (n + 1), d) for n, d in enumerate(devices)]
    drawn = picture(AREA.w, AREA.h)
    points = roofline_model.points(runs)
    roofline_model.draw(drawn, AREA, points)
    assert len([m for m in drawn.marks if isinstance(m, Curve)]) == len(devices)
    dots = [c for m in drawn.marks if isinstance(m, Dots) for c in m.centres]
    assert len(dots) == 3 * len(devices), "each its point, its number and its place in the list"
    assert all(AREA.holds(x, y) for x, y in dots)
    for mark in drawn.marks:
        if isinstance(mark, Curve):
            assert all(AREA.holds(x, y) for x, y in mark.points)
    for _, box in drawn.text_boxes():
        assert AREA.x <= box.x
        assert box.right <= AREA.right + 1
    hovers = {hot.hover for hot in drawn.hit_regions}
    assert points[0].words in hovers
    assert any("of its schedulers" in words for words in hovers)
    assert any("that no cache held" in words for words in hovers)


def test_nothing_to_draw_is_said(picture):
    drawn = picture(AREA.w, AREA.h)
    roofline_model.draw(drawn, AREA, roofline_model.points([Measured("a", "k", "h200", {})]))
    assert "No run has" in drawn.text_boxes()[0][0]


def test_numbers_of_many_points_in_one_place_cover_neither_points_nor_one_another():
    places = [(300.0, 200.0 + 3.0 * n) for n in range(20)]
    badges = roofline_model.beside(places, Box(0, 0, 600, 400), 9.0, 4.0)
    for n, (x, y) in enumerate(badges):
        assert all(math.hypot(x - a, y - b) >= 18 for a, b in badges[:n])
        assert all(math.hypot(x - a, y - b) >= 13 for a, b in places)
        assert 9 <= x <= 591
        assert 9 <= y <= 391


def test_the_list_of_twenty_devices_is_whole(picture):
    runs = [_measured(d, 100.0, d) for d in ("8800gtx", "h200", "gtx680", "k40") * 5]
    points = roofline_model.points(runs)
    drawn = picture(AREA.w, roofline_model.height(points, 15.0))
    roofline_model.draw(drawn, Box(0, 0, drawn.width, drawn.height), points)
    boxes = drawn.text_boxes()
    assert sum(text in ("8800gtx", "h200", "gtx680", "k40") for text, _ in boxes) == 20
    assert all(box.bottom <= drawn.height for _, box in boxes)


@pytest.mark.parametrize(("share", "text"), [(0.5, "50 %"), (0.042, "4.2 %"), (0.0031, "0.31 %")])
def test_small_shares_are_not_nothing(share, text):
    assert roofline_model.percent(share) == text
