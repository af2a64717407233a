"""The occupancy view: the multiprocessor filled by blocks, the limiter, and curves whose points can be dragged."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views import occupancy_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import LegendEntry


class OccupancyView(DiagramView):
    """What fits on a multiprocessor, for this launch and for what-if values dragged along the curves."""

    key = "occupancy"
    title = "Occupancy"
    about = "How many blocks and warps fit on a multiprocessor, and what stops more; drag along a curve to try"
    min_size = QSize(260, 140)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self.what_if: model.Question | None = None
        self._charts: list[model.Chart] = []
        self._held: model.Chart | None = None
        self._keyed = ""  # the kind of slider that has the keys
        super().__init__(selection, look, parent)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.canvas.installEventFilter(self)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "taken by resident blocks"),
            LegendEntry("conflict", "fill", "what limits, and where this launch is on the curve"),
        ]

    def prepare(self, run: RunLike) -> None:
        self.what_if = None

    def content_key(self, context: FrameContext) -> Hashable | None:
        return (id(context.run), self.what_if, self._keyed)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        note, self._charts = model.draw(context, picture, self.what_if)
        held = next((c for c in self._charts if c.curve.kind == self._keyed), None)
        if held is not None:
            picture.rect(held.plot.inset(-4), None, "accent", 2, radius=3)
        return note

    def command(self, name: str, value: int) -> None:
        if name == "as launched":
            self.what_if = None

    def try_value(self, kind: str, value: int) -> None:
        """Ask what would be if threads, registers or shared memory were ``value``."""
        if self.context is None:
            return
        asked = self.what_if or model.question(self.context)
        self.what_if = asked.with_(kind, value)
        self.refresh()

    def press(self, event: QMouseEvent) -> bool:
        place = event.position()
        self._held = next((c for c in self._charts if c.plot.inset(-6).holds(place.x(), place.y())), None)
        if self._held is not None:
            self.try_value(self._held.curve.kind, self._held.value(place.x()))
        return self._held is not None

    def drag(self, event: QMouseEvent) -> bool:
        if self._held is None:
            return False
        self.try_value(self._held.curve.kind, self._held.value(event.position().x()))
        return True

    def release(self, event: QMouseEvent) -> None:
        self._held = None

    # ---- keys

    @property
    def has_sliders(self) -> bool:
        """Whether there is room for the curves."""
        return bool(self._charts)

    def take_keys(self) -> None:
        """Give the keys to the first slider: ← → move it, ↑ ↓ and Tab choose, Home undoes, Esc lets go."""
        self._keyed = model.KINDS[0]
        self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.FocusOut and self._keyed:
            self._keyed = ""
            self.refresh()
        if self._keyed and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                _KEYS[event.key()](self, event)
                self.refresh()
            return True
        return super().eventFilter(watched, event)

    def _choose(self, by: int) -> None:
        kinds = [chart.curve.kind for chart in self._charts] or list(model.KINDS)
        at = kinds.index(self._keyed) if self._keyed in kinds else 0
        self._keyed = kinds[(at + by) % len(kinds)]

    def _move(self, by: int) -> None:
        chart = next((c for c in self._charts if c.curve.kind == self._keyed), None)
        if chart is not None and self.context is not None:
            now = (self.what_if or model.question(self.context)).value(self._keyed)
            self.try_value(self._keyed, chart.curve.neighbour(now, by))

    def _undo(self) -> None:
        self.what_if = None


def _far(event: QKeyEvent) -> int:
    return 8 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1


_KEYS: dict[int, Callable[[OccupancyView, QKeyEvent], None]] = {
    Qt.Key.Key_Left: lambda view, event: view._move(-_far(event)),
    Qt.Key.Key_Right: lambda view, event: view._move(_far(event)),
    Qt.Key.Key_Up: lambda view, _: view._choose(-1),
    Qt.Key.Key_Down: lambda view, _: view._choose(1),
    Qt.Key.Key_Backtab: lambda view, _: view._choose(-1),
    Qt.Key.Key_Tab: lambda view, _: view._choose(1),
    Qt.Key.Key_Home: lambda view, _: view._undo(),
    Qt.Key.Key_Escape: lambda view, _: view.canvas.window().setFocus(),
}
