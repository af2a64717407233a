"""Hide the answer of a step while the class guesses, and show at P how far off the guess was."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from warpview.trace.question import Question, question, question_of_kind
from warpview.ui.moving.presenter import Presenter
from warpview.ui.panels.messages import Messages
from warpview.ui.views.context import FrameContext

LONGEST = 6  # digits of a guess


@dataclass(frozen=True)
class LessonQuestion:
    """Ask, as a page of a lesson does, about ``step``; ``kind`` is one of ``question.KINDS``, '' where no number
    answers it."""

    step: int
    kind: str = ""


class Prediction(QObject):
    """Ask one question at a time: that of a lesson while it is open, else that of the step.

    While the answer is hidden, digits enter the guess. The next step asks the next question.
    """

    changed = Signal()
    revealed = Signal(str)  # the verdict on the guess to a lesson's question, '' where there is none
    asked_again = Signal()  # the answer to a lesson's question is hidden again

    def __init__(self, presenter: Presenter, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._presenter, self._messages = presenter, messages
        self.guess = ""
        self.lesson: LessonQuestion | None = None
        self._revealed: LessonQuestion | None = None  # the page's question, once its answer is shown
        self._lesson_hides = self._hidden_by_lesson = False
        self._step = -1
        presenter.shown.connect(self._on_shown)

    @property
    def hidden(self) -> bool:
        """Return whether the views hide the answer."""
        return self._presenter.predicting

    def ask(self, asked: LessonQuestion | None, hide: bool) -> None:
        """Open the question of a lesson's page, or close it (None); ``hide``: the views hide the answer."""
        self.lesson, self._revealed, self.guess = asked, None, ""
        self._lesson_hides = hide
        if hide != self._hidden_by_lesson:  # what the user hides is left alone
            self._hidden_by_lesson = hide
            self._hide(hide)

    def toggle(self) -> None:
        """Hide the answer; or reveal it and compare the guess.

        At the step of a lesson's page, its own question is asked again.
        """
        context = self._presenter.context
        if self.lesson is not None:
            self._reveal_lesson(context)
        elif self.hidden:
            verdict = self._verdict(question(context.frame, context.program, context.device)) if context else ""
            self._end(verdict)
        elif self._revealed is not None and context is not None and context.frame.step == self._revealed.step:
            self.ask(self._revealed, self._lesson_hides)
            self.asked_again.emit()
        else:
            self._hide(True)

    def digit(self, digit: int) -> bool:
        """Add a digit to the guess; return whether the answer is hidden, so that the key was a guess."""
        if self.hidden:
            self._presenter.catch_up()  # a guess at the step before is none at this one
            self.enter(f"{self.guess}{digit}")
        return self.hidden

    def enter(self, digits: str) -> None:
        """Replace the guess by what has been typed so far."""
        self._presenter.catch_up()
        self._set(digits.lstrip("0")[:LONGEST] or digits[:1])

    def forget(self) -> bool:
        """Clear the guess; return whether there was one."""
        had = bool(self.guess)
        if had:
            self._set("")
        return had

    def words(self, context: FrameContext) -> str:
        """Return the question for the caption, with the guess so far."""
        says = f" Guess: {self.guess}." if self.guess else ""
        if self.lesson is not None and context.frame.step == self.lesson.step:
            return f"See the question in the lesson.{says} P reveals the answer."
        return f"{question(context.frame, context.program, context.device).words}{says} P reveals the answer."

    def _reveal_lesson(self, context: FrameContext | None) -> None:
        asked = self._lesson_question(context)
        verdict = "" if asked is None else self._lesson_verdict(asked)
        self.lesson, self._revealed = None, self.lesson
        self._end("" if asked is None else self._verdict(asked))
        self.revealed.emit(verdict)

    def _lesson_question(self, context: FrameContext | None) -> Question | None:
        asked = self.lesson
        if asked is None or context is None or not asked.kind or context.frame.step != asked.step:
            return None
        return question_of_kind(asked.kind, context.frame, context.program, context.device)

    def _lesson_verdict(self, asked: Question) -> str:
        if not self.guess:
            return f"It is {asked.number}."
        return f"{'✓' if int(self.guess) == asked.answer else '✗'} {asked.compare(int(self.guess))}"

    def _verdict(self, asked: Question) -> str:
        return asked.compare(int(self.guess)) if self.guess else ""

    def _end(self, verdict: str) -> None:
        self.guess, self._hidden_by_lesson = "", False
        self._hide(False)
        if verdict:
            self._presenter.present()
            self._messages.verdict(verdict)

    def _hide(self, on: bool) -> None:
        self._presenter.set_predicting(on)
        self.changed.emit()

    def _set(self, guess: str) -> None:
        self.guess = guess
        self._presenter.present()

    def _on_shown(self, context: FrameContext) -> None:
        """Drop the guess when another step is shown."""
        if context.frame.step != self._step:
            self._step = context.frame.step
            if self.guess:
                self._set("")
