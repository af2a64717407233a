"""Show six counters: for each a number, its name and a sparkline over the run."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QShowEvent

from warpview.profile.counters import Value
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.plot import PlotArea
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import key_counters_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counter_series import CounterSampler
from warpview.ui.views.counters_model import CounterTable
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class KeyCountersView(DiagramView):
    """Show the counters that matter for this kernel; the whole table is the counters view."""

    key = "key_counters"
    title = "Key counters"
    about = "The six counters that matter most for this kernel, up to this step; all of them are in Counters"
    question = "How far will the counters go up?"
    min_size = QSize(240, 90)

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._table: CounterTable | None = None
        self._keys: tuple[str, ...] = ()
        self._last: tuple[int, dict[str, Value]] = (-2, {})
        self.lines = [_Sparkline(self.canvas) for _ in range(model.SHOWN)]
        self.samples = CounterSampler(self.isVisible, self)
        self.samples.finished.connect(self._show_samples)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("glow", "fill", "changed by this step"),
            LegendEntry("active", "fill", "over the run"),
            LegendEntry("conflict_text", "fill", "costs time: the lower, the better"),
        ]

    def prepare(self, run: RunLike) -> None:
        self._table, self._keys, self._last = CounterTable(run), model.keys_of(run), (-2, {})
        for line in self.lines:
            line.set_values([], [])
        self.samples.load(run, self._table)

    def clear(self) -> None:
        self.samples.load(None, None)
        self._table, self._keys = None, ()
        super().clear()
        for line in self.lines:
            line.plot.hide()

    def picture(self, context: FrameContext, picture: Picture) -> str:
        table, frame = self._table, context.frame
        if table is None:
            return ""
        step, before = self._last
        now = table.so_far(frame.counts, self._keys)
        if step != frame.step - 1:
            before = table.so_far(frame.previous.counts, self._keys) if frame.previous is not None else now
        self._last = (frame.step, now)
        count = model.fitting(picture.width, picture.height, picture.unit, len(self._keys))
        shown = model.tiles(self._keys[:count], now, before, context.run.counters)
        model.draw(picture, shown, context.predicting)
        self._place_lines(picture, context, count)
        return ""

    def _place_lines(self, picture: Picture, context: FrameContext, count: int) -> None:
        boxes = model.grid(picture.width, picture.height, picture.unit, count)
        for line, box in zip(self.lines, boxes, strict=False):
            place = None if context.predicting else model.line_box(box, picture.unit)  # it shows what comes
            line.show_at(place, context.trace.steps)
            if place is not None:  # where the run stands
                x = place.x + place.w * context.frame.step / max(1, context.trace.steps)
                picture.lines([(x, place.y, x, place.bottom)], "accent", 1.2)
        for line in self.lines[len(boxes) :]:
            line.plot.hide()

    def _show_samples(self) -> None:
        for line, key in zip(self.lines, self._keys, strict=False):
            line.set_values(self.samples.steps, self.samples.values[key])

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.samples.resume()

    def restyle(self) -> None:
        super().restyle()
        for line in self.lines:
            line.restyle()


class _Sparkline:
    """Draw one counter over the steps of the run: a curve without axes."""

    def __init__(self, area: PlotArea) -> None:
        self._area, self._steps = area, -1
        # No PlotItem, which would make menus of which none is ever shown, at 6 ms each.
        self.plot = pg.ViewBox(enableMenu=False, enableMouse=False)
        self.plot.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.curve = pg.PlotCurveItem()
        self.plot.addItem(self.curve)
        self.plot.setZValue(5)
        area.scene().addItem(self.plot)
        self.plot.hide()

    def restyle(self) -> None:
        """Take the colours of the theme in force."""
        self.curve.setPen(self._area.pen("active", 1.6))

    def set_values(self, steps: list[int], values: list[float]) -> None:
        """Show these values at these steps."""
        self.restyle()
        self.curve.setData(steps, values)
        self.plot.setYRange(0.0, max(values, default=0.0) or 1.0, padding=0.06)

    def show_at(self, box: Box | None, steps: int) -> None:
        """Place the plot of a run of ``steps``, or hide it where ``box`` is None."""
        self.plot.setVisible(box is not None)
        if box is None:
            return
        rect = QRectF(*box)
        if self.plot.geometry() != rect:
            self.plot.setGeometry(rect)
        if steps != self._steps:  # the range of a view is set anew at a cost, though it be the same
            self._steps = steps
            self.plot.setXRange(0, max(1, steps), padding=0.0)
