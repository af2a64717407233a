"""Garbage collection in the interface thread only, in pieces that cost less than a display frame.

Left to itself, Python collects in whichever thread allocates: in the worker, widgets that are garbage would be
destroyed there, which Qt forbids; and a full collection over everything that is loaded stops the window for several
frames. What is there when the worker first comes to rest stays for good and is never looked at.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

YOUNG_MS = 400  # between collections of what is new
IDLE_TURNS = 25  # of these without work in the worker, until everything is collected once
SWITCH_SECONDS = 0.001  # how long the worker may keep the interpreter when the window wants it


class Collector(QObject):
    """Takes over from Python's automatic collection until ``stop``: goes by when a window's worker works, and puts off
    what it has to do while steps are shown."""

    def __init__(self, parent: QObject, window: MainWindow) -> None:
        super().__init__(parent)
        window.runner.busy_changed.connect(self._set_busy)
        window.presenter.shown.connect(self._hold)
        window.ahead.calm.connect(self._let_go)
        self._quiet, self._busy, self._settled = 0, False, False
        self._held, self._put_off = False, False
        self._interval = sys.getswitchinterval()
        gc.disable()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._timer = QTimer(self)
        self._timer.setInterval(YOUNG_MS)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        if not busy and not self._settled:
            self._settled = True
            gc.freeze()

    def _hold(self, _: object) -> None:
        """A step is being shown: what is due can wait until that is done, though not for ever."""
        self._held = True

    def _let_go(self) -> None:
        self._held = False
        if self._put_off:
            self._turn()

    def _turn(self) -> None:
        self._put_off = self._held and not self._put_off
        self._held = False
        if self._put_off:
            return
        self._quiet = 0 if self._busy else self._quiet + 1
        if self._quiet == IDLE_TURNS:
            gc.collect()
            # What has survived stays: it is not looked at again.
            gc.freeze()
        else:
            gc.collect(1)

    def stop(self) -> None:
        self._timer.stop()
        sys.setswitchinterval(self._interval)
        gc.unfreeze()
        gc.enable()
