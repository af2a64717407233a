"""The progress of long work, in words, with a way out of it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

SHOW_AFTER_MS = 250  # work that is over sooner needs no progress bar
PATIENCE_MS = 4000  # without any progress; then it is said that there may never be an end


class Progress(QFrame):
    """What is being done and how far it is. Appears only when work takes a while."""

    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._words = QLabel("Working …")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        cancel = QPushButton("Cancel")
        cancel.setToolTip("Stop; what is shown stays (Esc, Ctrl+.)")
        cancel.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        cancel.clicked.connect(self.cancel_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self._words)
        row.addWidget(self.bar, 1)
        row.addWidget(cancel)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_AFTER_MS)
        self._timer.timeout.connect(self.show)
        self._done = -1
        self._still = QElapsedTimer()  # since it last went on
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def set_busy(self, busy: bool) -> None:
        if busy:
            self._done = -1
            self._words.setText("Compiling …")
            self.bar.setRange(0, 0)
            self._timer.start()
        else:
            self._timer.stop()
            self.hide()

    def report(self, words: str, done: int, total: int) -> None:
        if done != self._done:
            self._done = done
            self._still.start()
        if self._still.elapsed() > PATIENCE_MS:
            words += " – it may never end; Esc cancels"
        self._words.setText(words)
        # Qt's range is 32 bits wide; counts of warp instructions may not be.
        self.bar.setRange(0, 1000 if total > 0 else 0)
        self.bar.setValue(round(1000 * done / total) if total > 0 else 0)
