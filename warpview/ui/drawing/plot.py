"""Plot by pyqtgraph in the colours of the theme and the type of the window: axes, crosshair, hover texts, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.LegendItem import ItemSample
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QFontMetricsF, QHelpEvent, QImage, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from warpview.ui.drawing import palette
from warpview.ui.drawing.bar_row import BarRow
from warpview.ui.drawing.export import export_widget
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.numbers import short
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.theme import Look
from warpview.ui.drawing.values import thousands

pg.setConfigOptions(antialias=True)

FAR = 100  # times what an axis shows: from such values on its ticks need all their digits
THOUSANDS = 1e5  # numbers are written as thousands from here on
LABELLED = "125"  # the leading digits of labelled ticks on a logarithmic axis
SIDES = "left", "bottom", "right", "top"
BESIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
BELOW = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextDontClip
APART = 4  # pixels between the texts of neighbouring ticks, at least
TICK = 5.0  # pixels that a tick of an axis with names is long
LEGEND_HEIGHT = 24  # pixels of a legend of one line at normal type
MOST_NAMED = 16  # colours in it
HATCH_BRUSH = Qt.BrushStyle.BDiagPattern

HoverText = Callable[[float, float], str]  # of a place in data coordinates


def turn_off_prefixes(plot: pg.PlotItem) -> None:
    """Turn off SI prefixes: each axis would lay out its label anew at every change of the range, shown or not."""
    for side in SIDES:
        if (axis := plot.getAxis(side)).autoSIPrefix:
            axis.enableAutoSIPrefix(False)


class PlotArea(Scene):
    """Show a grid of plots in a scene. Hover texts come from the plot under the pointer."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        self._hovers: dict[pg.PlotItem, HoverText] = {}
        self._crosshairs: dict[pg.PlotItem, Crosshair] = {}
        self.plots: list[pg.PlotItem] = []  # in the order in which they were added
        super().__init__(look, parent)
        self.setAccessibleName(name)
        self.scene().sigMouseMoved.connect(self.pointer_moved)

    def add_plot(
        self, row: int, column: int, plot: pg.PlotItem, hover: HoverText | None = None,
        grid: pg.GraphicsLayout | None = None,
    ) -> pg.PlotItem:  # fmt: skip
        """Put ``plot`` into a cell of the grid (or of ``grid``, within it); ``hover`` gives its hover text."""
        (grid or self.ci).addItem(plot, row, column)
        self.plots.append(plot)
        plot.show()
        if plot.ctrlMenu.parent() is None:  # a menu that nobody owns would outlive the window
            plot.ctrlMenu.setParent(self, plot.ctrlMenu.windowFlags())
        plot.hideButtons()
        if hover is not None:
            self._hovers[plot] = hover
        turn_off_prefixes(plot)
        self.style_plot(plot)
        return plot

    def take_plots(self) -> list[pg.PlotItem]:
        """Take every plot out of the grid; they stay in the scene, hidden, until they are added again."""
        taken, self.plots = self.plots, []
        self._hovers.clear()
        self.ci.clear()
        for plot in taken:
            plot.hide()
            self.scene().addItem(plot)
        return taken

    def restyle(self) -> None:
        """Take over the theme and the type size from the look."""
        super().restyle()
        for plot in self.plots:
            self.style_plot(plot)

    def style_plot(self, plot: pg.PlotItem) -> None:
        """Set the axes, the title and the crosshair of ``plot`` in the theme's colours."""
        theme, small = self.look.theme, self.look.font("small")
        for side in SIDES:
            axis = plot.getAxis(side)
            axis.setPen(QPen(theme.qcolor("faint"), 1))
            axis.setTextPen(theme.qcolor("text"))
            axis.setTickFont(small)
            axis.label.setFont(small)
            if axis.labelText:
                axis.setLabel(axis.labelText, axis.labelUnits or None, color=theme.dim)
        if plot.titleLabel.text:
            plot.setTitle(plot.titleLabel.text, color=theme.text, bold=True, size=f"{small.pointSizeF():g}pt")
        if plot.legend is not None:
            self.style_legend(plot.legend)
        if plot in self._crosshairs:
            self._crosshairs[plot].restyle(self.look)

    def style_legend(self, legend: pg.LegendItem) -> None:
        """Take over the theme and the type size."""
        legend.setBrush(self.brush("panel"))
        legend.setLabelTextSize(f"{self.look.font('small').pointSizeF():g}pt")
        legend.setLabelTextColor(self.look.theme.qcolor("text"))

    def brush(self, token: str, alpha: float = 1.0, hatched: bool = False) -> QBrush:
        colour = palette.colour(self.look.theme, token)
        if alpha < 1.0:
            colour = pg.mkColor(colour)
            colour.setAlphaF(alpha)
        return QBrush(colour, HATCH_BRUSH) if hatched else QBrush(colour)

    def pen(self, token: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """Return a cosmetic pen (its width is in pixels at every zoom) of a colour token."""
        return pg.mkPen(palette.colour(self.look.theme, token), width=width, style=style)

    def plot_at(self, place: QPointF) -> Any:
        """Return the plot whose view box contains the scene position ``place``; None where there is none."""
        return next((plot for plot in self.plots if plot.vb.sceneBoundingRect().contains(place)), None)

    def hover_at(self, place: QPointF) -> str:
        """Return the hover text at a scene position; '' where there is none."""
        for plot, hover in self._hovers.items():
            if plot.sceneBoundingRect().contains(place):
                data = plot.vb.mapSceneToView(place)
                return hover(data.x(), data.y())
        return ""

    def pointer_moved(self, place: QPointF) -> None:
        """Show the crosshair of the plot at a scene position; it is made then, as items of a scene cost time."""
        under = self.plot_at(place)
        if under is not None and under not in self._crosshairs:
            self._crosshairs[under] = Crosshair(under, self.look)
        for plot, crosshair in self._crosshairs.items():
            crosshair.show_at(None if plot is not under else plot.vb.mapSceneToView(place))

    def _show_hover(self, event: QHelpEvent) -> bool:
        text = self.hover_at(self.mapToScene(event.pos()))
        if text:
            QToolTip.showText(event.globalPos(), text, self.viewport())
            return True
        return super()._show_hover(event)

    def export(self, path: Path) -> None:
        """Write the scene as a picture; see ``export_widget``."""
        export_widget(self, path, self.look.theme.qcolor("panel"), self.accessibleName(), render=self.draw_on)


class Crosshair:
    """Draw two thin lines through the pointer."""

    def __init__(self, plot: pg.PlotItem, look: Look) -> None:
        self._lines = [pg.InfiniteLine(angle=angle, movable=False) for angle in (90, 0)]
        for line in self._lines:
            line.setZValue(50)
            line.hide()
            plot.vb.addItem(line, ignoreBounds=True)  # where it stays when the plot is cleared
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        """Take over the theme."""
        for line in self._lines:
            line.setPen(pg.mkPen(look.theme.qcolor("dim"), width=1, style=Qt.PenStyle.DotLine))

    def show_at(self, place: QPointF | None) -> None:
        """Move the lines to a place in data coordinates; hide them where it is None."""
        for line, value in zip(self._lines, (place.x(), place.y()) if place else (0.0, 0.0), strict=True):
            line.setVisible(place is not None)
            line.setPos(value)


class NumberAxis(pg.AxisItem):
    """Draw an axis whose ticks are plain numbers: 0.5, 20, 4.19 M; never powers of ten.

    Of the ticks of a logarithmic axis 1, 2, 5, 10, 20, 50 ... are labelled; the labels of all would overlap.
    """

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        if self.logMode:
            return self.logTickStrings(values, scale, spacing)
        low, high = self.range
        if max(abs(low), abs(high)) > FAR * (high - low):  # short numbers would be the same at each tick
            return [thousands(round(value * scale)) for value in values]
        largest = max(map(abs, values), default=0.0) * scale
        return self._apart([short(value * scale, largest) for value in values], values, spacing)

    def _apart(self, texts: list[str], values: Sequence[float], spacing: float) -> list[str]:
        """Return the texts of every second, or third ... tick of an axis below a plot that is too narrow for all. Those
        between the widest spaced ones pyqtgraph leaves out where they have no room."""
        low, high = self.range
        width = self.geometry().width()
        if self.orientation != "bottom" or not width or spacing < self.tickSpacing(low, high, width)[0][0]:
            return texts
        metrics = QFontMetrics(self.style["tickFont"] or self.font())
        room = spacing * width / (high - low)  # pixels between two ticks
        widest = max(map(metrics.horizontalAdvance, texts), default=0) + APART
        every = ceil(widest / room)
        return [text if round(value / spacing) % every == 0 else "" for text, value in zip(texts, values, strict=True)]

    def logTickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        numbers = [f"{10.0**value * scale:.5e}" for value in values]
        thousand = THOUSANDS if 10.0 ** self.range[1] * scale >= THOUSANDS else None  # beside 100 k stands 10 k
        return [short(float(number), thousand) if number[0] in LABELLED else "" for number in numbers]


class NamesAxis(pg.AxisItem):
    """Write names at the left of a plot, beside its rows, or below it, at ticks. That pyqtgraph chooses the ticks and
    lays out the texts takes eight times as long."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self._names: Sequence[tuple[float, str]] = ()

    def setTickFont(self, font: QFont) -> None:  # noqa: N802
        """Make room for the names between ticks and label, as pyqtgraph does where it lays out the texts."""
        super().setTickFont(font)
        if self.orientation == "bottom":
            self._updateMaxTextSize(QFontMetrics(font).height())

    def show_names(self, names: Sequence[tuple[float, str]]) -> None:
        """Show names, each beside its place on the axis; the same names again cost nothing."""
        if names != self._names:
            self._names, self.picture = names, None
            self.update()

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, list[Any], list[Any]]:  # noqa: N802
        """Return the line of the axis, (pen, start, end) of its ticks and (box, flags, name) of its names; see
        pyqtgraph."""
        p.setFont(self.style["tickFont"])
        box, metrics = self.mapRectFromParent(self.geometry()), p.fontMetrics()
        return self._rows(box, metrics.height()) if self.orientation == "left" else self._ticks(box, metrics)

    def _ticks(self, box: QRectF, metrics: QFontMetrics) -> tuple[Any, list[Any], list[Any]]:
        (first, last), texts, ticks = self.range, [], []
        for place, name in self._names:
            x = box.left() + (place - first) * box.width() / ((last - first) or 1)
            ticks.append((self.tickPen(), QPointF(x, box.top()), QPointF(x, box.top() + TICK)))
            wide = metrics.horizontalAdvance(name)
            left = min(max(x - wide / 2, box.left()), box.right() - wide)  # at the ends it stays whole
            texts.append((QRectF(left, box.top() + TICK + 1, wide, metrics.height()), BELOW, name))
        return (self.pen(), box.topLeft(), box.topRight()), ticks, texts

    def _rows(self, box: QRectF, high: float) -> tuple[Any, list[Any], list[Any]]:
        first, last = self.range
        wide, pitch = box.width() - self.style["tickTextOffset"][0], box.height() / ((last - first) or 1)
        tops = [box.bottom() - (place - first) * pitch - high / 2 for place, _ in self._names]
        texts = [
            (QRectF(box.left(), y, wide, high), BESIDE, name) for y, (_, name) in zip(tops, self._names, strict=True)
        ]
        return (self.pen(), box.topRight() - QPointF(1, 1), box.bottomRight() - QPointF(1, -1)), [], texts


def new_plot() -> pg.PlotItem:
    """Return a plot with plain numbers on its axes and no menu of its own."""
    return pg.PlotItem(enableMenu=False, axisItems={side: NumberAxis(side) for side in ("left", "bottom")})


class TableImage(pg.ImageItem):
    """Draw an array of small numbers, row 0 at the top, coloured by a table (``lut``: uint8[colours, 3 or 4]).

    The image has 32 bits a pixel: that is made, and scaled by Qt, several times as fast as the indexed one that
    pyqtgraph makes of such an array.
    """

    qimage: Any

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")

    def render(self) -> None:
        self._unrenderable = not self.image.size
        if self._unrenderable:
            return
        red, green, blue = self.lut[:, :3].astype(np.uint32).T
        self._pixels = (0xFF << 24 | red << 16 | green << 8 | blue)[self.image]  # kept: Qt does not copy them
        height, width = self._pixels.shape
        self.qimage = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self._renderRequired = False


class BarPlot(pg.PlotItem):
    """Plot horizontal bars with their names on the left axis and their figures on the right axis."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, axisItems={"bottom": NumberAxis("bottom")})
        self.rows: tuple[BarRow, ...] = ()
        self.setMouseEnabled(x=True, y=False)
        self.layout.addItem(self.titleLabel, 0, 0, 1, 3)  # above the bars alone a long one widens them
        self.invertY(True)
        self.showAxes((True, False, True, True), showValues=(True, False, True, True))
        self.getAxis("bottom").setTickDensity(0.5)
        for side in ("left", "right"):
            axis = self.getAxis(side)
            axis.setStyle(tickLength=0, autoReduceTextSpace=False, hideOverlappingLabels=False)

    def show_rows(
        self, rows: Sequence[BarRow], area: PlotArea, axis: str = "", heading: str = "", most: float = 0.0
    ) -> None:
        """Draw the rows from top to bottom; ``axis`` names the bottom axis, with its unit, where
        the title does not; ``heading`` the figures. The axis ends at ``most``, or at the longest bar."""
        self.rows = tuple(rows)
        self.clear()
        places = list(range(len(rows)))
        bars = pg.BarGraphItem(
            x0=[0.0] * len(rows), y=places, height=0.62, width=[row.value for row in rows],
            brushes=[area.brush(row.colour, hatched=row.hatched) for row in rows],
            pens=[area.pen(row.colour) if row.value else pg.mkPen(None) for row in rows],
        )  # fmt: skip
        self.addItem(bars)
        self.getAxis("left").setTicks([[(n, row.name) for n, row in enumerate(rows)]])
        figures = [(n, row.figures) for n, row in enumerate(rows)]
        self.getAxis("right").setTicks([[(-1, heading), *figures] if heading else figures])
        self.setLabel("bottom", axis or None)
        longest = most or max((row.value for row in rows), default=0.0) or 1.0
        self.vb.setLimits(xMin=0.0, xMax=1.5 * longest)
        self.setXRange(0.0, longest, padding=0.02)
        self.setYRange(-1.5 if heading else -0.5, len(rows) - 0.5, padding=0.0)
        area.style_plot(self)
        self.getAxis("right").setTickFont(area.look.font("mono_small"))

    def hover(self, _x: float, y: float) -> str:
        """Return the hover text of the row at a data coordinate."""
        row = round(y)
        return self.rows[row].hover if 0 <= row < len(self.rows) else ""


class Swatch(ItemSample):
    """Show the colour of bars in a legend, without the line through it that pyqtgraph draws for an item of any kind."""

    @guarded
    def paint(self, painter: QPainter, *args: Any) -> None:
        if not self.item.isVisible():  # an eye; a click toggles
            super().paint(painter, *args)
            return
        painter.setPen(self.item.opts["pen"])
        painter.setBrush(self.item.opts["brush"])
        painter.drawRect(QRectF(2, 2, 16, 16))


class LegendLine(pg.LegendItem):
    """Name the colours of bars in one line, in a row of its own in the grid of an area."""

    def __init__(self) -> None:
        super().__init__(colCount=MOST_NAMED, sampleType=Swatch)
        self.layout.setContentsMargins(0, 0, 0, 0)

    def begin(self, area: PlotArea) -> None:
        """Begin anew, in the look of the area."""
        self.clear()
        self.setMaximumHeight(area.look.px(LEGEND_HEIGHT))
        area.style_legend(self)


def axis_width(area: PlotArea, texts: Sequence[str], mono: bool = False) -> float:
    """Return the pixels that the longest of ``texts`` takes on an axis, so that axes below one another line up."""
    metrics = QFontMetricsF(area.look.font("mono_small" if mono else "small"))
    return max((metrics.horizontalAdvance(text) for text in texts), default=0.0) + 14.0
