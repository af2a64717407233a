"""The counter table: so far and in total, filtered by typing, explained on hover, under the name one is used to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QWidget,
)

from warpview.profile.counters import Value
from warpview.ui.selection import Selection
from warpview.ui.theme import Look
from warpview.ui.views.cells import Cell, CellDelegate
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters_model import (
    NAMES,
    before,
    number,
)
from warpview.ui.views.counters_table import (
    EARLIER,
    END,
    LAUNCH,
    NAME,
    SERIES,
    SO_FAR,
    SPARK,
    Changes,
    CounterFilter,
    CounterModel,
    Index,
)
from warpview.ui.views.sparkline import Sparkline
from warpview.ui.views.view import View

SAMPLES_AT_A_TIME = 4
NAME_ROOM, SPARK_ROOM = 170, 110  # pixels at normal type: columns that do not fit beside the names are left out


class CountersView(View):
    key = "counters"
    title = "Counters"
    about = "What a profiler would count, up to this step and in total. Click a row to colour the source by it."
    question = "How far will the counters go up?"

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(selection, look, parent)
        self.table = CounterModel(self.look, self)
        self._proxy = CounterFilter(self.table, self)
        self.list = QTableView()
        self.list.setModel(self._proxy)
        self.list.setAccessibleName(self.title)
        self.list.setSortingEnabled(True)
        self.list.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.list.setShowGrid(False)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setWordWrap(False)
        self.list.verticalHeader().hide()
        self.list.setItemDelegate(CellDelegate(self.look, self.list, self._cell))
        self.list.setItemDelegateForColumn(SPARK, Sparkline(self.look, self.list, self._cell, self._line))
        header = self.list.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.set_body(self.list)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter counters")
        self.filter.setMaximumWidth(150)
        self.filter.textChanged.connect(self._proxy.set_words)
        self.names = QComboBox()
        self.names.addItems(list(NAMES))
        self.names.setToolTip("Whose names the counters go by")
        self.names.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.names.currentIndexChanged.connect(self.table.set_names)
        self.names.currentIndexChanged.connect(lambda _: self._proxy.invalidate())
        self.add_header_widget(self.filter)
        self.add_header_widget(self.names)
        self._last: tuple[int, dict[str, Value], dict[str, Value]] = (-2, {}, {})
        self._earlier: dict[str, Value] = {}
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._offer_pin)
        self._idle = QTimer(self)
        self._idle.setInterval(5)
        self._idle.timeout.connect(self._sample)
        self.list.clicked.connect(self._on_click)
        self.restyle()

    def prepare(self, run: RunLike) -> None:
        self._last = (-2, {}, {})
        self.table.load(run, self._earlier)
        # The counters only: the run itself would keep its history in memory.
        self._earlier = dict(run.counters)
        self._idle.start()
        self._columns()

    def clear(self) -> None:
        self._idle.stop()
        self.table.unload()

    def draw(self, context: FrameContext) -> None:
        table = self.table.source
        if table is None:
            return
        step, now, earlier = self._last
        if step != context.frame.step:
            earlier = now if step == context.frame.step - 1 else before(context, table)
            now = table.so_far(context.frame.counts)
            self._last = (context.frame.step, now, earlier)
        self._draw_again(self.table.show(context, now, earlier))

    def _draw_again(self, changes: Changes) -> None:
        """Paint the cells in sight that look different; sort anew where it is by what has changed."""
        if self._proxy.sortColumn() == SO_FAR:
            self._proxy.invalidate()
        table, ground = self.list, self.list.viewport()
        first, last = max(0, table.rowAt(0)), table.rowAt(ground.height() - 1)
        changing = table.columnViewportPosition(SO_FAR) + table.columnWidth(SO_FAR)
        for shown in range(first, (self._proxy.rowCount() - 1 if last < 0 else last) + 1):
            key = self.table.rows[self._proxy.mapToSource(self._proxy.index(shown, NAME)).row()].counter.key
            if key in changes.values or key in changes.rows:
                width = ground.width() if key in changes.rows else changing
                ground.update(0, table.rowViewportPosition(shown), width, table.rowHeight(shown))
        if changes.sparks:
            x = table.columnViewportPosition(SPARK)
            ground.update(x, 0, ground.width() - x, ground.height())

    def _cell(self, index: Index) -> Cell:
        return self.table.cell(self._proxy.mapToSource(index))

    def _line(self, index: Index) -> tuple[list[float], float]:
        return self.table.line(self._proxy.mapToSource(index))

    def _sample(self) -> None:
        """A few samples of the sparklines at a time, so that nothing waits for them."""
        if not self.isVisible():
            return
        if not self.table.sample(SAMPLES_AT_A_TIME):
            self._idle.stop()
            self.list.viewport().update()

    def _columns(self) -> None:
        table = self.table.source
        if table is None:
            return
        wanted = {
            SO_FAR: True, END: True, SERIES: table.in_series, EARLIER: table.has_earlier,
            # The launch column repeats the traced one where the trace holds every block.
            LAUNCH: not table.traced_all, SPARK: True,
        }  # fmt: skip
        room = self.width() - self.look.px(NAME_ROOM)
        self.table.brief = False
        for column, there in wanted.items():
            width = self._width(column) if there else 0
            if column == EARLIER and width > room:
                self.table.brief = True
                width = self._width(column) if there else 0
            fits = there and (width <= room or column in (SO_FAR, END))
            room -= width if fits else 0
            self.list.setColumnHidden(column, not fits)
            self.list.setColumnWidth(column, width)

    def _width(self, column: int) -> int:
        """Set once a run and not measured at every step: the values at the end are the longest."""
        if column == SPARK:
            return self.look.px(SPARK_ROOM)
        metrics = QFontMetrics(self.look.font("number"))
        rows = self.table.rows
        if column == EARLIER:
            texts = [r.difference if self.table.brief else r.from_earlier for r in rows]
        elif column == SERIES:
            texts = [number(r.series, r.counter.unit) for r in rows]
        else:
            texts = [number(r.end if r.launch is None else r.launch, r.counter.unit) for r in rows]
        heading = str(self.table.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole))
        return max(metrics.horizontalAdvance(t) for t in (heading, "+100 %", *texts)) + self.look.px(16)

    def restyle(self) -> None:
        self.list.setFont(self.look.font())
        self.list.horizontalHeader().setFont(self.look.font("small"))
        self.list.verticalHeader().setDefaultSectionSize(self.list.fontMetrics().height() + self.look.px(3))
        self._columns()
        super().restyle()

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._columns()

    def _on_click(self, index: QModelIndex) -> None:
        row = self.table.rows[self._proxy.mapToSource(index).row()]
        self.selection.toggle(counter=row.counter.key)

    # ---- pinned rows

    @property
    def pins(self) -> tuple[str, ...]:
        """Keys of the counters that stay on top, to be remembered."""
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
        row = self.table.rows[self._proxy.mapToSource(index).row()]
        key, menu = row.counter.key, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = "Unpin" if key in self.pins else "Pin on top"
        menu.addAction(f"{words}: {row.counter.title}", lambda: self.toggle_pin(key))
        menu.popup(self.list.viewport().mapToGlobal(place))

    def texts(self) -> list[str]:
        values = self.table.now
        return [*super().texts(), *(f"{r.counter.title}: {number(values.get(r.counter.key))}" for r in self.table.rows)]
