"""Keep the last runs of the session as their totals, to compare the counters of a run with. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from warpview.profile.counters import Value
from warpview.profile.export import ExportRow
from warpview.ui.session.backend import Measured, Setup, Variant
from warpview.ui.session.comparison_setups import LAUNCH_NAMES
from warpview.ui.views.context import RunLike

MOST = 12
BYTES_A_COUNTER = 100  # about: its number, and its place in a table
_SWITCHES = {
    "if_converted": "predicated",
    "bypass_l1": "L1 bypassed",
    "wide_banks": "8-byte banks",
    "by_nvidia": "NVIDIA's code",
}


@dataclass(frozen=True)
class KeptRun:
    """Keep the totals of a run. ``number`` counts the different runs of the session from 1; ``parts`` are what it is
    called: kernel, device, launch, and that the source was edited or the launch ended early. ``setup`` holds a digest
    instead of the text."""

    number: int
    parts: tuple[str, ...]
    setup: Setup
    counters: Mapping[str, Value]  # of the launch that was traced
    row: ExportRow  # of all launches, for comparisons and export

    @property
    def title(self) -> str:
        return " · ".join(self.parts)

    def distinction_from(self, other: KeptRun | None) -> str:
        """Return the words that tell this run from another, as short as can be."""
        theirs = other.parts if other is not None else ()
        own = [part for part in self.parts if part not in theirs]
        return " · ".join(own) or f"run {self.number}"

    def measured(self, title: str) -> Measured:
        return Measured(title, self.setup.entry, self.setup.device, self.row.counters, "", self.row)


class KeptRuns:
    """Keep the last ``MOST`` different runs, oldest first, and the one that is the baseline for the others."""

    def __init__(self) -> None:
        self.runs: list[KeptRun] = []
        self.chosen: int | None = None  # number of the baseline; None is the run before
        self._count = 0

    def add(self, setup: Setup, variant: Variant | None, device: str, run: RunLike) -> None:
        """Keep the totals of the run that is now shown; the same setup once more takes the place of its old run."""
        setup = replace(setup, text=str(hash(setup.text)))
        again = next((kept for kept in self.runs if kept.setup == setup), None)
        if again is None:
            self._count += 1
        else:
            self.runs.remove(again)
        kernel = variant.title if variant is not None else setup.variant
        marks = {"edited": setup.edited, "ended early": run.aborted}
        parts = (kernel, device, launch_words(setup, variant), *(words for words, on in marks.items() if on))
        counters = dict(run.counters)
        row = ExportRow(dict(run.row.launch), dict(run.part.counters) if run.part is not None else counters)
        self.runs.append(KeptRun(again.number if again else self._count, parts, setup, counters, row))
        if len(self.runs) > MOST:
            self.runs.remove(next(kept for kept in self.runs if kept.number != self.chosen))

    @property
    def nbytes(self) -> int:
        """Return about the bytes that the runs take."""
        return BYTES_A_COUNTER * sum(len(kept.counters) + len(kept.row.counters) for kept in self.runs)

    @property
    def now(self) -> KeptRun | None:
        """Return the run that is shown."""
        return self.runs[-1] if self.runs else None

    @property
    def baseline(self) -> KeptRun | None:
        """Return the run that the shown one is compared with: the chosen one, or the run before."""
        chosen = next((kept for kept in self.runs if kept.number == self.chosen), None)
        return chosen or (self.runs[-2] if len(self.runs) > 1 else None)

    def side_by_side(self) -> tuple[str, list[Measured]]:
        """Return all runs, the baseline first, each called by what tells it apart, and what is common to all."""
        first = self.baseline
        ordered = sorted(self.runs, key=lambda kept: kept is not first) if self.chosen is not None else self.runs
        shared = common([kept.parts for kept in self.runs])
        return " · ".join(shared), [
            kept.measured(" · ".join(p for p in kept.parts if p not in shared) or f"run {kept.number}")
            for kept in ordered
        ]


def common(named: Sequence[Sequence[str]]) -> list[str]:
    """Return the parts that all names have."""
    return [part for part in named[0] if all(part in parts for parts in named)] if named else []


def recording_words(other: str, compiling: bool) -> str:
    """Say that the run shown was recorded; ``other`` is its kernel and device where they are not those chosen."""
    shown = f"The views show a recorded run of {other}" if other else "This run was recorded"
    if not compiling:
        return f"{shown}. F5 compiles the simulator and runs the source."
    if other:
        return f"{shown} until the simulator is compiled, which is done only once."
    return f"{shown}: step through it while the simulator is being compiled, which is done only once."


def outdated_words(
    shown: Setup, setup: Setup, variant: Variant | None, device: str, busy: bool, refused: bool,
    needs_main: bool = False,
) -> str:  # fmt: skip
    """Say how the run shown, of ``variant`` on ``device``, differs from the setup that runs next, or runs now, or that
    the chosen device has ``refused``, or whose kernels only its ``main`` launches with their arguments."""
    if shown.variant != setup.variant:
        title = variant.title if variant is not None else shown.variant
        shows, runs = f"The views still show the run of {title}", "this source"
    elif shown.text != setup.text:
        shows, runs = "The views show the run before this edit", "the edited source"
    else:
        where = f" on {device}" if shown.device != setup.device else ""
        shows, runs = f"The views still show the earlier run ({launch_words(shown, variant)}{where})", "this setup"
    if busy:
        return f"{shows} until {runs} has run."
    if refused:
        return f"{shows}: the chosen device cannot run {runs}."
    return f"{shows}. Ctrl+F5 runs the program." if needs_main else f"{shows}. F5 runs {runs}."


def launch_words(setup: Setup, variant: Variant | None) -> str:
    """Return the launch by the name of its preset, or by its shape if the user changed it, and the switches on."""
    preset = variant.preset(setup.preset) if variant is not None else None
    own = preset is not None and setup.is_launch_of([preset])
    shape = "×".join("·".join(str(n) for n in extent if n != 1) or "1" for extent in (setup.grid, setup.block))
    words = [LAUNCH_NAMES.get(setup.preset, f"{setup.preset} launch") if own else f"{shape} threads"]
    if preset is not None and len(preset.launches) > 1:
        words.append(f"launch {setup.traced + 1}")
    if setup.traced_block:
        words.append(f"block {setup.traced_block} followed")
    words += [words_ for name, words_ in _SWITCHES.items() if getattr(setup, name)]
    return ", ".join(words)
