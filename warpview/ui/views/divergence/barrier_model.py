"""Model the barrier: the warps of the block that ran, which have arrived and what the others do. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil

from warpview.diagnostics import capitalised
from warpview.isa.ops import BLOCK_BARRIERS, CLUSTER_BARRIERS, Op
from warpview.isa.program import NONE
from warpview.isa.types import FULL
from warpview.trace.caption import barrier_number, waiting_at, waits_for_cluster
from warpview.trace.frame import LaneStatus, Mark, WarpState
from warpview.trace.words import counted, lanes_words
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import draw_nothing
from warpview.ui.views.lanes.lane_rows_model import draw_cells
from warpview.ui.views.lanes.lanes_model import words
from warpview.ui.views.verdict_line import draw_hidden, draw_verdict

ROW_MOST = 8.0  # units
LEAST_NAME = 0.8  # units: height of a warp's name


@dataclass(frozen=True)
class BarrierRow:
    """Describe a warp of the block: where it stands, and for how many cycles it has waited (None: not arrived)."""

    state: WarpState
    waited: int | None
    line: int | None
    arrives: bool  # with this step
    elsewhere: str = ""  # where the other lanes of a warp stand of which some have arrived: "lanes 16 to 31 in line 13"

    @property
    def arrived(self) -> bool:
        return self.waited is not None

    @property
    def missing(self) -> int:
        """Return the lanes that have not arrived while others of the warp wait."""
        waiting = self.state.at_barrier
        return FULL & ~self.state.exited & ~waiting if self.arrived and waiting else 0

    @property
    def ended(self) -> bool:
        return self.state.exited & FULL == FULL


@dataclass(frozen=True)
class BarrierState:
    """Hold the barrier of ``blocks``, several where it is that of their cluster: their warps, and whether this step let
    all of them go on. A barrier with a ``number`` is one of several, for some of the warps."""

    blocks: tuple[int, ...]
    rows: tuple[BarrierRow, ...]
    opened: bool
    number: int | None = None

    @property
    def place(self) -> str:
        """Return whose barrier it is, in words."""
        if len(self.blocks) == 1:
            return f"block {self.blocks[0]}"
        return f"cluster of {len(self.blocks)} blocks"

    @property
    def arrived(self) -> int:
        return sum(row.arrived for row in self.rows)

    @property
    def expected(self) -> int:
        """Return the warps that the barrier waits for: all that have not ended."""
        return sum(not row.ended for row in self.rows)

    @property
    def verdict(self) -> str:
        """Return the state in one short sentence."""
        if self.number is not None:
            if self.opened:
                return f"barrier {self.number} is complete: its warps continue"
            return f"{self.arrived} of {len(self.rows)} warps wait at barrier {self.number}"
        if self.opened:
            return f"all {self.expected} warps have arrived: the barrier opens"
        if len(self.blocks) > 1:
            return f"{self.arrived} of {self.expected} warps wait at the barrier of the cluster"
        if not self.arrived:
            return "no warp waits at a barrier"
        if any(row.missing for row in self.rows):
            alive = sum(32 - row.state.exited.bit_count() for row in self.rows)
            return f"{sum(row.state.at_barrier.bit_count() for row in self.rows)} of {alive} threads have arrived"
        return f"{self.arrived} of {self.expected} warps have arrived"


def barrier_state(context: FrameContext) -> BarrierState | None:
    """Return the barrier of the block that ran last, or of the selected one; None where it is not resident."""
    frame, event = context.frame, context.frame.event
    block = event.block if event is not None and not _others_wait(context) else context.selection.block
    warps = _warps(context, (block,))
    if not warps:
        return None
    op = context.program.instructions[event.pc].op if event is not None else None
    here = op in BLOCK_BARRIERS | CLUSTER_BARRIERS and event is not None and event.block == block
    of_cluster = op in CLUSTER_BARRIERS if here else any(waits_for_cluster(context.program, warp) for warp in warps)
    blocks = tuple(context.launch.cluster_of(block)) if of_cluster else (block,)
    warps = _warps(context, blocks)
    number = _number(context, warps, here)
    waiting = {(b, w.warp) for b in blocks for w in waiting_at(frame, context.program, b, number)
               if waits_for_cluster(context.program, w) == of_cluster}  # fmt: skip
    passes = event is not None and (event.block, event.warp) not in waiting
    opened = here and op != Op.CLUSTER_ARRIVE and (passes if number is not None else not waiting)
    rows = []
    for warp in warps:
        arrives = here and event is not None and (event.block, event.warp) == (warp.block, warp.warp)
        waits = (warp.block, warp.warp) in waiting or (opened and number is None and warp.exited & FULL != FULL)
        pc = event.pc if arrives and event is not None else warp.pc
        line = context.program.instructions[pc].span.line if pc != NONE else None
        elsewhere = _lines_elsewhere(context, warp) if waits else ""
        rows.append(BarrierRow(warp, _waited(context, warp) if waits else None, line, arrives, elsewhere))
    return BarrierState(blocks, tuple(rows), opened, number)


def _warps(context: FrameContext, blocks: tuple[int, ...]) -> list[WarpState]:
    return sorted((w for w in context.frame.warps if w.block in blocks), key=lambda w: (w.block, w.warp))


def _lines_elsewhere(context: FrameContext, warp: WarpState) -> str:
    """Return where the lanes of a warp stand that have not arrived, if others of it have."""
    return ", ".join(
        f"{lanes_words(path.mask)} in line {context.program.instructions[path.pc].span.line}"
        for path in warp.paths
        if path.waiting != "barrier" and path.mask & ~warp.at_barrier and path.pc != NONE
    ) if warp.at_barrier else ""  # fmt: skip


def _number(context: FrameContext, warps: list[WarpState], here: bool) -> int | None:
    """Return the number of the barrier that this step is about, or else that the first warp waits at which waits."""
    frame, program, event = context.frame, context.program, context.frame.event
    if here and event is not None:
        return barrier_number(frame, program, event.slot, event.pc, event.on or event.mask)
    paths = ((warp.slot, path) for warp in warps for path in warp.paths if path.waiting == "barrier")
    slot, path = next(paths, (0, None))
    return None if path is None else barrier_number(frame, program, slot, path.pc, path.mask)


def _others_wait(context: FrameContext) -> bool:
    """Return whether the block that ran has no warp at a barrier while the selected one has."""
    event, selected = context.frame.event, context.selection.block
    waiting = {w.block for w in context.frame.warps if w.at_barrier}
    assert event is not None
    at_barrier = context.program.instructions[event.pc].op in BLOCK_BARRIERS
    return not at_barrier and event.block not in waiting and selected in waiting


def _waited(context: FrameContext, warp: WarpState) -> int:
    """Return the cycles since the warp arrived."""
    trace, step = context.trace, context.frame.step
    found = trace.find(step + 1, Mark.BARRIER, forward=False, key=(warp.block, warp.warp))
    return context.frame.cycle - trace.event(found).cycle if found is not None else 0


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture with a row for each warp of the block; return the note."""
    found = barrier_state(context)
    if found is None:
        return draw_nothing(picture, "no block is resident")
    u = picture.unit
    if context.predicting:
        draw_hidden(picture)
    else:
        draw_verdict(picture, found.verdict, "good" if found.opened else "barrier", (found.place,))
    words_width = min(22 * u, 0.34 * picture.width)
    columns = LaneColumns.between(4.2 * u, picture.width - words_width - 0.6 * u)
    top = 2.3 * u
    height = min(ROW_MOST * u, (picture.height - top - 0.3 * u) / len(found.rows))
    boxes = [Box(0, top + k * height, picture.width, height) for k in range(len(found.rows))]
    lanes = [(_lanes(row), box) for row, box in zip(found.rows, boxes, strict=True)]
    told = _fitting_words(found, picture, picture.width - columns.right - u, min(u, 0.86 * height))
    keys, selected = [(row.state.block, row.state.warp) for row in found.rows], context.selection.key
    for k in _named_rows(boxes, LEAST_NAME * u, keys.index(selected) if selected in keys else 0):
        name = f"w{keys[k][1]}" if len(found.blocks) == 1 else f"b{keys[k][0]} w{keys[k][1]}"
        _names(picture, columns, found.rows[k], name, told[k], boxes[k], keys[k] == selected)
    draw_cells(picture, columns, lanes)
    bottom = boxes[-1].bottom
    picture.region(Box(0, top, picture.width, bottom - top), partial(_row_at, found, boxes, columns))
    if context.predicting:
        picture.cover(Box(columns.left[0], top, picture.width - columns.left[0] - 0.4 * u, bottom - top))
        picture.spoken = f"{capitalised(found.place)} at the barrier."
        return ""
    picture.spoken = f"{capitalised(found.place)}: {found.verdict}."
    return f"{found.arrived}/{found.expected}"


def _lanes(row: BarrierRow) -> tuple[LaneStatus, ...]:
    """Return the lanes as they stand at the barrier: hatched once they have arrived, even if they go on now."""
    if not row.arrived:
        return row.state.lanes
    gone = (LaneStatus.EXITED, LaneStatus.ABSENT)
    return tuple(
        status if status in gone else LaneStatus.DIVERGED if row.missing >> lane & 1 else LaneStatus.BARRIER
        for lane, status in enumerate(row.state.lanes)
    )


def _fitting_words(found: BarrierState, picture: Picture, room: float, size: float) -> list[str]:
    """Return what each row says: why its warp waits in a sentence, or by the stall's name where a sentence is cut."""
    sentences = [_row_words(row) for row in found.rows]
    if max(picture.size_of(sentence, size) for sentence in sentences) <= room:
        return sentences
    return [_row_words(row, named=True) for row in found.rows]


def _row_words(row: BarrierRow, named: bool = False) -> str:
    if row.ended:
        return "has ended"
    if row.elsewhere:
        return row.elsewhere
    if row.arrives:
        return "arrives now"
    if row.waited is not None:
        return f"has waited {counted(row.waited, 'cycle')}"
    place = f"line {row.line}" if row.line else ""
    return ", ".join(part for part in (place, words(row.state, False, named)) if part)


def _named_rows(boxes: list[Box], least: float, named: int) -> range:
    """Return the rows that have room for a name: all, or the row ``named`` and every so many from it."""
    each = max(1, ceil(least / boxes[0].h))
    return range(named % each, len(boxes), each)


def _names(
    picture: Picture, columns: LaneColumns, row: BarrierRow, name: str, text: str, box: Box, selected: bool
) -> None:
    u = picture.unit
    if selected:
        picture.rect(Box(0.15 * u, box.y, picture.width - 0.3 * u, box.h), "glow", radius=3)
    size = min(u, 0.86 * max(box.h, LEAST_NAME * u))
    colour, left = "accent" if selected else "text", columns.left[0] - 0.5 * u
    picture.text(left, box.cy, name, size, colour, 1, selected, room=left - 0.2 * u, least=0.6 * u)
    x = columns.right + 0.7 * u
    colour = "text" if row.arrived else "dim"
    picture.text(x, box.cy, text, size, colour, bold=row.arrives, room=picture.width - x - 0.3 * u, least=0.7 * u)


def _row_at(found: BarrierState, boxes: list[Box], columns: LaneColumns, x: float, y: float) -> HitRegion | None:
    k = next((k for k, box in enumerate(boxes) if box.y <= y < box.bottom), None)
    if k is None:
        return None
    row = found.rows[k]
    block, warp = row.state.block, row.state.warp
    target = Target(block=block, warp=warp, lane=columns.at(x))
    return HitRegion(boxes[k], f"block {block}, warp {warp}: {_row_words(row)}", target)
