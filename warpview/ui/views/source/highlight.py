"""Highlight CUDA C++ in the editor: a line is coloured when it comes into sight.

Qt's own highlighter colours a text from end to end, which for a long one takes seconds.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument

from warpview.ui.drawing.faces import format_range
from warpview.ui.drawing.theme import Theme
from warpview.ui.views.source.text import in_qt_units
from warpview.ui.views.source.tokens import KINDS, next_in_comment, tokens

ONE_BY_ONE = 200  # lines of a change that are marked; after a larger one all are coloured anew


class CudaHighlighter(QObject):
    """Colour by the theme; comments that span lines carry over. What a line was coloured with is kept as its state: the
    look, and whether it begins within a comment."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._document = document
        self._formats: dict[str, QTextCharFormat] = {}
        self._theme: Theme | None = None
        self._look = 0  # counts the themes, and the changes that are too large to follow
        self._in_comment = [False]  # of each line from the first on, as far as that is known
        document.contentsChange.connect(self._on_change)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of a theme; nothing is done where they are so already."""
        if theme is self._theme:
            return
        self._theme = theme
        self._look += 1
        for kind in KINDS:
            format_ = QTextCharFormat()
            format_.setForeground(theme.qcolor(kind))
            if kind in ("keyword", "builtin"):
                format_.setFontWeight(QFont.Weight.DemiBold)
            format_.setFontItalic(kind == "comment")
            self._formats[kind] = format_

    def colour(self, block: QTextBlock) -> bool:
        """Colour a line that is about to be seen; return False where it has these colours already."""
        in_comment = self._begins_in_comment(block.blockNumber())
        state = 2 * self._look + in_comment
        layout = block.layout()
        if block.userState() == state or layout.preeditAreaText():  # what is being composed has marks of its own
            return False
        found = tokens(in_qt_units(block.text()), in_comment)[0]
        layout.setFormats([format_range(token.start, token.length, self._formats[token.kind]) for token in found])
        block.setUserState(state)
        # Else the document would take this for a part of the next edit.
        self._document.markContentsDirty(block.position(), block.length())
        return True

    def _begins_in_comment(self, number: int) -> bool:
        known = self._in_comment
        block = self._document.findBlockByNumber(len(known) - 1)
        while len(known) <= number:
            known.append(next_in_comment(block.text(), known[-1]))
            block = block.next()
        return known[number]

    def _on_change(self, position: int, _removed: int, added: int) -> None:
        """Forget the state of the lines from a changed text on, which may be wrong now."""
        block = self._document.findBlock(position)
        last = self._document.findBlock(position + added)
        del self._in_comment[block.blockNumber() + 1 :]
        if not last.isValid() or last.blockNumber() - block.blockNumber() > ONE_BY_ONE:
            self._look += 1
            return
        while block.isValid() and block.blockNumber() <= last.blockNumber():
            block.setUserState(-1)
            block = block.next()
