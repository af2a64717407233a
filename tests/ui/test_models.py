"""The Qt-free halves of the shell work out what is shown without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ui.backend import run_of
from ui.small_run import small_run

import warpview as wv
from warpview.diagnostics import LaunchError
from warpview.isa.program import NONE
from warpview.profile.counters import BY_KEY
from warpview.trace.frame import Mark
from warpview.ui.drawing.theme import lane_colour
from warpview.ui.moving import navigation
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.panels import comparison_model, history_model, launch_model
from warpview.ui.session.backend import Measured
from warpview.ui.session.drafts import Drafts
from warpview.ui.views.context import FrameContext, concerns
from warpview.ui.views.counters import counters_model
from warpview.ui.views.instructions import instructions_model
from warpview.ui.views.instructions.heat_model import line_heat
from warpview.ui.views.source import source_model


@pytest.fixture(scope="module")
def run() -> wv.Run:
    return small_run()


def at(run: wv.Run, step: int, **selected: object) -> FrameContext:
    event = run.trace.event(step) if step else run.trace.event(1)
    fields = {"step": step, "block": event.block, "warp": event.warp} | selected
    return FrameContext(run, run.trace.frame(step), Snapshot(**fields))  # type: ignore[arg-type]


def first(run: wv.Run, mark: Mark) -> int:
    step = run.trace.find(0, mark)
    assert step is not None
    return step


# ---- source


def test_source_marks_the_line_done_and_the_line_to_come(run: wv.Run) -> None:
    begin = source_model.marks(at(run, 0))
    assert (begin.done, begin.coming) == (0, 5)
    branch = source_model.marks(at(run, first(run, Mark.DIVERGENCE)))
    assert (branch.done, branch.coming) == (10, 11)
    assert branch.span == (10, 9, 2)


def test_nothing_gives_the_answer_away_while_predicting(run: wv.Run) -> None:
    context = replace(at(run, first(run, Mark.DIVERGENCE)), predicting=True)
    marks = source_model.marks(context)
    assert (marks.done, marks.coming, marks.badges) == (10, 0, ())
    listing = instructions_model.listing(run.program)
    assert instructions_model.state(context, listing, whole=True).coming == NONE


def test_source_badges_name_the_warps_at_each_line(run: wv.Run) -> None:
    badges = {b.line: b for b in source_model.badges(at(run, first(run, Mark.DIVERGENCE)))}
    assert badges[11].text == "w0"
    assert badges[11].selected
    assert badges[10].text == "w1-3"
    assert badges[10].words == "About to execute line 10: warps 1-3 of block 0 and 1 warp of other blocks"


@pytest.mark.parametrize(("numbers", "text"), [([], ""), ([3], "3"), ([0, 1, 2, 5], "0-2,5"), ([1, 3], "1,3")])
def test_ranges(numbers: list[int], text: str) -> None:
    assert source_model.ranges(numbers) == text


def test_heat_is_relative_to_the_hottest_line(run: wv.Run) -> None:
    heat = line_heat(run, "divergent_branches")
    assert set(heat.share) == {10, 14}
    assert heat.share[10] == 1.0
    assert heat.words[10].startswith("Divergent branches: 4")
    assert line_heat(run, None).title == "Warp instructions"


# ---- instructions


def test_listing_of_the_line_and_of_the_whole(run: wv.Run) -> None:
    listing = instructions_model.listing(run.program)
    context = at(run, first(run, Mark.DIVERGENCE))
    line = instructions_model.state(context, listing, whole=False)
    assert line.shown == (10, 11, 12, 13)
    assert line.done == 13
    whole = instructions_model.state(context, listing, whole=True)
    assert len(whole.shown) == len(run.program.instructions)
    assert instructions_model.state(at(run, 0), listing, whole=False).coming == 0
    selected = instructions_model.state(at(run, 0, line=12), listing, whole=False)
    assert selected.shown == (20,)


def test_listing_explains_each_operation(run: wv.Run) -> None:
    rows = instructions_model.listing(run.program).rows
    assert "every warp of its block" in rows[6].words
    assert rows[24].label
    assert "reconverge at instruction 20" in rows[13].words
    assert all(row.pc == n for n, row in enumerate(rows))


# ---- counters


def test_counters_so_far_reach_the_end(run: wv.Run) -> None:
    table = counters_model.CounterTable(run)
    assert table.traced_all
    begin, end = table.so_far(run.trace.frame(0).counts), table.so_far(run.trace.frame(run.trace.steps).counts)
    assert begin["inst_executed"] == 0
    assert end["inst_executed"] == run.trace.steps
    assert all(row.end == end[row.counter.key] for row in table.rows if row.end is not None)


def test_counters_of_nothing_are_left_out(run: wv.Run) -> None:
    keys = {row.counter.key for row in counters_model.CounterTable(run).rows}
    assert "divergent_branches" in keys
    assert "atomics" not in keys
    assert "time_us" in keys


def test_what_a_step_changed(run: wv.Run) -> None:
    table = counters_model.CounterTable(run)
    context = at(run, first(run, Mark.DIVERGENCE))
    now, before = table.so_far(context.frame.counts), counters_model.before(context, table)
    changed = {key for key, value in now.items() if before[key] != value}
    assert {"inst_executed", "divergent_branches"} <= changed
    assert "barriers" not in changed


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(None, "", "–"), (1234567, "", "1\u202f234\u202f567"), (12.5, "%", "12.5 %"), (3.14159, "lanes", "3.142")],
)
def test_numbers(value: float | None, unit: str, text: str) -> None:
    assert counters_model.number(value, unit) == text


def test_counters_are_found_by_any_of_their_names(run: wv.Run) -> None:
    rows = {row.counter.key: row for row in counters_model.CounterTable(run).rows}
    assert comparison_model.matches(BY_KEY["divergent_branches"], "diverg branch")
    assert comparison_model.matches(BY_KEY["inst_executed"], "smsp__inst_executed.sum")
    assert not comparison_model.matches(BY_KEY["barriers"], "sector")
    assert "Visual Profiler: divergent_branch" in counters_model.definition(rows["divergent_branches"])


def test_spark_samples_include_both_ends() -> None:
    assert counters_model.samples(0) == [0]
    steps = counters_model.samples(1000)
    assert (steps[0], steps[-1], len(steps)) == (0, 1000, 48)


# ---- history


def divergences(run: wv.Run) -> history_model.HistoryRow:
    return next(row for row in history_model.rows(run.trace) if row.mark == Mark.DIVERGENCE)


def test_touches_are_a_row_that_says_whose(run: wv.Run) -> None:
    row = history_model.access_row("sdata[3] of block 0", np.array([3, 70, 71]))
    assert (row.mark, row.kind.name) == (Mark.NONE, "access")
    words = history_model.row_words(run.trace, row, "Ctrl+T")
    assert words.startswith("3 accesses to sdata[3] of block 0 in")
    assert words.endswith("Ctrl+T jumps to the next, Ctrl+Shift+T to the previous one")
    wide = history_model.HistoryStretch(0.0, 5000.0, 0, run.trace.steps)
    (one,) = {history_model.events_near(row, wide, wide.x(3))}
    assert history_model.event_words(run.trace, row, one, "Ctrl+T").startswith("Access to sdata[3] of block 0. Step 3,")


def test_history_shows_the_marks_that_occur(run: wv.Run) -> None:
    assert [row.mark for row in history_model.rows(run.trace)] == [
        Mark.DIVERGENCE, Mark.UNCOALESCED, Mark.BARRIER
    ]  # fmt: skip
    assert Mark.CONFLICT in [row.mark for row in history_model.rows(small_run("strided").trace)]


@pytest.mark.parametrize("width", [50, 780, 3000])
def test_history_columns_lose_no_mark(run: wv.Run, width: int) -> None:
    shown = history_model.rows(run.trace)
    counted = history_model.counts(shown, 0, run.trace.steps, width)
    assert counted.shape == (len(shown), width)
    assert counted.sum(axis=1).tolist() == [np.count_nonzero(run.trace.marks & row.mark) for row in shown]
    for line, row in zip(counted, shown, strict=True):
        places = {int(history_model.x_of(step, run.trace.steps, width)) for step in row.steps.tolist()}
        assert set(np.flatnonzero(line).tolist()) == places
    assert ((history_model.heights(counted) > 0) == (counted > 0)).all()


def test_history_shows_how_many_where_events_are_everywhere() -> None:
    counted = np.array([[0, 1, 0, 0], [4, 4, 16, 4], [1, 1, 1, 1]])
    few, many, rare = history_model.heights(counted)
    assert few.tolist() == [0, 1, 0, 0]
    assert many[2] == 1.0
    assert many[0] < 0.7
    assert 0 < rare[0] < many[0]


def row_of(*steps: int) -> history_model.HistoryRow:
    return history_model.HistoryRow(history_model.HistoryKind("a", "b", "c"), Mark.NONE, np.array(steps))


def test_history_image_has_a_bar_for_each_event_in_its_row() -> None:
    whole = history_model.HistoryStretch(0.0, 20.0, 0, 20)
    image = history_model.event_image([row_of(3, 15), row_of(8)], whole, 20, 10, 2)
    expected = np.zeros((10, 20), np.uint8)
    expected[1:4, [2, 3, 14, 15]] = 1
    expected[6:9, [7, 8]] = 2
    assert (image == expected).all()


def test_history_image_of_steps_beside_the_present_begins_at_its_first_step() -> None:
    lens = history_model.HistoryStretch(0.0, 40.0, 1000, 10)
    image = history_model.event_image([row_of(999, 1001, 1010)], lens, 40, 5, 3)
    assert np.flatnonzero(image[2]).tolist() == [1, 2, 3, 37, 38, 39]


def test_signs_of_findings_stand_apart() -> None:
    whole = history_model.HistoryStretch(0.0, 100.0, 0, 1000)
    assert history_model.apart(row_of(10, 11, 150, 290, 310), whole, 15.0).tolist() == [10, 290]
    assert history_model.apart(row_of(), whole, 15.0).size == 0


def test_history_of_a_long_run_shows_the_steps_around_now_apart() -> None:
    (only,) = history_model.stretches(3000, 100, 50.0, 1000.0, 4.0)
    assert (only.left, only.width, only.first, only.steps) == (50.0, 1000.0, 0, 3000)
    for now in (0, 5, 400_000, 1_000_000):
        whole, lens = history_model.stretches(1_000_000, now, 50.0, 1000.0, 4.0)
        assert (whole.first, whole.steps, lens.steps) == (0, 1_000_000, 100)
        assert whole.right < lens.left
        assert lens.right == 1050.0
        assert lens.first <= now <= lens.first + lens.steps
        assert lens.first >= 0
        assert lens.first + lens.steps <= 1_000_000
        assert lens.step(lens.x(lens.first + 7)) == lens.first + 7
    assert abs(lens.x(lens.first + 8) - lens.x(lens.first + 7) - 4.0) < 1e-9


def test_history_names_the_events_under_the_pointer(run: wv.Run) -> None:
    trace = run.trace
    step = first(run, Mark.DIVERGENCE)
    wide, narrow = (history_model.HistoryStretch(0.0, width, 0, trace.steps) for width in (5000.0, 100.0))
    row = divergences(run)
    only = history_model.events_near(row, wide, wide.x(step))
    assert only == (1, step, step)
    assert f"Divergent branch. Step {step}, cycle" in history_model.event_words(trace, row, only, "D")
    all_ = history_model.events_near(row, narrow, 50, 50)
    assert all_ is not None
    assert all_.events == np.count_nonzero(trace.marks & Mark.DIVERGENCE)
    words = history_model.event_words(trace, row, all_, "D")
    assert words.startswith(f"{all_.events} divergent branches, steps {step}–")
    assert words.endswith("D jumps to the next")
    assert history_model.events_near(row, wide, 0) is None
    assert "Shift+D to the previous one" in history_model.row_words(trace, row, "D")


def test_places_on_the_bar_lead_back_to_the_step(run: wv.Run) -> None:
    steps, width = run.trace.steps, 1000.0
    for step in (0, 1, 17, steps // 2, steps):
        assert history_model.step_at(history_model.x_of(step, steps, width), steps, width) == step
    assert history_model.step_at(-5, steps, width) == 0
    assert history_model.step_at(2 * width, steps, width) == steps


def test_a_click_near_a_mark_finds_it(run: wv.Run) -> None:
    trace = run.trace
    step = first(run, Mark.DIVERGENCE)
    whole = history_model.HistoryStretch(30.0, 500.0, 0, trace.steps)
    assert history_model.step_near(divergences(run), whole, whole.x(step) - 2) == step
    assert history_model.step_near(divergences(run), whole, whole.x(step) - 80) is None
    assert "line 10" in history_model.words(trace, step)


# ---- launch fields


@pytest.mark.parametrize(
    ("text", "dims"), [("4", (4, 1, 1)), ("16x16", (16, 16, 1)), ("2×3×4", (2, 3, 4)), ("8, 2", (8, 2, 1))]
)
def test_extents(text: str, dims: tuple[int, int, int]) -> None:
    assert launch_model.extent(text, "grid") == dims
    assert launch_model.extent(launch_model.shown(dims), "grid") == dims


@pytest.mark.parametrize("text", ["", "0", "-1", "four", "1x2x3x4", "1.5"])
def test_wrong_extents_are_told_in_a_sentence(text: str) -> None:
    with pytest.raises(LaunchError, match="grid"):
        launch_model.extent(text, "grid")


def test_another_n_takes_its_buffers_along() -> None:
    arguments = {"in": "hash:512:100", "out": "blank:4", "n": "512"}
    assert launch_model.scalars(arguments) == {"n": "512"}
    changed = launch_model.with_scalar(arguments, "n", "1024")
    assert changed == {"in": "hash:1024:100", "out": "blank:4", "n": "1024"}


# ---- comparison


def test_comparison_shows_what_differs() -> None:
    runs = [
        Measured("a", "k", "d", {"inst_executed": 1000, "divergent_branches": 40, "barriers": 7}),
        Measured("b", "k", "d", {"inst_executed": 620, "divergent_branches": 0, "barriers": 7}),
        Measured("c", "k", "d", {}, "does not fit"),
    ]
    charts = comparison_model.charts(runs)
    assert [c.key for c in charts] == ["inst_executed", "divergent_branches"]
    assert [b.difference for b in charts[0].bars] == ["", "−38 %"]
    assert [b.share for b in charts[0].bars] == [1.0, 0.62]
    assert [c.key for c in comparison_model.charts(runs, "barrier")] == ["barriers"]


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (999, "999"), (56_700, "56\u202f700"), (567_000, "567 k"), (4_194_304, "4.19 M")]
)
def test_short_numbers(value: float | None, text: str) -> None:
    assert comparison_model.short(value) == text


# ---- moving


def test_same_place_in_another_variant(run: wv.Run) -> None:
    other = small_run("strided")
    step = first(run, Mark.DIVERGENCE)
    event = run.trace.event(step)
    move = navigation.same_place(run, Snapshot(step, event.block, event.warp), other)
    there = other.trace.event(move["step"])
    assert other.program.instructions[there.pc].span.line == 10
    assert (there.block, there.warp) == (event.block, event.warp)


def test_back_from_the_first_instruction_leads_before_it(run: wv.Run) -> None:
    step = run.trace.next_of_warp(0, 1, 3)
    assert step is not None
    assert navigation.step_warp(run, Snapshot(step, 1, 3), False) == {"step": step - 1, "pc": None, "line": None}
    assert navigation.step_warp(run, Snapshot(0, 1, 3), False) is None


def test_concerns_of_a_step(run: wv.Run) -> None:
    assert concerns(at(run, 0)) == set()
    assert concerns(at(run, first(run, Mark.DIVERGENCE))) == {"divergence"}
    kinds = {frozenset(concerns(at(run, s))) for s in range(run.trace.steps + 1)}
    assert {frozenset({"shared"}), frozenset({"global"})} <= kinds


def test_the_selected_warp_may_have_ended(run: wv.Run) -> None:
    context = at(run, run.trace.steps, block=0, warp=0)
    assert context.warp is not None
    assert context.warp.pc == NONE
    assert source_model.marks(context).coming == 0


# ---- drafts


def test_drafts_survive_and_can_be_thrown_away(tmp_path: Path) -> None:
    Drafts(tmp_path).keep("reduction/a", "int x;")
    again = Drafts(tmp_path)
    assert again.text("reduction/a") == "int x;"
    assert again.text("reduction/b") is None
    again.discard("reduction/a")
    assert Drafts(tmp_path).text("reduction/a") is None
    assert [p.read_text() for p in tmp_path.glob("*.discarded")] == ["int x;"]


def test_drafts_of_two_files_differ_whatever_their_folders_are_called(tmp_path: Path) -> None:
    kept = Drafts(tmp_path / "drafts")
    one, other = str(tmp_path / "a_b.cu"), str(tmp_path / "a" / "b.cu")
    kept.keep(one, "int one;")
    assert Drafts(tmp_path / "drafts").text(other) is None
    kept.keep(other, "int other;")
    again = Drafts(tmp_path / "drafts")
    assert (again.text(one), again.text(other)) == ("int one;", "int other;")


def test_a_draft_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    Drafts(tmp_path).keep("reduction/a", "int x;")
    next(tmp_path.iterdir()).write_bytes(b"int\0x")
    again = Drafts(tmp_path)
    assert again.text("reduction/a") is None
    again.keep("reduction/a", "int y;")
    assert again.text("reduction/a") == "int y;"


# ---- colours


def test_lanes_have_32_hues_in_order() -> None:
    for dark in (False, True):
        assert len({lane_colour(lane, dark) for lane in range(32)}) == 32


@pytest.mark.parametrize("start", [62, 67, 70, 90])
def test_another_variant_is_entered_before_what_is_new_in_it(start: int) -> None:
    """From a place without a conflict one never lands on, or past, the conflict that the key C is to find."""
    old, new = run_of("reduction/interleaved"), run_of("reduction/strided_index")
    key = (old.trace.event(start).block, old.trace.event(start).warp)
    assert not old.trace.event(start).marks & Mark.CONFLICT
    landed = navigation.same_place(old, Snapshot(start, *key), new)
    step = int(landed["step"])
    passed = [n for n in range(1, step + 1) if (new.trace.event(n).block, new.trace.event(n).warp) == key]
    barriers = [n for n in passed if new.trace.event(n).marks & Mark.BARRIER]
    since = [n for n in passed if n > barriers[-1]]
    assert not any(new.trace.event(n).marks & Mark.CONFLICT for n in since)
    found = navigation.to_mark(new, Snapshot(step, *key), Mark.CONFLICT, forward=True)
    assert found is not None


def test_bars_of_devices_without_sectors_count_transactions() -> None:
    runs = [
        Measured(name, "k", device, {"global_ld_sectors": 8}) for name, device in (("a", "8800gtx"), ("b", "c1060"))
    ]
    assert "sector" not in comparison_model.chart("global_ld_sectors", runs).heading.lower()
    mixed = [*runs, Measured("c", "k", "h200", {"global_ld_sectors": 8})]
    assert "sectors" in comparison_model.chart("global_ld_sectors", mixed).heading
