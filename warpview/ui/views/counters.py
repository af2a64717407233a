"""The counter table: so far and in total, filtered by typing, explained on hover, under the name one is used to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from warpview.profile.counters import BY_KEY, COUNTERS, Value
from warpview.ui.selection import Selection
from warpview.ui.theme import Look
from warpview.ui.views.cells import CellDelegate
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters_model import (
    NAMES,
    CounterTable,
    Row,
    before,
    changed,
    definition,
    matches,
    number,
    samples,
)
from warpview.ui.views.view import View

Index = QModelIndex | QPersistentModelIndex
NAME, SO_FAR, END, LAUNCH, SERIES, EARLIER, SPARK = range(7)
_HEADS = ("counter", "so far", "traced", "launch", "series", "before", "over the run")
_TIPS = (
    "Click a row to colour the source lines by that counter; T or the right button pins it on top",
    "Up to this step, on the traced multiprocessor",
    "At the end of the trace, on the traced multiprocessor",
    "Of the whole launch, every block",
    "Of all launches of the series together",
    "Of the run before, and how far this one is from it",
    "How it grows over the trace; the line is this step",
)
SORT = Qt.ItemDataRole.UserRole
PIN = "◆"  # before the name of a pinned counter
SAMPLES_AT_A_TIME = 4
NAME_ROOM, SPARK_ROOM = 170, 110  # pixels at normal type: columns that do not fit beside the names are left out


class CountersView(View):
    key = "counters"
    title = "Counters"
    about = "What a profiler would count, up to this step and in total. Click a row to colour the source by it."
    question = "How far will the counters go up?"

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(selection, look, parent)
        self.table = CounterModel(look, self)
        self._proxy = _Filter(self.table, self)
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
        self.list.setItemDelegate(CellDelegate(look, self.list))
        self.list.setItemDelegateForColumn(SPARK, _Spark(self.table, look, self.list))
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
        self.table.show(context, now, earlier)

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
        for column, there in wanted.items():
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
            texts = [r.from_earlier for r in rows]
        elif column == SERIES:
            texts = [number(r.series, r.counter.unit) for r in rows]
        else:
            texts = [number(r.end if r.launch is None else r.launch, r.counter.unit) for r in rows]
        return max(metrics.horizontalAdvance(t) for t in (_HEADS[column], "100.0 %", *texts)) + self.look.px(16)

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


class CounterModel(QAbstractTableModel):
    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.source: CounterTable | None = None
        self.rows: list[Row] = []
        self.now: dict[str, Value] = {}
        self.fresh: set[str] = set()
        self.names = 0
        self.pins: tuple[str, ...] = ()
        self.selected: str | None = None
        self.share = 0.0  # of the trace that has passed
        self.sparks: dict[str, list[float]] = {}
        self._run: RunLike | None = None
        self._todo: list[int] = []

    def load(self, run: RunLike, earlier: Mapping[str, Value]) -> None:
        self.beginResetModel()
        self._run, self.source = run, CounterTable(run, earlier)
        self.rows = self.source.ordered(self.pins)
        self.now, self.fresh, self.sparks = {}, set(), {c.key: [] for c in COUNTERS}
        self._todo = samples(run.trace.steps)
        self.endResetModel()

    def unload(self) -> None:
        self.beginResetModel()
        self._run, self.source, self.rows, self._todo = None, None, [], []
        self.endResetModel()

    def set_pins(self, keys: Sequence[str]) -> None:
        self.beginResetModel()
        self.pins = tuple(dict.fromkeys(key for key in keys if key in BY_KEY))
        self.rows = self.source.ordered(self.pins) if self.source is not None else []
        self.endResetModel()

    def sample(self, count: int) -> bool:
        """Add ``count`` samples; False when there are no more to add."""
        if self._run is None or self.source is None:
            return False
        for step in self._todo[:count]:
            values = self.source.so_far(self._run.trace.frame(step).counts)
            for key, line in self.sparks.items():
                line.append(float(values.get(key) or 0))
        self._todo = self._todo[count:]
        return bool(self._todo)

    def show(self, context: FrameContext, now: dict[str, Value], earlier: dict[str, Value]) -> None:
        fresh = changed(earlier, now) if earlier else set()
        different = changed(self.now, now) | (fresh ^ self.fresh)
        different |= {self.selected or "", context.selection.counter or ""}
        self.now, self.fresh, self.selected = now, fresh, context.selection.counter
        self.share = context.frame.step / max(1, context.trace.steps)
        # Only what looks different is drawn again.
        for number_, row in enumerate(self.rows):
            if row.counter.key in different:
                self.dataChanged.emit(self.index(number_, NAME), self.index(number_, LAUNCH))
        if self.rows:
            self.dataChanged.emit(self.index(0, SPARK), self.index(len(self.rows) - 1, SPARK))

    def set_names(self, which: int) -> None:
        self.names = which
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: N802
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return _HEADS[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                return _TIPS[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if section in (NAME, SPARK) else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        key, unit = row.counter.key, row.counter.unit
        if role in (Qt.ItemDataRole.DisplayRole, SORT):
            at_end = row.launch if row.end is None else row.end
            value = (None, self.now.get(key), at_end, row.launch, row.series, row.earlier, None)[column]
            if column in (NAME, SPARK):
                return self._title(row, role) if column == NAME else None
            if role == SORT:
                return -1.0 if value is None else float(value)
            if column == EARLIER:
                return row.from_earlier
            return "" if row.end is None and column == SO_FAR else number(value, unit)
        if role == Qt.ItemDataRole.ToolTipRole:
            return definition(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in (NAME, SPARK):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and column == SO_FAR:
            return self._look.font("number")
        return self._colours(key, column, role)

    def _title(self, row: Row, role: int) -> str:
        pinned = row.counter.key in self.pins and role == Qt.ItemDataRole.DisplayRole
        return f"{PIN} {row.name(self.names)}" if pinned else row.name(self.names)

    def _colours(self, key: str, column: int, role: int) -> Any:
        theme = self._look.theme
        if role == Qt.ItemDataRole.BackgroundRole:
            if key == self.selected:
                return theme.qcolor("accent", 0.22)
            if key in self.fresh and column in (NAME, SO_FAR):
                return theme.qcolor("glow")
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.qcolor("text" if column in (NAME, SO_FAR) else "dim")
        return None


class _Filter(QSortFilterProxyModel):
    def __init__(self, model: CounterModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""
        self._model = model
        self.setSourceModel(model)
        self.setSortRole(SORT)

    def set_words(self, words: str) -> None:
        self._words = words
        self.invalidate()

    def lessThan(self, left: Index, right: Index) -> bool:  # noqa: N802
        """Pinned rows stay on top whichever way one sorts."""
        first, second = (self._model.rows[i.row()].counter.key in self._model.pins for i in (left, right))
        if first != second:
            return first == (self.sortOrder() == Qt.SortOrder.AscendingOrder)
        return super().lessThan(left, right)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:  # noqa: N802
        chosen = self._model.rows[row]
        return bool(chosen.name(self._model.names)) and matches(chosen, self._words)


class _Spark(CellDelegate):
    """A counter over the run, in the width of a cell."""

    def __init__(self, model: CounterModel, look: Look, parent: QWidget) -> None:
        super().__init__(look, parent)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        return QSize(self._look.px(90), 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        proxy = index.model()
        assert isinstance(proxy, _Filter)
        row = self._model.rows[proxy.mapToSource(index).row()]
        line = self._model.sparks.get(row.counter.key, [])
        top = max(line, default=0.0)
        box: QRect = option.rect.adjusted(6, 3, -6, -3)
        if len(line) < 2 or top <= 0:
            return
        theme = self._look.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = box.width() / (len(line) - 1)
        points = [QPointF(box.left() + k * width, box.bottom() - box.height() * v / top) for k, v in enumerate(line)]
        painter.setPen(QPen(theme.qcolor("active"), 1.6))
        painter.drawPolyline(QPolygonF(points))
        x = box.left() + box.width() * self._model.share
        painter.setPen(QPen(theme.qcolor("conflict"), 1.2))
        painter.drawLine(QPointF(x, box.top() - 1), QPointF(x, box.bottom() + 1))
        painter.restore()
