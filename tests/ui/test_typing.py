"""The keys of the editor, and the bar below it, do what they say."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from ui.stand import Stand, click

from warpview.ui.commands.palette import Palette
from warpview.ui.commands.search_model import SearchEntry
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.views.source.editor import SourceEditor

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(window: MainWindow) -> SourceEditor:
    window.actions_["edit"].trigger()
    return window.source.editor


def select_lines(editor: SourceEditor, first: int, last: int) -> None:
    cursor = QTextCursor(editor.document().findBlockByNumber(first - 1))
    end = editor.document().findBlockByNumber(last - 1)
    cursor.setPosition(end.position() + 3, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def test_tab_and_shift_tab_move_all_selected_lines(editor: SourceEditor) -> None:
    before = editor.text.splitlines()
    select_lines(editor, 6, 8)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    after = editor.text.splitlines()
    assert [after[n] == "    " + before[n] for n in (5, 6, 7)] == [True] * 3
    assert after[4] == before[4]
    assert after[8] == before[8]
    QTest.keyClick(editor, Qt.Key.Key_Backtab, SHIFT)
    assert editor.text.splitlines() == before
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text.splitlines() == after  # one step of undo


def test_a_closing_brace_goes_out_by_itself(editor: SourceEditor) -> None:
    editor.place_cursor(11, 200)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "}")
    assert editor.text.splitlines()[11] == "    }"


def test_lines_are_commented_out_and_in(window: MainWindow, editor: SourceEditor) -> None:
    before = editor.text
    select_lines(editor, 12, 13)
    window.actions_["comment"].trigger()
    assert editor.text.splitlines()[11] == "        // if (tid % (2 * s) == 0)"
    window.actions_["comment"].trigger()
    assert editor.text == before


def test_the_bracket_beside_the_cursor_and_its_partner_are_marked(editor: SourceEditor) -> None:
    line = editor.text.splitlines()[11]
    editor.place_cursor(12, line.index("(") + 1)
    block = editor.document().findBlockByNumber(11)
    marked = {
        s.cursor.selectionStart() - block.position() for s in editor.extraSelections() if s.format.fontUnderline()
    }
    assert marked == {line.index("("), len(line) - 1}
    editor.set_editing(False)
    assert not [s for s in editor.extraSelections() if s.format.fontUnderline()]


def test_find_counts_and_goes_round(window: MainWindow, editor: SourceEditor) -> None:
    editor.place_cursor(1)
    window.actions_["find"].trigger()
    bar = window.source.find_bar
    QTest.keyClicks(bar.field, "__syncthreads")
    assert bar.found.text() == "1 of 2"
    assert len([s for s in editor.extraSelections() if s.cursor.selectedText() == "__syncthreads"]) == 2
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert (bar.found.text(), editor.textCursor().blockNumber()) == ("2 of 2", 13)
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.found.text() == "1 of 2"
    bar.go(backwards=True)
    assert bar.found.text() == "2 of 2"
    bar.close_bar()
    assert not [s for s in editor.extraSelections() if s.cursor.selectedText() == "__syncthreads"]


def test_replace_one_and_all(window: MainWindow, editor: SourceEditor) -> None:
    before, many = editor.text, editor.text.count("sdata")
    editor.place_cursor(1)
    window.actions_["replace"].trigger()
    bar = window.source.find_bar
    QTest.keyClicks(bar.field, "sdata")
    QTest.keyClicks(bar.other, "tile")
    QTest.keyClick(bar.other, Qt.Key.Key_Return)
    assert (editor.text.count("sdata"), editor.text.count("tile")) == (many - 1, 1)
    bar.replace_all()
    assert (editor.text.count("sdata"), editor.text.count("tile")) == (0, many)
    editor.undo()
    editor.undo()
    assert editor.text == before


def test_the_search_is_as_high_as_its_matches_and_never_higher_than_it_may_be(look: Look, qtbot: QtBot) -> None:
    window = QWidget()
    window.resize(1000, 700)
    qtbot.addWidget(window)
    entries = [SearchEntry("Kernel", f"kernel number {n}", int) for n in range(60)]
    palette = Palette(entries, "search", look, window)
    with qtbot.waitExposed(window):
        window.show()
    palette.open_over(window)
    whole = palette.height()
    palette.field.setText("number 59")
    last = palette.list.visualItemRect(palette.list.topLevelItem(len(palette.matches) - 1))
    assert len(palette.matches) < 6
    assert palette.height() < 0.5 * whole
    assert last.bottom() <= palette.list.viewport().height() + 1, "a match lies below the end"
    palette.field.setText("no such kernel")
    (nothing,) = (palette.list.topLevelItem(n) for n in range(palette.list.topLevelItemCount()))
    assert nothing.text(1) == "Nothing matches."
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.field.setText("")
    assert palette.height() == whole <= 700
    palette.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_chooses_in_a_list_that_drops_down(stand: Stand, key: Qt.Key) -> None:
    box = stand.w.launch_bar.preset
    before, other = box.currentData(), box.itemData(1)
    assert before != other
    click(box)
    assert box.view().isVisible()
    QTest.keyClick(box.view(), Qt.Key.Key_Down)
    QTest.keyClick(box.view(), key)
    assert not box.view().isVisible()
    assert stand.w.session.setup.preset == other
