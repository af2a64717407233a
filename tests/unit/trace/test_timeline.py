import numpy as np
import pytest

from warpview.sim.history.events import Residency, Stall
from warpview.trace.navigation import Navigator
from warpview.trace.timeline import sample_stalls, step_at

S = Stall


@pytest.fixture
def made(events):
    """Slot 0 issues in cycles 0 and 20 (waits for memory to 15, for its unit to 18), slot 1 in cycle 4."""
    return events(
        cycle=[0, 4, 20], since=[0, 0, 1], ready=[0, 0, 15], free=[0, 0, 18], slot=[0, 1, 0], warp=[0, 1, 0],
        wait=[S.WAIT, S.WAIT, S.LONG_SCOREBOARD], throttle=[S.LG_THROTTLE] * 3,
    )  # fmt: skip


@pytest.fixture
def navigator(made, lines):
    return Navigator(made, lines([1]))


def spans(events):
    """Yield (slot, start, end, stall) of every span that the events tell of, one event after the other."""
    for row in range(len(events)):
        since, cycle = int(events.since[row]), int(events.cycle[row])
        ready = min(max(int(events.ready[row]), since), cycle)
        free = min(max(int(events.free[row]), ready), cycle)
        slot = int(events.slot[row])
        yield slot, since, ready, events.wait[row]
        yield slot, ready, free, events.throttle[row]
        yield slot, free, cycle, S.NOT_SELECTED
        yield slot, cycle, cycle + 1, S.SELECTED


def test_samples_of_made_events(made, navigator):
    stays = [Residency(block=0, first_slot=0, start=0, end=22)]
    picture = sample_stalls(navigator, made, stays, np.arange(25), slots=3, warps_per_block=2)
    selected, memory, unit, other = [S.SELECTED], [S.LONG_SCOREBOARD] * 14, [S.LG_THROTTLE] * 3, [S.NOT_SELECTED] * 2
    assert picture[0, :21].tolist() == [*selected, *memory, *unit, *other, *selected]
    assert picture[1, :5].tolist() == [*[S.NOT_SELECTED] * 4, *selected]
    assert (picture[1, 5:22] == S.EXITED).all()
    assert (picture[:, 22:] == S.EMPTY).all()
    assert (picture[2] == S.EMPTY).all()


@pytest.mark.parametrize("looks", [5, 60, 700])
def test_samples_of_a_run_agree_with_spans(story, looks):
    trace, random = story("interleaved").trace, np.random.default_rng(looks)
    known = list(spans(trace.arrays))
    for _ in range(8):
        first, last = np.sort(random.integers(0, trace.cycles, 2))
        cycles = np.linspace(first, last, looks).astype(np.int64)
        expected = np.full((8, looks), S.EMPTY)
        for stay in trace.residency:
            expected[stay.first_slot : stay.first_slot + 4, (cycles >= stay.start) & (cycles < stay.end)] = S.EXITED
        for slot, start, end, stall in known:
            expected[slot, (cycles >= start) & (cycles < end)] = stall
        picture = sample_stalls(trace.navigator, trace.arrays, trace.residency, cycles, 8, 4)
        assert np.array_equal(picture, expected)


def test_step_of_a_cycle(made):
    assert [step_at(made, c) for c in (0, 3, 4, 19, 20, 99)] == [1, 1, 2, 2, 3, 3]


def test_slots_of_an_empty_trace_are_empty(events, lines):
    nothing = events(cycle=[])
    navigator = Navigator(nothing, lines([1]))
    assert (sample_stalls(navigator, nothing, [], np.arange(3), 2, 1) == S.EMPTY).all()
