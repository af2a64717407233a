"""A change is made in parts: one a turn, nothing painted in between, and never half of two changes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from warpview.ui.arranging.staged_update import StagedUpdate
from warpview.ui.main_window import MainWindow


@pytest.fixture
def painted(qapp: object) -> Iterator[QWidget]:
    widget = QWidget()
    yield widget
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_one_part_a_turn_and_nothing_is_painted_until_the_last(painted: QWidget, qtbot: QtBot) -> None:
    turns, done = StagedUpdate(painted), []
    turns.take(*(lambda n=n: done.append((n, painted.updatesEnabled())) for n in range(3)))
    assert done == []
    assert not painted.updatesEnabled()
    qtbot.waitUntil(lambda: not turns.under_way)
    assert done == [(0, False), (1, False), (2, False)]
    assert painted.updatesEnabled()


def test_another_change_begins_where_the_one_before_has_ended(painted: QWidget) -> None:
    turns, done = StagedUpdate(painted), []
    turns.take(lambda: done.append("one"), lambda: done.append("one"))
    turns.take(lambda: done.append("other"))
    assert done == ["one", "one"]
    turns.finish()
    assert done == ["one", "one", "other"]
    assert painted.updatesEnabled()


def test_keys_in_the_middle_of_presentation_are_not_lost(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["presentation"].trigger()
    window.actions_["next"].trigger()
    window.actions_["presentation"].trigger()
    window.actions_["presentation"].trigger()
    qtbot.waitUntil(lambda: not window.staged.under_way)
    assert window.presentation.on
    assert window.selection.now.step == 1
    assert window.workspace.arrangement == "presentation"
    assert window.central.updatesEnabled()
    window.actions_["presentation"].trigger()
    window.close()
    assert window.look.scale == 1.0


def test_what_is_larger_is_arranged_anew(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["everything"].trigger()
    qtbot.waitUntil(lambda: window.workspace.arrangement == "narrow")
    window.look.set_scale(1.25)
    qtbot.waitUntil(lambda: window.workspace.arrangement == "small")
