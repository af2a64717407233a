"""Find, replace, go to a line: the bar under the source."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QToolButton, QWidget

from warpview.ui.drawing.controls import small_button, text_field
from warpview.ui.views.source.editor import SourceEditor
from warpview.ui.views.source.text import hits, in_qt_units

MOST_TINTED = 500


class FindBar(QWidget):
    """Find (Ctrl+F), replace (Ctrl+H) and go to a line (Ctrl+G): a number after ':' in the first field is a line.

    Going to a line is for typing there: it ends in the editor, at its cursor where no line is named.
    """

    closed = Signal()

    def __init__(self, editor: SourceEditor, edit: Callable[[], None]) -> None:
        super().__init__()
        self._editor, self._edit = editor, edit
        self.field, self.other = (
            text_field("Find in the source", hint="Find text, or :line"),
            text_field("Replace with", hint="Replace with"),
        )
        self.found = QLabel()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 3, 8, 3)
        self._row.setSpacing(4)
        self._row.addWidget(self.field, 2)
        self._row.addWidget(self.found)
        self._button("↑", "Previous (Shift+Enter)", lambda: self.go(True))
        self._button("↓", "Next (Enter)", lambda: self.go(False))
        self._row.addWidget(self.other, 2)
        self._replacing = [
            self.other,
            self._button("Replace", "Replace this match and go to the next (Enter)", self.replace),
            self._button("all", "Replace all matches; one undo step", self.replace_all),
        ]
        self._button("✕", "Close (Esc)", self.close_bar)
        self.field.returnPressed.connect(self._entered)
        self.field.textEdited.connect(self._typed)
        self.other.returnPressed.connect(self.replace)
        editor.textChanged.connect(self._count)
        self.hide()

    def _button(self, text: str, tip: str, does: Callable[[], object]) -> QToolButton:
        button = small_button(text, tip, does)
        button.setAutoRaise(True)
        self._row.addWidget(button)
        return button

    def open(self, text: str = "", replacing: bool = False) -> None:
        self.show()
        for widget in self._replacing:
            widget.setVisible(replacing)
        chosen = self._editor.textCursor().selectedText()
        if text or (chosen and "\u2029" not in chosen) or not self.field.text() or self.field.text().startswith(":"):
            self.field.setText(text or chosen)
        self.field.setFocus()
        if text != ":":
            self.field.selectAll()
        self._count()

    def close_bar(self) -> None:
        self.hide()
        self._editor.show_found(())
        if self._editor.editing:
            self._editor.setFocus()
        else:  # a match that stays selected would look like a place where one types
            cursor = self._editor.textCursor()
            cursor.clearSelection()
            self._editor.setTextCursor(cursor)
        self.closed.emit()

    # ---- finding

    @property
    def _wanted(self) -> str:
        return "" if self.field.text().startswith(":") else self.field.text()

    def _places(self) -> list[int]:
        return hits(in_qt_units(self._editor.text), in_qt_units(self._wanted))

    def _entered(self) -> None:
        self.go(bool(QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _typed(self, text: str) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        if self._wanted:
            self.go()
        else:
            self._count()

    def _count(self) -> None:
        """Tint the matches, and show how many there are and which one is selected."""
        if not self.isVisible():
            return
        places = self._places()
        length = len(in_qt_units(self._wanted))
        self._editor.show_found([(at, length) for at in places[:MOST_TINTED]])
        here = self._editor.textCursor().selectionStart()
        if not self._wanted:
            self.found.setText("")
        elif not places:
            self.found.setText("not found")
        elif here in places:
            self.found.setText(f"{places.index(here) + 1} of {len(places)}")
        else:
            self.found.setText(f"{len(places)} found")

    def go(self, backwards: bool = False) -> None:
        """Go to the next match; after the last one to the first."""
        if self.field.text().startswith(":"):
            self._go_to_line(self.field.text().removeprefix(":").strip())
            return
        places, cursor = self._places(), self._editor.textCursor()
        if places:
            at = bisect_left(places, cursor.selectionStart()) - 1 if backwards else self._next(places, cursor)
            self._select(places[at % len(places)])
        self._count()

    def _go_to_line(self, line: str) -> None:
        if line and not line.isdigit():
            return
        self._edit()
        if line:
            self._editor.place_cursor(int(line))
        self.close_bar()

    def _next(self, places: list[int], cursor: QTextCursor) -> int:
        find = bisect_right if cursor.hasSelection() else bisect_left
        return find(places, cursor.selectionStart())

    def _select(self, at: int) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(at)
        cursor.setPosition(at + len(in_qt_units(self._wanted)), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()

    # ---- replacing

    def replace(self) -> None:
        """Replace the selection if it is a match; then go to the next match."""
        self._edit()
        if not self._editor.editing:
            return
        cursor = self._editor.textCursor()
        if cursor.hasSelection() and cursor.selectionStart() in self._places():
            cursor.insertText(self.other.text())
            self._editor.setTextCursor(cursor)
        self.go()
        self.other.setFocus()

    def replace_all(self) -> None:
        self._edit()
        if not self._editor.editing:
            return
        length = len(in_qt_units(self._wanted))
        cursor = QTextCursor(self._editor.document())
        cursor.beginEditBlock()
        for at in reversed(self._places()):
            cursor.setPosition(at)
            cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(self.other.text())
        cursor.endEditBlock()
        self._count()
