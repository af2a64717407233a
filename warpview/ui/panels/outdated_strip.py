"""Warn above the views when they show another run than that of the source beside them."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout

from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.style import bold
from warpview.ui.drawing.words import Words


class OutdatedStrip(Panel):
    """Show a warning as long as it is true."""

    def __init__(self) -> None:
        super().__init__()
        self.set_edge(QPalette.ColorRole.BrightText, 1)
        self._relevant = True
        self._label = Words(0)
        bold(self._label)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 12, 3)
        row.addWidget(self._label)
        self.hide()

    @property
    def words(self) -> str:
        """Return the text of the strip; '' while it is hidden."""
        return self._label.words

    def show_words(self, words: str) -> None:
        """Say why the views are outdated; '' hides the strip."""
        self._label.show_words(f"⚠ {words}" if words else "")
        self._sync()

    def set_relevant(self, relevant: bool) -> None:
        """Hide the strip while no view is in sight."""
        self._relevant = relevant
        self._sync()

    def _sync(self) -> None:
        self.setVisible(self._relevant and bool(self.words))
