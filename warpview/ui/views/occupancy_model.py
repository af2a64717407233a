"""How full the multiprocessor is and what keeps it from being fuller; and how that changes with the launch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from warpview.devices import UNLIMITED, Capability, Occupancy, advice, block_registers, block_shared, occupancy
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import thousands

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

KINDS = ("threads", "registers", "shared")
NAMES = {"warps": "warps", "registers": "registers", "shared": "shared memory", "blocks": "blocks"}


@dataclass(frozen=True)
class Question:
    """What decides occupancy: threads a block, registers a thread, bytes of shared memory a block."""

    threads: int
    registers: int
    shared: int

    def with_(self, kind: str, value: int) -> Question:
        return replace(self, **{kind: value})

    def value(self, kind: str) -> int:
        return int(getattr(self, kind))


@dataclass(frozen=True)
class Resource:
    """One resource of the multiprocessor: how much of it one block and all resident blocks take."""

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
            return f"{_kib(self.used)} / {_kib(self.total)}"
        return f"{thousands(self.used)} / {thousands(self.total)}"


@dataclass(frozen=True)
class Curve:
    """Occupancy in warps over one of the three, the others as they are. ``limit`` is the range's end."""

    kind: str
    title: str
    xs: tuple[int, ...]
    warps: tuple[int, ...]
    top: int

    def neighbour(self, value: int, by: int) -> int:
        """The tabulated value so many further than the one at or below ``value``, within the curve."""
        at = bisect_right(self.xs, value) - 1
        if by < 0 and self.xs[max(0, at)] != value:
            by += 1  # the one below is a step already
        return self.xs[max(0, min(len(self.xs) - 1, at + by))]


def _kib(size: int) -> str:
    return f"{size} B" if size < 1024 else f"{size / 1024:.3g} KiB"


def question(context: FrameContext) -> Question:
    """The launch as it is."""
    registers = getattr(context.run, "registers_per_thread", None) or context.program.registers_per_thread
    shared = context.program.static_shared_bytes + context.launch.dynamic_shared_bytes
    return Question(context.launch.threads, int(registers), shared)


@lru_cache(maxsize=4096)
def answer(device: Capability, asked: Question) -> Occupancy:
    return occupancy(device, asked.threads, asked.registers, asked.shared)


def resources(device: Capability, asked: Question) -> list[Resource]:
    """What the resident blocks take of each resource, the launch's own order."""
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
def curve(device: Capability, asked: Question, kind: str) -> Curve:
    """Occupancy over one of the three."""
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
    warps = tuple(answer(device, asked.with_(kind, x)).warps for x in xs)
    return Curve(kind, title, xs, warps, device.max_warps)


def limiter_words(got: Occupancy) -> str:
    """What binds, in words."""
    if got.blocks == 0:
        return "not even one block fits"
    names = [NAMES[k] for k in ("warps", "blocks", "registers", "shared") if k in got.limiting_factors]
    return "limited by " + " and ".join(names) if names else ""


# --- drawing ----------------------------------------------------------------------------------------------------


SLIM = 7.5  # units of width below which a chart has no figures at its axes
CHARTS = 4.6  # units of height that curves need below the bars


@dataclass(frozen=True)
class Chart:
    """Where a curve lies, so that the pointer can drag its point."""

    curve: Curve
    plot: Box
    slim: bool = False  # name and value stand one above the other, and nothing at the axes

    def x(self, value: float) -> float:
        low, high = self.curve.xs[0], self.curve.xs[-1]
        return self.plot.x + (value - low) / max(1, high - low) * self.plot.w

    def value(self, x: float) -> int:
        """The tabulated value nearest to a place."""
        low, high = self.curve.xs[0], self.curve.xs[-1]
        wanted = low + (x - self.plot.x) / self.plot.w * (high - low)
        return min(self.curve.xs, key=lambda v: abs(v - wanted))


def draw(context: FrameContext, picture: Picture, what_if: Question | None) -> tuple[str, list[Chart]]:
    """Fill the picture; returns the note and the charts for the pointer."""
    u = picture.unit
    device: Any = context.device
    if not isinstance(device, Capability):
        return "", []
    launch = question(context)
    asked = what_if or launch
    got = answer(device, asked)
    percent = f"{100 * got.fraction:.0f} %"
    wide = picture.width > 34 * u
    bars_w = max(0.48 * picture.width, min(0.55 * picture.width, 19 * u)) if wide else picture.width
    _heading(picture, bars_w, got, percent, context.predicting, what_if is not None and what_if != launch)
    top = 3.1 * u if picture.height > 11 * u else 2.7 * u
    spare = picture.height - top
    row_h = min(3.2 * u, spare / 4) if wide else min(2.0 * u, max(min(1.2 * u, spare / 4), (spare - 6.5 * u) / 4))
    table = resources(device, asked)
    room = max(picture.size_of(r.numbers, 0.85 * u) for r in table) + 0.5 * u
    for k, resource in enumerate(table):
        row = Box(0.5 * u, top + k * row_h, bars_w - u, row_h - min(0.35 * u, 0.2 * row_h))
        _resource(picture, row, resource, room, context.predicting)
    below = Box(0.5 * u, top + 4 * row_h, bars_w - u, picture.height - top - 4 * row_h)
    sentences = [] if context.predicting else advice(device, asked.threads, asked.registers, asked.shared)
    if wide:
        _advice(picture, below, sentences)
        area = Box(bars_w + 0.3 * u, 0.4 * u, picture.width - bars_w - 0.8 * u, picture.height - 0.6 * u)
    else:
        area = _one_advice(picture, below, sentences)
    charts: list[Chart] = []
    if wide or area.h >= CHARTS * u:
        charts = _charts(picture, area, device, asked, launch, context.predicting, stacked=wide and area.h > 12.5 * u)
    picture.spoken = f"{got.warps} of {got.max_warps} warps resident, {percent}, {limiter_words(got)}."
    return ("" if context.predicting else f"{got.warps}/{got.max_warps} warps"), charts


def _one_advice(picture: Picture, box: Box, sentences: Sequence[str]) -> Box:
    """The first sentence in one line, if there is room besides the curves or instead of them; the room that is left."""
    u = picture.unit
    rest = Box(box.x, box.y + 0.3 * u, box.w, box.h - 0.5 * u)
    if not sentences or CHARTS * u <= rest.h < (CHARTS + 1.3) * u or rest.h < 1.2 * u:
        return rest
    picture.text(box.x, box.y + 0.7 * u, sentences[0], 0.88 * u, "dim", room=box.w, least=0.7 * u)
    picture.hit(Box(box.x, box.y, box.w, 1.3 * u), "\n".join(sentences))
    return Box(rest.x, rest.y + 1.3 * u, rest.w, rest.h - 1.3 * u)


def _advice(picture: Picture, box: Box, sentences: Sequence[str]) -> None:
    """What would reach the next step, in sentences."""
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
        picture.hit(button, "back to the launch as it is", Target(command="as launched"))
        right = button.x - 0.5 * u
    x = said.right + 0.8 * u
    blocks = f"{got.blocks} block{'' if got.blocks == 1 else 's'}, {got.warps} of {got.max_warps} warps"
    if changed:
        blocks = f"what if: {blocks}"
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
    says = f"{resource.name}: {thousands(resource.per_block)} a block of {thousands(resource.total)}; {limit}"
    picture.hit(box, says if not hidden else resource.name)


def _fill(picture: Picture, bar: Box, resource: Resource) -> None:
    """The share of each resident block, told apart by a gap."""
    each = bar.w * resource.per_block / max(1, resource.total)
    count = min(resource.blocks, 64)
    if each < 1.0:
        picture.rect(Box(bar.x, bar.y, each * resource.blocks, bar.h), "active", alpha=0.85)
        return
    gap = 1.5 if each > 5 else 0.5
    shares = [Box(bar.x + k * each, bar.y + 1, max(0.8, each - gap), bar.h - 2) for k in range(count)]
    picture.rects(shares, "active", alpha=0.85)


def _charts(
    picture: Picture, area: Box, device: Capability, asked: Question, launch: Question, hidden: bool, stacked: bool
) -> list[Chart]:
    u = picture.unit
    charts = []
    for k, kind in enumerate(KINDS):
        found = curve(device, asked, kind)
        if stacked:
            h = area.h / 3
            cell = Box(area.x, area.y + k * h, area.w, h - 0.3 * u)
        else:
            w = area.w / 3
            cell = Box(area.x + k * w, area.y, w - 0.6 * u, area.h)
        if cell.h < 3.2 * u or cell.w < 4.6 * u:
            continue
        slim = cell.w < SLIM * u
        if slim:
            plot = Box(cell.x + 0.3 * u, cell.y + 2.5 * u, cell.w - 0.6 * u, cell.h - 3.0 * u)
        else:
            plot = Box(cell.x + 1.9 * u, cell.y + 1.3 * u, cell.w - 2.4 * u, cell.h - 2.4 * u)
        chart = Chart(found, plot, slim)
        _chart(picture, chart, asked, launch, hidden)
        charts.append(chart)
    return charts


def _figures(picture: Picture, chart: Chart, shown: str) -> None:
    """Name and value above the curve, and the ends of its axes."""
    u = picture.unit
    plot, found = chart.plot, chart.curve
    room = plot.w + 1.4 * u - picture.size_of(shown, 0.95 * u, bold=True) - 0.5 * u
    name = found.title if picture.size_of(found.title, 0.85 * u) <= room else found.kind
    title = picture.text(plot.x - 1.4 * u, plot.y - 0.75 * u, name, 0.85 * u, "dim", room=room, least=0.7 * u)
    picture.text(max(title.right + 0.5 * u, plot.x), plot.y - 0.75 * u, shown, 0.95 * u, "text", bold=True)
    picture.text(plot.x - 0.3 * u, plot.y + 0.3 * u, str(found.top), 0.75 * u, "dim", 1)
    picture.text(plot.x - 0.3 * u, plot.bottom - 0.2 * u, "0", 0.75 * u, "dim", 1)
    for value, align in ((found.xs[0], -1), (found.xs[-1], 1)):
        label = _kib(value) if found.kind == "shared" else str(value)
        picture.text(chart.x(value), plot.bottom + 0.65 * u, label, 0.75 * u, "dim", align)


def _chart(picture: Picture, chart: Chart, asked: Question, launch: Question, hidden: bool) -> None:
    u = picture.unit
    plot, found = chart.plot, chart.curve
    now = asked.value(found.kind)
    shown = _kib(now) if found.kind == "shared" else str(now)
    if chart.slim:
        picture.text(plot.x, plot.y - 2.0 * u, found.kind, 0.85 * u, "dim", room=plot.w, least=0.65 * u)
        picture.text(plot.x, plot.y - 0.95 * u, shown, 0.95 * u, "text", bold=True, room=plot.w, least=0.65 * u)
    else:
        _figures(picture, chart, shown)
    picture.rect(plot, "raised", "faint")

    def y(warps: float) -> float:
        return plot.bottom - warps / max(1, found.top) * plot.h

    if not hidden:
        line = _steps(chart, y)
        picture.curve([(plot.x, plot.bottom), *line, (plot.right, plot.bottom)], None, fill="active", alpha=0.18)
        picture.curve(line, "active", 2.0)
    nearest = min(range(len(found.xs)), key=lambda k: abs(found.xs[k] - now))
    x = chart.x(now)
    picture.lines([(x, plot.y, x, plot.bottom)], "accent", 1.5, dash=True)
    if launch.value(found.kind) != now:
        before = chart.x(launch.value(found.kind))
        picture.lines([(before, plot.y, before, plot.bottom)], "idle", 1.2, dash=True)
    if not hidden:
        picture.dots([(x, y(found.warps[nearest]))], 0.42 * u, "conflict", "text")
    else:
        picture.cover(plot)
    thumb = Box(x - 0.3 * u, plot.bottom - 0.3 * u, 0.6 * u, 0.6 * u)
    picture.rect(thumb, "accent", "panel", 1.5, radius=0.15 * u)
    picture.region(
        Box(plot.x - 0.3 * u, plot.y - 0.2 * u, plot.w + 0.6 * u, plot.h + 0.6 * u), lambda px, py: _hover(chart, px)
    )


def _steps(chart: Chart, y: Any) -> list[tuple[float, float]]:
    """The curve as a staircase."""
    points: list[tuple[float, float]] = []
    for k, value in enumerate(chart.curve.xs):
        if points and chart.curve.warps[k] != chart.curve.warps[k - 1]:
            points.append((chart.x(value), y(chart.curve.warps[k - 1])))
        if not points or chart.curve.warps[k] != chart.curve.warps[k - 1] or k == len(chart.curve.xs) - 1:
            points.append((chart.x(value), y(chart.curve.warps[k])))
    return points


def _hover(chart: Chart, x: float) -> HitRegion:
    value = chart.value(x)
    warps = chart.curve.warps[chart.curve.xs.index(value)]
    shown = _kib(value) if chart.curve.kind == "shared" else str(value)
    says = f"{shown} {chart.curve.title}: {warps} of {chart.curve.top} warps; drag to try"
    return HitRegion(Box(x - 2, chart.plot.y, 4, chart.plot.h), says)
