"""The optimisation ladder and the roofline are modelled without a window."""

import math
from dataclasses import replace

import pytest
from ui.backend import run_of

from warpview.devices import load_device
from warpview.isa.work import Work
from warpview.run.roofline import Operations, Roof
from warpview.ui.panels import ladder_model, roofline_model
from warpview.ui.session.backend import Measured


def _measured(title, time, device="8800gtx", **counters):
    values = {
        "time_us": time, "flop_count_sp": 1_000_000, "dram_bytes": 320_000,
        "global_ld_bytes_requested": 320_000, **counters,
    }  # fmt: skip
    return Measured(title, "k", device, values)


RUNS = [_measured("first", 800.0), _measured("second", 200.0), Measured("third", "k", "d", {}, "does not fit"),
        _measured("fourth", 400.0)]  # fmt: skip


def test_the_ladder_has_step_and_cumulative_speed_ups():
    rungs = ladder_model.ladder(RUNS, 4)
    assert [(r.number, r.title) for r in rungs] == [(1, "first"), (2, "second"), (4, "fourth")]
    assert [r.texts for r in rungs] == [
        ("800 µs", "0.400 GB/s", "", ""),
        ("200 µs", "1.60 GB/s", "4.00×", "4.00×"),
        ("400 µs", "0.800 GB/s", "0.50×", "2.00×"),
    ]


def test_what_comes_after_the_steps_is_timed_and_no_step():
    rungs = ladder_model.ladder(RUNS, 2)
    assert [r.texts[2:] for r in rungs] == [("", ""), ("4.00×", "4.00×"), ("", "")]


def test_kernels_that_are_no_steps_have_times_alone():
    rungs = ladder_model.ladder(RUNS, 0)
    assert ladder_model.heading(rungs).split() == ["time,", "µs", "bandwidth"]
    row = ladder_model.rows(rungs)[1]
    assert row.figures.split()[0] == "200"
    assert "×" not in row.figures
    assert "before" not in row.hover


def test_a_kernel_with_findings_has_the_sign_and_says_them():
    wrong = replace(RUNS[1], findings=("race: two lanes write one word",))
    rungs = ladder_model.ladder([RUNS[0], wrong, RUNS[3]], 3)
    first, second, third = ladder_model.rows(rungs)
    assert second.name.endswith("⚠")
    assert not first.name.endswith("⚠")
    assert second.hover.endswith("⚠ race: two lanes write one word")
    assert "race" not in third.hover
    assert "race: two lanes write one word" in ladder_model.spoken(rungs)


def test_long_and_fast_are_written_in_the_unit_that_suits():
    assert ladder_model.duration(8054.0) == "8.054 ms"
    assert ladder_model.duration(1.115) == "1.11 µs"
    assert ladder_model.bandwidth(3350.0) == "3.35 TB/s"


def test_the_figures_of_the_ladder_stand_in_columns():
    rungs = ladder_model.ladder(RUNS, 4)
    rows, heading = ladder_model.rows(rungs), ladder_model.heading(rungs)
    assert [row.value for row in rows] == [800.0, 200.0, 400.0]
    assert heading.index("vs previous") + len("vs previous") == rows[1].figures.index("4.00×") + len("4.00×")
    assert heading.startswith("time, µs")
    assert [row.hatched for row in rows] == [False, False, True], "a step back is hatched"
    assert "4.00× the speed of the variant before" in rows[1].hover
    assert "second: 200 µs" in ladder_model.spoken(rungs)
    assert ladder_model.spoken([]) == "No variant has a time."


def test_all_times_of_a_ladder_have_one_unit_and_their_points_line_up():
    rungs = ladder_model.ladder([_measured("slow", 8117.0), _measured("fast", 246.0)], 2)
    rows = ladder_model.rows(rungs)
    assert ladder_model.heading(rungs).startswith("time, ms")
    assert [row.figures.split()[0] for row in rows] == ["8.117", "0.246"]
    assert [row.value for row in rows] == [8.117, 0.246]
    assert rows[0].figures.index(".") == rows[1].figures.index(".")


def test_many_devices_are_drawn_below_one_roof():
    devices = ("8800gtx", "h200", "gtx680", "c2050")
    points = roofline_model.points([_measured(d, 100.0, d, l2_bytes=900_000) for d in devices], Operations.FLOATING)
    assert roofline_model.drawn(points[:3]) == points[:3]
    drawn = roofline_model.drawn(points)
    assert len(roofline_model.roofs_of(drawn)) == 1
    for point, shown in zip(points, drawn, strict=True):
        assert shown.place.rate == pytest.approx(100 * point.place.rate / point.place.roof.peak)
        by_dram = point.place.rate / min(point.place.roof.peak, point.place.roof.dram_gbps * point.intensity)
        assert shown.place.share == pytest.approx(by_dram), "a point is as far below the one roof as below its own"
        assert shown.place.l2 is None
    words = roofline_model.roof_words(drawn[0].place.roof, Operations.FLOATING)
    assert "each device" in words
    assert roofline_model.summary(points).startswith("Closest to its roof: gtx680, 5 % (L2). ")
    assert roofline_model.summary([]) == ""


def test_points_are_numbered_and_words_name_the_roof():
    points = roofline_model.points([*RUNS, _measured("lean", 100.0, dram_bytes=3_200_000)], Operations.FLOATING)
    assert [(p.number, p.title) for p in points] == [(1, "first"), (2, "second"), (4, "fourth"), (5, "lean")]
    assert points[0].intensity == pytest.approx(1_000_000 / 320_000)
    assert points[0].place.rate == pytest.approx(1.25)
    assert points[3].place.bound == "DRAM"
    assert points[3].place.share == pytest.approx(10 / (86.4 * 0.3125))
    assert "% of the roof above it, which is the DRAM's" in points[3].words
    assert roofline_model.path(points, 2) == ([p.intensity for p in points[:2]], [p.place.rate for p in points[:2]])


def test_each_reading_has_the_runs_that_did_such_operations():
    runs = [_measured("floats", 100.0), _measured("whole", 100.0, flop_count_sp=0, inst_integer=64_000)]
    assert [p.title for p in roofline_model.points(runs, Operations.FLOATING)] == ["floats"]
    assert [p.title for p in roofline_model.points(runs, Operations.INTEGER)] == ["whole"]
    assert roofline_model.has_floating(runs)
    assert not roofline_model.has_floating(runs[1:])


@pytest.mark.parametrize("devices", [("8800gtx",), ("8800gtx", "h200", "gtx680")])
def test_the_axes_hold_every_point_and_every_ridge(devices):
    runs = [_measured(d, 100.0 * (n + 1), d, l2_bytes=900_000) for n, d in enumerate(devices)]
    points = roofline_model.points(runs, Operations.FLOATING)
    assert len(roofline_model.roofs_of(points)) == len(devices)
    (left, right), (bottom, top) = roofline_model.ranges(points)
    for point in points:
        roof = point.place.roof
        ridge = roof.peak / roof.dram_gbps
        for x, y in ((point.intensity, point.place.rate), (point.place.l2, point.place.rate), (ridge, roof.peak)):
            assert left < math.log10(x) < right
            assert bottom < math.log10(y) < top


def test_the_line_of_a_roof_bends_at_its_ridge():
    roof = Roof.of(load_device("8800gtx"), Work.SINGLE)
    xs, ys = roofline_model.corners(roof.peak, roof.dram_gbps, -1.0, 2.0)
    assert xs == pytest.approx([0.1, 4.0, 100.0])
    assert ys == pytest.approx([8.64, 345.6, 345.6])
    words = roofline_model.roof_words(roof, Operations.FLOATING)
    assert words == "GeForce 8800 GTX: 346 GFLOP/s (single precision), 86.4 GB/s by DRAM"


def test_nothing_to_draw_is_said():
    points = roofline_model.points([Measured("a", "k", "h200", {})], Operations.FLOATING)
    assert roofline_model.spoken(points).startswith("No run has")


def test_numbers_of_many_points_in_one_place_cover_neither_points_nor_one_another():
    places = [(300.0, 200.0 + 3.0 * n) for n in range(20)]
    badges = roofline_model.beside(places, (600, 400), 9.0, 4.0)
    for n, (x, y) in enumerate(badges):
        assert all(math.hypot(x - a, y - b) >= 18 for a, b in badges[:n])
        assert all(math.hypot(x - a, y - b) >= 13 for a, b in places)
        assert 9 <= x <= 591
        assert 9 <= y <= 391


def test_a_number_far_from_its_point_has_a_line_that_ends_before_it() -> None:
    assert roofline_model.leader((100.0, 50.0), (118.0, 50.0), 9.0) == []
    assert roofline_model.leader((100.0, 50.0), (140.0, 50.0), 10.0) == [(100.0, 50.0), (130.0, 50.0)]


def test_a_ring_has_the_number_of_its_run_too() -> None:
    runs = [_measured("both", 100.0, "h200", l2_bytes=900_000), _measured("dram", 200.0, "8800gtx")]
    spots = roofline_model.spots(roofline_model.points(runs, Operations.FLOATING))
    assert [(spot.number, spot.is_ring) for spot in spots] == [(1, False), (2, False), (1, True)]
    assert spots[2].place == pytest.approx((math.log10(1_000_000 / 900_000), spots[0].place[1]))


def test_the_ladder_explains_the_looks_that_its_bars_have() -> None:
    runs = [_measured("a", 8.0), _measured("b", 4.0)]
    assert ladder_model.key(ladder_model.ladder(runs, 2)) == ""
    slower = [*runs, _measured("c", 5.0)]
    assert ladder_model.key(ladder_model.ladder(slower, 3)) == "Hatched: slower than the previous variant."
    wrong = [*slower, replace(_measured("d", 1.0), findings=("race: …",))]
    said = ladder_model.key(ladder_model.ladder(wrong, 3))
    assert said.endswith("; grey: no step from it; ⚠: findings.")


def test_a_roof_that_is_alone_has_its_limits_on_its_lines() -> None:
    run = run_of("reduction/interleaved", "8800gtx")
    points = roofline_model.points([Measured("a", "k", "8800gtx", run.counters)], Operations.INTEGER)
    (slope, (x, y)), (level, (_, peak)) = roofline_model.limits(points, Operations.INTEGER)
    assert slope == "DRAM: 86.4 GB/s"
    assert level.endswith("173 GIOP/s")
    assert 10**y == pytest.approx(86.4 * 10**x)
    assert 10**peak == pytest.approx(points[0].place.roof.peak)
    assert 10**y < 10**peak


def test_every_roof_of_a_device_has_its_name_within_the_plot() -> None:
    counters = run_of("reduction/interleaved", "h200").counters
    first = roofline_model.points([Measured("a", "k", "h200", counters)], Operations.INTEGER)[0]
    other = replace(first.place, roof=replace(first.place.roof, kind=Work.MATRIX, peak=10 * first.place.roof.peak))
    found = [first, replace(first, number=2, place=other)]
    (_, right), _ = roofline_model.ranges(found)
    slope, *levels = roofline_model.limits(found, Operations.INTEGER)
    assert slope[0] == "DRAM: 4.81 TB/s"
    assert [words.partition(":")[0] for words, _ in levels] == ["pipe (integers)", "pipe (products of matrices)"]
    assert all(x < right for _, (x, _) in levels), "the words touched the list beside the plot"
