"""The commands on counters: in the table, and on the comparison page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt

from warpview.diagnostics import WarpviewError
from warpview.profile.counters import BY_KEY
from warpview.run.result import Run
from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import Measured, Setup
from warpview.ui.session.session import Session, diagnostics_of
from warpview.ui.views.counters import CountersView

REPORTS = "Report of Nsight Compute (*.csv);;All files (*)"


class CounterCommands:
    """Keys that concern counters act on the comparison page while it is shown, else on the table."""

    def __init__(
        self, session: Session, selection: Selection, pages: Pages, counters: CountersView, messages: Messages,
        dialogs: Dialogs,
    ) -> None:  # fmt: skip
        self._session, self._selection, self._pages, self._counters = session, selection, pages, counters
        self._messages, self._dialogs = messages, dialogs

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {
            "pin": self.pin, "baseline": self.baseline, "filter_counters": self.filter, "sort_counters": self.sort,
            "next_counter": partial(self.select, True), "previous_counter": partial(self.select, False),
            "compare_variants": self.compare_variants, "compare_devices": self.compare_devices,
            "compare_runs": self.compare_runs, "next_comparison": self.next_comparison,
            "visual_profiler": self.visual_profiler, "nsight": self.nsight,
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
        self._counters.yardstick.offer()

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
        self._messages.notice(f"Counters {words}.")

    def select(self, forward: bool) -> None:
        """Select the next counter of the table; the source shows its heat."""
        self._raise()
        key = self._counters.select_next(forward)
        if key is not None:
            self._messages.notice(f"The source shows the heat of: {BY_KEY[key].title}.")

    def _raise(self) -> None:
        self._pages.workspace.raise_view(self._counters.key)

    # ---- the comparison page

    def compare_variants(self) -> None:
        """Compare all kernels of the family on this device."""
        session = self._session
        family = session.family()
        if family is None:
            self._messages.notice("A file of your own has no variants to compare; Ctrl+D compares devices.")
            return
        setups = []
        for variant in family.variants:
            preset = next((p for p in variant.presets if p.key == session.setup.preset), None)
            setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, session.setup.device)
            setup = setup.with_preset(preset) if preset else setup
            is_current = variant.key == session.setup.variant
            setups.append((variant.title, session.setup if is_current else setup))
        device = session.device_name(session.setup.device)
        self._measure(f"{family.title} on {device}", "the first variant", setups, family.steps)

    def compare_devices(self) -> None:
        """Compare this kernel on every device; the one in use comes first."""
        session = self._session
        devices = sorted(session.devices, key=lambda d: d.key != session.setup.device)
        setups = [(d.name, replace(session.setup, device=d.key)) for d in devices]
        self._measure(f"{session.variant.title} on {len(devices)} devices", "the device in use", setups)

    def compare_runs(self) -> None:
        """Compare the runs of this session that are kept, without running anything again."""
        kept = self._session.kept
        if len(kept.runs) < 2:
            self._messages.notice("There is only one run so far; choose another kernel, device or launch first.")
            return
        shared, runs = kept.side_by_side()
        common = f"All: {shared}." if shared else "Whole launches."
        self._show(f"{len(runs)} runs of this session", f"{common} {_against(runs[0].title)}", runs)

    def _measure(self, title: str, first: str, setups: list[tuple[str, Setup]], steps: int | None = None) -> None:
        """Run all setups in the worker, after what it is doing, then show them."""
        session = self._session
        about = f"Whole launch ({session.setup.preset or 'this'}), every block. {_against(first)}"
        session.runner.submit_after(
            lambda progress: session.backend.measure(setups, progress),
            lambda measured: self._show(title, about, measured, steps),
            lambda problem: self._messages.problems(diagnostics_of(problem)),
        )  # fmt: skip

    def _show(self, title: str, about: str, runs: Sequence[Measured], steps: int | None = None) -> None:
        self._pages.comparison.show_runs(title, about, runs, steps)
        self._pages.show_comparison()

    def next_comparison(self) -> None:
        """Show another chart of the comparison."""
        if self._pages.comparing:
            self._pages.comparison.next_tab()
        else:
            self._messages.notice("Ctrl+K compares the variants, Ctrl+D the devices, Ctrl+R earlier runs.")

    # ---- other profilers

    def visual_profiler(self) -> None:
        """Show the counters as the Visual Profiler reported them."""
        run = self._session.run
        if isinstance(run, Run):
            self._show_profiler(lambda: self._pages.profiler.show_visual_profile(run))

    def nsight(self) -> None:
        """Ask for a report of Nsight Compute and show the run beside it."""
        run = self._session.run
        path = self._dialogs.ask_open("Open a report of Nsight Compute", REPORTS) if isinstance(run, Run) else None
        if path is not None:
            self._show_nsight(path)

    def _show_nsight(self, path: Path) -> None:
        run = self._session.run
        assert isinstance(run, Run)
        self._show_profiler(lambda: self._pages.profiler.show_nsight(run, path))

    def _show_profiler(self, fill: Callable[[], object]) -> None:
        try:
            fill()
        except (WarpviewError, OSError) as problem:
            self._messages.problems(diagnostics_of(problem))
        else:
            self._pages.show_profiler()


def _against(first: str) -> str:
    return f"Percentages are relative to {first}. Ctrl+E exports, Esc returns."
