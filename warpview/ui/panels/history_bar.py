"""The history of the run as a bar: where divergence, conflicts, barriers and findings happened; drag it, click it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from warpview.trace.frame import Mark
from warpview.ui.marks import MARK_STYLE
from warpview.ui.panels.history_model import columns, mark_near, rows, step_at, words, x_of
from warpview.ui.snapshot import Bookmark
from warpview.ui.theme import Look
from warpview.ui.views.context import RunLike


class HistoryBar(QWidget):
    """Emits ``step_wanted`` while it is dragged or clicked."""

    step_wanted = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._run: RunLike | None = None
        self._rows: list[Mark] = []
        self._step = 0
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._picture: QPixmap | None = None
        self.setMouseTracking(True)
        self.setAccessibleName("History of the run")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._restyle)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(300, self._look.px(46))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.sizeHint().height())

    def set_run(self, run: RunLike | None) -> None:
        self._run, self._picture = run, None
        self._rows = rows(run.trace) if run is not None else []
        self.update()

    def show_step(self, step: int) -> None:
        if step != self._step:
            self._step = step
            self.update()

    def show_bookmarks(self, bookmarks: tuple[Bookmark, ...]) -> None:
        if bookmarks != self._bookmarks:
            self._bookmarks = bookmarks
            self.update()

    def _restyle(self) -> None:
        self._picture = None
        self.updateGeometry()
        self.update()

    # ---- geometry

    @property
    def _left(self) -> float:
        return self._look.px(96) if self.width() > self._look.px(560) else self._look.px(20)

    def _band(self) -> QRectF:
        return QRectF(self._left, 3, max(10.0, self.width() - self._left - 8), self.height() - 6)

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
        for mark in self._bookmarks:
            at = self.place_of(mark.step).x()
            painter.setPen(QPen(theme.qcolor("accent"), 1.5))
            painter.drawLine(QPointF(at, band.top()), QPointF(at, band.bottom()))
            painter.fillRect(QRectF(at, band.top(), 8, 7), theme.qcolor("accent"))
        x = self.place_of(self._step).x()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        past = QRectF(band.left(), band.top(), x - band.left(), band.height())
        painter.fillRect(past, theme.qcolor("accent", 0.12))
        painter.setPen(QPen(theme.qcolor("text"), 2))
        painter.drawLine(QPointF(x, band.top() - 2), QPointF(x, band.bottom() + 2))
        painter.setBrush(theme.qcolor("text"))
        tip = 5.0
        painter.drawPolygon(
            QPolygonF([QPointF(x - tip, 0), QPointF(x + tip, 0), QPointF(x, tip + 3)]), Qt.FillRule.OddEvenFill
        )

    def _draw(self) -> QPixmap:
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
            return pixmap
        marks = columns(self._run.trace, int(band.width()))
        font = self._look.font("small")
        pixel_height = min(font.pointSizeF() * 1.1, self._row_box(0).height() * 0.86)
        font.setPixelSize(max(7, round(pixel_height)))
        painter.setFont(font)
        wide = self._left > self._look.px(30)
        for number, mark in enumerate(self._rows):
            token, letter, phrase = MARK_STYLE[mark]
            box = self._row_box(number)
            name = "wasteful access" if mark == Mark.UNCOALESCED else phrase
            painter.setPen(theme.qcolor("text"))
            label = QRectF(0, box.top(), self._left - 6, box.height())
            painter.drawText(
                label, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), name if wide else letter
            )
            pen = QPen(theme.qcolor(token), 2.0)
            painter.setPen(pen)
            for x in np.flatnonzero(marks & mark):
                at = band.left() + float(x) + 0.5
                painter.drawLine(QPointF(at, box.top() + 1.5), QPointF(at, box.bottom() - 1.5))
        painter.end()
        return pixmap

    # ---- input

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._picture = None
        super().resizeEvent(event)

    def _go(self, event: QMouseEvent, snap: bool) -> None:
        if self._run is None:
            return
        band = self._band()
        x = event.position().x() - band.left()
        trace = self._run.trace
        mark = self.row_at(event.position().y()) if snap else None
        near = mark_near(trace, x, band.width(), mark) if mark is not None else None
        self.step_wanted.emit(near if near is not None else step_at(x, trace.steps, band.width()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(event, snap=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event, snap=False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._run is not None:
            band = self._band()
            trace = self._run.trace
            mark = self.row_at(event.pos().y())
            x = event.pos().x() - band.left()
            near = mark_near(trace, x, band.width(), mark) if mark is not None else None
            text = words(trace, near if near is not None else step_at(x, trace.steps, band.width()))
            if near is not None and mark is not None:
                text = f"{MARK_STYLE[mark][2].capitalize()}. {text}"
            close = [m for m in self._bookmarks if abs(self.place_of(m.step).x() - event.pos().x()) < 6]
            text = "\n".join([*(f"Bookmark: {m.name} (step {m.step})" for m in close), text])
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)
