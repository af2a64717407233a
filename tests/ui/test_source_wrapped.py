"""The line that executes is always whole on the screen, however narrow the view and large the type."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF
from ui.rest import come_to_rest

from warpview.diagnostics import Diagnostic
from warpview.ui.main_window import MainWindow
from warpview.ui.views.source.editor import SourceEditor

LONG = "        sdata[threadIdx.x] += " + " + ".join(f"sdata[tid + {n}]" for n in range(9)) + ";"


def whole(editor: SourceEditor, line: int) -> bool:
    """Whether all rows of the line are inside the viewport, from its first character to its last."""
    block = editor.document().findBlockByNumber(line - 1)
    box, layout = editor.blockBoundingGeometry(block).translated(editor.contentOffset()), block.layout()
    rows = [layout.lineAt(n) for n in range(layout.lineCount())]
    return (
        editor.horizontalScrollBar().value() == 0
        and box.top() >= 0
        and box.bottom() <= editor.viewport().height()
        and all(row.x() + row.naturalTextWidth() <= editor.viewport().width() for row in rows)
    )


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((960, 540), 1.0), ((1280, 720), 1.6)])
def test_the_line_that_executes_is_whole(window: MainWindow, size: tuple[int, int], scale: float) -> None:
    window.resize(*size)
    window.staged.finish()
    window.look.set_scale(scale)
    come_to_rest(window)
    editor = window.source.editor
    for _ in range(60):
        window.actions_["next"].trigger()
        window.presenter.present()
        window.source.flush()
        assert whole(editor, editor.marks.done), f"line {editor.marks.done}"
    window.actions_["first"].trigger()
    window.presenter.present()
    window.source.flush()
    assert whole(editor, editor.marks.coming)


def test_it_stays_whole_when_the_view_shrinks(window: MainWindow) -> None:
    window.resize(1280, 900)
    window.staged.finish()
    window.player.last()
    window.presenter.present()
    window.source.flush()
    editor = window.source.editor
    assert whole(editor, editor.marks.done)
    window.messages.problems([Diagnostic(f"wrong {n}\nand more of it\nand more of it") for n in range(2)])
    window.resize(1280, 640)
    window.staged.finish()
    come_to_rest(window)
    assert whole(editor, editor.marks.done)


@pytest.fixture
def editor(window: MainWindow) -> SourceEditor:
    editor = window.source.editor
    lines = [f"int line{n};" for n in range(1, 41)]
    lines[19] = LONG
    editor.set_text("\n".join(lines))
    return editor


def test_what_continues_a_line_hangs(editor: SourceEditor) -> None:
    editor.reveal(20)
    line = next(line for line in editor.visible_lines() if line.number == 20)
    layout = line.block.layout()
    rows = [layout.lineAt(n) for n in range(layout.lineCount())]
    assert len(rows) > 1
    indent = 8 * QFontMetricsF(editor.font_of()).horizontalAdvance(" ")
    assert all(row.x() > indent for row in rows[1:])
    assert len({row.x() for row in rows[1:]}) == 1
    assert rows[0].x() < indent
    assert whole(editor, 20)


def test_it_is_laid_out_again_as_one_types(editor: SourceEditor) -> None:
    editor.set_editing(True)
    editor.place_cursor(20, 9)
    for _ in range(3):
        editor.insertPlainText("tid + tid + ")
        block = editor.document().findBlockByNumber(19)
        list(editor.visible_lines())
        layout = block.layout()
        assert layout.lineAt(1).x() > layout.lineAt(0).x()
        assert block.lineCount() == layout.lineCount()


def test_the_margin_follows_wrapped_lines(editor: SourceEditor) -> None:
    editor.reveal(20)
    lines = {line.number: line for line in editor.visible_lines()}
    assert lines[21].top == pytest.approx(lines[20].bottom)
    assert lines[20].bottom - lines[20].top > 1.5 * lines[20].row
    clicked: list[int] = []
    editor.margin_clicked.connect(clicked.append)
    assert editor.margin.line_at(lines[20].bottom - 2) == 20
    assert editor.margin.line_at(lines[21].top + 3) == 21
    assert editor.line_at(QPointF(60, lines[20].bottom - 4).toPoint()) == 20


def test_the_type_shrinks_a_little_before_a_line_is_wrapped(editor: SourceEditor) -> None:
    usual = editor.look.font("mono").pointSizeF()
    editor.set_text("int a;")
    assert editor.font_of().pointSizeF() == usual
    room = editor.viewport().width() / QFontMetricsF(editor.font_of()).horizontalAdvance("0")
    editor.set_text("x" * round(room * 1.06))
    assert 0.85 * usual < editor.font_of().pointSizeF() < usual
    assert editor.visible_lines()[0].block.lineCount() == 1
    editor.set_text("x" * round(room * 2))
    assert editor.font_of().pointSizeF() == usual
    editor.set_text("// " + "x" * round(room * 1.1))
    assert editor.font_of().pointSizeF() == usual


def test_more_room_gives_larger_type(window: MainWindow) -> None:
    window.resize(1600, 1000)  # the kernel fills a smaller window at the usual size already
    window.staged.finish()
    editor = window.source.editor
    before = editor.font_of().pointSizeF(), editor.margin.width()
    window.view_commands.zoom(window.source)
    assert editor.font_of().pointSizeF() > 1.2 * before[0]
    assert editor.margin.width() > before[1]
    assert editor.document().defaultFont().pointSizeF() == editor.font_of().pointSizeF()
    window.view_commands.zoom()
    assert editor.font_of().pointSizeF() == before[0]


def test_a_frame_that_changes_nothing_draws_nothing(window: MainWindow) -> None:
    editor = window.source.editor
    drawn: list[object] = []
    editor.updateRequest.connect(lambda *args: drawn.append(args))
    editor.show_marks(replace(editor.marks))
    assert not drawn


def test_the_type_shrinks_no_more_than_spares_lines(editor: SourceEditor) -> None:
    usual = editor.look.font("mono").pointSizeF()
    editor.set_text("int a;")
    room = editor.viewport().width() / QFontMetricsF(editor.font_of()).horizontalAdvance("0")
    hopeless, near = "x" * round(room * 2), "y" * round(room)
    editor.set_text(f"{hopeless}\n{near}\n")
    assert 0.87 * usual < editor.font_of().pointSizeF() < usual
    editor.reveal(1)
    rows = [line.block.layout().lineCount() for line in editor.visible_lines()]
    assert rows[0] > 1
    assert rows[1] == 1
