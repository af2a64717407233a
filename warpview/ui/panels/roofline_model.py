"""The roofline: instructions a second against instructions a byte, below what the device can issue and move.

Qt-free. The roofs are the device's figures: bytes a second of its memory (the slope) and instructions a second of its
schedulers (the ceiling). Bytes are those that no cache held.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from warpview.devices import Device, load_device
from warpview.isa.ops import Unit
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.panels.ladder_model import bandwidth
from warpview.ui.session.backend import Measured

WARP = 32
OWNER = {"memory": "the memory's", "issue": "the schedulers'"}
DOT, BADGE = 0.28, 0.62  # radii of a point and of its number, in type sizes
LEAST_LINE = 1.02  # height of a row of the list
# Where a number is looked for around its point: distances in radii and directions, level ones at every distance first.
RINGS = [1.9 + 0.5 * k for k in range(24)]
LEVEL = [math.pi * k / 16 for k in (0, 16, 1, 31, 15, 17)]
ANY = [math.pi * k / 8 for k in range(16)]
SPOTS = [(ring, turn) for turns in (LEVEL, ANY) for ring in RINGS for turn in turns]
NEAR, PIECES = 5.0, 60  # pixels from a roof at which the pointer is on it; pieces of it that say so


@dataclass(frozen=True)
class Roof:
    """What a device can do at most: 10^9 thread instructions and 10^9 bytes a second."""

    device: str
    name: str
    peak: float
    gbps: float

    @classmethod
    def of(cls, device: Device) -> Roof:
        # Before compute capability 3.0 an instruction keeps the scheduler as long as the lanes that it drives.
        port = device.issue_cycles[Unit.ALU] if device.capability < (3, 0) else 1
        lanes = device.schedulers * device.dispatch_per_scheduler * WARP / port
        peak = device.multiprocessors * lanes * device.clock_mhz / 1000
        return cls(device.key, device.name, peak, device.dram_gbps)

    @property
    def ridge(self) -> float:
        """Instructions a byte from which on issue is the limit."""
        return self.peak / self.gbps

    def at(self, intensity: float) -> float:
        """The most that is possible at so many instructions a byte."""
        return min(self.peak, self.gbps * intensity)


@dataclass(frozen=True)
class Point:
    """One run: thread instructions a byte, and 10^9 of them a second."""

    number: int
    title: str
    intensity: float
    rate: float
    roof: Roof

    @property
    def share(self) -> float:
        """Of what the roof allows there."""
        return self.rate / self.roof.at(self.intensity)

    @property
    def bound(self) -> str:
        return "memory" if self.intensity < self.roof.ridge else "issue"

    @property
    def words(self) -> str:
        return (
            f"{self.title} on {self.roof.name}\n{self.intensity:.3g} instructions a byte, {_rate(self.rate)}, "
            f"{bandwidth(self.rate / self.intensity)}\n{percent(self.share)} of the roof above it, which is "
            f"{OWNER[self.bound]}"
        )


def points(runs: Sequence[Measured]) -> list[Point]:
    """The runs that have a time and touched memory, numbered by their places among all."""
    roofs: dict[str, Roof] = {}
    found: list[Point] = []
    for number, run in enumerate(runs, 1):
        time, instructions = run.counters.get("time_us"), run.counters.get("thread_inst_executed_on")
        moved = run.counters.get("dram_bytes")
        if run.problem or not time or not instructions or not moved:
            continue
        if run.device not in roofs:
            roofs[run.device] = Roof.of(load_device(run.device))
        point = Point(number, run.title, instructions / moved, instructions / time / 1000, roofs[run.device])
        found.append(point)
    return found


def decade(power: int) -> str:
    """A power of ten as the axes print it."""
    return f"{10**power:,}".replace(",", "\u202f") if power >= 0 else f"{10.0**power:g}"


def percent(share: float) -> str:
    """A share with two figures, so that small ones are not nothing."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _rate(giga: float) -> str:
    return f"{giga:.3g} G instructions/s" if giga < 1000 else f"{giga / 1000:.3g} T instructions/s"


@dataclass(frozen=True)
class Axes:
    """Logarithmic axes over whole decades, given by their powers of ten."""

    plot: Box
    left: int
    right: int
    bottom: int
    top: int

    def x(self, intensity: float) -> float:
        return self.plot.x + (math.log10(intensity) - self.left) / (self.right - self.left) * self.plot.w

    def y(self, rate: float) -> float:
        return self.plot.bottom - (math.log10(rate) - self.bottom) / (self.top - self.bottom) * self.plot.h


def axes(plot: Box, found: Sequence[Point]) -> Axes:
    """Decades that hold every point, and of every roof its ridge and some of its slope."""
    xs = [v for p in found for v in (p.intensity, p.roof.ridge, p.roof.ridge / 4)]
    left, right = math.floor(math.log10(min(xs) * 0.8)), math.ceil(math.log10(max(xs) * 1.6))
    bottom = math.floor(math.log10(min(p.rate for p in found) * 0.7))
    top = math.ceil(math.log10(max(max(p.roof.peak, p.rate) for p in found) * 1.3))
    return Axes(plot, left, max(right, left + 1), bottom, max(top, bottom + 1))


def height(found: Sequence[Point], unit: float) -> float:
    """The least height in pixels at which the plot can be read and the list is whole."""
    return max(18.0, LEAST_LINE * len(found) + 2.6) * unit


def draw(picture: Picture, area: Box, found: Sequence[Point]) -> None:
    """The plot, and beside it the list of its numbered points."""
    u = picture.unit
    if not found:
        picture.text(area.cx, area.cy, "No run has both a time and accesses to memory.", colour="dim", align=0)
        return
    listed = min(0.5 * area.w, max(picture.size_of(p.title) for p in found) + 11 * u)
    plot = Box(area.x + 4.2 * u, area.y + 1.9 * u, area.w - listed - 6.5 * u, area.h - 5.0 * u)
    scale = axes(plot, found)
    _grid(picture, scale)
    roofs = list(dict.fromkeys(p.roof for p in found))
    for roof in reversed(roofs):
        _roof(picture, scale, roof, main=roof is roofs[0], named=len(roofs) == 1)
    _points(picture, scale, found)
    _list(picture, Box(plot.right + 2.3 * u, area.y, listed, area.h), found)
    picture.spoken = "; ".join(p.words.replace("\n", ", ") for p in found)


def _points(picture: Picture, scale: Axes, found: Sequence[Point]) -> None:
    """Every point where it belongs, its number beside it where nothing else is, and a thin line between the two."""
    u, r = picture.unit, BADGE * picture.unit
    places = [(scale.x(p.intensity), scale.y(p.rate)) for p in found]
    picture.lines(
        [(x, y, x, scale.y(p.roof.at(p.intensity))) for p, (x, y) in zip(found, places, strict=True)],
        "idle", 1.0, dash=True, alpha=0.5,
    )  # fmt: skip
    badges = beside(places, scale.plot, r, DOT * u)
    picture.lines([(*a, *b) for a, b in zip(places, badges, strict=True)], "active", 1.0, alpha=0.7)
    picture.dots(places, DOT * u, "active", "panel")
    picture.dots(badges, r, "active", "panel")
    for point, (px, py), (x, y) in zip(found, places, badges, strict=True):
        picture.text(x, y, str(point.number), 0.75 * u, "on_active", 0, bold=True)
        picture.hit(Box(px - r, py - r, 2 * r, 2 * r), point.words)
        picture.hit(Box(x - r, y - r, 2 * r, 2 * r), point.words)


def beside(places: Sequence[tuple[float, float]], plot: Box, radius: float, dot: float) -> list[tuple[float, float]]:
    """Where the numbers stand: for every place the nearest spot at which its badge of ``radius`` covers neither a point
    of ``dot`` pixels nor another badge."""
    taken: list[tuple[float, float, float]] = [(x, y, dot) for x, y in places]
    found: list[tuple[float, float]] = []
    inner = plot.inset(radius)
    for x, y in places:
        spots = ((x + ring * radius * math.cos(turn), y - ring * radius * math.sin(turn)) for ring, turn in SPOTS)
        free = (
            (a, b) for a, b in spots
            if inner.holds(a, b) and all(math.hypot(a - c, b - d) > radius + r + 1 for c, d, r in taken)
        )  # fmt: skip
        spot = next(free, (x, y))
        taken.append((*spot, radius))
        found.append(spot)
    return found


def _grid(picture: Picture, scale: Axes) -> None:
    u, plot = picture.unit, scale.plot
    picture.rect(plot, "panel", "faint")
    for power in range(scale.left, scale.right + 1):
        x = scale.x(10.0**power)
        picture.lines([(x, plot.y, x, plot.bottom)], "faint", alpha=0.6)
        picture.text(x, plot.bottom + 0.9 * u, decade(power), 0.85 * u, "dim", 0)
    for power in range(scale.bottom, scale.top + 1):
        y = scale.y(10.0**power)
        picture.lines([(plot.x, y, plot.right, y)], "faint", alpha=0.6)
        picture.text(plot.x - 0.4 * u, y, decade(power), 0.85 * u, "dim", 1)
    picture.text(plot.x - 3.8 * u, plot.y - 1.2 * u, "10⁹ thread instructions a second", 0.85 * u, "dim")
    label = picture.text(plot.right, plot.bottom + 2.3 * u, "thread instructions a byte of memory", 0.85 * u, "dim", 1)
    picture.hit(label, "Bytes that no cache held, from and to the device's memory.")


def _roof(picture: Picture, scale: Axes, roof: Roof, main: bool, named: bool) -> None:
    u, plot = picture.unit, scale.plot
    floor, left, right = 10.0**scale.bottom, 10.0**scale.left, 10.0**scale.right
    start = max(left, floor / roof.gbps)
    corners = [(start, roof.at(start)), (roof.ridge, roof.peak), (right, roof.peak)]
    line = [(scale.x(x), scale.y(y)) for x, y in corners]
    picture.curve(line, "text" if main else "idle", 2.2 if main else 1.0, alpha=1.0 if main else 0.6)
    words = f"{roof.name}: {_rate(roof.peak)} of its schedulers, {bandwidth(roof.gbps)} of its memory"
    step, decades = plot.w / PIECES, (scale.right - scale.left) / PIECES
    for k in range(PIECES):
        y = scale.y(max(floor, roof.at(10.0 ** (scale.left + (k + 0.5) * decades))))
        picture.hit(Box(plot.x + k * step, y - NEAR, step, 2 * NEAR), words)
    if named:
        label = f"{roof.name}: {_rate(roof.peak)}, {bandwidth(roof.gbps)}"
        y = scale.y(roof.peak) - 0.75 * u
        picture.text(plot.right - 0.3 * u, y, label, 0.85 * u, align=1, room=plot.w - u, least=0.7 * u)


def _list(picture: Picture, box: Box, found: Sequence[Point]) -> None:
    """Number, name, share of the roof and which roof it is; as many as there is room for."""
    u = picture.unit
    line = max(LEAST_LINE * u, min(1.8 * u, (box.h - 2.4 * u) / len(found)))
    size = min(u, 0.78 * line)
    y = box.y + 1.2 * u
    picture.text(box.right, y, "of its roof", 0.85 * size, "dim", 1)
    for point in found:
        y += line
        picture.dots([(box.x + 0.7 * u, y)], BADGE * size, "active")
        picture.text(box.x + 0.7 * u, y, str(point.number), 0.75 * size, "on_active", 0, bold=True)
        end = picture.text(box.right, y, f"{percent(point.share)} {point.bound}", 0.9 * size, "dim", 1)
        picture.text(box.x + 1.8 * u, y, point.title, size, room=end.x - box.x - 2.4 * u, least=0.7 * u)
        picture.hit(Box(box.x, y - line / 2, box.w, line), point.words)
