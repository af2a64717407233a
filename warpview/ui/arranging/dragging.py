"""Move a view by its heading or its tab to a side of another view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QTabBar, QWidget

from warpview.ui.arranging.arrangement import Side
from warpview.ui.arranging.stage_tabs import StageHeader

if TYPE_CHECKING:
    from warpview.ui.arranging.workspace import Workspace

EDGE = 0.28  # of a view's width or height from its side: the view that is let go there comes to stand at that side
WORDS: dict[Side, str] = {
    "left": "to the left", "right": "to the right", "above": "above", "below": "below", "tabs": "as a tab",
}  # fmt: skip


def side_at(area: QRect, place: QPoint) -> Side:
    """Return the side of ``area`` that a place within it means: the nearest one, or its tabs in the middle."""
    x = (place.x() - area.x()) / max(1, area.width())
    y = (place.y() - area.y()) / max(1, area.height())
    distances: list[tuple[float, Side]] = [(x, "left"), (1 - x, "right"), (y, "above"), (1 - y, "below")]
    distance, side = min(distances)
    return side if distance < EDGE else "tabs"


def part_of(area: QRect, side: Side) -> QRect:
    """Return the part of ``area`` that a view would be given there."""
    w, h = area.width(), area.height()
    half = QRect(area)
    if side in ("left", "right"):
        half.setWidth(w // 2)
    elif side in ("above", "below"):
        half.setHeight(h // 2)
    return half.translated(w - w // 2 if side == "right" else 0, h - h // 2 if side == "below" else 0)


class ViewDrag(QObject):
    """Watch headings and tab bars; while one is dragged, the place where the view would come to stand is shown."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._pressed: QPoint | None = None
        self._key: str | None = None
        self._aim: tuple[str, Side] | None = None
        self._mark: _DropMark | None = None

    def watch(self, handle: QWidget) -> None:
        """Let this widget drag a view from now on."""
        handle.installEventFilter(self)

    def eventFilter(self, handle: QObject, event: QEvent) -> bool:  # noqa: N802
        if not isinstance(event, QMouseEvent) or not isinstance(handle, QWidget):
            return False
        place = event.globalPosition().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._key, self._pressed = self._key_of(handle, event.position().toPoint()), place
        elif event.type() == QEvent.Type.MouseMove and self._key is not None and self._pressed is not None:
            if self._mark is not None or self._is_drag(place):
                if isinstance(handle, StageHeader):
                    handle.setDown(False)  # a drag is no click
                self._aim_at(place)
                return True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._key is not None:
            return self._let_go()
        return False

    def _key_of(self, handle: QWidget, place: QPoint) -> str | None:
        if self._workspace.zoomed is not None:
            return None
        if isinstance(handle, StageHeader):
            return handle.view.key
        if isinstance(handle, QTabBar):
            return self._workspace.key_of_tab(handle, handle.tabAt(place))
        return next((key for key, view in self._workspace.views.items() if view.heading is handle), None)

    def _is_drag(self, place: QPoint) -> bool:
        assert self._pressed is not None
        return (place - self._pressed).manhattanLength() >= QApplication.startDragDistance()

    def _aim_at(self, place: QPoint) -> None:
        if self._mark is None:
            self._mark = _DropMark(self._workspace)
        view = self._workspace.view_at(place)
        if view is None or view.key == self._key:
            self._aim = None
            self._mark.hide()
            return
        area = self._workspace.area_of(view)
        side = side_at(area, place)
        self._aim = (view.key, side)
        part = part_of(area, side)
        self._mark.show_at(QRect(self._workspace.mapFromGlobal(part.topLeft()), part.size()), WORDS[side])

    def _let_go(self) -> bool:
        key, aim, dragged = self._key, self._aim, self._mark is not None
        if self._mark is not None:
            self._mark.hide()
            self._mark.deleteLater()
        self._key = self._pressed = self._aim = self._mark = None
        if key is not None and aim is not None:
            self._workspace.place(key, *aim)
        return dragged


class _DropMark(QLabel):
    """Mark the place in the workspace where the dragged view would come to stand."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFrameShape(QFrame.Shape.Box)
        colours, edge = self.palette(), self.palette().highlight().color()
        self._words_style = f"background:{edge.name()}; color:{colours.highlightedText().color().name()}"
        colours.setColor(QPalette.ColorRole.WindowText, edge)
        edge.setAlphaF(0.3)
        colours.setColor(QPalette.ColorRole.Window, edge)
        self.setPalette(colours)
        self.setAutoFillBackground(True)

    def show_at(self, area: QRect, words: str) -> None:
        self.setText(f"<span style='{self._words_style}'>&nbsp; {words} &nbsp;</span>")
        self.setGeometry(area)
        self.show()
        self.raise_()
