"""Sample the counters over the run, and plot them as curves beside the rows of the counter table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPen, QWheelEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QWidget

from warpview.trace import Trace
from warpview.ui.drawing.plot import PlotArea, new_plot
from warpview.ui.drawing.theme import Look
from warpview.ui.views.context import RunLike
from warpview.ui.views.counters.counters_model import CounterTable, number, samples

AT_A_TIME = 4  # samples between two turns of the event loop
ROW_SHARE = 0.76  # of the height of a row that its curve takes
TOKEN = "active"  # colour of the curves
# The samples of the runs that are still there: two views show them, and a run that is gone back to has them.
samples_of_traces: WeakKeyDictionary[Trace, dict[str, list[float]]] = WeakKeyDictionary()


class CounterSampler(QObject):
    """Sample the counters at even distances over a run, a few at a time, so that nothing waits for them.

    ``values[key][k]`` is the counter ``key`` at ``steps[k]``.
    """

    finished = Signal()

    def __init__(self, wanted: Callable[[], bool], parent: QObject) -> None:
        """``wanted`` says whether anybody sees the samples; while nobody does none are taken."""
        super().__init__(parent)
        self._wanted = wanted
        self._run: RunLike | None = None
        self._table: CounterTable | None = None
        self.steps: list[int] = []
        self.values: dict[str, list[float]] = {}
        self._told = False  # that all samples have been taken
        self._timer = QTimer(self, interval=5)
        self._timer.timeout.connect(self._sample)

    @property
    def active(self) -> bool:
        """Return whether samples are being taken."""
        return self._timer.isActive()

    def load(self, run: RunLike | None, table: CounterTable | None) -> None:
        """Start over with a run, or stop where it is None."""
        self._run, self._table, self._told = run, table, False
        self.values = samples_of_traces.setdefault(run.trace, {}) if run is not None else {}
        self.steps = samples(run.trace.steps) if run is not None else []
        self.resume()

    def resume(self) -> None:
        """Take the samples that are missing, or tell that none is, if anybody sees them."""
        (self._timer.start if self.steps and not self._told and self._wanted() else self._timer.stop)()

    @property
    def _taken(self) -> int:
        return len(next(iter(self.values.values()), ()))

    @property
    def complete(self) -> bool:
        """Return whether all samples of a run have been taken."""
        return bool(self.steps) and self._taken == len(self.steps)

    def _sample(self) -> None:
        assert self._run is not None
        assert self._table is not None
        for step in self.steps[self._taken :][:AT_A_TIME]:
            for key, value in self._table.so_far(self._run.trace.frame(step).counts).items():
                self.values.setdefault(key, []).append(float(value or 0.0))
        self._told = self.complete
        self.resume()
        if self._told:
            self.finished.emit()


class SeriesPlot(PlotArea):
    """Draw one plot over the column "over the run" of the table: steps across, a curve in each row, a line at the
    present.

    Ctrl with the wheel zooms in on steps, dragging pans, a double click shows the whole run.
    """

    row_clicked = Signal(int)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, "Counters over the run", parent)
        self.plot = self.add_plot(0, 0, new_plot(), self._words)
        self.plot.showAxes(False)
        self.plot.vb.setDefaultPadding(0.0)
        self.plot.vb.setMouseEnabled(x=True, y=False)
        self.plot.invertY(True)
        self.curves = pg.PlotCurveItem(connect="finite")
        self.curves.setCacheMode(
            QGraphicsItem.CacheMode.DeviceCoordinateCache
        )  # painted anew they would take 4 ms a step
        self._selected = QGraphicsRectItem()
        self._now = pg.InfiniteLine(angle=90)
        for item in (self._selected, self.curves, self._now):
            self.plot.addItem(item, ignoreBounds=True)
        self._steps: Sequence[int] = ()
        self._rows: list[tuple[str, str, Sequence[float]]] = []
        self.scene().sigMouseClicked.connect(self._on_click)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        if self.plots:
            self.curves.setPen(self.pen(TOKEN, 1.4))
            self._now.setPen(self.pen("conflict", 1.2))
            self._selected.setPen(QPen(Qt.PenStyle.NoPen))
            self._selected.setBrush(self.brush("accent", 0.22))

    def show_rows(self, rows: Sequence[tuple[str, str, Sequence[float]]], steps: Sequence[int]) -> None:
        """Show (title, unit, values at ``steps``) in one row each; nothing is drawn of a number that stays 0."""
        self._rows, self._steps = list(rows), steps
        x = np.tile(np.append(np.asarray(steps, float), np.nan), len(rows))
        y = np.full((len(rows), len(steps) + 1), np.nan)
        for number_, (_, _, values) in enumerate(rows):
            if len(values) == len(steps) and max(values, default=0.0) > 0:
                y[number_, :-1] = number_ + 0.5 + ROW_SHARE * (0.5 - np.asarray(values) / max(values))
        self.curves.setData(x, y.ravel())

    def show_run(self, steps: int) -> None:
        """Show the whole of a run of so many steps."""
        last = max(1, steps)
        self.plot.vb.setLimits(xMin=0, xMax=last, minXRange=min(8, last))
        self.plot.setXRange(0, last, padding=0.0)

    def show_step(self, step: int, selected: int | None) -> None:
        """Move the line of the present to a step; ``selected`` is the row of the selected counter."""
        self._now.setValue(step)
        self._selected.setVisible(selected is not None)
        if selected is not None:
            self._selected.setRect(QRectF(0, selected, self._steps[-1] if self._steps else 1, 1))

    def show_place(self, box: QRectF, top: float, rows: float) -> None:
        """Place the plot over ``box`` (in pixels of the parent), which shows ``rows`` rows from the row ``top`` on."""
        self.setGeometry(box.toRect())
        self.plot.setYRange(top, top + max(rows, 0.1), padding=0.0)

    def _words(self, x: float, y: float) -> str:
        """Return the hover text: the value of the counter in the row at the sampled step next to the pointer."""
        row = int(y) if 0 <= y < len(self._rows) else None
        if row is None or len(self._rows[row][2]) != len(self._steps) or not self._steps:
            return ""
        title, unit, values = self._rows[row]
        at = int(np.abs(np.asarray(self._steps) - x).argmin())
        return f"{title}, step {self._steps[at]}: {number(values[at], unit)}"

    def _on_click(self, event: object) -> None:
        place = self.plot.vb.mapSceneToView(event.scenePos())  # type: ignore[attr-defined]
        if event.double():  # type: ignore[attr-defined]
            self.show_run(self._steps[-1] if self._steps else 1)
        elif 0 <= place.y() < len(self._rows):
            self.row_clicked.emit(int(place.y()))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll the table, which is behind; zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()
