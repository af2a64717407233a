"""Show the history of the run as a bar to drag and click: divergence, conflicts, barriers, findings."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from warpview.trace.frame import Mark
from warpview.trace.presentation import MARKS
from warpview.ui.commands.actions import ACCESS_KEY
from warpview.ui.drawing.plot import PlotArea
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.snapshot import Bookmark
from warpview.ui.panels.history_model import (
    GAP,
    HistoryRow,
    HistoryStretch,
    access_row,
    event_words,
    events_near,
    row_words,
    rows,
    step_near,
    stretches,
    words,
)
from warpview.ui.panels.history_plot import NAMES_GAP, HistoryPlot
from warpview.ui.views.context import RunLike

KEYS = {Mark.NONE: ACCESS_KEY} | {mark: shown.key for mark, shown in MARKS.items()}
EDGE = 3  # pixels above and below the band
ROW, LOW_ROW = 13, 11  # height of a row at normal type, and where there are more than four
LEAST_WIDTH = 60  # pixels
ALONE = 2  # pixels of an event in the plot of the whole run
PITCH = 4  # pixels a step has among those around the present, at normal type


class HistoryBar(PlotArea):
    """Show two plots: the whole run, and of a long one the steps around the present.

    Emits ``step_wanted`` while it is dragged or clicked.
    """

    step_wanted = Signal(int)

    def __init__(self, look: Look) -> None:
        self._run: RunLike | None = None
        self.rows: list[HistoryRow] = []
        self._access_row: HistoryRow | None = None  # of the element that is followed: the last row
        self._step = 0
        self._bookmarks: tuple[Bookmark, ...] = ()
        self._hidden = False
        self._left = 0.0  # pixels that the names of the rows take
        self._pressed_at: int | None = None  # the step at which the mouse was pressed, while it is
        self._dragged = HistoryStretch(0.0, 1.0, 0, 0)  # where it was pressed
        self._plots: tuple[HistoryPlot, ...] = ()
        super().__init__(look, "History of the run")
        self._plots = HistoryPlot(self), HistoryPlot(self)
        self._plots[1].hideAxis("left")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._on_look)
        self._on_look()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size at which every row's name can be read, at least as high as the buttons beside it."""
        rows = max(len(self.rows), 1)
        line = ROW if rows <= 4 else LOW_ROW
        return QSize(300, max(self.look.px(46), self.look.px(line) * rows + 2 * EDGE))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(LEAST_WIDTH, self.sizeHint().height())

    def set_run(self, run: RunLike | None) -> None:
        self._run, self._access_row = run, None
        self._set_rows(rows(run.trace) if run is not None else [])

    def show_accesses(self, element: str, steps: NDArray[int64] | None) -> None:
        """Show a row with the accesses to the element that is followed; none where ``steps`` is None."""
        before = self._access_row
        if steps is (before.steps if before is not None else None):
            return
        self._access_row = access_row(element, steps) if steps is not None else None
        others = [row for row in self.rows if row is not before]
        self._set_rows([*others, self._access_row] if self._access_row is not None else others)

    def _set_rows(self, shown: list[HistoryRow]) -> None:
        before, self.rows = len(self.rows), shown
        if len(shown) != before:
            self.updateGeometry()
        self._lay_out()

    def show_step(self, step: int) -> None:
        if step != self._step:
            self._step = step
            self._show_present()

    def set_hidden(self, on: bool) -> None:
        """Hide the events of this step and of later ones, or show them again."""
        if on != self._hidden:
            self._hidden = on
            self._show_present()

    def show_bookmarks(self, bookmarks: tuple[Bookmark, ...]) -> None:
        if bookmarks != self._bookmarks:
            self._bookmarks = bookmarks
            self._plots[0].show_bookmarks(bookmarks)

    # ---- layout

    def restyle(self) -> None:
        super().restyle()
        self.setBackground(self.look.theme.window)
        for plot, border, width in zip(self._plots, ("faint", "accent"), (1.0, 1.5), strict=False):
            plot.restyle(border, width)

    def _on_look(self) -> None:
        self.restyle()
        self.updateGeometry()
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802
        super().resizeEvent(event)
        if self._plots:
            self._lay_out()

    def _lay_out(self) -> None:
        """Show the whole run in its plot, which no step changes, then the present."""
        metrics = QFontMetricsF(self.look.font("small"))
        names = max((metrics.horizontalAdvance(row.kind.name) for row in self.rows), default=0.0)
        self._left = NAMES_GAP + (names if 2 * names <= self.width() else 0.0)  # else they are in the hover text
        for plot in self._plots:
            plot.show_rows(self.rows, self._name_font(), self._left)
        whole = self._plots[0]
        whole.show_stretch(self.stretches()[0], self._band, ALONE)
        whole.show_bookmarks(self._bookmarks)
        self._show_present()

    def _show_present(self) -> None:
        """Show the steps around the present where the run is long, and the line of the present."""
        lens = self.stretches()[1:]
        self._plots[1].setVisible(bool(lens))
        for stretch in lens:
            self._plots[1].show_stretch(stretch, self._band, self.look.px(PITCH) - 1)
        for plot in self._plots:
            plot.show_step(self._step, self._hidden)

    def _name_font(self) -> QFont:
        font = self.look.font("small")
        height = self._band.height() / max(1, len(self.rows))
        font.setPixelSize(max(1, round(min(font.pointSizeF() * 1.3, height * 0.95))))
        return font

    @property
    def _band(self) -> QRectF:
        wide, high = self.width() - self._left - 8, self.height() - 2 * EDGE
        return QRectF(self._left, EDGE, max(10.0, wide), max(1.0, high))

    def stretches(self) -> tuple[HistoryStretch, ...]:
        """Return the whole run, and of a long one the steps around the present, still while the mouse is held."""
        band, steps = self._band, self._run.trace.steps if self._run is not None else 0
        middle = self._step if self._pressed_at is None else self._pressed_at
        return stretches(steps, middle, band.left(), band.width(), self.look.px(PITCH))

    def row_at(self, y: float) -> HistoryRow | None:
        """Return the row at a height in pixels; None above and below the rows."""
        band = self._band
        number = int((y - band.top()) // (band.height() / max(1, len(self.rows))))
        return self.rows[number] if 0 <= number < len(self.rows) else None

    # ---- input

    def _stretch_at(self, x: float) -> HistoryStretch:
        return next((s for s in reversed(self.stretches()) if x >= s.left - GAP / 2), self.stretches()[0])

    def _go(self, event: QMouseEvent, snap: bool) -> None:
        if self._run is None:
            return
        x = event.position().x()
        if self._pressed_at is None:
            self._pressed_at, self._dragged = self._step, self._stretch_at(x)
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
        self._pressed_at = None
        self._show_present()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Step on or back by a pixel's steps, at least one."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self._run is None or not turned:
            return
        steps = self._run.trace.steps
        pace = max(1, round(steps / self.stretches()[0].width)) * (1 if turned < 0 else -1)
        self.show_step(max(0, min(steps, self._step + pace)))  # at once, for the next notch
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

    def _show_hover(self, event: QHelpEvent) -> bool:
        QToolTip.showText(event.globalPos(), self.words_at(event.pos()), self.viewport())
        return True
