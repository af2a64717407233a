"""What the actions about counters do: in the table, and on the comparison page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from warpview.profile.counters import BY_KEY
from warpview.ui.session.backend import Measured, Setup
from warpview.ui.session.session import diagnostics_of

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow


class CounterCommands:
    """Keys that concern counters work on the comparison page while that is shown, else on the table."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "pin": self.pin, "yardstick": self.yardstick, "filter_counters": self.filter, "sort_counters": self.sort,
            "next_counter": partial(self.select, True), "previous_counter": partial(self.select, False),
            "compare_variants": self.compare_variants, "compare_devices": self.compare_devices,
            "compare_runs": self.compare_runs, "next_comparison": self.next_comparison,
        }  # fmt: skip

    # ---- the table

    def pin(self) -> None:
        key = self._w.selection.now.counter
        if key is None:
            self._w.caption.notice("Click a counter first; T then pins it on top, or lets it go.")
        else:
            self._w.counters.toggle_pin(key)

    def yardstick(self) -> None:
        """The menu of earlier runs."""
        self._raise()
        self._w.counters.yardstick.offer()

    def filter(self) -> None:
        w = self._w
        if not w.comparing:
            self._raise()
        field = w.comparison.filter if w.comparing else w.counters.filter
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def sort(self) -> None:
        if self._w.comparing:
            words = self._w.comparison.sort_next()
        else:
            self._raise()
            words = self._w.counters.sort_next()
        self._w.caption.notice(f"Counters {words}.")

    def select(self, forward: bool) -> None:
        """Colour the source by the next counter of the table."""
        self._raise()
        key = self._w.counters.select_next(forward)
        if key is not None:
            self._w.say(f"The source is coloured by: {BY_KEY[key].title}.")

    def _raise(self) -> None:
        self._w.stage.raise_view(self._w.counters.key)

    # ---- the comparison page

    def compare_variants(self) -> None:
        session = self._w.session
        family = session.family()
        if family is None:
            self._w.caption.notice("A file of your own has no variants to compare; Ctrl+D compares devices.")
            return
        setups = []
        for variant in family.variants:
            preset = next((p for p in variant.presets if p.key == session.setup.preset), None)
            setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, session.setup.device)
            setup = setup.with_preset(preset) if preset else setup
            is_current = variant.key == session.setup.variant
            setups.append((variant.title, session.setup if is_current else setup))
        device = next((d.name for d in session.devices if d.key == session.setup.device), "")
        self._measure(f"{family.title} on {device}", "the first variant", setups, family.steps)

    def compare_devices(self) -> None:
        """This kernel on every device; the one in use comes first."""
        session = self._w.session
        devices = sorted(session.devices, key=lambda d: d.key != session.setup.device)
        setups = [(d.name, replace(session.setup, device=d.key)) for d in devices]
        self._measure(f"{session.variant.title} on {len(devices)} devices", "the device in use", setups)

    def compare_runs(self) -> None:
        """The runs of this session that are kept, without running anything again."""
        kept = self._w.session.kept
        if len(kept.runs) < 2:
            self._w.caption.notice("There is only one run so far; choose another kernel, device or launch first.")
            return
        shared, runs = kept.side_by_side()
        common = f"All: {shared}." if shared else "Whole launches."
        self._show(f"{len(runs)} runs of this session", f"{common} {_against(runs[0].title)}", runs)

    def _measure(self, title: str, first: str, setups: list[tuple[str, Setup]], steps: int | None = None) -> None:
        """Run them all in the worker, after what it is doing, then show them."""
        w = self._w
        about = f"Whole launch ({w.session.setup.preset or 'this'}), every block. {_against(first)}"
        w.runner.submit_after(
            lambda progress: w.session.backend.measure(setups, progress),
            lambda measured: self._show(title, about, measured, steps),
            lambda problem: w.show_problems(diagnostics_of(problem)),
        )  # fmt: skip

    def _show(self, title: str, about: str, runs: Sequence[Measured], steps: int | None = None) -> None:
        self._w.comparison.show_runs(title, about, runs, steps)
        self._w.show_comparison(True)

    def next_comparison(self) -> None:
        if self._w.comparing:
            self._w.comparison.next_tab()
        else:
            self._w.caption.notice("Ctrl+K compares the variants, Ctrl+D the devices, Ctrl+R earlier runs.")


def _against(first: str) -> str:
    return f"Percentages are against {first}. Ctrl+E exports, Esc goes back."
