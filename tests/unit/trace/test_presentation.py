"""Marks, stalls and states of lanes each have one name and sign, and no two have the same."""

import pytest

from warpview.sim.history.events import Mark, Stall
from warpview.trace.frame import LaneStatus
from warpview.trace.presentation import LANES, MARKS, STALLS

NOT_SHOWN = {Mark.BLOCK_START, Mark.BLOCK_END}


def test_everything_is_in_its_table():
    assert set(MARKS) == set(Mark) - NOT_SHOWN
    assert list(STALLS) == list(Stall)
    assert list(LANES) == list(LaneStatus)


@pytest.mark.parametrize("field", ["name", "plural", "short", "key", "letter", "colour"])
def test_marks_are_told_apart(field):
    assert len({getattr(shown, field) for shown in MARKS.values()}) == len(MARKS)


def test_stalls_and_lanes_are_told_apart_without_colour():
    assert len({shown.name for shown in STALLS.values()}) == len(STALLS)
    assert len({shown.clause for shown in STALLS.values()}) == len(STALLS)
    assert len({shown.name for shown in LANES.values()}) == len(LANES)
    assert len({shown.shape for shown in LANES.values()}) == len(LANES)
    throttles = [STALLS[stall] for stall in Stall if stall.name.endswith("THROTTLE")]
    assert len({(shown.colour, shown.strength) for shown in throttles}) == len(throttles) == 3
