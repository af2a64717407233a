import pytest
from ui.small_run import small_run

from warpview.ui.export.choice import MOST_PICTURES, StepsChoice, steps_of, summary, usual


@pytest.fixture(scope="module")
def trace():
    return small_run().trace


def test_the_steps_are_those_that_one_comes_to(trace):
    assert steps_of(trace, "any", (0, 0), 5, 9) == [5, 6, 7, 8, 9]
    own = steps_of(trace, "warp", (0, 1), 0, trace.steps)
    assert own[0] == 0
    assert all((trace.event(s).block, trace.event(s).warp) == (0, 1) for s in own[1:])
    lines = steps_of(trace, "line", (0, 1), 0, trace.steps)
    assert set(lines) <= set(own)
    assert len(lines) < len(own)
    assert steps_of(trace, "warp", (0, 1), own[3], own[6]) == own[3:7]


def test_there_is_a_most(trace):
    assert len(steps_of(trace, "any", (0, 0), 0, 10_000)) == MOST_PICTURES
    assert len(steps_of(trace, "warp", (0, 0), 0, trace.steps, most=4)) == 4


def test_from_the_last_step_on_the_beginning_is_offered(trace):
    assert usual(trace, "warp", (0, 0), trace.steps)[0] == 0
    assert usual(trace, "any", (0, 0), 7) == (7, 36)


def test_the_summary_says_what_is_written():
    choice = StepsChoice(0, 9, width=1280, seconds=0.7)
    assert summary(choice, 30, (1600, 1000)) == "30 pictures of 1280 × 800, 21 s"
    assert summary(StepsChoice(0, 9, animated=False), 1, (1280, 720)) == "1 picture of 1280 × 720"
    assert "the maximum" in summary(choice, MOST_PICTURES, (1600, 1000))
