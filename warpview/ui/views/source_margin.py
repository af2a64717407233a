"""Draw the margin: the warps at a line, its number (on a disc where there is a breakpoint), its heat."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.ui.drawing.theme import Role, heat_colour
from warpview.ui.views.source_model import Badge
from warpview.ui.views.visible_lines import Line

if TYPE_CHECKING:
    from warpview.ui.views.source_editor import SourceEditor


class Margin(QWidget):
    """Draw numbers beside the first row of a line; the heat goes along all rows of a line that is wrapped."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._tags: dict[Hashable, QPixmap] = {}  # by what they show, in one theme and type

    # ---- where things are

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the width of the margin: badges of warps, line numbers, heat."""
        return QSize(self.badge_width() + self.number_width() + self.heat_width() + 8, 0)

    def badge_width(self) -> int:
        return self._editor.metrics("small").horizontalAdvance("w0-3") + self._editor.metrics().height()

    def number_width(self) -> int:
        return self._editor.metrics().horizontalAdvance("9") * max(2, len(str(self._editor.blockCount()))) + 6

    def heat_width(self) -> int:
        return max(6, round(self._editor.metrics().height() * 0.4))

    def update_lines(self, numbers: Iterable[int]) -> None:
        """Draw these lines again."""
        for number in numbers:
            line = self._editor.visible_lines.line(number)
            if line is not None:
                self.update(line.across(self.width()))

    def forget(self) -> None:
        """Forget the drawn tags when the theme or the font changes."""
        self._tags.clear()
        self.update()

    def line_at(self, y: float) -> int | None:
        line = self._editor.visible_lines.at(y)
        return None if line is None else line.number

    # ---- drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        editor, theme = self._editor, self._editor.look.theme
        lines = editor.visible_lines.within(event.region())  # type: ignore[arg-type]  # of rectangles, which are iterated over
        marked = {editor.marks.done, editor.marks.coming} | editor.breakpoints
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.qcolor("panel"))
            self._paint_heat(painter, lines)
            # One typeface after the other: to change it takes as long as to write a number.
            self._write(painter, [line for line in lines if line.number not in marked], "mono", "dim")
            for line in lines:
                if line.number in marked:
                    self._paint_marked(painter, line)
            self._paint_badges(painter, lines)

    def _paint_heat(self, painter: QPainter, lines: Sequence[Line]) -> None:
        theme, heat = self._editor.look.theme, self._editor.heat
        left, wide = self.width() - self.heat_width() - 4, self.heat_width()
        for line in lines:
            strength = heat.strength(line.number)
            if strength:
                painter.fillRect(QRectF(left, line.top + 1, wide, line.shape.height - 2), heat_colour(theme, strength))

    def _write(self, painter: QPainter, lines: Sequence[Line], role: Role, token: str) -> None:
        """Write the numbers of lines, at the right of their column and on the base line of the text."""
        face = self._editor.face(role)
        painter.setFont(face.font)
        painter.setPen(self._editor.look.theme.qcolor(token))
        digit, right = face.metrics.horizontalAdvance("9"), self.badge_width() + self.number_width() - 3
        for line in lines:
            words = str(line.number)
            painter.drawText(QPointF(right - digit * len(words), line.top + line.shape.base), words)

    def _paint_marked(self, painter: QPainter, line: Line) -> None:
        """Paint the number of a line that the warp is at, or that has a breakpoint."""
        stop = line.number in self._editor.breakpoints
        if stop:
            disc = QRectF(self.badge_width() + 1, line.top + 1, self.number_width(), line.shape.row - 2)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._editor.look.theme.qcolor("error"))
            painter.drawRoundedRect(disc, line.shape.row / 2, line.shape.row / 2)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._write(painter, [line], "mono_bold", "on_active" if stop else "text")

    def _paint_badges(self, painter: QPainter, lines: Sequence[Line]) -> None:
        badges = {badge.line: badge for badge in self._editor.marks.badges}
        for line in lines:
            badge = badges.get(line.number)
            if badge is not None:
                key = badge.text, badge.selected, line.shape.row, self.devicePixelRatioF()
                if key not in self._tags:
                    self._tags[key] = self._tag(badge, line.shape.row)
                painter.drawPixmap(QPointF(0, line.top), self._tags[key])

    def _tag(self, badge: Badge, height: float) -> QPixmap:
        """Return a tag that points at the line: 'w0', 'w1-3', '+4' for warps of other blocks."""
        theme, face, ratio = self._editor.look.theme, self._editor.face("small"), self.devicePixelRatioF()
        ground, text, edge = ("accent", "on_active", "accent") if badge.selected else ("raised", "text", "idle")
        tip = height * 0.3
        tag = QRectF(3, 1.5, self.badge_width() - tip - 6, height - 3)
        path = QPainterPath(tag.topLeft())
        path.lineTo(tag.topRight())
        path.lineTo(tag.right() + tip, tag.center().y())
        path.lineTo(tag.bottomRight())
        path.lineTo(tag.bottomLeft())
        path.closeSubpath()
        image = QPixmap(QSize(self.badge_width(), math.ceil(height)) * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(theme.qcolor("panel"))
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.qcolor(edge), 1))
            painter.setBrush(theme.qcolor(ground))
            painter.drawPath(path)
            painter.setFont(face.font)
            painter.setPen(theme.qcolor(text))
            words = face.whole.elidedText(badge.text, Qt.TextElideMode.ElideRight, round(tag.width() + tip - 2))
            painter.drawText(tag.adjusted(2, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, words)
        return image

    # ---- input

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        line = self.line_at(event.position().y())
        if line is None:
            return
        badge = next((b for b in self._editor.marks.badges if b.line == line), None)
        if badge is not None and badge.warp is not None and event.position().x() < self.badge_width():
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
