"""Wait until a window has nothing left to do, however long that takes: no test waits for a number of milliseconds."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

LONGEST_MS = 60_000
SOON_MS = 60  # a timer that ends within it is part of what is being done; notices and autosaving take longer


def come_to_rest(widget: QWidget, soon_ms: int = SOON_MS) -> None:
    """Run the event loop until it has no event, and no timer of the widget or of its children is due soon."""
    loop, deadline = QEventLoop(), QDeadlineTimer(LONGEST_MS)
    while loop.processEvents() or _waits(widget, soon_ms):
        assert not deadline.hasExpired(), "it never comes to rest"
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _waits(widget: QWidget, soon_ms: int) -> bool:
    """Whether a timer is due soon; if so, wait for the next event."""
    due = any(timer.isActive() and timer.remainingTime() < soon_ms for timer in widget.findChildren(QTimer))
    if due:
        QEventLoop().processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return due
