"""Edit the source: text, margins, the glowing line, errors underlined.

While it is not being edited it never takes the keyboard, so that the keys go on stepping. What typing does is in
``source_typing``, how lines are wrapped in ``source_layout``, what stands in the margin in ``source_margin``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from warpview.diagnostics import Diagnostic
from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.drawing.typeface import Typeface
from warpview.ui.views import source_parts, source_typing
from warpview.ui.views.heat_model import Heat
from warpview.ui.views.source_highlight import CudaHighlighter
from warpview.ui.views.source_layout import HangingLayout, fitting
from warpview.ui.views.source_margin import Margin
from warpview.ui.views.source_model import SourceMarks
from warpview.ui.views.source_painting import paint_bands, paint_continued, paint_text
from warpview.ui.views.source_text import STEP, code_widths
from warpview.ui.views.visible_lines import VisibleLines

_NO_MARKS = SourceMarks(0, (0, 0, 0), 0, 0, ())
_NO_HEAT = Heat()


class SourceEditor(QPlainTextEdit):
    """Lines count from 1 in everything that it says and is told."""

    line_clicked = Signal(int)
    margin_clicked = Signal(int)
    warp_clicked = Signal(int)
    edit_wanted = Signal(int)  # a double click on this line
    left_editing = Signal()  # Escape

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        fill_background(self.viewport())
        self._type: QFont | None = None  # of the text, once it is known
        self._faces: dict[Role, Typeface] = {}  # made for that
        self._text: str | None = None  # what the document holds, while that is known
        self._widths: list[int] | None = None  # and of its lines
        self.marks = _NO_MARKS
        self.heat = _NO_HEAT
        self.breakpoints: frozenset[int] = frozenset()
        self.problems: tuple[Diagnostic, ...] = ()
        self._found: tuple[tuple[int, int], ...] = ()  # start and length of what the find bar has found
        self.executed_lines: list[source_parts.Part] = []
        document = QTextDocument(self)
        self._layout = HangingLayout(document)
        document.setDocumentLayout(self._layout)
        self.setDocument(document)
        self._highlighter = CudaHighlighter(document, look.theme)
        self.visible_lines = VisibleLines(self, self._highlighter.colour)
        self.margin = Margin(self)
        self.badge_width = self.margin.badge_width
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName("Source")
        self.textChanged.connect(self._forget_text)
        document.contentsChange.connect(self._on_change)
        self.blockCountChanged.connect(lambda _: self._fit_margin())
        self.updateRequest.connect(self._on_update)
        self.cursorPositionChanged.connect(self._on_cursor)
        self.restyle()
        self.set_editing(False)

    # ---- text and its type

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = self.toPlainText()
        return self._text

    def set_text(self, text: str) -> None:
        """Set another text, without a signal ``textChanged``. Undo does not reach across."""
        self.blockSignals(True)
        self.setPlainText(text)
        self.blockSignals(False)
        self._forget_text()
        # What was marked is of the text before.
        self.marks, self.heat, self.problems, self._found = _NO_MARKS, _NO_HEAT, (), ()
        self.restyle()

    def _forget_text(self) -> None:
        self._text = self._widths = None
        self.visible_lines.forget()

    def _on_change(self) -> None:
        self.visible_lines.forget()
        self.viewport().update()  # a comment may begin here that goes on below

    def face(self, role: Role = "mono") -> Typeface:
        """Return the typeface of the text or of something beside it, as large as the text is now."""
        if role not in self._faces:
            font = self.look.font(role)
            if self._type is not None:
                font.setPointSizeF(font.pointSizeF() * self._type.pointSizeF() / self.look.font("mono").pointSizeF())
            self._faces[role] = Typeface(font)
        return self._faces[role]

    def metrics(self, role: Role = "mono") -> QFontMetrics:
        """Return the metrics of a face, in whole pixels."""
        return self.face(role).whole

    def fit_type(self) -> None:
        """Fit the font: as large as it is meant to be, or a little smaller where no line of code has to be wrapped
        then."""
        self._type = None  # the margin is measured at full size, so that asking twice gives the same answer
        self._faces.clear()
        bar = self.verticalScrollBar().sizeHint().width()  # there or not: its coming must not change the type
        margins = self.margin.sizeHint().width() + bar + 2 * self.document().documentMargin() + 2
        self._type = fitting(self.look.font("mono"), self._code_widths(), self.width() - margins)
        self._faces.clear()
        if self.font() != self._type:
            self.setFont(self._type)
        advance = self.metrics().horizontalAdvance(" ")
        self._layout.column_width = advance
        self.setTabStopDistance(STEP * advance)
        self.visible_lines.forget()
        self._fit_margin()

    def _code_widths(self) -> list[int]:
        if self._widths is None:
            self._widths = code_widths(self.text)
        return self._widths

    def restyle(self) -> None:
        self._highlighter.set_theme(self.look.theme)
        self.fit_type()
        self._mark_executed()
        self._select()

    # ---- state

    @property
    def editing(self) -> bool:
        return not self.isReadOnly()

    def set_editing(self, on: bool) -> None:
        self.setReadOnly(not on)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
        if on:
            self.setFocus()
        else:
            self.clearFocus()
            self.fit_type()
        self.setCursorWidth(2 if on else 0)
        cursor = Qt.CursorShape.IBeamCursor if on else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(cursor)
        self._on_cursor()
        self.viewport().update()

    def show_marks(self, marks: SourceMarks) -> None:
        """Show another frame: glow, badges, and the line kept in sight."""
        if marks == self.marks:
            return
        moved = marks.done != self.marks.done or (not marks.done and marks.coming != self.marks.coming)
        before, self.marks = self.marks, marks
        self._update_lines(before, marks)
        self.margin.update_lines({line for line, _ in _marked(before) ^ _marked(marks)})
        if before.span != marks.span:
            self._mark_executed()
            if self.editing:
                self._select()
        if moved and not self.editing:
            self.reveal(marks.done or marks.coming)

    def show_heat(self, heat: Heat) -> None:
        self.heat = heat
        self.margin.update()

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        found = tuple(p for p in problems if p.span is not None)
        if found != self.problems:
            self.problems = found
            self._select()

    def show_breakpoints(self, lines: frozenset[int]) -> None:
        self.breakpoints = lines
        self.margin.update()

    def show_found(self, places: Sequence[tuple[int, int]]) -> None:
        """Tint what was found: start and length of each, in Qt's units."""
        self._found = tuple(places)
        self._select()

    def reveal(self, line: int) -> None:
        """Scroll so that the whole of ``line`` and a little around it is in sight; the least that is needed."""
        block = self.document().findBlockByNumber(line - 1)
        if line < 1 or not block.isValid():
            return
        height, row = self.viewport().height(), self.metrics().lineSpacing()
        around = min(2 * row, height // 4)
        here = self.visible_lines.line(line)
        if here is not None and around <= here.top and here.bottom <= height - around:
            return
        above = height / 3
        while block.previous().isValid() and above > row:
            block = block.previous()
            above -= self.blockBoundingRect(block).height()
        self.verticalScrollBar().setValue(block.firstLineNumber())

    def place_cursor(self, line: int, column: int = 1) -> None:
        block = self.document().findBlockByNumber(max(0, line - 1))
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.Right, n=min(max(0, column - 1), max(0, block.length() - 1)))
        self.setTextCursor(cursor)
        self.centerCursor()

    # ---- where lines are

    def line_at(self, place: QPoint) -> int:
        return self.cursorForPosition(place).blockNumber() + 1

    def words_at(self, line: int) -> str:
        """Return the hover text of a line: problems, heat, the warps that are there."""
        words = [f"⚠ {p.message}" for p in self.problems if p.span is not None and p.span.line == line]
        words += [p.hint for p in self.problems if p.hint and p.span is not None and p.span.line == line]
        words += [b.words for b in self.marks.badges if b.line == line]
        if line in self.heat.words:
            words.append(self.heat.words[line])
        return "\n".join(words)

    # ---- what is drawn with the text

    def bands(self) -> Iterator[tuple[int, QColor]]:
        """Yield the lines with a colour behind them, all across; the last one wins."""
        theme, marks = self.look.theme, self.marks
        if self.editing:
            yield self.textCursor().blockNumber() + 1, theme.qcolor("raised")
        elif marks.selected and marks.selected != marks.done:
            yield marks.selected, theme.qcolor("accent", 0.14)
        if marks.done:
            yield marks.done, theme.qcolor("glow")

    def _update_lines(self, before: SourceMarks, now: SourceMarks) -> None:
        for number in {before.done, before.selected} ^ {now.done, now.selected} | {before.done, now.done}:
            line = self.visible_lines.line(number)
            if line is not None:
                self.viewport().update(line.across(self.viewport().width()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        lines = self.visible_lines.within(event.region())  # type: ignore[arg-type]  # of rectangles, which are iterated over
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.look.theme.qcolor("panel"))
            paint_bands(painter, self)
            paint_continued(painter, self, lines)
            if not self.editing:
                paint_text(painter, self, lines, self.executed_lines)
        if self.editing:
            super().paintEvent(event)

    def _on_cursor(self) -> None:
        self._select()
        if self.editing:
            self.viewport().update()  # the band of the cursor's line

    def _mark_executed(self) -> None:
        marks = self.marks
        self.executed_lines = source_parts.executed(self.document(), marks.span, self.look.theme) if marks.done else []

    def _select(self) -> None:
        document, theme = self.document(), self.look.theme
        self.setExtraSelections([
            *(self.executed_lines if self.editing else ()),
            *source_parts.wrong(document, self.problems, theme),
            *source_parts.found(document, self._found, theme),
            *(source_parts.brackets(document, self.textCursor().position(), theme) if self.editing else ()),
        ])  # fmt: skip

    # ---- margin

    def _fit_margin(self) -> None:
        self.setViewportMargins(self.margin.sizeHint().width(), 0, 0, 0)
        self._place_margin()
        self.margin.forget()

    def _place_margin(self) -> None:
        box = self.contentsRect()
        self.margin.setGeometry(QRect(box.left(), box.top(), self.margin.sizeHint().width(), box.height()))

    def _on_update(self, box: QRect, dy: int) -> None:
        if dy:
            self.margin.scroll(0, dy)
        else:
            self.margin.update(0, box.y(), self.margin.width(), box.height())

    # ---- input

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit_type()
        self._place_margin()
        # A message above, the bar below or another arrangement must not hide what one is looking at.
        if self.editing:
            self.ensureCursorVisible()
        else:
            self.reveal(self.marks.done or self.marks.coming)
        if not self.editing:
            self.reveal(self.marks.done or self.marks.coming)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mousePressEvent(event)
        if not self.editing and event.button() == Qt.MouseButton.LeftButton:
            self.line_clicked.emit(self.line_at(event.position().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self.editing:
            super().mouseDoubleClickEvent(event)
        else:
            self.edit_wanted.emit(self.line_at(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self.editing:
            self.left_editing.emit()
        elif not (self.editing and source_typing.handled(self, event)):
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(self.line_at(event.pos()))
            QToolTip.showText(event.globalPos(), words, self.viewport()) if words else QToolTip.hideText()
            return True
        return bool(super().viewportEvent(event))


def _marked(marks: SourceMarks) -> set[tuple[int, object]]:
    """Return the lines with something in the margin, and what."""
    return {(badge.line, badge) for badge in marks.badges} | {(marks.done, "here"), (marks.coming, "here")}
