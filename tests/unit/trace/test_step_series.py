import numpy as np

from warpview.sim.events import Mark
from warpview.sim.raw_counts import Raw
from warpview.trace.step_series import active_lanes, lane_activity, popcount, sparkline


def test_popcount():
    masks = np.array([0, 1, 0xFFFFFFFF, 0x80000001], dtype=np.uint32)
    assert popcount(masks).tolist() == [0, 1, 32, 2]


def test_active_lanes_of_each_step(events):
    made = events(cycle=[0, 1, 2], on=[0xFFFFFFFF, 0x1, 0])
    assert active_lanes(made, 0, 3, 10).tolist() == [32.0, 1.0, 0.0]


def test_active_lanes_in_pieces(events):
    made = events(cycle=list(range(100)), on=[0xFFFFFFFF] * 50 + [0xFFFF] * 50)
    assert active_lanes(made, 0, 100, 4).tolist() == [32.0, 32.0, 16.0, 16.0]


def test_activity_of_each_lane(events):
    made = events(cycle=[0, 1], on=[0b01, 0b11])
    found = lane_activity(made, np.array([1, 2]), 1)
    assert found[:3].tolist() == [[1.0], [0.5], [0.0]]


def test_a_counter_that_the_events_tell(events):
    made = events(cycle=[0, 1, 2, 3], pc=[0, 1, 0, 1], marks=[Mark.CONFLICT, Mark.CONFLICT, 0, Mark.CONFLICT])
    truth = np.array([0, 4]), np.zeros((2, 2), dtype=np.int64)
    both, second = np.array([True, True]), np.array([False, True])
    assert sparkline(made, Raw.SERIALIZED, both, 5, truth).tolist() == [0, 1, 2, 2, 3]
    assert sparkline(made, Raw.EXECUTED, second, 5, truth).tolist() == [0, 0, 1, 1, 2]


def test_a_counter_known_here_and_there_is_drawn_straight_between(events):
    made = events(cycle=list(range(4)))
    truth = np.array([0, 4]), np.array([[0, 0], [8, 100]])
    assert sparkline(made, Raw.SECTORS, np.array([True, False]), 3, truth).tolist() == [0, 4, 8]
