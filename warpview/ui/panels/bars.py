"""Show a comparison as bars: for each counter a plot with one bar for each run."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent

from warpview.ui.drawing.plot import BarPlot, PlotArea, axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import bars_model
from warpview.ui.panels.comparison_model import Chart

LINE, FRAME = 1.55, 5.0  # height of a bar, and of the title and the axis together, in type sizes
LEAST_BAR = 12.0  # width of the longest bar at least, in type sizes
MOST_COLUMNS = 4


class BarsArea(PlotArea):
    """Plot the charts, in as many columns as leave every name whole; made one in each turn of the event loop."""

    def __init__(self, look: Look) -> None:
        self.charts: Sequence[Chart] = ()
        self._columns, self._names, self._figures = 1, 0.0, 0.0
        self._spare: list[BarPlot] = []
        self._timer = QTimer()
        super().__init__(look, "Bars of every counter that differs")
        self._timer.setParent(self)
        self._timer.timeout.connect(self._make_next)
        self._width = 0
        self.resized.connect(self._follow_width)

    def show_charts(self, charts: Sequence[Chart]) -> None:
        """Show these charts in place of the ones before."""
        self.charts = charts
        self.setAccessibleDescription(bars_model.spoken(charts))
        self._arrange()

    def finish(self) -> None:
        """Make all plots that are still missing."""
        while len(self.plots) < len(self.charts):
            self._make_next()

    def restyle(self) -> None:
        super().restyle()
        if self.charts:
            self._arrange()

    def _follow_width(self) -> None:
        """Arrange anew for another width; the height follows from the content."""
        if self.width() != self._width:
            self._width = self.width()
            self._arrange()

    def _arrange(self) -> None:
        """Choose the number of columns, and start to make the plots."""
        unit = self.look.unit()
        self._names, self._figures = self._axis_widths()
        needed = self._names + self._figures + LEAST_BAR * unit
        columns = max(1, min(MOST_COLUMNS, int(self.width() / needed), len(self.charts) or 1))
        self._columns = columns
        self._spare += self.take_plots()
        lines = max((len(chart.bars) for chart in self.charts), default=0)
        rows = -(-len(self.charts) // columns)
        height = (LINE * lines + FRAME) * unit
        for column in range(MOST_COLUMNS):
            self.ci.layout.setColumnFixedWidth(column, self.width() / columns if column < columns else 0.0)
        for row in range(max(rows, self.ci.layout.rowCount())):
            self.ci.layout.setRowFixedHeight(row, height if row < rows else 0.0)
        self.setMinimumHeight(round(rows * height))
        if self.isVisible():
            self._timer.start(0)

    def _axis_widths(self) -> tuple[float, float]:
        rows = [row for chart in self.charts for row in bars_model.rows(chart)]
        return axis_width(self, [r.name for r in rows]), axis_width(self, [r.figures for r in rows], mono=True)

    def _make_next(self) -> None:
        number = len(self.plots)
        if number >= len(self.charts):
            self._timer.stop()
            return
        chart = self.charts[number]
        plot = self._spare.pop() if self._spare else BarPlot()
        self.add_plot(*divmod(number, self._columns), plot, plot.hover)
        plot.getAxis("left").setWidth(self._names)
        plot.getAxis("right").setWidth(self._figures)
        plot.setTitle(chart.heading)
        plot.show_rows(bars_model.rows(chart), self)
        for layout in (self.ci.layout, plot.layout):
            layout.activate()  # before it is painted: until then it has the size of an empty plot

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._timer.start(0)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._timer.stop()
