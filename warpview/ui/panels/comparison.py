"""The comparison page: variants of a kernel, or devices, side by side as bars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from warpview.profile.export import Row
from warpview.ui.backend import Measured
from warpview.ui.panels.comparison_model import Chart, charts
from warpview.ui.theme import Look
from warpview.ui.views.canvas import Canvas, Spot


class ComparisonPage(QFrame):
    """Bars of every telling counter; type to see others; export as a table or a picture."""

    closed = Signal()
    export_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._look = look
        self.runs: list[Measured] = []
        self.charts: list[Chart] = []
        self._canvas = Canvas(self._paint)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._canvas)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll = scroll
        self._heading, self._about, self._problems = QLabel(), QLabel(), QLabel()
        self._heading.setObjectName("page-title")
        self._about.setObjectName("dim")
        for label in (self._about, self._problems):
            label.setWordWrap(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("filter counters")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(look.px(260))
        self.filter.textChanged.connect(lambda _: self._choose())
        export, close = QPushButton("Export …"), QPushButton("Back")
        export.setToolTip("As a table or as a picture (Ctrl+E)")
        close.setToolTip("Back to stepping (Esc)")
        export.clicked.connect(self.export_wanted)
        close.clicked.connect(self.closed)
        for button in (export, close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        for widget in (self.filter, export, close):
            top.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.addLayout(top)
        column.addWidget(self._about)
        column.addWidget(self._problems)
        column.addWidget(scroll, 1)

    def show_runs(self, title: str, about: str, runs: Sequence[Measured]) -> None:
        """Show these runs; the first is what the others are compared with."""
        self.runs = list(runs)
        self._heading.setText(title)
        self._about.setText(about)
        problems = [f"{run.title}: {run.problem}" for run in self.runs if run.problem]
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))
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
        painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), 0, chart.heading)
        painter.setFont(look.font())
        metrics = painter.fontMetrics()
        names = max(metrics.horizontalAdvance(b.title) for b in chart.bars) + 8
        names = min(names, round(inner.width() * 0.46))
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
            painter.fillRect(strip, theme.qcolor("active" if n else "idle"))
            painter.setFont(look.font("number"))
            painter.drawText(QRectF(strip.right() + 6, y, numbers, line), middle, bar.text)
            painter.setFont(look.font())
            painter.setPen(theme.qcolor("dim"))
            right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
            painter.drawText(QRectF(inner.right() - ends, y, ends, line), right, bar.difference)

    # ---- export

    @property
    def rows(self) -> list[Row]:
        """The runs as rows of an exported table."""
        return [run.row for run in self.runs if run.row is not None]

    def export_picture(self, path: Path) -> None:
        if not self._canvas.grab().save(str(path)):
            raise OSError(f"could not write {path}")
