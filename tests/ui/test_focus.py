"""Whatever was clicked or typed into last, keys go on meaning the same."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QTabWidget
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest
from ui.test_keys import press, step

from warpview.trace.frame import Mark
from warpview.ui.arranging.arrangement import LayoutNode
from warpview.ui.main_window import MainWindow


@pytest.mark.parametrize(
    "key", ["lanes", "counters", "instructions", "console", "timeline", "arrays", "multiprocessor"]
)
def test_arrows_step_after_a_click_into_any_view(window: MainWindow, key: str) -> None:
    window.workspace.raise_view(key, keep=True)
    come_to_rest(window)
    view = window.workspace.views[key]
    body = view.body if isinstance(view.body, QAbstractScrollArea) else view.body.findChild(QAbstractScrollArea)
    QTest.mouseClick(body.viewport(), Qt.MouseButton.LeftButton)
    window.player.go(100)
    now = window.selection.now
    trace = window.session.run.trace
    press(window, "Right")
    assert step(window) == trace.next_of_warp(100, now.block, now.warp)
    window.player.go(100)
    press(window, "D")
    assert step(window) == trace.find(100, Mark.DIVERGENCE)


def test_going_to_a_line_gives_the_focus_back_to_the_editor(window: MainWindow) -> None:
    press(window, "E")
    editor = window.source.editor
    for leave in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(window, "Ctrl+G")
        field = window.focusWidget()
        assert isinstance(field, QLineEdit)
        if leave == Qt.Key.Key_Return:
            QTest.keyClicks(field, "13")
        QTest.keyClick(field, leave)
        assert window.focusWidget() is editor
        assert editor.editing
    assert editor.textCursor().blockNumber() + 1 == 13
    before = editor.text.splitlines()[12]
    QTest.keyClicks(window.focusWidget(), "x")
    assert editor.text.splitlines()[12] == f"x{before}"


def test_what_is_typed_after_going_to_a_line_is_text(window: MainWindow) -> None:
    editor, step = window.source.editor, window.selection.now.step
    for number, line in enumerate(("13", "")):  # without a line: to the cursor
        press(window, "Ctrl+G")
        QTest.keyClicks(window.focusWidget(), line)
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
        assert window.focusWidget() is editor
        QTest.keyClicks(editor, "dcp")
        assert editor.text.splitlines()[12].startswith("dcp" * (number + 1))
        press(window, "Esc")
        assert not editor.editing
    press(window, "Ctrl+G")
    press(window, "Esc")
    assert not editor.editing, "one only looked"
    assert window.selection.now.step == step


def test_no_match_stays_selected_where_typing_would_be_commands(window: MainWindow) -> None:
    press(window, "Ctrl+F")
    QTest.keyClicks(window.focusWidget(), "sdata[0]")
    assert window.source.editor.textCursor().hasSelection()
    press(window, "Esc")
    assert not window.source.editor.textCursor().hasSelection()


def test_after_a_change_of_variant_the_first_conflict_is_the_next(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "D")
    with qtbot.waitSignal(window.session.run_changed):
        press(window, "V")
    come_to_rest(window)
    assert window.session.setup.variant == "reduction/strided_index"
    press(window, "C")
    assert step(window) == window.session.run.trace.find(0, Mark.CONFLICT)


def test_moving_a_view_keeps_the_tabs_of_other_groups(window: MainWindow) -> None:
    left, right = LayoutNode("tabs", ("lanes", "shared", "global")), LayoutNode("tabs", ("divergence", "timeline"))
    window.workspace.toggle_everything()
    window.workspace.change(LayoutNode("h", (LayoutNode("v", ("source", "counters")), left, right), (1, 1, 1)))
    for key in ("global", "timeline"):
        window.workspace.raise_view(key)
    window.workspace.place("counters", "lanes", "left")
    come_to_rest(window)
    rows = [tabs for tabs in window.workspace.tab_rows if isinstance(tabs, QTabWidget)]
    assert [tabs.currentWidget().key for tabs in rows] == ["global", "timeline"]
