"""Model the addresses of an atomic operation: the lanes on one address are served one by one, and the value there
before the first and after the last. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.types import Space
from warpview.sim.arguments.values import DTYPES
from warpview.trace.frame import Frame
from warpview.trace.words import counted
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture, Target
from warpview.ui.drawing.values import lanes_of, number, ranges
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.context import FrameContext, stage_view
from warpview.ui.views.lanes.access_lanes_model import (
    IDLE,
    draw_lanes,
    draw_nothing,
    draw_suppressed_lanes,
    draw_way,
    lane_regions,
)
from warpview.ui.views.memory.banks_model import word_name
from warpview.ui.views.memory.suppressed_model import draw_suppressed
from warpview.ui.views.memory.transactions_model import buffers_of
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict

FEWEST_COLUMNS = 12  # addresses for which columns are made no wider
MOST_READ = 1 << 16  # bytes between the first and the last address that are read at once
ROW = 1.5  # units: the height of the values before, and of those after


@dataclass(frozen=True)
class AtomicAddress:
    """Hold an address of the operation, the element there, the mask of the lanes on it, and the values of the element
    before and after; '' where they are not known."""

    address: int
    name: str
    lanes: int
    before: str = ""
    after: str = ""

    @property
    def count(self) -> int:
        return self.lanes.bit_count()


@dataclass(frozen=True)
class AtomicAccess:
    """Hold the addresses of an atomic operation, in order."""

    addresses: tuple[AtomicAddress, ...]
    lanes: int
    whose: str  # in which other blocks of the cluster the shared memory lies, in words

    @property
    def passes(self) -> int:
        """Return the largest number of lanes on one address: they are carried out one after another."""
        return max((a.count for a in self.addresses), default=0)

    @property
    def verdict(self) -> str:
        """Return the collision in a few words."""
        if self.passes < 2:
            return "every lane has an address of its own" if len(self.addresses) > 1 else "one lane"
        worst = max(self.addresses, key=lambda a: a.count)
        return f"{worst.count} lanes on {worst.name}"


def atomic_access(context: FrameContext) -> AtomicAccess | None:
    """Return the addresses of this step's atomic operation; None where the step is none."""
    at, event = context.frame.addresses, context.frame.event
    if at is None or event is None or context.program.instructions[event.pc].op not in ATOMIC_OPS:
        return None
    served = context.frame.served
    if not served:
        return None
    lanes: dict[int, int] = {}
    for lane in lanes_of(served):
        address = int(at.address[lane])
        lanes[address] = lanes.get(address, 0) | 1 << lane
    shared = at.space is Space.SHARED
    buffers = None if shared else buffers_of(context)

    def name(address: int) -> str:
        return buffers.name(address) if buffers is not None else word_name(context.program, address // 4)

    before, after = ([""] * len(lanes),) * 2 if context.predicting else _values(context, sorted(lanes))
    rows = zip(sorted(lanes.items()), before, after, strict=True)
    return AtomicAccess(
        tuple(AtomicAddress(address, name(address), mask, *values) for (address, mask), *values in rows),
        served,
        at.whose,
    )


def _values(context: FrameContext, addresses: list[int]) -> tuple[list[str], list[str]]:
    """Return the values at ``addresses`` before the step and after it, as texts: "" where no memory is."""
    frame, event, at = context.frame, context.frame.event, context.frame.addresses
    assert event is not None
    assert at is not None
    instruction = context.program.instructions[event.pc]
    type_, dtype = instruction.type, DTYPES.get(instruction.type)
    if dtype is None or dtype.itemsize != at.width or instruction.op is Op.MBARRIER:
        return ([""] * len(addresses),) * 2

    def shared(of: Frame | None) -> list[str]:
        block = event.block if at.block is None else at.block
        view = next((view for view in of.shared if view.block == block), None) if of is not None else None
        return written(view.data, 0) if view is not None else [""] * len(addresses)

    def stored(step: int) -> list[str]:
        low, end = addresses[0], addresses[-1] + at.width
        if end - low <= MOST_READ:
            return written(context.trace.global_values(step, low, end - low, np.uint8), low)
        return [word(context.trace.global_values(step, a, at.width, np.uint8)) for a in addresses]

    def written(data: NDArray[Any], base: int) -> list[str]:
        return [word(data[a - base : a - base + at.width]) for a in addresses]

    def word(data: NDArray[Any]) -> str:
        return number(data.view(dtype)[0], type_) if len(data) == at.width else ""

    if at.space is Space.SHARED:
        return shared(context.previous), shared(frame)
    return stored(frame.step - 1), stored(frame.step)


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture: the lanes above, a column for each address below, its lanes in it; return the note."""
    found = atomic_access(context)
    u = picture.unit
    if found is None and (suppressed := context.frame.suppressed) is not None and stage_view(context) == "atomics":
        return draw_suppressed(context, picture, suppressed)
    if found is None:
        return draw_nothing(picture, "this step is not an atomic operation")
    _heading(picture, found, context.predicting)
    columns = LaneColumns.between(4.7 * u, picture.width - 0.6 * u)
    lanes = Box(0, 2.2 * u, picture.width, 1.5 * u)
    colliding = sum(a.lanes for a in found.addresses if a.count > 1)
    tokens = dict.fromkeys(lanes_of(colliding), "atomic")
    draw_lanes(picture, columns, lanes, found.lanes, 0, context.selection.lane, "active", tuple(tokens.items()))
    room = picture.height - lanes.bottom
    below = (2.9 + 1.35 * found.passes + 2 * ROW) * u  # names, lanes and values
    top = lanes.bottom + min(7.0 * u, max(1.8 * u, min(0.28 * room, room - below)))
    boxes = _columns(picture, found, columns, top)
    by_lane = {lane: address.name for address in found.addresses for lane in lanes_of(address.lanes)}
    lane_regions(picture, columns, lanes, context, lambda lane: by_lane.get(lane, IDLE))
    if not context.predicting:
        draw_suppressed_lanes(picture, columns, lanes, context.frame.suppressed)
    if context.predicting:
        picture.cover(Box(0.4 * u, top - 0.3 * u, picture.width - 0.8 * u, picture.height - top))
        picture.spoken = f"Lanes {ranges(found.lanes)} update memory atomically."
        return ""
    arrays = {address.name.partition("[")[0] for address in found.addresses}
    if len(arrays) == 1:
        picture.text(0.5 * u, top + 0.75 * u, f"{arrays.pop()}[ ]", 0.9 * u, "dim", room=4 * u, least=0.6 * u)
    fits = all(picture.size_of(a.name, 0.7 * u) <= box.w - 4 for a, box in zip(found.addresses, boxes, strict=True))
    for address, box in zip(found.addresses, boxes, strict=True):
        name = address.name if fits else _index(address.name)
        _address(picture, address, name, box, columns, lanes.bottom, found.passes, context.selection.lane)
    bottom = _write_values(picture, found, boxes)
    draw_array_map(context, picture, columns, bottom)
    picture.spoken = f"Lanes {ranges(found.lanes)}: {found.verdict}."
    return f"{found.passes} passes" if found.passes > 1 else "no collision"


def _heading(picture: Picture, found: AtomicAccess, hidden: bool) -> None:
    if hidden:
        draw_hidden(picture)
        return
    passes = f"{found.passes} passes, one after another" if found.passes > 1 else "one pass"
    every = f"{counted(found.lanes.bit_count(), 'lane')}, {counted(len(found.addresses), 'address')}: {passes}"
    told = tuple(f"{words}, {found.whose}" if found.whose else words for words in (every, passes))
    draw_verdict(picture, found.verdict, "atomic" if found.passes > 1 else "good", told)


def _columns(picture: Picture, found: AtomicAccess, columns: LaneColumns, top: float) -> list[Box]:
    """Return the box of each address, from its name down; those of few are not made wider than they need."""
    u, count = picture.unit, len(found.addresses)
    left, room = columns.left[0], columns.right - columns.left[0]
    pitch = room / max(count, FEWEST_COLUMNS)
    start = left + (room - pitch * count) / 2
    high = picture.height - top - 0.4 * u
    return [Box(start + k * pitch, top, pitch - 3, high) for k in range(count)]


def _write_values(picture: Picture, found: AtomicAccess, boxes: list[Box]) -> float:
    """Write the values before and after at the bottom of the columns, where there is room for all of them; return the
    place below."""
    u = picture.unit
    top = (
        boxes[0].y + 1.7 * u + found.passes * _height(boxes[0], found.passes, u) + (1.2 * u if found.passes > 1 else 0)
    )
    rows = ("before", [a.before for a in found.addresses]), ("after", [a.after for a in found.addresses])
    widest = max(picture.size_of(text, 0.6 * u) for _, texts in rows for text in texts)
    if not all(text for _, texts in rows for text in texts) or widest > boxes[0].w + 1:
        return top
    if top + 2 * ROW * u > picture.height:
        return top
    for k, (title, texts) in enumerate(rows):
        y = top + (k + 0.5) * ROW * u
        picture.text(0.5 * u, y, title, 0.9 * u, "dim", room=4 * u)
        for text, box in zip(texts, boxes, strict=True):
            picture.text(box.cx, y, text, 0.9 * u, "text", 0, title == "after", room=box.w + 1, least=0.55 * u)
    return top + 2 * ROW * u


def _address(
    picture: Picture, address: AtomicAddress, name: str, box: Box, columns: LaneColumns, lanes_bottom: float,
    passes: int, selected: int | None,
) -> None:  # fmt: skip
    """Draw one address: its name, and its lanes below in the order in which they are served."""
    u, clash = picture.unit, address.count > 1
    token = "atomic" if clash else "active"
    head = Box(box.x, box.y, box.w, 1.5 * u)
    picture.rect(head, "raised", token if clash else "faint", 2.0 if clash else 1.0, radius=3)
    if picture.size_of(name, 0.5 * u) <= box.w - 3:  # a part of an index would be another one
        picture.text(head.cx, head.cy, name, 0.9 * u, "text", 0, clash, room=box.w - 3, least=0.5 * u)
    height = _height(box, passes, u)
    for k, lane in enumerate(lanes_of(address.lanes)):
        top, gap = head.bottom + 0.2 * u + k * height, min(2.0, 0.3 * height)
        cell = Box(box.x + 0.1 * box.w, top, 0.8 * box.w, height - gap)
        picture.rect(cell, token, "accent" if lane == selected else None, 2.2, radius=2, alpha=1.0 if clash else 0.55)
        if height >= 0.8 * u:
            size = min(0.85 * u, 0.8 * height)
            picture.text(cell.cx, cell.cy, str(lane), size, "on_lane", 0, True, room=box.w, least=0.5 * u)
        draw_way(picture, columns, lane, lanes_bottom, head.cx, head.y - 1, max(1.4, 0.11 * u), token)
    bottom = head.bottom + 0.2 * u + address.count * height
    if clash:
        y = min(bottom + 0.6 * u, picture.height - 0.6 * u)
        picture.text(head.cx, y, f"×{address.count}", u, "text", 0, True, room=box.w, least=0.5 * u)
    says = f"{address.name}: lane{'s' if clash else ''} {ranges(address.lanes)}"
    says += f", served one after another in {address.count} passes" if clash else ""
    says += f"\n{address.before} before, {address.after} after" if address.after else ""
    target = Target(lane=lanes_of(address.lanes)[0])
    picture.hit(Box(box.x, box.y, box.w, bottom - box.y + 1.2 * u), says, target)


def _height(box: Box, passes: int, unit: float) -> float:
    """Return the height that each of the lanes on an address takes below its name."""
    return max(1.0, min(1.35 * unit, (box.h - 3.1 * unit) / max(1, passes)))


def _index(name: str) -> str:
    """Return the index alone of an element's name; the name where it has none."""
    return name.partition("[")[2].rstrip("]") or name
