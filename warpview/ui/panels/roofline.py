"""Plot the roofline with logarithmic axes, and beside it the list of its numbered points.

Solid and dashed lines are the roofs of DRAM. Where a model has an L2 a legend tells its dotted roof, and the ring of a
run by its bytes of the L2, from what is DRAM's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import Qt

from warpview.run.roofline import Operations, percent
from warpview.ui.drawing.plot import PlotArea, new_plot
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import roofline_model as model
from warpview.ui.panels.roofline_model import Point

DOT, BADGE = 0.3, 0.62  # radii of a point and of its number, in type sizes
AXIS = 4.8  # type sizes that the left axis is wide
BESIDE = 8.0  # pixels between the plot and the list
LEAST = 16.0  # type sizes that the plot is high, at least
FEW = 14  # runs that are listed in the type of texts; more in small type
NEAR = 0.06  # distance from a point in decades at which the pointer is on it


class RooflineArea(PlotArea):
    """Plot runs as points below the roofs of their devices."""

    def __init__(self, look: Look) -> None:
        self.points: list[Point] = []
        self._drawn: list[Point] = []  # the same as they are drawn: see ``roofline_model.drawn``
        self._spots: list[model.Spot] = []
        self._badges: list[pg.TextItem] = []
        super().__init__(look, "Roofline")
        self.plot = self.add_plot(0, 0, new_plot(), self._hover)
        self.plot.setLogMode(True, True)
        self.plot.showGrid(True, True, 0.25)
        self.plot.addLegend(offset=(6, 2), verSpacing=-8)  # above the slopes of the roofs, where no kernel can be
        self._counted, self._steps = Operations.FLOATING, 0
        self._list = pg.LabelItem(justify="left")
        self.ci.addItem(self._list, 0, 1)
        self.ci.layout.setColumnSpacing(0, BESIDE)
        self._leaders = pg.PlotCurveItem(connect="pairs")
        for signal in (self.plot.vb.sigRangeChanged, self.plot.vb.sigResized):
            signal.connect(lambda *_: self._place_badges())

    def show_points(self, points: Sequence[Point], reading: Operations, steps: int = 0) -> None:
        """Show these points in place of the ones before; a line leads through those of the first ``steps`` variants."""
        self.points, self._counted, self._steps = list(points), reading, steps
        self._drawn = model.drawn(self.points)
        self.setAccessibleDescription(model.spoken(self.points))
        self._draw()

    def restyle(self) -> None:
        super().restyle()
        if hasattr(self, "plot"):
            self._draw()

    def _draw(self) -> None:
        plot = self.plot
        plot.clear()
        self._badges = []
        if not self.points:
            self._list.setText(model.NOTHING, color=self.look.theme.dim)
            return
        for side, label in zip(("bottom", "left"), self._axes, strict=True):
            plot.setLabel(side, label)
        # By itself the axis grows when it is painted, and all that lies beside it moves.
        plot.getAxis("left").setWidth(AXIS * self.look.unit())
        across, up = model.ranges(self._drawn)
        self._draw_roofs(across)
        self._name_roofs()
        self._draw_dots()
        self._leaders = pg.PlotCurveItem(connect="pairs", pen=self.pen("active"))
        plot.addItem(self._leaders, ignoreBounds=True)
        self._spots = model.spots(self._drawn)
        for spot in self._spots:
            colour = self.look.theme.qcolor("dim" if spot.is_ring else "text")
            # What lies below it is hidden: the way through the steps would strike it out.
            badge = pg.TextItem(str(spot.number), colour, anchor=(0.5, 0.5), fill=self.brush("panel"))
            badge.setFont(self.look.font("small"))
            plot.addItem(badge, ignoreBounds=True)
            self._badges.append(badge)
        plot.setXRange(*across, padding=0.0)
        plot.setYRange(*up, padding=0.0)
        self._list.setText(self._listing())
        self.setMinimumHeight(round(max(LEAST * self.look.unit(), self._list.itemRect().height() + self.look.unit())))
        self._place_badges()

    @property
    def _axes(self) -> tuple[str, str]:
        return model.AXES[self._counted] if self._drawn == self.points else model.RELATIVE_AXES

    def _draw_roofs(self, across: tuple[float, float]) -> None:
        """Draw the lines of every roof: DRAM's and, where the model has a limit for it, the L2's."""
        left, right = across[0] - 1, across[1] + 1
        for number, roof in enumerate(model.roofs_of(self._drawn)):
            style = Qt.PenStyle.SolidLine if number == 0 else Qt.PenStyle.DashLine
            colour = "text" if number == 0 else "dim"
            self.plot.plot(*model.corners(roof.peak, roof.dram_gbps, left, right), pen=self.pen(colour, 2.0, style))
            if roof.l2_gbps is not None:
                line, name = (
                    model.corners(roof.peak, roof.l2_gbps, left, right),
                    "roof of the L2" if not number else None,
                )
                self.plot.plot(*line, pen=self.pen(colour, 1.5, Qt.PenStyle.DotLine), name=name)

    def _name_roofs(self) -> None:
        """Write the limits above the lines, where no point is; that of DRAM below its line where the line of the L2 is
        above it."""
        below = self._drawn[0].place.roof.l2_gbps is not None
        for words, place in model.limits(self._drawn, self._counted):
            anchor = (0.0, 0.0) if below and words.startswith("DRAM") else (1.0, 1.0)
            label = pg.TextItem(words, self.look.theme.qcolor("text"), anchor=anchor)
            label.setFont(self.look.font("small"))
            label.setPos(*place)
            self.plot.addItem(label, ignoreBounds=True)

    def _draw_dots(self) -> None:
        """Draw the points by DRAM, rings by the L2, and the way through the steps of the ladder."""
        unit = self.look.unit()
        rings = [(p.place.l2, p.place.rate) for p in self._drawn if p.place.l2]
        if rings:
            self.plot.plot(*zip(*rings, strict=True), pen=None, symbol="o", symbolSize=2 * DOT * unit, symbolBrush=None,
                           symbolPen=self.pen("active", 1.5), name="by the L2")  # fmt: skip
        self.plot.plot(*model.path(self._drawn, self._steps), pen=self.pen("active", 1.5))
        xs, ys = [p.intensity for p in self._drawn], [p.place.rate for p in self._drawn]
        self.plot.plot(xs, ys, pen=None, symbol="o", symbolSize=2 * DOT * unit, symbolBrush=self.brush("active"),
                       symbolPen=self.pen("panel"), name="by DRAM" if rings else None)  # fmt: skip

    def _place_badges(self) -> None:
        """Put every number where it covers neither a point nor another number, with a line from the point where it
        does not stand beside it."""
        view = self.plot.vb
        if not self._badges or view.width() < 1:
            return
        unit = self.look.unit()
        seen = [view.mapFromView(pg.Point(*spot.place)) for spot in self._spots]
        at = model.beside([(p.x(), p.y()) for p in seen], (view.width(), view.height()), BADGE * unit, DOT * unit)
        ends: list[pg.Point] = []
        for badge, place, number in zip(self._badges, seen, at, strict=True):
            badge.setPos(view.mapToView(pg.Point(*number)))
            line = model.leader((place.x(), place.y()), number, BADGE * unit)
            ends += [view.mapToView(pg.Point(*end)) for end in line]
        self._leaders.setData([end.x() for end in ends], [end.y() for end in ends])

    def _listing(self) -> str:
        theme = self.look.theme
        size = self.look.font("text" if len(self.points) <= FEW else "small").pointSizeF()
        rows = "".join(
            f"<tr><td align=right><b>{p.number}</b>&nbsp;</td><td>{escape(p.title)}&nbsp;&nbsp;</td>"
            f"<td align=right>{percent(p.place.share)}&nbsp;</td><td>{p.place.bound}</td></tr>"
            for p in self.points
        )
        style = f"color:{theme.text}; font-size:{size:g}pt"
        heads = "<tr><td></td><td></td><td colspan=2>of its roof</td></tr>"
        return f"<table cellspacing=0 style='{style}'>{heads}{rows}</table>"

    def _hover(self, x: float, y: float) -> str:
        distances = [math.hypot(math.log10(p.intensity) - x, math.log10(p.place.rate) - y) for p in self._drawn]
        nearest = min(range(len(distances)), key=distances.__getitem__, default=None)
        if nearest is not None and distances[nearest] < NEAR:
            return self.points[nearest].words
        on = []
        for roof in model.roofs_of(self._drawn):
            limits = roof.limits(10.0**x, None), roof.limits(None, 10.0**x)
            if any(abs(math.log10(min(each.values())) - y) < NEAR / 2 for each in limits):
                on.append(model.roof_words(roof, self._counted))
        return "\n".join(on)
