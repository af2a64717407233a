"""Global buffers as pictures: which warp touched each element last, and when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.types import Space
from warpview.ui.picture import Box, Hot, Picture, Target
from warpview.ui.values import Buffer, Buffers, thousands

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

MOST = 4000  # accesses that are looked at; a longer history is shown up to there
HUES = 32
NOTHING = HUES  # index of the colour of elements that nobody touched
TOKENS = (*(f"lane{k}" for k in range(HUES)), "raised", "clear")
LEAST = 2.0  # pixels of an element that one can still see


@dataclass(frozen=True)
class Touch:
    """The last touch of each element of a stretch of a buffer; ``step`` 0 where there was none."""

    step: NDArray[np.int64]
    block: NDArray[np.int32]
    warp: NDArray[np.int32]
    store: NDArray[np.bool_]


class Touches:
    """Gathers the accesses of a trace, a few at a time: each costs a frame."""

    def __init__(self, trace: Any) -> None:
        self._trace = trace
        touching = np.array(
            [i.op in MEMORY_OPS and i.space in (Space.GLOBAL, Space.GENERIC) for i in trace.program.instructions], bool
        )
        pc = np.asarray(trace.arrays.pc)
        self._steps = (np.flatnonzero(touching[pc]) + 1 if len(pc) else pc)[:MOST]
        self._done = 0
        # One row an access and lane: address (-1: no part), bytes, step, block, warp, whether it wrote.
        self._rows = np.full((len(self._steps), 32, 6), -1, np.int64)

    @property
    def total(self) -> int:
        return len(self._steps)

    @property
    def done(self) -> int:
        return self._done

    def advance(self, count: int) -> bool:
        """Look at so many more accesses; False when all have been looked at."""
        for row in range(self._done, min(self.total, self._done + count)):
            frame = self._trace.frame(int(self._steps[row]))
            event, at = frame.event, frame.addresses
            if event is None or at is None or at.space not in (Space.GLOBAL, Space.GENERIC):
                continue
            lanes = np.flatnonzero(at.mask >> np.arange(32) & 1)
            self._rows[row, lanes, 0] = at.address[lanes]
            op = self._trace.program.instructions[event.pc].op
            self._rows[row, lanes, 1:] = (at.width, event.step, event.block, event.warp, op is not Op.LD)
        self._done = min(self.total, self._done + count)
        return self._done < self.total

    def of(self, buffer: Buffer, count: int, until: int) -> Touch:
        """The last touches of the first ``count`` elements up to step ``until``."""
        rows = self._rows[: self._done].reshape(-1, 6)
        size = max(1, buffer.element_bytes)
        rows = rows[(rows[:, 0] >= buffer.base) & (rows[:, 0] < buffer.base + count * size) & (rows[:, 2] <= until)]
        out = np.zeros((count, 4), np.int64)
        # A vector access touches several elements: one entry each, in the order of the steps.
        each = np.maximum(1, rows[:, 1] // size)
        of_row = np.repeat(np.arange(len(rows)), each)
        within = np.arange(len(of_row)) - np.repeat(np.cumsum(each) - each, each)
        index = (rows[of_row, 0] - buffer.base) // size + within
        out[index[index < count]] = rows[of_row[index < count], 2:]
        return Touch(out[:, 0], out[:, 1].astype(np.int32), out[:, 2].astype(np.int32), out[:, 3] > 0)


def hue(touch: Touch, warps: int) -> NDArray[np.uint8]:
    """A colour for each element: that of the warp, neighbours well apart."""
    key = touch.block * warps + touch.warp
    return np.where(touch.step > 0, key * 5 % HUES, NOTHING).astype(np.uint8)


def across_for(count: int, room: Box, most: float) -> int:
    """Elements in a row: a square array as a square, others so that all are in sight, in powers of two from 32."""
    side = isqrt(count)
    if side * side == count and side >= 16 and side * LEAST <= min(room.w, room.h):
        return side
    across = 32
    while 2 * across * LEAST <= room.w:
        rows = -(-count // across)
        if rows * min(most, room.w / across) <= room.h:
            break
        across *= 2
    return across


def draw_touches(context: FrameContext, picture: Picture, box: Box, buffers: Buffers, touches: Touches) -> bool:
    """Every buffer as a picture, coloured by the warp that touched each element last."""
    known = [b for b in buffers.all if b.element_bytes and b.end - b.base < 1 << 32]
    u = picture.unit
    if not known or box.h < 4 * u:
        return False
    note = "each element in the colour of the warp that touched it last"
    if touches.done < touches.total:
        note += f" (looked at {touches.done} of {touches.total} accesses)"
    picture.text(box.x + 0.5 * u, box.y + 0.6 * u, note, 0.85 * u, "dim", room=box.w - u, least=0.7 * u)
    rest = Box(box.x, box.y + 1.4 * u, box.w, box.bottom - box.y - 1.4 * u)
    beside = rest.w > 1.2 * rest.h and rest.w / len(known) >= 9 * u
    for k, buffer in enumerate(known):
        w, h = (rest.w / len(known), rest.h) if beside else (rest.w, rest.h / len(known))
        part = Box(rest.x + k * w * beside, rest.y + k * h * (not beside), w, h)
        _buffer(context, picture, part, buffer, touches)
    return True


def _buffer(context: FrameContext, picture: Picture, box: Box, buffer: Buffer, touches: Touches) -> None:
    u = picture.unit
    whole = (buffer.end - buffer.base) // buffer.element_bytes
    area = Box(box.x + 0.5 * u, box.y + 1.3 * u, box.w - u, box.h - 1.7 * u)
    said = picture.text(area.x, box.y + 0.6 * u, f"{buffer.name}[]", 0.9 * u, "text", bold=True, room=0.5 * area.w)
    if area.h < 2.2 * LEAST:
        return
    across = across_for(whole, area, 1.6 * u)
    size = min(area.w / across, 1.6 * u, area.h / (whole / across) if whole <= across * across else 1.6 * u)
    size = max(LEAST, size)
    rows = max(1, min(-(-whole // across), int(area.h / size + 0.01)))
    count = min(whole, rows * across)
    last = touches.of(buffer, count, context.frame.step)
    shown = f"{thousands(whole)} elements" if count == whole else f"first {thousands(count)} of {thousands(whole)}"
    picture.text(said.right + 0.6 * u, said.cy, shown, 0.8 * u, "dim", room=area.right - said.right - 0.6 * u,
                 least=0.6 * u)  # fmt: skip
    indices = np.full(rows * across, NOTHING + 1, np.uint8)
    indices[:count] = hue(last, context.launch.warps)
    place = Box(area.x, area.y, across * size, rows * size)
    picture.bitmap(place, indices.reshape(rows, across), TOKENS)
    if size >= 5:
        lines = [(place.x + c * size, place.y, place.x + c * size, place.bottom) for c in range(across + 1)]
        lines += [(place.x, place.y + r * size, place.right, place.y + r * size) for r in range(rows + 1)]
        picture.lines(lines, "panel", 1.0)
    now = np.flatnonzero((last.step == context.frame.step) & (last.step > 0))
    picture.rects(
        [Box(place.x + k % across * size, place.y + k // across * size, size, size) for k in now[:512]],
        None, "text", 1.6 if size > 5 else 1.0,
    )  # fmt: skip
    picture.region(place, partial(_at, buffer, last, place, across, size))


def _at(buffer: Buffer, last: Touch, place: Box, across: int, size: float, x: float, y: float) -> Hot | None:
    k = int((y - place.y) / size) * across + int((x - place.x) / size)
    if not 0 <= k < len(last.step):
        return None
    step = int(last.step[k])
    box = Box(place.x + k % across * size, place.y + k // across * size, size, size)
    if not step:
        return Hot(box, f"{buffer.name}[{k}]: not touched so far")
    block, warp = int(last.block[k]), int(last.warp[k])
    did = "written" if last.store[k] else "read"
    says = f"{buffer.name}[{k}]: {did} last by block {block}, warp {warp} at step {step}"
    return Hot(box, says, Target(block=block, warp=warp, step=step))
