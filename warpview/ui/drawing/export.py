"""Write widgets as pictures."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

SCALE = 2.0  # pixels of an image for each of the widget


def export_widget(widget: QWidget, path: Path, ground: QColor, title: str, scale: float = SCALE) -> None:
    """Write a widget as .svg, or as an image of ``scale`` times its resolution for every other ending.

    Raises ``OSError`` where the file cannot be written.
    """
    if path.suffix.lower() == ".svg":
        svg = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # which can clip
        svg.setResolution(widget.logicalDpiX())  # or texts would come out smaller than what is around them
        svg.setFileName(str(path))
        svg.setSize(widget.size())
        svg.setViewBox(QRect(0, 0, widget.width(), widget.height()))
        svg.setTitle(title)
        widget.render(svg)
        finish_svg(path)
        return
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(ground)
    widget.render(image)
    check_written(path, image.save(str(path)))


def finish_svg(path: Path) -> None:
    """Have the texts of an SVG shown as they are: Qt writes the names of fonts, without the features that are off.

    Raises ``OSError`` where Qt could not write it.
    """
    check_written(path, path.exists())
    text = path.read_text("utf-8").replace("<svg ", '<svg style="font-variant-ligatures: no-contextual" ', 1)
    path.write_text(text, "utf-8")


def check_written(path: Path, is_written: bool) -> None:
    """Raise OSError where Qt could not write a file, which it does not say by itself."""
    if not is_written:
        raise OSError(f"could not write {path}")
