"""The occupancy view: the multiprocessor filled by blocks, the limiter, and curves whose points can be dragged."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from warpview.ui.picture import Picture
from warpview.ui.selection import Selection
from warpview.ui.theme import Look
from warpview.ui.views import occupancy_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.picture_view import PictureView
from warpview.ui.views.view import LegendEntry


class OccupancyView(PictureView):
    """What fits on a multiprocessor, for this launch and for what-if values dragged along the curves."""

    key = "occupancy"
    title = "Occupancy"
    about = "How many blocks and warps fit on a multiprocessor, and what stops more; drag along a curve to try"
    min_size = QSize(260, 140)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self.what_if: model.Question | None = None
        self._charts: list[model.Chart] = []
        self._held: model.Chart | None = None
        super().__init__(selection, look, parent)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "taken by resident blocks"),
            LegendEntry("conflict", "fill", "what limits, and where this launch is on the curve"),
        ]

    def prepare(self, run: RunLike) -> None:
        self.what_if = None

    def content_key(self, context: FrameContext) -> Hashable | None:
        return (id(context.run), self.what_if)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        note, self._charts = model.draw(context, picture, self.what_if)
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
