"""Edit the source: text, margins, the glowing line, errors underlined.

While it is not being edited it never takes the keyboard, so that the keys go on stepping. What typing does is in
``source_typing``, how lines are wrapped in ``source_layout``, what stands in the margin in ``source_margin``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip

from warpview.diagnostics import Diagnostic
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.views.instructions.heat_model import Heat
from warpview.ui.views.source import parts as source_parts
from warpview.ui.views.source import typing as source_typing
from warpview.ui.views.source.highlight import CudaHighlighter
from warpview.ui.views.source.layout import HangingLayout, fitting
from warpview.ui.views.source.margin import Margin
from warpview.ui.views.source.source_model import SourceMarks
from warpview.ui.views.source.text import STEP, code_widths

_NO_MARKS = SourceMarks(0, (0, 0, 0), 0, 0, ())
_NO_HEAT = Heat()
_CONTINUED = "↪"  # before every row that continues a line
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class VisibleLine(NamedTuple):
    """Describe a line in the viewport: ``number`` counts from 1, ``row`` is the height of its first row."""

    number: int
    block: QTextBlock
    top: float
    bottom: float
    row: float


class SourceEditor(QPlainTextEdit):
    """Show and edit a text; lines count from 1 in everything that it says and is told."""

    line_clicked = Signal(int)
    margin_clicked = Signal(int)
    warp_clicked = Signal(int)
    edit_wanted = Signal(int)  # a double click on this line
    left_editing = Signal()  # Escape

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        fill_background(self.viewport())
        self._factor = 1.0  # of the type, by which it is smaller so that fewer lines are wrapped
        self._text: str | None = None  # what the document holds, while that is known
        self._visible: tuple[object, list[VisibleLine]] | None = None  # the lines in sight, and where they were so
        self.marks = _NO_MARKS
        self.heat = _NO_HEAT
        self.breakpoints: frozenset[int] = frozenset()
        self.problems: tuple[Diagnostic, ...] = ()
        self._found: tuple[tuple[int, int], ...] = ()  # start and length of what the find bar has found
        document = QTextDocument(self)
        self._layout = HangingLayout(document)
        document.setDocumentLayout(self._layout)
        self.setDocument(document)
        self._highlighter = CudaHighlighter(document, look.theme)
        self.margin = Margin(self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName("Source")
        self.textChanged.connect(self._forget_text)
        document.contentsChange.connect(self._on_contents)
        self.blockCountChanged.connect(lambda _: self._fit_margin())
        self.updateRequest.connect(self._on_update)
        self.cursorPositionChanged.connect(self._mark_parts)
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

    def _on_contents(self, *_: int) -> None:
        """Repaint all lines: a comment may begin that goes on below."""
        self._visible = None
        self.viewport().update()

    def _forget_text(self) -> None:
        self._text = None

    def font_of(self, role: Role = "mono") -> QFont:
        """Return the font of the text or of something beside it, as large as the text is now."""
        return self.look.font(role, self._factor)

    def fit_type(self) -> None:
        """Fit the font: as large as it is meant to be, or a little smaller where no code has to be wrapped then."""
        self._factor = 1.0  # the margin is measured at full size, so that asking twice gives the same answer
        usual = self.font_of()
        bar = self.verticalScrollBar().sizeHint().width()  # there or not: its coming must not change the type
        self.margin.fit()
        margins = self.margin.full_width + bar + 2 * self.document().documentMargin() + 2
        fitted = fitting(usual, code_widths(self.text), self.width() - margins)
        self._factor = fitted.pointSizeF() / usual.pointSizeF()
        if self.font() != fitted:
            self.setFont(fitted)
        advance = self.fontMetrics().horizontalAdvance(" ")
        self._layout.column_width = advance
        self.setTabStopDistance(STEP * advance)
        self._fit_margin()

    def restyle(self) -> None:
        self._highlighter.set_theme(self.look.theme)
        self.fit_type()
        self._mark_parts()

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
        self._mark_parts()

    def show_marks(self, marks: SourceMarks) -> None:
        """Show the marks of another frame: the glowing line, which is kept in sight, and the badges."""
        if marks == self.marks:
            return
        before, self.marks = self.marks, marks
        self._select_parts()
        self._repaint_lines(before.lines_unlike(marks))
        line = marks.done or marks.coming
        if line != (before.done or before.coming) and not self.editing:
            self.reveal(line)

    def show_heat(self, heat: Heat) -> None:
        self.heat = heat
        self.margin.update()

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        found = tuple(p for p in problems if p.span is not None)
        if found != self.problems:
            self.problems = found
            self._mark_parts()

    def show_breakpoints(self, lines: frozenset[int]) -> None:
        self.breakpoints = lines
        self.margin.update()

    def show_found(self, places: Sequence[tuple[int, int]]) -> None:
        """Tint the matches of a search: start and length of each, in Qt's units."""
        self._found = tuple(places)
        self._mark_parts()

    def reveal(self, line: int) -> None:
        """Scroll so that the whole of ``line`` and a little around it is in sight; the least that is needed."""
        block = self.document().findBlockByNumber(line - 1)
        if line < 1 or not block.isValid():
            return
        height, row = self.viewport().height(), self.fontMetrics().lineSpacing()
        around = min(2 * row, height // 4)
        here = next((shown for shown in self.visible_lines() if shown.number == line), None)
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

    def visible_lines(self) -> list[VisibleLine]:
        """Return the lines in sight, coloured, from the first row of the viewport on."""
        if self.editing:
            return list(self._find_visible())
        # A step asks four times for the same lines, which would take a sixth of its time.
        first, size = self.firstVisibleBlock().blockNumber(), self.viewport().size()
        shown_at = first, self.contentOffset().y(), size, self._factor, self.font(), self.look.theme
        if self._visible is None or self._visible[0] != shown_at:
            self._visible = shown_at, list(self._find_visible())
        return self._visible[1]

    def lines_across(self, area: QRect) -> list[VisibleLine]:
        """Return the lines in sight that cross an area of the viewport."""
        return [line for line in self.visible_lines() if line.bottom >= area.top() and line.top <= area.bottom()]

    def _find_visible(self) -> Iterator[VisibleLine]:
        self._colour_visible()
        block, top, height = self.firstVisibleBlock(), self.contentOffset().y(), self.viewport().height()
        while block.isValid() and top <= height:
            bottom = top + self.blockBoundingRect(block).height()
            yield VisibleLine(block.blockNumber() + 1, block, top, bottom, block.layout().lineAt(0).height())
            block, top = block.next(), bottom

    def _colour_visible(self) -> None:
        """Colour as many lines as there are at most in sight, before any is laid out: Qt lays out anew what comes after
        a line with other colours."""
        block = self.firstVisibleBlock()
        for _ in range(self.viewport().height() // self.fontMetrics().height() + 2):
            if block.isValid():
                self._highlighter.colour(block)
                block = block.next()

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
        """Yield the lines that have a colour behind their whole width; of several for a line the last one wins."""
        theme, marks = self.look.theme, self.marks
        if self.editing:
            yield self.textCursor().blockNumber() + 1, theme.qcolor("raised")
        elif marks.selected and marks.selected != marks.done:
            yield marks.selected, theme.qcolor("accent", 0.14)
        if marks.done:
            yield marks.done, theme.qcolor("glow")

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        area = event.rect()
        lines, bands = self.lines_across(area), dict(self.bands())
        with QPainter(self.viewport()) as painter:
            painter.fillRect(area, self.look.theme.qcolor("panel"))
            for line in lines:
                if line.number in bands:
                    box = QRectF(0, line.top, self.viewport().width(), line.bottom - line.top)
                    painter.fillRect(box, bands[line.number])
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font_of("small"))
            painter.setPen(self.look.theme.qcolor("dim"))
            for line in lines:
                layout = line.block.layout()
                for row in (layout.lineAt(n).rect() for n in range(1, layout.lineCount())):
                    box = QRectF(0, line.top + row.top(), row.left() - 3, row.height())
                    painter.drawText(box, _RIGHT, _CONTINUED)

    def _repaint_lines(self, numbers: Collection[int]) -> None:
        """Repaint these lines, and the margin beside them, where they are in sight."""
        for line in self.visible_lines():
            if line.number in numbers:
                top, height = math.floor(line.top), math.ceil(line.bottom) - math.floor(line.top)
                self.viewport().update(0, top, self.viewport().width(), height)
                self.margin.update(0, top, self.margin.width(), height)

    def _mark_parts(self) -> None:
        """Mark parts of lines anew, and repaint all lines: the band behind the cursor's line is not known to Qt."""
        self._select_parts()
        self.viewport().update()

    def _select_parts(self) -> None:
        """Mark the executed expression, problems, what was found and the brackets at the cursor."""
        document, theme, marks = self.document(), self.look.theme, self.marks
        self.setExtraSelections([
            *(source_parts.executed(document, marks.span, theme) if marks.done else ()),
            *source_parts.wrong(document, self.problems, theme),
            *source_parts.found(document, self._found, theme),
            *(source_parts.brackets(document, self.textCursor().position(), theme) if self.editing else ()),
        ])  # fmt: skip

    # ---- margin

    def _fit_margin(self) -> None:
        self.margin.fit()
        self.setViewportMargins(self.margin.full_width, 0, 0, 0)
        self._place_margin()
        self.margin.update()

    def _place_margin(self) -> None:
        box = self.contentsRect()
        self.margin.setGeometry(QRect(box.left(), box.top(), self.margin.full_width, box.height()))

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

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        super().mousePressEvent(event)
        if not self.editing and event.button() == Qt.MouseButton.LeftButton:
            self.line_clicked.emit(self.line_at(event.position().toPoint()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self.editing:
            super().mouseDoubleClickEvent(event)
        else:
            self.edit_wanted.emit(self.line_at(event.position().toPoint()))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take words alone: a file is for the window to open."""
        event.ignore() if event.mimeData().hasUrls() else super().dragEnterEvent(event)

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
