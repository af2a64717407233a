"""Carry out the editor's keys beside typing: indent and comment, one line or all that are selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from warpview.ui.views.source.text import STEP, comment_toggled, indentation, indented, next_indent, outdented


def handled(editor: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Handle the key if it is one of the editor's own; return whether it was."""
    if event.key() == Qt.Key.Key_Tab and not editor.textCursor().hasSelection():
        _to_next_stop(editor)
    elif event.key() == Qt.Key.Key_Tab:
        change_lines(editor, indented)
    elif event.key() == Qt.Key.Key_Backtab:
        change_lines(editor, outdented)
    elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        editor.insertPlainText("\n" + next_indent(_before(editor.textCursor())))
        editor.ensureCursorVisible()
    elif event.text() == "}" and not _before(editor.textCursor()).strip():
        change_lines(editor, outdented)
        return False  # and the bracket is typed
    else:
        return False
    return True


def toggle_comment(editor: QPlainTextEdit) -> None:
    change_lines(editor, comment_toggled)


def _before(cursor: QTextCursor) -> str:
    """Return the text of the line up to the cursor."""
    return str(cursor.block().text()[: cursor.positionInBlock()])


def _to_next_stop(editor: QPlainTextEdit) -> None:
    before = _before(editor.textCursor())
    at = indentation(before + "x") if not before.strip() else len(before.expandtabs(STEP))
    editor.insertPlainText(" " * (STEP - at % STEP))


def change_lines(editor: QPlainTextEdit, change: Callable[[Sequence[str]], list[str]]) -> None:
    """Put other lines for those that are selected, or for the cursor's; one step of undo."""
    cursor = editor.textCursor()
    document = editor.document()
    first = document.findBlock(cursor.selectionStart())
    last = document.findBlock(cursor.selectionEnd())
    if last != first and cursor.selectionEnd() == last.position():
        last = last.previous()  # a selection that ends before the first character of a line leaves that line alone
    many, from_end = cursor.hasSelection(), len(cursor.block().text()) - cursor.positionInBlock()
    lines, block = [first.text()], first
    while block != last:
        block = block.next()
        lines.append(block.text())
    start = first.position()
    cursor.setPosition(start)
    cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    changed = "\n".join(change(lines))
    cursor.insertText(changed)
    if many:
        cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
    else:
        cursor.setPosition(max(start, cursor.position() - from_end))
    editor.setTextCursor(cursor)
