"""The banner: what went wrong, where, and what to do; and the progress of long work with a way out of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from warpview.diagnostics import Diagnostic

SHOW_AFTER_MS = 250  # work that is over sooner needs no progress bar
MOST = {"error": 3, "warning": 1}  # shown of a kind; the rest are counted, so that the views keep their room


class Banner(QFrame):
    """Hidden when there is nothing to say. ``place_wanted`` asks for the line and column of a problem."""

    place_wanted = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.problems: tuple[Diagnostic, ...] = ()
        self._lines = QVBoxLayout()
        self._lines.setSpacing(2)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.addLayout(self._lines, 1)
        close = QToolButton()
        close.setText("✕")
        close.setToolTip("Close (Esc)")
        close.setAccessibleName("Close the message")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.close_banner)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        self.problems = tuple(problems)
        while self._lines.count():
            item = self._lines.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        most = MOST["error" if any(p.severity == "error" for p in self.problems) else "warning"]
        more = len(self.problems) - most
        for n, problem in enumerate(self.problems[:most]):
            words = f"and {more} more; F goes from one to the next" if more > 0 and n == most - 1 else ""
            self._lines.addWidget(self._line(problem, words))
        self.setVisible(bool(self.problems))

    def _line(self, problem: Diagnostic, more: str) -> QLabel:
        words = problem.message[:1].upper() + problem.message[1:]
        text = f"⚠ <b>{_escape(words)}</b>"
        if problem.span is not None and problem.span.line:
            place = f"line {problem.span.line}, column {problem.span.column}"
            text += f" — <a href='{problem.span.line}:{problem.span.column}'>{place}</a>"
        text += f" — {more}" if more else ""
        if problem.hint:
            text += f"<br>{_escape(problem.hint)}"
        label = QLabel(text)
        label.setWordWrap(True)
        label.setAccessibleName(words)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        label.linkActivated.connect(self._follow)
        return label

    def _follow(self, link: str) -> None:
        line, _, column = link.partition(":")
        self.place_wanted.emit(int(line), int(column))

    def close_banner(self) -> None:
        self.show_problems(())


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")


class Progress(QFrame):
    """What is being done and how far it is, with a button to cancel it. Appears only when work takes a while."""

    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._words = QLabel("Working …")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        cancel = QPushButton("Cancel")
        cancel.setToolTip("Stop; what is shown stays (Ctrl+.)")
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
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def set_busy(self, busy: bool) -> None:
        if busy:
            self._words.setText("Compiling …")
            self.bar.setRange(0, 0)
            self._timer.start()
        else:
            self._timer.stop()
            self.hide()

    def report(self, words: str, done: int, total: int) -> None:
        self._words.setText(words)
        # Qt's range is 32 bits wide; counts of warp instructions may not be.
        self.bar.setRange(0, 1000 if total > 0 else 0)
        self.bar.setValue(round(1000 * done / total) if total > 0 else 0)
