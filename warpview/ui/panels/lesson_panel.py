"""A page of a lesson: title, text, and the way to the pages beside it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QTextBrowser, QToolButton, QWidget

from warpview.ui.lessons import Lesson
from warpview.ui.theme import Look

LARGER = 1.12  # the text is read aloud and from afar
MOST_LINES = 5  # of a strip; what is longer scrolls


class LessonPanel(QFrame):
    """A column under the library, or a strip over the history; the same widget in another arrangement."""

    turned = Signal(bool)  # True: on
    closed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._lesson: Lesson | None = None
        self._number = 0
        self._strip: bool | None = None
        self.setProperty("panel", True)
        self.setAccessibleName("Lesson")
        self.title = QLabel()
        self.title.setObjectName("heading")
        self.title.setWordWrap(True)
        self.text = QTextBrowser()
        self.text.setOpenExternalLinks(True)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setAccessibleName("Page of the lesson")
        self.text.document().setDocumentMargin(2)
        self.count = QLabel()
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous = _button("◀", "Previous page (Ctrl+Page Up)")
        self.next = _button("▶", "Next page (Ctrl+Page Down)")
        self.close_button = _button("✕", "Close the lesson")
        self.previous.clicked.connect(lambda: self.turned.emit(False))
        self.next.clicked.connect(lambda: self.turned.emit(True))
        self.close_button.clicked.connect(self.closed)
        self._grid = QGridLayout(self)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(4)
        self.set_strip(False)
        look.changed.connect(self._dress)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, 300)

    def set_strip(self, on: bool) -> None:
        """A strip is as wide as the window and a few lines high; a column takes the height it gets."""
        if on == self._strip:
            return
        self._strip = on
        grid = self._grid
        buttons: tuple[QWidget, ...] = (self.previous, self.count, self.next)
        for widget in (self.title, self.text, self.close_button, *buttons):
            grid.removeWidget(widget)
        for column in range(5):
            grid.setColumnStretch(column, 0)
        for row in range(3):
            grid.setRowStretch(row, 0)
        if on:
            grid.setContentsMargins(12, 5, 6, 5)
            grid.addWidget(self.title, 0, 0, 1, 3, Qt.AlignmentFlag.AlignTop)
            for column, widget in enumerate(buttons):
                grid.addWidget(widget, 1, column)
            grid.addWidget(self.text, 0, 3, 2, 1)
            grid.addWidget(self.close_button, 0, 4, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(3, 1)
            grid.setRowStretch(0, 1)
        else:
            grid.setContentsMargins(10, 6, 6, 6)
            grid.addWidget(self.title, 0, 0, 1, 4)
            grid.addWidget(self.close_button, 0, 4, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.text, 1, 0, 1, 5)
            for column, widget in enumerate(buttons):
                grid.addWidget(widget, 2, column)
            grid.setColumnStretch(3, 1)
            grid.setRowStretch(1, 1)
        height = QSizePolicy.Policy.Fixed if on else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Preferred, height)
        self._dress()

    def show_page(self, lesson: Lesson, number: int) -> None:
        new = lesson is not self._lesson
        self._lesson, self._number = lesson, number
        self.title.setText(lesson.title)
        self.count.setText(f"{number + 1} / {len(lesson.pages)}")
        self.previous.setEnabled(number > 0)
        self.next.setEnabled(number + 1 < len(lesson.pages))
        _fill(self.text.document(), lesson.pages[number].text, self._look)
        self.text.verticalScrollBar().setValue(0)
        if new:
            self._fit()

    def _dress(self) -> None:
        font = self._look.font()
        font.setPointSizeF(font.pointSizeF() * LARGER)
        self.text.document().setDefaultFont(font)
        self.title.setFixedWidth(self._look.px(170)) if self._strip else self._free_title()
        self.count.setMinimumWidth(self._look.px(44))
        if self._lesson is not None:
            self.show_page(self._lesson, self._number)
            self._fit()

    def _free_title(self) -> None:
        self.title.setMinimumWidth(0)
        self.title.setMaximumWidth(16777215)

    def _fit(self) -> None:
        """A strip is as high as the longest page of the lesson, so that turning a page moves nothing."""
        if not self._strip or self._lesson is None:
            self.setMinimumHeight(0)
            self.setMaximumHeight(16777215)
            return
        room = max(200, self.text.viewport().width())
        document = QTextDocument()
        document.setDocumentMargin(self.text.document().documentMargin())
        document.setDefaultFont(self.text.document().defaultFont())
        highest = 0.0
        for page in self._lesson.pages:
            _fill(document, page.text, self._look)
            document.setTextWidth(room)
            highest = max(highest, document.size().height())
        line = self.text.fontMetrics().lineSpacing() * LARGER
        wanted = max(
            min(highest, MOST_LINES * line + 4), self.title.sizeHint().height() + self.next.sizeHint().height()
        )
        self.setFixedHeight(round(wanted) + 14)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()


def _fill(document: QTextDocument, markdown: str, look: Look) -> None:
    """The page, with code in the type of the source."""
    document.setMarkdown(markdown)
    code = QTextCharFormat()
    mono = look.font("mono")
    code.setFontFamilies([mono.family()])
    code.setFontPointSize(document.defaultFont().pointSizeF() * 0.94)
    code.setFontWeight(QFont.Weight.Medium)
    code.setBackground(look.theme.qcolor("raised"))
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        part = block.begin()
        while not part.atEnd():
            fragment = part.fragment()
            if fragment.charFormat().fontFixedPitch():
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(code)
            part += 1
        block = block.next()


def _button(words: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(words)
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(" (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
