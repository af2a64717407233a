"""Mark parts of lines in the editor: what was executed, errors, what was found, brackets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from warpview.diagnostics import Diagnostic
from warpview.frontend.preprocess.operators import BRACKETS, OPENINGS
from warpview.ui.drawing.theme import Theme
from warpview.ui.views.source.text import SEARCHED, in_qt_units, partner

Part = QTextEdit.ExtraSelection


def executed(document: QTextDocument, span: tuple[int, int, int], theme: Theme) -> list[Part]:
    """Return the expression just executed: line and column, from 1, and length."""
    part = _of_line(document, *span)
    part.format.setBackground(theme.qcolor("conflict", 0.45))
    return [part]


def wrong(document: QTextDocument, problems: Iterable[Diagnostic], theme: Theme) -> list[Part]:
    """Return the places of problems, underlined by a wave."""
    parts = []
    for problem in problems:
        assert problem.span is not None
        part = _of_line(document, problem.span.line, problem.span.column, problem.span.length)
        part.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        part.format.setUnderlineColor(theme.qcolor("error"))
        part.format.setBackground(theme.qcolor("error", 0.2))
        parts.append(part)
    return parts


def found(document: QTextDocument, places: Sequence[tuple[int, int]], theme: Theme) -> list[Part]:
    """Return the matches of a search, tinted; ``places`` are their starts and lengths in Qt's units."""
    parts = [_stretch(document, start, length) for start, length in places]
    for part in parts:
        part.format.setBackground(theme.qcolor("accent", 0.25))
    return parts


def brackets(document: QTextDocument, cursor: int, theme: Theme) -> list[Part]:
    """Return the bracket beside the cursor and its partner, if it has one."""
    at = next(
        (n for n in (cursor, cursor - 1) if n >= 0 and document.characterAt(n) in BRACKETS.keys() | OPENINGS), None
    )
    if at is None:
        return []
    start = max(0, at - SEARCHED)
    around = _cursor(document, start, min(at + SEARCHED, document.characterCount() - 1))
    other = partner(in_qt_units(around.selectedText()), at - start)
    parts = [] if other is None else [_stretch(document, at, 1), _stretch(document, start + other, 1)]
    for part in parts:
        part.format.setFontUnderline(True)
        part.format.setBackground(theme.qcolor("accent", 0.3))
    return parts


def _of_line(document: QTextDocument, line: int, column: int, length: int) -> Part:
    block = document.findBlockByNumber(line - 1)
    last = max(0, block.length() - 1)
    start = min(max(0, column - 1), max(0, last - 1))  # what is missing at the end is marked at the last character
    return _stretch(document, block.position() + start, min(max(1, length), last - start))


def _stretch(document: QTextDocument, start: int, length: int) -> Part:
    part = Part()
    part.cursor = _cursor(document, start, start + length)
    return part


def _cursor(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor
