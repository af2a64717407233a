"""The roofline: instructions a second against instructions a byte, below what the device can issue and move.

Qt-free. The roofs are the device's figures: bytes a second of its memory (the slope) and instructions a second of its
arithmetic units (the ceiling). Bytes are those that the multiprocessors exchange with the memory system; what caches
deliver can therefore lie above the slope.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from warpview.devices import Device, load_device
from warpview.isa.ops import Unit
from warpview.ui.backend import Measured
from warpview.ui.panels.ladder_model import bandwidth
from warpview.ui.picture import Box, Picture

SECTORS = ("global_ld_sectors", "global_st_sectors", "global_red_sectors", "global_atom_sectors",
           "local_ld_sectors", "local_st_sectors")  # fmt: skip
SECTOR_BYTES, WARP = 32, 32
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
        lanes = device.schedulers * WARP / device.issue_cycles[Unit.ALU]
        peak = device.multiprocessors * lanes * device.clock_mhz / 1000
        return cls(device.key, device.name, peak, device.dram_gbps)

    @property
    def ridge(self) -> float:
        """Instructions a byte from which on arithmetic is the limit."""
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
        return "memory" if self.intensity < self.roof.ridge else "arithmetic"

    @property
    def words(self) -> str:
        return (
            f"{self.title} on {self.roof.name}\n{self.intensity:.3g} instructions a byte, {_rate(self.rate)}, "
            f"{bandwidth(self.rate / self.intensity)}\n{100 * self.share:.0f} % of the roof above it, which is "
            f"{'the memory' if self.bound == 'memory' else 'the arithmetic'}'s"
        )


def points(runs: Sequence[Measured]) -> list[Point]:
    """The runs that have a time and touched memory, numbered in their order."""
    roofs: dict[str, Roof] = {}
    found: list[Point] = []
    for run in runs:
        time, instructions = run.counters.get("time_us"), run.counters.get("thread_inst_executed_on")
        moved = SECTOR_BYTES * sum(run.counters.get(key) or 0 for key in SECTORS)
        if run.problem or not time or not instructions or not moved:
            continue
        if run.device not in roofs:
            roofs[run.device] = Roof.of(load_device(run.device))
        point = Point(len(found) + 1, run.title, instructions / moved, instructions / time / 1000, roofs[run.device])
        found.append(point)
    return found


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


def draw(picture: Picture, area: Box, found: Sequence[Point]) -> None:
    """The plot, and beside it the list of its numbered points."""
    u = picture.unit
    if not found:
        picture.text(area.cx, area.cy, "No run has both a time and accesses to memory.", colour="dim", align=0)
        return
    listed = min(0.36 * area.w, max(picture.size_of(f"99  {p.title}") for p in found) + 9 * u)
    plot = Box(area.x + 4.2 * u, area.y + 1.9 * u, area.w - listed - 6.5 * u, area.h - 5.0 * u)
    scale = axes(plot, found)
    _grid(picture, scale)
    roofs = list(dict.fromkeys(p.roof for p in found))
    for roof in reversed(roofs):
        _roof(picture, scale, roof, main=roof is roofs[0], named=len(roofs) == 1)
    for point in reversed(found):
        x, y, r = scale.x(point.intensity), scale.y(point.rate), 0.62 * u
        picture.lines([(x, y, x, scale.y(point.roof.at(point.intensity)))], "idle", 1.0, dash=True, alpha=0.7)
        picture.dots([(x, y)], r, "active", "panel")
        picture.text(x, y, str(point.number), 0.75 * u, "on_active", 0, bold=True)
        picture.hot(Box(x - r, y - r, 2 * r, 2 * r), point.words)
    _list(picture, Box(plot.right + 2.3 * u, area.y, listed, area.h), found)
    picture.spoken = "; ".join(p.words.replace("\n", ", ") for p in found)


def _grid(picture: Picture, scale: Axes) -> None:
    u, plot = picture.unit, scale.plot
    picture.rect(plot, "panel", "faint")
    for power in range(scale.left, scale.right + 1):
        x = scale.x(10.0**power)
        picture.lines([(x, plot.y, x, plot.bottom)], "faint", alpha=0.6)
        picture.text(x, plot.bottom + 0.9 * u, f"{10.0**power:g}", 0.85 * u, "dim", 0)
    for power in range(scale.bottom, scale.top + 1):
        y = scale.y(10.0**power)
        picture.lines([(plot.x, y, plot.right, y)], "faint", alpha=0.6)
        picture.text(plot.x - 0.4 * u, y, f"{10.0**power:g}", 0.85 * u, "dim", 1)
    picture.text(plot.x - 3.8 * u, plot.y - 1.2 * u, "10⁹ thread instructions a second", 0.85 * u, "dim")
    label = picture.text(plot.right, plot.bottom + 2.3 * u, "thread instructions a byte moved", 0.85 * u, "dim", 1)
    picture.hot(label, "Bytes between the multiprocessors and the memory system: what caches deliver is among them,\n"
                "so that a run can stand above the slope of the memory")  # fmt: skip


def _roof(picture: Picture, scale: Axes, roof: Roof, main: bool, named: bool) -> None:
    u, plot = picture.unit, scale.plot
    floor, left, right = 10.0**scale.bottom, 10.0**scale.left, 10.0**scale.right
    start = max(left, floor / roof.gbps)
    corners = [(start, roof.at(start)), (roof.ridge, roof.peak), (right, roof.peak)]
    line = [(scale.x(x), scale.y(y)) for x, y in corners]
    picture.curve(line, "text" if main else "idle", 2.2 if main else 1.0, alpha=1.0 if main else 0.6)
    words = f"{roof.name}: {_rate(roof.peak)} of its arithmetic units, {bandwidth(roof.gbps)} of its memory"
    step, decades = plot.w / PIECES, (scale.right - scale.left) / PIECES
    for k in range(PIECES):
        y = scale.y(max(floor, roof.at(10.0 ** (scale.left + (k + 0.5) * decades))))
        picture.hot(Box(plot.x + k * step, y - NEAR, step, 2 * NEAR), words)
    if named:
        label = f"{roof.name}: {_rate(roof.peak)}, {bandwidth(roof.gbps)}"
        y = scale.y(roof.peak) - 0.75 * u
        picture.text(plot.right - 0.3 * u, y, label, 0.85 * u, align=1, room=plot.w - u, least=0.7 * u)


def _list(picture: Picture, box: Box, found: Sequence[Point]) -> None:
    """Number, name, share of the roof and which roof it is; as many as there is room for."""
    u = picture.unit
    line = 1.7 * u
    y = box.y + 1.2 * u
    picture.text(box.right, y, "of its roof", 0.85 * u, "dim", 1)
    for point in found[: max(0, int((box.h - 2 * line) / line))]:
        y += line
        picture.dots([(box.x + 0.7 * u, y)], 0.62 * u, "active")
        picture.text(box.x + 0.7 * u, y, str(point.number), 0.75 * u, "on_active", 0, bold=True)
        says = f"{100 * point.share:.0f} % {point.bound}"
        end = picture.text(box.right, y, says, 0.9 * u, "dim", 1)
        picture.text(box.x + 1.8 * u, y, point.title, room=end.x - box.x - 2.4 * u, least=0.8 * u)
        picture.hot(Box(box.x, y - line / 2, box.w, line), point.words)
