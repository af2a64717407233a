"""Plot the roofline with logarithmic axes, and beside it the list of its numbered points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from warpview.ui.drawing.plot import PlotArea, new_plot
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import roofline_model as model
from warpview.ui.panels.roofline_model import Point

DOT, BADGE = 0.3, 0.62  # radii of a point and of its number, in type sizes
NEAR = 0.06  # distance from a point in decades at which the pointer is on it


class RooflineArea(PlotArea):
    """Plot runs as points below the roofs of their devices."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self.points: list[Point] = []
        self._badges: list[pg.TextItem] = []
        super().__init__(look, "Roofline", parent)
        self.plot = self.add_plot(0, 0, new_plot(), self._hover)
        self.plot.setLogMode(True, True)
        self.plot.showGrid(True, True, 0.25)
        self.plot.setLabel("bottom", "operational intensity (thread instructions per byte of DRAM)")
        self.plot.setLabel("left", "performance (10⁹ thread instructions per second)")
        self.add_crosshair(self.plot)
        self._list = pg.LabelItem(justify="left")
        self.ci.addItem(self._list, 0, 1)
        self._leaders = pg.PlotCurveItem(connect="pairs")
        for signal in (self.plot.vb.sigRangeChanged, self.plot.vb.sigResized):
            signal.connect(lambda *_: self._place_badges())

    def show_points(self, points: Sequence[Point]) -> None:
        """Show these points in place of the ones before."""
        self.points = list(points)
        self.setAccessibleDescription(model.spoken(self.points))
        self._draw()

    def restyle(self) -> None:
        super().restyle()
        if hasattr(self, "plot"):
            self._draw()

    def _draw(self) -> None:
        plot, unit = self.plot, self.look.unit()
        for badge in self._badges:
            plot.removeItem(badge)
        self._badges = []
        plot.clear()
        if not self.points:
            self._list.setText(model.NOTHING, color=self.look.theme.dim)
            return
        across, up = model.ranges(self.points)
        roofs = list(dict.fromkeys(point.roof for point in self.points))
        for number, roof in enumerate(roofs):
            xs, ys = model.corners(roof, across[0] - 1, across[1] + 1)
            style = Qt.PenStyle.SolidLine if number == 0 else Qt.PenStyle.DashLine
            plot.plot(xs, ys, pen=self.pen("text" if number == 0 else "dim", 2.0, style))
        xs, ys = [p.intensity for p in self.points], [p.rate for p in self.points]
        plot.plot(xs, ys, pen=None, symbol="o", symbolSize=2 * DOT * unit, symbolBrush=self.brush("active"),
                  symbolPen=self.pen("panel"))  # fmt: skip
        self._leaders = pg.PlotCurveItem(connect="pairs", pen=self.pen("active"))
        plot.addItem(self._leaders, ignoreBounds=True)
        for point in self.points:
            badge = pg.TextItem(str(point.number), self.look.theme.qcolor("text"), anchor=(0.5, 0.5))
            badge.setFont(self.look.font("small"))
            plot.addItem(badge, ignoreBounds=True)
            self._badges.append(badge)
        plot.setXRange(*across, padding=0.0)
        plot.setYRange(*up, padding=0.0)
        self._list.setText(self._listing())
        self._place_badges()

    def _place_badges(self) -> None:
        """Put every number where it covers neither a point nor another number."""
        view = self.plot.vb
        if not self._badges or view.width() < 1:
            return
        unit = self.look.unit()
        logs = [(math.log10(p.intensity), math.log10(p.rate)) for p in self.points]
        seen = [view.mapFromView(pg.Point(*place)) for place in logs]
        spots = model.beside([(p.x(), p.y()) for p in seen], (view.width(), view.height()), BADGE * unit, DOT * unit)
        ends = [view.mapToView(pg.Point(*spot)) for spot in spots]
        for badge, end in zip(self._badges, ends, strict=True):
            badge.setPos(end)
        xs = [x for place, end in zip(logs, ends, strict=True) for x in (place[0], end.x())]
        ys = [y for place, end in zip(logs, ends, strict=True) for y in (place[1], end.y())]
        self._leaders.setData(xs, ys)

    def _listing(self) -> str:
        theme, size = self.look.theme, self.look.font("small").pointSizeF()
        rows = "".join(
            f"<tr><td align=right><b>{p.number}</b>&nbsp;</td><td>{escape(p.title)}&nbsp;&nbsp;</td>"
            f"<td align=right>{model.percent(p.share)}&nbsp;</td><td>{p.bound}</td></tr>"
            for p in self.points
        )
        style = f"color:{theme.text}; font-size:{size:g}pt"
        return f"<table style='{style}'><tr><td></td><td></td><td colspan=2>of its roof</td></tr>{rows}</table>"

    def _hover(self, x: float, y: float) -> str:
        distances = [math.hypot(math.log10(p.intensity) - x, math.log10(p.rate) - y) for p in self.points]
        nearest = min(range(len(distances)), key=distances.__getitem__, default=None)
        if nearest is not None and distances[nearest] < NEAR:
            return self.points[nearest].words
        roofs = list(dict.fromkeys(point.roof for point in self.points))
        on = [roof for roof in roofs if abs(math.log10(roof.at(10.0**x)) - y) < NEAR / 2]
        return "\n".join(model.roof_words(roof) for roof in on)
