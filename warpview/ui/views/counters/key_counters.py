"""Show six counters: for each a number, its name and a sparkline over the run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent

from warpview.profile.counters import Value
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters import key_counters_model as model
from warpview.ui.views.counters.counter_series import CounterSampler
from warpview.ui.views.counters.counters_model import CounterTable
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry

WITH_HEADER = 5.0  # type sizes of height from which on there is a title line; below the numbers need its room


class KeyCountersView(DiagramView):
    """Show the counters that matter for this kernel; the whole table is the counters view."""

    key = "key_counters"
    title = "Key counters"
    about = "The six counters that matter most for this kernel, up to this step; all of them are in Counters"
    is_answer = True
    min_size = QSize(240, 90)
    meanings = (
        LegendEntry("glow", "fill", "changed by this step"),
        LegendEntry("active", "fill", "over the run"),
        LegendEntry("conflict_text", "fill", "costs time: lower is better"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._table: CounterTable | None = None
        self._keys: tuple[str, ...] = ()
        self._last: tuple[int, Mapping[str, Value]] = (-2, {})
        self.curves = pg.PlotCurveItem(connect="finite")  # one for all: items of a scene cost time at every step
        self.curves.setZValue(5)
        self.curves.setSegmentedLineMode("on")  # line by line: a third of the time that a path with its joins takes
        self._shown: Hashable = None  # what the curves are of
        self.canvas.box.addItem(self.curves, ignoreBounds=True)
        self.samples = CounterSampler(self.isVisible, self)
        self.samples.finished.connect(self.refresh)
        self.restyle()

    def prepare(self, run: RunLike) -> None:
        self._table, self._keys, self._last = CounterTable(run), model.keys_of(run), (-2, {})
        self._shown = None
        self.samples.load(run, self._table)

    def clear(self) -> None:
        self.samples.load(None, None)
        self._table, self._keys = None, ()
        super().clear()
        self.curves.clear()

    def picture(self, context: FrameContext, picture: Picture) -> str:
        table, frame = self._table, context.frame
        if table is None:
            return ""
        step, before = self._last
        now = table.so_far(frame.counts)
        if step != frame.step - 1:
            before = table.so_far(frame.previous.counts) if frame.previous is not None else now
        self._last = (frame.step, now)
        room = picture.width, picture.height, picture.unit
        in_list = model.listed(*room, len(self._keys))
        count = len(in_list) or model.fitting(*room, len(self._keys))
        shown = model.tiles(self._keys[:count], context.device, now, before, context.run.counters)
        if in_list:
            model.draw_list(picture, shown, in_list, context.predicting)
        else:
            model.draw(picture, shown, context.predicting)
        boxes = [] if in_list else model.grid(*room, count)
        places = [model.line_box(box, picture.unit) for box in boxes]
        # The curves show what comes, and so the answer.
        self._show_lines([place for place in places if place is not None and not context.predicting], picture, context)
        return ""

    def _show_lines(self, places: Sequence[Box], picture: Picture, context: FrameContext) -> None:
        """Draw a curve at each place, and on it where the run stands."""
        steps, values = max(1, context.trace.steps), self.samples.values
        for place in places:
            x = place.x + place.w * context.frame.step / steps
            picture.lines([(x, place.y, x, place.bottom)], "accent", 1.2)
        shown = (*places, len(self.samples.steps) if self.samples.complete else 0)
        if shown != self._shown:
            self._shown = shown
            drawn = places if self.samples.complete else ()
            series = [values[key] for key in self._keys[: len(drawn)]]
            self.curves.setData(*model.curves(drawn, self.samples.steps, series))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.set_header_shown(self.height() >= WITH_HEADER * self.unit())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.samples.resume()

    def restyle(self) -> None:
        super().restyle()
        pen = self.canvas.pen("active", 1.6)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # where lines overlap they would look like beads
        self.curves.setPen(pen)
