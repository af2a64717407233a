"""Measure how long the interface thread works at a stretch, which is the wait after a key."""

from __future__ import annotations

import gc
import time

import numpy as np
from PySide6.QtCore import QAbstractEventDispatcher, QObject

USUAL_MS = 10.7  # what ``workload_ms`` is on the machine that the limits are stated for, when nothing else runs there


def workload_ms() -> float:
    """Processor time of a fixed piece of work like the window's own: small objects, texts, sorting, an array."""
    collects = gc.isenabled()
    gc.disable()  # its objects would bring about collections of all memory, 60 ms each, in the keys that are measured
    try:
        begin = time.thread_time()
        _work()
        return 1000 * (time.thread_time() - begin)
    finally:
        if collects:
            gc.enable()


def _work() -> None:
    boxes = [(float(k % 97), float(k), str(k)) for k in range(20_000)]
    boxes.sort()
    named = {text: (x, y) for x, y, text in boxes}
    values = np.arange(100_000, dtype=np.int64)[::-1] * 7 % 100_003
    assert len(named) == len(boxes)
    assert values[np.argsort(values, kind="stable")][0] == values.min()


class Pauses(QObject):
    """The longest time between two turns of the event loop while something is done.

    Only this thread's processor time counts, not what other threads and programs do. A turn carries out all that is
    due, so that this is no less than what any single piece takes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._longest, self._last = 0.0, 0.0
        self._dispatcher = QAbstractEventDispatcher.instance()
        self._dispatcher.awake.connect(self._turn)
        self._dispatcher.aboutToBlock.connect(self._turn)

    def begin(self) -> None:
        self._longest, self._last = 0.0, time.thread_time()

    def end(self) -> float:
        """The longest since ``begin``, in milliseconds."""
        self._turn()
        return 1000 * self._longest

    def _turn(self) -> None:
        now = time.thread_time()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def close(self) -> None:
        self._dispatcher.awake.disconnect(self._turn)
        self._dispatcher.aboutToBlock.disconnect(self._turn)
