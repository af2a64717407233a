"""Paint the text of the editor: its background and, while it is only read, the text itself.

What is read changes at every step, a line or two of it. Qt asks for the place of every line in sight before it paints
one, and for more of them where parts are marked, which takes longer than all else; here the lines that have changed are
painted where they are known to be. Whoever edits sees what Qt paints, with its cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout

from warpview.ui.views.source_parts import Part
from warpview.ui.views.visible_lines import Line

if TYPE_CHECKING:
    from warpview.ui.views.source_editor import SourceEditor

_CONTINUED = "↪"
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def paint_bands(painter: QPainter, editor: SourceEditor) -> None:
    """Paint the colours behind whole lines."""
    width = editor.viewport().width()
    for number, colour in editor.bands():
        line = editor.visible_lines.line(number)
        if line is not None:
            painter.fillRect(QRectF(0, line.top, width, line.shape.height), colour)


def paint_continued(painter: QPainter, editor: SourceEditor, lines: Sequence[Line]) -> None:
    """Paint an arrow before every row that continues a line."""
    rows = [row.translated(0, line.top) for line in lines for row in line.shape.more]
    if rows:
        painter.setFont(editor.face("small").font)
        painter.setPen(editor.look.theme.qcolor("dim"))
        for row in rows:
            painter.drawText(QRectF(0, row.top(), row.left() - 3, row.height()), _RIGHT, _CONTINUED)


def paint_text(painter: QPainter, editor: SourceEditor, lines: Sequence[Line], parts: Sequence[Part]) -> None:
    """Paint the text itself, with ``parts`` of it marked beside those that the editor marks anyway."""
    context = editor.getPaintContext()
    marked = [  # with formats of their own: those of the context's parts go when the parts do
        (part.cursor.selectionStart(), part.cursor.selectionEnd(), QTextCharFormat(part.format))
        for part in (*parts, *cast("list[Part]", context.selections))
    ]
    painter.setPen(context.palette.text().color())
    left = editor.contentOffset().x()
    for line in lines:
        ranges = _ranges(line, marked)
        line.block.layout().draw(painter, QPointF(left, line.top), ranges)


def _ranges(line: Line, marked: Sequence[tuple[int, int, QTextCharFormat]]) -> list[QTextLayout.FormatRange]:
    """Return the marked ranges of a line, in its own characters."""
    start, length, found = line.block.position(), line.block.length(), []
    for first, last, format_ in marked:
        if first < start + length and last > start and last > first:
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = first - start, last - first, format_
            found.append(part)
    return found
