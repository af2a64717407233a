"""The rows of the counter table as Qt wants them: the model, the filter that sorts it, and the sparklines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtWidgets import QWidget

from warpview.profile.counters import BY_KEY, COUNTERS, Value
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.session.kept_runs import KeptRun, KeptRuns
from warpview.ui.views.cells import Cell
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters_model import CounterTable, Row, changed, definition, matches, number, samples

Index = QModelIndex | QPersistentModelIndex
NAME, SO_FAR, END, LAUNCH, SERIES, EARLIER, SPARK = range(7)
HEADS = ("counter", "so far", "traced", "launch", "series", "before", "over the run")
FITTED = (SO_FAR, END, SERIES, EARLIER, LAUNCH, SPARK)  # in this order, as far as there is room beside the names
_TIPS = (
    "Click a row to colour the source lines by that counter; T or the right button pins it on top",
    "Up to this step, on the traced multiprocessor",
    "At the end of the trace, on the traced multiprocessor",
    "Of the whole launch, every block",
    "Of all launches of the series together",
    "Of an earlier run, and how far this one is from it",
    "How it grows over the trace; the line is this step",
)
SORT, _GROUND, _COLOUR = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.ForegroundRole
PIN = "◆"  # before the name of a pinned counter
SPARK_PLACES = 200  # that the line in a sparkline can stand at


class Changes(NamedTuple):
    """What another frame changes: the counters whose value looks different, those whose whole row does, and whether
    the line in the sparklines has moved."""

    values: set[str]
    rows: set[str | None]
    sparks: bool


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
        self.brief = False  # for want of room, only the difference from the earlier run
        self.against: KeptRun | None = None  # the earlier run
        self.heading = HEADS[EARLIER]  # what tells it from this one
        self.selected: str | None = None
        self.share = 0.0  # of the trace that has passed
        self.sparks: dict[str, list[float]] = {}
        self._run: RunLike | None = None
        self._todo: list[int] = []

    def load(self, run: RunLike, kept: KeptRuns) -> None:
        self.beginResetModel()
        self._run, self.source = run, CounterTable(run)
        self._compare(kept)
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
        self._order()
        self.endResetModel()

    def compare(self, kept: KeptRuns) -> None:
        """Another run is the yardstick."""
        self.beginResetModel()
        self._compare(kept)
        self.endResetModel()

    def _compare(self, kept: KeptRuns) -> None:
        self.against = kept.yardstick
        if self.against is not None:
            self.heading = f"vs {self.against.apart(kept.now)}"
        if self.source is not None:
            self.source.compare(None if self.against is None else self.against.counters)
        self._order()

    def _order(self) -> None:
        self.rows = self.source.ordered(self.pins, self.selected) if self.source is not None else []

    def row_of(self, key: str | None) -> int | None:
        return next((n for n, row in enumerate(self.rows) if row.counter.key == key), None)

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

    def show(self, context: FrameContext, now: dict[str, Value], earlier: dict[str, Value]) -> Changes:
        """Another frame. Whoever shows the table draws what looks different again: that is faster than signals, which
        the filter takes row by row."""
        fresh = changed(earlier, now) if earlier else set()
        values = changed(self.now, now) | (fresh ^ self.fresh)
        rows = {self.selected, context.selection.counter} if self.selected != context.selection.counter else set()
        self.now, self.fresh, self.selected = now, fresh, context.selection.counter
        if self.selected in BY_KEY and self.row_of(self.selected) is None:
            self.beginResetModel()
            self._order()
            self.endResetModel()
        place, self.share = round(SPARK_PLACES * self.share), context.frame.step / max(1, context.trace.steps)
        return Changes(values, rows, place != round(SPARK_PLACES * self.share))

    def set_names(self, which: int) -> None:
        self.names = which
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: N802
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._against if section == EARLIER else HEADS[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                named = f": {self.against.title}" if section == EARLIER and self.against is not None else ""
                return _TIPS[section] + named
            if role == Qt.ItemDataRole.InitialSortOrderRole:
                return Qt.SortOrder.AscendingOrder if section == NAME else Qt.SortOrder.DescendingOrder
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignLeft if section in (NAME, SPARK) else Qt.AlignmentFlag.AlignRight
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    @property
    def _against(self) -> str:
        """What the column of the earlier run is called: by what tells it apart, or by its number."""
        if self.against is None or not self.brief:
            return self.heading
        return f"vs run {self.against.number}"

    def cell(self, index: Index) -> Cell:
        """What ``data`` says by role, at once."""
        column, row = index.column(), self.rows[index.row()]
        ground, colour = (self._colours(row.counter.key, column, role) for role in (_GROUND, _COLOUR))
        font: Role = "number" if column == SO_FAR else "text"
        return Cell(self._words(row, column), ground, colour, font, column not in (NAME, SPARK))

    def line(self, index: Index) -> tuple[list[float], float]:
        """A counter over the run, and how much of the trace has passed."""
        return self.sparks.get(self.rows[index.row()].counter.key, []), self.share

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, column)
        if role == SORT:
            value = self._value(row, column)
            return row.name(self.names) if column == NAME else -1.0 if value is None else float(value)
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == EARLIER and self.against is not None:
                return f"{self.against.title}: {row.from_earlier}\n{definition(row)}"
            return definition(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and column not in (NAME, SPARK):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and column == SO_FAR:
            return self._look.font("number")
        return self._colours(row.counter.key, column, role)

    def _value(self, row: Row, column: int) -> Value:
        if column == SO_FAR:
            return self.now.get(row.counter.key)
        at_end = row.launch if row.end is None else row.end
        return (None, None, at_end, row.launch, row.series, row.share, None)[column]

    def _words(self, row: Row, column: int) -> str:
        if column == NAME:
            return self.name(row)
        if column == EARLIER:
            return row.difference if self.brief else row.from_earlier
        if column == SPARK or (row.end is None and column == SO_FAR):
            return ""
        return number(self._value(row, column), row.counter.unit)

    def name(self, row: Row) -> str:
        """As the table shows it, with the sign of a pinned one."""
        name = row.name(self.names)
        return f"{PIN} {name}" if row.counter.key in self.pins else name

    def _colours(self, key: str, column: int, role: int) -> Any:
        theme = self._look.theme
        if role == _GROUND:
            if key == self.selected:
                return theme.qcolor("accent", 0.22)
            if key in self.fresh and column in (NAME, SO_FAR):
                return theme.qcolor("glow")
        if role == _COLOUR:
            return theme.qcolor("text" if column in (NAME, SO_FAR) else "dim")
        return None


class CounterFilter(QSortFilterProxyModel):
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
