"""The log of accesses agrees with the frames, and histories of elements with a count by hand."""

import numpy as np
import pytest

from warpview.isa.types import Space
from warpview.sim.launch import Cancelled
from warpview.trace.access_log import Extent


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


@pytest.fixture
def traced(story):
    trace = story("interleaved", "h200").trace
    return trace, trace.gather()


def by_hand(trace, extent):
    """(step, element, lane) of every touch of an extent, from the frames."""
    found = []
    for step, where, _ in trace.accesses():
        if where.space != extent.space or extent.block not in (-1, trace.event(step).block):
            continue
        for lane in lanes_of(where.mask):
            element = (int(where.address[lane]) - extent.base) // extent.size
            if 0 <= element < extent.count:
                found.append((step, element, lane))
    return found


def test_the_log_has_every_access(traced):
    trace, log = traced
    expected = list(trace.accesses())
    assert [row + 1 for row in log.row.tolist()] == [step for step, _, _ in expected]
    for k, (_, where, _) in enumerate(expected):
        assert log.lanes[k] == where.mask
        assert (log.space[k], log.width[k]) == (where.space, where.width)
        words = log.words[log.start[k] : log.start[k + 1]]
        assert words.tolist() == [int(where.address[lane]) for lane in lanes_of(where.mask)]


def test_frames_can_be_asked_for_while_it_is_gathered(story):
    trace = story("interleaved").trace
    seen = []
    trace.gather(lambda done, total: seen.append(trace.frame(3).step) is None)
    assert seen
    assert trace.frame(5).step == 5
    with pytest.raises(Cancelled):
        trace.gather(lambda done, total: False)


@pytest.mark.parametrize("space", [Space.SHARED, Space.GLOBAL])
def test_the_history_of_elements(traced, space):
    trace, log = traced
    base = int(trace.frame(0).registers64[0][trace.program.params[0].row][0])
    extent = Extent(Space.SHARED, 0, 4, 64, 1) if space == Space.SHARED else Extent(Space.GLOBAL, base, 4, 100)
    history, expected = log.history(extent), by_hand(trace, extent)
    assert len(expected) > 40
    assert (
        list(zip((history.row + 1).tolist(), history.element.tolist(), history.lane.tolist(), strict=True)) == expected
    )
    steps = np.array([step for step, _, _ in expected])
    # Forwards, back and across: the last touch of each element, and the how-manieth it is.
    for step in (0, int(steps[20]), trace.steps, int(steps[5]), int(steps[5]) - 1, int(steps[30]), 0):
        last = np.full(extent.count, -1)
        count = np.zeros(extent.count, int)
        for k, (at, element, _) in enumerate(expected):
            if at <= step:
                last[element] = k
                count[element] += 1
        found = history.last(step)
        assert found.tolist() == last.tolist()
        assert [history.nth[k] + 1 if k >= 0 else 0 for k in found] == count.tolist()
    assert history.accesses_to(3).tolist() == [k for k, (_, element, _) in enumerate(expected) if element == 3]


def test_a_vector_access_touches_several_elements(traced):
    _, log = traced
    words = np.array([64, 80], np.uint32)
    rows = np.array([[4, 0b101, Space.SHARED | 16 << 8]], np.uint32)
    wide = type(log).of(log.events, rows, words)
    history = wide.history(Extent(Space.SHARED, 64, 4, 6))
    assert history.element.tolist() == [0, 1, 2, 3, 4, 5]
    assert history.lane.tolist() == [0, 0, 0, 0, 2, 2]
    assert wide.steps_accessing(Space.SHARED, 76, 80).tolist() == [5]
    assert wide.steps_accessing(Space.SHARED, 96, 100).tolist() == []
    assert wide.steps_accessing(Space.GLOBAL, 64, 68).tolist() == []


@pytest.mark.parametrize("extent", [Extent(Space.SHARED, 0, 4, 64, 1), Extent(Space.SHARED, 0, 2, 128, 0)])
def test_what_a_history_will_take_is_known_before_it_is_made(traced, extent):
    _, log = traced
    assert log.cost(extent) == log.history(extent).nbytes > 1000
