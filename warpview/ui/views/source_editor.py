"""The editor of the source view: text, margins, the glowing line, errors underlined.

While it is not being edited it never takes the keyboard, so that the keys go on stepping.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from warpview.diagnostics import Diagnostic
from warpview.ui.theme import Look, heat_colour
from warpview.ui.views.source_highlight import CudaHighlighter
from warpview.ui.views.source_model import Badge, Heat, SourceMarks

_NO_MARKS = SourceMarks(0, (0, 0, 0), 0, 0, ())


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
        self._metrics: tuple[float, QFontMetrics] | None = None  # and the scale that they are for
        self.marks = _NO_MARKS
        self.heat = Heat("", {}, {})
        self.breakpoints: frozenset[int] = frozenset()
        self.problems: tuple[Diagnostic, ...] = ()
        self._highlighter = CudaHighlighter(self.document(), look.theme)
        self._margin = _Margin(self)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName("Source")
        self.blockCountChanged.connect(lambda _: self._fit_margin())
        self.updateRequest.connect(self._on_update)
        self.cursorPositionChanged.connect(self._select)
        self.restyle()
        self.set_editing(False)

    # ---- state

    def metrics(self) -> QFontMetrics:
        if self._metrics is None or self._metrics[0] != self.look.scale:
            self._metrics = self.look.scale, QFontMetrics(self.look.font("mono"))
        return self._metrics[1]

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
        self.setCursorWidth(2 if on else 0)
        cursor = Qt.CursorShape.IBeamCursor if on else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(cursor)
        self._select()

    def restyle(self) -> None:
        # The widget's own font is the style sheet's: one set here would be lost whenever the view is moved.
        self.document().setDefaultFont(self.look.font("mono"))
        self.setTabStopDistance(4 * self.metrics().horizontalAdvance(" "))
        self._highlighter.set_theme(self.look.theme)
        self._fit_margin()
        self._select()

    def show_marks(self, marks: SourceMarks) -> None:
        """Another frame: glow, badges, and the line kept in sight."""
        if marks == self.marks:
            return
        moved = marks.done != self.marks.done or (not marks.done and marks.coming != self.marks.coming)
        before, self.marks = self.marks, marks
        self._select()
        self._margin.update_lines(_marked(before) ^ _marked(marks))
        if moved and not self.editing:
            self.reveal(marks.done or marks.coming)

    def show_heat(self, heat: Heat) -> None:
        self.heat = heat
        self._margin.update()

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        self.problems = tuple(p for p in problems if p.span is not None)
        self._select()

    def show_breakpoints(self, lines: frozenset[int]) -> None:
        self.breakpoints = lines
        self._margin.update()

    def reveal(self, line: int) -> None:
        """Scroll so that ``line`` stands in the middle half of the view; the least that is needed."""
        block = self.document().findBlockByNumber(line - 1)
        if line < 1 or not block.isValid():
            return
        height = max(1, self.viewport().height() // max(1, self.metrics().lineSpacing()))
        first = self.firstVisibleBlock().blockNumber() + 1
        if line < first + min(2, height // 4) or line > first + height - max(2, height // 4):
            self.verticalScrollBar().setValue(max(0, line - 1 - height // 3))
        self._reveal_span(block)

    def _reveal_span(self, block: QTextBlock) -> None:
        """Scroll sideways only where the expression just executed would be out of sight."""
        line, column, length = self.marks.span
        if line != block.blockNumber() + 1:
            return
        metrics, text = self.metrics(), block.text()
        end = metrics.horizontalAdvance(text[: column - 1 + length]) + 16
        start = metrics.horizontalAdvance(text[: column - 1]) - 16
        bar = self.horizontalScrollBar()
        bar.setValue(max(0, min(end - self.viewport().width(), start)))

    def place_cursor(self, line: int, column: int = 1) -> None:
        block = self.document().findBlockByNumber(max(0, line - 1))
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.Right, n=min(max(0, column - 1), max(0, block.length() - 1)))
        self.setTextCursor(cursor)
        self.centerCursor()

    def line_at(self, place: QPoint) -> int:
        return self.cursorForPosition(place).blockNumber() + 1

    # ---- what is drawn with the text

    def _select(self) -> None:
        theme, marks = self.look.theme, self.marks
        chosen: list[QTextEdit.ExtraSelection] = []
        if self.editing:
            chosen.append(self._whole_line(self.textCursor().blockNumber() + 1, theme.qcolor("raised")))
        elif marks.selected and marks.selected != marks.done:
            chosen.append(self._whole_line(marks.selected, theme.qcolor("accent", 0.14)))
        if marks.done:
            chosen.append(self._whole_line(marks.done, theme.qcolor("glow")))
            span = self._part(*marks.span)
            span.format.setBackground(theme.qcolor("conflict", 0.45))
            chosen.append(span)
        for problem in self.problems:
            assert problem.span is not None
            wave = self._part(problem.span.line, problem.span.column, problem.span.length)
            wave.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wave.format.setUnderlineColor(theme.qcolor("error"))
            wave.format.setBackground(theme.qcolor("error", 0.2))
            chosen.append(wave)
        self.setExtraSelections(chosen)

    def _whole_line(self, line: int, colour: QColor) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        selection.format.setBackground(colour)
        selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        return selection

    def _part(self, line: int, column: int, length: int) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        block = self.document().findBlockByNumber(line - 1)
        cursor = QTextCursor(block)
        start = min(max(0, column - 1), max(0, block.length() - 1))
        cursor.setPosition(block.position() + start)
        end = min(block.position() + start + max(1, length), block.position() + max(0, block.length() - 1))
        cursor.setPosition(max(cursor.position(), end), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        return selection

    # ---- margin

    def margin_width(self) -> int:
        """Where the warps are, line numbers, heat."""
        return self.badge_width() + self.number_width() + self.heat_width() + 8

    def badge_width(self) -> int:
        return QFontMetrics(self.look.font("small")).horizontalAdvance("w0-3") + self.metrics().height()

    def number_width(self) -> int:
        return self.metrics().horizontalAdvance("9") * max(2, len(str(self.blockCount()))) + 6

    def heat_width(self) -> int:
        return max(6, round(self.metrics().height() * 0.4))

    def _fit_margin(self) -> None:
        self.setViewportMargins(self.margin_width(), 0, 0, 0)
        self._place_margin()

    def _place_margin(self) -> None:
        box = self.contentsRect()
        self._margin.setGeometry(QRect(box.left(), box.top(), self.margin_width(), box.height()))

    def _on_update(self, box: QRect, dy: int) -> None:
        if dy:
            self._margin.scroll(0, dy)
        else:
            self._margin.update(0, box.y(), self._margin.width(), box.height())

    def visible_blocks(self) -> list[tuple[QTextBlock, QRectF]]:
        found = []
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                break
            found.append((block, box))
            block = block.next()
        return found

    def words_at(self, line: int) -> str:
        """What hovering over a line says: problems, heat, the warps that are there."""
        words = [p.message for p in self.problems if p.span is not None and p.span.line == line]
        words += [b.words for b in self.marks.badges if b.line == line]
        if line in self.heat.words:
            words.append(self.heat.words[line])
        return "\n".join(words)

    # ---- input

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place_margin()

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
            return
        if event.key() == Qt.Key.Key_Tab and self.editing:
            self.insertPlainText("    ")
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.editing:
            line = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
            indent = line[: len(line) - len(line.lstrip())]
            self.insertPlainText("\n" + indent + ("    " if line.rstrip().endswith("{") else ""))
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(self.line_at(event.pos()))
            QToolTip.showText(event.globalPos(), words, self.viewport()) if words else QToolTip.hideText()
            return True
        return bool(super().viewportEvent(event))


def _marked(marks: SourceMarks) -> set[tuple[int, object]]:
    """The lines with something in the margin, and what."""
    return {(badge.line, badge) for badge in marks.badges} | {(marks.done, "here"), (marks.coming, "here")}


class _Margin(QWidget):
    """Which warps are at a line, its number (on a disc where there is a breakpoint), its heat."""

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._editor.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        editor, theme = self._editor, self._editor.look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.qcolor("panel"))
        badges = {badge.line: badge for badge in editor.marks.badges}
        left, width = editor.badge_width(), editor.number_width()
        for block, box in editor.visible_blocks():
            if box.bottom() < event.rect().top() or box.top() > event.rect().bottom() + 1:
                continue
            line = block.blockNumber() + 1
            share = editor.heat.share.get(line)
            if share:
                cell = QRectF(
                    self.width() - editor.heat_width() - 4, box.top() + 1, editor.heat_width(), box.height() - 2
                )
                painter.fillRect(cell, heat_colour(theme, share))
            self._paint_number(painter, line, box, left, width)
            if line in badges:
                self._paint_badge(painter, badges[line], box)

    def update_lines(self, marked: set[tuple[int, object]]) -> None:
        """Draw these lines again."""
        lines = {line for line, _ in marked}
        for block, box in self._editor.visible_blocks():
            if block.blockNumber() + 1 in lines:
                self.update(0, math.floor(box.top()) - 1, self.width(), math.ceil(box.height()) + 2)

    def _paint_number(self, painter: QPainter, line: int, box: QRectF, left: int, width: int) -> None:
        editor, theme = self._editor, self._editor.look.theme
        place = QRectF(left, box.top(), width, box.height())
        stop = line in editor.breakpoints
        if stop:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.qcolor("error"))
            painter.drawRoundedRect(place.adjusted(1, 1, 1, -1), box.height() / 2, box.height() / 2)
        here = line in (editor.marks.done, editor.marks.coming)
        painter.setFont(editor.look.font("mono_bold" if here or stop else "mono"))
        painter.setPen(theme.qcolor("on_active" if stop else "text" if here else "dim"))
        painter.drawText(
            place.adjusted(0, 0, -3, 0), int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(line)
        )

    def _paint_badge(self, painter: QPainter, badge: Badge, box: QRectF) -> None:
        """A tag that points at the line: 'w0', 'w1-3', '+4' for warps of other blocks."""
        editor, theme = self._editor, self._editor.look.theme
        tip = box.height() * 0.3
        tag = QRectF(3, box.top() + 1.5, editor.badge_width() - tip - 6, box.height() - 3)
        path = QPainterPath(tag.topLeft())
        path.lineTo(tag.topRight())
        path.lineTo(tag.right() + tip, tag.center().y())
        path.lineTo(tag.bottomRight())
        path.lineTo(tag.bottomLeft())
        path.closeSubpath()
        painter.setPen(QPen(theme.qcolor("accent" if badge.selected else "idle"), 1))
        painter.setBrush(theme.qcolor("accent" if badge.selected else "raised"))
        painter.drawPath(path)
        painter.setFont(editor.look.font("small"))
        painter.setPen(theme.qcolor("on_active" if badge.selected else "text"))
        text = painter.fontMetrics().elidedText(badge.text, Qt.TextElideMode.ElideRight, round(tag.width() + tip - 2))
        painter.drawText(tag.adjusted(2, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, text)

    def _line_at(self, y: float) -> int | None:
        found = (b.blockNumber() + 1 for b, box in self._editor.visible_blocks() if box.top() <= y < box.bottom())
        return next(found, None)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        line = self._line_at(event.position().y())
        if line is None:
            return
        badge = next((b for b in self._editor.marks.badges if b.line == line), None)
        if badge is not None and badge.warp is not None and event.position().x() < self._editor.badge_width():
            self._editor.warp_clicked.emit(badge.warp)
        else:
            self._editor.margin_clicked.emit(line)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line = self._line_at(event.pos().y())
            words = self._editor.words_at(line) if line is not None else ""
            QToolTip.showText(event.globalPos(), f"{words}\nClick the number for a breakpoint".strip(), self)
            return True
        return super().event(event)
