from types import SimpleNamespace

import numpy as np
import pytest

from warpview.sim.events import EVENT_COLUMNS, Events, Residency, Stall
from warpview.trace.navigation import Navigator
from warpview.ui.views import timeline_model as model
from warpview.ui.views.timeline_model import Window


@pytest.fixture
def trace(scenes):
    """Two slots: slot 0 issues in cycles 0 and 20 (memory until 15, unit busy until 18), slot 1 in cycle 4."""
    columns = {name: np.zeros(3, kind) for name, kind in EVENT_COLUMNS.items()}
    columns |= {
        "cycle": np.array([0, 4, 20]), "since": np.array([0, 0, 1]), "ready": np.array([0, 0, 15]),
        "free": np.array([0, 0, 18]), "slot": np.array([0, 1, 0], np.int16), "warp": np.array([0, 1, 0], np.int16),
        "wait": np.array([Stall.WAIT, Stall.WAIT, Stall.MEMORY], np.uint8),
    }  # fmt: skip
    program = scenes().run.program
    events = Events(**columns)
    stalls = np.zeros((1, len(Stall)), np.int64)
    stalls[0, [Stall.SELECTED, Stall.MEMORY]] = (3, 9)
    return SimpleNamespace(
        program=program, arrays=events, navigator=Navigator(events, program), residency=[Residency(0, 0, 0, 22)],
        launch=SimpleNamespace(warps=2), device=SimpleNamespace(schedulers=1), cycles=22, steps=3,
        result=SimpleNamespace(resident_blocks=1), stall_cycles=stalls,
    )  # fmt: skip


def test_windows_zoom_about_a_cycle_and_stay_inside():
    w = Window(100, 1000)
    z = w.zoomed(0.5, 300, 10_000)
    assert z.span == 500
    assert (300 - z.first) / z.span == pytest.approx((300 - w.first) / w.span)
    assert w.zoomed(0.0001, 300, 10_000).span == model.LEAST_SPAN
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
    found = model.states(trace, model.Stays(trace), Window(0, 24), 24)
    assert found[0, :22].tolist() == [0] + [Stall.MEMORY] * 14 + [Stall.THROTTLE] * 3 + [Stall.NOT_SELECTED] * 2 + [
        0
    ] + [Stall.EXITED]
    assert found[1, 4] == Stall.SELECTED


def test_issue_heat_counts_issues(trace):
    heat = model.issue_heat(trace, Window(0, 24), 24)
    assert np.flatnonzero(heat[0]).tolist() == [0, 4, 20]
    assert model.issue_heat(trace, Window(0, 24), 1)[0, 0] == 1


def test_where_the_time_went(trace):
    assert model.stall_shares(trace) == [(Stall.MEMORY, 0.75), (Stall.SELECTED, 0.25)]


def test_ticks_are_round_and_few():
    assert model.ticks(Window(0, 1000), 10) == list(range(0, 1001, 100))
    assert len(model.ticks(Window(123, 77_777), 8)) <= 9
