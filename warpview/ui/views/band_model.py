"""The history of a warp's active lanes as a band: instructions across, lanes down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.ui.drawing.cached_by_identity import cached_by_identity
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext, History

IDLE, ACTIVE, OFF, LATER_ACTIVE, LATER_OFF, EMPTY = range(6)
TOKENS = ("raised", "active", "glow", "heat3", "raised", "clear")
_SO_FAR = np.array([IDLE, OFF, ACTIVE], np.uint8)
_LATER = np.array([LATER_OFF, LATER_OFF, LATER_ACTIVE], np.uint8)


@dataclass(frozen=True)
class Band:
    """A stretch of a warp's events. ``lanes`` uint8[32, n] of the states above; ``current`` is the column reached."""

    steps: NDArray[np.int64]
    active: NDArray[np.int64]  # lanes that carried the instruction out
    lanes: NDArray[np.uint8]
    current: int  # -1: the warp has not issued yet
    before: int  # events of the warp to the left of the stretch
    after: int


def steps_of_warp(trace: History, block: int, warp: int) -> NDArray[np.int64]:
    """Return the steps at which a warp issued, ascending."""
    navigator = getattr(trace, "navigator", None)
    if navigator is not None:
        found: NDArray[np.int64] = navigator.steps_of_warp(block, warp)
        return found
    arrays = trace.arrays
    return np.flatnonzero((np.asarray(arrays.block) == block) & (np.asarray(arrays.warp) == warp)) + 1


@cached_by_identity
def _branches(program: Program) -> NDArray[np.bool_]:
    return np.array([i.op == Op.BRA for i in program.instructions], np.bool_)


def _bits(words: NDArray[Any]) -> NDArray[np.uint8]:
    """uint8[32, n]: bit k of each word in row k."""
    return np.unpackbits(words.astype("<u4").view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").T


def band(context: FrameContext, columns: int) -> Band:
    """Return the ``columns`` events of the selected warp around the present step."""
    steps = steps_of_warp(context.trace, context.selection.block, context.selection.warp)
    now = int(np.searchsorted(steps, context.frame.step, side="right")) - 1
    first = max(0, min(len(steps) - columns, now - (2 * columns) // 3))
    stretch = steps[first : first + columns]
    arrays, rows = context.trace.arrays, stretch - 1
    mask = np.asarray(arrays.mask)[rows]
    # The guard of a branch says who jumps, not who takes part.
    on = np.where(_branches(context.program)[np.asarray(arrays.pc)[rows]], mask, np.asarray(arrays.on)[rows])
    working = _bits(mask & on)
    part = _bits(mask) + working  # 0: not on the path, 1: guarded off, 2: works
    lanes = _SO_FAR[part]
    later = max(0, now - first + 1)
    lanes[:, later:] = _LATER[part[:, later:]]
    active = working.sum(axis=0, dtype=np.int64)
    return Band(stretch, active, np.ascontiguousarray(lanes), now - first, first, len(steps) - first - len(stretch))


def draw_band(context: FrameContext, picture: Picture, box: Box) -> None:
    """Draw the band with the present step marked; a click goes to a step."""
    u = picture.unit
    left, right = box.x + 0.5 * u, box.right - 4.2 * u
    whole = len(steps_of_warp(context.trace, context.selection.block, context.selection.warp))
    pitch = max(3.0, 0.3 * u, min(0.9 * u, (right - left) / max(1, whole)))
    shown = band(context, max(8, int((right - left) / pitch)))
    n = len(shown.steps)
    worded = box.h > 3.5 * u
    if worded:
        picture.text(left, box.y + 0.6 * u, "active lanes, instruction by instruction", 0.82 * u, "dim",
                     room=right - left, least=0.7 * u)  # fmt: skip
    top = box.y + (1.25 if worded else 0.2) * u
    area = Box(left, top, n * pitch, box.bottom - 0.35 * u - top)
    if not n:
        return
    lanes = shown.lanes
    if context.predicting and 0 <= shown.current < n:
        lanes = lanes.copy()
        lanes[:, shown.current :] = EMPTY
    picture.bitmap(area, lanes, TOKENS)
    if 0 <= shown.current < n:
        x = left + shown.current * pitch
        picture.rect(Box(x - 1, area.y - 2, pitch + 2, area.h + 4), None, "accent", 1.6)
        if not context.predicting:
            running = context.warp.mask.bit_count() if context.warp is not None else 0
            count = running or int(shown.active[shown.current])  # a warp that waits has no running path
            picture.text(box.right - 0.5 * u, area.cy, f"{count}/32", 1.1 * u, "text", 1, True)
    picture.region(area, partial(_event_at, shown, area, pitch, context.predicting))


def _event_at(shown: Band, area: Box, pitch: float, hidden: bool, x: float, y: float) -> HitRegion | None:
    k = int((x - area.x) / pitch)
    if not 0 <= k < len(shown.steps):
        return None
    step = int(shown.steps[k])
    says = f"step {step}" if hidden and k >= shown.current else f"step {step}: {int(shown.active[k])} of 32 lanes"
    return HitRegion(Box(area.x + k * pitch, area.y, pitch, area.h), says, Target(step=step))
