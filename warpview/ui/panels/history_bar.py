"""The history of the run as a bar: where divergence, conflicts, barriers and findings happened; drag it, click it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from warpview.trace.frame import Mark
from warpview.ui.actions import JUMPS
from warpview.ui.marks import MARK_STYLE, draw_error_sign
from warpview.ui.panels.history_model import (
    KINDS,
    counts,
    event_words,
    events_near,
    heights,
    mark_near,
    row_words,
    rows,
    step_at,
    words,
    x_of,
)
from warpview.ui.snapshot import Bookmark
from warpview.ui.theme import Look
from warpview.ui.views.context import RunLike

KEYS = {mark: key for key, (mark, _) in JUMPS.items()}
EDGE = 3  # pixels above and below the band
ROW, LOW_ROW = 13, 11  # height of a row at normal type, and where there are more than four


class HistoryBar(QWidget):
    """Emits ``step_wanted`` while it is dragged or clicked."""

    step_wanted = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._run: RunLike | None = None
        self._rows: list[Mark] = []
        self._left = 0.0
        self._step = 0
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._hidden = False
        self._picture: QPixmap | None = None
        self.setMouseTracking(True)
        self.setAccessibleName("History of the run")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._restyle)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Every row as high as its name needs to be read; at least as high as the buttons beside it."""
        rows = max(len(self._rows), 1)
        line = ROW if rows <= 4 else LOW_ROW
        return QSize(300, max(self._look.px(46), self._look.px(line) * rows + 2 * EDGE))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.sizeHint().height())

    def set_run(self, run: RunLike | None) -> None:
        self._run, self._picture = run, None
        before, self._rows = len(self._rows), rows(run.trace) if run is not None else []
        if len(self._rows) != before:
            self.updateGeometry()
        self._measure()
        self.update()

    def show_step(self, step: int) -> None:
        if step != self._step:
            self._step = step
            self.update()

    def set_hidden(self, on: bool) -> None:
        """Whether what happens at this step, and later, is a secret."""
        if on != self._hidden:
            self._hidden = on
            self.update()

    def show_bookmarks(self, bookmarks: tuple[Bookmark, ...]) -> None:
        if bookmarks != self._bookmarks:
            self._bookmarks = bookmarks
            self.update()

    def _restyle(self) -> None:
        self._picture = None
        self._measure()
        self.updateGeometry()
        self.update()

    # ---- geometry

    def _name_font(self) -> QFont:
        font = self._look.font("small")
        font.setPixelSize(round(min(font.pointSizeF() * 1.3, self._row_box(0).height() * 0.95)))
        return font

    def _measure(self) -> None:
        """Room at the left for the longest name."""
        metrics = QFontMetricsF(self._look.font("small"))
        self._left = max((metrics.horizontalAdvance(KINDS[mark].name) for mark in self._rows), default=0.0) + 12

    def _band(self) -> QRectF:
        left = self._left
        return QRectF(left, EDGE, max(10.0, self.width() - left - 8), self.height() - 2 * EDGE)

    def _row_box(self, number: int) -> QRectF:
        band = self._band()
        height = band.height() / max(1, len(self._rows))
        return QRectF(band.left(), band.top() + number * height, band.width(), height)

    def row_at(self, y: float) -> Mark | None:
        for number, mark in enumerate(self._rows):
            box = self._row_box(number)
            if box.top() <= y < box.bottom():
                return mark
        return None

    def place_of(self, step: int) -> QPointF:
        """Where a step is on the bar."""
        band = self._band()
        steps = self._run.trace.steps if self._run is not None else 0
        return QPointF(band.left() + x_of(step, steps, band.width()), band.center().y())

    # ---- drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        if self._picture is None:
            self._picture = self._draw()
        painter.drawPixmap(0, 0, self._picture)
        if self._run is None:
            return
        theme, band = self._look.theme, self._band()
        if self._hidden:
            past = math.floor(self.place_of(self._step).x() - band.left()) - 1  # strokes are 2 pixels wide
            painter.fillRect(band.adjusted(past, 1, 0, 0), theme.qcolor("panel"))
        x = self.place_of(self._step).x()
        painter.fillRect(QRectF(band.left(), band.top(), x - band.left(), band.height()), theme.qcolor("accent", 0.12))
        self._draw_flags(painter, band)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.qcolor("text"), 2))
        painter.drawLine(QPointF(x, band.top() - 2), QPointF(x, band.bottom() + 2))
        painter.setBrush(theme.qcolor("text"))
        tip = 5.0
        painter.drawPolygon(QPolygonF([QPointF(x - tip, 0), QPointF(x + tip, 0), QPointF(x, tip + 3)]))

    def _draw_flags(self, painter: QPainter, band: QRectF) -> None:
        """The bookmarks, each with its name where there is room before the next one."""
        theme = self._look.theme
        painter.setFont(self._look.font("small"))
        metrics = painter.fontMetrics()
        places = [self.place_of(mark.step).x() for mark in self._bookmarks]
        ends = [*places[1:], float(self.width())]
        for mark, at, after in zip(self._bookmarks, places, ends, strict=False):
            painter.setPen(QPen(theme.qcolor("accent"), 2))
            painter.drawLine(QPointF(at, band.top()), QPointF(at, band.bottom()))
            width = metrics.horizontalAdvance(mark.name) + 8
            flag = QRectF(at, band.top(), width if at + width < after else 8, metrics.height())
            painter.fillRect(flag, theme.qcolor("accent"))
            if flag.width() == width:
                painter.setPen(theme.qcolor("on_active"))
                painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, mark.name)

    def _draw(self) -> QPixmap:
        """All that no step changes: made once a run, width and look."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        theme, band = self._look.theme, self._band()
        painter = QPainter(pixmap)
        painter.fillRect(band, theme.qcolor("panel"))
        painter.setPen(theme.qcolor("faint"))
        painter.drawRect(band)
        if self._run is None or not self._rows:
            painter.end()
            return pixmap
        counted = counts(self._run.trace, self._rows, int(band.width()))
        painter.setFont(self._name_font())
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for number, (mark, line) in enumerate(zip(self._rows, heights(counted), strict=True)):
            box = self._row_box(number)
            painter.setPen(theme.qcolor("text"))
            painter.drawText(QRectF(0, box.top(), box.left() - 6, box.height()), right, KINDS[mark].name)
            self._draw_row(painter, box.adjusted(0, 1, 0, -1), line, theme.qcolor(MARK_STYLE[mark][0]))
        if self._rows[0] == Mark.FINDING:
            self._draw_findings(painter, np.flatnonzero(counted[0]))
        painter.end()
        return pixmap

    def _draw_row(self, painter: QPainter, box: QRectF, line: NDArray[np.float64], colour: QColor) -> None:
        """A bar for every column that has something, two pixels wide where they stand alone."""
        at = np.flatnonzero(line)
        wide = 1.0 if at.size > line.size / 4 else 2.0
        tall = line[at] * box.height()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(
            [QRectF(box.left() + x, box.bottom() - h, wide, h) for x, h in zip(at.tolist(), tall.tolist(), strict=True)]
        )

    def _draw_findings(self, painter: QPainter, columns: NDArray[np.int64]) -> None:
        """A line through all rows at each finding, and its sign, as long as they can be told apart."""
        theme, band, box = self._look.theme, self._band(), self._row_box(0)
        beyond = -box.height()
        for x in columns.tolist():
            if x - beyond < box.height():
                continue
            beyond = x
            at = band.left() + x
            painter.fillRect(QRectF(at, band.top(), 1.5, band.height()), theme.qcolor("error", 0.7))
            side = box.height()
            draw_error_sign(painter, QRectF(at - side / 2, box.top(), side, side), theme)

    # ---- input

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._picture = None
        super().resizeEvent(event)

    def _place(self, x: float) -> tuple[float, float]:
        """A place in the band and the width of that, in pixels."""
        band = self._band()
        return x - band.left(), band.width()

    def _go(self, event: QMouseEvent, snap: bool) -> None:
        if self._run is None:
            return
        trace = self._run.trace
        x, width = self._place(event.position().x())
        mark = self.row_at(event.position().y()) if snap else None
        near = mark_near(trace, x, width, mark) if mark is not None else None
        self.step_wanted.emit(near if near is not None else step_at(x, trace.steps, width))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event, snap=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event, snap=False)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """On or back by a pixel's steps, at least one."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self._run is None or not turned:
            return
        steps = self._run.trace.steps
        pace = max(1, round(steps / self._band().width())) * (1 if turned < 0 else -1)
        self._step = max(0, min(steps, self._step + pace))  # at once, for the next notch
        self.update()
        self.step_wanted.emit(self._step)
        event.accept()

    def words_at(self, place: QPoint) -> str:
        """The hover text: the row by its name, events under the pointer, or the step."""
        if self._run is None:
            return ""
        trace, mark = self._run.trace, self.row_at(place.y())
        x, width = self._place(place.x())
        if x < 0 and mark is not None:
            return row_words(trace, mark, KEYS[mark])
        near = events_near(trace, x, width, mark) if mark is not None else None
        text = words(trace, step_at(x, trace.steps, width))
        if near is not None and mark is not None:
            text = event_words(trace, mark, near, KEYS[mark])
        close = [m for m in self._bookmarks if -3 <= place.x() - self.place_of(m.step).x() <= 8]
        return "\n".join([*(f"Bookmark: {m.name} (step {m.step})" for m in close), text])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(event.pos()), self)
            return True
        return super().event(event)
