"""Plot the schedulers' issues, what every warp slot did, and where the time went: the timeline view."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from warpview.trace.presentation import STALLS
from warpview.ui.drawing import palette
from warpview.ui.drawing.diagram import Diagram
from warpview.ui.drawing.faces import measure
from warpview.ui.drawing.picture import HitRegion, Picture
from warpview.ui.drawing.plot import BarPlot, LegendLine, NamesAxis, PlotArea, TableImage, axis_width
from warpview.ui.drawing.theme import Look, Theme
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.timeline import timeline_model as model
from warpview.ui.views.timeline.timeline_states import LEAST_SPAN, StateColumns, Window, WindowColumns
from warpview.ui.views.view import LegendEntry, View

SAMPLE = 40.0  # pixels of a colour in the legend, with the room before the next one
FIRST_SPAN = 12_000.0  # cycles in sight when a run is opened, unless it is shorter


class TimelineView(View):
    """Pan and zoom over all cycles of the traced multiprocessor, and follow the step."""

    key = "timeline"
    title = "Timeline"
    about = "Cycles across, warps down: when each warp issues, and what it waits for in between"
    min_size = QSize(260, 90)
    meanings = tuple(LegendEntry(token, "fill", words) for token, words in model.legend_of())

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._kept: StateColumns | None = None
        self._cycle, self._turning = -1, False
        self._overlaid: Hashable = None
        self._coloured: tuple[WindowColumns, Theme] | None = None  # what the images show, and in which colours
        self._arranged: Hashable = None
        self.add_tool("−", "Zoom out").clicked.connect(lambda: self.zoom(2.0))
        self.add_tool("+", "Zoom in").clicked.connect(lambda: self.zoom(0.5))
        self.add_tool("↔", "All cycles").clicked.connect(self.show_all)

    def build(self) -> None:
        self.area = PlotArea(self.look, self.title, self)
        self.issue, self.rows, self.shares = _plain_plot(), _plain_plot(), BarPlot()
        self._issue_image, self._states = TableImage(), TableImage()
        self._now = [pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90)]
        self.overlay = Diagram(self.look)
        self.legend_line = LegendLine()
        self._place_plots()
        self.set_body(self.area)
        self.area.resized.connect(self.refresh)
        self.rows.vb.sigXRangeChanged.connect(self._on_range)
        self.rows.vb.sigResized.connect(lambda _: self.refresh())  # what lies over the states has its size
        self.overlay.region_clicked.connect(self._on_click)

    def _place_plots(self) -> None:
        """Put the plots one below the other; the cycles of the schedulers are those of the slots."""
        for number, plot in enumerate((self.issue, self.rows, self.shares)):
            self.area.add_plot(number, 0, plot, plot.hover if plot is self.shares else None)
        self.area.addItem(self.legend_line, 3, 0)
        self.area.ci.layout.setContentsMargins(0, 0, 10, 0)
        self.issue.setXLink(self.rows)
        self.issue.hideAxis("bottom")
        self.rows.setLabel("bottom", "cycle")
        images = (self._issue_image, self._states)
        for plot, image, line in zip((self.issue, self.rows), images, self._now, strict=True):
            plot.addItem(image, ignoreBounds=True)
            plot.addItem(line, ignoreBounds=True)
        self.overlay.setParentItem(self.rows.vb)
        self.overlay.setZValue(10)

    # ---- the cycles in sight

    @property
    def window_(self) -> Window:
        """Return the cycles in sight."""
        first, last = self.rows.vb.viewRange()[0]
        return Window(first, last - first)

    @window_.setter
    def window_(self, window: Window) -> None:
        self.rows.setXRange(window.first, window.last, padding=0.0)

    def _total(self) -> float:
        return float(self.run.trace.cycles) if self.run is not None else 0.0

    def zoom(self, factor: float) -> None:
        """Show ``factor`` times as many cycles; the present cycle stays where it is, if it is in sight."""
        window = self.window_
        inside = window.first <= self._cycle <= window.last
        self.window_ = window.zoomed(factor, self._cycle if inside else window.first + window.span / 2, self._total())

    def turn(self, pages: float) -> None:
        """Show later cycles, by this share of those in sight."""
        window = self.window_
        self.window_ = window.moved(pages * window.span, self._total())

    def show_all(self) -> None:
        """Show every cycle."""
        self.window_ = Window(0.0, self._total()).clamped(self._total())

    # ---- drawing

    def prepare(self, run: RunLike) -> None:
        self._kept = StateColumns(run.trace)
        self._cycle, self._arranged = -1, None
        self._clear_overlay()
        total = float(run.trace.cycles)
        self.rows.vb.setLimits(xMin=0.0, xMax=max(total, LEAST_SPAN), minXRange=LEAST_SPAN)
        self.window_ = Window(0.0, min(total, FIRST_SPAN)).clamped(total)

    def clear(self) -> None:
        self._kept = self._coloured = None
        self._clear_overlay()
        self._states.clear()
        self._issue_image.clear()
        self.set_note("")

    def _clear_overlay(self) -> None:
        """Let the picture go, which holds the run that it is of."""
        self._overlaid = None
        self.overlay.show_picture(Picture(1.0, 1.0, self.look.unit(), measure))

    def restyle(self) -> None:
        self.area.restyle()
        super().restyle()

    def draw(self, context: FrameContext) -> None:
        kept = self._kept
        if kept is None or not context.trace.steps:
            return
        if context.frame.cycle != self._cycle:
            self._cycle = context.frame.cycle
            wanted = self.window_.showing(self._cycle, self._total())
            if wanted != self.window_:
                self._turning = True
                self.window_ = wanted
                self._turning = False
        schedulers = context.device.schedulers
        self._arrange(kept, schedulers)
        self._show_states(context, kept, schedulers)
        self._show_overlay(context, kept)
        for line in self._now:
            line.setValue(context.frame.cycle + 0.5)
        self.set_note(model.note(context))
        self.area.setAccessibleDescription(f"Timeline: {model.note(context)}.")

    def _on_range(self) -> None:
        """Draw the cycles that have come into sight, unless that is being done."""
        if not self._turning:
            self.refresh()

    def _show_overlay(self, context: FrameContext, kept: StateColumns) -> None:
        """Draw what lies over the states anew where it depends on something that has changed."""
        box, slot = self.rows.vb, context.warp.slot if context.warp is not None else -1
        key = (id(context.run), slot, self.window_, box.width(), box.height(), self.look.unit(), self.look.theme.name)
        if key == self._overlaid:
            return
        self._overlaid = key
        picture = Picture(box.width(), box.height(), self.look.unit(), measure)
        model.draw_rows(context, picture, self.window_, kept)
        self.overlay.show_picture(picture)

    def _arrange(self, kept: StateColumns, schedulers: int) -> None:
        """Give each plot its height and its rows; show the shares where there is room, else the names of the colours.

        Only where the room, the run or the look has changed: an axis that is given its width is painted anew.
        """
        unit, states, area = self.look.unit(), len(kept.shares), self.area
        key = (id(self.run), area.size().toTuple(), unit, self.look.theme.name)
        if key == self._arranged:
            return
        self._arranged = key
        plan = model.heights(area.height(), unit, schedulers, kept.residencies.slots, states)
        for plot, height in ((self.issue, plan.issue), (self.rows, plan.rows), (self.shares, plan.shares)):
            plot.setMinimumHeight(height)
            plot.setMaximumHeight(height)
        self.rows.getAxis("bottom").setStyle(tickTextHeight=QFontMetrics(self.look.font("small")).height())
        self.rows.getAxis("bottom").showLabel(plan.names_axis)
        self.rows.setYRange(0, max(1, kept.residencies.slots), padding=0.0)
        self.issue.setYRange(0, schedulers, padding=0.0)
        for line in self._now:
            line.setPen(area.pen("text", 2.0))
        self.shares.setVisible(plan.shares > 0)
        rows = model.share_rows(kept.shares)
        names = [row.name for row in rows] if plan.shares else []
        width = max(5.5 * unit, axis_width(area, names))
        for plot in (self.issue, self.rows, self.shares):
            plot.getAxis("left").setWidth(width)
        if plan.shares:
            self.shares.getAxis("right").setWidth(axis_width(area, [row.figures for row in rows], mono=True))
            self.shares.show_rows(rows, area, "share of the cycles of resident warps, whole run (%)")
        self._name_states(kept, plan.names_colours)

    def _name_states(self, kept: StateColumns, wanted: bool) -> None:
        """Name the colours of the states in a line, where it is ``wanted``."""
        legend, metrics = self.legend_line, QFontMetricsF(self.look.font("small"))
        legend.begin(self.area)
        legend.setVisible(wanted)
        if not wanted:
            return
        wide = lambda words: metrics.horizontalAdvance(words) + SAMPLE  # noqa: E731
        for stall in model.named(kept.shares, wide, self.area.width()):
            brush = self.area.brush(f"stall_{stall.name.lower()}")
            sample = pg.BarGraphItem(x=[], height=[], width=1, brush=brush, pen=pg.mkPen(None))
            legend.addItem(sample, STALLS[stall].name)

    def _show_states(self, context: FrameContext, kept: StateColumns, schedulers: int) -> None:
        window, slots, unit = self.window_, kept.residencies.slots, self.look.unit()
        seen = kept.columns(context.trace, window, model.columns_for(self.rows.vb.width(), slots))
        if (seen, self.look.theme) != self._coloured:
            self._coloured = seen, self.look.theme
            for image, array, tokens, rows in (
                (self._states, seen.states, model.TOKENS, slots),
                (self._issue_image, seen.issue, model.HEAT, schedulers),
            ):
                image.setImage(array, lut=self._colours(tokens), autoLevels=False)
                image.setRect(QRectF(window.first, 0.0, window.span, max(1, rows)))
        self.rows.getAxis("left").show_names(model.slot_names(context, slots, self.rows.vb.height(), unit))
        self.issue.getAxis("left").show_names(model.scheduler_names(schedulers, self.issue.vb.height(), unit))
        self.rows.getAxis("bottom").show_names(model.cycle_names(window, self.rows.vb.width(), unit))
        for plot in (self.rows, self.issue):
            plot.vb.updateMatrix()  # else while it is painted, which asks for another painting

    def _colours(self, tokens: tuple[str, ...]) -> NDArray[np.uint8]:
        theme = self.look.theme
        return np.array([palette.colour(theme, token).getRgb() for token in tokens], np.uint8)

    def _on_click(self, region: HitRegion) -> None:
        target: Any = region.target
        if target is not None:
            self.selection.update(block=target.block, warp=target.warp, step=target.step)


def _plain_plot() -> pg.PlotItem:
    """Return a plot whose rows run downwards and whose columns can be zoomed and panned."""
    plot = pg.PlotItem(enableMenu=False, axisItems={side: NamesAxis(side) for side in ("bottom", "left")})
    plot.setMouseEnabled(x=True, y=False)
    plot.invertY(True)
    plot.vb.setBorder(None)
    plot.vb.setCursor(Qt.CursorShape.ArrowCursor)
    return plot
