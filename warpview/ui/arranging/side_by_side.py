"""Show two runs that are stepped together: the same views twice, and the counters of both below them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from warpview.run.code_comparison import CodeChange
from warpview.trace.caption import caption
from warpview.trace.frame import Mark
from warpview.ui.arranging import side_by_side_model as model
from warpview.ui.arranging.code_story import CodeStory
from warpview.ui.drawing.controls import PageStack, push_button, row_table, splitter, table_item
from warpview.ui.drawing.export import export_widget
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.style import bold
from warpview.ui.drawing.theme import Look
from warpview.ui.drawing.words import Words
from warpview.ui.moving.alignment import Alignment
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import STEP_VIEWS, FrameContext, RunLike, stage_view
from warpview.ui.views.counters.counters_model import CounterTable
from warpview.ui.views.diagram_views import LanesView
from warpview.ui.views.instructions.instructions import InstructionsView
from warpview.ui.views.view import View

INSTRUCTIONS = "instructions"  # the view of both sides while two codes of one kernel are compared
SHARED_FIELDS = ("block", "warp", "lane", "part")  # of the selection: what a click on the right side sets on the left
LANES_SHARE, STAGE_SHARE = 1, 3
LANES_HEIGHT = 116  # pixels at normal type, at least: the selected warp with its lanes
CAPTION_LINES = 2
# Heights of the page, in pixels at normal type: below the one lanes and sentences have no room, from the other on there
# are more counters.
LOW, TALL = 420, 640
FEW_ROWS, ROWS, MORE_ROWS = 1, 3, 7


class SideBySidePage(Panel):
    """Show the run of the window at the left and another at the right, at the corresponding step."""

    closed = Signal()
    said = Signal(str)  # its words, when they may be others

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__()
        self._look, self._selection = look, selection
        self._names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.second: RunLike | None = None  # the run at the right, while the page shows anything
        self._alignment: Alignment | None = None
        self._tables: tuple[CounterTable, CounterTable] | None = None
        self._keys: list[str] = []
        self._mirror = Selection(self)  # of the right run: the same warp and lane at another step
        self._mirroring = False
        self.shows_codes = False  # compares a kernel as written with the same kernel as NVIDIA compiles it
        self._mirror.changed.connect(self._on_mirror)
        self.sides = _Side(selection, look), _Side(self._mirror, look)
        self._heading, self.status = QLabel(), ""
        bold(self._heading)
        close = push_button("Back", "Back to one run (Esc)", self.closed.emit)
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        top.addWidget(close)
        self.story = CodeStory(look)
        self.story.line_wanted.connect(lambda line: selection.update(line=line))
        columns = splitter(Qt.Orientation.Horizontal, self.story, *self.sides)
        self.counters = _counter_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addLayout(top)
        column.addWidget(columns, 1)
        column.addWidget(self.counters)
        look.changed.connect(self._restyle)
        self._restyle()

    @property
    def scenes(self) -> list[Scene]:
        """Return the scenes in sight on both sides."""
        return [scene for side in self.sides for view in (side.lanes, side.stage) for scene in view.scenes]

    def show_runs(
        self, context: FrameContext, run: RunLike, names: tuple[tuple[str, ...], tuple[str, ...]],
        changes: Sequence[CodeChange] | None = None,
    ) -> None:  # fmt: skip
        """Show ``run`` beside that of ``context``; ``names`` are what the two runs are called, part by part.

        With ``changes`` the two are codes of one kernel: what the compiler did stands beside their instructions.
        """
        self.second, self._alignment = run, None
        self.shows_codes = changes is not None
        self.story.setVisible(self.shows_codes)
        self.story.show_changes(changes or ())
        self._restyle()
        self.set_names(*names)
        self.show_context(context)

    def set_names(self, first: tuple[str, ...], second: tuple[str, ...] | None = None) -> None:
        """Name the run at the left, and the one at the right where it is another."""
        self._names = first, self._names[1] if second is None else second
        shared, *own = model.titles(*self._names)
        self._heading.setText(shared)
        for side, name in zip(self.sides, own, strict=True):
            side.title.setText(name)

    def clear(self) -> None:
        """Release both runs."""
        self.second = self._alignment = self._tables = None
        for side in self.sides:
            side.set_run(None)

    def steps_marked(self, mark: Mark) -> NDArray[np.int64] | None:
        """Return the steps of the run at the left whose counterparts at the right carry a mark, ascending."""
        return self._alignment.steps_marked(mark) if self._alignment is not None else None

    def show_context(self, context: FrameContext) -> None:
        """Show a frame of the run at the left, and the right run at the corresponding step."""
        if self.second is None:
            return
        if self._alignment is None or self._alignment.first is not context.run:
            self._align(context.run, self.second)
        assert self._alignment is not None
        found = self._alignment.counterpart(context.frame.step)
        self._follow(context.selection, found.step)
        frame = self.second.trace.frame(found.step)
        other = FrameContext(self.second, frame, self._mirror.now, context.predicting)
        stage = INSTRUCTIONS if self.shows_codes else stage_view(context)
        self.story.select(context.selection.line)
        for side, shown in zip(self.sides, (context, other), strict=True):
            side.show_context(shown, stage if stage in (*STEP_VIEWS, INSTRUCTIONS) else "global")
        self.status = "" if context.predicting else model.status(context, found)
        self.said.emit(self.words)
        self._show_counters(context, other)

    @property
    def words(self) -> str:
        """Return how the two steps correspond; '' where both sides have no room for their own sentences."""
        return "" if self.sides[0].caption.isHidden() else self.status

    def _align(self, first: RunLike, second: RunLike) -> None:
        self._alignment = Alignment(first, second)
        self._tables = CounterTable(first), CounterTable(second)
        self._keys = model.keys_of(first, second)
        for side, run in zip(self.sides, (first, second), strict=True):
            side.set_run(run)

    def _follow(self, now: Snapshot, step: int) -> None:
        shared = (*SHARED_FIELDS, "line") if self.shows_codes else SHARED_FIELDS
        fields: dict[str, Any] = {name: getattr(now, name) for name in shared}
        self._mirroring = True
        self._mirror.update(**fields, step=step)
        self._mirroring = False

    def _on_mirror(self, old: Snapshot, new: Snapshot) -> None:
        """Select at the left what was clicked at the right."""
        if not self._mirroring:
            self._selection.update(**{name: getattr(new, name) for name in SHARED_FIELDS})

    def _show_counters(self, first: FrameContext, second: FrameContext) -> None:
        assert self._tables is not None
        left, right = (
            {} if context.predicting else table.so_far(context.frame.counts)
            for table, context in zip(self._tables, (first, second), strict=True)
        )
        rows = model.counter_rows(self._keys, first.run, second.run, left, right)
        self.counters.setRowCount(len(rows))
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                item = self.counters.item(r, c) or table_item("", c > 0)
                item.setText(text)
                item.setFont(self._look.font("number" if c else "text"))
                if self.counters.item(r, c) is None:
                    self.counters.setItem(r, c, item)

    def _restyle(self) -> None:
        self.story.restyle()
        height = self._look.px(22)
        low, tall = self.height() < self._look.px(LOW), self.height() >= self._look.px(TALL)
        rows = MORE_ROWS if tall else FEW_ROWS if low else ROWS
        for side in self.sides:
            side.lanes.setVisible(not self.shows_codes and not low)
            side.caption.setVisible(not low)
        self.counters.verticalHeader().setDefaultSectionSize(height)
        self.counters.setFixedHeight(height * rows + self.counters.horizontalHeader().sizeHint().height() + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._restyle()
        if self.isVisible():
            self.said.emit(self.words)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self._look.page_size()

    def export_picture(self, path: Path) -> None:
        """Write the page as .svg or as an image. Raises ``OSError`` where the file cannot be written."""
        for side in self.sides:
            side.flush()
        export_widget(self, path, self._look.theme.qcolor("panel"), self._heading.text())


class _Side(QWidget):
    """Hold one run: its name and source line, the lanes, the view that the step concerns, and what the step did."""

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__()
        self._look, self._selection = look, selection
        self.title, self.source_line = QLabel(), Words(int(Qt.AlignmentFlag.AlignLeft))
        bold(self.title)
        self.caption = Words(int(Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap))
        for words in (self.source_line, self.caption):
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.lanes = LanesView(selection, look)
        self._stage = PageStack()
        self._views: dict[str, View] = {}
        self._run: RunLike | None = None
        parts = splitter(Qt.Orientation.Vertical, self.lanes, self._stage)
        parts.setStretchFactor(0, LANES_SHARE)
        parts.setStretchFactor(1, STAGE_SHARE)
        top = QHBoxLayout()
        top.addWidget(self.title)
        top.addWidget(self.source_line, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(top)
        column.addWidget(parts, 1)
        column.addWidget(self.caption)
        self.lanes.set_alone()
        look.changed.connect(self._restyle)
        self._restyle()

    @property
    def stage(self) -> View:
        """Return the view that the step concerns."""
        view = self._stage.currentWidget()
        assert isinstance(view, View)
        return view

    def set_run(self, run: RunLike | None) -> None:
        """Prepare the views for another run, or release it."""
        self._run = run
        for view in (self.lanes, *self._views.values()):
            view.reset(run)

    def show_context(self, context: FrameContext, stage: str) -> None:
        """Show a frame, on the stage in the view of this key."""
        view = self._view(stage)
        self._stage.setCurrentWidget(view)
        self.source_line.show_words(model.source_line(context, selected=stage == INSTRUCTIONS))
        hidden = context.predicting
        said = "" if hidden else caption(context.frame, context.program, context.device)
        self.caption.show_words(said.replace("`", ""))
        for shown in (self.lanes, view):
            shown.take(context)
            shown.flush_if_due()

    def flush(self) -> None:
        """Draw what is waiting to be drawn."""
        self.lanes.flush()
        self.stage.flush()

    def _view(self, key: str) -> View:
        """Return the view of this key, made when it is first needed."""
        if key not in self._views:
            kind = next(kind for kind in VIEWS if kind.key == key)
            view = self._views[key] = kind(self._selection, self._look)
            if isinstance(view, InstructionsView):
                view.whole.setChecked(True)  # two codes are compared whole; the line's instructions are marked
            view.set_alone()
            view.reset(self._run)
            self._stage.addWidget(view)
        return self._views[key]

    def _restyle(self) -> None:
        self.source_line.setFont(self._look.font("mono_small"))
        self.lanes.setMinimumHeight(self._look.px(LANES_HEIGHT))
        self.caption.setFont(self._look.font("text"))
        self.caption.setFixedHeight(CAPTION_LINES * self.caption.fontMetrics().lineSpacing())
        self.source_line.setFixedHeight(self.source_line.fontMetrics().lineSpacing() + 2)


def _counter_table() -> QTableWidget:
    table = row_table("Counters of both runs", len(model.HEADER))
    for column, words in enumerate(model.HEADER):
        table.setHorizontalHeaderItem(column, table_item(words, column > 0))
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys go on stepping
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    table.setBackgroundRole(QPalette.ColorRole.Base)
    return table
