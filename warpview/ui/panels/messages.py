"""Show messages to the user: a notice in the caption, or problems in the banner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from warpview.diagnostics import Diagnostic
from warpview.ui.panels.banner import Banner, Choice
from warpview.ui.panels.caption import Caption


class Messages(QObject):
    """Show the messages of all commands. ``problems_shown`` carries the list of diagnostics in the banner."""

    problems_shown = Signal(object)

    def __init__(self, caption: Caption, banner: Banner, catch_up: Callable[[], None], parent: QObject) -> None:
        """``catch_up`` shows the selected step, so that its sentence does not replace the notice."""
        super().__init__(parent)
        self._caption, self._banner, self._catch_up = caption, banner, catch_up

    def notice(self, words: str) -> None:
        """Show a sentence in the caption for some seconds, or until the next step."""
        self._catch_up()
        self._caption.notice(words)

    def verdict(self, words: str) -> None:
        """Show the verdict on a guess before the sentence of the step."""
        self._caption.notice(f"{words} {self._caption.text}")

    def problems(self, problems: Sequence[Diagnostic], choices: Sequence[Choice] = ()) -> None:
        """Show diagnostics in the banner, one at a time, with ``choices`` as buttons."""
        self._banner.show_problems(problems, choices)
        self.problems_shown.emit(list(problems))

    def withhold(self, on: bool) -> None:
        """Hide what a run has found while a lesson asks about it, or show it again."""
        self._banner.withhold(on)

    def problem(self, words: str, hint: str = "") -> None:
        """Show one error that has no place in the source."""
        self.problems([Diagnostic(words, hint=hint)])
