"""Keep the visited places, to go back and forward as in a browser. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.session.memory_usage import NAVIGATION_BYTES
from warpview.ui.teaching.lessons import Lesson

MOST = 200  # places that are remembered, as far as NAVIGATION_BYTES go
BYTES_A_PLACE = 2000  # about, without the text


@dataclass(frozen=True)
class Visit:
    """A visit is what was looked at, and how: ``layout`` is what ``Workspace.state`` gave, ``lesson`` the open page."""

    setup: Setup
    at: Snapshot
    layout: str = "{}"
    lesson: tuple[Lesson, int] | None = None


class NavigationHistory:
    """Keep two stacks of places, one behind and one before the present one, which the caller knows."""

    def __init__(self) -> None:
        self._behind: list[Visit] = []
        self._ahead: list[Visit] = []
        self._kind = ""

    def leave(self, place: Visit, kind: str = "") -> None:
        """Record ``place`` before it is left by anything but ``back`` and ``forward``. Of several jumps of
        one ``kind`` after one another only the place before the first is kept."""
        if (not kind or kind != self._kind) and (not self._behind or self._behind[-1] != place):
            self._behind = [*self._behind, place][-MOST:]
            while self.nbytes > NAVIGATION_BYTES and self._behind:
                del self._behind[0]
        self._kind = kind
        self._ahead.clear()

    @property
    def nbytes(self) -> int:
        """Return about the bytes that the places take: the texts, each once, and the rest of each place."""
        texts = {id(visit.setup.text): len(visit.setup.text) for visit in (*self._behind, *self._ahead)}
        return sum(texts.values()) + BYTES_A_PLACE * (len(self._behind) + len(self._ahead))

    def back(self, now: Visit) -> Visit | None:
        self._kind = ""
        return _move(self._behind, self._ahead, now)

    def forward(self, now: Visit) -> Visit | None:
        self._kind = ""
        return _move(self._ahead, self._behind, now)


def _move(source: list[Visit], target: list[Visit], now: Visit) -> Visit | None:
    """Return the last place of ``source`` that is not ``now``, which goes to ``target``; None if there is none."""
    while source:
        place = source.pop()
        if place != now:
            target.append(now)
            return place
    return None
