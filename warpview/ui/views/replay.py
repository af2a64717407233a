"""Goes through the parts of an access by itself, once, when a step brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from warpview.ui.views.context import FrameContext
from warpview.ui.views.parts_model import ALL

if TYPE_CHECKING:
    from warpview.ui.views.diagram_view import DiagramView

REPLAY_MS = 450
REPLAY_MOST = 6  # an access of more parts is shown at once; each can be picked


class AccessReplay(QObject):
    """Choose the part that a view shows: the one picked, that of the replay, or all. The replay never holds up a
    key."""

    def __init__(self, view: DiagramView) -> None:
        super().__init__(view)
        self._view = view
        self._seen: int | None = None
        self._part, self._count = ALL, 0
        self._timer = QTimer(self)
        self._timer.setInterval(REPLAY_MS)
        self._timer.timeout.connect(self._go_on)

    def part(self, context: FrameContext, count: int) -> int:
        """Return the part of the step to show, from 0; ALL for all. ``count`` is how many are worth a replay, or 0."""
        step = context.frame.step
        if step != self._seen:
            forward = self._seen is not None and step == self._seen + 1
            self._seen, self._count = step, count
            self._part = ALL
            self._timer.stop()
            if forward and self._view.look.motion and not context.predicting and 1 < count <= REPLAY_MOST:
                self._part = 0
                self._timer.start()
        picked = context.selection.part
        return self._part if picked is None else picked

    def stop(self) -> None:
        """Show all, and what comes next as if nothing had been before."""
        self.end()
        self._seen = None

    def pick(self, part: int) -> None:
        """Show one part, or ALL, until another step."""
        self.end()
        self._view.selection.update(part=None if part == ALL else part)

    def end(self) -> None:
        self._timer.stop()
        self._part = ALL

    def _go_on(self) -> None:
        if self._part >= self._count - 1 or not self._view.isVisible() or self._view.selection.now.part is not None:
            self.end()
        else:
            self._part += 1
        self._view.refresh()
