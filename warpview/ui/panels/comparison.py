"""The comparison page: variants of a kernel, or devices, side by side as bars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from warpview.ui.backend import Measured
from warpview.ui.panels.comparison_model import Chart, charts
from warpview.ui.theme import Look
from warpview.ui.views.canvas import Canvas, Spot

FILTER = "Comma-separated values (*.csv);;JSON (*.json)"


class ComparisonPage(QDialog):
    """Bars of every telling counter; type to see others; export as a table or a picture."""

    export_wanted = Signal(object, object)  # list[Measured], Path
    variant_wanted = Signal(str)

    def __init__(self, title: str, about: str, runs: Sequence[Measured], look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.runs, self._look = list(runs), look
        self.charts: list[Chart] = []
        self._canvas = Canvas(self._paint)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._canvas)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll = scroll
        heading = QLabel(title)
        heading.setFont(look.font("big"))
        words = QLabel(about)
        words.setObjectName("dim")
        words.setWordWrap(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("filter counters")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(look.px(260))
        self.filter.textChanged.connect(lambda _: self._choose())
        export, picture = QPushButton("Export table …"), QPushButton("Export picture …")
        export.clicked.connect(self.export_table)
        picture.clicked.connect(self.export_picture)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        for button in (export, picture, close):
            button.setAutoDefault(False)
        top = QHBoxLayout()
        top.addWidget(heading, 1)
        for widget in (self.filter, export, picture, close):
            top.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.addLayout(top)
        column.addWidget(words)
        for run in self.runs:
            if run.problem:
                column.addWidget(QLabel(f"{run.title}: {run.problem}"))
        column.addWidget(scroll, 1)
        self.resize(parent.size() * 0.94)
        self._choose()

    def _choose(self) -> None:
        self.charts = charts(self.runs, self.filter.text())
        self._canvas.setMinimumHeight(round(self._rows() * self._chart_height() + 10))
        self._canvas.update()

    # ---- drawing

    def _columns(self) -> int:
        return max(1, min(3, self.width() // self._look.px(430)))

    def _rows(self) -> int:
        return -(-len(self.charts) // self._columns())

    def _line(self) -> float:
        return QFontMetricsF(self._look.font()).height() * 1.15

    def _chart_height(self) -> float:
        bars = max((len(c.bars) for c in self.charts), default=1)
        return self._line() * (bars + 2.0)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        self._choose()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._look.px(1200), self._look.px(680))

    def _paint(self, painter: QPainter, area: QRectF) -> None:
        theme = self._look.theme
        painter.fillRect(area, theme.qcolor("window"))
        if not self.charts:
            painter.setPen(theme.qcolor("dim"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "No counter differs.")
        columns, height = self._columns(), self._chart_height()
        width = area.width() / columns
        for n, chart in enumerate(self.charts):
            box = QRectF((n % columns) * width, (n // columns) * height, width, height).adjusted(4, 4, -4, -4)
            self._paint_chart(painter, chart, box)

    def _paint_chart(self, painter: QPainter, chart: Chart, box: QRectF) -> None:
        look, theme, line = self._look, self._look.theme, self._line()
        painter.setPen(theme.qcolor("faint"))
        painter.setBrush(theme.qcolor("panel"))
        painter.drawRoundedRect(box, 6, 6)
        self._canvas.spots.append(Spot(box, f"{chart.words}\nUnit: {chart.unit}. Key: {chart.key}"))
        inner = box.adjusted(10, 4, -10, -4)
        painter.setFont(look.font("title"))
        painter.setPen(theme.qcolor("text"))
        painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), 0, chart.title)
        painter.setFont(look.font())
        metrics = painter.fontMetrics()
        names = max(metrics.horizontalAdvance(b.title) for b in chart.bars) + 8
        names = min(names, round(inner.width() * 0.42))
        bold = QFontMetricsF(look.font("number"))
        numbers = max(bold.horizontalAdvance(b.text) for b in chart.bars) + 8
        ends = max(metrics.horizontalAdvance(b.difference) for b in chart.bars) + 6
        room = max(20.0, inner.width() - names - numbers - ends)
        for n, bar in enumerate(chart.bars):
            y = inner.top() + line * (n + 1.15)
            middle = int(Qt.AlignmentFlag.AlignVCenter)
            painter.setFont(look.font())
            painter.setPen(theme.qcolor("text"))
            title = metrics.elidedText(bar.title, Qt.TextElideMode.ElideRight, names - 8)
            painter.drawText(QRectF(inner.left(), y, names, line), middle, title)
            strip = QRectF(inner.left() + names, y + line * 0.18, room * bar.share, line * 0.64)
            painter.fillRect(strip, theme.qcolor("active" if n else "conflict"))
            painter.setFont(look.font("number"))
            painter.drawText(QRectF(strip.right() + 6, y, numbers, line), middle, bar.text)
            painter.setFont(look.font())
            painter.setPen(theme.qcolor("dim"))
            right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
            painter.drawText(QRectF(inner.right() - ends, y, ends, line), right, bar.difference)

    # ---- export

    def export_table(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export the comparison", "comparison.csv", FILTER)
        if name:
            self.export_wanted.emit([r for r in self.runs if not r.problem], Path(name))

    def export_picture(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export the bars", "comparison.png", "Picture (*.png)")
        if name:
            self._canvas.grab().save(name)
