"""The history of the run as a bar: where divergence, conflicts, barriers and findings happened; drag it, click it."""

from __future__ import annotations

import math
from collections.abc import Sequence

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
from warpview.trace.presentation import MARKS
from warpview.ui.commands.actions import ACCESS_KEY
from warpview.ui.drawing.marks import draw_error_sign
from warpview.ui.drawing.style import fill_itself
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.snapshot import Bookmark
from warpview.ui.panels.history_model import (
    GAP,
    HistoryRow,
    HistoryStretch,
    counts,
    event_words,
    events_near,
    heights,
    row_words,
    rows,
    step_near,
    stretches,
    touch_row,
    words,
)
from warpview.ui.views.context import RunLike

KEYS = {Mark.NONE: ACCESS_KEY} | {mark: shown.key for mark, shown in MARKS.items()}
TOKENS = {Mark.NONE: "accent"} | {mark: shown.colour for mark, shown in MARKS.items()}
EDGE = 3  # pixels above and below the band
SIGN = 22  # height of the sign of a finding at most
ROW, LOW_ROW = 13, 11  # height of a row at normal type, and where there are more than four

PITCH = 4  # pixels a step has among those around the present, at normal type
_HEAD = QPolygonF([QPointF(-5, 0), QPointF(5, 0), QPointF(0, 8)])  # of the line where one is


class HistoryBar(QWidget):
    """Emits ``step_wanted`` while it is dragged or clicked."""

    step_wanted = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._run: RunLike | None = None
        self._rows: list[HistoryRow] = []
        self._touches: HistoryRow | None = None  # of the element that is followed: the last row
        self._left = 0.0
        self._step = 0
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._hidden = False
        self._memory: int | None = None  # the step at which the mouse was pressed, while it is
        self._dragged = HistoryStretch(0.0, 1.0, 0, 0)  # where it was pressed
        self._picture: QPixmap | None = None
        fill_itself(self)
        self.setMouseTracking(True)
        self.setAccessibleName("History of the run")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._restyle)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size at which every row is as high as its name needs to be read; at least as high as the buttons
        beside it."""
        rows = max(len(self._rows), 1)
        line = ROW if rows <= 4 else LOW_ROW
        return QSize(300, max(self._look.px(46), self._look.px(line) * rows + 2 * EDGE))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.sizeHint().height())

    def set_run(self, run: RunLike | None) -> None:
        self._run, self._touches = run, None
        self._set_rows(rows(run.trace) if run is not None else [])

    def show_touches(self, element: str, steps: NDArray[np.int64] | None) -> None:
        """Show a row for the accesses to the element that is followed; none where they are None."""
        before = self._touches
        if steps is (before.steps if before is not None else None):
            return
        self._touches = touch_row(element, steps) if steps is not None else None
        others = [row for row in self._rows if row is not before]
        self._set_rows([*others, self._touches] if self._touches is not None else others)

    def _set_rows(self, shown: list[HistoryRow]) -> None:
        before, self._rows, self._picture = len(self._rows), shown, None
        if len(shown) != before:
            self.updateGeometry()
        self._measure()
        self.update()

    def show_step(self, step: int) -> None:
        if step != self._step:
            self._step = step
            self.update()

    def set_hidden(self, on: bool) -> None:
        """Hide the events at this step and later, or show them."""
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
        self._left = max((metrics.horizontalAdvance(row.kind.name) for row in self._rows), default=0.0) + 12

    def _band(self) -> QRectF:
        left = self._left
        return QRectF(left, EDGE, max(10.0, self.width() - left - 8), self.height() - 2 * EDGE)

    def _stretches(self) -> tuple[HistoryStretch, ...]:
        """Return the stretches: the whole run, and of a long one the steps around the present, which stand still while
        the mouse is held."""
        band, steps = self._band(), self._run.trace.steps if self._run is not None else 0
        middle = self._step if self._memory is None else self._memory
        return stretches(steps, middle, band.left(), band.width(), self._look.px(PITCH))

    def _row_box(self, number: int) -> QRectF:
        band = self._band()
        height = band.height() / max(1, len(self._rows))
        return QRectF(band.left(), band.top() + number * height, band.width(), height)

    def row_at(self, y: float) -> HistoryRow | None:
        for number, row in enumerate(self._rows):
            box = self._row_box(number)
            if box.top() <= y < box.bottom():
                return row
        return None

    def place_of(self, step: int) -> QPointF:
        """Return the position of a step in the whole run."""
        return QPointF(self._stretches()[0].x(step), self._band().center().y())

    # ---- drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        if self._picture is None:
            self._picture = self._draw()
        painter.drawPixmap(0, 0, self._picture)
        if self._run is None:
            return
        whole, *lens = self._stretches()
        for stretch in lens:
            self._draw_lens(painter, stretch)
        for stretch in (whole, *lens):
            self._draw_past(painter, stretch)
        self._draw_flags(painter, whole)
        for stretch in (whole, *lens):
            self._draw_now(painter, stretch)

    def _draw_past(self, painter: QPainter, stretch: HistoryStretch) -> None:
        """Tint the past, and cover what comes while it is hidden."""
        theme, band, x = self._look.theme, self._band(), stretch.x(self._step)
        if self._hidden:
            first = math.floor(x - max(1, self._look.px(PITCH) / 2))  # no stroke is wider
            painter.fillRect(QRectF(first, band.top() + 1, stretch.right - first, band.height()), theme.qcolor("panel"))
        past = QRectF(stretch.left, band.top(), x - stretch.left, band.height())
        painter.fillRect(past, theme.qcolor("accent", 0.12))

    def _draw_now(self, painter: QPainter, stretch: HistoryStretch) -> None:
        """Draw a line with a head at the present step."""
        theme, band, x = self._look.theme, self._band(), stretch.x(self._step)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.qcolor("text"), 2))
        painter.drawLine(QPointF(x, band.top() - 2), QPointF(x, band.bottom() + 2))
        painter.setBrush(theme.qcolor("text"))
        painter.drawPolygon(_HEAD.translated(x, 0))

    def _draw_flags(self, painter: QPainter, stretch: HistoryStretch) -> None:
        """Draw the bookmarks, each with its name where there is room before the next one."""
        if not self._bookmarks:
            return
        theme, band = self._look.theme, self._band()
        painter.setFont(self._look.font("small"))
        metrics = painter.fontMetrics()
        places = [stretch.x(mark.step) for mark in self._bookmarks]
        ends = [*places[1:], stretch.right]
        for mark, at, after in zip(self._bookmarks, places, ends, strict=False):
            painter.setPen(QPen(theme.qcolor("accent"), 2))
            painter.drawLine(QPointF(at, band.top()), QPointF(at, band.bottom()))
            width = metrics.horizontalAdvance(mark.name) + 8
            flag = QRectF(at, band.top(), width if at + width < after else 8, metrics.height())
            painter.fillRect(flag, theme.qcolor("accent"))
            if flag.width() == width:
                painter.setPen(theme.qcolor("on_active"))
                painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, mark.name)

    def _draw_lens(self, painter: QPainter, stretch: HistoryStretch) -> None:
        """Draw the events around the present, one by one, in a frame of the present's colour."""
        assert self._run is not None
        theme, band, pitch = self._look.theme, self._band(), stretch.width / stretch.steps
        frame = QRectF(stretch.left, band.top(), stretch.width, band.height())
        painter.fillRect(frame, theme.qcolor("panel"))
        first, last = stretch.first + 1, stretch.first + stretch.steps
        boxes: list[list[QRectF]] = []
        findings: list[float] = []
        for number, row in enumerate(self._rows):
            at = stretch.middles(row.between(first, last))
            box = self._row_box(number)
            top, tall = box.top() + 1, box.height() - 2
            boxes.append([QRectF(x - pitch / 2, top, pitch - 1, tall) for x in at])
            findings = at if row.mark == Mark.FINDING else findings
        self._draw_rows(painter, boxes, findings)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.qcolor("accent"), 1.5))
        painter.drawRect(frame)

    def _draw(self) -> QPixmap:
        """Draw the parts that no step changes: made once a run, width and look."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(math.ceil(self.width() * ratio), math.ceil(self.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        theme, band, whole = self._look.theme, self._band(), self._stretches()[0]
        pixmap.fill(theme.qcolor("window"))
        painter = QPainter(pixmap)
        ground = QRectF(whole.left, band.top(), whole.width, band.height())
        painter.fillRect(ground, theme.qcolor("panel"))
        painter.setPen(theme.qcolor("faint"))
        painter.drawRect(ground)
        if self._run is None or not self._rows:
            painter.end()
            return pixmap
        counted = counts(self._rows, self._run.trace.steps, int(whole.width))
        painter.setFont(self._name_font())
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(theme.qcolor("text"))
        boxes = [self._row_box(number) for number in range(len(self._rows))]
        for box, row in zip(boxes, self._rows, strict=True):
            painter.drawText(QRectF(0, box.top(), box.left() - 6, box.height()), right, row.kind.name)
        columns = [_columns(b.adjusted(0, 1, 0, -1), line) for b, line in zip(boxes, heights(counted), strict=True)]
        found = np.flatnonzero(counted[0]).tolist() if self._rows[0].mark == Mark.FINDING else []
        self._draw_rows(painter, columns, [whole.left + x for x in found])
        painter.end()
        return pixmap

    def _finding_signs(self, places: Sequence[float]) -> list[QRectF]:
        """Return boxes for the signs of the findings, as long as they can be told apart."""
        box = self._row_box(0)
        side = min(box.height(), float(self._look.px(SIGN)))
        signs: list[QRectF] = []
        for x in places:
            if not signs or x - side / 2 >= signs[-1].right():
                signs.append(QRectF(x - side / 2, box.center().y() - side / 2, side, side))
        return signs

    def _draw_rows(self, painter: QPainter, boxes: Sequence[list[QRectF]], findings: Sequence[float]) -> None:
        """Draw the events, row by row: findings with a line behind all rows, and their sign in front."""
        theme, band, signs = self._look.theme, self._band(), self._finding_signs(findings)
        for sign in signs:
            line = QRectF(sign.center().x() - 0.5, band.top(), 1.0, band.height())
            painter.fillRect(line, theme.qcolor("error", 0.7))
        for row, events in zip(self._rows, boxes, strict=True):
            _fill(painter, events, theme.qcolor(TOKENS[row.mark]))
        for sign in signs:
            draw_error_sign(painter, sign, theme)

    # ---- input

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._picture = None
        super().resizeEvent(event)

    def _stretch_at(self, x: float) -> HistoryStretch:
        return next((s for s in reversed(self._stretches()) if x >= s.left - GAP / 2), self._stretches()[0])

    def _go(self, event: QMouseEvent, snap: bool) -> None:
        if self._run is None:
            return
        x = event.position().x()
        if self._memory is None:
            self._memory, self._dragged = self._step, self._stretch_at(x)
        row = self.row_at(event.position().y()) if snap else None
        near = step_near(row, self._dragged, x) if row is not None else None
        wanted = near if near is not None else self._dragged.step(x)
        self.step_wanted.emit(max(0, min(self._run.trace.steps, wanted)))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event, snap=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event, snap=False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._memory = None
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Step on or back by a pixel's steps, at least one."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self._run is None or not turned:
            return
        steps = self._run.trace.steps
        pace = max(1, round(steps / self._stretches()[0].width)) * (1 if turned < 0 else -1)
        self._step = max(0, min(steps, self._step + pace))  # at once, for the next notch
        self.update()
        self.step_wanted.emit(self._step)
        event.accept()

    def words_at(self, place: QPoint) -> str:
        """Return the hover text: the row by its name, events under the pointer, or the step."""
        if self._run is None:
            return ""
        trace, row = self._run.trace, self.row_at(place.y())
        stretch = self._stretch_at(place.x())
        if self._hidden and place.x() >= stretch.x(self._step):
            return "P reveals what comes from here on"
        if place.x() < stretch.left and row is not None:
            return row_words(trace, row, KEYS[row.mark])
        near = events_near(row, stretch, place.x()) if row is not None else None
        text = words(trace, stretch.step(place.x()))
        if near is not None and row is not None:
            text = event_words(trace, row, near, KEYS[row.mark])
        close = [m for m in self._bookmarks if -3 <= place.x() - stretch.x(m.step) <= 8]
        return "\n".join([*(f"Bookmark: {m.name} (step {m.step})" for m in close), text])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(event.pos()), self)
            return True
        return super().event(event)


def _columns(box: QRectF, line: NDArray[np.float64]) -> list[QRectF]:
    """Return a bar for every pixel column that has something, two pixels wide where they stand alone."""
    at = np.flatnonzero(line)
    wide = 1.0 if at.size > line.size / 4 else 2.0
    left, tall = box.left() + at, line[at] * box.height()
    top = box.bottom() - tall
    return [QRectF(x, y, wide, h) for x, y, h in zip(left.tolist(), top.tolist(), tall.tolist(), strict=True)]


def _fill(painter: QPainter, boxes: list[QRectF], colour: QColor) -> None:
    if boxes:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(boxes)
