"""Set another run beside the one shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.side_by_side_model import changes_between
from warpview.ui.commands.search_model import SearchEntry
from warpview.ui.moving.player import NO_RUN, Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import Setup
from warpview.ui.session.file_kinds import is_machine_code
from warpview.ui.session.landing import Arrival
from warpview.ui.session.problems import diagnostics_of
from warpview.ui.session.session import Session
from warpview.ui.session.side_setups import names_of, side_setups
from warpview.ui.views.context import FrameContext, RunLike

Offer = Callable[[str, Iterable[SearchEntry]], object]


class SideBySideCommands:
    """Offer runs to choose from, simulate the one chosen, and keep the page at the step that is selected.

    While the page is shown, the arrow keys go from access to access, and the jumps to what is remarkable in either run;
    before and after they do what they did.
    """

    def __init__(
        self, session: Session, selection: Selection, player: Player, presenter: Presenter, pages: Pages,
        messages: Messages, offer: Offer,
    ) -> None:  # fmt: skip
        self._session, self._selection, self._player, self._presenter = session, selection, player, presenter
        self._pages, self._messages, self._offer = pages, messages, offer
        self._mode_before = ""  # what one step was before the page was shown
        self._codes_outdated = False  # both codes are shown, of an earlier run
        player.marked_beside = lambda mark: pages.side_by_side.steps_marked(mark) if pages.beside else None
        presenter.shown.connect(self._on_shown)
        session.run_changed.connect(self._on_run)
        pages.currentChanged.connect(lambda _: self._on_page())

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {"side_by_side": self.choose, "both_codes": self.both_codes}

    def both_codes(self) -> None:
        """Set the kernel's other code beside the one shown; again: go to the next line that became something else."""
        session, pages = self._session, self._pages
        if pages.beside and pages.side_by_side.shows_codes:
            line = pages.side_by_side.story.next_line(self._selection.now.line)
            self._selection.update(line=line)
        elif session.run is None:
            self._messages.notice(NO_RUN)
        else:
            self._start_other_code()

    def _start_other_code(self) -> None:
        """Set the other code of the kernel beside the one shown."""
        shown = self._session.shown
        if shown is None:
            return
        if is_machine_code(shown.file_name):
            self._pages.show_views()
            self._messages.notice("The file is machine code: open its CUDA source to compare the two.")
        else:
            self.start(replace(shown, by_nvidia=not shown.by_nvidia), both_codes=True)

    def choose(self) -> None:
        """Offer the runs that can stand beside this one."""
        if self._session.run is None:
            self._messages.notice(NO_RUN)
            return
        entries = [
            SearchEntry(
                choice.kind, choice.title, partial(self.start, choice.setup), choice.detail, choice.setup.device
            )
            for choice in side_setups(self._session)
        ]
        self._offer("The run to step alongside this one: the previous run, a kernel, a device", entries)

    def start(self, setup: Setup, both_codes: bool = False) -> None:
        """Simulate a setup in the worker and show its run beside the one shown; as the other code of the same kernel
        with ``both_codes``."""
        session = self._session
        session.runner.submit_after(
            lambda progress: session.backend.trace(setup, progress),
            partial(self._show, setup, both_codes),
            lambda problem: self._messages.problems(diagnostics_of(problem)),
        )

    def _show(self, setup: Setup, both_codes: bool, run: RunLike) -> None:
        session, context = self._session, self._presenter.context
        if context is None or session.shown is None:
            return
        names = names_of(session, session.shown), names_of(session, setup)
        changes = changes_between(context.run, run) if both_codes else None
        self._pages.side_by_side.show_runs(context, run, names, changes)
        if not self._pages.beside:
            self._mode_before = self._player.mode
            self._pages.show_side_by_side()
            self._player.set_mode("access")

    def _on_shown(self, context: FrameContext) -> None:
        if not self._pages.beside:
            return
        self._pages.side_by_side.show_context(context)
        if self._codes_outdated and context.run is self._session.run:
            self._codes_outdated = False
            self._start_other_code()

    def _on_run(self, arrival: Arrival) -> None:
        if not self._pages.beside:
            return
        page = self._pages.side_by_side
        page.set_names(names_of(self._session, arrival.setup))
        self._codes_outdated = page.shows_codes

    def _on_page(self) -> None:
        self._codes_outdated = self._codes_outdated and self._pages.beside
        if not self._pages.beside and self._mode_before:
            if self._player.mode == "access":
                self._player.set_mode(self._mode_before)
            self._mode_before = ""
            self._pages.side_by_side.clear()
