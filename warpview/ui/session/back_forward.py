"""Go back and forward in the window: record the place before every change that leaves it, and restore places."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from warpview.ui.arranging.workspace import Workspace
from warpview.ui.drawing.values import thousands
from warpview.ui.moving.player import Player
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import Setup
from warpview.ui.session.landing import Landing
from warpview.ui.session.navigation_history import NavigationHistory, Visit
from warpview.ui.session.session import Session
from warpview.ui.teaching.lesson_reader import LessonReader


class BackForward(QObject):
    """Go back and forward (Alt+← and Alt+→)."""

    def __init__(
        self, session: Session, selection: Selection, player: Player, workspace: Workspace, lessons: LessonReader,
        messages: Messages,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._selection, self._player = session, selection, player
        self._workspace, self._lessons, self._messages = workspace, lessons, messages
        self._history = NavigationHistory()
        self._restoring = False
        session.departing.connect(self._on_departing)
        lessons.leaving.connect(self.leave)

    @property
    def nbytes(self) -> int:
        """Return about how many bytes the history takes."""
        return self._history.nbytes

    def clear(self) -> None:
        """Forget all places."""
        self._history = NavigationHistory()

    def leave(self, kind: str = "") -> None:
        """Record the present place before a change; ``kind`` as in ``NavigationHistory.leave``."""
        if not self._restoring:
            self._session.leaving.emit()
            self._history.leave(self._now(self._session.setup), kind)

    def leaving(self, kind: str, does: Callable[[], object]) -> Callable[[], object]:
        """Return a function that records the present place and then calls ``does``."""

        def run() -> object:
            self.leave(kind)
            return does()

        return run

    def back(self) -> None:
        """Return to the place before."""
        self._session.leaving.emit()
        self._show(self._history.back(self._now(self._session.setup)), "Back", "Alt+→ goes forward again.")

    def forward(self) -> None:
        """Undo ``back``."""
        self._session.leaving.emit()
        self._show(self._history.forward(self._now(self._session.setup)), "Forward", "Alt+← goes back.")

    def _now(self, setup: Setup) -> Visit:
        return Visit(setup, self._selection.now, self._workspace.state(), self._lessons.open_page)

    def _on_departing(self, setup: Setup) -> None:
        if not self._restoring:
            self._history.leave(self._now(setup))

    def _show(self, place: Visit | None, way: str, reverse: str) -> None:
        if place is None:
            self._messages.notice(f"There is nothing to go {way.lower()} to.")
            return
        self._player.pause()
        device = self._session.catalogue.device_name(place.setup.device)
        variant = self._session.catalogue.find(place.setup.variant)
        kernel = variant.title if variant is not None else place.setup.file_name
        words = f"{way}: {kernel} on {device}, step {thousands(place.at.step)}. {reverse}"
        self._restoring = True
        try:
            self._restore(place, words)
        finally:
            self._restoring = False

    def _restore(self, place: Visit, words: str) -> None:
        if place.layout != self._workspace.state():
            self._workspace.set_state(place.layout)
        if place.lesson is None:
            self._lessons.close()
        elif place.lesson != self._lessons.open_page:
            self._lessons.open(*place.lesson)
        run = self._session.run
        if place.setup == self._session.setup and self._session.current and run is not None:
            self._selection.update(**{**vars(place.at), "step": min(place.at.step, run.trace.steps)})
            self._messages.notice(words)
        else:
            self._session.open_setup(place.setup, Landing(place.at, words))
