import numpy as np
import pytest

from warpview.sim.history.events import Stall
from warpview.trace.stalls import by_instruction


def test_spans_of_an_event(events):
    wait = [Stall.LONG_SCOREBOARD, Stall.WAIT]
    made = events(cycle=[10, 30], since=[0, 11], ready=[4, 20], free=[6, 20], pc=[1, 0], wait=wait,
                  throttle=[Stall.LG_THROTTLE, Stall.MIO_THROTTLE])  # fmt: skip
    found = by_instruction(made, 3)
    stalls = [Stall.LONG_SCOREBOARD, Stall.LG_THROTTLE, Stall.NOT_SELECTED, Stall.SELECTED]
    assert found[1, stalls].tolist() == [4, 2, 4, 1]
    assert found[0, [Stall.WAIT, Stall.NOT_SELECTED, Stall.SELECTED]].tolist() == [9, 10, 1]
    assert not found[2].any()


@pytest.mark.parametrize("device", ["8800gtx", "k40", "h200"])
def test_they_add_up_to_the_totals(story, device):
    trace = story("strided_index", device).trace
    waiting = [stall for stall in Stall if stall not in (Stall.RECONVERGENCE, Stall.EXITED, Stall.EMPTY)]
    total = trace.stall_cycles.sum(axis=0)[waiting]
    assert np.array_equal(by_instruction(trace.arrays, len(trace.program.instructions)).sum(axis=0)[waiting], total)
