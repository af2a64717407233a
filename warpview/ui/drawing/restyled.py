"""Follow the look of the window: at once in what is in sight, of all else when it comes into sight."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from warpview.ui.drawing.theme import Look


class RestyledInSight(QObject):
    """Call ``restyle`` after each change of ``look`` while ``widget`` is visible, otherwise when it next is shown.

    So a change of theme takes no longer when many pages have been opened.
    """

    def __init__(self, widget: QWidget, look: Look, restyle: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget, self._restyle, self._outdated = widget, restyle, False
        look.changed.connect(self._on_look)
        widget.installEventFilter(self)

    def _on_look(self) -> None:
        self._outdated = not self._widget.isVisible()
        if not self._outdated:
            self._restyle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if self._outdated and event.type() == QEvent.Type.Show:
            self._outdated = False
            self._restyle()
        return False
