"""Draw the multiprocessor as one picture: schedulers with their warps, register file, pipes, caches, memory, and what
flows between them on this step. Qt-free.

The parts are the device's own (``devices``); the step decides which of them glow and what the arrows carry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from warpview.devices import Device, block_registers, block_shared
from warpview.isa.ops import Unit
from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.sim.rules.coalescing import SECTOR
from warpview.trace.frame import LevelTraffic, WarpState
from warpview.trace.pipes import Pipe, pipe_of
from warpview.trace.words import counted
from warpview.ui.drawing.numbers import byte_count
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lanes_model import words
from warpview.ui.views.machine.occupancy_model import question

OPEN = "open"  # the command of a click on a part; its value is the place of the view's key in DOORS
DOORS = ("timeline", "lanes", "occupancy", "instructions", "shared", "global", "counters")
INTEGER_ALU = (
    "32-bit integer arithmetic, logic, comparisons and moves"  # of a device whose floats have a pipe of their own
)
LEVELS = {"constant": "the constant cache", "shared": "shared memory", "l1": "L1", "l2": "L2", "dram": "DRAM"}
BEND = 0.25  # of the gap between two parts, above which a way turns aside


class Way(NamedTuple):
    """Describe what goes to a level of memory ("shared", "constant", "l1", "l2" or "dram") or comes from it."""

    level: str
    label: str
    upwards: bool = True  # data comes towards the warp
    used: bool = True  # something moves


@dataclass(frozen=True)
class InstructionFlow:
    """Describe the flow of this step's instruction: the pipe that executes it and, of a memory access, the ways from
    each level to the next."""

    pipe: Pipe
    ways: tuple[Way, ...] = ()


def flow(context: FrameContext) -> InstructionFlow | None:
    """Return what the instruction of this step moves; None before the first."""
    event = context.frame.event
    if event is None:
        return None
    pipe = pipe_of(context.program.instructions[event.pc], context.device)
    access, addresses = context.frame.access, context.frame.addresses
    if addresses is None or access is None:
        return InstructionFlow(pipe)
    if isinstance(access, SharedAccess):
        level = "constant" if addresses.space == Space.CONST else "shared"
        label = counted(len(access.wavefronts), "pass" if level == "constant" else "wavefront")
        return InstructionFlow(pipe, (Way(level, label, access.kind == "load"),))
    return InstructionFlow(pipe, _global_ways(context.device, access, event.traffic))


def _global_ways(device: Device, access: GlobalAccess, traffic: LevelTraffic) -> tuple[Way, ...]:
    """Return the ways of a global or local access: as far as the caches have not answered it."""
    upwards, stores = access.kind in ("load", "atomic"), access.kind == "store"
    if device.l2 is None:
        return (Way("dram", counted(len(access.transactions), "transaction"), upwards),)
    in_l1, in_l2 = "all hit in L1", "all hit in L2"
    if stores:
        keeps = device.l1 is not None and device.l1.sector != SECTOR
        in_l1, in_l2 = "kept in L1" if keeps else "merged with earlier stores", "kept in L2"
    ways = (
        _way("l1", traffic.l1_sectors, "", upwards),
        _way("l2", traffic.l2_sectors, in_l1, upwards),
        _way("dram", traffic.dram_sectors, in_l2, not stores),  # the L2 carries out atomics on what it has read
    )
    return ways if traffic.l1_sectors else ways[1:]


def _way(level: str, sectors: int, otherwise: str, upwards: bool) -> Way:
    return Way(level, counted(sectors, "sector") if sectors else otherwise, upwards, sectors > 0)


def warps_of(context: FrameContext, scheduler: int) -> list[WarpState]:
    """Return the resident warps that a scheduler picks from, by slot."""
    return [warp for warp in context.frame.warps if warp.slot % context.device.schedulers == scheduler]


# ---- drawing

GAP = 0.7  # between parts, in type sizes
LEAST_GROWTH, LEAST_TYPE = 0.8, 0.6  # of the usual: parts shrink first, then their type
WARPS_PER_LINE = 4


@dataclass(frozen=True)
class MultiprocessorLayout:
    """Lay out the parts of a multiprocessor."""

    schedulers: Box
    registers: Box
    pipes: dict[Pipe, Box]
    near: dict[str, Box]  # shared memory, constant cache, L1
    l2: Box | None
    dram: Box


def pipes_of(context: FrameContext) -> list[Pipe]:
    """Return the pipes to show: those that every kernel needs, and those that this one uses."""
    used = {pipe_of(i, context.device) for i in context.program.instructions} | {Pipe.ALU, Pipe.BRANCH, Pipe.LSU}
    return [pipe for pipe in Pipe if pipe in used]


def layout(context: FrameContext, width: float, height: float, u: float) -> MultiprocessorLayout:
    """Place the parts from the schedulers at the top to the DRAM at the bottom; all grow with the room there is."""
    device = context.device
    tall, levels = _tall(context)
    grow = min(2.2, height / (_whole(tall, levels) * u))
    top, registers, pipe, near, l2_height, dram = (h * grow * u for h in tall)
    way, gap = 1.5 * grow * u, GAP * u
    inner, y = width - 2 * gap, 0.4 * u
    where: dict[str, Box] = {}
    parts = (("schedulers", top, 0.4 * grow * u), ("registers", registers, 0.8 * grow * u), ("pipes", pipe, way),
             ("near", near, way), *([("l2", l2_height, way)] if levels == 3 else []), ("dram", dram, 0.0))  # fmt: skip
    for name, tall_px, after in parts:
        where[name] = Box(gap, y, inner, tall_px)
        y += tall_px + after
    near_names = ["constant", "shared", *(["l1"] if device.l1 is not None else [])]
    return MultiprocessorLayout(
        where["schedulers"], where["registers"],
        dict(zip(pipes := pipes_of(context), _side_by_side(where["pipes"], len(pipes), u), strict=True)),
        dict(zip(near_names, _side_by_side(where["near"], len(near_names), u), strict=True)),
        where.get("l2"), where["dram"],
    )  # fmt: skip


def _tall(context: FrameContext) -> tuple[list[float], int]:
    """Return the heights of schedulers, registers, pipes, near memories, L2 and DRAM in type sizes, and the number of
    ways between the pipes and the DRAM."""
    device = context.device
    levels = 3 if device.l2 is not None else 2
    lines = max(-(-len(warps_of(context, k)) // WARPS_PER_LINE) for k in range(device.schedulers))
    return [2.2 + 1.7 * max(1, lines), 1.7, 2.0, 2.0, 1.7 * (levels - 2), 1.7], levels


def _whole(tall: Sequence[float], levels: int) -> float:
    """Return the height of all parts with the ways and the edges."""
    return sum(tall) + 1.5 * levels + 2.0


def _side_by_side(box: Box, count: int, u: float) -> list[Box]:
    """Divide a box into ``count`` columns with gaps between them."""
    gap = 0.4 * GAP * u
    wide = (box.w - (count - 1) * gap) / count
    return [Box(box.x + k * (wide + gap), box.y, wide, box.h) for k in range(count)]


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture; return the note for the title line."""
    fits = picture.height / (LEAST_GROWTH * _whole(*_tall(context)))
    picture.unit = max(LEAST_TYPE * picture.unit, min(picture.unit, fits))
    place = layout(context, picture.width, picture.height, picture.unit)
    moving = None if context.predicting else flow(context)
    _schedulers(context, picture, place.schedulers)
    _registers(context, picture, place.registers)
    _pipes(context, picture, place, moving)
    _memories(context, picture, place, moving)
    if moving is not None:
        _arrows(context, picture, place, moving)
    resident = len(context.frame.warps)
    picture.spoken = spoken(context, moving)
    return f"{resident} of {context.device.max_warps} warps"


def spoken(context: FrameContext, moving: InstructionFlow | None) -> str:
    """Return the picture in words."""
    event = context.frame.event
    if context.predicting:
        return "What this step uses is hidden."
    if event is None or moving is None:
        return f"Nothing has been issued. {len(context.frame.warps)} warps are resident."
    said = f"Scheduler {event.scheduler} issued block {event.block}, warp {event.warp} to the {moving.pipe.title} pipe"
    used = [f"{way.label} {'from' if way.upwards else 'to'} {LEVELS[way.level]}" for way in moving.ways if way.used]
    return f"{said}; {', '.join(used)}." if used else f"{said}."


def _part(picture: Picture, box: Box, title: str, detail: str, lit: bool, door: str, hover: str) -> None:
    """Draw a part of the machine with its name and its figures; it glows when the step uses it."""
    picture.rect(box, "glow" if lit else "raised", "accent" if lit else "faint", 2.0 if lit else 1.0, radius=4)
    _part_over(picture, box, title, detail, door, hover, "dim", 0.6)


def _schedulers(context: FrameContext, picture: Picture, box: Box) -> None:
    """Draw each scheduler as a box of its warps, coloured by what keeps each from issuing."""
    u, count, event = picture.unit, context.device.schedulers, context.frame.event
    for k, cell in enumerate(_side_by_side(box, count, u)):
        issues = event is not None and event.scheduler == k
        picture.rect(cell, "panel", "accent" if issues else "faint", 2.0 if issues else 1.0, radius=4)
        name = f"scheduler {k}" if count > 1 else "scheduler"
        picture.text(cell.x + 0.5 * u, cell.y + 0.95 * u, name, u, "text", bold=True, room=cell.w - u, least=0.7 * u)
        head = Box(cell.x, cell.y, cell.w, 1.6 * u)
        picture.hit(head, f"{name}\nclick: timeline view", Target(command=OPEN, value=DOORS.index("timeline")))
        _warps(context, picture, cell, warps_of(context, k))


def _warps(context: FrameContext, picture: Picture, cell: Box, warps: list[WarpState]) -> None:
    """Draw the warps of one scheduler, each with the stall that it is in where there is room for the word."""
    u, event = picture.unit, context.frame.event
    area = Box(cell.x + 0.4 * u, cell.y + 1.8 * u, cell.w - 0.8 * u, cell.h - 2.1 * u)
    if not warps or area.h <= 0:
        return
    columns = min(len(warps), WARPS_PER_LINE)
    w, h = area.w / columns, min(3.4 * u, area.h / -(-len(warps) // columns))
    boxes = [Box(area.x + (n % columns) * w, area.y + (n // columns) * h, w - 2, h - 2) for n in range(len(warps))]
    for warp, box in zip(warps, boxes, strict=True):
        token = f"stall_{warp.stall.name.lower()}"
        issued = event is not None and event.slot == warp.slot
        picture.rect(box, token, "accent" if issued else None, 2.5, radius=2)
        if context.selection.key == (warp.block, warp.warp) and not issued:
            picture.rect(box, None, "text", 1.5, radius=2)
        if h < 0.8 * u:
            continue
        name, stall = f"b{warp.block} w{warp.warp}", words(warp, issued, named=True)
        worded = h > 2.1 * u and w > picture.size_of(stall, 0.75 * u) + 6
        y = box.y + 0.3 * box.h if worded else box.cy
        picture.text(box.cx, y, name, min(0.85 * u, 0.8 * h), f"on_{token}", 0, True, room=w - 4, least=0.5 * u)
        if worded:
            picture.text(box.cx, box.y + 0.72 * box.h, stall, 0.75 * u, f"on_{token}", 0)
    picture.region(area, partial(_warp_at, context, warps, boxes))


def _warp_at(context: FrameContext, warps: list[WarpState], boxes: list[Box], x: float, y: float) -> HitRegion | None:
    for warp, box in zip(warps, boxes, strict=True):
        if box.holds(x, y):
            event = context.frame.event
            issued = event is not None and event.slot == warp.slot
            clause, name = words(warp, issued), words(warp, issued, named=True)
            says = f"block {warp.block}, warp {warp.warp}: {clause}" + (f" ({name})" if name != clause else "")
            return HitRegion(box, says, Target(block=warp.block, warp=warp.warp))
    return None


def _registers(context: FrameContext, picture: Picture, box: Box) -> None:
    device, launch = context.device, context.launch
    blocks = len({warp.block for warp in context.frame.warps})
    used = blocks * block_registers(device, launch.warps, question(context).registers)
    _filled(picture, box, used / device.registers)
    detail = f"{thousands(used)} of {thousands(device.registers)} registers"
    _part_over(picture, box, "register file", detail, "occupancy", f"{detail} are taken by the resident blocks")


def _filled(picture: Picture, box: Box, share: float) -> None:
    picture.rect(box, "raised", "faint", radius=4)
    if share > 0:
        picture.rect(Box(box.x, box.y, box.w * min(1.0, share), box.h), "active", alpha=0.25, radius=4)


def _part_over(
    picture: Picture, box: Box, title: str, detail: str, door: str, hover: str, ink: str = "text", share: float = 0.5
) -> None:
    """Write the name of a part, in ``share`` of the box, and its figures, and make it a door."""
    u = picture.unit
    said = picture.text(box.x + 0.5 * u, box.cy, title, u, "text", bold=True, room=share * box.w, least=0.7 * u)
    picture.text(box.right - 0.5 * u, box.cy, detail, 0.85 * u, ink, 1, room=box.right - said.right - u, least=0.6 * u)
    picture.hit(box, f"{hover}\nclick: {door} view", Target(command=OPEN, value=DOORS.index(door)))


def _rate(pipe: Pipe, device: Device) -> str:
    """Return how often a pipe takes an instruction, and a product of integers where that is less often."""
    cycles, products = device.issue_cycles[pipe.unit], device.issue_cycles[Unit.IMUL]
    words = f"a warp instruction every {counted(cycles, 'cycle')} from each scheduler"
    has_products = pipe is (Pipe.FMA if device.separate_fma else Pipe.ALU)
    return f"{words}, a product of integers every {products}" if has_products and products != cycles else words


def _pipes(
    context: FrameContext, picture: Picture, place: MultiprocessorLayout, moving: InstructionFlow | None
) -> None:
    u = picture.unit
    for pipe, box in place.pipes.items():
        about = INTEGER_ALU if pipe is Pipe.ALU and context.device.separate_fma else pipe.about
        lit = moving is not None and moving.pipe is pipe
        picture.rect(box, "glow" if lit else "raised", "accent" if lit else "faint", 2.0 if lit else 1.0, radius=4)
        picture.text(box.cx, box.cy, pipe.title, 0.95 * u, "text", 0, bold=lit, room=box.w - 0.4 * u, least=0.6 * u)
        each = _rate(pipe, context.device)
        door = "global" if pipe is Pipe.LSU else "instructions"
        picture.hit(box, f"{pipe.title}: {about}; {each}\nclick: {door} view",
                    Target(command=OPEN, value=DOORS.index(door)))  # fmt: skip


def _memories(
    context: FrameContext, picture: Picture, place: MultiprocessorLayout, moving: InstructionFlow | None
) -> None:
    device, program = context.device, context.program
    used = {way.level for way in moving.ways if way.used} if moving is not None else set()
    shared = block_shared(device, program.static_shared_bytes + context.launch.dynamic_shared_bytes)
    blocks = len({warp.block for warp in context.frame.warps})
    details = {
        "constant": ("constant cache", byte_count(device.constant_cache_bytes), "shared"),
        "shared": ("shared memory", f"{byte_count(blocks * shared)} of {byte_count(device.shared_bytes)}", "shared"),
        "l1": ("L1 cache", byte_count(device.l1.bytes) if device.l1 is not None else "", "global"),
    }
    loads = moving is not None and "l1" in used and moving.ways[0].upwards
    traffic = context.frame.event.traffic if loads and context.frame.event is not None else None
    for name, box in place.near.items():
        title, detail, door = details[name]
        if name == "l1" and traffic is not None:
            detail = f"{traffic.l1_hits} of {counted(traffic.l1_sectors, 'sector')} hit"
        hover = f"{title}: {detail}" + (f", {device.shared_banks} banks" if name == "shared" else "")
        _part(picture, box, title, detail, name in used, door, hover)
    if place.l2 is not None and device.l2 is not None:
        size = byte_count(device.l2.bytes)
        _part(picture, place.l2, "L2 cache", f"{size}, shared by {device.multiprocessors} multiprocessors",
              "l2" in used, "global", f"L2 cache: {size}")  # fmt: skip
    moved = context.run.counters.get("dram_bytes")
    total = f", {byte_count(int(moved))} in the whole launch" if moved else ""
    detail = f"{thousands(round(device.dram_gbps))} GB/s{total}"
    _part(picture, place.dram, "DRAM", detail, "dram" in used, "global", f"device memory: {detail}")


def _arrows(context: FrameContext, picture: Picture, place: MultiprocessorLayout, moving: InstructionFlow) -> None:
    """Draw the way of the instruction from its warp to its pipe, and of its data through the memories."""
    u, event = picture.unit, context.frame.event
    assert event is not None
    pipe = place.pipes[moving.pipe]
    each = place.schedulers.w / context.device.schedulers
    start = (place.schedulers.x + (event.scheduler + 0.5) * each, place.registers.bottom)
    picture.curve([start, (start[0], pipe.y - 0.3 * u), (pipe.cx, pipe.y - 0.3 * u), (pipe.cx, pipe.y)],
                  "accent", 2.0, motion=True, arrow=True)  # fmt: skip
    boxes = {**place.near, "l2": place.l2, "dram": place.dram}
    before, x = pipe, pipe.cx
    for level, label, upwards, used in moving.ways:
        box = boxes[level]
        assert box is not None
        above, x = x, min(max(x, box.x + u), box.right - u) if box.w > 4 * u else box.cx
        turn = before.bottom + (BEND * (box.y - before.bottom) if x != above else 0.0)
        way = [(above, before.bottom), *([(above, turn), (x, turn)] if x != above else ()), (x, box.y)]
        if not used:
            picture.lines([(*a, *b) for a, b in pairwise(way)], "idle", 1.5, dash=True)
        else:
            picture.curve(way[::-1] if upwards else way, "accent", 3.0, motion=True, arrow=True)
        middle = (turn + box.y) / 2
        beside = 0.6 * u
        fits = x + beside + picture.size_of(label, 0.9 * u, bold=used) < picture.width - 0.3 * u
        at, align = (x + beside, -1) if fits else (x - beside, 1)
        picture.text(at, middle, label, 0.9 * u, "text" if used else "dim", align, bold=used)
        before = box
