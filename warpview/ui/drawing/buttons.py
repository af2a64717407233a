"""Make the small buttons of bars and banners."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton


def small_button(text: str, tip: str, does: Callable[[], object]) -> QToolButton:
    """Return a button that leaves the keys where they are. Its name for screen readers is the tip without the key."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(" (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: does())
    return button
