"""The bars of a comparison are modelled without a window."""

import pytest

from warpview.ui.drawing.numbers import short
from warpview.ui.panels import bars_model
from warpview.ui.panels.comparison_model import (
    BY_NAME,
    RELEVANT,
    WIDEST,
    charts,
    difference,
    differences,
    fastest,
    left_out,
)
from warpview.ui.session.backend import Measured


def _runs(*titles):
    return [
        Measured(
            title, "k", "h200", {"inst_executed": 1234567 - n, "divergent_branches": 8 * n, "barriers": 100 // (n + 1)}
        )
        for n, title in enumerate(titles)
    ]


def test_a_chart_has_a_row_for_each_run_with_its_number_and_difference():
    made = next(c for c in charts(_runs("a", "b")) if c.key == "barriers")
    first, second = bars_model.rows(made)
    assert (first.name, first.value, first.figures, first.colour) == ("a", 100.0, "100", "idle")
    assert (second.name, second.value, second.figures, second.colour) == ("b", 50.0, " 50   −50 %", "active")
    assert second.hover == bars_model.words(made, made.bars[1])


def test_a_heading_names_the_unit_where_the_title_does_not():
    figures = {"time_us": 3.5, "cycles": 700, "theoretical_occupancy_pct": 50.0}
    runs = [Measured("a", "k", "h200", figures), Measured("b", "k", "h200", dict.fromkeys(figures, 90))]
    assert {c.key: c.heading for c in charts(runs)} == {
        "time_us": "Time, µs", "cycles": "Cycles", "theoretical_occupancy_pct": "Theoretical occupancy, %",
    }  # fmt: skip


def test_charts_are_spoken_for_screen_readers():
    assert "a 100, b 50" in bars_model.spoken(charts(_runs("a", "b")))


def test_a_bar_says_its_number_in_full():
    made = next(c for c in charts(_runs("a", "b")) if c.key == "inst_executed")
    assert "1\u202f234\u202f566 instructions" in bars_model.words(made, made.bars[1])
    assert bars_model.words(made, made.bars[1]).splitlines()[2] == "nearly the same as a"
    barriers = next(c for c in charts(_runs("a", "b")) if c.key == "barriers")
    assert bars_model.words(barriers, barriers.bars[1]).splitlines()[2] == "−50 % against a"
    unknown = next(c for c in charts([*_runs("a"), Measured("b", "k", "h200", {})]) if c.key == "barriers")
    assert "is not known there" in bars_model.words(unknown, unknown.bars[1])


def test_the_fastest_run_is_named_with_its_gain_over_the_first():
    times = {"a": 800.0, "b": 200.0, "c": 2500.0}
    runs = [Measured(title, "k", "h200", {"time_us": time}) for title, time in times.items()]
    assert fastest(runs) == "Fastest: b at 200 µs, 4× the speed of a."
    assert fastest(runs[1:]) == "Fastest: b at 200 µs."
    assert fastest(_runs("a", "b")) == ""


def test_orders():
    def keys(order):
        return [chart.key for chart in charts(_runs("a", "b"), order=order)]

    assert keys(RELEVANT) == ["inst_executed", "divergent_branches", "barriers"]
    assert keys(WIDEST) == ["divergent_branches", "barriers", "inst_executed"]
    assert keys(BY_NAME) == ["barriers", "divergent_branches", "inst_executed"]


def test_what_cannot_run_takes_one_line():
    out = [Measured(t, "k", "d", {}, f"{t} needs more") for t in ("a", "b")]
    assert left_out([*_runs("c"), *out]) == "Left out, cannot run: a · b"
    assert left_out([*_runs("c"), *out[:1]]) == "Left out, cannot run: a (a needs more)"
    assert left_out(_runs("c")) == ""


def test_where_none_can_run_the_reason_stands_there():
    """As on all devices after an edit that does not compile."""
    out = [Measured(t, "k", "d", {}, "unknown name 'oops'") for t in ("a", "b")]
    assert left_out(out) == "None can run: unknown name 'oops'"
    assert left_out([*_runs("c"), *out]) == "Left out, cannot run: a · b (unknown name 'oops')"


@pytest.mark.parametrize(
    ("first", "value", "text"),
    [
        (100, 138, "+38 %"),
        (100, 1100, "11×"),
        (3, 24576, "8\u202f190×"),
        (0, 5, ""),
        (8117, 20.7, "÷392"),
        (7, 0, "−100 %"),
        (100, 12, "−88 %"),
        (1459, 1457, "≈"),
        (1459, 1459, "="),
    ],
)
def test_differences(first, value, text):
    assert difference(first, value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([50, 138, 100], ["−50 %", "+38 %", "="]),
        ([50, 138, 5, 100.1, 0, None], ["÷2", "1.38×", "÷20", "≈", "−100 %", ""]),
        ([2000, 120], ["20×", "1.2×"]),
    ],
)
def test_differences_of_one_chart_are_told_in_one_way(values, texts):
    assert differences(100, values) == texts
    assert differences(0, values) == [""] * len(values)


def test_numbers_of_one_chart_have_one_unit():
    assert [short(value, 11_000_000, all_digits=True) for value in (11e6, 4.12e6, 760e3, 12e3, 300, 0)] == [
        "11.0 M", "4.12 M", "0.760 M", "0.0120 M", "300", "0"
    ]  # fmt: skip
    texts = [short(value, 786_000, all_digits=True) for value in (786e3, 16_400, 1000, 999, 64)]
    assert texts == ["786 k", "16.4 k", "1.00 k", "999", "64"]
    assert [short(value, 12.0, all_digits=True) for value in (12.0, 4.123, 1.0, 0.0)] == ["12.0", "4.12", "1.00", "0"]
    assert [short(value, 150_000) for value in (50_000, 100_000, 150_000)] == ["50 k", "100 k", "150 k"]
