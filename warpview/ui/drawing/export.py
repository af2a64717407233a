"""Write widgets and scenes as pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPaintDevice
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

SCALE = 2.0  # pixels of an image for each of the widget
# Qt writes the names of fonts, not that features are off; and of every text that its spaces count.
OF_ALL = 'style="font-variant-ligatures: no-contextual" xml:space="preserve"'
ROOT = re.compile(r"(</defs>\s*<g [^>]*>)")
# Qt has a group for every change of pen, brush, font or clip, even where nothing is drawn between two of them.
GROUPS = re.compile(r'(?:<g clip-path="(url\(#\w+\))">)?<g ([^>]*)>\s*(.*?)\s*</g>', re.DOTALL)
# What a group says although the root does; each text names its font.
REPEATED = re.compile(
    r' (?:\w+-opacity="1"|stroke-width="1"|stroke-linecap="square"|stroke-linejoin="bevel"'
    r'|transform="matrix\(1,0,0,1,0,0\)"\s*)|font-\w+="[^"]*"\s*'
)
SHAPES = re.compile("<(?!/?text)")
COLOURS = re.compile(r' ?\b(?:fill|stroke)[-\w]*="[^"]*"')
REPEATED_IN_SHAPES = re.compile(
    r' (?:vector-effect="none"|fill-rule="evenodd"|fill-opacity="1"|xml:space="preserve"'
    r'|font-weight="400"|font-style="normal"(?: \n )?)(?=[ >])'
)


def export_widget(
    widget: QWidget, path: Path, ground: QColor, title: str, scale: float = SCALE,
    render: Callable[[QPaintDevice], object] | None = None,
) -> None:  # fmt: skip
    """Write a widget as .svg, or as an image of ``scale`` times its resolution for every other ending; ``render`` draws
    it where that is not what the widget does by itself.

    Raises ``OSError`` where the file cannot be written. (The SVG exporter of pyqtgraph 0.14 fails on the ticks of
    logarithmic axes and writes texts as shapes; Qt's generator does neither.)
    """
    draw = render or widget.render
    if path.suffix.lower() == ".svg":
        path.write_text(drawing(widget.size(), title, draw), "utf-8")
    else:
        image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        image.fill(ground)
        draw(image)
        write_image(image, path)


def write_image(image: QImage, path: Path) -> None:
    """Write an image in the format that the ending of ``path`` names. It is encoded in memory: on a full disk,
    ``QImage.save`` leaves a part of the file and returns that all is well. Raises OSError where that fails."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, path.suffix[1:].upper()):  # type: ignore[call-overload]
        raise OSError(f"a picture cannot be written as '{path.suffix}'; .png and .svg can")
    path.write_bytes(data.data())


def drawing(size: QSize, title: str, draw: Callable[[QPaintDevice], object]) -> str:
    """Return the text of the SVG that ``draw`` makes."""
    data = QByteArray()
    svg = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # which can clip
    # Or texts would come out smaller than what is around them.
    svg.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInchX()))
    svg.setOutputDevice(buffer := QBuffer(data))
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    svg.setSize(size)
    svg.setViewBox(QRect(QPoint(0, 0), size))
    svg.setTitle(title)
    draw(svg)
    return compact(bytes(data.data()).decode()).replace("<svg ", f"<svg {OF_ALL} ", 1)


def compact(svg: str) -> str:
    """Return an SVG of Qt without the groups that hold nothing and what shapes say although all do: a quarter of it."""
    head, root, drawn = ROOT.split(svg)
    return f"{head}{root}\n{''.join(_groups(drawn))}</g>\n</svg>\n"


def _groups(drawn: str) -> Iterator[str]:
    """Yield groups that differ from those before, and their shapes."""
    groups = [group for group in GROUPS.findall(drawn) if group[2]]
    # Qt clips what follows a text as it does the text, which other typefaces would not fit into either.
    of_texts = {clip for clip, _, shapes in groups if shapes.startswith("<text")}
    before, close = None, ""
    for clip, state, shapes in groups:
        kept = "" if clip in of_texts else clip
        said = _said(state, not SHAPES.search(shapes))
        if (kept, said) != before:
            yield close
            yield f'<g clip-path="{kept}">' if kept else ""
            yield f"<g {said}>\n"
            before, close = (kept, said), "</g></g>\n" if kept else "</g>\n"
        yield REPEATED_IN_SHAPES.sub("", shapes) + "\n"
    yield close


@lru_cache(maxsize=4096)
def _said(state: str, texts_only: bool) -> str:
    """Return what a group has to say; texts name their colours."""
    said = REPEATED.sub("", state).strip()
    return COLOURS.sub("", said).strip() if texts_only else said
