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
from warpview.ui.views.verdict_line import draw_question, draw_verdict

SERVED = 1.3  # units: the height of the line that says which level of the memory served the access
TIGHT = 8  # units of height, below which lanes are lower
MAPPED, MAPPED_TOLD = 14.0, 17.5  # units below the lanes that leave room for the array, and for words above it


def idle_key(context: FrameContext) -> tuple[object, ...] | None:
    """Return the state that the picture depends on while no step accesses global memory; None where one does."""
    shown = isinstance(context.frame.access, GlobalAccess) or none_served(context, GLOBAL) is not None
    return None if shown else (id(context.run),)


def draw(context: FrameContext, picture: Picture, part: int = ALL) -> str:
    """Fill the picture, with one step of the protocol alone where ``part`` is not ALL. Returns the note."""
    found = memory_access(context)
    if found is None and (suppressed := none_served(context, GLOBAL)) is not None:
        return draw_suppressed(context, picture, suppressed)
    if found is None:
        return draw_nothing(picture, "this step accesses no global memory")
    u, buffers = picture.unit, buffers_of(context)
    steps = protocol(found.access, found.at)
    part = part if 0 <= part < len(steps) and len(steps) > 1 and not context.predicting else ALL
    columns = LaneColumns.between(4.7 * u, picture.width - 0.6 * u)
    tight = picture.height < TIGHT * u
    lanes = Box(0, 1.9 * u, picture.width, 1.2 * u) if tight else Box(0, 2.0 * u, picture.width, 1.5 * u)
    _heading(picture, found, steps, part, context.predicting)
    # Of one step of the protocol the lanes that it is about; the others are hollow, or faint once served.
    shown, before = (found.access.lanes, 0) if part == ALL else (steps[part].lanes, served_before(steps, part))
    shown &= found.access.lanes & ~before
    hollow = found.access.lanes & ~before & ~shown
    draw_lanes(picture, columns, lanes, shown, hollow, context.selection.lane, "active", ())
    lane_regions(picture, columns, lanes, context, partial(_lane_words, found, buffers))
    if not context.predicting:
        draw_suppressed_lanes(picture, columns, lanes, context.frame.suppressed)
    room = picture.height - lanes.bottom
    least = max(1.2 * u, min(2.6 * u, room - 2.4 * u))  # a low picture keeps its pieces rather than the way to them
    told = any(t.note for t in found.access.transactions)  # in words below
    most, share = (7.0, 0.28) if room > (MAPPED_TOLD if told else MAPPED) * u else (9.0 if told else 12.0, 0.4)
    first = lanes.bottom + min(most * u, max(least, share * room))
    pieces = found.pieces if part == ALL else ground(found, steps)
    placed = _placed(picture, columns, pieces, first)
    bottom = max(p.box.bottom for p in placed) + 2.2 * u if placed else first
    picture.spoken = what_lanes_do(found.access.lanes, found.access.kind, "global memory")
    if context.predicting:
        says = where_lanes_go(found.access.lanes, lambda lane: buffers.name(places(found.at, lane)[0][0]))
        picture.text(0.5 * u, lanes.bottom + u, says, u, "text", room=picture.width - u, least=0.66 * u)
        picture.cover(Box(0.4 * u, first - 0.9 * u, picture.width - 0.8 * u, picture.height - first + 0.5 * u))
        return ""
    if part == ALL:
        draw_curves(picture, columns, found, placed, lanes.bottom, context.selection.lane)
        draw_pieces(picture, found, placed, buffers, context)
        picture.spoken += f": {'; '.join(filter(None, (found.sentences[0], found.served)))}."
        if found.served and bottom + SERVED * u < picture.height:
            picture.text(
                columns.left[0], bottom + 0.5 * u, found.served, 0.9 * u, "dim", room=picture.width, least=0.7 * u
            )
            bottom += SERVED * u
    else:
        draw_step(picture, found, steps, part, columns, placed, lanes.bottom, buffers)
        picture.spoken += f", step {part + 1} of {len(steps)}: {steps[part].words}."
    box = Box(0, bottom, picture.width, picture.height - bottom)
    if part == ALL and told and box.h > 2.2 * u:
        bottom = _steps_in_words(picture, found, buffers, box)
    sent = () if part == ALL else [found.access.transactions[order] for order in steps[part].issued]
    moved = [(p.base, p.size) for p in (found.pieces if part == ALL else sent)]
    draw_array_map(context, picture, columns, bottom, moved, shown)
    return found.verdict


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
        draw_question(picture, "How many transactions, and how much is wasted?")
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
