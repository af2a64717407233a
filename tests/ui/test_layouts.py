"""Nothing is clipped, covered or out of its place: at every size of the screen, light and dark, for four kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from support.pictures import text_boxes
from ui.layout_faults import faults, picture_faults
from ui.rest import come_to_rest
from ui.stand import Stand
from ui.test_keys import press

from warpview.ui.drawing.picture import Picture
from warpview.ui.main_window import MainWindow
from warpview.ui.session import comparison_setups

PROGRAM = Path(__file__).with_name("layout_faults.py")


@pytest.mark.parametrize(
    ("size", "scale", "half"),
    [("1280x720", 1, "0"), pytest.param("1600x1000", 1, "1", marks=pytest.mark.exhaustive), ("800x470", 2, "1")],
    ids=["720p", "1600", "1000p at 200 %"],
)  # fmt: skip
def test_nothing_is_clipped_or_covered(pytestconfig: pytest.Config, size: str, scale: int, half: str) -> None:
    """By the real engine: every tab, every view that fills the window, and presentation.

    Each kernel is looked at in every size, either as the window opens or in presentation; ``--exhaustive`` does both.
    """
    environment = {**os.environ, "QT_SCALE_FACTOR": str(scale), "PYTHONPATH": str(PROGRAM.parents[1])}
    halves = () if pytestconfig.getoption("exhaustive") else (half,)
    command = [sys.executable, str(PROGRAM), size, *halves]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split("\n") == ["", ""]


@pytest.mark.parametrize("scale", [1.25, 1.6])
def test_nothing_is_clipped_with_larger_type(window: MainWindow, scale: float) -> None:
    window.look.set_scale(scale)
    window.resize(round(1280 * scale), round(720 * scale))
    window.staged.finish()
    come_to_rest(window)
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    for view in window.views:
        if view.isVisible():
            view.flush()
    assert list(faults(window)) == []


def test_a_raised_view_is_whole_in_a_small_window(window: MainWindow) -> None:
    window.resize(1000, 600)
    window.staged.finish()
    come_to_rest(window)
    for key in ("divergence", "shared", "global", "counters", "occupancy", "timeline"):
        window.workspace.raise_view(key)
        come_to_rest(window)
        assert window.workspace.views[key].isVisible()
        assert list(faults(window)) == []


def test_everything_at_1280x720_shows_the_branch_and_its_surroundings(window: MainWindow) -> None:
    window.resize(1280, 720)
    press(window, "F6")
    press(window, "D")
    window.workspace.raise_view("divergence")
    window.staged.finish()
    come_to_rest(window)
    view = window.workspace.views["divergence"]
    view.flush()
    texts = {text for text, _ in text_boxes(view.canvas.picture)}  # type: ignore[attr-defined]
    assert {"8", "11", "12", "13", "14", "17"} <= texts, "the lines of the blocks"
    assert not view.band.isVisible(), "the graph has its room"  # type: ignore[attr-defined]
    table = window.workspace.views["counters"].list  # type: ignore[attr-defined]
    rows = table.viewport().height() // table.visualRect(table.model().index(0, 0)).height()
    assert rows >= 5


SMALLEST = 800, 470  # of a screen of 1600x1000 at 200 %, without the bars of its window and its desktop


def _fits_small(window: MainWindow, where: str) -> None:
    window.resize(*SMALLEST)
    for _ in range(2):
        window.staged.finish()
        come_to_rest(window)
    window.presenter.present()
    for view in window.views:
        if view.isVisible():
            view.flush()
    least = window.minimumSizeHint()
    assert (window.width(), window.height()) == SMALLEST, where
    assert least.width() <= SMALLEST[0], (where, least)
    assert least.height() <= SMALLEST[1], (where, least)
    assert list(faults(window)) == [], where


def test_every_page_fits_the_smallest_window(stand: Stand, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_setups, "LARGE", comparison_setups.SMALL)  # the worker's time is not the subject
    window.session.set_device("h200")
    window.session.choose("transpose/tile_32")
    stand.settle()
    stand.press("C")
    _fits_small(window, "as it opens")
    for action in ("everything", "presentation"):
        window.actions_[action].trigger()
        window.staged.finish()
        window.showNormal()
        _fits_small(window, action)
        window.actions_[action].trigger()
        window.staged.finish()
    for page in ("compare_variants", "both_codes"):
        window.actions_[page].trigger()
        stand.settle()
        _fits_small(window, page)
        if page == "compare_variants":
            for _ in range(3):
                window.comparison.next_tab()
                _fits_small(window, f"{page}, {window.comparison.tabs.currentIndex()}")
        window.pages.show_views()
    for number in (0, 2, 4):
        window.actions_.menus["Lessons"].actions()[number].trigger()
        stand.settle()
        for page in range(4):
            _fits_small(window, f"lesson {number}, page {page}")
            window.actions_["next_page"].trigger()
            stand.settle()
        window.lessons.close()


def test_warnings_leave_room_in_the_smallest_window(stand: Stand, window: MainWindow, qtbot: QtBot) -> None:
    """A finding of four lines, and an error beside the views of the run before it."""
    window.resize(*SMALLEST)
    window.session.set_device("h200")
    window.session.choose("mistakes/lost_updates")
    stand.settle()
    stand.press("G")
    assert window.banner.isVisible()
    _fits_small(window, "a finding")
    assert "line 4</a>" in window.banner.words.text()
    assert "nothing orders the two" in window.banner.words.toolTip()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: "nothing orders the two" in window.banner.words.text())
    window.session.choose("transpose/tile_32")
    stand.settle()
    stand.press("C")
    window.session.set_text("__global__ void k(float *a) { a[0] = b; }")
    window.actions_["compile"].trigger()
    qtbot.waitUntil(lambda: window.banner.isVisible() and window.outdated.isVisible())
    _fits_small(window, "an error")
    assert "There is no kernel" in window.banner.words.text()


def test_faults_are_found(window: MainWindow) -> None:
    """What the tests above look for is seen where it is."""
    lanes = window.workspace.views["lanes"]
    cut = QLabel("a label that is much too long for its place", lanes)
    cut.setGeometry(5, 5, 20, 8)
    cut.show()
    out = QLabel("beyond", window)
    out.setGeometry(window.width() - 5, 5, 200, 30)
    out.show()
    bar = QTabBar(window)
    for n in range(30):
        bar.addTab(f"a tab of many, {n}")
    bar.setGeometry(0, 0, 200, 30)
    bar.show()
    found = "\n".join(faults(window))
    for words in ("lie over one another", "is out of the window", "a label that is", "has arrows"):
        assert words in found
    for widget in (cut, out, bar):
        widget.deleteLater()


def test_faults_of_pictures_are_found() -> None:
    picture = Picture(100.0, 50.0, 10.0)
    picture.text(90.0, 20.0, "too far right")
    picture.text(5.0, 20.0, "one")
    picture.text(8.0, 21.0, "another")
    found = " ".join(picture_faults(picture))
    assert "'too far right' runs out" in found
    assert "'one' and 'another' lie over one another" in found


def test_a_tight_window_shows_the_history_and_what_is_being_run(window: MainWindow) -> None:
    """At 1280x720 with type of twice the size the history had no room, and one box lay over the other."""
    window.resize(1280, 720)
    window.look.set_scale(2.0)
    window.staged.finish()
    come_to_rest(window)
    bar, history = window.launch_bar, window.history
    shown = [box for box in bar.findChildren(QWidget) if box.parentWidget() is bar and box.isVisible()]
    for n, box in enumerate(shown):
        assert not any(box.geometry().intersects(other.geometry()) for other in shown[:n]), box
    assert window.transport.speed.isHidden()
    stretch = history.stretches()[0]
    assert stretch.right <= history.width()
    assert stretch.width > 100
    window.look.set_scale(1.0)
    window.staged.finish()
    assert not window.transport.speed.isHidden()
    assert all(field.isVisible() for label, field in bar.scalar_fields if label.text())


def test_large_type_on_a_small_screen_leaves_room_for_one_view(stand: Stand, window: MainWindow) -> None:
    """At 800x600 with type of twice the size each of three views had a line or two, and the caption was cut."""
    window.session.set_device("h200")
    stand.settle()
    window.resize(800, 580)
    window.look.set_scale(2.0)
    window.staged.finish()
    stand.press("D")
    come_to_rest(window)
    views, label = window.workspace.views, window.caption.label
    assert [view.key for view in window.views if view.isVisible()] == ["divergence"]
    assert views["divergence"].width() > 700
    assert views["divergence"].height() > 200
    assert label.lines_in(label.font(), label.width()) == 2
    assert list(faults(window)) == []
    window.look.set_scale(2.4)  # "of 429" lay over the number of the step
    window.staged.finish()
    come_to_rest(window)
    assert list(faults(window)) == []
    window.look.set_scale(2.0)
    window.staged.finish()
    stand.press("E")
    assert views["source"].isVisible()
    assert window.source.editor.hasFocus()
    stand.press("Esc")
    window.resize(800, 470)
    window.look.set_scale(1.0)
    window.staged.finish()
    lessons = window.actions_.menus["Lessons"].actions()
    lessons[2].trigger()
    stand.settle()
    window.lessons.close()  # it was in a column of its own, with which it must not end
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window.resize(800, 580)
    window.look.set_scale(2.0)
    window.staged.finish()
    lessons[0].trigger()
    stand.settle()
    come_to_rest(window)
    panel, shown = window.lessons.panel, views["lanes"]
    assert panel.isVisible()
    assert panel.text.height() > 2 * panel.text.fontMetrics().lineSpacing()
    assert shown.mapTo(window, shown.rect().topRight()).x() < panel.mapTo(window, panel.rect().topLeft()).x()
    window.lessons.close()
    window.pages.show_comparison()
    come_to_rest(window)
    page = window.comparison
    assert page.width() > window.pages.width(), "a page scrolls rather than to have its parts lie over one another"
    assert page.width() >= page.minimumSizeHint().width()
    window.pages.show_views()
    window.look.set_scale(1.0)
    window.staged.finish()
    come_to_rest(window)
    assert views["source"].isVisible()
    assert views["lanes"].isVisible()
