"""Build the states of the resident warps after a step, for a frame, from those of the replay."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import FULL
from warpview.sim.history.events import Events, Stall
from warpview.sim.history.snapshot import WarpView
from warpview.sim.launch import Launch
from warpview.trace.frame import ControlPath, Event, LaneStatus, WarpState
from warpview.trace.navigation import Navigator

KEPT = 4096  # states: most warps of a frame stand as in frames before; without these a frame takes three times as long
_STATUS, _STALLS = tuple(LaneStatus), tuple(Stall)


class WarpStateBuilder:
    """Make the states of the warps of one recorded run."""

    def __init__(self, program: Program, launch: Launch, events: Events, navigator: Navigator) -> None:
        self._branches = [instruction.op == Op.BRA for instruction in program.instructions]
        self._events, self._navigator = events, navigator
        threads = (min(32, launch.threads - 32 * w) for w in range(launch.warps))
        self._present = [(1 << n) - 1 for n in threads]  # lanes that there are, by warp of a block
        self._last: dict[int, WarpState] = {}  # by slot, in the frame built last: most stand so in the next one too

    def states(
        self, step: int, event: Event | None, views: list[WarpView | None], blocks: list[int]
    ) -> tuple[WarpState, ...]:
        """Return the warps of the ``blocks`` that are there (-1: none), from the ``views`` of every warp slot."""
        next_block, reasons = self._waits(step, event)
        count = len(self._present)
        found = []
        for slot, view in enumerate(views):
            block, warp = blocks[slot // count], slot % count
            if view is None:
                continue
            if event is not None and event.slot == slot and event.block == block:
                found.append(self._issued(slot, block, warp, view, event))
                continue
            exited, paths, lanes = _stand(view, self._present[warp])
            if not view.live:
                stall = Stall.EXITED
            elif slot < len(next_block) and next_block[slot] == block:
                stall = _STALLS[reasons[slot]]
            else:  # never issues again
                stall = Stall.BARRIER if view.at_barrier else Stall.WAIT
            found.append(WarpState(slot, block, warp, view.pc, view.mask, exited, view.at_barrier, paths, stall, lanes))
        return tuple(self._held(state) for state in found)

    def _held(self, state: WarpState) -> WarpState:
        """Return the state of the frame before where it is the same: frames that are kept share it."""
        last = self._last.get(state.slot)
        if last == state:
            return last
        self._last[state.slot] = state
        return state

    def _issued(self, slot: int, block: int, warp: int, view: WarpView, event: Event) -> WarpState:
        """Return the state of the warp that issued the event; its lanes are shown as the event saw them."""
        exited, paths, lanes = _stand(view, self._present[warp])
        # What a branch did shows in the path that goes on; its guard only says who jumps.
        if not self._branches[event.pc]:
            live, waiting = view.live | event.mask, view.at_barrier & ~event.mask
            lanes = _lane_statuses(live, waiting, event.mask, event.on, self._present[warp])
        return WarpState(
            slot, block, warp, view.pc, view.mask, exited, view.at_barrier, paths, Stall.SELECTED, lanes
        )  # fmt: skip

    def _waits(self, step: int, event: Event | None) -> tuple[list[int], list[int]]:
        """Return by warp slot whose block issues there next (-1: none does), and why it does not in the cycle of
        ``event`` (a Stall). Before the first event nothing is in the way of any."""
        events, rows = self._events, self._navigator.next_rows(step)
        there = rows < len(events)
        if not there.any():
            return [], []
        rows = np.minimum(rows, len(events) - 1)
        if event is None:
            return np.where(there, events.block[rows], -1).tolist(), [Stall.NOT_SELECTED] * len(rows)
        cycle = event.cycle
        late = np.where(cycle < events.free[rows], events.throttle[rows], np.uint8(Stall.NOT_SELECTED))
        why: NDArray[np.uint8] = np.where(cycle < events.ready[rows], events.wait[rows], late)
        return np.where(there, events.block[rows], -1).tolist(), why.tolist()


@lru_cache(maxsize=KEPT)
def _stand(view: WarpView, present: int) -> tuple[int, tuple[ControlPath, ...], tuple[LaneStatus, ...]]:
    """Return the lanes that have ended, the paths, and the status of each lane, of a warp that did not just issue."""
    paths = tuple(ControlPath(*path) for path in view.paths)
    lanes = _lane_statuses(view.live, view.at_barrier, view.mask, view.mask, present)
    return ~view.live & FULL, paths, lanes


@lru_cache(maxsize=KEPT)
def _lane_statuses(live: int, waiting: int, mask: int, on: int, present: int) -> tuple[LaneStatus, ...]:
    """Return the status of each lane."""
    status = np.full(32, LaneStatus.EXITED, dtype=np.uint8)
    for lanes, value in (
        (live, LaneStatus.DIVERGED),
        (waiting, LaneStatus.BARRIER),
        (mask, LaneStatus.PREDICATED_OFF),
        (on, LaneStatus.ACTIVE),
        (~present & FULL, LaneStatus.ABSENT),
    ):
        status[_bits(lanes)] = value
    return tuple(_STATUS[s] for s in status.tolist())


def _bits(mask: int) -> NDArray[np.bool_]:
    return np.unpackbits(np.frombuffer(mask.to_bytes(4, "little"), dtype=np.uint8), bitorder="little").view(np.bool_)
