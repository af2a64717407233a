"""The frames that the next keys would show are prepared in idle time; never at a key's expense."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from ui.measure_frames import wait_until_at_rest

from warpview.ui.main_window import MainWindow


@pytest.fixture
def asked(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps whose frames are asked for of the run in the window, in a window at rest in the middle of the run."""
    window.player.go(20)
    steps: list[int] = [-1]
    trace = window.session.run.trace
    frame = trace.frame

    def noted(step: int) -> object:
        steps.append(step)
        return frame(step)

    monkeypatch.setattr(trace, "frame", noted)
    while steps:  # the sparklines ask as well, at first
        steps.clear()
        wait_until_at_rest(window)
    return steps


def next_steps(window: MainWindow, forward: bool) -> set[int]:
    now, trace = window.selection.now, window.session.run.trace
    find = trace.next_of_warp if forward else trace.previous_of_warp
    return {now.step + (1 if forward else -1), find(now.step, *now.key)} - {None}


@pytest.mark.parametrize("forward", [True, False])
def test_what_the_next_key_shows_is_prepared(window: MainWindow, asked: list[int], forward: bool) -> None:
    window.player.step(forward)
    wait_until_at_rest(window)
    shown, *prepared = asked
    assert shown == window.selection.now.step
    assert set(prepared) == next_steps(window, forward)
    asked.clear()
    wait_until_at_rest(window)
    assert asked == []


def test_nothing_is_prepared_between_quick_steps(window: MainWindow, asked: list[int]) -> None:
    for _ in range(5):
        window.player.step_any(True)
        window.presenter.present()
        window.presenter.show_rest()
    assert asked == [21, 22, 23, 24, 25]
    wait_until_at_rest(window)
    assert set(asked[5:]) == next_steps(window, True)


def test_what_is_followed_is_prepared(window: MainWindow, asked: list[int]) -> None:
    window.player.follow("block")
    window.player.step(True)
    wait_until_at_rest(window)
    among = window.player.steps()
    assert among[among > window.selection.now.step][0] in asked


def test_another_run_ends_it(window: MainWindow, asked: list[int], qtbot: QtBot) -> None:
    old = window.session.run
    window.player.step_any(True)
    window.presenter.present()
    window.presenter.show_rest()
    window.session.neighbour(True)
    qtbot.waitUntil(lambda: window.session.run is not old and window.presenter.context is not None, timeout=5000)
    del asked[:]
    wait_until_at_rest(window)
    assert asked == []
    assert window.prefetcher.run is window.session.run


def test_it_is_prepared_while_predicting(window: MainWindow, asked: list[int]) -> None:
    window.presenter.set_predicting(True)
    window.player.step(True)
    wait_until_at_rest(window)
    assert next_steps(window, True) <= set(asked)


def test_idleness_is_told_again_when_all_frames_are_prepared(
    window: MainWindow, asked: list[int], qtbot: QtBot
) -> None:
    """What is said then, such as the memory in use, counts them."""
    idle = window.prefetcher.idle
    with qtbot.waitSignals([idle, idle], timeout=60_000):
        window.player.step(True)
        window.presenter.present()
    assert asked
