"""Table cells drawn without the style: a tenth of the time of a styled cell, which counts at every step."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from warpview.ui.theme import Look

MARGIN = 6


class CellDelegate(QStyledItemDelegate):
    """Background, text, colour, font and alignment as the model says; nothing else."""

    def __init__(self, look: Look, parent: object) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self._look = look
        self._metrics: dict[str, QFontMetrics] = {}
        look.changed.connect(self._metrics.clear)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        box: QRect = option.rect
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(ground, QColor):
            painter.fillRect(box, ground)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        if text is None or text == "":
            return
        font = index.data(Qt.ItemDataRole.FontRole)
        font = font if isinstance(font, QFont) else self._look.font()
        key = font.key()
        metrics = self._metrics.get(key)
        if metrics is None:
            metrics = self._metrics[key] = QFontMetrics(font)
        colour = index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setPen(colour if isinstance(colour, QColor) else self._look.theme.qcolor("text"))
        painter.setFont(font)
        aligned = index.data(Qt.ItemDataRole.TextAlignmentRole)
        flags = aligned or (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        inner = box.adjusted(MARGIN, 0, -MARGIN, 0)
        shown = metrics.elidedText(str(text), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, int(Qt.AlignmentFlag(flags)), shown)
