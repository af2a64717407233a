"""Prepare the frames that the next keys would show, while there is nothing else to do."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from warpview.ui.moving.player import Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.views.context import FrameContext, RunLike

IDLE_MS = 20  # after a step is drawn: by then it is painted, and no other key has come


class FramePrefetcher(QObject):
    """Compute a frame at a time, a millisecond or so, with a turn of the event loop between any two: whatever comes
    meanwhile comes first, and another step makes it begin anew. The trace keeps the frames. ``idle`` comes before the
    first one and after the last, for what need not be said with every step of many."""

    idle = Signal()

    def __init__(self, presenter: Presenter, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.run: RunLike | None = None
        self._step, self._forward = 0, True
        self._wanted: list[int] | None = None  # None: still to be found out
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._prepare)
        presenter.drawn.connect(self._on_drawn)

    def set_run(self, run: RunLike | None) -> None:
        self._timer.stop()
        self.run, self._step, self._forward = run, 0, True

    def _on_drawn(self, context: FrameContext) -> None:
        step = context.frame.step
        if context.run is self.run:
            self._forward = step > self._step or (step == self._step and self._forward)
            self._step, self._wanted = step, None
            self._timer.start(IDLE_MS)

    def _prepare(self) -> None:
        """Prepare the next frame, or a part of it."""
        if self.run is None:
            return
        if self._wanted is None:
            self.idle.emit()
            self._wanted = self._player.next_steps(self._forward)
        elif self._wanted:
            self.run.trace.frame(self._wanted.pop(0))
        if self._wanted:
            self._timer.start(0)
        else:
            self.idle.emit()
