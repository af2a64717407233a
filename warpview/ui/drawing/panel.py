"""Draw a part of the window with an edge of its own."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QWidget

from warpview.ui.drawing.app_style import rounded
from warpview.ui.drawing.guarded import guarded

RADIUS = 6


class Panel(QFrame):
    """Frame a panel, rounded, with a fine edge; with a strong one while there is a reason to look at it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.Box)
        self._role = QPalette.ColorRole.Mid
        self.lit: frozenset[str] = frozenset()  # the reasons

    def light(self, reason: str, on: bool) -> None:
        """Add or remove a reason to look at the panel; while there is any, its edge is strong."""
        lit = self.lit | {reason} if on else self.lit - {reason}
        if lit != self.lit:
            self.lit = lit
            self.set_edge(*((QPalette.ColorRole.Highlight, 2) if lit else (QPalette.ColorRole.Mid, 1)))

    def set_edge(self, role: QPalette.ColorRole, width: int) -> None:
        self._role = role
        self.setLineWidth(width)
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colours, painter = self.palette(), QPainter(self)
        rounded(painter, self.rect(), colours.base().color(), colours.color(self._role), RADIUS, self.lineWidth())
