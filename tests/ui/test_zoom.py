"""A view fills the window: its type grows, the rest steps aside, and all comes back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QKeySequence, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.lessons import lessons
from ui.rest import come_to_rest
from ui.view_texts import texts_of

from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.main_window import MainWindow
from warpview.ui.view_list import VIEWS
from warpview.ui.views.timeline.timeline import TimelineView


@pytest.mark.sample(4)
@pytest.mark.parametrize("key", [view.key for view in VIEWS])
def test_a_zoomed_view_fills_the_window_with_larger_type(window: MainWindow, key: str) -> None:
    window.resize(1600, 1000)
    window.staged.finish()
    window.actions_["library"].trigger()
    assert window.library.isVisible()
    come_to_rest(window)
    view = window.workspace.views[key]
    window.view_commands.zoom(view)
    come_to_rest(window)
    assert 1.0 < view.look.factor <= 2.2
    assert view.width() > 0.95 * window.width()
    assert not window.library.isVisible()
    assert all(other.look.factor == 1.0 for other in window.views if other is not view)
    QTest.keyClick(window, QKeySequence("Esc")[0].key())
    assert window.workspace.zoomed is None
    assert view.look.factor == 1.0
    assert window.library.isVisible()
    assert view.font() == window.font()


def test_type_grows_to_two_and_a_fifth_of_its_size_at_most(window: MainWindow) -> None:
    view = window.workspace.views["divergence"]
    window.resize(4000, 2500)
    window.staged.finish()
    window.view_commands.zoom(view)
    come_to_rest(window)
    assert view.look.factor == 2.2


def test_a_zoomed_view_stays_when_the_window_is_resized(window: MainWindow) -> None:
    window.actions_["everything"].trigger()
    assert window.workspace.arrangement != "wide"
    window.view_commands.zoom(window.counters)
    window.resize(1700, 1000)
    window.staged.finish()
    come_to_rest(window)
    assert window.workspace.zoomed is window.counters
    window.view_commands.zoom()
    assert window.workspace.arrangement == "wide"
    assert window.source.isVisible()


def test_the_strip_of_a_lesson_makes_way(window: MainWindow, qtbot: QtBot) -> None:
    window.lessons.open(lessons()[0])
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert window.lessons.panel.isVisible()
    window.view_commands.zoom(window.source)
    assert not window.lessons.panel.isVisible()
    window.view_commands.zoom()
    assert window.lessons.panel.isVisible()


def test_the_key_counters_show_a_run_that_came_while_another_view_was_maximised(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = window.workspace.views["key_counters"]
    window.view_commands.zoom(window.source)
    window.session.choose("vector/add")
    qtbot.waitUntil(lambda: not window.runner.busy and window.session.variant.key == "vector/add")
    window.presenter.present()
    window.view_commands.zoom()
    qtbot.waitUntil(lambda: "Warp instructions 0" in " ".join(texts_of(view)), timeout=20_000)


@pytest.mark.parametrize("chosen", [None, "occupancy"])
def test_the_stage_shows_again_what_it_showed(window: MainWindow, chosen: str | None) -> None:
    """What the step concerns, and what the user chose."""
    (stage,) = (tabs for tabs in window.workspace.tab_rows if isinstance(tabs, StageTabs))
    window.player.go(5)
    window.presenter.present()
    if chosen is not None:
        header = next(header for header in stage.headers if header.view.key == chosen)
        header.click()
    shown = stage.currentWidget()
    assert shown is not None
    assert shown is not stage.widget(0)
    window.view_commands.zoom(window.workspace.views["lanes"])
    window.view_commands.zoom()
    window.presenter.present()
    (stage,) = (tabs for tabs in window.workspace.tab_rows if isinstance(tabs, StageTabs))
    assert stage.currentWidget() is shown


def test_the_stage_follows_again_after_all_views_were_shown(window: MainWindow) -> None:
    window.player.go(5)
    window.presenter.present()
    for step, shown in ((5, "values"), (62, "divergence")):
        window.actions_["everything"].trigger()
        window.player.go(step)
        window.presenter.present()
        window.actions_["everything"].trigger()
        window.staged.finish()
        window.presenter.present()
        (stage,) = (tabs for tabs in window.workspace.tab_rows if isinstance(tabs, StageTabs))
        view = stage.currentWidget()
        assert view is not None
        assert view.key == shown


@pytest.mark.parametrize("kernel", ["reduction/interleaved", "reduction/strided_index"])
def test_what_lies_over_the_timeline_has_the_size_of_its_rows(window: MainWindow, qtbot: QtBot, kernel: str) -> None:
    window.session.choose(kernel)
    qtbot.waitUntil(lambda: not window.runner.busy and window.session.current)
    window.resize(1600, 1000)
    view = window.workspace.views["timeline"]
    assert isinstance(view, TimelineView)
    window.workspace.raise_view("timeline", keep=True)
    for action in (lambda: None, lambda: window.view_commands.zoom(view), lambda: window.escape.leave()):
        action()
        come_to_rest(window)
        rows, over = view.rows.vb, view.overlay.picture
        assert (over.width, over.height) == (rows.width(), rows.height())


def test_the_timeline_has_its_legend_whole_where_it_has_no_room_for_the_shares(window: MainWindow) -> None:
    window.resize(1280, 720)
    view = window.workspace.views["timeline"]
    assert isinstance(view, TimelineView)
    window.workspace.raise_view("timeline", keep=True)
    view.setMaximumHeight(200)
    come_to_rest(window)
    assert not view.shares.isVisible()
    words = [label.text for _, label in view.legend_line.items]
    assert words[0] == "wait"
    sight = view.area.sceneRect()
    assert all(sight.contains(label.sceneBoundingRect()) for _, label in view.legend_line.items)


def test_the_names_of_the_slots_stand_beside_their_rows(window: MainWindow) -> None:
    window.resize(1600, 1000)
    view = window.workspace.views["timeline"]
    assert isinstance(view, TimelineView)
    window.workspace.raise_view("timeline", keep=True)
    come_to_rest(window)
    axis, box = view.rows.getAxis("left"), view.rows.vb
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        line, ticks, names = axis.generateDrawSpecs(painter)
    assert not ticks
    assert [name for _, _, name in names][:2] == ["b0 w0", "b0 w1"]
    for slot, (place, _, _) in enumerate(names):
        row = box.mapViewToScene(QPointF(0.0, slot + 0.5))
        written = axis.mapToScene(place.center())
        assert written.y() == pytest.approx(row.y(), abs=1.0)
        assert axis.mapToScene(place.topRight()).x() <= axis.mapToScene(line[1]).x()
