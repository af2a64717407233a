"""Ask about a launch that will take long: the worker asks, the window answers."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from warpview.sim.estimate.sampling import about
from warpview.sim.launch import Cancelled
from warpview.ui.session.runner import Runner

POLL_SECONDS = 0.05
SHARES = (1.0, 0.1, 0.01)
Choose = Callable[[str, str, list[str]], str | None]


def choices(seconds: float) -> list[str]:
    """Return what can be answered about a launch of so many seconds, one text for each of SHARES."""
    samples = (f"A sample of {100 * share:g} % of the blocks, about {about(seconds * share)}" for share in SHARES[1:])
    return [f"All blocks, about {about(seconds)}", *samples]


class _Question:
    """Hold a launch to be asked about; ``share`` is None where it is not to be executed."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.share: float | None = None
        self.answered = threading.Event()


class LongLaunchQuestion(QObject):
    """Ask in the window's thread for the worker's decision. ``choose`` shows a title, words and choices."""

    _asked = Signal(object)

    def __init__(self, runner: Runner, choose: Choose, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._choose = runner, choose
        self._asked.connect(self._show)

    def ask(self, seconds: float) -> float:
        """Return the share of the blocks to execute, in the worker's thread; raises Cancelled."""
        question = _Question(seconds)
        self._asked.emit(question)
        while not question.answered.wait(POLL_SECONDS):
            if self._runner.is_job_cancelled:
                raise Cancelled
        if question.share is None:
            raise Cancelled
        return question.share

    @Slot(object)
    def _show(self, question: _Question) -> None:
        if self._runner.busy:
            shown = choices(question.seconds)
            words = (
                "This launch takes a long time. A sample of its blocks gives estimated counters and incomplete results."
            )
            choice = self._choose("A long launch", words, shown)
            if choice is None:
                self._runner.cancel()
            else:
                question.share = SHARES[shown.index(choice)]
        question.answered.set()
