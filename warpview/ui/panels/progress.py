"""Show the progress of long work, in words, with a way out of it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QPoint, QRect, QSize, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from warpview.ui.drawing.controls import push_button
from warpview.ui.drawing.panel import Panel
from warpview.ui.panels.time_left import TimeLeft
from warpview.ui.session.backend import SIMULATING

SHOW_AFTER_MS = 250  # work that is over sooner needs no progress bar
LEAST_BAR = 80  # pixels
PATIENCE_MS = 4000  # of a simulation without any progress; then it is said that there may never be an end


class Progress(Panel):
    """Show which work is under way and how far it is. Appears only when work takes a while."""

    cancel_wanted = Signal()
    covers = Signal(int)  # pixels of the width of what it lies over; 0 when it goes

    def __init__(self, parent: QWidget, over: QWidget) -> None:
        """Create the panel in ``parent``, at the right of ``over``, which leaves that room as long as it is there."""
        super().__init__(parent)
        self._window, self._over = parent, over
        self.words = QLabel("Working …")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        cancel = push_button("Cancel", "Stop; the run shown is kept (Esc, Ctrl+.)", self.cancel_wanted.emit)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.addWidget(self.words)
        row.addWidget(self.bar, 1)
        row.addWidget(cancel)
        self._timer = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._timer.timeout.connect(self.show)
        self._done = -1
        self._clock = QElapsedTimer()
        self._clock.start()
        self._still = QElapsedTimer()  # since it last went on
        self._left = TimeLeft()
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.place()

    def _needed_width(self) -> int:
        """Return the width in pixels that shows the words whole, with a bar."""
        return min(self.sizeHint().width() + LEAST_BAR, self._over.width())

    def place(self) -> None:
        width = max(self._over.width() // 2, self._needed_width())
        corner = self._over.mapTo(self._window, QPoint(self._over.width() - width, 0))
        self.setGeometry(QRect(corner, QSize(width, self._over.height())))
        self.raise_()
        if self.isVisible():
            self.covers.emit(width)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.covers.emit(0)

    def set_busy(self, busy: bool) -> None:
        if busy:
            self._done = -1
            self.words.setText("Compiling …")
            self.bar.setRange(0, 0)
            self._timer.start()
        else:
            self._timer.stop()
            self.hide()

    def report(self, words: str, done: int, total: int) -> None:
        left = self._left.after(self._clock.elapsed() / 1000, done, total)
        if done != self._done:
            self._done = done
            self._still.start()
        if words.startswith(SIMULATING) and done < total and self._still.elapsed() > PATIENCE_MS:
            words += " – it may never end; Esc cancels"
        elif left:
            words += f", {left}"
        self.words.setText(words)
        if self.isVisible() and self._needed_width() > self.width():
            self.place()
        # Qt's range is 32 bits wide; counts of warp instructions may not be.
        self.bar.setRange(0, 1000 if total > 0 else 0)
        self.bar.setValue(round(1000 * done / total) if total > 0 else 0)
