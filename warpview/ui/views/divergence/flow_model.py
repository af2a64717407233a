"""Lay out the control-flow graph of a kernel: basic blocks in layers, arms of branches set in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.ui.drawing.picture import Box

LEAST_PITCH = 1.85  # units from one layer to the next


@dataclass(frozen=True)
class Block:
    """Hold instructions first..last without a branch between. ``title`` is the source line that says what they do."""

    index: int
    first: int
    last: int
    lines: tuple[int, int]  # smallest and largest source line
    line: int  # of the title
    title: str
    depth: int  # how many divergent regions it lies in
    layer: int


@dataclass(frozen=True)
class Edge:
    """Describe an edge from one basic block to another. ``kind``: 'next' falls through, 'taken' branches ahead, 'back'
    closes a loop."""

    source: int
    target: int
    kind: str


@dataclass(frozen=True, eq=False)  # one object a program, found by identity
class FlowGraph:
    """Hold the blocks in the order of their instructions, and the edges between them."""

    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    block_of: tuple[int, ...]  # per instruction

    @cached_property
    def layers(self) -> int:
        return max((b.layer for b in self.blocks), default=-1) + 1

    def at(self, pc: int) -> Block | None:
        return self.blocks[self.block_of[pc]] if 0 <= pc < len(self.block_of) else None


@cached_by_identity
def flow(program: Program) -> FlowGraph:
    n = len(program.instructions)
    starts = sorted(_leaders(program))
    block_of = [0] * n
    spans: list[tuple[int, int]] = []
    for k, first in enumerate(starts):
        last = (starts[k + 1] if k + 1 < len(starts) else n) - 1
        spans.append((first, last))
        block_of[first : last + 1] = [k] * (last + 1 - first)
    edges = _edges(program, spans, block_of)
    layer = _layers(len(spans), edges)
    depth = _depths(program, spans, block_of)
    blocks = tuple(
        Block(k, first, last, _lines(program, first, last), *_title(program, first, last), depth[k], layer[k])
        for k, (first, last) in enumerate(spans)
    )
    return FlowGraph(blocks, tuple(edges), tuple(block_of))


def _leaders(program: Program) -> set[int]:
    n = len(program.instructions)
    starts = {0} if n else set()
    for pc, i in enumerate(program.instructions):
        if i.op == Op.BRA:
            starts |= {p for p in (i.target, pc + 1, i.reconvergence) if 0 <= p < n}
        elif i.op == Op.EXIT and pc + 1 < n:
            starts.add(pc + 1)
    return starts


def _edges(program: Program, spans: Sequence[tuple[int, int]], block_of: Sequence[int]) -> list[Edge]:
    edges: list[Edge] = []
    for k, (_, last) in enumerate(spans):
        end = program.instructions[last]
        goes_on = not (end.op in (Op.EXIT, Op.BRA) and end.guard == NONE)
        if end.op == Op.BRA and 0 <= end.target < len(block_of):
            target = block_of[end.target]
            edges.append(Edge(k, target, "back" if target <= k else "taken"))
        if goes_on and last + 1 < len(block_of) and not any(e.source == k and e.target == k + 1 for e in edges):
            edges.append(Edge(k, k + 1, "next"))
    return edges


def _layers(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return for each block the longest way from the entry, without back edges; the code after a loop lies below it."""
    layer = [0] * count
    latches = [(e.source, e.target) for e in edges if e.kind == "back"]
    for k in range(count):
        before = [layer[e.source] + 1 for e in edges if e.target == k and e.kind != "back"]
        before += [max(layer[head : latch + 1]) + 1 for latch, head in latches if latch < k]
        layer[k] = max(before, default=k and layer[k - 1] + 1)
    return layer


def _depths(program: Program, spans: Sequence[tuple[int, int]], block_of: Sequence[int]) -> list[int]:
    """Count for each block the guarded forward branches that can jump over it."""
    depth = [0] * len(spans)
    for k, (_, last) in enumerate(spans):
        end = program.instructions[last]
        if end.op != Op.BRA or end.guard == NONE or end.target <= last:
            continue
        until = block_of[end.reconvergence] if 0 <= end.reconvergence < len(block_of) else len(spans)
        for inner in range(k + 1, until):
            depth[inner] += 1
    return depth


def _lines(program: Program, first: int, last: int) -> tuple[int, int]:
    lines = [program.instructions[pc].span.line for pc in range(first, last + 1)]
    return min(lines), max(lines)


def _title(program: Program, first: int, last: int) -> tuple[int, str]:
    """Return the line that a block is known by: that of its branch, else the one with most of its instructions. The
    last block of a loop, whose test stands at the head already, is known by its first line."""
    end = program.instructions[last]
    if end.op == Op.BRA and end.guard != NONE:
        line = program.instructions[first if end.target <= first else last].span.line
    else:
        lines = [program.instructions[pc].span.line for pc in range(first, last + 1)]
        line = max(dict.fromkeys(lines), key=lines.count)
    return line, program.source.line(line).strip()


# --- placing ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Route:
    """Draw an edge as a line of points; ``middle`` is where a label goes."""

    edge: Edge
    points: tuple[tuple[float, float], ...]
    middle: tuple[float, float]


@dataclass(frozen=True, eq=False)  # ``arrange`` keeps them: found by identity
class Drawing:
    """Hold the boxes of the blocks that are in sight (None for the others), and the lines between them."""

    boxes: tuple[Box | None, ...]
    routes: tuple[Route, ...]
    cut_above: int
    cut_below: int


@lru_cache(maxsize=32)
def arrange(graph: FlowGraph, area: Box, unit: float, focus: int | None) -> Drawing:
    """Place the graph in ``area``: all layers if they fit, else those around the block ``focus``."""
    layers = graph.layers
    least, most = LEAST_PITCH * unit, 4.2 * unit
    fit = max(1, int(area.h / least))
    first = 0
    if layers > fit:
        at = graph.blocks[focus].layer if focus is not None else 0
        first = max(0, min(layers - fit, at - fit // 2))
    shown = min(layers, fit)
    pitch = min(most, area.h / shown)
    lanes = _channels(graph, range(first, first + shown))
    left_lanes = max((lane for (_, side), lane in lanes.items() if side < 0), default=-1) + 1
    right_lanes = max((lane for (_, side), lane in lanes.items() if side > 0), default=-1) + 1
    step = 0.8 * unit
    left, right = (
        area.x + left_lanes * step + (1.0 if left_lanes else 0.2) * unit,
        area.right - right_lanes * step - 0.4 * unit,
    )
    boxes: list[Box | None] = []
    for block in graph.blocks:
        if not first <= block.layer < first + shown:
            boxes.append(None)
            continue
        mates = [b.index for b in graph.blocks if b.layer == block.layer]
        share = (right - left) / len(mates)
        indent = min(block.depth * 1.2 * unit, 0.25 * share) if len(mates) == 1 else 0.0
        x = left + mates.index(block.index) * share + indent
        y = area.y + (block.layer - first) * pitch
        gap = 0.5 * unit if len(mates) > 1 else 0.0
        boxes.append(Box(x, y, share - indent - gap, min(pitch - 0.75 * unit, 2.6 * unit)))
    routes = tuple(
        route
        for k, edge in enumerate(graph.edges)
        if (route := _route(edge, boxes, lanes, k, left, right, step)) is not None
    )
    return Drawing(tuple(boxes), routes, first, layers - first - shown)


def _channels(graph: FlowGraph, layers: range) -> dict[tuple[int, int], int]:
    """Assign channels beside the blocks of the ``layers`` in sight to edges that pass by other layers: (edge, side) ->
    channel, inner ones first.

    Side -1 is left (ahead), +1 right (back, and ahead from a block that has another to its left).
    """
    lanes: dict[tuple[int, int], int] = {}
    for side in (-1, 1):
        taken: list[list[tuple[int, int]]] = []
        passing = []
        for k, e in enumerate(graph.edges):
            a, b = sorted((graph.blocks[e.source].layer, graph.blocks[e.target].layer))
            if a not in layers or b not in layers:
                continue
            on_right = e.kind == "back" or _has_left_neighbour(graph, e.source)
            if on_right == (side > 0) and (e.kind == "back" or b - a > 1):
                passing.append((b - a, a, b, k))
        for _, a, b, k in sorted(passing):
            lane = next((n for n, t in enumerate(taken) if all(b <= c or d <= a for c, d in t)), len(taken))
            if lane == len(taken):
                taken.append([])
            taken[lane].append((a, b))
            lanes[k, side] = lane
    return lanes


def _has_left_neighbour(graph: FlowGraph, index: int) -> bool:
    return any(b.index < index and b.layer == graph.blocks[index].layer for b in graph.blocks)


def _route(
    edge: Edge, boxes: Sequence[Box | None], lanes: dict[tuple[int, int], int], number: int, left: float, right: float,
    step: float,
) -> Route | None:  # fmt: skip
    a, b = boxes[edge.source], boxes[edge.target]
    if a is None or b is None:
        return None
    if (number, -1) in lanes:
        x = left - 0.5 * step - lanes[number, -1] * step
        leave, enter = a.cy + 0.2 * a.h, b.cy - 0.2 * b.h
        points = ((a.x, leave), (x, leave), (x, enter), (b.x, enter))
        return Route(edge, points, (x, (a.bottom + b.y) / 2))
    if (number, 1) in lanes:
        x = right + 0.5 * step + lanes[number, 1] * step
        leave, enter = a.cy + 0.2 * a.h, b.cy - 0.2 * b.h
        points = ((a.right, leave), (x, leave), (x, enter), (b.right, enter))
        return Route(edge, points, (x, (a.y + b.bottom) / 2))
    x1 = min(max(b.cx, a.x + 6), a.right - 6)
    x2 = min(max(x1, b.x + 6), b.right - 6)
    return Route(edge, ((x1, a.bottom), (x2, b.y)), ((x1 + x2) / 2, (a.bottom + b.y) / 2))
