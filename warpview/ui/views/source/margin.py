"""Draw the margin: the warps at a line, its number (on a disc where there is a breakpoint), its heat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Role, heat_colour
from warpview.ui.views.source.source_model import Badge

if TYPE_CHECKING:
    from warpview.ui.views.source.editor import SourceEditor, VisibleLine

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Margin(QWidget):
    """Draw beside the first row of a line; the heat goes along all rows of a line that is wrapped."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.badge_width = self.number_width = self.heat_width = 0
        fill_background(self)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    # ---- where things are

    def fit(self) -> None:
        """Measure the badges of warps, the numbers of lines and the heat in the fonts that the editor has now."""
        small, code = QFontMetrics(self._editor.font_of("small")), QFontMetrics(self._editor.font_of())
        self.badge_width = small.horizontalAdvance("w0-3") + code.height()
        self.number_width = code.horizontalAdvance("9") * max(2, len(str(self._editor.blockCount()))) + 6
        self.heat_width = max(6, round(code.height() * 0.4))

    @property
    def full_width(self) -> int:
        """Return the width of the margin as it was measured last."""
        return self.badge_width + self.number_width + self.heat_width + 8

    def line_at(self, y: float) -> int | None:
        """Return the line at a height in pixels; None below the last."""
        return next((line.number for line in self._editor.visible_lines() if line.top <= y < line.bottom), None)

    # ---- drawing

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        editor, theme = self._editor, self._editor.look.theme
        area, here = event.rect(), {editor.marks.done, editor.marks.coming}
        lines = editor.lines_across(area)
        badges = {badge.line: badge for badge in editor.marks.badges}
        left, wide = self.width() - self.heat_width - 4, self.heat_width
        with QPainter(self) as painter:
            painter.fillRect(area, theme.qcolor("panel"))
            for line in lines:
                strength = editor.heat.strength(line.number)
                if strength:
                    box = QRectF(left, line.top + 1, wide, line.bottom - line.top - 2)
                    painter.fillRect(box, heat_colour(theme, strength))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            stops = [line for line in lines if line.number in editor.breakpoints]
            strong = [line for line in lines if line.number in here and line not in stops]
            self._paint_discs(painter, stops)
            self._write(painter, stops, "mono_bold", "on_active")
            self._write(painter, strong, "mono_bold", "text")
            self._write(painter, [n for n in lines if n not in stops and n not in strong], "mono", "dim")
            for line in lines:
                if line.number in badges:
                    self._paint_badge(painter, badges[line.number], line.top, line.row)

    def _paint_discs(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint the discs of breakpoints, behind the numbers."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._editor.look.theme.qcolor("error"))
        for line in lines:
            box = QRectF(self.badge_width + 1, line.top + 1, self.number_width, line.row - 2)
            painter.drawRoundedRect(box, line.row / 2, line.row / 2)

    def _write(self, painter: QPainter, lines: Sequence[VisibleLine], role: Role, token: str) -> None:
        """Write the numbers of lines in one type: to change it takes as long as to write a number."""
        if lines:
            painter.setFont(self._editor.font_of(role))
            painter.setPen(self._editor.look.theme.qcolor(token))
            left, wide = self.badge_width + 1, self.number_width - 4
            for line in lines:
                painter.drawText(QRectF(left, line.top, wide, line.row), _RIGHT, str(line.number))

    def _paint_badge(self, painter: QPainter, badge: Badge, top: float, height: float) -> None:
        """Paint a tag that points at the line: 'w0', 'w1-3', '+4' for warps of other blocks."""
        colour, tip, font = self._editor.look.theme.qcolor, height * 0.3, self._editor.font_of("small")
        ground, text, edge = ("accent", "on_active", "accent") if badge.selected else ("raised", "text", "idle")
        tag = QRectF(3, top + 1.5, self.badge_width - tip - 6, height - 3)
        point = QPointF(tag.right() + tip, tag.center().y())
        painter.setPen(QPen(colour(edge), 1))
        painter.setBrush(colour(ground))
        painter.drawPolygon(QPolygonF([tag.topLeft(), tag.topRight(), point, tag.bottomRight(), tag.bottomLeft()]))
        painter.setFont(font)
        painter.setPen(colour(text))
        metrics, room = QFontMetrics(font), tag.adjusted(2, 0, 0, 0)
        if metrics.horizontalAdvance(badge.text) > room.width():
            room.setRight(point.x() - 2)  # into the point, where there is room for most of a letter
        words = metrics.elidedText(badge.text, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    # ---- input

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        line = self.line_at(event.position().y())
        if line is None:
            return
        badge = next((b for b in self._editor.marks.badges if b.line == line), None)
        if badge is not None and badge.warp is not None and event.position().x() < self.badge_width:
            self._editor.warp_clicked.emit(badge.warp)
        else:
            self._editor.margin_clicked.emit(line)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self.line_at(event.pos().y())
            words = self._editor.words_at(line) if line is not None else ""
            QToolTip.showText(event.globalPos(), f"{words}\nClick the number for a breakpoint".strip(), self)
            return True
        return super().event(event)
