"""The user's own arrangements hide, move and are saved by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend
from ui.rest import come_to_rest

from warpview.ui.commands.search_entries import actions
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.view_list import VIEWS


def named(window: MainWindow, name: str) -> None:
    window.dialogs.ask_text = lambda *_: name
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
    window.workspace.raise_view("global")
    assert action.isChecked()
    action.trigger()
    assert not window.workspace.views["global"].isVisible()
    assert not action.isChecked()
    action.trigger()
    assert window.workspace.views["global"].isVisible()
    window.layouts.hide(window.workspace.views["lanes"])
    assert not window.actions_["show_lanes"].isChecked()


def test_the_last_view_stays(window: MainWindow) -> None:
    for key in window.workspace.shown():
        window.layouts.hide(window.workspace.views[key])
    assert len(window.workspace.shown()) == 1
    assert "only view" in window.caption.text


def test_a_view_is_dragged_by_its_heading(window: MainWindow) -> None:
    views = window.workspace.views
    source, lanes = views["source"], views["lanes"]
    drag(source.heading, QPoint(5, 5), lanes, QPoint(lanes.width() - 10, lanes.height() // 2))
    come_to_rest(window)
    assert source.mapTo(window, QPoint()).x() > lanes.mapTo(window, QPoint()).x()
    drag(lanes.heading, QPoint(5, 5), source, QPoint(source.width() // 2, source.height() // 2))
    come_to_rest(window)
    assert not source.isVisible() or not lanes.isVisible()


def test_a_view_is_dragged_by_its_tab(window: MainWindow) -> None:
    window.actions_["everything"].trigger()
    window.staged.finish()
    tabs = next(tabs for tabs in window.workspace.tab_rows if tabs.indexOf(window.counters) >= 0)
    bar, lanes = tabs.tabBar(), window.workspace.views["lanes"]
    place = bar.tabRect(tabs.indexOf(window.workspace.views["occupancy"])).center()
    drag(bar, place, lanes, QPoint(lanes.width() // 2, 5))
    come_to_rest(window)
    occupancy = window.workspace.views["occupancy"]
    assert occupancy.isVisible()
    assert occupancy.mapTo(window, QPoint()).y() < lanes.mapTo(window, QPoint()).y()


def test_a_press_without_a_drag_moves_nothing(window: MainWindow) -> None:
    before = window.workspace.tree
    QTest.mouseClick(window.source.heading, Qt.MouseButton.LeftButton)
    lanes = window.workspace.views["lanes"]
    drag(lanes.heading, QPoint(5, 5), lanes, QPoint(40, 40))
    assert window.workspace.tree == before


def test_views_swap_by_key(window: MainWindow) -> None:
    there = window.workspace.shown()
    window.actions_["swap_view"].trigger()  # nothing is pointed at: the lanes
    at = there.index("lanes")
    there[at], there[at + 1] = there[at + 1], there[at]
    assert window.workspace.shown() == there


def test_layouts_are_saved_chosen_and_deleted(window: MainWindow) -> None:
    first = window.workspace.shown()
    window.layouts.hide(window.counters)
    named(window, "Lecture")
    assert window.actions_["layout_1"].text() == "Lecture"
    assert window.actions_["layout_1"].isVisible()
    assert not window.actions_["layout_2"].isVisible()
    window.actions_["reset_layout"].trigger()
    assert window.workspace.shown() == first
    keys = QKeySequence("Ctrl+Alt+1")[0]
    QTest.keyClick(window, keys.key(), keys.keyboardModifiers())
    assert "counters" not in window.workspace.shown()
    window.dialogs.ask_choice = lambda *_: "Lecture"
    window.actions_["delete_layout"].trigger()
    assert not window.actions_["layout_1"].isVisible()
    window.actions_["delete_layout"].trigger()
    assert window.caption.text == "No layout is saved."


def test_a_name_with_an_ampersand_is_shown_whole(window: MainWindow) -> None:
    named(window, "Lanes & banks")
    action = window.actions_["layout_1"]
    assert action.text() == "Lanes && banks"  # Qt shows the second one
    assert "Lanes & banks" in {entry.title for entry in actions(window.actions_)}
    window.dialogs.ask_choice = lambda *_: "Lanes & banks"
    window.actions_["delete_layout"].trigger()
    assert not action.isVisible()


def test_no_more_than_there_are_keys(window: MainWindow) -> None:
    for n in range(11):
        named(window, f"Number {n}")
    assert len(window.layouts.saved) == 9
    named(window, "Number 3")
    assert len(window.layouts.saved) == 9


def test_everything_is_remembered(own_window: MainWindow, settings: QSettings, tmp_path: Path) -> None:
    own_window.layouts.hide(own_window.counters)
    named(own_window, "Lecture")
    own_window.close()
    again = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), Look(motion=False), settings)
    again.resize(1280, 720)
    assert "counters" not in again.workspace.shown()
    assert list(again.layouts.saved) == ["Lecture"]
    again.close()
    again.deleteLater()


SETTINGS = ("stage", "layouts", "scale", "geometry", "library_width", "theme", "pins")
BROKEN = ("", "[" * 99999, "nonsense", "[]", "3", '{"narrow": [[1, 2]]}', '{"narrow": ["h", ["no"], [1]]}')


@pytest.mark.sample(3)
@pytest.mark.parametrize("shift", range(len(BROKEN)))
def test_broken_values_are_ignored(look: Look, settings: QSettings, tmp_path: Path, shift: int) -> None:
    """Each of these values is in one of the settings."""
    for number, name in enumerate(SETTINGS):
        settings.setValue(name, BROKEN[(number + shift) % len(BROKEN)])
    made = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings)
    made.resize(1280, 720)
    assert len(made.workspace.shown()) == len(VIEWS)
    assert made.layouts.saved == {}
    made.close()
    made.deleteLater()


def test_a_session_brings_its_layout(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "lecture.warpview"
    window.layouts.hide(window.counters)
    window.dialogs.ask_save = lambda *_: path
    window.actions_["save_session"].trigger()
    window.actions_["reset_layout"].trigger()
    assert "counters" in window.workspace.shown()
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    assert "counters" not in window.workspace.shown()
    content = json.loads(path.read_text())
    del content["layout"]
    path.write_text(json.dumps(content))
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    assert not window.banner.isVisible()


def test_a_view_without_anything_to_show_gives_its_room_away(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.actions_["everything"].trigger()
    window.staged.finish()
    shared, wide = window.workspace.views["shared"], window.workspace.views["global"]
    before = wide.width()
    run = window.session.run
    monkeypatch.setattr(type(shared), "has_content", lambda *_: False)
    window.workspace.set_run(run)
    come_to_rest(window)
    assert not shared.isVisible()
    assert wide.width() > 1.8 * before
    monkeypatch.undo()
    window.workspace.set_run(run)
    come_to_rest(window)
    assert shared.isVisible()
    assert wide.width() == pytest.approx(before, abs=4)
