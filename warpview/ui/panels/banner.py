"""Show problems in the banner: what went wrong, where, and what to do; one at a time, to be gone through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton

from warpview.diagnostics import Diagnostic
from warpview.ui.drawing.controls import push_button, small_button
from warpview.ui.drawing.faces import cut
from warpview.ui.drawing.panel import Panel
from warpview.ui.panels.sentence import sentence

BRIEF_LINES = 2  # at most
MARGINS, BRIEF_MARGINS = (12, 6, 8, 6), (12, 0, 8, 0)
Choice = tuple[str, Callable[[], object]]  # what a button says and does


class Banner(Panel):
    """Show one problem at a time, or nothing. ``place_wanted`` asks for the line and column of a problem to be edited,
    ``place_shown`` for them to be in sight."""

    place_wanted = Signal(int, int)
    place_shown = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.set_edge(QPalette.ColorRole.BrightText, 2)
        self.problems: tuple[Diagnostic, ...] = ()
        self.at = 0
        self._brief = False
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.words.linkActivated.connect(self._follow)
        self.count = QLabel()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(*MARGINS)
        row.addWidget(self.words, 1)
        self._buttons: list[QPushButton] = []  # the choices
        self.previous = self._tool("◀", "Previous problem (Shift+F8)", lambda: self.step(False))
        row.addWidget(self.count)
        self.next = self._tool("▶", "Next problem (F8)", lambda: self.step(True))
        self._tool("✕", "Close the message (Esc)", self.close_banner)
        self.hide()

    def _tool(self, text: str, tip: str, does: Callable[[], object]) -> QToolButton:
        button = small_button(text, tip, does)
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        return button

    def set_brief(self, on: bool) -> None:
        """Say a problem without the hint, and all of it on hover: a low window has no room for more above its views."""
        if on != self._brief:
            self._brief = on
            self.words.setSizePolicy(
                QSizePolicy.Policy.Ignored if on else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred
            )
            self._row.setContentsMargins(*(BRIEF_MARGINS if on else MARGINS))
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if self._brief:
            self._row.activate()
            self._show()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Show the words anew in another theme: their link keeps the colour that it had when they were set."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.words.clear()
            self._show()

    def show_problems(self, problems: Sequence[Diagnostic], choices: Sequence[Choice] = ()) -> None:
        """Show the first problem; with ``choices`` there are buttons, each of which also closes the banner."""
        self.problems, self.at = tuple(problems), 0
        while self._buttons:
            self._buttons.pop().deleteLater()
        for text, does in choices:
            button = push_button(text, "", partial(self._choose, does))
            self._row.insertWidget(1 + len(self._buttons), button)
            self._buttons.append(button)
        several = len(self.problems) > 1
        for widget in (self.previous, self.count, self.next):
            widget.setVisible(several)
        self._show()
        self.setVisible(bool(self.problems))

    def _choose(self, does: Callable[[], object]) -> None:
        self.close_banner()
        does()

    def step(self, forward: bool) -> None:
        """Go to the next or previous problem, wrapping around at the ends."""
        if self.problems:
            self.at = (self.at + (1 if forward else -1)) % len(self.problems)
            self._show()
            span = self.problems[self.at].span
            if span is not None and span.line:
                self.place_shown.emit(span.line, span.column)

    def withhold(self, on: bool) -> None:
        """Hide what a run has found while a lesson asks about it, or show it again."""
        if not self.shows_error:
            self.setVisible(bool(self.problems) and not on)

    def select(self, problem: Diagnostic) -> None:
        """Show one of the problems in place of another; leave the banner as it is where it has another text."""
        if problem in self.problems:
            self.at = self.problems.index(problem)
            self._show()

    def _show(self) -> None:
        if not self.problems:
            return
        problem = self.problems[self.at]
        words, place = sentence(problem.message), ""
        if problem.span is not None and problem.span.line:
            place = f"line {problem.span.line}" + ("" if self._brief else f", column {problem.span.column}")
            place = f" — <a href='{problem.span.line}:{problem.span.column}'>{place}</a>"
        said = f"⚠ <b>{escape(words)}</b>{place}"
        if problem.hint:
            said += f"<br>{escape(problem.hint)}"
        said = said.replace("\n", "<br>")
        self.words.setToolTip(said if self._brief else "")
        self.words.setText(f"⚠ <b>{escape(self._fitting(words, place))}</b>{place}" if self._brief else said)
        self.words.setAccessibleName(words)
        self.count.setText(f"{self.at + 1} of {len(self.problems)}")

    def _fitting(self, words: str, place: str) -> str:
        """Return as much of the words as fits into so many lines before the place."""
        beside = "⚠  " + QTextDocumentFragment.fromHtml(place).toPlainText()
        text = " ".join(words.split())
        broken = (BRIEF_LINES - 1) * max(text.split(), key=len, default="")  # what the ends of lines may leave empty
        return cut(text, self.words.font(), BRIEF_LINES * self.words.width(), bold=True, beside=beside + broken)

    def _follow(self, link: str) -> None:
        line, _, column = link.partition(":")
        self.place_wanted.emit(int(line), int(column))

    @property
    def shows_error(self) -> bool:
        """Return whether an error is shown, and not only findings of a run."""
        return any(problem.severity == "error" for problem in self.problems)

    def close_banner(self) -> None:
        self.show_problems(())
