"""The user's own arrangements: hiding, moving, saving by name, and what is remembered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from ui.fakes import FakeBackend

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts


def named(window: MainWindow, name: str) -> None:
    window.commands.files.ask_text = lambda *_: name
    window.actions_["save_layout"].trigger()


def drag(handle: QWidget, start: QPoint, onto: QWidget, end: QPoint) -> None:
    """From a place in ``handle`` to a place in ``onto``."""
    goal = handle.mapFromGlobal(onto.mapToGlobal(end))
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(handle, start + (goal - start) * share)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=goal)


def test_views_are_hidden_and_shown_from_the_menu(window: MainWindow) -> None:
    action = window.actions_["show_global"]
    assert action.isChecked()
    action.trigger()
    assert not window.stage.views["global"].isVisible()
    assert not action.isChecked()
    action.trigger()
    assert window.stage.views["global"].isVisible()
    window.commands.layouts.hide(window.stage.views["lanes"])
    assert not window.actions_["show_lanes"].isChecked()


def test_the_last_view_stays(window: MainWindow) -> None:
    for key in window.stage.shown():
        window.commands.layouts.hide(window.stage.views[key])
    assert len(window.stage.shown()) == 1
    assert "only view" in window.caption.text


def test_a_view_is_dragged_by_its_heading(window: MainWindow, qtbot: QtBot) -> None:
    views = window.stage.views
    source, lanes = views["source"], views["lanes"]
    drag(source.heading, QPoint(5, 5), lanes, QPoint(lanes.width() - 10, lanes.height() // 2))
    qtbot.wait(10)
    assert source.mapTo(window, QPoint()).x() > lanes.mapTo(window, QPoint()).x()
    drag(lanes.heading, QPoint(5, 5), source, QPoint(source.width() // 2, source.height() // 2))
    qtbot.wait(10)
    assert not source.isVisible() or not lanes.isVisible()


def test_a_view_is_dragged_by_its_tab(window: MainWindow, qtbot: QtBot) -> None:
    tabs = next(tabs for tabs in window.stage._tabs if tabs.indexOf(window.counters) >= 0)
    bar, lanes = tabs.tabBar(), window.stage.views["lanes"]
    place = bar.tabRect(tabs.indexOf(window.stage.views["occupancy"])).center()
    drag(bar, place, lanes, QPoint(lanes.width() // 2, 5))
    qtbot.wait(10)
    occupancy = window.stage.views["occupancy"]
    assert occupancy.isVisible()
    assert occupancy.mapTo(window, QPoint()).y() < lanes.mapTo(window, QPoint()).y()


def test_a_press_without_a_drag_moves_nothing(window: MainWindow) -> None:
    before = window.stage.tree
    QTest.mouseClick(window.source.heading, Qt.MouseButton.LeftButton)
    lanes = window.stage.views["lanes"]
    drag(lanes.heading, QPoint(5, 5), lanes, QPoint(40, 40))
    assert window.stage.tree == before


def test_views_swap_by_key(window: MainWindow) -> None:
    there = window.stage.shown()
    window.actions_["swap_view"].trigger()  # nothing is pointed at: the lanes
    at = there.index("lanes")
    there[at], there[at + 1] = there[at + 1], there[at]
    assert window.stage.shown() == there


def test_layouts_are_saved_chosen_and_deleted(window: MainWindow) -> None:
    first = window.stage.shown()
    window.commands.layouts.hide(window.counters)
    named(window, "Lecture")
    assert window.actions_["layout_1"].text() == "Lecture"
    assert window.actions_["layout_1"].isVisible()
    assert not window.actions_["layout_2"].isVisible()
    window.actions_["reset_layout"].trigger()
    assert window.stage.shown() == first
    keys = QKeySequence("Ctrl+Alt+1")[0]
    QTest.keyClick(window, keys.key(), keys.keyboardModifiers())
    assert "counters" not in window.stage.shown()
    window.commands.layouts.ask_choice = lambda *_: "Lecture"
    window.actions_["delete_layout"].trigger()
    assert not window.actions_["layout_1"].isVisible()
    window.actions_["delete_layout"].trigger()
    assert window.caption.text == "No layout is saved."


def test_no_more_than_there_are_keys(window: MainWindow) -> None:
    for n in range(11):
        named(window, f"Number {n}")
    assert len(window.commands.layouts.saved) == 9
    named(window, "Number 3")
    assert len(window.commands.layouts.saved) == 9


def test_everything_is_remembered(window: MainWindow, settings: QSettings, tmp_path: Path) -> None:
    window.commands.layouts.hide(window.counters)
    named(window, "Lecture")
    window.close()
    again = MainWindow(FakeBackend(), Drafts(tmp_path / "drafts"), Look(motion=False), settings)
    again.resize(1280, 720)
    assert "counters" not in again.stage.shown()
    assert list(again.commands.layouts.saved) == ["Lecture"]
    again.close()
    again.deleteLater()


@pytest.mark.parametrize(
    "broken",
    ["", "[" * 99999, "nonsense", "[]", "3", '{"narrow": [[1, 2]]}', '{"narrow": ["h", ["no"], [1]]}'],
    ids=range(7),
)
def test_broken_values_are_ignored(look: Look, settings: QSettings, tmp_path: Path, broken: str) -> None:
    for name in ("stage", "layouts", "scale", "geometry", "library_width", "theme", "pins"):
        settings.setValue(name, broken)
    made = MainWindow(FakeBackend(), Drafts(tmp_path / "drafts"), look, settings)
    made.resize(1280, 720)
    assert len(made.stage.shown()) == 10
    assert made.commands.layouts.saved == {}
    made.close()
    made.deleteLater()


def test_a_session_brings_its_layout(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "lecture.warpview"
    window.commands.layouts.hide(window.counters)
    window.commands.files.ask_save = lambda *_: path
    window.actions_["save_session"].trigger()
    window.actions_["reset_layout"].trigger()
    assert "counters" in window.stage.shown()
    with qtbot.waitSignal(window.session.run_changed):
        window.commands.files.open_path(path)
    assert "counters" not in window.stage.shown()
    content = json.loads(path.read_text())
    del content["layout"]
    path.write_text(json.dumps(content))
    with qtbot.waitSignal(window.session.run_changed):
        window.commands.files.open_path(path)
    assert not window.banner.isVisible()


def test_a_view_without_anything_to_show_gives_its_room_away(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, wide = window.stage.views["shared"], window.stage.views["global"]
    before = wide.width()
    run = window.session.run
    monkeypatch.setattr(type(shared), "has_content", lambda *_: False)
    window.stage.set_run(run)
    QTest.qWait(10)
    assert not shared.isVisible()
    assert wide.width() > 1.8 * before
    monkeypatch.undo()
    window.stage.set_run(run)
    QTest.qWait(10)
    assert shared.isVisible()
    assert wide.width() == pytest.approx(before, abs=4)
