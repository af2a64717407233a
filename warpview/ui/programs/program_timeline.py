"""Plot the timeline of a program: the kernels and the transfers of every stream."""

from __future__ import annotations

from bisect import bisect_right

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from warpview.host import ProgramResult
from warpview.ui.drawing.plot import LegendLine, PlotArea, axis_width, new_plot
from warpview.ui.drawing.theme import Look
from warpview.ui.programs.program_model import KINDS, OperationBar, bars, stream_rows

HEIGHT = 0.7  # of a bar in its row
LEAST_PIXELS = 3.0  # at which a bar can be hit


class ProgramTimeline(PlotArea):
    """Draw time across and streams down; a kernel is chosen by a click."""

    launch_chosen = Signal(int)

    def __init__(self, look: Look) -> None:
        self._bars: list[list[OperationBar]] = []  # by row, in the order of their start
        self._names: list[str] = []
        self.shown: list[OperationBar] = []
        super().__init__(look, "Timeline of the program")
        self.plot = self.add_plot(1, 0, new_plot(), self._hover)
        self._legend = LegendLine()
        self.ci.addItem(self._legend, 0, 0)
        self.plot.setMouseEnabled(x=True, y=False)
        self.plot.invertY(True)
        self.plot.setLabel("bottom", "modelled time (µs)")

    def show_result(self, result: ProgramResult) -> None:
        """Draw the operations of a program that has ended."""
        self._names, self.shown = stream_rows(result), bars(result)
        self._bars = [[bar for bar in self.shown if bar.row == row] for row in range(len(self._names))]
        self._draw()
        last = max((bar.start + bar.duration for bar in self.shown), default=1.0)
        self.plot.vb.setLimits(xMin=-0.02 * last, xMax=1.05 * last, minXRange=1e-4 * last)
        self.plot.setXRange(0.0, last, padding=0.02)
        self.plot.setYRange(-0.6, max(1, len(self._names)) - 0.5, padding=0.0)

    def restyle(self) -> None:
        """Take over the theme and the type size from the look."""
        super().restyle()
        if self.shown:
            self._draw()

    def _draw(self) -> None:
        plot = self.plot
        plot.clear()
        self._legend.begin(self)
        for key, kind in KINDS.items():
            chosen = [bar for bar in self.shown if bar.kind == key]
            if not chosen:
                continue
            item = pg.BarGraphItem(
                x0=[bar.start for bar in chosen], width=[bar.duration for bar in chosen],
                y=[bar.row for bar in chosen], height=HEIGHT, brush=self.brush(kind.colour, hatched=kind.hatched),
                pen=self.pen(kind.colour),
            )  # fmt: skip
            plot.addItem(item)
            self._legend.addItem(item, kind.words)
        axis = plot.getAxis("left")
        axis.setTicks([list(enumerate(self._names))])
        axis.setWidth(axis_width(self, self._names))
        self.style_plot(plot)

    def bar_at(self, x: float, y: float) -> OperationBar | None:
        """Return the bar at a place in data coordinates, or the nearest one within some pixels."""
        row = round(y)
        if not 0 <= row < len(self._bars) or abs(y - row) > 0.5 or not self._bars[row]:
            return None
        there = self._bars[row]
        reach = LEAST_PIXELS * self.plot.vb.viewPixelSize()[0]
        after = bisect_right(there, x, key=lambda bar: bar.start)
        near = there[max(0, after - 1) : after + 1]
        nearest = min(near, key=lambda bar: max(bar.start - x, x - bar.start - bar.duration))
        return nearest if nearest.start - reach <= x <= nearest.start + nearest.duration + reach else None

    def _hover(self, x: float, y: float) -> str:
        bar = self.bar_at(x, y)
        return bar.hover if bar is not None else ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            place = self.plot.vb.mapSceneToView(QPointF(self.mapToScene(event.position().toPoint())))
            bar = self.bar_at(place.x(), place.y())
            if bar is not None and bar.launch is not None:
                self.launch_chosen.emit(bar.launch)
