"""Carry out the commands on counters: in the table, on the comparison page, and beside other profilers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt

from warpview.diagnostics import WarpviewError
from warpview.profile.counters import BY_KEY
from warpview.run.verdict import Verdict
from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.moving.navigation import to_line, to_mark
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.messages import Messages
from warpview.ui.panels.profiler_model import nsight_table, visual_profiler_table
from warpview.ui.panels.verdict_model import CostPlace
from warpview.ui.session.problems import diagnostics_of
from warpview.ui.session.session import Session
from warpview.ui.views.counters.counters import CountersView

REPORTS = "Nsight Compute report (*.csv);;All files (*)"


class CounterCommands:
    """Apply the keys of counters to the comparison page while it is shown, else to the table."""

    def __init__(
        self, session: Session, selection: Selection, pages: Pages, counters: CountersView, messages: Messages,
        dialogs: Dialogs,
    ) -> None:  # fmt: skip
        self._session, self._selection, self._pages, self._counters = session, selection, pages, counters
        self._messages, self._dialogs = messages, dialogs
        pages.profiler.bars.place_wanted.connect(self._go_to)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {
            "pin": self.pin, "baseline": self.baseline, "filter_counters": self.filter, "sort_counters": self.sort,
            "next_counter": partial(self.select, True), "previous_counter": partial(self.select, False),
            "visual_profiler": self.visual_profiler, "nsight": self.nsight, "why": self.why,
        }  # fmt: skip

    # ---- the table

    def pin(self) -> None:
        """Keep the selected counter at the top of the table, or unpin it."""
        key = self._selection.now.counter
        if key is None:
            self._messages.notice("Click a counter first; T then pins it at the top, or unpins it.")
        else:
            self._counters.toggle_pin(key)

    def baseline(self) -> None:
        """Open the menu of earlier runs."""
        self._raise()
        self._counters.baseline.offer()

    def filter(self) -> None:
        """Give the keyboard to the filter of the counters shown."""
        if not self._pages.comparing:
            self._raise()
        field = self._pages.comparison.filter if self._pages.comparing else self._counters.filter
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def sort(self) -> None:
        """Sort by the next column."""
        if self._pages.comparing:
            words = self._pages.comparison.sort_next()
        else:
            self._raise()
            words = self._counters.sort_next()
        self._messages.notice(f"Counters sorted {words}.")

    def select(self, forward: bool) -> None:
        """Select the next counter of the table; the source shows its heat."""
        self._raise()
        key = self._counters.select_next(forward)
        if key is not None:
            self._messages.notice(f"The source is coloured by: {BY_KEY[key].title}.")

    def _raise(self) -> None:
        self._pages.workspace.raise_view(self._counters.key)

    # ---- other profilers

    def visual_profiler(self) -> None:
        """Show the counters as the Visual Profiler reported them."""
        run = self._session.run
        if run is not None:
            self._show_profiler(lambda: self._pages.profiler.show_table(visual_profiler_table(run)))

    def nsight(self) -> None:
        """Ask for a report of Nsight Compute and show the run beside it."""
        run = self._session.run
        path = self._dialogs.ask_open("Open an Nsight Compute report", REPORTS) if run is not None else None
        if run is not None and path is not None:
            self._show_profiler(lambda: self._pages.profiler.show_table(nsight_table(run, path)))

    def why(self) -> None:
        """Estimate in the worker what limits the launch and what could be gained, and show it in bars."""
        session, run = self._session, self._session.run
        if run is None or not session.current:
            self._messages.notice("Run the kernel first (F5): the analysis covers the run that is shown.")
            return
        setup, kernel = session.setup, run.program.kernel
        self._messages.notice("Estimating the launch again without each of its costs …")
        session.runner.submit_after(
            lambda progress: session.backend.verdict(setup, progress),
            lambda verdict: self._show_verdict(verdict, kernel),
            lambda problem: self._messages.problems(diagnostics_of(problem)),
        )

    def _show_verdict(self, verdict: Verdict, kernel: str) -> None:
        self._show_profiler(lambda: self._pages.profiler.show_verdict(verdict, kernel))
        self._messages.notice("Click a line or a cost to go to a step where it occurs; Esc returns.")

    def _go_to(self, place: CostPlace) -> None:
        """Leave the bars for the next step of a place, or the one before where none follows."""
        run, now = self._session.run, self._selection.now
        if run is None:
            return
        self._pages.show_views()
        move = None
        for forward in (True, False):
            if move is None and place.line:
                move = to_line(run, now, place.line, forward)
            elif move is None:
                move = to_mark(run, now, place.mark, forward)
        if move is None:
            self._messages.notice("No recorded step shows it.")
        else:
            self._selection.update(**move)

    def _show_profiler(self, fill: Callable[[], object]) -> None:
        try:
            fill()
        except (WarpviewError, OSError) as problem:
            self._messages.problems(diagnostics_of(problem))
        else:
            self._pages.show_profiler()
