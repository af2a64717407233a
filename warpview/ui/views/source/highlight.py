"""Highlight CUDA C++ in the editor: a line is coloured when it comes into sight.

Qt's own highlighter colours a text from end to end, which for a long one takes seconds.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextDocument

from warpview.ui.drawing.faces import format_range
from warpview.ui.drawing.theme import Theme
from warpview.ui.views.source.text import in_qt_units

KINDS = ("comment", "string", "builtin", "keyword", "type_", "number")
_KEYWORDS = """alignas break case class const constexpr continue default delete do else enum extern false for goto if
inline namespace new nullptr operator private public register restrict return signed sizeof static static_assert
static_cast reinterpret_cast struct switch template this true typedef typename union using volatile while
__restrict__ __forceinline__ __noinline__ __launch_bounds__"""
_TYPES = """auto bool char double float int long short unsigned void size_t int8_t int16_t int32_t int64_t uint8_t
uint16_t uint32_t uint64_t uchar uint ulong ushort dim3 char2 char3 char4 uchar2 uchar3 uchar4 short2 short3 short4
ushort2 ushort3 ushort4 int2 int3 int4 uint2 uint3 uint4 long2 ulong2 longlong2 ulonglong2 float2 float3 float4
double2 double3 double4"""
_BUILTINS = """threadIdx blockIdx blockDim gridDim warpSize"""

# In this order: the first that matches at a place wins.
_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<open>/\*.*)"
    r'|(?P<string>"(?:\\.|[^"\\])*"?|\'(?:\\.|[^\'\\])*\'?)'
    r"|(?P<builtin>^\s*\#\s*\w+|\b__(?:global|device|host|shared|constant|managed)__\b"
    r"|\b__(?:sync|shfl|ballot|all|any|match|reduce|activemask|popc|ffs|clz|brev|ldg|threadfence)\w*\b"
    r"|\batomic[A-Z]\w*\b|\b(?:" + "|".join(_BUILTINS.split()) + r")\b)"
    r"|(?P<keyword>\b(?:" + "|".join(_KEYWORDS.split()) + r")\b)"
    r"|(?P<type_>\b(?:" + "|".join(_TYPES.split()) + r")\b)"
    r"|(?P<number>\b(?:0[xX][0-9a-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[uUlLfF]*\b)"
)
ONE_BY_ONE = 200  # lines of a change that are marked; after a larger one all are coloured anew


class SourceToken(NamedTuple):
    """Mark ``length`` characters from ``start`` on; ``kind`` is one of KINDS, and the colour that it has."""

    start: int
    length: int
    kind: str


def tokens(line: str, in_comment: bool) -> tuple[list[SourceToken], bool]:
    """Return the coloured tokens of a line that begins within a comment or not, and whether the next one does."""
    found, start = [], 0
    if in_comment:
        end = line.find("*/")
        start = len(line) if end < 0 else end + 2
        found.append(SourceToken(0, start, "comment"))
        if end < 0:
            return found, True
    for match in _TOKENS.finditer(line, start):
        kind = match.lastgroup or ""
        found.append(SourceToken(match.start(), len(match.group()), "comment" if kind == "open" else kind))
        if kind == "open":
            return found, True
    return found, False


def next_in_comment(line: str, in_comment: bool) -> bool:
    """Return whether the line after this one begins within a comment."""
    if "*/" not in line and (in_comment or "/*" not in line):
        return in_comment
    return tokens(line, in_comment)[1]


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
