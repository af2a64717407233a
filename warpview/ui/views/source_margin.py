"""The margin of the editor: which warps are at a line, its number (on a disc where there is a breakpoint), its heat."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.ui.drawing.theme import heat_colour
from warpview.ui.views.source_model import Badge

if TYPE_CHECKING:
    from warpview.ui.views.source_editor import SourceEditor


class Margin(QWidget):
    """Drawn beside the first row of a line; the heat goes along all rows of a line that is wrapped."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # ---- where things are

    def sizeHint(self) -> QSize:  # noqa: N802
        """Where the warps are, line numbers, heat."""
        return QSize(self.badge_width() + self.number_width() + self.heat_width() + 8, 0)

    def badge_width(self) -> int:
        return self._editor.metrics("small").horizontalAdvance("w0-3") + self._editor.metrics().height()

    def number_width(self) -> int:
        return self._editor.metrics().horizontalAdvance("9") * max(2, len(str(self._editor.blockCount()))) + 6

    def heat_width(self) -> int:
        return max(6, round(self._editor.metrics().height() * 0.4))

    def update_lines(self, marked: set[tuple[int, object]]) -> None:
        """Draw these lines again."""
        lines = {line for line, _ in marked}
        for block, box in self._editor.visible_blocks():
            if block.blockNumber() + 1 in lines:
                self.update(0, math.floor(box.top()) - 1, self.width(), math.ceil(box.height()) + 2)

    def _line_at(self, y: float) -> int | None:
        found = (b.blockNumber() + 1 for b, box in self._editor.visible_blocks() if box.top() <= y < box.bottom())
        return next(found, None)

    # ---- drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        editor, theme = self._editor, self._editor.look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.qcolor("panel"))
        badges = {badge.line: badge for badge in editor.marks.badges}
        heat = editor.heat.share
        left, number, wide = self.width() - self.heat_width() - 4, self.badge_width(), self.number_width()
        for block, box in editor.visible_blocks():
            if box.bottom() < event.rect().top() or box.top() > event.rect().bottom() + 1:
                continue
            line = block.blockNumber() + 1
            if heat.get(line):
                cell = QRectF(left, box.top() + 1, self.heat_width(), box.height() - 2)
                painter.fillRect(cell, heat_colour(theme, heat[line]))
            first = QRectF(box.left(), box.top(), box.width(), min(box.height(), editor.row_height(block)))
            self._paint_number(painter, line, QRectF(number, first.top(), wide, first.height()))
            if line in badges:
                self._paint_badge(painter, badges[line], first)

    def _paint_number(self, painter: QPainter, line: int, place: QRectF) -> None:
        editor, theme = self._editor, self._editor.look.theme
        stop = line in editor.breakpoints
        if stop:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.qcolor("error"))
            painter.drawRoundedRect(place.adjusted(1, 1, 1, -1), place.height() / 2, place.height() / 2)
        here = line in (editor.marks.done, editor.marks.coming)
        painter.setFont(editor.type("mono_bold" if here or stop else "mono"))
        painter.setPen(theme.qcolor("on_active" if stop else "text" if here else "dim"))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(place.adjusted(0, 0, -3, 0), right, str(line))

    def _paint_badge(self, painter: QPainter, badge: Badge, box: QRectF) -> None:
        """A tag that points at the line: 'w0', 'w1-3', '+4' for warps of other blocks."""
        theme = self._editor.look.theme
        tip = box.height() * 0.3
        tag = QRectF(3, box.top() + 1.5, self.badge_width() - tip - 6, box.height() - 3)
        path = QPainterPath(tag.topLeft())
        path.lineTo(tag.topRight())
        path.lineTo(tag.right() + tip, tag.center().y())
        path.lineTo(tag.bottomRight())
        path.lineTo(tag.bottomLeft())
        path.closeSubpath()
        painter.setPen(QPen(theme.qcolor("accent" if badge.selected else "idle"), 1))
        painter.setBrush(theme.qcolor("accent" if badge.selected else "raised"))
        painter.drawPath(path)
        painter.setFont(self._editor.type("small"))
        painter.setPen(theme.qcolor("on_active" if badge.selected else "text"))
        text = painter.fontMetrics().elidedText(badge.text, Qt.TextElideMode.ElideRight, round(tag.width() + tip - 2))
        painter.drawText(tag.adjusted(2, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, text)

    # ---- input

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        line = self._line_at(event.position().y())
        if line is None:
            return
        badge = next((b for b in self._editor.marks.badges if b.line == line), None)
        if badge is not None and badge.warp is not None and event.position().x() < self.badge_width():
            self._editor.warp_clicked.emit(badge.warp)
        else:
            self._editor.margin_clicked.emit(line)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self._line_at(event.pos().y())
            words = self._editor.words_at(line) if line is not None else ""
            QToolTip.showText(event.globalPos(), f"{words}\nClick the number for a breakpoint".strip(), self)
            return True
        return super().event(event)
