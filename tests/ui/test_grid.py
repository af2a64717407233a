"""The grid view is zoomed by wheel, keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ui.stand import Stand

from warpview.ui.drawing.picture import Rects
from warpview.ui.views.machine.grid import GridView
from warpview.ui.views.machine.grid_layout import layout_of


@pytest.fixture
def view(stand: Stand) -> GridView:
    stand.w.workspace.raise_view("grid")
    stand.w.staged.finish()
    stand.go(300)
    stand.settle()
    view = stand.w.workspace.views["grid"]
    assert isinstance(view, GridView)
    view.zoom_to(0)
    view.flush()
    view.grab()  # so that the scene is laid out
    return view


def place(view: GridView, x: float, y: float) -> QPoint:
    """The pixel of a place of the world in the view's scene."""
    part = view.canvas.grid.part
    scale = view.canvas.width() / part.w
    return QPoint(round((x - part.x) * scale), round((y - part.y) * scale))


def test_keys_lead_through_the_levels_and_back(stand: Stand, view: GridView) -> None:
    widths = [view.canvas.grid.part.w]
    for level in (1, 2, 3, 3):
        stand.press("Shift+Down")
        assert view.level == level
        widths.append(view.canvas.grid.part.w)
    assert widths == sorted(widths, reverse=True)
    assert stand.w.selection.now.lane == 0, "a lane is looked at"
    for level in (2, 1, 0, 0):
        stand.press("Shift+Up")
        assert view.level == level


def turn_wheel(view: GridView, at: QPoint, notches: int) -> None:
    port, place = view.canvas.viewport(), QPointF(at)
    event = QWheelEvent(
        place, port.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(port, event)


@pytest.mark.usefixtures("painted")
def test_the_wheel_zooms_about_the_pointer(stand: Stand, view: GridView) -> None:
    before = view.canvas.grid.part
    layout = layout_of(view.run.launch.grid, view.run.launch.warps)
    box = layout.lane_box(0, 1, 4)
    at = place(view, box.cx, box.cy)
    turn_wheel(view, at, 3)
    after = view.canvas.grid.part
    assert after.w < before.w
    moved = place(view, box.cx, box.cy)
    assert abs(moved.x() - at.x()) <= 2
    assert abs(moved.y() - at.y()) <= 2


@pytest.mark.usefixtures("painted")
def test_the_wheel_stops_at_a_tenth_of_a_block(stand: Stand, view: GridView) -> None:
    for _ in range(2):
        turn_wheel(view, view.canvas.rect().center(), 100)
    assert view.canvas.grid.part.w == pytest.approx(0.1)


def test_a_click_selects_warp_and_lane(stand: Stand, view: GridView) -> None:
    view.zoom_to(1)
    view.refresh()
    view.flush()
    box = layout_of(view.run.launch.grid, view.run.launch.warps).lane_box(0, 2, 7)
    QTest.mouseClick(
        view.canvas.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place(view, box.cx, box.cy)
    )
    now = stand.w.selection.now
    assert (now.block, now.warp, now.lane) == (0, 2, 7)


def test_a_click_on_a_level_zooms_there(stand: Stand, view: GridView) -> None:
    region = next(r for r in view.canvas.picture.hit_regions if r.target and r.target.command and r.target.value == 2)
    view.canvas.diagram.region_clicked.emit(region)
    assert view.level == 2


def test_what_is_selected_elsewhere_comes_into_sight(stand: Stand, view: GridView) -> None:
    view.zoom_to(3)
    view.refresh()
    view.flush()
    stand.w.selection.update(warp=0, lane=31)
    stand.settle()
    view.flush()
    box = layout_of(view.run.launch.grid, view.run.launch.warps).lane_box(0, 0, 31)
    assert view.canvas.grid.part.holds(box.cx, box.cy)


def test_no_row_lies_below_the_names_of_the_levels(stand: Stand, view: GridView) -> None:
    """The second row is at the top, below the names, when the first one is selected elsewhere."""
    stand.w.selection.update(warp=2)
    stand.settle()
    view.zoom_to(2)
    layout, part = layout_of(view.run.launch.grid, view.run.launch.warps), view.canvas.grid.part
    view.canvas.grid.translateBy(y=layout.warp_box(0, 0).y - part.y)
    stand.w.selection.update(warp=0)
    stand.settle()
    view.flush()
    path = max(r.box.bottom for r in view.canvas.picture.hit_regions if r.target and r.target.command)
    scale, part = view.canvas.width() / view.canvas.grid.part.w, view.canvas.grid.part
    assert (layout.warp_box(0, 0).y - part.y) * scale >= path
    strips = [mark.boxes[0] for mark in view.canvas.picture.marks if isinstance(mark, Rects) and mark.fill == "panel"]
    assert any(box.w >= view.canvas.width() - 1 and box.bottom >= path for box in strips)


def test_the_whole_grid_stays_whole_at_another_size(stand: Stand, view: GridView) -> None:
    world = layout_of(view.run.launch.grid, view.run.launch.warps).world
    stand.w.resize(1500, 900)
    stand.w.staged.finish()
    QApplication.processEvents()
    part = view.canvas.grid.part
    assert part.holds(world.x, world.y)
    assert part.holds(world.right - 1e-6, world.bottom - 1e-6)
    stand.w.resize(1280, 720)
    stand.w.staged.finish()
