"""Model occupancy: how full the multiprocessor is, what limits it; and how that changes with the launch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from warpview.devices import UNLIMITED, Capability, Occupancy, advice, block_registers, block_shared, occupancy
from warpview.trace.words import counted
from warpview.ui.drawing.numbers import byte_count
from warpview.ui.drawing.picture import Box, Picture, Target
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import FrameContext

KINDS = ("threads", "registers", "shared")
NAMES = {"warps": "warps", "registers": "registers", "shared": "shared memory", "blocks": "blocks"}


@dataclass(frozen=True)
class OccupancyInputs:
    """Hold the inputs that decide occupancy: threads a block, registers a thread, bytes of shared memory a block."""

    threads: int
    registers: int
    shared: int

    def with_(self, kind: str, value: int) -> OccupancyInputs:
        return replace(self, **{kind: value})

    def value(self, kind: str) -> int:
        return int(getattr(self, kind))


@dataclass(frozen=True)
class Resource:
    """Describe one resource of the multiprocessor: how much of it one block and all resident blocks take."""

    key: str
    name: str
    total: int
    per_block: int
    blocks: int
    limit: int  # blocks that this resource alone would allow
    binds: bool

    @property
    def used(self) -> int:
        return min(self.total, self.per_block * self.blocks)

    @property
    def numbers(self) -> str:
        if self.key == "shared":
            return f"{byte_count(self.used)} / {byte_count(self.total)}"
        return f"{thousands(self.used)} / {thousands(self.total)}"


@dataclass(frozen=True)
class OccupancyByResource:
    """Hold the occupancy, in warps, for each amount of one resource while the two others stay as they are; ``limit`` is
    the end of the range of amounts."""

    kind: str
    title: str
    xs: tuple[int, ...]
    warps: tuple[int, ...]
    top: int

    def nearest(self, place: float) -> int:
        """Return the tabulated value nearest to a place on the axis."""
        return min(self.xs, key=lambda value: abs(value - place))

    def neighbour(self, value: int, by: int) -> int:
        """Return the tabulated value so many further than the one at or below ``value``, within the curve."""
        at = bisect_right(self.xs, value) - 1
        if by < 0 and self.xs[max(0, at)] != value:
            by += 1  # the one below is a step already
        return self.xs[max(0, min(len(self.xs) - 1, at + by))]


def question(context: FrameContext) -> OccupancyInputs:
    """Return the inputs of the launch as it is."""
    registers = context.run.registers_per_thread
    shared = context.program.static_shared_bytes + context.launch.dynamic_shared_bytes
    return OccupancyInputs(context.launch.threads, registers, shared)


@lru_cache(maxsize=64)
def answer(device: Capability, asked: OccupancyInputs) -> Occupancy:
    return occupancy(device, asked.threads, asked.registers, asked.shared)


def resources(device: Capability, asked: OccupancyInputs) -> list[Resource]:
    """Return how much the resident blocks take of each resource, in the order of the launch."""
    got = answer(device, asked)
    warps = max(1, -(-asked.threads // 32))
    registers = block_registers(device, warps, asked.registers)
    shared = block_shared(device, asked.shared)
    table = [
        ("warps", device.max_warps, warps, got.limit_warps),
        ("blocks", device.max_blocks, 1, got.limit_blocks),
        ("registers", device.registers, registers, got.limit_registers),
        ("shared", device.shared_bytes, shared, got.limit_shared),
    ]
    binding = got.limiting_factors
    return [
        Resource(key, NAMES[key], total, each, got.blocks, limit, key in binding) for key, total, each, limit in table
    ]


@lru_cache(maxsize=64)
def curve(device: Capability, asked: OccupancyInputs, kind: str) -> OccupancyByResource:
    """Return occupancy over one of the three inputs."""
    if kind == "threads":
        xs = tuple(range(32, device.max_threads_per_block + 1, 32))
        title = "threads per block"
    elif kind == "registers":
        xs = tuple(range(1, min(device.max_registers_per_thread, 255) + 1))
        title = "registers per thread"
    else:
        step = max(device.shared_unit, device.shared_per_block_optin // 96 // device.shared_unit * device.shared_unit)
        xs = tuple(range(0, device.shared_per_block_optin + 1, step))
        title = "shared memory per block"
    each = (asked.with_(kind, x) for x in xs)
    warps = tuple(occupancy(device, one.threads, one.registers, one.shared).warps for one in each)
    return OccupancyByResource(kind, title, xs, warps, device.max_warps)


def limiter_words(got: Occupancy) -> str:
    """Return the words for the limiting resources."""
    if got.blocks == 0:
        return "not even one block fits"
    names = [NAMES[k] for k in ("warps", "blocks", "registers", "shared") if k in got.limiting_factors]
    return "limited by " + " and ".join(names) if names else ""


# --- drawing ----------------------------------------------------------------------------------------------------

HEAD, CURVES = 8.0, 8.5  # heights of the resources and of the curves below them at least, in type sizes


def is_wide(width: float, unit: float) -> bool:
    """Return whether the curves stand beside the resources rather than below."""
    return width > 34 * unit


def resources_size(width: float, height: float, unit: float) -> tuple[float, float]:
    """Return the part of ``width`` and ``height`` that the resources take; the curves have the rest."""
    if is_wide(width, unit):
        return max(0.48 * width, min(0.55 * width, 19 * unit)), height
    return width, height if height < (HEAD + CURVES) * unit else max(HEAD * unit, 0.45 * height)


def draw(context: FrameContext, picture: Picture, what_if: OccupancyInputs | None) -> str:
    """Draw what the resident blocks take of each resource, and advice; return the note."""
    u = picture.unit
    device = context.device
    launch = question(context)
    asked = what_if or launch
    got = answer(device, asked)
    percent = f"{100 * got.fraction:.0f} %"
    _heading(picture, picture.width, got, percent, context.predicting, what_if is not None and what_if != launch)
    top = 3.1 * u if picture.height > 11 * u else 2.7 * u
    row_h = min(3.2 * u, max(1.1 * u, (picture.height - top) / 4))
    table = resources(device, asked)
    room = max(picture.size_of(r.numbers, 0.85 * u) for r in table) + 0.5 * u
    for k, resource in enumerate(table):
        row = Box(0.5 * u, top + k * row_h, picture.width - u, row_h - min(0.35 * u, 0.2 * row_h))
        _resource(picture, row, resource, room, context.predicting)
    below = Box(0.5 * u, top + 4 * row_h, picture.width - u, picture.height - top - 4 * row_h)
    if not context.predicting:
        _advice(picture, below, advice(device, asked.threads, asked.registers, asked.shared))
    picture.spoken = f"{got.warps} of {got.max_warps} warps resident, {percent}, {limiter_words(got)}."
    return "" if context.predicting else f"{got.warps}/{got.max_warps} warps"


def _advice(picture: Picture, box: Box, sentences: Sequence[str]) -> None:
    """Draw the advice on how to reach the next step, in sentences."""
    u = picture.unit
    y = box.y + 0.9 * u
    for sentence in sentences:
        for line in picture.wrap(sentence, box.w, 0.9 * u):
            if y + 0.6 * u > box.bottom:
                return
            picture.text(box.x, y, line, 0.9 * u, "dim")
            y += 1.2 * u
        y += 0.3 * u


def _heading(picture: Picture, width: float, got: Occupancy, percent: str, hidden: bool, changed: bool) -> None:
    u = picture.unit
    y = 1.3 * u
    if hidden:
        picture.text(0.5 * u, y, "How many warps fit, and what limits them?", 1.2 * u, "accent", bold=True,
                     room=width - u, least=0.75 * u)  # fmt: skip
        return
    said = picture.text(0.5 * u, y, percent, 1.9 * u, "text", bold=True)
    right = width - 0.5 * u
    if changed:
        width = picture.size_of("as launched", 0.88 * u) + 0.9 * u
        button = Box(right - width, y - 0.7 * u, width, 1.4 * u)
        picture.rect(button, "raised", "accent", radius=4)
        picture.text(button.cx, y, "as launched", 0.88 * u, "accent", 0)
        picture.hit(button, "back to the actual launch", Target(command="as launched"))
        right = button.x - 0.5 * u
    x = said.right + 0.8 * u
    blocks = f"{counted(got.blocks, 'block')}, {got.warps} of {got.max_warps} warps"
    if changed:
        short = f"{counted(got.blocks, 'block')}, {counted(got.warps, 'warp')}"
        said_so = (f"what if: {blocks}", f"what if: {short}", short)
        blocks = next((text for text in said_so if picture.size_of(text, 0.75 * u) <= right - x), short)
    picture.text(x, y - 0.5 * u, blocks, 0.95 * u, "accent" if changed else "text", room=right - x, least=0.75 * u)
    words = limiter_words(got)
    if picture.size_of(words, 0.95 * u) > right - x:
        words = words.replace("limited by ", "limit: ").replace(" and ", ", ")
    picture.text(x, y + 0.6 * u, words, 0.95 * u, "conflict_text", room=right - x, least=0.75 * u)


def _resource(picture: Picture, box: Box, resource: Resource, numbers: float, hidden: bool) -> None:
    u = picture.unit
    label = picture.size_of("shared memory", 0.85 * u) + 0.4 * u
    picture.text(box.x, box.cy, resource.name, 0.85 * u, "text", bold=resource.binds and not hidden, room=label,
                 least=0.7 * u)  # fmt: skip
    bar = Box(box.x + label, box.y, max(10.0, box.w - label - numbers), box.h)
    picture.rect(bar, "raised", "faint")
    if not hidden:
        _fill(picture, bar, resource)
        picture.text(box.right, box.cy, resource.numbers, 0.85 * u, "text", 1, room=numbers - 0.2 * u, least=0.65 * u)
    else:
        picture.cover(bar)
    if resource.binds and not hidden:
        picture.rect(bar, None, "conflict", 2.5)
    limit = "no limit" if resource.limit >= UNLIMITED else f"would allow {resource.limit} blocks"
    says = f"{resource.name}: {thousands(resource.per_block)} per block of {thousands(resource.total)}; {limit}"
    picture.hit(box, says if not hidden else resource.name)


def _fill(picture: Picture, bar: Box, resource: Resource) -> None:
    """Draw the share of each resident block, told apart by a gap."""
    each = bar.w * resource.per_block / max(1, resource.total)
    count = min(resource.blocks, 64)
    if each < 1.0:
        picture.rect(Box(bar.x, bar.y, each * resource.blocks, bar.h), "active", alpha=0.85)
        return
    gap = 1.5 if each > 5 else 0.5
    shares = [Box(bar.x + k * each, bar.y + 1, max(0.8, each - gap), bar.h - 2) for k in range(count)]
    picture.rects(shares, "active", alpha=0.85)


def value_text(kind: str, value: int) -> str:
    """Return a value of one of ``KINDS`` with its unit."""
    return byte_count(value) if kind == "shared" else str(value)


def hover_text(found: OccupancyByResource, place: float) -> str:
    """Return the hover text at a place on the axis of a curve."""
    value = found.nearest(place)
    warps = found.warps[found.xs.index(value)]
    return f"{value_text(found.kind, value)} {found.title}: {warps} of {found.top} warps; drag to try"
