"""Draw the transport's icons in the colour of the text, so that every theme and size has sharp ones."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

SIDE = 24
# Shapes on a 24x24 grid: triangles ('<' or '>' from x to x) and bars (x, width).
_SHAPES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "first": (("|", 4, 3), ("<", 8, 20)),
    "previous": (("<", 5, 17),),
    "next": ((">", 7, 19),),
    "last": ((">", 4, 16), ("|", 17, 3)),
    "play": ((">", 4, 13), (">", 12, 21)),
    "pause": (("|", 6, 4), ("|", 14, 4)),
}


def icon(name: str, colour: QColor, ratio: float = 2.0) -> QIcon:
    """Return one of the icons 'first', 'previous', 'next', 'last', 'play', 'pause'."""
    pixmap = QPixmap(round(SIDE * ratio), round(SIDE * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for shape, x, extent in _SHAPES[name]:
        if shape == "|":
            painter.drawRoundedRect(QRectF(x, 4, extent, 16), 1, 1)
        else:
            tip, back = (extent, x) if shape == ">" else (x, extent)
            painter.drawPolygon(QPolygonF([QPointF(back, 4), QPointF(back, 20), QPointF(tip, 12)]))
    painter.end()
    return QIcon(pixmap)
