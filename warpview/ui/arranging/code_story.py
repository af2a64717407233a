"""Tell what the compiler did to a kernel, statement by statement; a click on a line selects it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QTextBrowser

from warpview.run.code_comparison import CodeChange
from warpview.ui.drawing.theme import Look

NOTHING = "The run shows no loop, branch, array, load, division or atomic that the compiler changed."
WIDTH = 200  # pixels at normal type, at least


class CodeStory(QTextBrowser):
    """List the changes in the order of their lines, with the selected one marked."""

    line_wanted = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.changes: tuple[CodeChange, ...] = ()  # that are told
        self._line = 0
        self.setAccessibleName("What the compiler did")
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys go on stepping
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.anchorClicked.connect(self._on_anchor)

    def show_changes(self, changes: Sequence[CodeChange]) -> None:
        """Tell these changes."""
        self.changes, self._line = tuple(changes), 0
        self.restyle()

    def select(self, line: int | None) -> None:
        """Mark the changes of a source line and bring the first into sight."""
        if (line or 0) != self._line:
            self._line = line or 0
            self._fill()
            if any(change.line == self._line for change in self.changes):
                self.scrollToAnchor(f"line{self._line}")

    def next_line(self, line: int | None) -> int | None:
        """Return the next line with a change, wrapping around at the end; None where there is none."""
        lines = sorted({change.line for change in self.changes})
        return next((each for each in lines if each > (line or 0)), lines[0] if lines else None)

    def restyle(self) -> None:
        """Take over type and colours."""
        self.setFont(self._look.font("text"))
        self.setMinimumWidth(self._look.px(WIDTH))
        self._fill()

    def _fill(self) -> None:
        parts = [self._paragraph(change) for change in self.changes]
        self.setHtml("".join(parts) or f"<p>{NOTHING}</p>")

    def _paragraph(self, change: CodeChange) -> str:
        theme = self._look.theme
        ground = f"background:{theme.glow};" if change.line == self._line else ""
        words = "".join(
            f"<code>{escape(part)}</code>" if n % 2 else escape(part) for n, part in enumerate(change.words.split("`"))
        )
        link = f"<a name='line{change.line}' href='{change.line}' style='color:{theme.accent}'>line {change.line}</a>"
        mark = "▸ " if ground else ""
        return (
            f"<p style='margin:2px 4px 10px 2px;{ground}'>{mark}{link} · <b>{escape(change.kind)}</b><br>{words}.</p>"
        )

    def _on_anchor(self, url: QUrl) -> None:
        self.line_wanted.emit(int(url.toString()))
