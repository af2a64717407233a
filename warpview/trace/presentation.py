"""Name marks, stalls and states of lanes and say how they are shown: one table of each, for captions and every view.

Colours are roles that a theme gives a colour, never alone: each has a word or a mark of its own beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.sim.history.events import Mark, Stall
from warpview.trace.frame import LaneStatus


class MarkPresentation(NamedTuple):
    """Present a kind of event that one can jump to. ``short`` names it in a row of the history, ``key`` is the key
    that jumps to the next one, ``letter`` stands for one event."""

    name: str
    plural: str
    short: str
    key: str
    letter: str
    colour: str


# In order of urgency.
MARKS: dict[Mark, MarkPresentation] = {
    Mark.FINDING: MarkPresentation("finding", "findings", "finding", "F", "!", "error"),
    Mark.DIVERGENCE: MarkPresentation("divergent branch", "divergent branches", "divergence", "D", "d", "divergence"),
    Mark.CONFLICT: MarkPresentation("bank conflict", "bank conflicts", "conflict", "C", "c", "conflict"),
    Mark.UNCOALESCED: MarkPresentation(
        "uncoalesced global access", "uncoalesced global accesses", "uncoalesced", "G", "g", "idle"
    ),
    Mark.COLLISION: MarkPresentation("atomic collision", "atomic collisions", "collision", "A", "a", "atomic"),
    Mark.BARRIER: MarkPresentation("barrier", "barriers", "barrier", "B", "b", "barrier"),
}  # fmt: skip


class StallPresentation(NamedTuple):
    """Present a stall, the reason why a warp does not issue. ``name`` as Nsight Compute calls it, ``clause`` a
    predicate of "the warp" in plain words; ``strength`` (0 to 1) is how much of its colour is mixed in: what fills much
    of a picture is kept calm. ``limit`` names what limits a launch whose warps stall for this reason most of all."""

    name: str
    clause: str
    colour: str
    strength: float
    limit: str = ""


STALLS: dict[Stall, StallPresentation] = {
    Stall.SELECTED: StallPresentation("selected", "issues", "active", 1.0),
    Stall.NOT_SELECTED: StallPresentation("not selected", "is ready but not picked", "good", 0.55, "issue slots"),
    Stall.WAIT: StallPresentation(
        "wait", "waits for a result", "wasted", 0.8, "the latency of arithmetic, which the resident warps do not hide"
    ),
    Stall.LONG_SCOREBOARD: StallPresentation(
        "long scoreboard",
        "waits for global memory",
        "memory",
        1.0,
        "the latency of memory, which the resident warps do not hide",
    ),
    Stall.SHORT_SCOREBOARD: StallPresentation(
        "short scoreboard",
        "waits for shared memory or SFU",
        "conflict",
        0.9,
        "the latency of shared memory and special functions, which the resident warps do not hide",
    ),
    Stall.BARRIER: StallPresentation("barrier", "waits at the barrier", "barrier", 0.9, "barriers"),
    Stall.MEMBAR: StallPresentation("membar", "waits at a memory fence", "memory", 0.25, "memory fences"),
    Stall.MATH_PIPE_THROTTLE: StallPresentation(
        "math pipe throttle", "waits for its math pipe", "atomic", 0.5, "an arithmetic pipe"
    ),
    Stall.MIO_THROTTLE: StallPresentation(
        "MIO throttle",
        "waits for room in the MIO queue",
        "conflict",
        0.4,
        "the queue of shared memory and special functions",
    ),
    Stall.LG_THROTTLE: StallPresentation(
        "LG throttle", "waits for room in the LG queue", "atomic", 1.0, "the queue of global memory"
    ),
    Stall.RECONVERGENCE: StallPresentation(
        "reconvergence", "waits for its other paths", "divergence", 1.0, "divergent paths that wait for one another"
    ),
    Stall.NO_INSTRUCTION: StallPresentation(
        "no instruction",
        "waits for its instruction to be fetched",
        "wasted",
        0.4,
        "instructions that have to be fetched first",
    ),
    Stall.EXITED: StallPresentation("exited", "has ended", "raised", 1.0),
    Stall.EMPTY: StallPresentation("empty", "is not resident", "panel", 1.0),
}


class LanePresentation(NamedTuple):
    """Present the state of a lane. ``shape`` is how its cell is drawn: filled, hollow, hatch, dashed, dot, or
    nothing."""

    name: str
    colour: str
    shape: str


LANES: dict[LaneStatus, LanePresentation] = {
    LaneStatus.ACTIVE: LanePresentation("active", "active", "filled"),
    LaneStatus.DIVERGED: LanePresentation("idle: on another path", "idle", "hollow"),
    LaneStatus.BARRIER: LanePresentation("waiting at a barrier", "barrier", "hatch"),
    LaneStatus.EXITED: LanePresentation("exited", "idle", "dot"),
    LaneStatus.PREDICATED_OFF: LanePresentation("predicated off", "active", "dashed"),
    LaneStatus.ABSENT: LanePresentation("no thread", "panel", ""),
}
