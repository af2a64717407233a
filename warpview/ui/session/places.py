"""Back and forward: what the window does with its trail."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warpview.ui.drawing.values import thousands
from warpview.ui.session.backend import Setup
from warpview.ui.session.trail import Trail, Visit
from warpview.ui.teaching.lessons import Lesson

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow


class Places:
    """Remembers the place before everything that leads away from it, and brings places back."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window
        self._trail = Trail()
        self._restoring = False
        window.session.departing.connect(self._on_departing)
        window.session.failed.connect(lambda _: self.forget_landing())

    @property
    def nbytes(self) -> int:
        return self._trail.nbytes

    def leave(self, kind: str = "") -> None:
        """Call before a change that the user may want undone; ``kind`` as in ``Trail.leave``."""
        if not self._restoring:
            self._trail.leave(self._now(), kind)

    def leaving(self, kind: str, does: Callable[[], object]) -> Callable[[], object]:
        """``does``, after this place has been remembered."""

        def run() -> object:
            self.leave(kind)
            return does()

        return run

    def back(self) -> None:
        self._show(self._trail.back(self._now()), "Back", "Alt+→ goes forward again.")

    def forward(self) -> None:
        self._show(self._trail.forward(self._now()), "Forward", "Alt+← goes back.")

    def forget_landing(self) -> None:
        """The run that was to be shown at a certain place, and with certain words, does not come."""
        self._w.landing, self._w.after_run = None, ""

    def _lesson(self) -> tuple[Lesson, int] | None:
        lessons = self._w.lessons
        return (lessons.lesson, lessons.number) if lessons.lesson is not None else None

    def _now(self) -> Visit:
        w = self._w
        w.source.announce_edit()
        return Visit(w.session.setup, w.selection.now, w.stage.state(), self._lesson())

    def _on_departing(self, setup: Setup) -> None:
        # A lesson's page was left before it was turned.
        if not self._restoring and not self._w.lessons.turning:
            self._trail.leave(Visit(setup, self._w.selection.now, self._w.stage.state(), self._lesson()))

    def _show(self, place: Visit | None, way: str, reverse: str) -> None:
        w = self._w
        if place is None:
            w.say(f"There is nothing to go {way.lower()} to.")
            return
        w.player.pause()
        self._restoring = True
        try:
            self._restore(place)
        finally:
            self._restoring = False
        device = next((d.name for d in w.session.devices if d.key == place.setup.device), place.setup.device)
        w.say_after_run(f"{way}: {w.session.variant.title} on {device}, step {thousands(place.at.step)}. {reverse}")

    def _restore(self, place: Visit) -> None:
        w = self._w
        if place.layout != w.stage.state():
            w.stage.set_state(place.layout)
        if place.lesson is None:
            w.lessons.close()
        elif place.lesson != self._lesson():
            w.lessons.open(*place.lesson)
        run = w.session.run
        if place.setup == w.session.setup and run is not None and not w.runner.busy:
            w.selection.update(**{**vars(place.at), "step": min(place.at.step, run.trace.steps)})
        else:
            w.landing = place.at
            w.session.open_setup(place.setup)
