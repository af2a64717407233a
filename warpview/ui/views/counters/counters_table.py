"""Give Qt the rows of the counter table: filtered, sorted, and with a value at every step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from warpview.profile.counters import BY_KEY, Value
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.session.kept_runs import KeptRun, KeptRuns
from warpview.ui.views.cells import CellModel, Index, TableCell
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters.counter_series import CounterSampler
from warpview.ui.views.counters.counters_model import CounterRow, CounterTable, arranged, definition, number

NAME, SO_FAR, END, LAUNCH, SERIES, EARLIER, SPARK = range(7)
HEADS = ("counter", "so far", "traced", "launch", "series", "before", "over the run")
FITTED = (SO_FAR, END, SERIES, EARLIER, LAUNCH, SPARK)  # in this order, as far as there is room beside the names
_TIPS = (
    "Click a row to colour the source lines by that counter; T or the right button pins it at the top",
    "Up to this step, on the traced multiprocessor",
    "At the end of the trace, on the traced multiprocessor",
    "For the whole launch, all blocks",
    "For all launches of the series together",
    "For an earlier run, and the difference of this run",
    "How it grows over the trace; the line marks this step; Ctrl+wheel zooms in, a double-click shows all",
)
PIN = "◆"  # before the name of a pinned counter


class CounterModel(CellModel):
    columns = len(HEADS)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.source: CounterTable | None = None
        self.rows: list[CounterRow] = []
        self.shown: list[CounterRow] = []  # those that the filter lets through, sorted
        self._words = ""  # that are filtered by
        self._by, self._descending = -1, False  # the column that is sorted by; -1: their own order
        self.now: Mapping[str, Value] = {}
        self._earlier: Mapping[str, Value] = {}  # one step before; empty at step 0
        self.names = 0
        self.pins: tuple[str, ...] = ()
        self.brief = False  # for want of room, only the difference from the earlier run
        self.against: KeptRun | None = None  # the earlier run
        self.heading = HEADS[EARLIER]  # what tells it from this one
        self.selected: str | None = None
        self.samples = CounterSampler(parent.isVisible, self)
        self._run: RunLike | None = None

    def load(self, run: RunLike, kept: KeptRuns) -> None:
        self.beginResetModel()
        self._run, self.source = run, CounterTable(run)
        self._compare(kept)
        self.now = self._earlier = {}
        self.samples.load(run, self.source)
        self.endResetModel()

    def unload(self) -> None:
        self.beginResetModel()
        self._run = self.source = None
        self.samples.load(None, None)
        self._order()
        self.endResetModel()

    def set_pins(self, keys: Sequence[str]) -> None:
        self.beginResetModel()
        self.pins = tuple(dict.fromkeys(key for key in keys if key in BY_KEY))
        self._order()
        self.endResetModel()

    def compare(self, kept: KeptRuns) -> None:
        """Make another run the baseline."""
        self.beginResetModel()
        self._compare(kept)
        self.endResetModel()

    def _compare(self, kept: KeptRuns) -> None:
        self.against = kept.baseline
        if self.against is not None:
            self.heading = f"vs {self.against.distinction_from(kept.now)}"
        if self.source is not None:
            self.source.compare(None if self.against is None else self.against.counters)
        self._order()

    def _order(self) -> None:
        self.rows = self.source.ordered(self.pins, self.selected) if self.source is not None else []
        self._arrange()

    def _arrange(self) -> None:
        self.shown = arranged(self.rows, self.names, self._words, self.pins, self._key if self._by >= 0 else None,
                              self._descending)  # fmt: skip

    def _key(self, row: CounterRow) -> Any:
        """Return the key by which a row is sorted."""
        if self._by == NAME:
            return row.name(self.names)
        value = self._value(row, self._by)
        return -1.0 if value is None else float(value)

    def set_words(self, words: str) -> None:
        """Show only the counters that these words are found in."""
        self.beginResetModel()
        self._words = words
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._by, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        self._arrange()
        self.layoutChanged.emit()

    def row_of(self, key: str | None) -> int | None:
        """Return the row that shows a counter."""
        return next((n for n, row in enumerate(self.shown) if row.counter.key == key), None)

    def show(self, context: FrameContext, now: Mapping[str, Value], earlier: Mapping[str, Value], seen: range) -> None:
        """Show another frame, whose counters are ``now`` and were ``earlier`` at the step before. Of the rows that are
        not ``seen`` nothing is computed until they are, unless they are sorted by it."""
        rows = range(len(self.shown)) if self._by == SO_FAR else seen
        before = self._looks(rows)
        self.now, self._earlier, self.selected = now, earlier, context.selection.counter
        looks = self._looks(rows)
        if self.selected in BY_KEY and all(row.counter.key != self.selected for row in self.rows):
            self.beginResetModel()
            self._order()
            self.endResetModel()
        elif self._by == SO_FAR and before != looks:
            self.sort(self._by, Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder)
        else:
            self._announce(rows, before, looks)

    def _looks(self, rows: range) -> list[tuple[bool, bool, Value]]:
        """Return of each row whether it is selected, whether this step changed it, and its value."""
        keys = [row.counter.key for row in self.shown[rows.start : rows.stop]]
        return [(key == self.selected, self.is_fresh(key), self.now.get(key)) for key in keys]

    def is_fresh(self, key: str) -> bool:
        """Return whether this step changed a counter."""
        return bool(self._earlier) and self.now.get(key) != self._earlier.get(key)

    def _announce(
        self, rows: range, before: list[tuple[bool, bool, Value]], looks: list[tuple[bool, bool, Value]]
    ) -> None:
        """Tell Qt which cells look different: the number, the name too where the background is another, all of a row
        that was or is selected."""
        for row, was, now in zip(rows, before, looks, strict=True):
            columns = (*FITTED, NAME) if was[0] != now[0] else (NAME, SO_FAR) if was[1] != now[1] else (SO_FAR,)
            for column in columns if was != now else ():
                self.dataChanged.emit(index := self.index(row, column), index)  # a range has all painted anew

    def set_names(self, which: int) -> None:
        self.beginResetModel()
        self.names = which
        self._arrange()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len(self.shown)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: N802
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                if section == LAUNCH and self._run is not None and self._run.sample < 1:
                    return f"≈ {HEADS[section]}"
                return self._baseline_heading if section == EARLIER else HEADS[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                named = f": {self.against.title}" if section == EARLIER and self.against is not None else ""
                return _TIPS[section] + named
            if role == Qt.ItemDataRole.InitialSortOrderRole:
                return Qt.SortOrder.AscendingOrder if section == NAME else Qt.SortOrder.DescendingOrder
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if section != NAME else Qt.AlignmentFlag.AlignLeft
                side = Qt.AlignmentFlag.AlignHCenter if section == SPARK else side
                return side | Qt.AlignmentFlag.AlignVCenter
        return None

    @property
    def _baseline_heading(self) -> str:
        """Return the heading for the earlier run: the words that tell it apart, or its number."""
        if self.against is None or not self.brief:
            return self.heading
        return f"vs run {self.against.number}"

    def cell(self, number_: int, column: int) -> TableCell:
        row = self.shown[number_]
        key, theme = row.counter.key, self.look.theme
        plain, selected = column in (NAME, SO_FAR), key == self.selected
        ground: QColor | None = None
        if selected:
            ground = theme.qcolor("accent", 0.22)
        elif plain and self.is_fresh(key):
            ground = theme.qcolor("glow")
        font: Role = "number" if column == SO_FAR else "title" if selected and column == NAME else "text"
        colour = theme.qcolor("text" if plain else "dim")
        return TableCell(self._words_of(row, column), colour, ground, font, column not in (NAME, SPARK))

    def hover(self, number_: int, column: int) -> str:
        row = self.shown[number_]
        if column == EARLIER and self.against is not None:
            return f"{self.against.title}: {row.from_earlier}\n{definition(row)}"
        return definition(row)

    def _value(self, row: CounterRow, column: int) -> Value:
        if column == SO_FAR:
            return self.now.get(row.counter.key)
        at_end = row.launch if row.end is None else row.end
        return (None, None, at_end, row.launch, row.series, row.share, None)[column]

    def _words_of(self, row: CounterRow, column: int) -> str:
        if column == NAME:
            return self.name(row)
        if column == EARLIER:
            return row.difference if self.brief else row.from_earlier
        if column == SPARK or (row.end is None and column == SO_FAR):
            return ""
        return number(self._value(row, column), row.counter.unit)

    def name(self, row: CounterRow) -> str:
        """Return the name as the table shows it, with the sign of a pinned counter."""
        name = row.name(self.names)
        return f"{PIN} {name}" if row.counter.key in self.pins else name
