"""Write widgets and scenes as pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPaintDevice
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

SCALE = 2.0  # pixels of an image for each of the widget
UNLIGATED = 'style="font-variant-ligatures: no-contextual"'  # Qt writes the names of fonts, not that features are off


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
    return bytes(data.data()).decode().replace("<svg ", f"<svg {UNLIGATED} ", 1)
