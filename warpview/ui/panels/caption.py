"""Show the caption: one sentence that says what this step did, also to screen readers."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRect, Qt, QTimer
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QWidget

from warpview.trace.caption import caption
from warpview.ui.drawing.app_style import rounded
from warpview.ui.drawing.faces import format_range
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.style import bold, dim
from warpview.ui.drawing.theme import Look
from warpview.ui.drawing.words import Words
from warpview.ui.views.context import FrameContext, RunLike

NOTICE_MS = 4000
WAITING = "Meanwhile, read the source."
MARGIN = 12
LEAST_WIDTH = 120  # pixels at normal type: nothing can be said in less
MOST_HINT = 0.4  # of the width
CODE_SIZE = 0.95  # of the type around it, as its letters are larger
NO_WRAP = 1e6  # pixels: every sentence fits one line
SIZES = (1.25, 1.0, 0.85, 0.72)  # of the type of a sentence: the largest in one line, the others in two


class Caption(Panel):
    """Show the sentence of the frame; a notice ("There is no barrier after this step.") replaces it for a while."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._sentence, self._following = WAITING, ""
        self._of_page = ""  # what a page says in place of the sentence
        self._run: RunLike | None = None  # that the sentence is about
        self._hints = True
        self._covered = 0  # pixels at the right
        self._fonts: list[QFont] = []  # of the sentence, the largest first
        self.label = Sentence(look)
        self.label.setParent(self)
        self.hint = HintLabel(look, self)
        self.followed = Chip(look, self)
        self.followed.setToolTip("→ and the jumps stay with this; Esc stops following")
        self.followed.hide()
        self._timer = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._timer.timeout.connect(self.end_notice)
        look.changed.connect(self._fit)
        self._fit()
        self.end_notice()

    def _fit(self) -> None:
        """Fit the layout, which stands still while the words change: two lines of the usual size."""
        usual = self._look.font()
        self._fonts = [QFont(usual) for _ in SIZES]
        for font, size in zip(self._fonts, SIZES, strict=True):
            font.setPointSizeF(size * usual.pointSizeF())
        self.setFixedHeight(round(QFontMetricsF(usual).lineSpacing() * 2) + 6)
        self._fit_sentence()

    def _fit_sentence(self) -> None:
        """Give the sentence its room and the largest type in which it fits: large in one line, or else in two. A hint
        gives way to a sentence that the usual type would not hold beside it."""
        box, label = self.contentsRect().adjusted(MARGIN, 0, -MARGIN - self._covered, 0), self.label
        room, usual = box.width() - self._place_hint(box), self._fonts[1]
        is_large = label.width_in(self._fonts[0]) <= room
        if not is_large and self.hint.isVisibleTo(self) and label.lines_in(usual, room) > 2:
            self.hint.hide()
            room = box.width()
        small = (font for font in self._fonts[1:] if label.lines_in(font, room) <= 2)
        font = self._fonts[0] if is_large else next(small, self._fonts[-1])
        label.setGeometry(box.left(), box.top(), room, box.height())
        label.setVisible(room >= self._look.px(LEAST_WIDTH))
        if label.font() != font:
            label.setFont(font)

    def _place_hint(self, box: QRect) -> int:
        """Place the words for what is followed, or else the hint, at the right; return the width that they take."""
        self.hint.setVisible(bool(self.hint.words) and not self._following and not self._covered)
        self.followed.setVisible(bool(self._following))
        if self._following:
            self.followed.fit()
            size = self.followed.sizeHint()
            self.followed.setGeometry(QRect(box.right() + 1 - size.width(), box.center().y() - size.height() // 2,
                                            size.width(), size.height()))  # fmt: skip
            return size.width() + MARGIN
        width = 0 if self._covered else min(self.hint.wanted(), round(box.width() * MOST_HINT))
        self.hint.setGeometry(box.right() + 1 - width, box.top(), width, box.height())
        return width

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def leave_room(self, width: int) -> None:
        """Keep this many pixels at the right free of words."""
        self._covered = width
        self._fit()

    def set_hints(self, on: bool) -> None:
        """Show hints or not; presentation mode shows none."""
        self._hints = on
        self.show_hint()

    def show_hint(self, words: str = "") -> None:
        """Show a key worth knowing at the right ("*D* goes on to ..."); '' removes it."""
        if words and not self._hints:
            return
        self.hint.show_words(words)
        self._fit()

    @property
    def text(self) -> str:
        return self.label.words

    def show_frame(self, context: FrameContext, question: str = "") -> None:
        """Show the sentence of a frame, or the ``question`` while its answer is hidden."""
        sentence = question
        if not question:
            sentence = caption(context.frame, context.program, context.device)
            if context.frame.step == 0 and "→" not in sentence:
                sentence += " Press → to step."
        if sentence != self._sentence or context.run is not self._run:
            self._sentence, self._run = sentence, context.run
            self.end_notice()

    def show_of_page(self, words: str) -> None:
        """Show the words of a page in place of the sentence, which is told on the page or has no place there; '' ends
        it, and a notice that was about the page."""
        if words != self._of_page:
            self._of_page = words
            if not words or not self._timer.isActive():
                self.end_notice()

    def show_waiting(self, words: str) -> None:
        """Show a sentence while there is no run, after any notice."""
        if self._run is None:
            self._sentence = words
            if not self._timer.isActive():
                self.end_notice()

    def show_followed(self, words: str) -> None:
        """Show what is followed and the progress along it, at the right; nothing for ''."""
        if words != self._following:
            self._following = words
            self.followed.setText(words)
            self.followed.setAccessibleName(f"Following {words}")
            self._fit()

    def notice(self, words: str) -> None:
        """Say something else for a few seconds, or until the next step."""
        self._set(words)
        self._timer.start()

    def end_notice(self) -> None:
        """Say again what stood there before the notice."""
        self._timer.stop()
        self._set(self._of_page or self._sentence)

    def _set(self, words: str) -> None:
        if words != self.label.words:
            self.label.show_words(words)
            self._fit_sentence()


class Sentence(Words):
    """Show words with the names of the source, which stand between backquotes, in the type of code."""

    def __init__(self, look: Look) -> None:
        super().__init__(int(Qt.AlignmentFlag.AlignLeft))
        self._look = look

    def width_in(self, font: QFont) -> float:
        """Return the width of the words in one line of this type."""
        layout = self._layout(font, NO_WRAP)
        return layout.lineAt(0).naturalTextWidth() if layout.lineCount() else 0.0

    def lines_in(self, font: QFont, width: float) -> int:
        """Return the number of lines of this width that the words take."""
        return self._layout(font, width).lineCount()

    def _layout(self, font: QFont, width: float) -> QTextLayout:
        """Return the words in lines of this width."""
        parts = self.words.split("`")
        if len(parts) % 2 == 0:  # a backquote without another
            parts = [self.words]
        layout = QTextLayout("".join(parts), font)
        code, mono, start, formats = QTextCharFormat(), QFont(self._look.font("mono")), 0, []
        mono.setPointSizeF(CODE_SIZE * font.pointSizeF())
        code.setFont(mono)
        code.setForeground(self._look.theme.qcolor("keyword"))
        for number, part in enumerate(parts):
            if number % 2:
                formats.append(format_range(start, len(part), code))
            start += len(part)
        layout.setFormats(formats)
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0.0, y))
            y += line.height()
        layout.endLayout()
        return layout

    def draw(self, painter: QPainter) -> None:
        layout = self._layout(self.font(), self.width())
        layout.draw(painter, QPointF(0.0, max(0.0, (self.height() - layout.boundingRect().height()) / 2)))


class Chip(QLabel):
    """Show words that stand out from those beside them."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        bold(self)

    def fit(self) -> None:
        """Set the margins by the size of the font."""
        across, down = self._look.px(8) + 1, self._look.px(2) + 1
        self.setContentsMargins(across, down, across, down)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        colour = self._look.theme.qcolor
        rounded(QPainter(self), self.rect(), colour("glow"), colour("accent"), 4)
        super().paintEvent(event)


class HintLabel(QLabel):
    """Show a key worth knowing; a click or Esc puts it away."""

    def __init__(self, look: Look, caption: Caption) -> None:
        super().__init__(caption)
        self._look, self._caption = look, caption
        dim(self)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click or press Esc to dismiss")
        self.words = ""
        self.hide()

    def show_words(self, words: str) -> None:
        self.words = words.replace("*", "")
        self.setText(re.sub(r"\*(.*?)\*", r"<b>\1</b>", words))
        self.setAccessibleName(self.words)
        self.setVisible(bool(self.words))

    def wanted(self) -> int:
        """Return the width that shows the hint in one line; 0 while there is none."""
        self.setFont(self._look.font())
        return QFontMetrics(self.font()).horizontalAdvance(self.words) + 3 * MARGIN if self.words else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._caption.show_hint()
