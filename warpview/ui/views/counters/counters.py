"""Show the counters so far and in total, filtered by typing, explained on hover, under the name one is used to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QShowEvent
from PySide6.QtWidgets import QHeaderView, QMenu

from warpview.profile.counters import Value
from warpview.ui.drawing.app_style import CELL_MARGIN
from warpview.ui.drawing.controls import choice_box, text_field
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.session.kept_runs import KeptRuns
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters.baseline_menu import BaselineMenu
from warpview.ui.views.counters.counters_list import CounterList
from warpview.ui.views.counters.counters_model import NAMES, before, broken, columns_that_fit, longest, number
from warpview.ui.views.counters.counters_table import EARLIER, FITTED, LAUNCH, NAME, SERIES, SO_FAR, SPARK, CounterModel
from warpview.ui.views.view import LegendEntry, View

SPARK_ROOM, WIDE_SPARK = 110, 420  # pixels at normal type: at least, and where there is room
LONG_NAME = 0.62  # share of the table's width from which on profilers' names take two lines,
TWO_LINES = 0.56  # and of the longest of them what half of it takes, to its next break
HEADING, HEADING_GAP = 60, 6  # pixels that the heading needs beside the filter and the choices, and between them
WIDEST = "99.9 %"  # what a share may become on the way


class CountersView(View):
    key = "counters"
    title = "Counters"
    about = "What a profiler would count, up to this step and in total. Click a row to colour the source by it."
    is_answer = True
    meanings = (
        LegendEntry("glow", "fill", "changed by this step"),
        LegendEntry("accent", "fill", "selected: the source is coloured by it"),
        LegendEntry("active", "fill", "how it grows over the run"),
        LegendEntry("conflict", "fill", "this step"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self.table = CounterModel(self.look, self)
        self._kept = KeptRuns()
        self.list = CounterList(self.look, self.table)
        header = self.list.horizontalHeader()
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.set_body(self.list)
        tip = "Part of a title, a group or a profiler's name (/)"
        self.filter = text_field("Filter counters", tip, "filter", clears=True)
        self.filter.setMaximumWidth(150)
        self.filter.setMinimumWidth(60)
        self.filter.textChanged.connect(self.table.set_words)
        self.filter.returnPressed.connect(self.filter.clearFocus)
        tip = "Names of the counters: warpview's, Nsight Compute's or the Visual Profiler's"
        self.names = choice_box("Names of the counters", tip)
        self.names.addItems(list(NAMES))
        self.names.currentIndexChanged.connect(self.table.set_names)
        self.names.currentIndexChanged.connect(lambda _: self._columns())
        self.baseline = BaselineMenu(lambda: self._kept, self.compare_with, self)
        for widget in (self.filter, self.baseline, self.names):
            self.add_header_widget(widget)
        self._last: tuple[int, Mapping[str, Value], Mapping[str, Value]] = (-2, {}, {})
        self._shown_counter: str | None = None
        self._scrolled: tuple[int, int] | None = None  # from and to which row a selected counter was brought to sight
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._offer_pin)
        self.table.samples.finished.connect(self.list.show_series)
        for reordered in (self.table.modelReset, self.table.layoutChanged):
            reordered.connect(self.list.show_series)
        self.list.verticalScrollBar().rangeChanged.connect(lambda *_: self._keep_in_sight())
        self.list.clicked.connect(lambda index: self._toggle(index.row()))
        self.list.series.row_clicked.connect(self._toggle)
        self.restyle()

    def compare_among(self, kept: KeptRuns) -> None:
        """Offer these runs to compare the one shown with."""
        self._kept = kept

    def prepare(self, run: RunLike) -> None:
        self._last = (-2, {}, {})
        self._shown_counter = self._scrolled = None  # the table begins at its top
        self.table.load(run, self._kept)
        self.list.series.show_run(run.trace.steps)
        self._columns()

    def clear(self) -> None:
        self.table.unload()

    def draw(self, context: FrameContext) -> None:
        table = self.table.source
        if table is None:
            return
        step, now, earlier = self._last
        if step != context.frame.step:
            earlier = now if step + 1 == context.frame.step else before(context, table)
            now = table.so_far(context.frame.counts)
            self._last = (context.frame.step, now, earlier)
        self.table.show(context, now, earlier, self.list.rows_across(self.list.viewport().rect()))
        self.list.series.show_step(context.frame.step, self.table.row_of(context.selection.counter))
        if self._shown_counter != context.selection.counter:
            self._shown_counter = context.selection.counter
            self._reveal(self._shown_counter)

    def _reveal(self, key: str | None) -> None:
        """Scroll to the counter that was selected, here or elsewhere; a filter that hides it goes. When none is
        selected any more the table returns to where it was, unless the user has scrolled it since."""
        bar = self.list.verticalScrollBar()
        if key is None and self._scrolled is not None:
            before, after = self._scrolled
            self._scrolled = None
            if bar.value() == after:
                bar.setValue(before)
        if all(row.counter.key != key for row in self.table.rows):
            return
        if self.table.row_of(key) is None:
            self.filter.clear()
        row = self.table.row_of(key)
        if row is not None:  # else it has no name of the kind that is shown
            before = bar.value() if self._scrolled is None else self._scrolled[0]
            self.list.scrollTo(self.table.index(row, NAME))
            self._scrolled = (before, bar.value())

    def _keep_in_sight(self) -> None:
        """Keep the selected counter in sight when there is less room for rows, unless the user has scrolled."""
        if self._scrolled is not None and self.list.verticalScrollBar().value() == self._scrolled[1]:
            self._reveal(self._shown_counter)

    # ---- columns

    def _columns(self) -> None:
        """Show the columns that there is room for beside the names, which are never cut."""
        table = self.table.source
        if table is None:
            return
        # The launch column repeats the traced one where the trace holds every block.
        without = {SERIES: not table.in_series, EARLIER: not table.has_earlier, LAUNCH: table.traced_all}
        self.table.brief = True
        widths = {column: self._width(column) for column in FITTED if not without.get(column)}
        # The table gets its own width after the view, and its scroll bar when the rows are there.
        whole = self.contentsRect().width() - self.list.verticalScrollBar().sizeHint().width()
        room = whole - self._name_room(whole, whole - widths[SO_FAR])
        shown = columns_that_fit(widths, room)
        self.table.brief = False
        wide, spare = self._width(EARLIER), room - sum(widths[column] for column in shown)
        if EARLIER in shown and wide - widths[EARLIER] <= spare:
            spare -= wide - widths[EARLIER]
            widths[EARLIER] = wide
        else:
            self.table.brief = True
        if SPARK in shown:
            widths[SPARK] += round(max(0, min(spare, self.look.px(WIDE_SPARK - SPARK_ROOM))))
        for column in FITTED:
            self.list.setColumnHidden(column, column not in shown)
            self.list.setColumnWidth(column, widths.get(column, 0))
        self.list.place_series()
        self._fit_rows(whole - sum(widths[column] for column in shown))

    def _name_room(self, whole: int, most: int) -> int:
        """Return the width that the names need of the ``whole``, at ``most`` all that there is beside the first column.
        Where the long ones of the profilers would push the columns out they get two lines."""
        names = (self.table.name(row) for row in self.table.rows)
        width = ceil(longest(names, QFontMetricsF(self.look.font()).horizontalAdvance))
        long = self.table.names and width > LONG_NAME * whole
        return min((round(TWO_LINES * width) if long else width) + 2 * CELL_MARGIN, most)

    def _fit_rows(self, room: int) -> None:
        """Make rows as high as the names need that have the most lines in ``room`` pixels."""
        metrics = QFontMetricsF(self.look.font())
        inner = room - 2 * CELL_MARGIN
        lines = (len(broken(self.table.name(row), inner, metrics.horizontalAdvance)) for row in self.table.rows)
        self.list.verticalHeader().setDefaultSectionSize(
            max(lines, default=1) * ceil(metrics.height()) + self.look.px(3)
        )

    def _width(self, column: int) -> int:
        """Return the width of a column, computed once a run: the values at the end are the longest."""
        if column == SPARK:
            return self.look.px(SPARK_ROOM)
        rows = self.table.rows
        texts = {
            SO_FAR: (number(r.end, r.counter.unit) for r in rows),
            EARLIER: (r.difference if self.table.brief else r.from_earlier for r in rows),
            SERIES: (number(r.series, r.counter.unit) for r in rows),
            LAUNCH: (number(r.launch, r.counter.unit) for r in rows),
        }.get(column, (number(r.launch if r.end is None else r.end, r.counter.unit) for r in rows))
        heading = str(self.table.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))
        head = longest([heading], self.list.horizontalHeader().fontMetrics().horizontalAdvance)
        now = column == SO_FAR
        font = self.look.font("number" if now else "text")
        body = longest((WIDEST, *texts) if now else texts, QFontMetricsF(font).horizontalAdvance)
        return ceil(max(head, body)) + 2 * CELL_MARGIN + 2

    def sort_next(self) -> str:
        """Sort by the next column that is shown, the largest first, and after the last as declared; says which."""
        header = self.list.horizontalHeader()
        shown = [column for column in FITTED if column != SPARK and not self.list.isColumnHidden(column)]
        at = header.sortIndicatorSection()
        after = [*shown, -1, shown[0]][shown.index(at) + 1 if at in shown else len(shown) + 1]
        # No column descending would be their own order backwards.
        self.list.sortByColumn(after, Qt.SortOrder.DescendingOrder if after >= 0 else Qt.SortOrder.AscendingOrder)
        self.list.scrollToTop()
        if after < 0:
            return "in default order"
        return f"by “{self.table.headerData(after, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)}”"

    # ---- the earlier run

    def compare_with(self, number_: int | None) -> None:
        """Choose another baseline: a kept run by its number, None for the run before."""
        self._kept.chosen = number_
        self.table.compare(self._kept)
        self._columns()
        self.refresh()

    # ---- selecting

    def select_next(self, forward: bool) -> str | None:
        """Select the next counter as the table shows them; its key, None where there is none."""
        keys = [row.counter.key for row in self.table.shown]
        if not keys:
            return None
        now = self.selection.now.counter
        at = keys.index(now) + (1 if forward else -1) if now in keys else 0 if forward else -1
        self.selection.update(counter=keys[at % len(keys)])
        return keys[at % len(keys)]

    def restyle(self) -> None:
        for widget in (self.list, self.list.horizontalHeader()):  # which would take over the font of the list later
            widget.setFont(self.look.font())
        self.list.series.restyle()
        self._columns()
        super().restyle()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._columns()  # of a run that came while the view was hidden, and had no width
        self.table.samples.resume()

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit_heading()
        self._columns()

    def _fit_heading(self) -> None:
        """Fit the heading; the names of the profilers are not offered where only a part of the choice could be read."""
        fixed = sum(tool.sizeHint().width() + HEADING_GAP for tool in (self.baseline, self.names))
        room = self.width() - self.filter.minimumWidth() - HEADING
        self.names.setVisible(fixed <= room)

    def _toggle(self, row: int) -> None:
        self.selection.toggle(counter=self.table.shown[row].counter.key)

    # ---- pinned rows

    @property
    def pins(self) -> tuple[str, ...]:
        """Return the keys of the counters that stay on top, to be remembered."""
        return self.table.pins

    def set_pins(self, keys: Sequence[str]) -> None:
        self.table.set_pins(keys)
        self._columns()

    def toggle_pin(self, key: str) -> None:
        self.set_pins([k for k in self.pins if k != key] if key in self.pins else [*self.pins, key])

    def _offer_pin(self, place: QPoint) -> None:
        index = self.list.indexAt(place)
        if not index.isValid():
            return
        row = self.table.shown[index.row()]
        key, menu = row.counter.key, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = "Unpin" if key in self.pins else "Pin at the top"
        menu.addAction(f"{words}: {row.counter.title}", lambda: self.toggle_pin(key))
        menu.popup(self.list.viewport().mapToGlobal(place))
