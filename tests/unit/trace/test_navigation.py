import gc

import numpy as np
import pytest

import warpview as wv
from warpview.sim.history.events import Mark
from warpview.trace.navigation import Navigator


@pytest.fixture
def navigator(events, lines):
    """Warps 0 and 1 of block 7 take turns through lines 3, 3, 4, 3, 3 (a loop)."""
    made = events(
        cycle=list(range(10)),
        slot=[0, 1] * 5,
        block=[7] * 10,
        warp=[0, 1] * 5,
        pc=[0, 0, 1, 1, 2, 2, 0, 0, 1, 1],
        marks=[0, 0, Mark.DIVERGENCE, 0, 0, Mark.CONFLICT, 0, Mark.DIVERGENCE, 0, 0],
    )
    return Navigator(made, lines([3, 3, 4]))


def test_the_next_mark_is_after_the_step(navigator):
    assert navigator.find(0, Mark.DIVERGENCE) == 3
    assert navigator.find(3, Mark.DIVERGENCE) == 8
    assert navigator.find(8, Mark.DIVERGENCE) is None


def test_the_previous_mark_is_before_the_step(navigator):
    assert navigator.find(8, Mark.DIVERGENCE, forward=False) == 3
    assert navigator.find(3, Mark.DIVERGENCE, forward=False) is None
    assert navigator.find(10, Mark.DIVERGENCE | Mark.CONFLICT, forward=False) == 8


def test_marks_of_one_warp(navigator):
    assert navigator.find(0, Mark.DIVERGENCE, True, (7, 1)) == 8
    assert navigator.find(0, Mark.CONFLICT, True, (7, 0)) is None
    assert navigator.find(0, Mark.FINDING, True, (7, 0)) is None


def test_instructions_of_a_warp(navigator):
    assert navigator.next_of_warp(0, 7, 0) == 1
    assert navigator.next_of_warp(1, 7, 0) == 3
    assert navigator.next_of_warp(9, 7, 0) is None
    assert navigator.previous_of_warp(10, 7, 0) == 9
    assert navigator.previous_of_warp(1, 7, 0) is None
    assert navigator.next_of_warp(0, 7, 5) is None


def test_lines_of_a_warp(navigator):
    # Warp 0 is at steps 1, 3 (line 3), 5 (line 4), 7, 9 (line 3 again).
    assert navigator.next_line(0, 7, 0) == 1
    assert navigator.next_line(1, 7, 0) == 5
    assert navigator.next_line(5, 7, 0) == 7
    assert navigator.next_line(7, 7, 0) is None
    assert navigator.previous_line(9, 7, 0) == 7
    assert navigator.previous_line(7, 7, 0) == 5
    assert navigator.previous_line(5, 7, 0) == 1
    assert navigator.previous_line(1, 7, 0) is None


def test_going_back_to_the_same_line_counts_as_another_line(events, lines):
    navigator = Navigator(events(cycle=[0, 1, 2], pc=[0, 1, 0]), lines([5, 5]))
    assert navigator.next_line(1, 0, 0) == 3


def test_warps_are_listed_by_block_and_warp(navigator):
    assert navigator.warps() == [(7, 0), (7, 1)]


def test_an_empty_trace_leads_nowhere(events, lines):
    navigator = Navigator(events(cycle=[]), lines([1]))
    assert navigator.find(0, Mark.BARRIER) is None
    assert navigator.next_of_warp(0, 0, 0) is None
    assert navigator.next_line(0, 0, 0) is None
    assert navigator.warps() == []


def test_the_next_event_of_every_slot(events, lines):
    random = np.random.default_rng(1)
    slots = random.choice(7, 1500, p=[0.5, 0.2, 0.1, 0.1, 0.08, 0.02, 0.0])
    slots[slots == 5] = 6
    navigator = Navigator(events(slot=slots.tolist()), lines([1]))
    places = [0, 1, 255, 256, 257, 700, 1023, 1024, 1499, 1500]
    expected = [[next((k for k in range(step, 1500) if slots[k] == s), 1500) for s in range(7)] for step in places]
    assert [navigator.next_rows(step).tolist() for step in places] == expected
    assert navigator.next_rows_of(np.array(places)).T.tolist() == expected
    assert navigator.next_rows_of(np.array([3, 3, 3])).T.tolist() == [navigator.next_rows(3).tolist()] * 3


def test_a_run_of_many_warps_is_few_objects_for_the_garbage_collector():
    """Objects of all 512 warps, made at once, would bring about a full collection while the window is in use."""
    source = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"
    a = np.zeros(16 * 64 * 256, np.int32)
    run = wv.simulate(wv.compile(source), grid=16 * 64, block=256, args=[a], device="8800gtx", engine="sm")
    navigator = Navigator(run.trace.arrays, run.program)
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        navigator.prepare()
        made = len(gc.get_objects()) - before
    finally:
        gc.enable()
    assert len(navigator.warps()) == 512
    assert made < 100
    assert all(len(navigator.steps_of_warp(*key)) == len(run.trace.arrays) // 512 for key in navigator.warps())
