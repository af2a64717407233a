"""Tell about the chosen kernel while the simulator is compiled and there is no run of it to show."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QObject, Qt, QTimer

from warpview.ui.drawing.values import thousands
from warpview.ui.panels.caption import Caption
from warpview.ui.session.backend import Setup, Variant
from warpview.ui.session.session import Session

LOOK_AFTER_MS = 300  # an ordinary run is there by then
READ_MS = 5000  # for a sentence
MOST_LETTERS = 110
WARP = 32
NOTHING = "Nothing has run yet: F5 compiles and runs the source."
NO_LAUNCH = "Nothing has run yet: Ctrl+F5 runs the program, which launches its kernels."
KEYS = (
    "→ will step the selected warp, Shift+→ whichever warp comes next.",
    "D will go to the next divergence, C to the next bank conflict, G to the next uncoalesced global access.",
)


class Meanwhile(QObject):
    """Say one sentence after another in the caption until there is a run."""

    def __init__(self, session: Session, caption: Caption) -> None:
        super().__init__(session)
        self._session, self._caption = session, caption
        self._said = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._say_next)
        # Queued: when the worker comes to rest its result is still to be shown.
        session.runner.busy_changed.connect(self._on_busy, Qt.ConnectionType.QueuedConnection)
        session.variant_changed.connect(lambda _: self._begin_again())

    def _on_busy(self, busy: bool) -> None:
        if busy and self._session.run is None:
            self._timer.start(LOOK_AFTER_MS)
            return
        self._timer.stop()
        if self._session.run is None and not self._session.runner.busy:  # it failed
            self._caption.show_waiting(NO_LAUNCH if self._session.variant.is_program else NOTHING)

    def _begin_again(self) -> None:
        """Tell about the kernel that has just been chosen, from its first sentence on."""
        self._said = 0
        if self._timer.isActive():
            self._timer.start(LOOK_AFTER_MS)

    def _say_next(self) -> None:
        session = self._session
        if session.run is not None:
            self._timer.stop()
        elif session.backend.is_compiling:
            about = sentences(session.variant, session.setup)
            self._caption.show_waiting(about[self._said % len(about)])
            self._said += 1
            self._timer.setInterval(READ_MS)


def sentences(variant: Variant, setup: Setup) -> list[str]:
    """Return what a kernel teaches and its launch, a sentence at a time; of a user's file the launch and some keys."""
    threads, blocks = math.prod(setup.block), math.prod(setup.grid)
    warps = -(-threads // WARP)
    shape = f"{_number(blocks, 'block')} of {_number(threads, 'thread')}"
    launch = f"The launch: {shape}, {_number(warps, 'warp')} of {WARP} lanes in each."
    taught = [each for text in (variant.teaches, *variant.look_at.splitlines()) for each in _split(text)]
    return [*taught, launch] if taught else [launch, *KEYS]


def _split(text: str) -> list[str]:
    """Return the sentences of a text that is too long for the caption beside the progress; else the text."""
    if len(text) <= MOST_LETTERS:
        return [text] if text else []
    return re.split(r"(?<=[.?!]) (?=[A-Z])", text)


def _number(count: int, noun: str) -> str:
    return f"{thousands(count)} {noun}{'' if count == 1 else 's'}"
