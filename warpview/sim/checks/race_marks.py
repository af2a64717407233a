"""Find the events of a recorded launch at which the parties of its races accessed memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from warpview.sim.checks.ordering import LANES
from warpview.sim.history.events import Events, Mark
from warpview.sim.launch import RawFinding


def mark_races(events: Events, races: Iterable[RawFinding]) -> None:
    """Mark the events of both parties of each race, as far as they are recorded.

    The race check executes the launch in another order: of the warp's events with the instruction the nearest to the
    same number of instructions issued is taken.
    """
    for race in races:
        for party in (race, race.other):
            if party is None:
                continue
            of_warp = np.flatnonzero((events.block == party.block) & (events.warp == party.thread // LANES))
            at = np.flatnonzero(events.pc[of_warp] == party.pc)
            if len(at):
                events.marks[of_warp[at[np.argmin(np.abs(at - party.issue))]]] |= Mark.FINDING
