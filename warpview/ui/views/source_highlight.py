"""CUDA C++ highlighting for the editor."""

from __future__ import annotations

import re

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from warpview.ui.drawing.theme import Theme

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
_IN_COMMENT = 1
AT_ONCE, SLICE = 1000, 100  # lines


class CudaHighlighter(QSyntaxHighlighter):
    """Colours by the theme; comments that span lines carry over."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self._theme: Theme | None = None
        self._coloured: int | None = None  # so many lines; None: all
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """The colours of a theme; nothing is done where they are so already."""
        if theme is self._theme:
            return
        self._theme = theme
        for token in ("comment", "string", "builtin", "keyword", "type_", "number"):
            format_ = QTextCharFormat()
            format_.setForeground(theme.qcolor(token))
            if token in ("keyword", "builtin"):
                format_.setFontWeight(QFont.Weight.DemiBold)
            format_.setFontItalic(token == "comment")
            self._formats[token] = format_
        self._formats["open"] = self._formats["comment"]
        self.expect(self.document().blockCount())
        if self._coloured is None:
            self.rehighlight()

    def expect(self, lines: int) -> None:
        """A text of so many lines is about to come, or to be coloured again. A long one is coloured piece by piece:
        all at once would stop the window."""
        self._coloured = 0 if lines > AT_ONCE else None
        if self._coloured is None:
            self._timer.stop()
        else:
            self._timer.start()

    def _go_on(self) -> None:
        start = self._coloured or 0
        self._coloured = start + SLICE
        block = self.document().findBlockByNumber(start)
        for _ in range(SLICE):
            if not block.isValid():
                self._coloured = None
                self._timer.stop()
                return
            self.rehighlightBlock(block)
            block = block.next()

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        start = 0
        self.setCurrentBlockState(0)
        if self._coloured is not None and self.currentBlock().blockNumber() >= self._coloured:
            return
        if self.previousBlockState() == _IN_COMMENT:
            end = text.find("*/")
            if end < 0:
                self.setCurrentBlockState(_IN_COMMENT)
                self.setFormat(0, len(text), self._formats["comment"])
                return
            start = end + 2
            self.setFormat(0, start, self._formats["comment"])
        for match in _TOKENS.finditer(text, start):
            kind = match.lastgroup or ""
            self.setFormat(match.start(), match.end() - match.start(), self._formats[kind])
            if kind == "open":
                self.setCurrentBlockState(_IN_COMMENT)
