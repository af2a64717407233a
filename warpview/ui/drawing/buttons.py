"""Make the buttons of bars, pages and dialogs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QToolButton


def small_button(text: str, tip: str, does: Callable[[], object]) -> QToolButton:
    """Return a button that leaves the keys where they are. Its name for screen readers is the tip without the key."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(" (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: does())
    return button


def push_button(text: str, tip: str, does: Callable[[], object]) -> QPushButton:
    """Return a button of usual size that leaves the keys where they are."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: does())
    return button


def answer_buttons(dialog: QDialog, accept: str) -> QDialogButtonBox:
    """Return the button that accepts a dialog, with this text, and Cancel."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    buttons.button(QDialogButtonBox.StandardButton.Ok).setText(accept)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons
