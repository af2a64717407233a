"""Draw a shared-memory access: lanes above, banks as columns, words as rows, pass by pass."""

from __future__ import annotations

from functools import partial

from warpview.trace.words import counted
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.values import lanes_of, shared_arrays, where_lanes_go
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import (
    IDLE,
    draw_lanes,
    draw_nothing,
    draw_suppressed_lanes,
    draw_way,
    lane_regions,
    what_lanes_do,
)
from warpview.ui.views.memory.bank_rows_model import (
    HEADS,
    MORE,
    ROW,
    BankGrid,
    all_lines,
    bank_columns,
    colour_of,
    draw_banks,
)
from warpview.ui.views.memory.banks_model import BankAccess, bank_access, bank_of, word_name
from warpview.ui.views.memory.constant_model import constant_access, draw_constant
from warpview.ui.views.memory.parts_model import ALL
from warpview.ui.views.memory.suppressed_model import SHARED, draw_suppressed, none_served
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict

GUTTER = 4.7  # width of what stands at the left of lanes and banks, in units
MAPPED = 12.0  # units left to the map of the array, where there is as much
FARTHEST = 6.0  # units by which the way from the lanes to the banks is made longer at most, where there is room


def draw(context: FrameContext, picture: Picture, front: int = ALL) -> str:
    """Fill the picture with the banks that the step accesses, or its pass over constant memory; return the note."""
    constant = constant_access(context)
    if constant is not None:
        return draw_constant(context, picture, constant, front)
    banks = bank_access(context)
    if banks is None and (suppressed := none_served(context, SHARED)) is not None:
        return draw_suppressed(context, picture, suppressed)
    if banks is None:
        arrays = shared_arrays(context.program)
        return draw_nothing(
            picture, "this step accesses no shared memory" if arrays else "this kernel has no shared arrays"
        )
    front = front if 0 <= front < len(banks.access.wavefronts) and not context.predicting else ALL
    u, width = picture.unit, picture.width
    columns = LaneColumns.between(GUTTER * u, width - 0.6 * u)
    below = bank_columns(banks, GUTTER * u, width - 0.6 * u)
    lanes, grid = _places(picture, banks)
    _heading(picture, banks, front, context)
    served = banks.access.lanes if front == ALL else sum(1 << k for k, by in enumerate(banks.front_of) if by == front)
    waiting = banks.access.lanes & ~served
    tokens = () if context.predicting else _lane_colours(banks)
    draw_lanes(picture, columns, lanes, served, waiting, context.selection.lane, "active", tokens)
    lane_regions(picture, columns, lanes, context, partial(_lane_words, banks, context))
    drawn = draw_banks(picture, below, banks, front, grid, context)
    bottom = drawn.bottom + (MORE * u if drawn.hidden else 0.0)
    if not context.predicting:
        _curves(picture, columns, drawn, front, lanes.bottom, grid.y, context.selection.lane)
    spoken = what_lanes_do(banks.access.lanes, banks.access.kind, "shared memory")
    if not context.predicting:
        draw_suppressed_lanes(picture, columns, lanes, context.frame.suppressed)
    if context.predicting:
        _question(context, picture, banks, lanes.bottom + u)
        picture.cover(Box(0.4 * u, grid.y - 0.1 * u, width - 0.8 * u, bottom - grid.y + 0.2 * u))
        picture.spoken = f"{spoken}."
        return ""
    draw_array_map(context, picture, columns, bottom, lanes=served)
    picture.spoken = f"{spoken}: {banks.verdict}, {banks.sentence}."
    return banks.verdict


def _places(picture: Picture, banks: BankAccess) -> tuple[Box, Box]:
    """Return the boxes of the lanes and of the banks. In little height the lanes and the way from them to the banks are
    shorter, so that there is more of the rows."""
    u, width = picture.unit, picture.width
    tight = picture.height < 14 * u
    lanes = Box(0, 1.9 * u, width, 1.2 * u) if tight else Box(0, 2.0 * u, width, 1.5 * u)
    nearest = 1.2 * u if picture.height < 8 * u else 1.7 * u if tight else 2.5 * u
    needed = (HEADS + ROW * len(all_lines(banks))) * u
    spare = picture.height - lanes.bottom - nearest - needed - 0.3 * u
    top = lanes.bottom + nearest + min(FARTHEST * u, max(0.25 * spare, spare - MAPPED * u, 0.0))
    return lanes, Box(0, top, width, picture.height - top - 0.2 * u)


def _question(context: FrameContext, picture: Picture, banks: BankAccess, y: float) -> None:
    """Draw where the lanes go, for the class to infer the answer from."""
    at, u = context.frame.addresses, picture.unit
    if at is not None:
        says = where_lanes_go(banks.access.lanes, lambda lane: word_name(context.program, int(at.address[lane]) // 4))
        picture.text(0.5 * u, y, says, u, "text", room=picture.width - u, least=0.66 * u)


def _heading(picture: Picture, banks: BankAccess, front: int, context: FrameContext) -> None:
    """Draw the verdict, the number of wavefronts and, if it is another block of the cluster, whose memory it is; or
    which wavefront is shown, and the question asked."""
    n, at = len(banks.access.wavefronts), context.frame.addresses
    if context.predicting:
        draw_hidden(picture)
        return
    lead = banks.verdict if front == ALL else f"wavefront {front + 1} of {n}"
    told: tuple[str, ...] = (banks.sentence, counted(n, "wavefront")) if front == ALL else (banks.verdict,)
    if at is not None and at.whose:
        told = tuple(f"{words}, {at.whose}" for words in told)
    token = "atomic" if banks.access.collisions else "conflict" if banks.access.conflicts else "good"
    draw_verdict(picture, lead, token, told, parts=(n, front, "wavefront"))


def _lane_words(banks: BankAccess, context: FrameContext, lane: int) -> str:
    at = context.frame.addresses
    if not banks.access.lanes >> lane & 1 or at is None:
        return IDLE
    word = int(at.address[lane]) // 4
    says = word_name(context.program, word)
    if not context.predicting:
        says += f", bank {bank_of(banks, word)}"
        says += f", wavefront {banks.front_of[lane] + 1}" if len(banks.access.wavefronts) > 1 else ""
    return says


def _lane_colours(banks: BankAccess) -> tuple[tuple[int, str], ...]:
    """Return the lanes that wait for a conflicting bank, with the colour of their pass."""
    found = {lane: colour_of(banks, word) for word in banks.words for lane in lanes_of(word.lanes)}
    return tuple((lane, token) for lane, token in found.items() if token != "active")


def _curves(
    picture: Picture, columns: LaneColumns, grid: BankGrid, front: int, top: float, bottom: float, selected: int | None
) -> None:
    """Draw the way of each lane to its bank: quiet where it costs nothing, loud into a conflict."""
    width = max(1.4, 0.11 * picture.unit)
    ways = [(lane, word) for word in grid.banks.words if front in (ALL, word.front) for lane in lanes_of(word.lanes)]
    for lane, word in sorted(ways, key=lambda way: (way[0] == selected, grid.banks.clashes(way[1].bank, way[1].group))):
        x = grid.columns.centre(grid.column(word)) - 1
        token = colour_of(grid.banks, word)
        if lane == selected:
            draw_way(picture, columns, lane, top, x, bottom - 1, 2.2 * width, "accent")
        elif token == "active":
            draw_way(picture, columns, lane, top, x, bottom - 1, width, token, 0.6)
        else:
            draw_way(picture, columns, lane, top, x, bottom - 1, 1.25 * width, token)
