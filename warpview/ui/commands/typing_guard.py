"""Keep single-letter shortcuts from firing while the user types text."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget


class TypingGuard(QObject):
    """Guard typing: what has the focus, a field, the editor or a list, has plain keys before any shortcut.

    Lists beside the views that follow the step never have the focus, so that arrow keys step there.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._watched: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and shiboken6.isValid(self._watched):
            self._watched.removeEventFilter(self)
        typing = isinstance(new, (QLineEdit, QPlainTextEdit, QAbstractItemView))
        self._watched = new if typing or (isinstance(new, QComboBox) and new.isEditable()) else None
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keypad = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            plain = not event.modifiers() & ~keypad
            function = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
            if plain and not function and event.key() != Qt.Key.Key_Escape:
                event.accept()  # and goes on: the list of a combo box chooses by Enter with this event
        return False
