from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from support.pictures import text_boxes

from warpview.sim.history.events import EVENT_COLUMNS, Events, Residency, Stall
from warpview.trace.navigation import Navigator
from warpview.ui.drawing.picture import Rects, Text
from warpview.ui.views.timeline import timeline_model
from warpview.ui.views.timeline import timeline_states as model
from warpview.ui.views.timeline.timeline_states import Window

DEVICE = SimpleNamespace(schedulers=1, dispatch_per_scheduler=1, issue_port_cycles=1)


@pytest.fixture
def trace(scenes):
    """Two slots: slot 0 issues in cycles 0 and 20 (memory until 15, unit busy until 18), slot 1 in cycle 4."""
    columns = {name: np.zeros(3, kind) for name, kind in EVENT_COLUMNS.items()}
    columns |= {
        "cycle": np.array([0, 4, 20]), "since": np.array([0, 0, 1]), "ready": np.array([0, 0, 15]),
        "free": np.array([0, 0, 18]), "slot": np.array([0, 1, 0], np.int16), "warp": np.array([0, 1, 0], np.int16),
        "wait": np.array([Stall.WAIT, Stall.WAIT, Stall.LONG_SCOREBOARD], np.uint8),
        "throttle": np.full(3, Stall.LG_THROTTLE, np.uint8),
    }  # fmt: skip
    program = scenes().run.program
    events = Events(**columns)
    stalls = np.zeros((1, len(Stall)), np.int64)
    stalls[0, [Stall.SELECTED, Stall.LONG_SCOREBOARD]] = (3, 9)
    return SimpleNamespace(
        program=program, arrays=events, navigator=Navigator(events, program), residency=[Residency(0, 0, 0, 22)],
        launch=SimpleNamespace(warps=2), device=DEVICE, cycles=22, steps=3,
        result=SimpleNamespace(resident_blocks=1, free_issues=np.zeros(30, np.int64)), stall_cycles=stalls,
        event=lambda step: SimpleNamespace(pc=0, block=0, warp=int(events.warp[step - 1]), step=step),
    )  # fmt: skip


def test_windows_zoom_about_a_cycle_and_stay_inside():
    w = Window(100, 1000)
    z = w.zoomed(0.5, 300, 10_000)
    assert z.span == 500
    assert (300 - z.first) / z.span == pytest.approx((300 - w.first) / w.span)
    assert w.zoomed(0.0001, 300, 10_000).span == 24
    assert w.zoomed(1000, 300, 10_000) == Window(0, 10_000)
    assert w.moved(-500, 10_000).first == 0
    assert w.moved(1e9, 10_000).last == 10_000


def test_the_window_follows_a_cycle_only_when_it_leaves():
    w = Window(100, 1000)
    assert w.showing(500, 10_000) is w
    moved = w.showing(5000, 10_000)
    assert moved.first < 5000 < moved.last
    assert moved.span == 1000


def test_states_by_pixel(trace):
    found = model.states(trace, model.ResidencyIntervals(trace), Window(0, 24), 24)
    waiting = [Stall.LONG_SCOREBOARD] * 14 + [Stall.LG_THROTTLE] * 3 + [Stall.NOT_SELECTED] * 2
    assert found[0, :22].tolist() == [Stall.SELECTED, *waiting, Stall.SELECTED, Stall.EXITED]
    assert found[1, 4] == Stall.SELECTED


def test_issue_heat_counts_issues(trace):
    heat = model.issue_heat(model.issued(trace), Window(0, 24), 24)
    assert np.flatnonzero(heat[0]).tolist() == [0, 4, 20]
    assert model.issue_heat(model.issued(trace), Window(0, 24), 1)[0, 0] == 1


def test_where_the_time_went(trace):
    assert model.stall_shares(trace) == [(Stall.LONG_SCOREBOARD, 0.75), (Stall.SELECTED, 0.25)]


def test_ticks_are_round_and_few():
    assert timeline_model.ticks(Window(0, 1000), 10) == list(range(0, 1001, 100))
    assert len(timeline_model.ticks(Window(123, 77_777), 8)) <= 9


def test_a_stretch_is_named_with_its_bounds_and_what_it_waits_to_issue(trace):
    found = [model.stretch_at(trace, 0, cycle) for cycle in (0, 1, 14, 16, 19, 20)]
    assert [(f.stall, f.start, f.end) for f in found] == [
        (Stall.SELECTED, 0, 1), (Stall.LONG_SCOREBOARD, 1, 15), (Stall.LONG_SCOREBOARD, 1, 15),
        (Stall.LG_THROTTLE, 15, 18), (Stall.NOT_SELECTED, 18, 20), (Stall.SELECTED, 20, 21),
    ]  # fmt: skip
    assert {f.step for f in found[1:]} == {3}
    assert model.stretch_at(trace, 0, 21) is None
    states = model.states_at(trace, model.ResidencyIntervals(trace), np.arange(21))[0]
    assert [model.stretch_at(trace, 0, cycle).stall for cycle in range(21)] == states.tolist()


def test_runs_of_one_state():
    states = np.array([[1, 1, 1, 2], [3, 3, 3, 3]], np.uint8)
    assert model.runs_of(states, 3) == [(0, 0, 3, 1), (1, 0, 4, 3)]


def _context(scenes, trace):
    device = DEVICE
    return replace(scenes().on("load"), run=SimpleNamespace(trace=trace, program=trace.program, device=device))


def test_the_rows_name_what_a_warp_waits_for_and_lead_to_its_step(scenes, picture, trace):
    drawn = picture(900.0, 45.0, 15.0)
    timeline_model.draw_rows(_context(scenes, trace), drawn, Window(0, 24), model.StateColumns(trace))
    assert "long scoreboard" in [text for text, _ in text_boxes(drawn)]
    found = drawn.at(10 / 24 * 900.0, 5)
    assert "block 0, warp 0 waits for global memory" in found.hover
    assert "cycles 1 to 14: 14" in found.hover
    assert found.target.step == 1, "where the warp stands in that cycle"


def test_few_warps_are_no_posters_and_the_chart_takes_nothing_from_the_rows():
    low = timeline_model.heights(200.0, 15.0, schedulers=1, slots=2, states=4)
    high = timeline_model.heights(900.0, 15.0, schedulers=1, slots=2, states=4)
    assert low.shares == 0
    assert high.shares > 4 * 15.0
    assert high.rows <= 2 * timeline_model.TALLEST * 15.0 + 4 * 15.0
    assert low.issue + low.rows + low.shares <= 200.0
    assert high.issue + high.rows + high.shares <= 900.0
    many = timeline_model.heights(900.0, 15.0, schedulers=4, slots=64, states=8)
    assert many.shares == 0, "64 rows need the room"


def test_in_a_low_view_the_rows_take_the_room_of_the_names():
    low, higher = (timeline_model.heights(high, 30.0, schedulers=1, slots=4, states=4) for high in (150.0, 360.0))
    assert (low.names_axis, low.names_colours, higher.names_axis, higher.names_colours) == (False, False, True, True)
    assert low.issue + low.rows <= 150.0
    assert low.rows > 3 * 30.0, "what is below the rows takes less than two lines"


def test_the_states_are_named_as_nsight_compute_names_them_with_plain_words_beside(trace):
    first, second = timeline_model.share_rows(model.stall_shares(trace))
    assert (first.name, first.value) == ("long scoreboard", 75.0)
    assert first.figures.split("  ")[-1] == "waits for global memory"
    assert second.name == "selected"
    shares = model.stall_shares(trace)
    assert timeline_model.named(shares, len, 25.0) == [Stall.LONG_SCOREBOARD, Stall.SELECTED]
    assert timeline_model.named(shares, len, 20.0) == [Stall.LONG_SCOREBOARD]


@pytest.mark.parametrize(("device", "slots"), [("8800gtx", 1 / 4), ("c2050", 2 / 2), ("gtx980", 4 * 2), ("h200", 4)])
def test_issue_slots_are_as_busy_as_the_verdict_says(real, device, slots):
    """``slots``: instructions that the multiprocessor can issue in a cycle. The verdict has the whole launch, whose
    multiprocessors have as many blocks."""
    scenes = real("reduction/interleaved", device)
    trace, context = scenes.run.trace, scenes.at(1)
    issued = trace.steps - trace.result.free_issues.sum()
    assert timeline_model.busy(context) == pytest.approx(issued / (trace.cycles * slots))
    assert timeline_model.busy(context) == pytest.approx(scenes.run.verdict().shares["issue"], rel=0.1)
    assert timeline_model.note(context).startswith(f"issue slots busy {100 * timeline_model.busy(context):.0f} % ")


def test_rows_are_named_where_there_is_height(scenes, trace):
    context = scenes().on("load")
    assert len(timeline_model.slot_names(context, 8, 400.0, 15.0)) == 8
    assert len(timeline_model.slot_names(context, 64, 400.0, 15.0)) == 16
    assert timeline_model.scheduler_names(4, 60.0, 15.0)[3] == (3.5, "issue 3")
    assert timeline_model.scheduler_names(4, 15.0, 15.0) == [(2.0, "issue")]


def test_the_number_of_a_block_lies_above_the_frame_of_the_selected_warp(real, picture):
    """In low rows it is as high as two of them."""
    scenes = real("transpose/tile_32", "c2050")
    p, window = picture(600, 90), Window(0, scenes.run.trace.cycles)
    timeline_model.draw_rows(scenes.at(1, block=0, warp=0), p, window, model.StateColumns(scenes.run.trace))
    frame = next(n for n, mark in enumerate(p.marks) if isinstance(mark, Rects) and mark.edge == "accent")
    number = next(n for n, mark in enumerate(p.marks) if isinstance(mark, Text) and mark.text == "block 0")
    assert frame < number
