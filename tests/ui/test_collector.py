"""Garbage is collected while nothing is to be shown, or at the next turn after one that was put off."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from warpview.ui import collector
from warpview.ui.collector import Collector
from warpview.ui.main_window import MainWindow


@pytest.fixture
def collecting(window: MainWindow, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    monkeypatch.setattr(collector, "YOUNG_MS", 10_000_000)  # turns come when a test says so
    made = Collector(qapp, window)
    yield made
    made.stop()
    made.deleteLater()


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generations that were collected."""
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append(info["generation"])

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def test_a_window_at_rest_is_collected_for_at_once(
    window: MainWindow, collecting: Collector, collections: list[int], qtbot: QtBot
) -> None:
    qtbot.wait(200)
    collections.clear()
    collecting._timer.timeout.emit()
    assert collections == [1]


def test_while_a_step_is_shown_it_waits(
    window: MainWindow, collecting: Collector, collections: list[int], qtbot: QtBot
) -> None:
    qtbot.wait(200)
    collections.clear()
    window.player.step_any(True)
    window.presenter.present()
    collecting._timer.timeout.emit()
    assert collections == []
    qtbot.waitUntil(lambda: collections == [1], timeout=1000)


def test_steps_one_upon_another_do_not_put_it_off_for_ever(
    window: MainWindow, collecting: Collector, collections: list[int], qtbot: QtBot
) -> None:
    qtbot.wait(200)
    collections.clear()
    for _ in range(4):
        window.player.step_any(True)
        window.presenter.present()
        collecting._timer.timeout.emit()
    assert collections == [1, 1]
