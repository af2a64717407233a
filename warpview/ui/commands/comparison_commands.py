"""Carry out the commands that compare kernels, devices and earlier runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.ui.arranging.pages import Pages
from warpview.ui.moving.player import NO_RUN
from warpview.ui.panels.messages import Messages
from warpview.ui.session import comparison_setups
from warpview.ui.session.backend import Measured
from warpview.ui.session.comparison_setups import Comparison
from warpview.ui.session.problems import diagnostics_of
from warpview.ui.session.session import Session


class ComparisonCommands:
    """Measure the runs of a comparison in the worker and show them on the comparison page."""

    def __init__(self, session: Session, pages: Pages, messages: Messages) -> None:
        self._session, self._pages, self._messages = session, pages, messages
        self._comparison: Comparison | None = None  # the one on the page, if it was measured
        self._measured: dict[int, list[Measured]] = {}  # its runs, by the launch
        pages.comparison.launch_wanted.connect(self._choose_launch)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {
            "compare_variants": self.compare_variants, "compare_devices": self.compare_devices,
            "compare_runs": self.compare_runs, "next_comparison": self.next_comparison,
            "comparison_launch": self.next_launch,
        }  # fmt: skip

    def compare_variants(self) -> None:
        """Compare all kernels of the family on this device."""
        session = self._session
        family = session.family()
        if family is None:
            self._messages.notice("A file of your own has no variants to compare; Ctrl+D compares devices.")
            return
        device = session.catalogue.device_name(session.setup.device)
        self._start(comparison_setups.compare_variants(session.setup, family, device))

    def compare_devices(self) -> None:
        """Compare this kernel on every device; the one in use comes first."""
        session = self._session
        self._start(comparison_setups.compare_devices(session.setup, session.variant, session.catalogue.devices))

    def compare_runs(self) -> None:
        """Compare the runs of this session that are kept, without running anything again."""
        kept = self._session.kept
        if len(kept.runs) < 2:
            one = "There is only one run so far; choose another kernel, device or launch first."
            self._messages.notice(one if kept.runs else NO_RUN)
            return
        shared, runs = kept.side_by_side()
        common = f"All: {shared}." if shared else "Whole launches."
        self._comparison = None
        self._show(f"{len(runs)} runs of this session", f"{common} {_relative_to(runs[0].title)}", runs)

    def next_comparison(self) -> None:
        """Show another chart of the comparison."""
        if self._pages.comparing:
            self._pages.comparison.next_tab()
        else:
            self._messages.notice("Ctrl+K compares the variants, Ctrl+D the devices, Ctrl+R earlier runs.")

    def next_launch(self) -> None:
        """Compare at the next launch; after the last one at the first."""
        comparison = self._comparison
        if comparison is None or not self._pages.comparing:
            self._messages.notice("Ctrl+K or Ctrl+D compares at the large launch; this key then switches to yours.")
        elif len(comparison.launches) < 2:
            self._messages.notice(f"This comparison has one launch: {comparison.launches[0].words}.")
        else:
            self._choose_launch((self._pages.comparison.launch + 1) % len(comparison.launches))

    def _start(self, comparison: Comparison) -> None:
        self._measure(comparison, 0, {})

    def _choose_launch(self, number: int) -> None:
        if self._comparison is not None:
            self._measure(self._comparison, number, self._measured)

    def _measure(self, comparison: Comparison, number: int, measured: dict[int, list[Measured]]) -> None:
        """Show the comparison at one of its launches; run it in the worker, after what that is doing, if it is new."""

        def show(runs: list[Measured]) -> None:
            measured[number] = runs
            self._comparison, self._measured = comparison, measured
            launches = [launch.words for launch in comparison.launches]
            about = _relative_to(comparison.baseline)
            self._show(comparison.title, about, runs, comparison.steps)
            self._pages.comparison.offer_launches(launches, number)

        session, setups = self._session, comparison.launches[number].setups
        if number in measured:
            show(measured[number])
        else:
            session.runner.submit_after(
                lambda progress: session.backend.measure(setups, progress),
                show,
                lambda problem: self._messages.problems(diagnostics_of(problem)),
            )

    def _show(self, title: str, about: str, runs: Sequence[Measured], steps: int | None = None) -> None:
        self._pages.comparison.show_runs(title, about, runs, steps)
        self._pages.show_comparison()


def _relative_to(first: str) -> str:
    return f"Factors and percentages are relative to {first}."
