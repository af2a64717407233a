"""The comparison page shows its three forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot
from ui.backend import run_of
from ui.rest import come_to_rest
from ui.stand import Stand
from ui.test_keys import press

from warpview.run.roofline import Operations
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.panels import ladder_model
from warpview.ui.panels.bars import BarsArea
from warpview.ui.panels.comparison import BARS, LADDER, ROOFLINE
from warpview.ui.panels.comparison_model import charts
from warpview.ui.panels.roofline_model import points
from warpview.ui.session.backend import Measured, Progress, Setup


def _timed(setups: Sequence[tuple[str, Setup]], progress: Progress) -> list[Measured]:
    """Return all the counters of the opening run for each setup, each with a shorter time than the one before."""
    counters = run_of().counters
    return [
        Measured(title, setup.entry, setup.device, {**counters, "time_us": 10.0 / (n + 1), "dram_bytes": 4096})
        for n, (title, setup) in enumerate(setups)
    ]


@pytest.fixture
def window(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The shared window, whose comparisons measure in no time."""
    monkeypatch.setattr(stand.backend, "measure", _timed)
    return stand.w


def test_a_key_leads_through_bars_ladder_and_roofline(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+Shift+K")
    assert "Ctrl+K compares the variants" in window.caption.text
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    page = window.comparison
    assert page.tabs.currentIndex() == BARS
    assert page.filter.isVisible()
    page.layout().activate()  # otherwise the place is sometimes that of the page before
    spoken, about, where = {}, {BARS: page.about.text()}, page.tabs.geometry()
    for tab in (LADDER, ROOFLINE):
        press(window, "Ctrl+Shift+K")
        assert page.tabs.currentIndex() == tab
        assert not page.filter.isVisible()
        page.layout().activate()
        assert page.tabs.geometry() == where, "they stay below the pointer"
        spoken[tab], about[tab] = page.plots.accessibleDescription(), page.about.text()
    assert "Factors and percentages are relative to the first variant" in about[BARS]
    assert about[BARS].startswith(f"Fastest: {page.runs[-1].title} at ")
    assert f"{len(page.runs)}× the speed of {page.runs[0].title}" in about[LADDER]
    assert "slower than the previous variant" not in about[LADDER], "none is"
    assert about[ROOFLINE].startswith(f"Closest to its roof: {page.runs[-1].title}, ")
    assert "relative to the roof" in about[ROOFLINE]
    assert "Strided index: 5 µs" in spoken[LADDER]
    assert "2.00×" in spoken[LADDER]
    assert "% of the roof above it" in spoken[ROOFLINE]
    press(window, "Ctrl+Shift+K")
    assert page.tabs.currentIndex() == BARS


@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000), (1920, 1080)])
def test_the_heading_has_a_line_to_itself(window: MainWindow, qtbot: QtBot, size: tuple[int, int]) -> None:
    """Beside the controls it stood a word a line, where the launches to choose from are long."""
    window.resize(*size)
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    page = window.comparison
    come_to_rest(window)
    heading = next(label for label in page.findChildren(QLabel) if label.text() == page.title.partition(",")[0])
    assert heading.height() < 2 * heading.fontMetrics().height()
    assert heading.width() >= heading.fontMetrics().horizontalAdvance(heading.text())


def test_devices_are_no_ladder(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    window.comparison.tabs.setCurrentIndex(LADDER)
    press(window, "Ctrl+D")
    qtbot.waitUntil(lambda: window.comparison.runs[0].title == "GeForce 8800 GTX")
    assert not window.comparison.tabs.isTabVisible(LADDER)
    assert window.comparison.tabs.currentIndex() != LADDER
    window.comparison.tabs.setCurrentIndex(BARS)
    press(window, "Ctrl+Shift+K")
    assert window.comparison.tabs.currentIndex() == ROOFLINE


def test_kernels_that_are_no_steps_are_compared_by_their_times(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = window.session.catalogue
    monkeypatch.setattr(catalogue, "families", [replace(family, steps=0) for family in catalogue.families])
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    assert window.comparison.tabs.tabText(LADDER) == "Times"
    window.comparison.tabs.setCurrentIndex(LADDER)
    assert "5 µs" in window.comparison.ladder.accessibleDescription()
    assert "2.00×" not in window.comparison.ladder.accessibleDescription()
    assert "not steps of one optimisation" in window.comparison.about.text()


def test_the_roofline_is_exported_as_it_is_shown(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    window.comparison.tabs.setCurrentIndex(ROOFLINE)
    window.comparison.export_picture(tmp_path / "roofline.png")
    assert not QImage(str(tmp_path / "roofline.png")).isNull()


@pytest.mark.parametrize("tab", [BARS, LADDER, ROOFLINE])
def test_every_tab_is_exported_by_key_as_it_is_shown(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, tab: int
) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    window.comparison.tabs.setCurrentIndex(tab)
    window.dialogs.ask_save = lambda *_: tmp_path / "page.svg"  # type: ignore[method-assign]
    press(window, "Ctrl+Shift+E")
    text = (tmp_path / "page.svg").read_text(encoding="utf-8")
    assert "Strided index" in text
    assert "<svg" in text
    window.dialogs.ask_save = lambda *_: tmp_path / "page.png"  # type: ignore[method-assign]
    press(window, "Ctrl+Shift+E")
    picture = QImage(str(tmp_path / "page.png"))
    assert picture.width() == 2 * window.comparison.plots.width()


def test_earlier_runs_are_compared_without_running_anything(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+R")
    assert "only one run so far" in window.caption.text
    for kernel in ("reduction/strided_index", "reduction/interleaved"):
        window.session.choose(kernel)
        qtbot.waitUntil(lambda: not window.runner.busy)
    window.session.set_device("h200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    press(window, "Ctrl+R")
    assert window.pages.comparing
    kept = window.session.kept
    assert [run.counters for run in window.comparison.runs] == [run.counters for run in kept.runs]
    assert len(window.comparison.rows) == len(kept.runs)
    kept.chosen = kept.runs[-1].number
    press(window, "Ctrl+R")
    assert "NVIDIA H200" in window.comparison.runs[0].title


def test_keys_filter_sort_and_scroll_the_page(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    page = window.comparison
    first = [chart.key for chart in page.bars.charts]
    press(window, "S")
    press(window, "S")
    assert [chart.title for chart in page.bars.charts] == sorted((c.title for c in page.bars.charts), key=str.lower)
    assert "by name" in window.caption.text
    press(window, "S")
    assert [chart.key for chart in page.bars.charts] == first
    press(window, "/")
    qtbot.waitUntil(page.filter.hasFocus)
    page.filter.setText("barriers")
    assert [chart.key for chart in page.bars.charts] == ["barriers"]
    QTest.keyClick(page.filter, Qt.Key.Key_Escape)
    assert window.pages.comparing
    qtbot.waitUntil(page.area.hasFocus)
    page.filter.setText("s")
    window.resize(960, 540)
    window.staged.finish()
    qtbot.waitUntil(lambda: page.area.verticalScrollBar().maximum() > 0)
    QTest.keyClick(page.area, Qt.Key.Key_Down)
    assert page.area.verticalScrollBar().value() > 0
    page.area.verticalScrollBar().setValue(10_000)
    page.export_picture(tmp_path / "page.svg")
    text = (tmp_path / "page.svg").read_text(encoding="utf-8")
    assert all(chart.title in text for chart in page.bars.charts), "the part out of sight is exported as well"
    assert window.pages.comparing
    press(window, "Esc")
    assert not window.pages.comparing
    qtbot.waitUntil(window.central.hasFocus)


def test_a_run_under_way_comes_before_the_comparison(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.run
    window.session.set_device("h200")
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing, timeout=5000)
    assert window.session.run is not before


def test_the_plots_follow_the_theme_and_answer_the_pointer(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    page = window.comparison
    page.tabs.setCurrentIndex(LADDER)
    window.staged.finish()
    QApplication.processEvents()
    box = page.ladder.plot.vb.sceneBoundingRect()
    rows = len(page.ladder.rungs) + 1  # with the heading
    second = QPointF(box.left() + 5, box.top() + box.height() * 2.5 / rows)
    assert page.ladder.hover_at(second) == ladder_model.words(page.ladder.rungs[1])
    page.tabs.setCurrentIndex(ROOFLINE)
    QApplication.processEvents()
    view = page.roofline.plot.vb
    point = page.roofline.points[0]
    place = view.mapViewToScene(QPointF(math.log10(point.intensity), math.log10(point.place.rate)))
    assert page.roofline.hover_at(place) in {p.words for p in page.roofline.points}
    window.look.set_theme("dark")
    window.staged.finish()
    assert page.roofline.backgroundBrush().color() == window.look.theme.qcolor("panel")


@pytest.mark.usefixtures("painted")
def test_the_pointer_has_a_crosshair_over_every_plot(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    page = window.comparison
    page.bars.finish()
    for area in (page.bars, page.ladder, page.roofline):
        assert area.plots
        for plot in area.plots:
            area.pointer_moved(plot.vb.sceneBoundingRect().center())
            lines = [item for item in plot.vb.childGroup.childItems() if isinstance(item, pg.InfiniteLine)]
            assert [line.isVisible() for line in lines if line.pen.style() == Qt.PenStyle.DotLine] == [True, True]


@pytest.mark.parametrize(("device", "names"), [("8800gtx", []), ("h200", ["roof of the L2", "by the L2", "by DRAM"])])
def test_a_legend_of_the_roofline_names_its_marks_where_there_are_several_kinds(
    stand: Stand, device: str, names: list[str]
) -> None:
    runs = stand.backend.measure([("a run", replace(stand.setup, device=device))], lambda *_: None)
    roofline = stand.w.comparison.roofline
    roofline.show_points(points(runs, Operations.INTEGER), Operations.INTEGER)
    assert [label.text for _, label in roofline.plot.legend.items] == names


def test_a_wheel_zooms_the_roofline_and_never_the_names(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing)
    plot = window.comparison.roofline.plot
    assert plot.vb.mouseEnabled() == [True, True]
    assert window.comparison.ladder.plot.vb.mouseEnabled() == [True, False]


def test_every_bar_plot_has_its_place_and_size_in_the_turn_in_which_it_is_made(look: Look, qtbot: QtBot) -> None:
    runs = [Measured(f"kernel {n}", "k", "h200", {**run_of().counters, "cycles": 9 - n}) for n in range(3)]
    scroll, area = QScrollArea(), BarsArea(look)
    scroll.setWidget(area)
    scroll.setWidgetResizable(True)
    scroll.resize(1000, 500)
    qtbot.addWidget(scroll)
    with qtbot.waitExposed(scroll):
        scroll.show()
    area.show_charts(charts(runs, "memory", 0))
    while len(area.plots) < len(area.charts):
        QApplication.processEvents()
        boxes = [plot.sceneBoundingRect() for plot in area.plots]
        assert len({round(box.height()) for box in boxes}) <= 1, boxes
        assert not any(one.adjusted(1, 1, -1, -1).intersects(other) for one, other in combinations(boxes, 2)), boxes
    assert len({round(box.top()) for box in boxes}) > 1, "all in one row"


def test_long_titles_do_not_push_the_figures_out_of_sight(look: Look, qtbot: QtBot) -> None:
    names = ("Blelloch with padding", "A scan of any length in three launches")
    runs = [Measured(name, "k", "h200", {**run_of().counters, "cycles": 9 - n}) for n, name in enumerate(names)]
    area = BarsArea(look)
    qtbot.addWidget(area)
    columns = set()
    for width in range(400, 1300, 60):
        area.resize(width, 600)
        area.show_charts(charts(runs, "bytes", 0))
        area.finish()
        columns.add(len({round(plot.sceneBoundingRect().left()) for plot in area.plots}))
        assert max(plot.getAxis("right").sceneBoundingRect().right() for plot in area.plots) <= width
    assert columns >= {1, 2}
    assert "Bytes requested by global loads" in [chart.heading for chart in area.charts]
