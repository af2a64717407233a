"""Go through the parts of an access in a view, once, when a step brings it."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.parts_model import ALL

REPLAY_MS = 450
REPLAY_MOST = 6  # an access of more parts is shown at once; each can be picked


class ReplayView(DiagramView):
    """Choose the part to show: the one picked, that of the replay, or all. The replay never holds up a key."""

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._seen: int | None = None
        self._part, self._count = ALL, 0
        self._replay = QTimer(self, interval=REPLAY_MS)
        self._replay.timeout.connect(self._go_on)

    def part(self, context: FrameContext, count: int) -> int:
        """Return the part of the step to show, from 0; ALL for all. ``count`` is how many are worth a replay, or 0."""
        step = context.frame.step
        if step != self._seen:
            forward = self._seen is not None and step == self._seen + 1
            self._seen, self._count = step, count
            self._end()
            if forward and self.look.motion and not context.predicting and 1 < count <= REPLAY_MOST:
                self._part = 0
                self._replay.start()
        picked = context.selection.part
        return self._part if picked is None else picked

    def command(self, name: str, value: int) -> None:
        """Show one part, or ALL, until another step."""
        if name == "part":
            self._end()
            self.selection.update(part=None if value == ALL else value)

    def clear(self) -> None:
        """Show what comes next as if nothing had been before."""
        self._end()
        self._seen = None
        super().clear()

    def _end(self) -> None:
        self._replay.stop()
        self._part = ALL

    def _go_on(self) -> None:
        if self._part >= self._count - 1 or not self.isVisible() or self.selection.now.part is not None:
            self._end()
        else:
            self._part += 1
        self.refresh()
