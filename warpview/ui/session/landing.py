"""Describe the landing of a pending run: where it is to be shown, and the messages beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from warpview.sim.checks.findings import Finding
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.teaching.lessons import Directive
from warpview.ui.views.context import RunLike


@dataclass(frozen=True)
class Landing:
    """``place`` is the selection at which the run is shown (None: the place of the run before), ``notice`` a sentence
    for the caption, ``page`` the lesson's page that asked for the run, ``finding`` one of an earlier run of the
    same launch, at whose step the run is shown, ``jumps`` the jumps asked for since, which start from there."""

    place: Snapshot | None = None
    notice: str = ""
    page: Directive | None = None
    finding: Finding | None = None
    jumps: tuple[Callable[[], object], ...] = ()


@dataclass(frozen=True)
class Arrival:
    """Announce a finished run with its setup; ``before`` is the run that it replaces, with its setup."""

    run: RunLike
    setup: Setup
    before: RunLike | None
    before_setup: Setup | None
    landing: Landing = field(default_factory=Landing)
    recorded: bool = False  # read from a file, until the simulator is ready
    recorded_before: bool = False  # ``before`` was

    @property
    def is_same_launch(self) -> bool:
        """Return whether the run before was of the same launch on the same device, whatever its source."""
        if self.before_setup is None:
            return False
        now, before = self.setup, self.before_setup
        return replace(now, text=before.text, edited=before.edited, any_result=before.any_result) == before
