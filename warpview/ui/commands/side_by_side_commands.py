"""Set another run beside the one shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.search_model import SearchEntry
from warpview.ui.moving.player import Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import Setup
from warpview.ui.session.landing import Arrival
from warpview.ui.session.problems import diagnostics_of
from warpview.ui.session.session import Session
from warpview.ui.session.side_setups import names_of, side_setups
from warpview.ui.views.context import FrameContext, RunLike

Offer = Callable[[str, Iterable[SearchEntry]], object]


class SideBySideCommands:
    """Offer runs to choose from, simulate the one chosen, and keep the page at the step that is selected.

    While the page is shown, the arrow keys go from access to access; before and after they do what they did.
    """

    def __init__(
        self, session: Session, player: Player, presenter: Presenter, pages: Pages, messages: Messages, offer: Offer
    ) -> None:  # fmt: skip
        self._session, self._player, self._presenter = session, player, presenter
        self._pages, self._messages, self._offer = pages, messages, offer
        self._mode_before = ""  # what one step was before the page was shown
        presenter.shown.connect(self._on_shown)
        session.run_changed.connect(self._on_run)
        pages.currentChanged.connect(lambda _: self._on_page())

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {"side_by_side": self.choose}

    def choose(self) -> None:
        """Offer the runs that can stand beside this one."""
        if self._session.run is None:
            self._messages.notice("There is no run yet.")
            return
        entries = [
            SearchEntry(
                choice.kind, choice.title, partial(self.start, choice.setup), choice.detail, choice.setup.device
            )
            for choice in side_setups(self._session)
        ]
        self._offer("The run to step beside this one: the run before, a kernel, a device", entries)

    def start(self, setup: Setup) -> None:
        """Simulate a setup in the worker and show its run beside the one shown."""
        session = self._session
        session.runner.submit_after(
            lambda progress: session.backend.trace(setup, progress),
            partial(self._show, setup),
            lambda problem: self._messages.problems(diagnostics_of(problem)),
        )

    def _show(self, setup: Setup, run: RunLike) -> None:
        session, context = self._session, self._presenter.context
        if context is None or session.shown is None:
            return
        names = names_of(session, session.shown), names_of(session, setup)
        self._pages.side_by_side.show_runs(context, run, names)
        if not self._pages.beside:
            self._mode_before = self._player.mode
            self._pages.show_side_by_side()
            self._player.set_mode("access")

    def _on_shown(self, context: FrameContext) -> None:
        if self._pages.beside:
            self._pages.side_by_side.show_context(context)

    def _on_run(self, arrival: Arrival) -> None:
        if self._pages.beside:
            self._pages.side_by_side.set_names(names_of(self._session, arrival.setup))

    def _on_page(self) -> None:
        if not self._pages.beside and self._mode_before:
            if self._player.mode == "access":
                self._player.set_mode(self._mode_before)
            self._mode_before = ""
            self._pages.side_by_side.clear()
