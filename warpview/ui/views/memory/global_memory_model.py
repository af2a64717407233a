"""Draw a global access: lanes above, the segments, lines or sectors that move below, used and wasted."""

from __future__ import annotations

from functools import partial

from warpview.sim.rules.access import GlobalAccess
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.values import Buffers, where_lanes_go
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import (
    IDLE,
    draw_lanes,
    draw_nothing,
    draw_suppressed_lanes,
    lane_regions,
    what_lanes_do,
)
from warpview.ui.views.memory.coalescing_steps_model import draw_step, ground, served_before
from warpview.ui.views.memory.parts_model import ALL, Part, protocol
from warpview.ui.views.memory.pieces_model import Placed, draw_curves, draw_pieces, place
from warpview.ui.views.memory.suppressed_model import GLOBAL, draw_suppressed, none_served
from warpview.ui.views.memory.transactions_model import (
    MemoryAccess,
    Piece,
    buffers_of,
    memory_access,
    places,
    steps_in_words,
)
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict

SERVED = 1.3  # units: the height of the line that says which level of the memory served the access
TIGHT = 8  # units of height, below which lanes are lower
MAPPED, MAPPED_TOLD = 14.0, 17.5  # units below the lanes that leave room for the array, and for words above it


def draw(context: FrameContext, picture: Picture, part: int = ALL) -> str:
    """Fill the picture, with one step of the protocol alone where ``part`` is not ALL. Returns the note."""
    found = memory_access(context)
    if found is None and (suppressed := none_served(context, GLOBAL)) is not None:
        return draw_suppressed(context, picture, suppressed)
    if found is None:
        return draw_nothing(picture, "this step accesses no global memory")
    steps = protocol(found.access, found.at)
    part = part if 0 <= part < len(steps) and len(steps) > 1 and not context.predicting else ALL
    page = _Page(context, picture, found, steps, part)
    _heading(picture, found, steps, part, context.predicting)
    page.draw_lanes()
    picture.spoken = what_lanes_do(found.access.lanes, found.access.kind, "global memory")
    if context.predicting:
        page.draw_covered()
        return ""
    bottom = page.draw_step() if part != ALL else page.draw_access()
    sent = found.pieces if part == ALL else [found.access.transactions[order] for order in steps[part].issued]
    draw_array_map(context, picture, page.columns, bottom, [(p.base, p.size) for p in sent], page.shown)
    return found.verdict


class _Page:
    """Draw an access under its heading: its lanes, the way from them to its pieces, and the pieces."""

    def __init__(
        self, context: FrameContext, picture: Picture, found: MemoryAccess, steps: tuple[Part, ...], part: int
    ) -> None:
        self._context, self._picture, self._found, self._steps, self._part = context, picture, found, steps, part
        self._buffers = buffers_of(context)
        u = picture.unit
        self.columns = LaneColumns.between(4.7 * u, picture.width - 0.6 * u)
        tight = picture.height < TIGHT * u
        self._lanes = Box(0, 1.9 * u, picture.width, 1.2 * u) if tight else Box(0, 2.0 * u, picture.width, 1.5 * u)
        # Of one step of the protocol the lanes that it is about; the others are hollow, or faint once served.
        self.shown, self._before = found.access.lanes, 0
        if part != ALL:
            self._before = served_before(steps, part)
            self.shown &= steps[part].lanes & ~self._before
        self._told = any(t.note for t in found.access.transactions)  # in words below the pieces
        self._first = self._top_of_pieces()
        pieces = found.pieces if part == ALL else ground(found, steps)
        self._placed = _placed(picture, self.columns, pieces, self._first)

    def _top_of_pieces(self) -> float:
        """Return where the pieces begin: a low picture keeps them rather than the way to them."""
        u, room = self._picture.unit, self._picture.height - self._lanes.bottom
        least = max(1.2 * u, min(2.6 * u, room - 2.4 * u))
        mapped = room > (MAPPED_TOLD if self._told else MAPPED) * u
        most, share = (7.0, 0.28) if mapped else (9.0 if self._told else 12.0, 0.4)
        return self._lanes.bottom + min(most * u, max(least, share * room))

    @property
    def _bottom(self) -> float:
        return max((p.box.bottom + 2.2 * self._picture.unit for p in self._placed), default=self._first)

    def draw_lanes(self) -> None:
        context, picture, found = self._context, self._picture, self._found
        hollow = found.access.lanes & ~self._before & ~self.shown
        draw_lanes(picture, self.columns, self._lanes, self.shown, hollow, context.selection.lane, "active", ())
        lane_regions(picture, self.columns, self._lanes, context, partial(_lane_words, found, self._buffers))
        if not context.predicting:
            draw_suppressed_lanes(picture, self.columns, self._lanes, context.frame.suppressed)

    def draw_covered(self) -> None:
        """Say where the lanes go, and cover how."""
        picture, found, u = self._picture, self._found, self._picture.unit
        says = where_lanes_go(found.access.lanes, lambda lane: self._buffers.name(places(found.at, lane)[0][0]))
        picture.text(0.5 * u, self._lanes.bottom + u, says, u, "text", room=picture.width - u, least=0.66 * u)
        top = self._first - 0.9 * u
        picture.cover(Box(0.4 * u, top, picture.width - 0.8 * u, picture.height - top - 0.4 * u))

    def draw_access(self) -> float:
        """Draw the whole access; return where the room below it begins."""
        picture, found, u, bottom = self._picture, self._found, self._picture.unit, self._bottom
        lane = self._context.selection.lane
        draw_curves(picture, self.columns, found, self._placed, self._lanes.bottom, lane)
        draw_pieces(picture, found, self._placed, self._buffers, self._context)
        picture.spoken += f": {'; '.join(filter(None, (found.sentences[0], found.served)))}."
        if found.served and bottom + SERVED * u < picture.height:
            left, middle = self.columns.left[0], bottom + 0.5 * u
            picture.text(left, middle, found.served, 0.9 * u, "dim", room=picture.width, least=0.7 * u)
            bottom += SERVED * u
        box = Box(0, bottom, picture.width, picture.height - bottom)
        return _steps_in_words(picture, found, self._buffers, box) if self._told and box.h > 2.2 * u else bottom

    def draw_step(self) -> float:
        """Draw one step of the protocol; return where the room below it begins."""
        draw_step(
            self._picture, self._found, self._steps, self._part, self.columns, self._placed, self._lanes.bottom,
            self._buffers,
        )  # fmt: skip
        self._picture.spoken += f", step {self._part + 1} of {len(self._steps)}: {self._steps[self._part].words}."
        return self._bottom


def has_protocol(context: FrameContext) -> bool:
    """Return whether the step's access is joined to transactions in steps worth showing one by one."""
    access = context.frame.access
    return isinstance(access, GlobalAccess) and not access.coalesced and any(t.note for t in access.transactions)


def _placed(picture: Picture, columns: LaneColumns, pieces: tuple[Piece, ...], first: float) -> list[Placed]:
    """Place pieces in as many rows as they need and there is height for."""
    u = picture.unit
    room = picture.height - first
    height = min(max(2.2 * u, 0.15 * room), 3.2 * u, max(1.4 * u, room - 0.2 * u))
    pitch = height + 2.4 * u
    most = min(4, max(1, int(room / pitch)))
    return place(pieces, columns.left[0], columns.right, first, pitch, height, u, most)


def _heading(picture: Picture, found: MemoryAccess, steps: tuple[Part, ...], part: int, hidden: bool) -> None:
    if hidden:
        draw_hidden(picture)
        return
    good = found.percent >= 99 and len(found.access.transactions) <= max(1, found.access.ideal_transactions)
    token = "atomic" if found.access.collisions else "good" if good else "conflict"
    buttons = len(steps), part, "step"
    if part == ALL:
        draw_verdict(picture, found.verdict, token, found.sentences, parts=buttons)
    else:
        draw_verdict(picture, f"{part + 1} of {len(steps)}", token, (steps[part].words,), "accent", buttons)


def _lane_words(found: MemoryAccess, buffers: Buffers, lane: int) -> str:
    if not found.access.lanes >> lane & 1:
        return IDLE
    address = places(found.at, lane)[0][0]
    return f"{buffers.name(address)}, address 0x{address:x}, {found.access.width} bytes"


def _steps_in_words(picture: Picture, found: MemoryAccess, buffers: Buffers, box: Box) -> float:
    """Describe how the addresses were joined to transactions, in as many lines as there is room for; return where they
    end."""
    u, y = picture.unit, box.y
    lines = steps_in_words(found, buffers)
    fit = max(1, int(box.h / (1.25 * u)))
    wrapped = [part for text in lines for part in picture.wrap(text, box.w - u, 0.88 * u)]
    if len(wrapped) <= fit:
        lines = wrapped
    for text in lines if len(lines) <= fit else [*lines[: fit - 1], f"… and {len(lines) - fit + 1} more"]:
        picture.text(0.5 * u, y + 0.6 * u, text, 0.88 * u, "text", room=box.w - u, least=0.75 * u)
        y += 1.25 * u
    return y
