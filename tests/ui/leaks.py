"""Find what a test leaves behind: threads and timers that run, windows, and warnings of Qt."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QDeadlineTimer,
    QEvent,
    QMessageLogContext,
    QThread,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

# What Qt says about the machine and not about us.
HARMLESS = ("This plugin does not support", "propagateSizeHints", "OpenType support missing")
WORSE_THAN_NOTES = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
GARBAGE_AFTER_MS = 150  # what is still there then may only be waiting to be collected, which takes a while itself
PATIENCE_MS = 10_000  # for what ends by itself: a redraw that is due, sparklines being sampled, a thread on its way out
Handler = Callable[[QtMsgType, QMessageLogContext, str], None]


class Watch:
    """Remember what there is when it is made; ``left`` says what is there besides, in words.

    It hears what Qt says meanwhile; ``passing_on`` tells whoever heard it before as well. ``in_qt`` says whether to
    look for threads and timers of Qt too, which takes 10 ms.
    """

    def __init__(self, passing_on: bool = True, in_qt: bool = True) -> None:
        self._passing_on, self._in_qt = passing_on, in_qt
        self._kept = _running(in_qt)  # so that no newcomer takes the id of one of them
        self._before = set(map(id, self._kept))
        self._warnings: list[str] = []
        self._handler: Handler | None = qInstallMessageHandler(self._hear)

    def close(self) -> None:
        """Give Qt's messages back to whoever had them before."""
        qInstallMessageHandler(self._handler)
        self._kept.clear()

    def _hear(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind in WORSE_THAN_NOTES and not any(words in text for words in HARMLESS):
            self._warnings.append(text)
        if self._passing_on and self._handler is not None:
            self._handler(kind, context, text)

    def left(self, patience_ms: int = PATIENCE_MS) -> list[str]:
        """What was not there before, after giving it the time to end by itself; and what Qt has warned of."""
        QToolTip.hideText()
        found = self._wait(min(GARBAGE_AFTER_MS, patience_ms))
        if found:
            found.clear()  # or the list itself would hold what is about to be collected
            gc.collect()
            found = self._wait(patience_ms)
        return [_words(thing) for thing in found] + [f"Qt warned: {text}" for text in self._warnings]

    def _wait(self, patience_ms: int) -> list[Any]:
        """What is still there after so long, or as soon as there is nothing."""
        deadline = QDeadlineTimer(patience_ms)
        while (found := self._new()) and not deadline.hasExpired():
            found.clear()
            QTest.qWait(10)
        return found

    def _new(self) -> list[Any]:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return [thing for thing in _running(self._in_qt) if id(thing) not in self._before]


def _running(in_qt: bool) -> list[Any]:
    """Find threads and timers that run, and windows, hidden ones too. Menus and drop-down lists go with their owner."""
    wrapped = shiboken6.getAllValidWrappers() if in_qt else []  # tens of thousands
    kinds = {kind for kind in set(map(type, wrapped)) if issubclass(kind, QThread | QTimer)}
    runners = [o for o in wrapped if type(o) in kinds]
    qt = [o for o in runners if (o.isRunning() if isinstance(o, QThread) else o.isActive())]
    windows = [w for w in QApplication.topLevelWidgets() if not _is_of_qt(w)]
    # A dummy stands for a QThread in which Python has run; it stays when that has ended.
    threads = [t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)]
    return [*threads, *(t for t in qt if not _is_main(t)), *windows]


def _is_of_qt(widget: QWidget) -> bool:
    """Whether Qt answers for the widget: tool tips, menus of others, and the widget by which the layout of a graphics
    scene asks for the style's spacing, which goes with the layout."""
    made_by_layout = type(widget) is QWidget and not shiboken6.createdByPython(widget)
    return widget.inherits("QTipLabel") or widget.parent() is not None or made_by_layout


def _is_main(thing: object) -> bool:
    app = QCoreApplication.instance()
    return app is not None and thing is app.thread()


def _words(thing: Any) -> str:
    if isinstance(thing, threading.Thread):
        return f"thread {thing.name} runs"
    if isinstance(thing, QThread):
        return f"QThread {thing.objectName()!r} runs"
    if isinstance(thing, QTimer):
        return f"timer of {thing.parent()!r} runs, every {thing.interval()} ms"
    return f"window {thing!r} is left"
