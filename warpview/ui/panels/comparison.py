"""The comparison page: variants of a kernel, devices or earlier runs: as bars, as a ladder, under the roofline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPalette, QResizeEvent
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
from warpview.ui.drawing import palette
from warpview.ui.drawing.faces import measure
from warpview.ui.drawing.painting import paint
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.style import dim
from warpview.ui.drawing.theme import Look
from warpview.ui.export.svg import to_svg
from warpview.ui.panels import bars_model, ladder_model, roofline_model
from warpview.ui.panels.comparison_model import ORDERS, TELLING, Chart, charts, left_out
from warpview.ui.session.backend import Measured
from warpview.ui.views.canvas import Canvas, Spot

BARS, LADDER, ROOFLINE = range(3)
_TABS = (
    ("Bars", "Every counter that differs"),
    ("Ladder", "The time of each variant, and what each step has gained"),
    ("Roofline", "Instructions a second against instructions a byte, below what the device can do"),
)
_TIMES = ("Times", "The time of each kernel; they are not steps of one optimisation")
EXPORTED_SCALE = 2.0  # pixels of an exported picture for one on the screen


class ComparisonPage(Panel):
    """Bars of every counter that differs; type to see others; export as a table or a picture."""

    closed = Signal()
    export_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.runs: list[Measured] = []
        self._steps = 0
        self.charts: list[Chart] = []
        self._order = TELLING
        self.picture: Picture | None = None  # what is in sight, as it was drawn last
        self._canvas = Canvas(self._paint)
        self.area = _Scroll()
        self.area.setAccessibleName("Comparison")
        self.area.setWidget(self._canvas)
        self.setFocusProxy(self.area)
        self.area.verticalScrollBar().valueChanged.connect(lambda _: self._forget())
        self._heading, self._about, self._problems = QLabel(), QLabel(), QLabel()
        for label in (self._about, self._problems):
            dim(label)
        for label in (self._heading, self._about, self._problems):
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
        self.filter.setAccessibleName("Filter counters")
        self.filter.setToolTip("Words of a title, a group or a profiler's name (/)")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _: self._choose())
        self.filter.returnPressed.connect(self.setFocus)
        self._sort = QPushButton("Sort")
        self._sort.clicked.connect(self.sort_next)
        export, close = QPushButton("Export …"), QPushButton("Back")
        export.setToolTip("As a table (Ctrl+E) or as a picture (Ctrl+Shift+E)")
        close.setToolTip("Back to stepping (Esc)")
        export.clicked.connect(self.export_wanted)
        close.clicked.connect(self.closed)
        for button in (self._sort, export, close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        for widget in (self.tabs, self.filter, self._sort, export, close):
            top.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.addLayout(top)
        column.addWidget(self._about)
        column.addWidget(self._problems)
        column.addWidget(self.area, 1)
        self.tabs.currentChanged.connect(lambda _: self._choose())
        look.changed.connect(self._restyle)
        self._restyle()

    @property
    def title(self) -> str:
        """What is compared."""
        return self._heading.text()

    def show_runs(self, title: str, about: str, runs: Sequence[Measured], steps: int | None = None) -> None:
        """Show these runs; the first is what the others are compared with. They are kernels of a family, of which the
        first ``steps`` are each a step from the one before; or None, where it is no kernels that are compared."""
        self.runs, self._steps = list(runs), steps or 0
        self.tabs.setTabVisible(LADDER, steps is not None)
        name, tip = _TABS[LADDER] if self._steps else _TIMES
        self.tabs.setTabText(LADDER, name)
        self.tabs.setTabToolTip(LADDER, f"{tip} (Ctrl+Shift+K)")
        self._heading.setText(title)
        self._about.setText(about)
        self._problems.setText(left_out(self.runs))
        self._problems.setToolTip("\n".join(f"{run.title}: {run.problem}" for run in self.runs if run.problem))
        self._problems.setVisible(bool(self._problems.text()))
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

    # ---- drawing

    def _restyle(self) -> None:
        self._heading.setFont(self._look.font("page"))
        self.filter.setMaximumWidth(self._look.px(180))
        self.area.verticalScrollBar().setSingleStep(self._look.px(40))
        self._choose()

    def _choose(self) -> None:
        """The runs, the tab, the filter, the order or the size changed."""
        self.charts = charts(self.runs, self.filter.text(), self._order)
        bars = self.tabs.currentIndex() == BARS
        self.filter.setVisible(bars)
        self.tabs.updateGeometry()  # a tab that comes back is not given room by itself
        self._sort.setVisible(bars)
        self._sort.setToolTip(f"Now {ORDERS[self._order]} (S)")
        self._canvas.setMinimumHeight(round(self._least_height()))
        self._forget()

    def _forget(self) -> None:
        """Draw anew when next painted."""
        self.picture = None
        self._canvas.update()

    def _least_height(self) -> float:
        shown, unit = self.tabs.currentIndex(), self._look.unit()
        if shown == BARS:
            return bars_model.height(self.charts, self._box(self.area.viewport().size()).w, unit, measure)
        if shown == LADDER:
            return ladder_model.height(ladder_model.ladder(self.runs, self._steps), unit)
        return roofline_model.height(roofline_model.points(self.runs), unit)

    def _box(self, size: QSize) -> Box:
        return Box(0.0, 0.0, size.width(), size.height()).inset(0.3 * self._look.unit())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._choose()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._look.px(1200), self._look.px(680))

    def _draw(self, seen: Box | None = None) -> Picture:
        """The tab as a picture, or what of it lies in ``seen``."""
        size = self._canvas.size()
        picture = Picture(size.width(), size.height(), self._look.unit(), measure)
        shown, box = self.tabs.currentIndex(), self._box(size)
        if shown == BARS:
            bars_model.draw(picture, box, self.charts, seen)
        elif shown == LADDER:
            ladder_model.draw(picture, box, ladder_model.ladder(self.runs, self._steps))
        else:
            roofline_model.draw(picture, box, roofline_model.points(self.runs))
        return picture

    def _shown(self) -> Picture:
        """The picture of what is in sight, drawn when it is asked for."""
        size, view = self._canvas.size(), self.area.viewport()
        if self.picture is None or (self.picture.width, self.picture.height) != (size.width(), size.height()):
            top = self.area.verticalScrollBar().value()
            self.picture = self._draw(Box(0.0, top, view.width(), view.height()))
            self._canvas.setAccessibleDescription(self.picture.spoken)
        return self.picture

    def _paint(self, painter: QPainter, area: QRectF) -> None:
        picture = self._shown()
        self._paint_picture(painter, picture)
        self._canvas.spots += [Spot(QRectF(*hot.box), hot.hover) for hot in picture.hit_regions]

    def _paint_picture(self, painter: QPainter, picture: Picture) -> None:
        theme = self._look.theme
        painter.fillRect(QRectF(0, 0, picture.width, picture.height), theme.qcolor("window"))
        paint(painter, picture, partial(palette.colour, theme))

    # ---- export

    @property
    def rows(self) -> list[Row]:
        """The runs as rows of an exported table."""
        return [run.row for run in self.runs if run.row is not None]

    def export_picture(self, path: Path) -> None:
        """The whole tab, what is scrolled away as well, as .svg or anything QImage writes (.png)."""
        picture, theme = self._draw(), self._look.theme
        if path.suffix.lower() == ".svg":
            path.write_text(to_svg(picture, lambda token: palette.colour(theme, token).name()), encoding="utf-8")
            return
        image = QImage(self._canvas.size() * EXPORTED_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(EXPORTED_SCALE)
        painter = QPainter(image)
        self._paint_picture(painter, picture)
        painter.end()
        if not image.save(str(path)):
            raise OSError(f"could not write {path}")


class _Scroll(QScrollArea):
    """Scrolls by the arrows, which step through source lines elsewhere; all other keys do what they do there."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
            if plain and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                event.accept()
                return True
        return super().event(event)
