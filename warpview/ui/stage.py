"""Where the views stand: arrangements of splitters and tabs, described as trees, remembered and rebuilt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication, QSplitter, QTabWidget, QVBoxLayout, QWidget

from warpview.isa.program import NONE
from warpview.isa.types import Space
from warpview.ui.views.context import FrameContext
from warpview.ui.views.view import View


@dataclass(frozen=True)
class Box:
    """Views beside ('h') or above one another ('v') in these proportions, or behind one another ('tabs')."""

    kind: str
    parts: tuple[Box | str, ...]
    sizes: tuple[int, ...] = ()


WIDE = Box("h", (
    Box("v", ("source", "instructions", "divergence"), (48, 18, 34)),
    Box("v", (
        "lanes",
        Box("h", ("shared", "global"), (50, 50)),
        Box("h", (Box("tabs", ("occupancy", "timeline", "console")), "counters"), (46, 54)),
    ), (36, 32, 32)),
), (40, 60))  # fmt: skip
NARROW = Box("h", (
    Box("v", ("source", Box("tabs", ("divergence", "instructions"))), (60, 40)),
    Box("v", (
        "lanes",
        Box("h", ("shared", "global"), (50, 50)),
        Box("tabs", ("counters", "occupancy", "timeline", "console")),
    ), (34, 36, 30)),
), (42, 58))  # fmt: skip
PRESENTATION = Box("h", (
    "source",
    Box("v", ("lanes", Box("h", ("divergence", "shared", "global"), (1, 1, 1))), (45, 55)),
), (42, 58))  # fmt: skip
SMALL = Box("h", (
    "source",
    Box("v", (
        "lanes",
        Box("tabs", ("divergence", "shared", "global", "counters", "instructions", "occupancy", "timeline", "console")),
    ), (45, 55)),
), (40, 60))  # fmt: skip
ARRANGEMENTS = {"wide": WIDE, "narrow": NARROW, "small": SMALL, "presentation": PRESENTATION}
# Of these, presentation shows only what the step concerns.
BY_CONCERN = ("divergence", "shared", "global")


def concerns(context: FrameContext) -> set[str]:
    """Which of the pictures the last step has something to say in; empty if none in particular."""
    frame = context.frame
    found = set()
    if frame.addresses is not None:
        shared = frame.addresses.space in (Space.SHARED, Space.CONST)
        found.add("shared" if shared else "global")
    event = frame.event
    if event is not None and context.program.instructions[event.pc].target != NONE:
        found.add("divergence")
    return found


class Stage(QWidget):
    """Shows one arrangement at a time. ``zoomed`` is the view that fills the stage, if one does."""

    zoom_changed = Signal()

    def __init__(self, views: Sequence[View], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.views: Mapping[str, View] = {view.key: view for view in views}
        for view in views:
            view.setParent(self)  # until it has a place: a view without a parent would outlive the window
        self.zoomed: View | None = None
        self.arrangement = ""
        self._sizes: dict[str, list[list[int]]] = {}
        self._splitters: list[QSplitter] = []
        self._tabs: list[QTabWidget] = []
        self._root: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    # ---- arrangements

    def arrange(self, name: str) -> bool:
        """Show the arrangement ``name``, a zoomed view staying before it; False if it is shown already."""
        if name == self.arrangement:
            return False
        self._remember()
        self.arrangement = name
        if self.zoomed is None:
            self._show(ARRANGEMENTS[name])
            self._restore()
        return True

    def zoom(self, view: View | None) -> None:
        """Let one view fill the stage; None puts all back."""
        if view is self.zoomed:
            return
        self._remember()
        self.zoomed = view
        self._show(ARRANGEMENTS[self.arrangement] if view is None else Box("v", (view.key,)))
        self._restore()
        self.zoom_changed.emit()
        for each in self.views.values():
            each.set_filling(each is view)

    def reset(self) -> None:
        """The present arrangement with its first proportions."""
        self._sizes.clear()
        self.zoomed = None
        self._show(ARRANGEMENTS[self.arrangement])

    def show_concerns(self, context: FrameContext) -> None:
        """In presentation, only the pictures that the step concerns; the last ones stay while none is concerned.
        In a small window the picture that the step concerns comes to the front."""
        if self.arrangement == "small" and self.zoomed is None:
            for key in sorted(concerns(context)):
                self.raise_view(key)
        if self.arrangement != "presentation" or self.zoomed is not None:
            return
        wanted = concerns(context)
        shown = {key for key in BY_CONCERN if key in self.views and not self.views[key].isHidden()}
        if not wanted:
            wanted = shown if len(shown) == 1 else {"divergence"}
        for key in BY_CONCERN:
            if key in self.views:
                self.views[key].setVisible(key in wanted)

    def view_at(self, place: QPoint) -> View | None:
        """The view under a place on the screen."""
        widget: QWidget | None = QApplication.widgetAt(place)
        while widget is not None and not isinstance(widget, View):
            widget = widget.parentWidget()
        return widget if isinstance(widget, View) and widget.key in self.views else None

    def raise_view(self, key: str) -> None:
        """Bring a view that is behind a tab to the front."""
        for tabs in self._tabs:
            at = tabs.indexOf(self.views[key])
            if at >= 0:
                tabs.setCurrentIndex(at)

    # ---- building

    def _show(self, tree: Box) -> None:
        for view in self.views.values():
            view.hide()
            view.setParent(self)
        if self._root is not None:
            self._column.removeWidget(self._root)
            self._root.hide()
            self._root.deleteLater()
        self._splitters, self._tabs = [], []
        self._root = self._build(tree)
        self._column.addWidget(self._root)
        self._root.show()

    def _build(self, part: Box | str) -> QWidget:
        if isinstance(part, str):
            view = self.views[part]
            view.set_heading_shown(True)
            view.show()
            return view
        parts = [p for p in part.parts if isinstance(p, Box) or p in self.views]
        if part.kind == "tabs":
            return self._build_tabs([p for p in parts if isinstance(p, str)])
        splitter = QSplitter(Qt.Orientation.Horizontal if part.kind == "h" else Qt.Orientation.Vertical)
        splitter.setHandleWidth(6)
        splitter.setChildrenCollapsible(False)
        self._splitters.append(splitter)
        for child in parts:
            splitter.addWidget(self._build(child))
        if len(part.sizes) == splitter.count():
            splitter.setSizes([size * 1000 for size in part.sizes])
            for n, size in enumerate(part.sizes):
                splitter.setStretchFactor(n, size)
        return splitter

    def _build_tabs(self, keys: Sequence[str]) -> QWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.tabBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        tabs.tabBar().setUsesScrollButtons(True)
        for key in keys:
            view = self.views[key]
            view.set_heading_shown(False)
            tabs.addTab(view, view.title.removesuffix(" memory"))
            tabs.setTabToolTip(tabs.count() - 1, view.about)
        self._tabs.append(tabs)
        return tabs

    # ---- remembering

    def _remember(self) -> None:
        if self.arrangement and self.zoomed is None and self._splitters and self._splitters[0].isVisible():
            self._sizes[self.arrangement] = [splitter.sizes() for splitter in self._splitters]

    def _restore(self) -> None:
        if self.zoomed is not None:
            return
        for splitter, sizes in zip(self._splitters, self._sizes.get(self.arrangement, []), strict=False):
            if len(sizes) == splitter.count() and any(sizes):
                splitter.setSizes(sizes)

    def state(self) -> str:
        """The proportions of every arrangement, as text."""
        self._remember()
        return json.dumps(self._sizes)

    def set_state(self, text: str) -> None:
        """Take over proportions saved by ``state``; anything else is ignored."""
        try:
            sizes = json.loads(text)
        except ValueError:
            return
        if isinstance(sizes, dict):
            kept = {k: v for k, v in sizes.items() if k in ARRANGEMENTS and isinstance(v, list)}
            self._sizes = {k: [[int(n) for n in row] for row in v if isinstance(row, list)] for k, v in kept.items()}
            self._restore()
