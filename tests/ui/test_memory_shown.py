"""The memory that the session holds is shown beside the steps, where there is room; hover tells its parts."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from warpview.trace.access_log import Extent
from warpview.ui.main_window import MainWindow
from warpview.ui.moving import access_index
from warpview.ui.moving.elements import arrays_of
from warpview.ui.session.landing import Arrival


def details(window: MainWindow) -> str:
    """What is said of memory when the pointer rests on the number of steps."""
    return window.transport.steps_label.toolTip()


def test_it_is_told_on_hover_only(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "Memory used by this session" in details(window), timeout=3000)

    def is_told() -> bool:  # what is fetched ahead meanwhile is told with the next picture
        window.presenter.present()
        return window.run_display.memory_usage().words in details(window)

    qtbot.waitUntil(is_told, timeout=3000)
    assert "states" in details(window)
    assert "memory" not in window.transport.steps_label.text()


def test_what_is_gathered_is_added_when_it_comes(window: MainWindow, qtbot: QtBot) -> None:
    assert "accesses to arrays" not in dict(window.run_display.memory_usage().parts)
    window.dialogs.ask_text = lambda *_: "sdata[2]"
    window.actions_["follow_element"].trigger()
    qtbot.waitUntil(lambda: window.accesses.memory_bytes > 0, timeout=3000)
    window.presenter.present()
    assert dict(window.run_display.memory_usage().parts)["accesses to arrays"] == window.accesses.memory_bytes
    qtbot.waitUntil(lambda: window.run_display.memory_usage().words in details(window), timeout=3000)
    assert "accesses to arrays" in details(window)


def test_a_history_that_is_cut_off_says_why(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    run = window.session.run
    monkeypatch.setattr(type(run.trace), "truncated", property(lambda _: True))
    window.session.run_changed.emit(Arrival(run, window.session.setup, None, None))
    assert window.caption.text.startswith("Recorded up to step")
    assert "whole run" in details(window)


@pytest.fixture
def extents(window: MainWindow) -> list[Extent]:
    """The shared array in both blocks, and the first array in global memory."""
    run = window.session.run
    first, second, far = arrays_of(run, 0)[0], arrays_of(run, 1)[0], arrays_of(run, 0)[1]
    return [first.extent, second.extent, far.extent]


def test_the_answer_that_is_not_looked_at_makes_room(
    window: MainWindow, qtbot: QtBot, extents: list[Extent], monkeypatch: pytest.MonkeyPatch
) -> None:
    accesses, (first, second, _) = window.accesses, extents
    accesses.history(first)
    qtbot.waitUntil(lambda: accesses.history(first) is not None, timeout=3000)
    monkeypatch.setattr(access_index, "ACCESS_BYTES", accesses.memory_bytes + 500)
    accesses.in_use.clear()  # nobody looks at it any more
    accesses.history(second)
    qtbot.waitUntil(lambda: second in accesses.kept_histories, timeout=3000)
    assert first not in accesses.kept_histories
    assert not accesses.refuses(second)
    assert accesses.memory_bytes <= access_index.ACCESS_BYTES


def test_what_does_not_fit_is_refused_and_not_asked_for_again(
    window: MainWindow, qtbot: QtBot, extents: list[Extent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_index, "ACCESS_BYTES", 1000)
    assert window.accesses.history(extents[0]) is None
    qtbot.waitUntil(lambda: window.accesses.refuses(extents[0]), timeout=3000)
    assert window.accesses.history(extents[0]) is None
    assert not window.accesses.busy
