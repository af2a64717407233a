"""Represent a picture as a display list: a view's model hands it to the widget, free of Qt.

Colours are theme tokens ("active", "conflict", "lane7", ...), lengths are logical pixels, ``unit`` the base type size.
A model adds marks in drawing order; the widget, the PNG, the SVG and the HTML report all draw the same list. Marks are
values: all but bitmaps can be hashed. Boxes and texts are so many that the garbage collector is not told of them
(``gc=False``): they hold numbers and texts alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from warpview.ui.moving.elements import Element

Token = str
Measure = Callable[[str, float, bool, bool], float]
"""(text, size, mono, bold) -> width in pixels"""


class Box(Struct, frozen=True, gc=False):
    """Represent a rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def cx(self) -> float:
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        return self.y + self.h / 2

    def inset(self, dx: float, dy: float | None = None) -> Box:
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(0.0, self.w - 2 * dx), max(0.0, self.h - 2 * dy))

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def overlaps(self, other: Box) -> bool:
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom


class Rects(NamedTuple):
    """Describe rectangles of one style: filled, hatched, with an edge that may be dashed, with rounded corners."""

    boxes: tuple[Box, ...]
    fill: Token | None = None
    edge: Token | None = None
    width: float = 1.0
    radius: float = 0.0
    dash: bool = False
    alpha: float = 1.0
    hatch: Token | None = None


class Lines(NamedTuple):
    """Describe segments (x1, y1, x2, y2) of one style."""

    segments: tuple[tuple[float, float, float, float], ...]
    colour: Token
    width: float = 1.0
    dash: bool = False
    alpha: float = 1.0


class Curve(NamedTuple):
    """Represent one open line through points, or a closed area under ``fill``. ``arrow`` ends it with a head. With
    ``motion`` it grows from its start after a step. The points of a ``cubic`` one are its start and, for each Bezier
    piece, two control points and its end."""

    points: tuple[tuple[float, float], ...]
    colour: Token | None
    width: float = 1.5
    fill: Token | None = None
    alpha: float = 1.0
    motion: bool = False
    arrow: bool = False
    cubic: bool = False


class Dots(NamedTuple):
    """Represent filled circles (x, y) of one radius."""

    centres: tuple[tuple[float, float], ...]
    radius: float
    fill: Token
    edge: Token | None = None


class Text(Struct, frozen=True, gc=False):
    """Represent one line of text. ``x`` is its left end, middle or right end by ``align`` (-1, 0, 1); ``y`` its
    middle."""

    x: float
    y: float
    text: str
    size: float
    colour: Token = "text"
    align: int = -1
    bold: bool = False
    mono: bool = False


class Bitmap(NamedTuple):
    """Represent an image that is drawn without smoothing: uint8[rows, columns] of indices into ``tokens`` (255 is
    transparent)."""

    box: Box
    indices: NDArray[np.uint8]
    tokens: tuple[Token, ...]


Mark = Rects | Lines | Curve | Dots | Text | Bitmap


@dataclass(frozen=True, slots=True)
class Target:
    """Describe what a click selects: the fields of the selection that are not None, or a command of the view."""

    block: int | None = None
    warp: int | None = None
    lane: int | None = None
    line: int | None = None
    pc: int | None = None
    step: int | None = None
    element: Element | None = None
    command: str = ""
    value: int = 0


class HitRegion(NamedTuple):
    """Mark a box that has a text for the pointer, and perhaps something to do when it is clicked.

    Where there are many alike, one region covers them all and ``resolve(x, y)`` finds the one under the pointer.
    """

    box: Box
    hover: str = ""
    target: Target | None = None
    resolve: Callable[[float, float], HitRegion | None] | None = None


def plain_measure(text: str, size: float, mono: bool = False, bold: bool = False) -> float:
    """Return the width of a text without a font engine: good enough for tests of models."""
    if mono:
        return 0.602 * size * len(text)
    wide = sum(0.9 if c in "mwMW@%—" else 0.3 if c in " .,:;'|!ijl()[]" else 0.62 for c in text)
    return wide * size * (1.08 if bold else 1.0)


@dataclass
class Picture:
    """Hold a display list of ``width`` x ``height``, and the regions of it that answer to the pointer.

    ``spoken`` says in a sentence what the picture shows, for screen readers and reports.
    """

    width: float
    height: float
    unit: float
    measure: Measure = plain_measure
    marks: list[Mark] = field(default_factory=list)
    hit_regions: list[HitRegion] = field(default_factory=list)
    covers: list[Box] = field(default_factory=list)  # drawn last, with a "?": the answer, while it is hidden
    spoken: str = ""

    # --- adding marks -------------------------------------------------------------------------------------------
    def add(self, marks: Iterable[Mark]) -> None:
        """Add many marks made elsewhere at once: texts whose width nobody asks for are not measured."""
        self.marks += marks

    def rects(
        self, boxes: Sequence[Box], fill: Token | None = None, edge: Token | None = None, width: float = 1.0,
        radius: float = 0.0, dash: bool = False, alpha: float = 1.0, hatch: Token | None = None,
    ) -> None:  # fmt: skip
        if boxes:
            self.marks.append(Rects(tuple(boxes), fill, edge, width, radius, dash, alpha, hatch))

    def rect(
        self, box: Box, fill: Token | None = None, edge: Token | None = None, width: float = 1.0,
        radius: float = 0.0, dash: bool = False, alpha: float = 1.0, hatch: Token | None = None,
    ) -> None:  # fmt: skip
        self.marks.append(Rects((box,), fill, edge, width, radius, dash, alpha, hatch))

    def lines(
        self, segments: Sequence[tuple[float, float, float, float]], colour: Token, width: float = 1.0,
        dash: bool = False, alpha: float = 1.0,
    ) -> None:  # fmt: skip
        if segments:
            self.marks.append(Lines(tuple(segments), colour, width, dash, alpha))

    def curve(
        self, points: Sequence[tuple[float, float]], colour: Token | None, width: float = 1.5,
        fill: Token | None = None, motion: bool = False, arrow: bool = False, cubic: bool = False,
    ) -> None:  # fmt: skip
        self.marks.append(Curve(tuple(points), colour, width, fill, 1.0, motion, arrow, cubic))

    def dots(
        self, centres: Sequence[tuple[float, float]], radius: float, fill: Token, edge: Token | None = None
    ) -> None:
        if centres:
            self.marks.append(Dots(tuple(centres), radius, fill, edge))

    def bitmap(self, box: Box, indices: NDArray[np.uint8], tokens: Sequence[Token]) -> None:
        self.marks.append(Bitmap(box, indices, tuple(tokens)))

    def text(
        self, x: float, y: float, text: str, size: float | None = None, colour: Token = "text", align: int = -1,
        bold: bool = False, mono: bool = False, room: float | None = None, least: float | None = None,
    ) -> Box:  # fmt: skip
        """Put a text and return its box. With ``room`` it is shrunk to ``least`` and then cut to fit."""
        size = self.unit if size is None else size
        if room is not None:
            text, size = self.fit(text, room, size, size if least is None else least, mono, bold)
        if not text:
            return Box(x, y, 0.0, 0.0)
        self.marks.append(Text(x, y, text, size, colour, align, bold, mono))
        width = self.measure(text, size, mono, bold)
        return Box(x - width * (align + 1) / 2, y - 0.62 * size, width, 1.24 * size)

    def hit(self, box: Box, hover: str, target: Target | None = None) -> None:
        self.hit_regions.append(HitRegion(box, hover, target))

    def region(self, box: Box, resolve: Callable[[float, float], HitRegion | None]) -> None:
        """Add a hit region whose parts are told apart only when the pointer is there."""
        self.hit_regions.append(HitRegion(box, resolve=resolve))

    def cover(self, box: Box) -> None:
        """Hide part of the picture behind a "?" (prediction)."""
        self.covers.append(box)

    # --- measuring ----------------------------------------------------------------------------------------------
    def size_of(self, text: str, size: float | None = None, mono: bool = False, bold: bool = False) -> float:
        return self.measure(text, self.unit if size is None else size, mono, bold)

    def widest(self, texts: Iterable[str], size: float) -> float:
        """Return the width of the widest of many texts; 0 where there are none."""
        return max(map(self.measure, set(texts), repeat(size), repeat(False), repeat(False)), default=0.0)

    def fit(
        self, text: str, room: float, size: float, least: float, mono: bool = False, bold: bool = False
    ) -> tuple[str, float]:
        """Return the text, smaller if need be and then cut with an ellipsis, so that it is at most ``room`` wide."""
        width = self.measure(text, size, mono, bold)
        if width <= room or not text:
            return text, size
        # Fonts come in whole sizes: what should just fit may not.
        for smaller in (size * room / width, 0.93 * size * room / width, least):
            if smaller >= least and self.measure(text, smaller, mono, bold) <= room + 0.01:
                return text, smaller
        size = least
        low, high = 0, len(text) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.measure(text[:middle].rstrip() + "…", size, mono, bold) <= room:
                low = middle
            else:
                high = middle - 1
        return (text[:low].rstrip() + "…" if low else ""), size

    def wrap(self, text: str, room: float, size: float, mono: bool = False) -> list[str]:
        """Return the text in lines no wider than ``room``, broken at spaces."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.measure(longer, size, mono, False) > room:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def at(self, x: float, y: float) -> HitRegion | None:
        """Return the topmost hit region at a point; what is hidden says nothing."""
        if any(cover.holds(x, y) for cover in self.covers):
            return None
        for region in reversed(self.hit_regions):
            if region.box.holds(x, y):
                found = region.resolve(x, y) if region.resolve else region
                if found is not None:
                    return found
        return None


def arrow_head(before: tuple[float, float], tip: tuple[float, float], width: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of the head of an arrow whose line, ``width`` wide, comes from ``before``."""
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    size = (3.0 + 1.6 * width) / (math.hypot(dx, dy) or 1.0)
    ux, uy = dx * size, dy * size
    left, right = (tip[0] - ux - 0.5 * uy, tip[1] - uy + 0.5 * ux), (tip[0] - ux + 0.5 * uy, tip[1] - uy - 0.5 * ux)
    return tip, left, right


@lru_cache(1024)  # from step to step lanes go to the same places
def s_curve(x1: float, y1: float, x2: float, y2: float) -> tuple[tuple[float, float], ...]:
    """Return the control points of a smooth S between two points, upright at both ends, for a cubic ``Curve``."""
    third = (y2 - y1) / 3
    return (x1, y1), (x1, y1 + third), (x2, y2 - third), (x2, y2)
