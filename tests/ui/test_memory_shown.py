"""What the session holds in memory stands beside the steps, where there is room; its parts are told on hover."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from warpview.trace.access_log import Extent
from warpview.ui.drawing.words import Words
from warpview.ui.main_window import MainWindow
from warpview.ui.moving import access_index
from warpview.ui.moving.elements import arrays_of


def label(window: MainWindow) -> Words:
    return window.transport.memory


def test_it_is_shown_where_there_is_room(window: MainWindow, qapp: QApplication) -> None:
    assert not label(window).isVisible()
    window.resize(1600, 1000)
    window.staged.finish()
    qapp.processEvents()
    assert label(window).isVisible()
    assert label(window).words == f"·  memory {window.memory_usage().words}"
    assert label(window).words == "·  memory 7.6 MB of 1 GB"
    assert label(window).width() >= label(window).fontMetrics().horizontalAdvance(label(window).words)
    assert "4.8 MB states" in label(window).toolTip()
    assert "earlier runs and places" in label(window).toolTip()


def test_what_is_gathered_is_added_when_it_comes(window: MainWindow, qtbot: QtBot) -> None:
    before = window.memory_usage().total
    window.dialogs.ask_text = lambda *_: "sdata[2]"
    window.actions_["follow_element"].trigger()
    qtbot.waitUntil(lambda: window.accesses.memory_bytes > 0, timeout=3000)
    window.presenter.present()
    assert window.memory_usage().total >= before + window.accesses.memory_bytes
    qtbot.waitUntil(lambda: window.transport._memory == window.memory_usage(), timeout=3000)
    assert "who touched what" in label(window).toolTip()


def test_a_history_that_is_cut_off_says_why(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    run = window.session.run
    monkeypatch.setattr(run.trace, "truncated", True)
    window._on_run(run, run)
    assert window.caption.text.startswith("Recorded up to step")
    assert "whole run" in label(window).toolTip()


@pytest.fixture
def extents(window: MainWindow) -> list[Extent]:
    """The shared array in both blocks, and the first array in global memory."""
    run = window.session.run
    first, second, far = arrays_of(run, 0)[0], arrays_of(run, 1)[0], arrays_of(run, 0)[1]
    return [first.extent, second.extent, far.extent]


def test_the_answer_that_is_not_looked_at_makes_room(
    window: MainWindow, qtbot: QtBot, extents: list[Extent], monkeypatch: pytest.MonkeyPatch
) -> None:
    touches, (first, second, _) = window.accesses, extents
    touches.history(first)
    qtbot.waitUntil(lambda: touches.history(first) is not None, timeout=3000)
    monkeypatch.setattr(access_index, "ACCESS_BYTES", touches.memory_bytes + 500)
    touches._in_use.clear()  # nobody looks at it any more
    touches.history(second)
    qtbot.waitUntil(lambda: second in touches._histories, timeout=3000)
    assert first not in touches._histories
    assert not touches.refuses(second)
    assert touches.memory_bytes <= access_index.ACCESS_BYTES


def test_what_does_not_fit_is_refused_and_not_asked_for_again(
    window: MainWindow, qtbot: QtBot, extents: list[Extent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_index, "ACCESS_BYTES", 1000)
    assert window.accesses.history(extents[0]) is None
    qtbot.waitUntil(lambda: window.accesses.refuses(extents[0]), timeout=3000)
    assert window.accesses.history(extents[0]) is None
    assert not window.accesses._runner.busy
