"""Model the selected warp's divergence: its stack or its splits as they are, and the lanes in the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.trace.frame import ControlPath, WarpState
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import lanes_of, ranges
from warpview.ui.views.context import FrameContext
from warpview.ui.views.divergence.flow_model import LEAST_PITCH, Block, Drawing, FlowGraph, Route, arrange, flow

WAITING = {
    "reconvergence": "waits for the others",
    "barrier": "at the barrier",
    "warpsync": "waits for its member mask",
}


LEAST_TITLE, LEGIBLE = 0.54, 10.5  # size at least of the statement of a block, in units and in pixels


@dataclass(frozen=True)
class Card:
    """Describe one path of control. ``token`` is its colour everywhere in the view."""

    path: ControlPath
    running: bool
    line: int | None
    until: str
    words: str
    token: str

    @property
    def title(self) -> str:
        return f"line {self.line}" if self.line else "end of the kernel"


def cards(context: FrameContext, warp: WarpState) -> list[Card]:
    """Return the paths of a warp, the running one first; below it those that wait."""
    is_stack = context.device.divergence == "stack"
    order = list(reversed(warp.paths)) if is_stack else sorted(warp.paths, key=lambda p: not _runs(warp, p))
    found = []
    for k, path in enumerate(order):
        running = k == 0 and not path.waiting
        where = _line(context, path.reconvergence)
        until = f"until line {where}" if where else "until the end"
        if len(order) == 1:
            until = "not diverged"
        elif k == len(order) - 1 and is_stack:
            until = "all remaining lanes"
        words = "runs" if running else WAITING.get(path.waiting, "parked" if is_stack else "can run")
        found.append(Card(path, running, _line(context, path.pc), until, words, f"path{k}"))
    return found


def _runs(warp: WarpState, path: ControlPath) -> bool:
    return path.pc == warp.pc and path.mask == warp.mask and not path.waiting


def _line(context: FrameContext, pc: int) -> int | None:
    instructions = context.program.instructions
    return instructions[pc].span.line if 0 <= pc < len(instructions) else None


def moves(context: FrameContext, graph: FlowGraph) -> dict[tuple[int, int], int]:
    """Return the edges that lanes of the selected warp went along in this step: (from block, to block) -> lanes."""
    event = context.frame.event
    if event is None or not context.event_is_selected:
        return {}
    here = graph.block_of[event.pc]
    if event.pc != graph.blocks[here].last:
        return {}
    instruction = context.program.instructions[event.pc]
    stays = event.mask
    found: dict[tuple[int, int], int] = {}
    if instruction.op == Op.BRA and instruction.target != NONE:
        if event.taken:
            found[here, graph.block_of[instruction.target]] = event.taken
        stays &= ~event.taken
    elif instruction.op == Op.EXIT:
        stays &= ~event.on
    if stays and here + 1 < len(graph.blocks):
        key = (here, here + 1)
        found[key] = found.get(key, 0) | stays
    return found


# --- drawing ----------------------------------------------------------------------------------------------------


def band_height(height: float, unit: float) -> float:
    """Return the height of the band of active lanes below a picture; 0 where the graph needs the room."""
    return 5.6 * unit if height > 21 * unit else 0.0


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture; returns the note."""
    u = picture.unit
    warp = context.warp
    area = Box(0, 0, picture.width, picture.height)
    split = picture.width
    if picture.width > 24 * u:  # the graph needs room more than the cards do
        split = max(min(11 * u, 0.5 * picture.width), min(24 * u, 0.36 * picture.width))
    found = cards(context, warp) if warp is not None else []
    _cards(context, picture, Box(area.x, area.y, split, area.h), found, warp)
    if split < picture.width:
        graph_area = Box(split + 0.6 * u, 0.3 * u, picture.width - split - 1.0 * u, area.h - 0.5 * u)
        _graph(context, picture, graph_area, found)
        picture.lines([(split, 0.4 * u, split, area.h - 0.4 * u)], "faint")
    return _note(context, picture, warp, found)


def _note(context: FrameContext, picture: Picture, warp: WarpState | None, found: list[Card]) -> str:
    key = f"block {context.selection.block}, warp {context.selection.warp}"
    if warp is None:
        picture.spoken = f"{key} is not resident."
        return "not resident"
    if not found:
        picture.spoken = f"{key} has ended."
        return "ended"
    active = found[0].path.mask.bit_count()
    if context.predicting:
        picture.spoken = key
        return ""
    picture.spoken = f"{key}: {len(found)} paths; lanes {ranges(found[0].path.mask)} at {found[0].title}."
    return f"{active}/32 on 1 of {len(found)} paths" if len(found) > 1 else f"{active}/32, one path"


def _cards(context: FrameContext, picture: Picture, area: Box, found: list[Card], warp: WarpState | None) -> None:
    u = picture.unit
    is_stack = context.device.divergence == "stack"
    name = "Stack, top first" if is_stack else "Splits"
    who = f"b{context.selection.block} w{context.selection.warp}"
    said = picture.text(0.5 * u, 0.75 * u, name, 0.88 * u, "dim", room=area.w - 4.5 * u, least=0.75 * u)
    picture.text(area.right - 0.5 * u, said.cy or 0.75 * u, who, 0.88 * u, "dim", 1)
    if warp is None or not found:
        says = "this warp is not resident" if warp is None else "all lanes have ended"
        picture.text(area.cx, area.cy, says, u, "dim", 0, room=area.w - u)
        return
    top = area.y + 1.5 * u
    if context.predicting:  # how many paths there are is part of the answer
        picture.cover(Box(area.x + 0.4 * u, top, area.w - 0.8 * u, area.bottom - top - 0.3 * u))
        return
    height = max(2.9 * u, min(4.3 * u, (area.bottom - top) / len(found)))
    fit = max(1, int((area.bottom - top + 2) / height))
    shown = found if len(found) <= fit else found[: max(1, fit - 1)]
    for k, card in enumerate(shown):
        box = Box(area.x + 0.4 * u, top + k * height, area.w - 0.8 * u, height - 0.35 * u)
        _card(picture, box, card, warp.exited)
    y = top + len(shown) * height + 0.6 * u
    if len(shown) < len(found) and y + 0.5 * u <= area.bottom:  # the note says how many there are
        picture.text(area.x + 0.6 * u, y, f"… {len(found) - len(shown)} more", 0.9 * u, "dim")


def _card(picture: Picture, box: Box, card: Card, exited: int) -> None:
    u = picture.unit
    picture.rect(box, "glow" if card.running else "raised", "faint", radius=4)
    picture.rect(Box(box.x, box.y, 0.35 * u, box.h), card.token, radius=2)
    x, y = box.x + 0.8 * u, box.y + 0.85 * u
    count = f"{card.path.mask.bit_count()}/32"
    end = box.right - 0.5 * u - picture.size_of(count, 1.1 * u, bold=True)
    picture.text(box.right - 0.5 * u, y, count, 1.1 * u, "text", 1, True)
    said = picture.text(x, y, ("▶ " if card.running else "") + card.title, u, "text", bold=card.running, room=end - x)
    says = card.words if card.path.waiting else card.until
    room = end - said.right - u
    short = says.replace("until line ", "→ ")
    says = next((t for t in (says, short, card.words, "waits") if picture.size_of(t, 0.85 * u) <= room), "")
    picture.text(said.right + 0.6 * u, y, says, 0.85 * u, "dim", room=room, least=0.75 * u)
    draw_lane_mask(
        picture, Box(x, box.y + 1.6 * u, box.right - 0.5 * u - x, box.bottom - box.y - 2.0 * u), card, exited
    )
    target = Target(line=card.line, pc=card.path.pc) if card.line else None
    where = f"pc {card.path.pc}" if card.path.pc != NONE else "end"
    picture.hit(box, f"{card.title} ({where}): lanes {ranges(card.path.mask)}; {card.words}; {card.until}", target)


def draw_lane_mask(picture: Picture, box: Box, card: Card, exited: int) -> None:
    """Draw the lanes of a path as 32 cells: filled where they are on it, a dot where they have ended."""
    pitch = box.w / 32
    h = min(box.h, 1.3 * picture.unit)
    y = box.cy - h / 2
    gap = 1.5 if pitch > 7 else 1.0
    on = [Box(box.x + k * pitch, y, pitch - gap, h) for k in lanes_of(card.path.mask)]
    off = [Box(box.x + k * pitch, y, pitch - gap, h) for k in lanes_of(~(card.path.mask | exited) & 0xFFFFFFFF)]
    picture.rects(off, None, "idle" if card.running else "faint")
    if card.path.waiting == "barrier":
        picture.rects(on, None, "barrier", hatch="barrier")
    else:
        picture.rects(on, card.token)
    picture.dots([(box.x + (k + 0.45) * pitch, y + h / 2) for k in lanes_of(exited)], 1.2, "idle")


def _graph(context: FrameContext, picture: Picture, area: Box, found: list[Card]) -> None:
    u = picture.unit
    graph = flow(context.program)
    event = context.frame.event
    here = graph.at(found[0].path.pc) if found and not context.predicting else None
    if here is None and event is not None:
        here = graph.at(event.pc)
    if graph.layers * LEAST_PITCH * u > area.h:
        area = area.inset(0, 0.9 * u)  # room for what is cut off
    drawing = arrange(graph, area, u, here.index if here else None)
    went = moves(context, graph) if not context.predicting else {}
    _routes(picture, drawing, tuple(went))
    travelled = [(r, lanes) for r in drawing.routes if (lanes := went.get((r.edge.source, r.edge.target)))]
    for route, lanes in travelled:
        picture.curve(route.points, _token(lanes, found), 3.0, motion=True, arrow=True)
    _blocks(context, picture, graph, drawing, found)
    picture.region(area, partial(_block_at, context, graph, drawing, found))
    for route, lanes in travelled:
        _label(picture, route, lanes, _token(lanes, found))
    for count, y, word in (
        (drawing.cut_above, area.y - 0.5 * u, "above"),
        (drawing.cut_below, area.bottom + 0.4 * u, "below"),
    ):
        if count > 0:
            picture.text(area.right, y, f"{count} more {word}", 0.75 * u,
                         "dim", 1)  # fmt: skip


def _routes(picture: Picture, drawing: Drawing, went: tuple[tuple[int, int], ...]) -> None:
    """Draw the edges that no lane took."""
    for route in drawing.routes:
        if (route.edge.source, route.edge.target) not in went:
            picture.curve(route.points, "idle", 1.2, arrow=True)


def _token(lanes: int, found: list[Card]) -> str:
    return next((c.token for c in found if c.path.mask & lanes), "active")


def _label(picture: Picture, route: Route, lanes: int, token: str) -> None:
    """Draw how many lanes took an edge."""
    u = picture.unit
    text = str(lanes.bit_count())
    width = picture.size_of(text, 0.85 * u, bold=True) + 0.5 * u
    x = route.middle[0] + (0.7 * u if len(route.points) == 2 else -width / 2)
    is_short = route.edge.source == route.edge.target  # the label goes below its block, or it would cover the edge
    y = max(y for _, y in route.points) + 0.9 * u if is_short else route.middle[1]
    box = Box(min(x, picture.width - width - 2), y - 0.52 * u, width, 1.04 * u)
    picture.rect(box, "panel", token, 1.5, radius=3)
    picture.text(box.cx, box.cy, text, 0.85 * u, "text", 0, True)


def _blocks(context: FrameContext, picture: Picture, graph: FlowGraph, drawing: Drawing, found: list[Card]) -> None:
    inside = _inside(context, graph, found)
    others = Counter(graph.block_of[w.pc] for w in _others(context, graph))
    line = context.selection.line
    for block, box in zip(graph.blocks, drawing.boxes, strict=True):
        if box is not None:
            pointed = line is not None and block.lines[0] <= line <= block.lines[1]
            _block(picture, box, block, inside.get(block.index, ()), pointed, others[block.index])


def _others(context: FrameContext, graph: FlowGraph) -> list[WarpState]:
    """Return the warps besides the selected one that are somewhere in the graph."""
    count, selected = len(graph.block_of), context.selection.key
    return [w for w in context.frame.warps if 0 <= w.pc < count and (w.block, w.warp) != selected]


def _inside(context: FrameContext, graph: FlowGraph, found: list[Card]) -> dict[int, tuple[Card, ...]]:
    """Return the paths of the selected warp by the block that they are in, as far as they may be told."""
    inside: dict[int, tuple[Card, ...]] = {}
    for card in found if not context.predicting else ():
        block = graph.at(card.path.pc)
        if block is not None:
            inside[block.index] = (*inside.get(block.index, ()), card)
    return inside


def _block(picture: Picture, box: Box, block: Block, held: tuple[Card, ...], pointed: bool, others: int) -> None:
    """Draw a block with the lanes that it holds, and a dot at its lower edge for every other warp there."""
    u = picture.unit
    current = any(card.running for card in held)
    edge = "accent" if current or pointed else "idle"
    picture.rect(box, "glow" if current else "raised", edge, 1.6 if current else 1.0, radius=4)
    room = box.w - 0.8 * u
    if held:
        whole = picture.size_of(f"{block.line} {block.title}", 0.7 * u, mono=True) + 1.3 * u
        width = min(0.4 * box.w, 11 * u)  # of the lanes, or of their number alone where the statement needs the room
        width = 2 * u if room - width < whole else width
        room -= width
        _block_lanes(picture, Box(box.right - width - 0.3 * u, box.y + 2, width, box.h - 4), held)
    number = picture.text(box.x + 0.4 * u, box.cy, str(block.line), 0.82 * u, "dim", room=room)
    _title(picture, Box(number.right + 0.5 * u, box.y, room - number.w - 0.4 * u, box.h), block.title)
    dots = min(others, int(box.w / 7))
    picture.dots([(box.x + 5 + 6 * k, box.bottom - 0.5) for k in range(dots)], 2.0, "idle")


def _title(picture: Picture, box: Box, title: str) -> None:
    """Write the statement of a block on a line; on two where it is too long for one and the block is high enough."""
    u = picture.unit
    lines, size, wrapped = [title], 0.82 * u, min(0.7 * u, box.h / 2.25)
    least = min(0.7 * u, max(LEAST_TITLE * u, LEGIBLE))
    if picture.size_of(title, 0.7 * u, mono=True) > box.w and wrapped >= least:
        size = wrapped
        first, *others = picture.wrap(title, box.w, size, mono=True)
        lines = [first, " ".join(others)] if others else [first]
    for k, line in enumerate(lines):
        y = box.cy + (k - (len(lines) - 1) / 2) * 1.15 * size
        picture.text(box.x, y, line, size, "text", mono=True, room=box.w, least=least)


def _block_at(
    context: FrameContext, graph: FlowGraph, drawing: Drawing, found: list[Card], x: float, y: float
) -> HitRegion | None:  # fmt: skip
    """Return the block under the pointer: where it is in the source, and who is there."""
    boxes = zip(graph.blocks, drawing.boxes, strict=True)
    block, box = next(((k, b) for k, b in boxes if b is not None and b.holds(x, y)), (None, None))
    if block is None or box is None:
        return None
    lines = f"lines {block.lines[0]}–{block.lines[1]}" if block.lines[0] < block.lines[1] else f"line {block.line}"
    says = f"{lines}, instructions {block.first}–{block.last}: {block.title}"
    held = _inside(context, graph, found).get(block.index, ())
    says += "".join(f"\nlanes {ranges(card.path.mask)}: {card.words}" for card in held)
    others = [f"b{w.block} w{w.warp}" for w in _others(context, graph) if graph.at(w.pc) is block]
    says += f"\nalso here: {', '.join(others[:12])}" if others else ""
    return HitRegion(box, says, Target(line=block.line, pc=block.first))


def _block_lanes(picture: Picture, box: Box, held: Sequence[Card]) -> None:
    """Draw the lanes of the selected warp that are in a block: a small comb for each path, and their number."""
    u = picture.unit
    each = box.h / len(held)
    for k, card in enumerate(held):
        text = str(card.path.mask.bit_count())
        size = min(0.85 * u, each)
        y = box.y + (k + 0.5) * each
        end = box.right - picture.size_of("32", size, bold=True) - 0.4 * u
        picture.text(box.right - 0.1 * u, y, text, size, "text", 1, True)
        pitch = (end - box.x) / 32
        h = min(0.8 * each, 0.8 * u)
        if pitch >= 1.2:
            cells = [Box(box.x + lane * pitch, y - h / 2, max(1.0, pitch - 0.7), h) for lane in range(32)]
            picture.rects([cells[lane] for lane in lanes_of(card.path.mask)], card.token)
            picture.rects([cells[lane] for lane in lanes_of(~card.path.mask & 0xFFFFFFFF)], "faint")
