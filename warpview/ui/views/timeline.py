"""The timeline view: wheel to zoom, drag to move, click to go there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from warpview.ui.drawing import palette
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import timeline_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.timeline_states import Columns, Window
from warpview.ui.views.view import LegendEntry

FIRST_SPAN = 12_000.0  # cycles in sight when a run is opened, unless it is shorter
STEP = 0.1  # of the cycles in sight: what a notch of the wheel moves
DRAG_FROM = 4.0  # pixels that tell a drag from a click


class TimelineView(DiagramView):
    """Pans and zooms over all cycles of the traced multiprocessor, and follows the step."""

    key = "timeline"
    title = "Timeline"
    about = "Cycles across, warps down: when each warp issues, and what it waits for in between"
    min_size = QSize(320, 130)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self.window_ = Window(0.0, FIRST_SPAN)
        self._kept: Columns | None = None
        self._pressed: QPointF | None = None
        self._dragging = False
        self._cycle = -1
        super().__init__(selection, look, parent)
        self.add_tool("−", "Zoom out").clicked.connect(lambda: self.zoom(2.0))
        self.add_tool("+", "Zoom in").clicked.connect(lambda: self.zoom(0.5))
        self.add_tool("↔", "All cycles").clicked.connect(self.show_all)

    def legend(self) -> list[LegendEntry]:
        theme = self.look.theme
        return [LegendEntry(palette.colour(theme, token).name(), "fill", words) for token, words in model.legend_of()]

    def prepare(self, run: RunLike) -> None:
        self._kept = Columns(run.trace) if hasattr(run.trace, "residency") else None
        self._cycle = -1
        total = float(getattr(run.trace, "cycles", 0))
        self.window_ = Window(0.0, min(total, FIRST_SPAN)).clamped(total)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        if context.frame.cycle != self._cycle:
            self._cycle = context.frame.cycle
            self.window_ = self.window_.showing(context.frame.cycle, context.trace.cycles)
        return model.draw(context, picture, self.window_, self._kept)

    def _cycle_at(self, x: float) -> float:
        left, width = (self._kept.rows.x, self._kept.rows.w) if self._kept and self._kept.rows else (0.0, 1.0)
        return self.window_.first + (x - left) / width * self.window_.span

    def _total(self) -> float:
        return float(self.context.trace.cycles) if self.context else 0.0

    def zoom(self, factor: float, about: float | None = None) -> None:
        """Show ``factor`` times as many cycles; ``about`` (a cycle) stays where it is."""
        if about is None:
            inside = self.window_.first <= self._cycle <= self.window_.last
            about = self._cycle if inside else self.window_.first + self.window_.span / 2
        self.window_ = self.window_.zoomed(factor, about, self._total())
        self.refresh()

    def shift(self, cycles: float) -> None:
        """Show later cycles, by so many."""
        self.window_ = self.window_.moved(cycles, self._total())
        self.refresh()

    def turn(self, pages: float) -> None:
        """Show later cycles, by this share of those in sight."""
        self.shift(pages * self.window_.span)

    def show_all(self) -> None:
        self.window_ = Window(0.0, self._total()).clamped(self._total())
        self.refresh()

    def wheel(self, event: QWheelEvent) -> bool:
        turns = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(turns.x()) > abs(turns.y()):
            delta = turns.x() or turns.y()
            self.shift(-delta / 120 * STEP * self.window_.span)
        elif turns.y():
            self.zoom(0.8 ** (turns.y() / 120), self._cycle_at(event.position().x()))
        return True

    def press(self, event: QMouseEvent) -> bool:
        self._pressed = event.position()
        self._dragging = False
        return True

    def drag(self, event: QMouseEvent) -> bool:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        dx = event.position().x() - self._pressed.x()
        if self._dragging or abs(dx) > DRAG_FROM:
            self._dragging = True
            self.shift(self._cycle_at(self._pressed.x()) - self._cycle_at(event.position().x()))
            self._pressed = event.position()
        return True

    def release(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._dragging and self.canvas.picture is not None:
            hot = self.canvas.picture.at(event.position().x(), event.position().y())
            if hot is not None and hot.target is not None:
                self.act(hot.target)
        self._pressed = None
        self._dragging = False
