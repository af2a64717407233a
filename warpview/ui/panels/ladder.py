"""Plot the optimisation ladder: one bar for each variant of a family, as long as its time."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.ui.drawing.plot import BarPlot, PlotArea, axis_width
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import ladder_model as model
from warpview.ui.panels.ladder_model import Rung

LINE, AXIS = 1.4, 3.4  # height of a bar, and of the axis with its name, in type sizes


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
        self.setAccessibleDescription(model.spoken(rungs))
        self.setMinimumHeight(round((LINE * (len(rungs) + 1) + AXIS) * self.look.unit()))
        rows, heading = model.rows(rungs), model.heading(rungs)
        names, figures = [r.name for r in rows], [heading, *(r.figures for r in rows)]
        self.plot.getAxis("left").setWidth(axis_width(self, names))
        self.plot.getAxis("right").setWidth(axis_width(self, figures, mono=True))
        self.plot.show_rows(rows, self, f"time of one launch on the whole device ({model.unit(rungs)[0]})", heading)

    def restyle(self) -> None:
        super().restyle()
        if self.rungs:
            self.show_rungs(self.rungs)
