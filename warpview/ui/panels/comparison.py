"""Compare variants of a kernel, devices or earlier runs: as bars, as a ladder, under the roofline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QTabBar,
    QVBoxLayout,
)

from warpview.profile.export import ExportRow
from warpview.run.roofline import Operations
from warpview.ui.drawing.controls import choice_box, push_button, text_field
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.plot import PlotArea
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.style import dim
from warpview.ui.drawing.theme import Look
from warpview.ui.panels import ladder_model, roofline_model
from warpview.ui.panels.bars import BarsArea, LadderArea
from warpview.ui.panels.comparison_model import ORDERS, RELEVANT, charts, fastest, left_out
from warpview.ui.panels.roofline import RooflineArea
from warpview.ui.session.backend import Measured

A = TypeVar("A", bound=PlotArea)

BARS, LADDER, ROOFLINE, INTEGERS = range(4)
MARGIN = 16
_TABS = (
    ("Bars", "Every counter that differs"),
    ("Ladder", "The time of each variant, and the speedup of each step"),
    ("Roofline", "Operations per second against operations per byte, below the limits of pipes, L2 and DRAM"),
    ("Integers", "The roofline of integer operations"),
)
_TIMES = ("Times", "The time of each kernel; these are not steps of one optimisation")


class ComparisonPage(Panel):
    """Show bars of every counter that differs; type to see others; export as a table or a picture."""

    closed = Signal()
    export_wanted = Signal()
    launch_wanted = Signal(int)  # number of the launch to compare at

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.runs: list[Measured] = []
        self._steps = 0
        self.launch = 0  # number of the one that is shown
        self._relative_to = ""  # what the bars are of and compared with
        self._order, self._floats = RELEVANT, False
        self._shown = QStackedLayout()
        self.bars = self._add(BarsArea(look))
        self._shown.currentChanged.connect(lambda _: self.setFocusProxy(self.area))
        self.setFocusProxy(self.area)
        self._heading, self._problems = QLabel(), QLabel()
        self.about = QLabel()  # what the tab in sight shows, and what its figures are relative to
        for label in (self.about, self._problems):
            dim(label)
        for label in (self._heading, self.about, self._problems):
            label.setWordWrap(True)
        self.tabs = _tab_bar()
        tip = "Part of a title, a group or a profiler's name (/)"
        self.filter = text_field("Filter counters", tip, "filter counters", clears=True)
        self.filter.textChanged.connect(lambda _: self._choose())
        self.filter.returnPressed.connect(self.setFocus)
        self.launches = choice_box("Launch to compare", "The launch at which all are compared (Ctrl+Alt+K)")
        self.launches.activated.connect(self._want_launch)
        self.sort_button = push_button("Sort", "", self.sort_next)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 10, MARGIN, 10)
        self._header = self._make_header()
        column.addLayout(self._header)
        column.addWidget(self.about)
        column.addWidget(self._problems)
        column.addLayout(self._shown, 1)
        self.tabs.currentChanged.connect(lambda _: self._choose())
        RestyledInSight(self, look, self._restyle)
        self._restyle()

    def _add(self, plots: A) -> A:
        scroll = _Scroll(plots)
        scroll.restyle()
        self._shown.addWidget(scroll)
        return plots

    @cached_property
    def ladder(self) -> LadderArea:
        """Return the tab of the ladder, made when it is first shown, as the roofline is."""
        return self._add(LadderArea(self._look))

    @cached_property
    def roofline(self) -> RooflineArea:
        return self._add(RooflineArea(self._look))

    def _make_header(self) -> QBoxLayout:
        """Lay the heading and the controls out in a row, or in two where there is no room for one."""
        how = "As a table (Ctrl+E) or as a picture (Ctrl+Shift+E)"
        export = push_button("Export …", how, self.export_wanted.emit)
        close = push_button("Back", "Back to stepping (Esc)", self.closed.emit)
        header, row = QBoxLayout(QBoxLayout.Direction.LeftToRight), QHBoxLayout()
        header.addWidget(self._heading, 1)
        # The filter and the button are for bars alone: the tabs, to their right, stay where they are without them.
        row.addStretch(1)
        self._controls = (self.filter, self.sort_button, self.tabs, self.launches, export, close)
        for widget in self._controls:
            row.addWidget(widget)
        header.addLayout(row)
        return header

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange_header()

    def _arrange_header(self) -> None:
        """Set the heading beside the controls where both have room for all their words, else above them."""
        widths = [min(control.sizeHint().width(), control.maximumWidth()) for control in self._controls]
        wanted = sum(widths) + self._header.spacing() * len(widths) + 2 * MARGIN
        roomy = wanted + self._heading.fontMetrics().horizontalAdvance(self._heading.text()) <= self.width()
        self._header.setDirection(QBoxLayout.Direction.LeftToRight if roomy else QBoxLayout.Direction.TopToBottom)

    @property
    def title(self) -> str:
        """Return the title of the comparison with its launch."""
        return ", ".join(words for words in (self._heading.text(), self.launches.currentText()) if words)

    def show_runs(self, title: str, about: str, runs: Sequence[Measured], steps: int | None = None) -> None:
        """Show these runs; the first is what the others are compared with, as ``about`` says. They are kernels of a
        family, of which the first ``steps`` are each a step from the one before; or None, where it is no kernels that
        are compared."""
        self.runs, self._steps = list(runs), steps or 0
        self.tabs.setTabVisible(LADDER, steps is not None)
        name, tip = _TABS[LADDER] if self._steps else _TIMES
        # Runs without floating-point operations have their integers in the one roofline.
        self._floats = roofline_model.has_floating(self.runs)
        self.tabs.setTabVisible(INTEGERS, self._floats)
        self.tabs.setTabText(LADDER, name)
        self.tabs.setTabToolTip(LADDER, f"{tip} (Ctrl+Shift+K)")
        self._heading.setText(title)
        self._relative_to = about
        self._problems.setText(left_out(self.runs))
        self._problems.setToolTip("\n".join(f"{run.title}: {run.problem}" for run in self.runs if run.problem))
        self._problems.setVisible(bool(self._problems.text()))
        self.offer_launches((), 0)
        self._choose()

    def offer_launches(self, words: Sequence[str], shown: int) -> None:
        """Offer the launches at which these runs can be compared, of which number ``shown`` is shown."""
        self.launches.clear()
        self.launches.addItems(words)
        self.launches.setCurrentIndex(shown)
        self.launches.setVisible(len(words) > 1)
        self.launch = shown
        self._arrange_header()

    def _want_launch(self, number: int) -> None:
        """Ask for another launch; the field says what is shown until its runs are there."""
        self.launches.setCurrentIndex(self.launch)
        if number != self.launch:
            self.launch_wanted.emit(number)

    def next_tab(self) -> None:
        """Show the next way to compare; after the last one the first."""
        after = [(self.tabs.currentIndex() + k) % self.tabs.count() for k in range(1, self.tabs.count() + 1)]
        self.tabs.setCurrentIndex(next(n for n in after if self.tabs.isTabVisible(n)))

    @property
    def order(self) -> str:
        """Return the order of the charts in words."""
        return ORDERS[self._order]

    def sort_next(self) -> str:
        """Show the charts in the next order, after the last one in the first; return its name."""
        self._order = (self._order + 1) % len(ORDERS)
        self._choose()
        return ORDERS[self._order]

    @property
    def plots(self) -> PlotArea:
        """Return the plots of the tab in sight."""
        shown = self.tabs.currentIndex()
        return self.bars if shown == BARS else self.ladder if shown == LADDER else self.roofline

    @property
    def area(self) -> _Scroll:
        """Return what scrolls in the tab in sight."""
        area = self._shown.currentWidget()
        assert isinstance(area, _Scroll)
        return area

    # ---- drawing

    def _restyle(self) -> None:
        self._heading.setFont(self._look.font("page"))
        self.filter.setMaximumWidth(self._look.px(180))
        self.filter.setMinimumWidth(self._look.px(60))
        self.launches.setMinimumWidth(self._look.px(110))
        for scroll in self.findChildren(_Scroll):
            scroll.restyle()

    def _choose(self) -> None:
        """Show the tab that is chosen, with the runs, the filter and the order in force."""
        shown = self.tabs.currentIndex()
        self.filter.setVisible(shown == BARS)
        self.tabs.updateGeometry()  # a tab that comes back is not given room by itself
        self.sort_button.setVisible(shown == BARS)
        self.sort_button.setToolTip(f"Now {self.order} (S)")
        self.about.setText(self._show_tab(shown))
        self._shown.setCurrentWidget(next(s for s in self.findChildren(_Scroll) if s.plots is self.plots))

    def _show_tab(self, shown: int) -> str:
        """Fill a tab; return what it shows in a sentence or two."""
        if shown == BARS:
            self.bars.show_charts(charts(self.runs, self.filter.text(), self._order))
            return f"{fastest(self.runs)} {self._relative_to}".strip()
        if shown == LADDER:
            self.ladder.show_rungs(ladder_model.ladder(self.runs, self._steps))
            key = ladder_model.key(self.ladder.rungs) if self._steps else f"{_TIMES[1]}."
            return f"{fastest(self.runs)} {key}".strip()
        reading = Operations.FLOATING if shown == ROOFLINE and self._floats else Operations.INTEGER
        points = roofline_model.points(self.runs, reading)
        self.roofline.show_points(points, reading, self._steps)
        return roofline_model.summary(points)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._look.page_size()

    # ---- export

    @property
    def rows(self) -> list[ExportRow]:
        """Return the runs as rows of an exported table."""
        return [run.row for run in self.runs if run.row is not None]

    def export_picture(self, path: Path) -> None:
        """Write the whole tab, the part that is scrolled out of sight as well, as .svg or as an image (.png)."""
        self.bars.finish()
        self.plots.export(path)


class _Scroll(QScrollArea):
    """Scroll by the arrows, which step through source lines elsewhere; all other keys do what they do there."""

    def __init__(self, plots: PlotArea) -> None:
        super().__init__()
        self.plots = plots
        self.setAccessibleName("Comparison")
        self.setWidget(plots)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def restyle(self) -> None:
        self.verticalScrollBar().setSingleStep(self.plots.look.px(40))
        self.plots.restyle()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
            if plain and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                event.accept()
                return True
        return super().event(event)


def _tab_bar() -> QTabBar:
    """Return the tabs of the ways to compare."""
    tabs = QTabBar()
    tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    tabs.setUsesScrollButtons(False)
    tabs.setExpanding(False)
    tabs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    tabs.setAccessibleName("How to compare")
    for number, (name, tip) in enumerate(_TABS):
        tabs.addTab(name)
        tabs.setTabToolTip(number, f"{tip} (Ctrl+Shift+K)")
    return tabs
