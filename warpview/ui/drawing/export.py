"""Write widgets and scenes as pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPaintDevice
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
    render = render or widget.render
    if path.suffix.lower() == ".svg":
        svg = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # which can clip
        svg.setResolution(widget.logicalDpiX())  # or texts would come out smaller than what is around them
        svg.setFileName(str(path))
        svg.setSize(widget.size())
        svg.setViewBox(QRect(0, 0, widget.width(), widget.height()))
        svg.setTitle(title)
        render(svg)
        _check_written(path, path.exists())
        path.write_text(path.read_text("utf-8").replace("<svg ", f"<svg {UNLIGATED} ", 1), "utf-8")
        return
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(ground)
    render(image)
    _check_written(path, image.save(str(path)))


def _check_written(path: Path, is_written: bool) -> None:
    """Raise OSError where Qt could not write a file, which it does not say by itself."""
    if not is_written:
        raise OSError(f"could not write {path}")
