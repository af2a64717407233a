"""Show a page of a lesson: title, text, and the way to the pages beside it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRegularExpression, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QRegularExpressionValidator,
    QResizeEvent,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QSizePolicy, QTextBrowser, QWidget

from warpview.ui.drawing.controls import small_button, text_field
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.style import bold, dim
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.documentation import format_code
from warpview.ui.teaching.lessons import Lesson, Page

LARGER = 1.12  # the text is read aloud and from afar
GUESS = 76  # pixels for a guess, at normal type
ANY = 16777215  # a width or height that Qt takes for no bound
MOST_LINES = 5  # of a strip; what is longer scrolls
LONGEST_VERDICT = "✗ You said 128: it is 32 transactions."
BACK = "page:"  # the link from a note back to the run of the page
LEFT = 190  # pixels for the names at the left of a strip


class LessonPanel(Panel):
    """Show a lesson in a column under the library, or in a strip over the history."""

    turned = Signal(bool)  # True: on
    chosen = Signal(int)  # a page of the contents, from 0
    closed = Signal()
    guessed = Signal(str)  # digits, as they are typed
    asked_for_answer = Signal()
    returned = Signal()  # to the run of the page

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._lesson: Lesson | None = None
        self._number = 0
        self._strip: bool | None = None
        self._compact = False
        self.setAccessibleName("Lesson")
        self.title = QLabel()
        dim(self.title)
        self.title.setWordWrap(True)
        self.heading = QLabel()
        bold(self.heading)
        self.heading.setWordWrap(True)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._on_link)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setAccessibleName("Page of the lesson")
        self.text.document().setDocumentMargin(2)
        self.count = small_button("", "Contents (Shift+P)", self.open_contents)
        self._answered, self._verdict, self._note = True, "", ""
        self.guess = text_field("Guess", "Type a number; Enter or P shows the answer", "guess")
        self.guess.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.guess.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{0,6}"), self.guess))
        self.guess.textEdited.connect(self.guessed)
        self.guess.returnPressed.connect(self.asked_for_answer)
        self.previous = small_button("◀", "Previous page (Ctrl+Page Up)", lambda: self.turned.emit(False))
        self.next = small_button("▶", "Next page (Ctrl+Page Down)", lambda: self.turned.emit(True))
        self.close_button = small_button("✕", "Close the lesson", self.closed.emit)
        self._grid = QGridLayout(self)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(4)
        self.set_strip(False)
        RestyledInSight(self, look, self._apply_style)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 300)

    def set_strip(self, on: bool, compact: bool = False) -> None:
        """Make the panel a strip, as wide as the window and a few lines high, or a column, which takes the height it
        gets; ``compact`` is one in a low window."""
        if (on, compact) == (self._strip, self._compact):
            return
        self._strip, self._compact = on, compact
        self.title.setVisible(not on and not compact)  # the heading of the page is enough where there is little room
        grid = self._grid
        buttons: tuple[QWidget, ...] = (self.previous, self.count, self.next)
        for widget in (self.title, self.heading, self.text, self.close_button, self.guess, *buttons):
            grid.removeWidget(widget)
        for column in range(5):
            grid.setColumnStretch(column, 0)
        for row in range(5):
            grid.setRowStretch(row, 0)
        if on:
            grid.setContentsMargins(12, 5, 6, 5)
            grid.addWidget(self.heading, 0, 0, 1, 3, Qt.AlignmentFlag.AlignTop)
            for column, widget in enumerate(buttons):
                grid.addWidget(widget, 1, column)
            grid.addWidget(self.text, 0, 3, 2, 1)
            grid.addWidget(self.close_button, 0, 4, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
            grid.addWidget(self.guess, 1, 4)
            grid.setColumnStretch(3, 1)
            grid.setRowStretch(0, 1)
        else:
            grid.setContentsMargins(10, 6, 6, 6)
            grid.addWidget(self.title, 0, 0, 1, 4)
            grid.addWidget(self.close_button, 0, 4, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.heading, int(not compact), 0, 1, 4 if compact else 5)
            grid.addWidget(self.text, 2, 0, 1, 5)
            grid.addWidget(self.guess, 4, 3, 1, 2)
            for column, widget in enumerate(buttons):
                grid.addWidget(widget, 4, column)
            grid.setColumnStretch(3, 1)
            grid.setRowStretch(2, 1)
        height = QSizePolicy.Policy.Fixed if on else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Preferred, height)
        self._apply_style()

    def show_page(self, lesson: Lesson, number: int) -> None:
        new = lesson is not self._lesson
        page = lesson.pages[number]
        self._lesson, self._number = lesson, number
        self._answered, self._verdict = not page.answer, ""
        self.guess.clear()
        self.guess.setEnabled(not self._answered)
        self.guess.setVisible(page.directive.ask is not None)
        self.title.setText(lesson.title)
        self.heading.setText(page.title or (lesson.title if self._strip or self._compact else ""))
        self.heading.setVisible(bool(self.heading.text()))
        self.count.setText(f"{number + 1} of {len(lesson.pages)} ▾")
        self.previous.setEnabled(number > 0)
        self.next.setEnabled(number + 1 < len(lesson.pages))
        self._fill_text()
        if new:
            self._fit()

    def set_note(self, words: str) -> None:
        """Say above the page, with the way back, why the window does not show its run; '' where it does."""
        if words != self._note:
            self._note = words
            self._fill_text()

    def _on_link(self, link: QUrl) -> None:
        if link.toString() == BACK:
            self.returned.emit()
        else:
            QDesktopServices.openUrl(link)

    def set_answered(self, on: bool, verdict: str = "") -> None:
        """Show or hide the answer of the page, if it has one; it begins with the ``verdict`` on a guess."""
        verdict = verdict if on else ""
        if self._lesson is None or not self._lesson.pages[self._number].answer:
            return
        if (on, verdict) != (self._answered, self._verdict):
            self._answered, self._verdict = on, verdict
            self.guess.setEnabled(not on)
            self._fill_text()

    def show_guess(self, digits: str) -> None:
        """Show the guess as it is, wherever it was typed."""
        if digits != self.guess.text():
            self.guess.setText(digits)

    def open_contents(self) -> None:
        """Open the list of pages, to choose one from."""
        if self._lesson is None:
            return
        menu = QMenu(self)
        menu.addSection(self._lesson.title)
        for number, words in enumerate(self._lesson.contents()):
            entry = menu.addAction(f"{number + 1}  {words}")
            entry.setCheckable(True)
            entry.setChecked(number == self._number)
            entry.triggered.connect(partial(self.chosen.emit, number))
            if number == self._number:
                menu.setActiveAction(entry)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.count.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _fill_text(self) -> None:
        assert self._lesson is not None
        words = _shown(self._lesson.pages[self._number], self._answered, self._verdict)
        note = f"⚠ {self._note} [Return to the page]({BACK})\n\n" if self._note else ""
        _fill(self.text.document(), note + words, self._look)
        self.text.verticalScrollBar().setValue(0)

    def _apply_style(self) -> None:
        font = self._look.font()
        font.setPointSizeF(font.pointSizeF() * (1.0 if self._compact else LARGER))
        self.text.setFont(font)
        self.title.setFont(self._look.font("small"))
        self.guess.setMaximumWidth(self._look.px(GUESS))
        self.heading.setFixedWidth(self._look.px(LEFT)) if self._strip else _free(self.heading)
        if self._lesson is not None:
            self.show_page(self._lesson, self._number)
            self._fit()

    def _fit(self) -> None:
        """Make a strip as high as the longest page of the lesson, so that turning a page moves nothing."""
        if not self._strip or self._lesson is None:
            self.setMinimumHeight(0)
            self.setMaximumHeight(ANY)
            return
        room = max(200, self.text.viewport().width())
        document = QTextDocument()
        document.setDocumentMargin(self.text.document().documentMargin())
        document.setDefaultFont(self.text.document().defaultFont())
        highest = 0.0
        for page in self._lesson.pages:
            _fill(document, _shown(page, True, LONGEST_VERDICT if page.directive.ask else ""), self._look)
            document.setTextWidth(room)
            highest = max(highest, document.size().height())
        line = self.text.fontMetrics().lineSpacing() * LARGER
        wanted = max(min(highest, MOST_LINES * line + 4), self._left_height())
        self.setFixedHeight(round(wanted) + 14)

    def _left_height(self) -> int:
        """Return the height of the highest heading and the buttons below it."""
        assert self._lesson is not None
        room, wraps = self._look.px(LEFT), int(Qt.TextFlag.TextWordWrap)
        metrics = self.heading.fontMetrics()
        heads = [metrics.boundingRect(0, 0, room, 1000, wraps, page.title).height() for page in self._lesson.pages]
        return max(heads) + self.next.sizeHint().height() + self._grid.verticalSpacing()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()


def _shown(page: Page, answered: bool, verdict: str = "") -> str:
    """Return the Markdown of a page, with its answer or the way to it."""
    if not page.answer:
        return page.text
    answer = f"**{verdict}** {page.answer}" if verdict else page.answer
    return f"{page.text}\n\n{answer}" if answered else f"{page.text} *Press P for the answer.*"


def _free(label: QLabel) -> None:
    label.setMinimumWidth(0)
    label.setMaximumWidth(ANY)


def _fill(document: QTextDocument, markdown: str, look: Look) -> None:
    """Show the page, with code in the font of the source."""
    document.setMarkdown(markdown)
    code = QTextCharFormat()
    mono = look.font("mono")
    code.setFontFamilies([mono.family()])
    code.setFontPointSize(document.defaultFont().pointSizeF() * 0.94)
    code.setFontWeight(QFont.Weight.Medium)
    code.setBackground(look.theme.qcolor("raised"))
    format_code(document, code)
