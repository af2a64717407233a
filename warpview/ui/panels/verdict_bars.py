"""Plot the verdict on a launch: a group of bars below another, all on one axis of percent; a click leads to a step."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Signal

from warpview.ui.drawing.plot import BarPlot, PlotArea, axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.verdict_model import CostGroup

TITLE, LINE, AXIS = 2.6, 4.4, 1.4  # heights of a group's title, of a bar at most, and of the axis, in type sizes


class VerdictArea(PlotArea):
    """Plot three groups of bars, whose names and figures line up."""

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
            high = (TITLE + LINE * len(group.rows) + AXIS * is_last) * unit
            self.ci.layout.setRowPreferredHeight(number, high)
            self.ci.layout.setRowMaximumHeight(number, high)
            self.ci.layout.setRowStretchFactor(number, round(high))
        self.setMaximumHeight(round((3 * TITLE + LINE * len(rows) + AXIS) * unit))

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
