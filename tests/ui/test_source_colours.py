"""The source in sight is coloured, whatever is done to the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.views.source.editor import SourceEditor
from warpview.ui.views.source.source_model import Badge, SourceMarks

LONG = 3000


@pytest.fixture
def editor(window: MainWindow) -> SourceEditor:
    editor = window.source.editor
    editor.set_text("\n".join(f"int line{n};" for n in range(1, LONG + 1)))
    return editor


def colours(editor: SourceEditor, number: int) -> dict[str, str]:
    """The words of a line in sight that are coloured, and how."""
    editor.grab()
    line = next(line for line in editor.visible_lines() if line.number == number)
    formats = line.block.layout().formats()
    text = line.block.text()
    return {text[f.start : f.start + f.length]: f.format.foreground().color().name() for f in formats}


def test_lines_are_coloured_when_they_come_into_sight(editor: SourceEditor) -> None:
    theme = editor.look.theme
    assert colours(editor, 1) == {"int": theme.qcolor("type_").name()}
    block = editor.document().findBlockByNumber(LONG - 1)
    assert not block.layout().formats()
    editor.reveal(LONG)
    assert colours(editor, LONG) == {"int": theme.qcolor("type_").name()}


def test_a_comment_that_begins_colours_what_is_below_until_it_is_taken_back(editor: SourceEditor) -> None:
    comment, type_ = (editor.look.theme.qcolor(kind).name() for kind in ("comment", "type_"))
    colours(editor, 4)
    editor.set_editing(True)
    editor.place_cursor(2)
    QTest.keyClicks(editor, "/*")
    assert colours(editor, 2) == {"/*int line2;": comment}
    assert colours(editor, 4) == {"int line4;": comment}
    editor.undo()
    assert colours(editor, 2) == {"int": type_}
    assert colours(editor, 4) == {"int": type_}


def test_a_comment_goes_on_through_lines_that_were_never_in_sight(editor: SourceEditor) -> None:
    comment = editor.look.theme.qcolor("comment").name()
    editor.set_text("int a; /*\n" + "in a comment\n" * LONG + "*/ int b;\n")
    editor.reveal(LONG)
    assert colours(editor, LONG) == {"in a comment": comment}
    assert list(colours(editor, LONG + 2)) == ["*/", "int"]
    editor.set_text("int a;\n")
    assert list(colours(editor, 1)) == ["int"]


def test_a_key_is_told_as_that_key_alone(editor: SourceEditor) -> None:
    """What is coloured in between is no part of an edit."""
    changes: list[tuple[int, int, int]] = []
    colours(editor, 1)
    editor.set_editing(True)
    editor.place_cursor(3)
    editor.document().contentsChange.connect(lambda *change: changes.append(change))
    at = editor.textCursor().position()
    for key in "ab":
        QTest.keyClicks(editor, key)
        editor.grab()
    assert changes == [(at, 0, 1), (at + 1, 0, 1)]


def test_another_theme_colours_again(window: MainWindow, editor: SourceEditor) -> None:
    before = colours(editor, 1)
    window.look.set_theme("dark")
    assert colours(editor, 1) == {"int": editor.look.theme.qcolor("type_").name()} != before


def test_a_large_paste_is_coloured_and_undone(editor: SourceEditor) -> None:
    editor.set_editing(True)
    editor.place_cursor(1)
    before = editor.text
    editor.insertPlainText("float a;\n" * 500)
    editor.place_cursor(1)
    assert "float" in colours(editor, 1)
    editor.undo()
    assert editor.text == before
    assert "int" in colours(editor, 1)


def test_what_is_marked_is_painted_while_one_only_reads(editor: SourceEditor) -> None:
    plain = editor.grab().toImage()
    problem = Diagnostic("wrong", Span(SourceText("long.cu", editor.text), 2, 1, 3))
    editor.show_problems([problem])
    wrong = editor.grab().toImage()
    editor.show_found([(0, 3)])
    found = editor.grab().toImage()
    editor.selectAll()
    assert plain != wrong != found != editor.grab().toImage()
    editor.show_problems(())
    editor.show_found(())
    editor.setTextCursor(QTextCursor(editor.document()))
    assert editor.grab().toImage() == plain


def test_lines_scrolled_back_to_are_all_painted(editor: SourceEditor) -> None:
    """Colouring the lines above has Qt lay out anew those below, which are in sight already."""
    whole = editor.grab().toImage()
    editor.set_text(editor.text + "\n")
    bar = editor.verticalScrollBar()
    bar.setValue(12)
    editor.grab()
    for value in (9, 4, 0):
        bar.setValue(value)
        come_to_rest(editor)
    assert all(line.block.layout().lineCount() for line in editor.visible_lines())
    assert editor.grab().toImage() == whole


def test_a_step_repaints_only_the_lines_that_it_changes(look: Look, qtbot: QtBot) -> None:
    """What stands on the screen afterwards is what painting all of it anew gives."""
    editor = SourceEditor(look)
    qtbot.addWidget(editor)
    editor.resize(700, 600)
    editor.set_text("\n".join(f"    x[{n}] = {n};" for n in range(1, 80)))
    with qtbot.waitExposed(editor):
        editor.show()
    editor.show_marks(SourceMarks(3, (3, 5, 4), 4, 0, (Badge(4, "w0", "warp 0", True, 0),)))
    QApplication.processEvents()
    painted: list[int] = []
    watch = _PaintedRows(painted)
    editor.viewport().installEventFilter(watch)
    for done, coming in ((4, 5), (5, 9), (9, 5), (60, 61), (61, 3)):
        painted.clear()
        scrolled = editor.verticalScrollBar().value()
        editor.show_marks(SourceMarks(done, (done, 5, 4), coming, 0, (Badge(coming, "w0-3", "warps 0 to 3", True, 0),)))
        QApplication.processEvents()
        if editor.verticalScrollBar().value() == scrolled:
            assert 0 < sum(painted) <= 7 * editor.fontMetrics().lineSpacing(), painted
        shown = editor.screen().grabWindow(editor.winId()).toImage()
        editor.viewport().update()
        editor.margin.update()
        QApplication.processEvents()
        assert shown == editor.screen().grabWindow(editor.winId()).toImage()
        assert len(set(bytes(shown.constBits()))) > 20, "the picture is empty"


class _PaintedRows(QObject):
    """Note the height in pixels of each rectangle that a widget is asked to paint."""

    def __init__(self, heights: list[int]) -> None:
        super().__init__()
        self._heights = heights

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QPaintEvent):
            self._heights += [area.height() for area in event.region()]
        return False


def test_a_long_list_of_warps_stays_within_its_tag(editor: SourceEditor) -> None:
    """The first columns of the tag are its edge and its ground, however much there is to write."""
    grounds = []
    for text in ("w0", "w1-3,5-7,9"):
        editor.show_marks(SourceMarks(0, (0, 0, 0), 0, 0, (Badge(2, text, text, False),)))
        image = editor.margin.grab().toImage()
        line = next(line for line in editor.visible_lines() if line.number == 2)
        rows = range(round(line.top) + 3, round(line.top + line.row) - 3)
        grounds.append({image.pixelColor(5, y).name() for y in rows})
    assert grounds[0] == grounds[1]
    assert len(grounds[0]) == 1
