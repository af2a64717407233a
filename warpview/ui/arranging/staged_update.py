"""Change the whole window in parts, so that no key waits for all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

Part = Callable[[], object]


class StagedUpdate(QObject):
    """Carry out one part a turn of the event loop; ``painted`` is painted once, after the last."""

    def __init__(self, painted: QWidget) -> None:
        super().__init__(painted)
        self._painted = painted
        self._left: deque[Part] = deque()
        self.under_way = False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    def take(self, *parts: Part) -> None:
        """Schedule these parts for the next turns of the event loop, after finishing the parts of an earlier change."""
        self.finish()
        self.under_way = True
        self._left.extend(parts)
        self._painted.setUpdatesEnabled(False)
        self._timer.start()

    def finish(self) -> None:
        """Run the parts of the update that remain now, without waiting for the event loop."""
        while self.under_way:
            self._next()

    def _next(self) -> None:
        if self._left:
            self._left.popleft()()
        else:
            self.under_way = False
            self._timer.stop()
            self._painted.setUpdatesEnabled(True)
