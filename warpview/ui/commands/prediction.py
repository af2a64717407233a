"""Prediction: the answer of each step is hidden, the hall guesses, and P shows how far off the guess was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.trace.question import question
from warpview.ui.views.context import FrameContext

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

LONGEST = 6  # digits of a guess


class Prediction:
    """While the answer is hidden, digits are a guess. The next step asks the next question."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window
        self._step = -1
        window.presenter.shown.connect(self._on_shown)

    def toggle(self) -> None:
        """P: hide the answer, or show it and compare the guess."""
        presenter, context, guess = self._w.presenter, self._w.presenter.context, self._w.caption.guess
        revealed = presenter.predicting
        if revealed and context is not None:
            self._w.lessons.judge(context, guess)
        presenter.set_predicting(not revealed)
        self._say("")
        if revealed and guess and context is not None:
            self._w.caption.notice(f"{self._verdict(context, int(guess))} {self._w.caption.text}")
        self._w.sync()

    def digit(self, digit: int) -> bool:
        """A key from 0 to 9; whether it was part of a guess."""
        if not self._w.presenter.predicting:
            return False
        guess = self._w.caption.guess
        self.guess(f"{guess}{digit}")
        return True

    def guess(self, digits: str) -> None:
        """What is typed so far."""
        self._say(digits.lstrip("0")[:LONGEST] or digits[:1])

    def forget(self) -> bool:
        """Take the guess back; whether there was one."""
        if not self._w.caption.guess:
            return False
        self._say("")
        return True

    def _say(self, guess: str) -> None:
        self._w.caption.guess = guess
        self._w.presenter.present()

    def _verdict(self, context: FrameContext, guess: int) -> str:
        if context.frame.step == self._w.caption.asked_elsewhere:
            asked = self._w.lessons.question(context)
            return asked.compare(guess) if asked is not None else f"You said {guess}."
        return question(context.frame, context.program, context.device).compare(guess)

    def _on_shown(self, context: FrameContext) -> None:
        """A guess is about one step."""
        if context.frame.step != self._step:
            self._step = context.frame.step
            if self._w.caption.guess:
                self._say("")
