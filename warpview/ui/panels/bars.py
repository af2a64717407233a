"""Plot runs as bars: a comparison with a plot for each counter, the ladder of a family, the verdict on a launch."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent

from warpview.ui.drawing.plot import BarPlot, PlotArea, axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import bars_model, ladder_model
from warpview.ui.panels.comparison_model import Chart
from warpview.ui.panels.ladder_model import Rung
from warpview.ui.panels.verdict_model import CostGroup

# Heights in type sizes: of a bar; of the title and the axis of a counter together, and of the axis of the ladder with
# its name; of the title and the axis of a group of the verdict.
LINE, FRAME = 1.55, 5.0
RUNG, RUNGS_AXIS = 1.4, 3.4
TITLE, COST, COSTS_AXIS = 2.6, 4.4, 1.4
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


class LadderArea(PlotArea):
    """Plot the times of the variants, with bandwidth and speedups beside them."""

    def __init__(self, look: Look) -> None:
        self.rungs: Sequence[Rung] = ()
        self.plot = BarPlot()
        super().__init__(look, "Ladder")
        self.add_plot(0, 0, self.plot, self.plot.hover)

    def show_rungs(self, rungs: Sequence[Rung]) -> None:
        """Show these variants in place of the ones before."""
        self.rungs = rungs
        self.setAccessibleDescription(ladder_model.spoken(rungs))
        self.setMinimumHeight(round((RUNG * (len(rungs) + 1) + RUNGS_AXIS) * self.look.unit()))
        rows, heading = ladder_model.rows(rungs), ladder_model.heading(rungs)
        names, figures = [r.name for r in rows], [heading, *(r.figures for r in rows)]
        self.plot.getAxis("left").setWidth(axis_width(self, names))
        self.plot.getAxis("right").setWidth(axis_width(self, figures, mono=True))
        self.plot.show_rows(
            rows, self, f"time of one launch on the whole device ({ladder_model.unit(rungs)[0]})", heading
        )

    def restyle(self) -> None:
        super().restyle()
        if self.rungs:
            self.show_rungs(self.rungs)


class VerdictArea(PlotArea):
    """Plot three groups of bars on one axis of percent, whose names and figures line up; a click leads to a step."""

    place_wanted = Signal(object)  # CostPlace: of the bar that was clicked

    def __init__(self, look: Look) -> None:
        self.groups: tuple[CostGroup, ...] = ()
        super().__init__(look, "What limits the launch")
        self.scene().sigMouseClicked.connect(lambda click: self._lead(click.scenePos()))
        for row in range(3):
            plot = BarPlot()
            self.add_plot(row, 0, plot, plot.hover)
            plot.setMouseEnabled(x=False, y=False)

    def show_groups(self, groups: tuple[CostGroup, ...]) -> None:
        """Show these groups in place of the ones before."""
        self.groups = groups
        rows = [row for group in groups for row in group.rows]
        self.setAccessibleDescription("; ".join(f"{row.name} {row.figures}".rstrip() for row in rows))
        names = axis_width(self, [row.name for row in rows])
        figures = axis_width(self, [row.figures for row in rows], mono=True)
        unit = self.look.unit()
        for number, (plot, group) in enumerate(zip(self.plots, groups, strict=True)):
            is_last = number == len(groups) - 1
            plot.getAxis("left").setWidth(names)
            plot.getAxis("right").setWidth(figures)
            plot.getAxis("bottom").setStyle(showValues=is_last)
            plot.setTitle(group.title, justify="left")
            plot.show_rows(group.rows, self, most=100.0)
            high = (TITLE + COST * len(group.rows) + COSTS_AXIS * is_last) * unit
            self.ci.layout.setRowPreferredHeight(number, high)
            self.ci.layout.setRowMaximumHeight(number, high)
            self.ci.layout.setRowStretchFactor(number, round(high))
        self.setMaximumHeight(round((3 * TITLE + COST * len(rows) + COSTS_AXIS) * unit))

    def restyle(self) -> None:
        super().restyle()
        if self.groups:
            self.show_groups(self.groups)

    def _lead(self, position: QPointF) -> None:
        for plot, group in zip(self.plots, self.groups, strict=True):
            row = round(plot.vb.mapSceneToView(position).y())
            inside = plot.sceneBoundingRect().contains(position) and 0 <= row < len(group.places)
            if inside and group.places[row] is not None:
                self.place_wanted.emit(group.places[row])
