"""Arrange the views in splitters, in tabs and on a stage that follows the step; or show one view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from warpview.trace.frame import Frame
from warpview.ui.arranging.arrangement import (
    STACKED,
    LayoutNode,
    Side,
    keys,
    placed,
    read_trees,
    shown_again,
    swapped,
    without,
)
from warpview.ui.arranging.default_layouts import ARRANGEMENTS
from warpview.ui.arranging.dragging import ViewDrag
from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.drawing.controls import splitter
from warpview.ui.drawing.theme import Look
from warpview.ui.views.context import FrameContext, RunLike, concerns, stage_view
from warpview.ui.views.view import View


class _Shown(msgspec.Struct):
    everything: bool = False  # beside the arrangements, in what is saved


class Workspace(QWidget):
    """Show one arrangement at a time. ``zoomed`` is the view that fills the workspace, if one does."""

    zoom_changed = Signal()
    rearranged = Signal()  # the user has moved, hidden or shown a view
    everything_changed = Signal()

    def __init__(self, views: Sequence[View], look: Look) -> None:
        super().__init__()
        self._look = look
        self.views: Mapping[str, View] = {view.key: view for view in views}
        for view in views:
            view.setParent(self)  # until it has a place: a view without a parent would outlive the window
        self._pointed: View | None = None
        self._fronts: dict[type, list[QWidget | None]] = {}  # what the stage and rows of tabs show, or showed last
        self._raised_for: Frame | None = None  # the frame whose picture came to the front last
        self.zoomed: View | None = None
        self.arrangement = ""
        self._changed: dict[str, LayoutNode] = {}  # arrangements that the user has changed
        # Views that have no place just now, though the arrangement has one for them, and why.
        self._empty: set[str] = set()
        self._away: set[str] = set()
        self._guest: QWidget | None = None  # what stands below the first column and is no view
        self.everything = False  # whether all views are shown at once
        self.follows = True  # whether the stage shows what each step concerns, or what the user chose
        self.splitters: list[QSplitter] = []
        self.tab_rows: list[QTabWidget | StageTabs] = []
        self._root: QWidget | None = None
        self._drag = ViewDrag(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for view in views:
            self._drag.watch(view.heading)
            view.pointed.connect(self._on_pointed)
            view.open_requested.connect(partial(self.raise_view, keep=True))

    # ---- arrangements

    @property
    def tree(self) -> LayoutNode:
        """Return the present arrangement; empty before the first."""
        return self._changed.get(self.arrangement, self._first)

    @property
    def _first(self) -> LayoutNode:
        """Return the present arrangement as it is at first, of the views that there are."""
        first = ARRANGEMENTS.get(self.arrangement, LayoutNode("v", ()))
        return without(first, set(keys(first)) - set(self.views))

    def arrange(self, name: str) -> bool:
        """Show the arrangement ``name``, a zoomed view staying before it; False if it is shown already."""
        if name == self.arrangement:
            return False
        self.arrangement = name
        self._update_away()
        if self.zoomed is None:
            self._show(self.tree)
        return True

    def zoom(self, view: View | None) -> None:
        """Let one view fill the workspace; None puts all back."""
        if view is self.zoomed:
            return
        self.zoomed = view
        self._show(self.tree if view is None else LayoutNode("v", (view.key,)))
        self.zoom_changed.emit()
        for each in self.views.values():
            each.set_filling(each is view)

    def reset(self) -> None:
        """Restore the first form of the present arrangement."""
        self._changed.pop(self.arrangement, None)
        self._rebuild()

    def change(self, tree: LayoutNode) -> None:
        """Show the present arrangement as ``tree`` from now on."""
        self._changed[self.arrangement] = tree
        self._rebuild()

    def _rebuild(self) -> None:
        if self.zoomed is not None:
            self.zoom(None)
        else:
            self._show(self.tree)
        self.rearranged.emit()

    # ---- moving, hiding and showing views

    def shown(self) -> list[str]:
        """Return the views that have a place in the present arrangement, in its order."""
        return list(keys(self.tree))

    def set_shown(self, key: str, on: bool) -> None:
        """Give a view a place, or take it; the last one stays."""
        there = self.shown()
        if on and key not in there:
            self.change(shown_again(self.tree, key, self._first))
        elif not on and key in there and len(there) > 1:
            self.change(without(self.tree, {key}))
        self.rearranged.emit()

    def swap_with_next(self, view: View) -> None:
        """Exchange the view with the one after it."""
        there = self.shown()
        if view.key in there and len(there) > 1:
            after = there[(there.index(view.key) + 1) % len(there)]
            self.change(swapped(self.tree, view.key, after))

    def place(self, key: str, at: str, side: Side) -> None:
        """Put the view at a side of another, or behind it as a tab."""
        self.change(placed(self.tree, key, at, side))

    @property
    def pointed_view(self) -> View:
        """Return the view that a command means: the maximised one, or the one that the pointer is in, or was in last
        (on its way to a menu it passes others), or else the lanes."""
        pointed = self._pointed if self._pointed is not None and self._pointed.isVisible() else None
        return self.zoomed or pointed or self.views["lanes"]

    def _on_pointed(self, view: View) -> None:
        self._pointed = view

    def view_at(self, place: QPoint) -> View | None:
        """Return the view under a place on the screen."""
        return next((v for v in self.views.values() if v.isVisible() and self.area_of(v).contains(place)), None)

    def area_of(self, view: View) -> QRect:
        """Return a view's place on the screen, with the row of tabs that it is behind."""
        holder = next((tabs for tabs in self.tab_rows if tabs.indexOf(view) >= 0), None) or view
        return QRect(holder.mapToGlobal(QPoint(0, 0)), holder.size())

    def key_of_tab(self, tabs: QWidget, index: int) -> str | None:
        """Return the view behind a tab of a tab bar."""
        for each in self.tab_rows:
            widget = each.widget(index)
            if isinstance(each, QTabWidget) and each.tabBar() is tabs and isinstance(widget, View):
                return widget.key
        return None

    def raise_view(self, key: str, keep: bool = False) -> None:
        """Bring a view that is behind a tab to the front; to ``keep`` it, as a click on its header does."""
        for tabs in self.tab_rows:
            at = tabs.indexOf(self.views[key])
            if at >= 0:
                tabs.setCurrentIndex(at)
                if keep and tabs in self._stages:
                    self.set_follows(False)

    def turn_tabs(self, view: View, forward: bool) -> None:
        """Show the next or previous tab of the row that ``view`` is behind; of the last row if it is behind none."""
        rows = [tabs for tabs in self.tab_rows if tabs.isVisible()]
        row = next((tabs for tabs in rows if tabs.indexOf(view) >= 0), rows[-1] if rows else None)
        if row is not None:
            there = [n for n in range(row.count()) if row.isTabVisible(n)]
            at = there.index(row.currentIndex()) + (1 if forward else -1)
            row.setCurrentIndex(there[at % len(there)])

    # ---- views that step aside by themselves

    def set_run(self, run: RunLike) -> None:
        """Set the run; a view that has nothing to show of it leaves its room to its neighbours."""
        self._empty = {key for key, view in self.views.items() if not view.has_content(run)}
        self._update_away()
        for stage in self._stages:
            stage.forget_numbers()

    def show_concerns(self, context: FrameContext) -> None:
        """Let the stage show what a new step concerns; after that the user may choose another view."""
        for stage in self._stages:
            stage.take_headlines(context)
        if self.zoomed is None and context.frame is not self._raised_for:
            self._raised_for = context.frame
            if self.follows:
                self._show_staged(context)
        for stage in self._stages:
            stage.show_headlines()

    @property
    def _stages(self) -> list[StageTabs]:
        return [tabs for tabs in self.tab_rows if isinstance(tabs, StageTabs)]

    def _show_staged(self, context: FrameContext) -> None:
        """Show the view of the step on the stage, or else the memory that it accesses, or else leave it as it is."""
        for key in (stage_view(context), *sorted(concerns(context))):
            if key in self.views and key not in self._away:
                for stage in self._stages:
                    stage.setCurrentWidget(self.views[key])
                return

    def set_follows(self, on: bool) -> None:
        """Let the stage follow the step, or keep the view that the user chose."""
        self.follows, self._raised_for = on, None
        for stage in self._stages:
            stage.show_follows(on)
        if on:
            self.rearranged.emit()  # which presents the step again

    def toggle_everything(self) -> None:
        """Show all views at once, or one large stage that follows the step."""
        self.everything = not self.everything
        self.everything_changed.emit()

    def set_guest(self, guest: QWidget | None) -> None:
        """Show a widget below the first column, in place of the key counters; None takes it away again."""
        if guest is self._guest:
            return
        if self._guest is not None:
            self._guest.setParent(self)  # it would end with its column
        self._guest = guest
        self._away = self._absent()
        if self.arrangement and self.zoomed is None:
            self._show(self.tree)

    def _seat_guest(self, root: QSplitter) -> None:
        column, sizes = splitter(Qt.Orientation.Vertical), [1000 * size for size in self.tree.sizes]
        first = root.replaceWidget(0, column)
        column.setParent(root)  # Qt leaves it without an owner that Python would know
        for part in (first, self._guest):
            if part is not None:
                column.addWidget(part)
                part.show()
        column.setSizes([1000, 1000])
        root.setStretchFactor(0, self.tree.sizes[0])
        root.setSizes(sizes)

    def _absent(self) -> set[str]:
        return self._empty | ({"key_counters"} if self._guest is not None else set())

    def _update_away(self) -> None:
        away = self._absent()
        if away != self._away:
            self._away = away
            if self.zoomed is None:
                self._hide_away()

    def _hide_away(self) -> None:
        """Hide the views that are away, and the boxes in which there is no other."""
        for tabs in self.tab_rows:
            for n in range(tabs.count()):
                widget = tabs.widget(n)
                tabs.setTabVisible(n, not (isinstance(widget, View) and widget.key in self._away))
        for row in reversed(self.splitters):  # inner ones first
            parts = _parts(row)
            for part in parts:
                if isinstance(part, View):
                    part.setVisible(part.key not in self._away)
            row.setVisible(any(not part.isHidden() for part in parts))

    # ---- building

    def _show(self, tree: LayoutNode) -> None:
        before = self._root
        for kind in {type(tabs) for tabs in self.tab_rows}:
            self._fronts[kind] = [tabs.currentWidget() for tabs in self.tab_rows if type(tabs) is kind]
        for key, view in self.views.items():
            view.hide()
            # From splitter to splitter at once: with every parent a view is dressed anew, which takes long.
            if not isinstance(view.parentWidget(), QSplitter) or key not in keys(tree):
                view.setParent(self)
        if self._guest is not None:
            self._guest.setParent(self)
        self.splitters, self.tab_rows = [], []
        self._root = self._build(tree)
        self._raised_for = None  # the step may have changed while there was no stage
        if self._guest is not None and isinstance(self._root, QSplitter) and self.zoomed is None:
            self._seat_guest(self._root)
        if before is not None:
            self._column.removeWidget(before)
            before.hide()
            before.deleteLater()
        self._column.addWidget(self._root)
        for tabs in self.tab_rows:  # each group goes on showing the tab that it showed
            for shown in self._fronts.get(type(tabs), ()):
                if shown is not None and tabs.indexOf(shown) >= 0:
                    tabs.setCurrentWidget(shown)
        if self.zoomed is None:
            self._hide_away()
        self._root.show()

    def _build(self, part: LayoutNode | str) -> QWidget:
        if isinstance(part, str):
            view = self.views[part]
            view.set_heading_shown(True)
            view.show()
            return view
        if part.kind in STACKED:
            build = self._build_stage if part.kind == "stage" else self._build_tabs
            return build([p for p in part.parts if isinstance(p, str)])
        row = splitter(Qt.Orientation.Horizontal if part.kind == "h" else Qt.Orientation.Vertical)
        row.setHandleWidth(6)
        row.splitterMoved.connect(self._keep_proportions)
        self.splitters.append(row)
        for child in part.parts:
            row.addWidget(self._build(child))
        row.setSizes([size * 1000 for size in part.sizes])
        for n, size in enumerate(part.sizes):
            row.setStretchFactor(n, size)
        return row

    def _build_tabs(self, views: Sequence[str]) -> QWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        for widget in (tabs, tabs.tabBar()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Names that do not fit are shortened: arrows to the tabs beyond hide what there is.
        tabs.tabBar().setUsesScrollButtons(False)
        tabs.tabBar().setElideMode(Qt.TextElideMode.ElideRight)
        self._drag.watch(tabs.tabBar())
        for key in views:
            view = self.views[key]
            view.set_heading_shown(False)
            tabs.addTab(view, view.short_title)
            tabs.setTabToolTip(tabs.count() - 1, view.about)
        self.tab_rows.append(tabs)
        return tabs

    def _build_stage(self, views: Sequence[str]) -> QWidget:
        stage = StageTabs(lambda: self.set_follows(False), self.set_follows, self._look)
        for key in views:
            self.views[key].set_heading_shown(True)
            self._drag.watch(stage.add_view(self.views[key]))
        stage.show_follows(self.follows)
        self.tab_rows.append(stage)
        return stage

    # ---- remembering

    def _keep_proportions(self) -> None:
        """Take over the proportions after a handle was dragged, save those beside a hidden view."""
        if self.zoomed is not None:
            return
        splitters = iter(self.splitters)

        def read(part: LayoutNode | str) -> LayoutNode | str:
            if isinstance(part, str) or part.kind in STACKED:
                return part
            row = next(splitters)
            hidden = any(each.isHidden() for each in _parts(row))
            sizes = part.sizes if hidden else tuple(row.sizes())
            return LayoutNode(part.kind, tuple(read(each) for each in part.parts), sizes)

        tree = read(self.tree)
        assert isinstance(tree, LayoutNode)
        self._changed[self.arrangement] = tree

    def state(self) -> str:
        """Return the arrangements as the user has changed them, as text."""
        return msgspec.json.encode(self._changed | ({"everything": True} if self.everything else {})).decode()

    def set_state(self, text: str) -> None:
        """Take over arrangements saved by ``state``; what is not one is left out."""
        self.everything = False
        with suppress(msgspec.DecodeError, RecursionError):
            self.everything = msgspec.json.decode(text, type=_Shown).everything
        self._changed = {name: tree for name, tree in read_trees(text, self.views).items() if name in ARRANGEMENTS}
        if self.arrangement:
            self._rebuild()


def _parts(row: QSplitter) -> list[QWidget]:
    return [widget for n in range(row.count()) if (widget := row.widget(n)) is not None]
