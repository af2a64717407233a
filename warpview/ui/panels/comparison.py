"""The comparison page: variants of a kernel, or devices, side by side: as bars, as a ladder, under the roofline."""

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
    QSizePolicy,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from warpview.profile.export import Row
from warpview.ui import palette
from warpview.ui.backend import Measured
from warpview.ui.painting import measure, paint
from warpview.ui.panels import ladder_model, roofline_model
from warpview.ui.panels.comparison_model import ORDERS, TELLING, Chart, charts
from warpview.ui.picture import Box, Picture
from warpview.ui.theme import Look
from warpview.ui.views.canvas import Canvas, Spot

BARS, LADDER, ROOFLINE = range(3)
_TABS = (
    ("Bars", "Every counter that differs"),
    ("Ladder", "The time of each variant, and what each step has gained"),
    ("Roofline", "Instructions a second against instructions a byte, below what the device can do"),
)


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
        self._order = TELLING
        self.picture: Picture | None = None  # the ladder or the roofline, when one of them is shown
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
        self.tabs = QTabBar()
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setExpanding(False)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.tabs.setAccessibleName("How to compare")
        for n, (name, tip) in enumerate(_TABS):
            self.tabs.addTab(name)
            self.tabs.setTabToolTip(n, f"{tip} (Ctrl+Shift+K)")
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
        top.addWidget(self.tabs)
        for widget in (self.filter, export, close):
            top.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.addLayout(top)
        column.addWidget(self._about)
        column.addWidget(self._problems)
        column.addWidget(scroll, 1)
        self.tabs.currentChanged.connect(lambda _: self._choose())

    def show_runs(self, title: str, about: str, runs: Sequence[Measured], ladder: bool = False) -> None:
        """Show these runs; the first is what the others are compared with. ``ladder``: each is a step from the one
        before."""
        self.runs = list(runs)
        self.tabs.setTabVisible(LADDER, ladder)
        self._heading.setText(title)
        self._about.setText(about)
        problems = [f"{run.title}: {run.problem}" for run in self.runs if run.problem]
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))
        self._choose()

    def next_tab(self) -> None:
        """The next way to compare, round and round."""
        after = [(self.tabs.currentIndex() + k) % self.tabs.count() for k in range(1, self.tabs.count() + 1)]
        self.tabs.setCurrentIndex(next(n for n in after if self.tabs.isTabVisible(n)))

    def sort_next(self) -> str:
        """Show the charts in the next order, round and round; says which."""
        self._order = (self._order + 1) % len(ORDERS)
        self._choose()
        return ORDERS[self._order]

    def _choose(self) -> None:
        self.charts = charts(self.runs, self.filter.text(), self._order)
        shown = self.tabs.currentIndex()
        self.filter.setVisible(shown == BARS)
        least = self._rows() * self._chart_height() + 10
        if shown == LADDER:
            least = ladder_model.height(ladder_model.ladder(self.runs), self._unit())
        elif shown == ROOFLINE:
            least = 20 * self._unit()
        self._canvas.setMinimumHeight(round(least))
        self._canvas.update()

    def _unit(self) -> float:
        """The base type size in pixels."""
        return float(self._look.font("text").pointSizeF() * self.logicalDpiY() / 72.0)

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
        self.picture = None
        if self.tabs.currentIndex() != BARS:
            self._paint_picture(painter, area)
            return
        if not self.charts:
            painter.setPen(theme.qcolor("dim"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "No counter differs.")
        columns, height = self._columns(), self._chart_height()
        width = area.width() / columns
        for n, chart in enumerate(self.charts):
            box = QRectF((n % columns) * width, (n // columns) * height, width, height).adjusted(4, 4, -4, -4)
            self._paint_chart(painter, chart, box)

    def _paint_picture(self, painter: QPainter, area: QRectF) -> None:
        picture = self.picture = Picture(area.width(), area.height(), self._unit(), measure)
        box = Box(0.0, 0.0, area.width(), area.height()).inset(0.6 * picture.unit)
        if self.tabs.currentIndex() == LADDER:
            ladder_model.draw(picture, box, ladder_model.ladder(self.runs))
        else:
            roofline_model.draw(picture, box, roofline_model.points(self.runs))
        paint(painter, picture, lambda token: palette.colour(self._look.theme, token))
        self._canvas.spots += [Spot(QRectF(*hot.box), hot.hover) for hot in picture.hots]
        self._canvas.setAccessibleDescription(picture.spoken)

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
