"""Write a Picture as SVG text, which reports embed; free of a window. ``colour`` maps a token to any colour of CSS."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from itertools import pairwise

from warpview.ui.drawing.picture import Bitmap, Box, Curve, Dots, Lines, Picture, Rects, Text, arrow_head

Colours = Callable[[str], str]


def to_svg(picture: Picture, colour: Colours, name: str = "") -> str:
    """Return the picture, as wide as the page lets it be. Hidden answers stay hidden. ``name`` tells its patterns from
    those of other pictures in the same page."""
    drawer = _Drawer(colour, name)
    for mark in picture.marks:
        drawer.draw(mark)
    for box in picture.covers:
        drawer.add(f'<rect {_box(box)} rx="4" fill="{colour("raised")}" stroke="{colour("accent")}"/>')
        drawer.add(_text(box.cx, box.cy, "?", 1.6 * picture.unit, colour("accent"), "middle", "bold"))
    title = escape(picture.spoken)
    patterns = "".join(drawer.patterns.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width:g} {picture.height:g}" role="img" '
        f'aria-label="{title}"><title>{title}</title><defs>{patterns}</defs>'
        f'<rect width="100%" height="100%" fill="{colour("panel")}"/>{"".join(drawer.parts)}</svg>'
    )


def _box(box: Box) -> str:
    return f'x="{box.x:.1f}" y="{box.y:.1f}" width="{max(0.0, box.w):.1f}" height="{max(0.0, box.h):.1f}"'


def _text(x: float, y: float, text: str, size: float, fill: str, anchor: str, weight: str, mono: bool = False) -> str:
    family = ' font-family="monospace"' if mono else ""
    heavy = ' font-weight="bold"' if weight == "bold" else ""
    return (
        f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" font-size="{size:.1f}" fill="{fill}" '
        f'text-anchor="{anchor}"{family}{heavy}>{escape(text)}</text>'
    )


class _Drawer:
    """Collect the elements of a picture, and the patterns that they need."""

    def __init__(self, colour: Colours, name: str) -> None:
        self.colour, self.name = colour, name
        self.parts: list[str] = []
        self.patterns: dict[str, str] = {}

    def add(self, element: str) -> None:
        self.parts.append(element)

    def draw(self, mark: Rects | Lines | Curve | Dots | Text | Bitmap) -> None:
        if isinstance(mark, Text):
            anchor = ("start", "middle", "end")[mark.align + 1]
            weight = "bold" if mark.bold else ""
            self.add(_text(mark.x, mark.y, mark.text, mark.size, self.colour(mark.colour), anchor, weight, mark.mono))
        elif isinstance(mark, Rects):
            self._rects(mark)
        elif isinstance(mark, Lines):
            path = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in mark.segments)
            dash = ' stroke-dasharray="3 2.5"' if mark.dash else ""
            style = f'stroke="{self.colour(mark.colour)}" stroke-width="{mark.width:g}" opacity="{mark.alpha:g}"{dash}'
            self.add(f'<path d="{path}" fill="none" {style}/>')
        elif isinstance(mark, Curve):
            self._curve(mark)
        elif isinstance(mark, Dots):
            fill = self.colour(mark.fill)
            edge = f' stroke="{self.colour(mark.edge)}"' if mark.edge else ""
            dots = (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius:.1f}"/>' for x, y in mark.centres)
            self.add(f'<g fill="{fill}"{edge}>{"".join(dots)}</g>')
        else:
            self._bitmap(mark)

    def _rects(self, mark: Rects) -> None:
        stroke = f'stroke="{self.colour(mark.edge)}" stroke-width="{mark.width:g}"' if mark.edge else ""
        if mark.edge and mark.dash:
            stroke += ' stroke-dasharray="3 2.5"'
        half = mark.width / 2 if mark.edge else 0.0
        round_ = f' rx="{mark.radius:g}"' if mark.radius else ""
        boxes = "".join(f"<rect {_box(box.inset(half))}{round_}/>" for box in mark.boxes)
        fills = [self.colour(mark.fill)] if mark.fill else []
        if mark.hatch:
            fills.append(f"url(#{self._pattern(mark.hatch)})")
        for k, fill in enumerate(fills or ["none"]):
            last = k == len(fills or ["none"]) - 1
            self.add(f'<g fill="{fill}" opacity="{mark.alpha:g}" {stroke if last else ""}>{boxes}</g>')

    def _pattern(self, token: str) -> str:
        colour = self.colour(token)
        name = f"{self.name}hatch-{token}"
        self.patterns[name] = (
            f'<pattern id="{name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M0 0V5" stroke="{colour}" stroke-width="1.6"/></pattern>'
        )
        return name

    def _curve(self, mark: Curve) -> None:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in mark.points)
        fill = self.colour(mark.fill) if mark.fill else "none"
        stroke = self.colour(mark.colour) if mark.colour else "none"
        shape = f'{"polygon" if mark.fill else "polyline"} points="{points}"'
        if mark.cubic:
            start, *others = points.split()
            shape = f'path d="M{start}C{" ".join(others)}"'
        self.add(f'<{shape} fill="{fill}" stroke="{stroke}" stroke-width="{mark.width:g}" opacity="{mark.alpha:g}"/>')
        if mark.arrow and mark.colour and len(mark.points) > 1:
            head = " ".join(f"{x:.1f},{y:.1f}" for x, y in arrow_head(mark.points[-2], mark.points[-1], mark.width))
            self.add(f'<polygon points="{head}" fill="{stroke}"/>')

    def _bitmap(self, mark: Bitmap) -> None:
        """Draw runs of equal cells of each row as rectangles, one path a colour."""
        rows, columns = mark.indices.shape
        if not rows or not columns:
            return
        w, h = mark.box.w / columns, mark.box.h / rows
        paths: dict[int, list[str]] = {}
        for r in range(rows):
            line = mark.indices[r]
            starts = [0, *((line[1:] != line[:-1]).nonzero()[0] + 1).tolist(), columns]
            for a, b in pairwise(starts):
                index = int(line[a])
                if index < len(mark.tokens) and mark.tokens[index] != "clear":
                    x, y = mark.box.x + a * w, mark.box.y + r * h
                    paths.setdefault(index, []).append(
                        f"M{x:.1f} {y:.1f}h{(b - a) * w:.1f}v{h:.2f}h-{(b - a) * w:.1f}z"
                    )
        for index, pieces in paths.items():
            self.add(f'<path d="{"".join(pieces)}" fill="{self.colour(mark.tokens[index])}"/>')
