"""The caption: one sentence that says what this step did; what screen readers get."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from warpview.trace.caption import caption
from warpview.ui.theme import Look
from warpview.ui.views.context import FrameContext

NOTICE_MS = 4000
MARGIN = 12


class Caption(QFrame):
    """Shows the sentence of the frame; a notice ("There is no barrier after this step.") replaces it for a while."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._sentence = ""
        self.setProperty("panel", True)
        # Without a layout: every change of the sentence would lay out the whole window anew.
        self.label = QLabel(self)
        self.label.setObjectName("caption")
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(NOTICE_MS)
        self._timer.timeout.connect(self._back)
        look.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Large where the sentence fits one line, else two lines of the usual size: the layout stands still."""
        large, usual = QFont(self._look.font()), self._look.font()
        large.setPointSizeF(usual.pointSizeF() * 1.25)
        self.setFixedHeight(round(QFontMetricsF(usual).lineSpacing() * 2) + 6)
        room = self.width() - 2 * MARGIN
        fits = QFontMetricsF(large).horizontalAdvance(self.label.text()) <= room
        self.label.setFont(large if fits else usual)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.label.setGeometry(self.contentsRect().adjusted(MARGIN, 0, -MARGIN, 0))
        self._fit()

    @property
    def text(self) -> str:
        return self.label.text()

    def show_frame(self, context: FrameContext) -> None:
        if context.predicting:
            sentence = "What does this step do? P reveals it."
        else:
            sentence = caption(context.frame, context.program, context.device)
            if context.frame.step == 0 and "→" not in sentence:
                sentence += " Press → to step."
        if sentence != self._sentence:
            self._sentence = sentence
            self._back()

    def notice(self, words: str) -> None:
        """Say something else for a few seconds, or until the next step."""
        self._set(words)
        self._timer.start()

    def _back(self) -> None:
        self._timer.stop()
        self._set(self._sentence)

    def _set(self, words: str) -> None:
        self.label.setText(words)
        self._fit()
        self.label.setToolTip(words)
        self.label.setAccessibleName(words)
