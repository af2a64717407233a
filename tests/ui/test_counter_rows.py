"""Rows of the counter table are pinned on top, and compared with the run before."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QProxyStyle, QStyle
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend
from ui.rest import come_to_rest
from ui.stand import Stand
from ui.test_keys import press

from warpview.ui.drawing.app_style import CELL_MARGIN
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.views.counters import counter_series, counters_table
from warpview.ui.views.counters.counters_model import CountersSoFar, broken
from warpview.ui.views.counters.counters_table import EARLIER, END, NAME, PIN, SO_FAR, SPARK
from warpview.ui.views.counters.key_counters import KeyCountersView


@pytest.fixture
def table(window: MainWindow) -> MainWindow:
    window.resize(1280, 720)
    window.staged.finish()
    window.view_commands.zoom(window.counters)
    window.counters.flush()
    return window


def _names(window: MainWindow) -> list[str]:
    model = window.counters.list.model()
    return [str(model.index(row, NAME).data()) for row in range(model.rowCount())]


def test_a_key_pins_the_selected_counter_and_lets_it_go(table: MainWindow) -> None:
    before = _names(table)
    press(table, "T")
    assert "Click a counter first" in table.caption.text
    table.selection.update(counter="barriers")
    press(table, "T")
    assert _names(table)[0] == f"{PIN} Block barriers"
    assert sorted(_names(table)[1:]) == sorted(set(before) - {"Block barriers"})
    press(table, "T")
    assert _names(table) == before


def test_pinned_rows_stay_on_top_whichever_way_one_sorts(table: MainWindow) -> None:
    table.counters.set_pins(["barriers", "no such counter"])
    assert table.counters.pins == ("barriers",)
    for order in Qt.SortOrder:
        table.counters.list.sortByColumn(SO_FAR, order)
        assert _names(table)[0].startswith(PIN)
        assert not _names(table)[1].startswith(PIN)


def test_the_right_button_offers_to_pin(table: MainWindow) -> None:
    title, name = "Predicated-on thread instructions", "Predicated on"
    assert _names(table)[2] == name
    view = table.counters.list
    place = view.visualRect(view.model().index(2, NAME)).center()
    view.customContextMenuRequested.emit(QPoint(place))
    menu = next(m for m in table.counters.findChildren(QMenu) if m.parent() is table.counters and m.actions())
    assert menu.actions()[0].text() == f"Pin at the top: {title}"
    menu.actions()[0].trigger()
    menu.close()
    assert _names(table)[0] == f"{PIN} {name}"
    view.customContextMenuRequested.emit(QPoint(5, 10_000))


def test_pins_are_remembered(
    own_window: MainWindow, look: Look, settings: QSettings, backend: RealBackend, tmp_path: Path
) -> None:
    own_window.counters.toggle_pin("barriers")
    own_window.close()
    again = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings)
    assert again.counters.pins == ("barriers",)
    again.close()
    again.deleteLater()


def test_the_run_before_stands_beside_with_the_difference(table: MainWindow, qtbot: QtBot) -> None:
    assert table.counters.list.isColumnHidden(EARLIER)
    first = table.session.run.counters["divergent_branches"]
    assert first
    table.session.choose("reduction/strided_index")
    qtbot.waitUntil(lambda: not table.runner.busy)
    table.counters.flush()
    assert not table.counters.list.isColumnHidden(EARLIER)
    row = next(r for r in table.counters.table.rows if r.counter.key == "divergent_branches")
    assert row.earlier == first
    percent = 100 * (row.launch - first) / first
    equal = "=" if percent == 0 else "≈"
    assert row.from_earlier.endswith(f"{abs(percent):.0f} %" if abs(percent) >= 0.5 else equal)
    model = table.counters.list.model()
    assert any(model.index(n, EARLIER).data() == row.from_earlier for n in range(model.rowCount()))
    counter = table.counters.list.model().headerData(EARLIER, Qt.Orientation.Horizontal)
    assert counter == f"vs {table.session.kept.baseline.distinction_from(table.session.kept.now)}"


def _choose(window: MainWindow, qtbot: QtBot, kernel: str) -> None:
    window.session.choose(kernel)
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.counters.flush()


def test_a_menu_chooses_the_earlier_run_and_the_choice_stays(table: MainWindow, qtbot: QtBot) -> None:
    view, kept = table.counters, table.session.kept
    first, number = dict(kept.runs[0].counters), kept.runs[0].number
    _choose(table, qtbot, "reduction/strided_index")
    press(table, "Y")
    menu = next(m for m in view.baseline.findChildren(QMenu) if m.isVisible())
    words = [action.text() for action in menu.actions() if action.text()]
    assert words[0] == "The previous run"
    assert "(shown now)" in words[1]
    assert kept.runs[0].title in words[2]
    next(a for a in menu.actions() if a.text() == words[2]).trigger()
    menu.close()
    assert kept.chosen == number
    table.session.set_device("h200")
    qtbot.waitUntil(lambda: not table.runner.busy)
    view.flush()
    assert kept.baseline is not None
    assert kept.baseline.number == number
    assert all(row.earlier == first.get(row.counter.key) for row in view.table.rows)
    head = view.table.headerData(EARLIER, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert kept.runs[0].title in head
    view.compare_with(None)
    assert kept.baseline is kept.runs[-2]


def test_no_name_is_cut_and_columns_go_first(table: MainWindow, qtbot: QtBot) -> None:
    _choose(table, qtbot, "reduction/strided_index")
    view = table.counters
    for width in (1200, 420, 300):
        view.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: view.width() == width)  # type: ignore[misc]
        room, metrics = view.list.columnWidth(NAME), view.list.fontMetrics()
        assert all(metrics.horizontalAdvance(view.table.name(row)) <= room for row in view.table.rows)
        assert view.list.isColumnHidden(SPARK) == (width < 1200)
        assert view.list.isColumnHidden(END) == (width < 420)
        assert not view.list.isColumnHidden(SO_FAR)


def test_a_counter_selected_elsewhere_is_scrolled_to_and_found_behind_a_filter(table: MainWindow) -> None:
    view = table.counters
    view.filter.setText("block barriers")
    table.selection.update(counter="atomic_collisions")  # of which there are none
    table.presenter.present()
    view.flush()
    assert view.filter.text() == ""
    last = view.list.model().rowCount() - 1
    table.selection.update(counter=view.table.shown[last].counter.key)
    table.presenter.present()
    view.flush()
    box = view.list.visualRect(view.list.model().index(last, NAME))
    assert view.list.viewport().rect().contains(box.center())
    assert not view.grab().isNull()


def test_no_heading_is_cut_where_the_type_grows(table: MainWindow, qtbot: QtBot) -> None:
    _choose(table, qtbot, "matmul/tiled")
    view, header = table.counters, table.counters.list.horizontalHeader()
    table.session.set_device("h200")
    qtbot.waitUntil(lambda: not table.runner.busy)
    for factor in (1.2, 1.8):
        view.look.magnify(factor)
        come_to_rest(table)
        for column in (column for column in range(header.count()) if not view.list.isColumnHidden(column)):
            text = view.table.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            assert header.fontMetrics().horizontalAdvance(text) <= view.list.columnWidth(column), text


def test_rows_are_as_high_as_the_lines_that_are_painted(table: MainWindow) -> None:
    view = table.counters
    for percent in range(100, 205, 5):
        view.look.magnify(percent / 100)
        come_to_rest(table)
        metrics, room = QFontMetricsF(view.look.font()), view.list.columnWidth(NAME) - 2 * CELL_MARGIN
        lines = [len(broken(view.table.name(row), room, metrics.horizontalAdvance)) for row in view.table.rows]
        assert max(lines) * round(metrics.height()) <= view.list.row_height, percent


def test_keys_sort_filter_and_choose_counters(table: MainWindow, qtbot: QtBot) -> None:
    view = table.counters
    own = _names(table)
    press(table, "S")
    values = [view.table.now[view.table.shown[n].counter.key] or -1.0 for n in range(5)]
    assert values == sorted(values, reverse=True)
    assert "so far" in table.caption.text
    while view.list.horizontalHeader().sortIndicatorSection() >= 0:
        press(table, "S")
    assert _names(table) == own
    press(table, "I")
    assert table.selection.now.counter == view.table.shown[0].counter.key
    press(table, "Shift+I")
    assert table.selection.now.counter == view.table.shown[len(own) - 1].counter.key
    press(table, "/")
    qtbot.waitUntil(view.filter.hasFocus)
    view.filter.setText("no such counter")
    assert view.select_next(True) is None
    assert table.workspace.zoomed is view
    QTest.keyClick(view.filter, Qt.Key.Key_Escape)
    assert table.workspace.zoomed is view, "Esc leaves the field first"
    assert not view.filter.hasFocus()
    press(table, "Esc")
    assert table.workspace.zoomed is None


def test_profilers_names_take_two_lines_where_there_is_no_room_for_one(table: MainWindow, qtbot: QtBot) -> None:
    view = table.counters
    view.setFixedWidth(430)
    qtbot.waitUntil(lambda: view.width() == 430)
    one = view.list.verticalHeader().defaultSectionSize()
    view.names.setCurrentIndex(1)
    assert view.list.verticalHeader().defaultSectionSize() > 1.5 * one
    assert not view.grab().isNull()
    view.names.setCurrentIndex(0)
    assert view.list.verticalHeader().defaultSectionSize() == one


def test_in_a_small_window_the_table_stays_in_front_while_counters_are_chosen(window: MainWindow) -> None:
    window.actions_["everything"].trigger()
    window.resize(960, 540)
    window.staged.finish()
    press(window, "D")
    assert not window.counters.isVisible()
    press(window, "I")
    window.presenter.present()
    assert window.counters.isVisible()
    press(window, "I")
    window.presenter.present()
    assert window.counters.isVisible()
    press(window, "D")
    window.presenter.present()
    assert not window.counters.isVisible()


@pytest.fixture
def unsampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the samples of runs that other tests have shown."""
    monkeypatch.setattr(counter_series, "samples_of_traces", WeakKeyDictionary())


def test_two_views_and_a_second_visit_have_the_samples_that_were_taken(
    window: MainWindow, stand: Stand, qtbot: QtBot, unsampled: None
) -> None:
    views = window.counters.table, window.workspace.views["key_counters"]

    def shown_on(device: str) -> list[dict[str, list[float]]]:
        before = views[0].samples.values
        window.session.set_device(device)
        stand.settle()
        window.counters.ensure_built()  # as when it comes into sight
        for view in views:
            qtbot.waitUntil(lambda view=view: view.samples.values is not before)
            qtbot.waitUntil(lambda view=view: view.samples.complete and not view.samples.active)
        return [view.samples.values for view in views]

    first, other, again = shown_on("h200"), shown_on("c2050"), shown_on("h200")
    assert first[0] is first[1] is again[0] is again[1]
    assert other[0] is not first[0]
    assert {len(values) for values in first[0].values()} == {len(views[0].samples.steps)}


def test_nothing_is_sampled_behind_a_tab(window: MainWindow, qtbot: QtBot, unsampled: None) -> None:
    window.actions_["everything"].trigger()
    window.staged.finish()
    window.workspace.raise_view("timeline")
    window.session.set_device("h200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    samples = window.counters.table.samples
    qtbot.waitUntil(lambda: not samples.active)
    assert not samples.values
    window.workspace.raise_view("counters")
    qtbot.waitUntil(lambda: len(samples.values.get("inst_executed", ())) > 10)
    qtbot.waitUntil(lambda: not samples.active)


def test_a_step_announces_only_the_cells_that_look_different(table: MainWindow, qtbot: QtBot) -> None:
    view = table.counters
    qtbot.waitUntil(lambda: not view.table.samples.active)
    table.player.go(5)
    table.presenter.present()
    view.flush()
    before = {row.counter.key: (view.table.now.get(row.counter.key), view.table.is_fresh(row.counter.key))
              for row in view.table.shown}  # fmt: skip
    painted: set[tuple[int, int]] = set()
    view.table.dataChanged.connect(lambda first, last: painted.add((first.row(), first.column())))
    table.player.step_any(True)
    table.presenter.present()
    view.flush()
    now = {row.counter.key: (view.table.now.get(row.counter.key), view.table.is_fresh(row.counter.key))
           for row in view.table.shown}  # fmt: skip
    different = {n for n, row in enumerate(view.table.shown) if before[row.counter.key] != now[row.counter.key]}
    lit = {n for n, row in enumerate(view.table.shown) if before[row.counter.key][1] != now[row.counter.key][1]}
    assert 0 < len(lit) < len(different) < len(now)
    assert painted == {(n, SO_FAR) for n in different} | {(n, NAME) for n in lit}


def test_what_is_out_of_sight_is_not_computed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten rows are in sight of a table in the corner of the window; the others are computed when they come."""
    view = window.counters
    window.resize(1280, 720)
    window.staged.finish()
    window.workspace.toggle_everything()
    window.workspace.raise_view("counters")
    come_to_rest(window)
    qtbot.waitUntil(lambda: not view.table.samples.active)
    computed: set[str] = set()
    compute = CountersSoFar.__getitem__
    monkeypatch.setattr(CountersSoFar, "__getitem__", lambda now, key: (computed.add(key), compute(now, key))[1])
    window.player.go(60)
    come_to_rest(window)
    rows = view.table.shown
    seen = [rows[n].counter.key for n in view.list.rows_across(view.list.viewport().rect())]
    last, key = max((n, row.counter.key) for n, row in enumerate(rows) if row.end is not None)
    assert 0 < len(seen) < len(rows) / 2
    assert set(seen) <= computed
    assert key not in computed
    view.list.scrollTo(view.table.index(last, SO_FAR))
    view.list.grab()
    assert key in computed


def test_the_curves_over_the_run_are_a_plot_beside_the_rows(table: MainWindow, qtbot: QtBot) -> None:
    view = table.counters
    series, box = view.list.series, view.list.series.plot.vb
    qtbot.waitUntil(lambda: not view.table.samples.active and series.isVisible())
    table.player.go(60)
    table.presenter.present()
    view.flush()
    come_to_rest(table)
    steps = table.session.run.trace.steps
    row = view.table.row_of("inst_executed")
    assert row is not None
    middle = view.list.rowViewportPosition(row) + view.list.row_height / 2
    place = box.mapViewToScene(QPointF(steps, row + 0.5))
    assert place.y() == pytest.approx(middle, abs=2), "the curve lies in the row of its counter"
    assert "Warp instructions, step" in series.hover_at(place - QPointF(3, 0))
    x, y = series.curves.getData()
    count = len(view.table.samples.steps)
    curve = y[row * (count + 1) :][:count]
    assert row + 1 > curve[0] > curve[-1] > row, "it grows, upwards, within its row"
    assert np.nanmax(x) == steps
    QTest.mouseClick(series.viewport(), Qt.MouseButton.LeftButton, pos=series.mapFromScene(place - QPointF(30, 0)))
    assert table.selection.now.counter == "inst_executed"
    box.scaleBy(x=0.25)
    assert box.viewRange()[0][1] - box.viewRange()[0][0] == pytest.approx(steps / 4, rel=0.01)
    bar = view.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    last = view.table.rowCount() - 1
    middle = view.list.rowViewportPosition(last) + view.list.row_height / 2
    assert box.mapViewToScene(QPointF(0, last + 0.5)).y() == pytest.approx(middle, abs=2), "it scrolls with the rows"


def test_the_table_is_sorted_anew_as_values_change(table: MainWindow) -> None:
    view = table.counters
    view.list.sortByColumn(SO_FAR, Qt.SortOrder.DescendingOrder)
    for step in (3, 60, 150):
        table.player.go(step)
        table.presenter.present()
        view.flush()
        values = [float(view.table.now.get(row.counter.key) or 0) for row in view.table.shown if row.end is not None]
        assert values == sorted(values, reverse=True)


def test_in_a_narrow_panel_names_have_the_room_and_rows_the_height_that_they_need(
    table: MainWindow, qtbot: QtBot
) -> None:
    _choose(table, qtbot, "reduction/strided_index")
    view = table.counters
    heights = {}
    for width, kind in ((330, 0), (200, 0), (600, 1), (270, 1)):
        view.names.setCurrentIndex(kind)
        view.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: view.width() == width)  # type: ignore[misc]
        heights[width] = view.list.verticalHeader().defaultSectionSize()
        metrics, room = QFontMetricsF(view.look.font()), view.list.columnWidth(NAME) - 2 * CELL_MARGIN
        measure = metrics.horizontalAdvance
        lines = [broken(view.table.name(row), room, measure) for row in view.table.shown]
        assert max(map(len, lines)) * view.list.fontMetrics().height() <= heights[width]
        assert all(measure(line.rstrip()) <= room for name in lines for line in name)
        assert view.names.isHidden() == (width < 290), "a choice of which one sees a part is no choice"
    two = 2 * view.list.fontMetrics().height()
    assert heights[330] < two <= heights[600] <= heights[270]


def test_the_table_returns_to_where_it_was_when_no_counter_is_selected_any_more(table: MainWindow) -> None:
    """As after a lesson, whose page selects a counter."""
    view, bar = table.counters, table.counters.list.verticalScrollBar()

    def select(key: str | None) -> None:
        table.selection.update(counter=key)
        table.presenter.present()
        view.flush()

    assert bar.maximum() > 0
    last = view.table.shown[-1].counter.key
    select(last)
    assert bar.value() > 0
    select(None)
    assert bar.value() == 0
    select(last)
    bar.setValue(1)  # by the user, who is left alone
    select(None)
    assert bar.value() == 1


def test_the_curves_of_the_key_counters_lie_in_their_tiles_and_hide_with_the_answer(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = window.workspace.views["key_counters"]
    assert isinstance(view, KeyCountersView)
    window.resize(1600, 1000)
    window.staged.finish()
    qtbot.waitUntil(lambda: view.samples.complete and view.curves.xData is not None and view.curves.xData.size > 0)
    picture = view.canvas.picture
    assert picture is not None
    tiles = [region.box for region in picture.hit_regions]
    drawn = np.column_stack([view.curves.xData, view.curves.yData])
    lines = np.split(drawn, np.flatnonzero(np.isnan(drawn[:, 0])) + 1)[: len(tiles)]
    for tile, line in zip(tiles, lines, strict=True):
        points = line[np.isfinite(line[:, 0])]
        assert len(points) == len(view.samples.steps)
        assert all(tile.holds(x, y) for x, y in points)
    window.presenter.set_predicting(True)
    window.presenter.present()
    view.flush()
    assert view.curves.xData.size == 0
    window.presenter.set_predicting(False)
    window.presenter.present()
    view.flush()
    assert view.curves.xData.size == len(drawn)


def test_a_cell_is_painted_in_its_own_type_and_without_the_style(
    table: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The style asks for each part of a cell, and wrote bold numbers in plain type."""
    by_style: list[QStyle.ControlElement | QStyle.PrimitiveElement] = []

    class Asked(QProxyStyle):
        def drawControl(self, element: QStyle.ControlElement, *rest: Any) -> None:  # noqa: N802
            by_style.append(element)

        def drawPrimitive(self, element: QStyle.PrimitiveElement, *rest: Any) -> None:  # noqa: N802
            by_style.append(element)

    style, view = Asked(), table.counters.list
    view.setStyle(style)
    come_to_rest(table)
    view.scrollToTop()
    number = view.visualRect(view.model().index(0, SO_FAR))
    assert view.viewport().rect().contains(number), (number, view.viewport().rect(), view.model().rowCount())

    def ink() -> int:
        picture = view.viewport().grab(number).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        values = np.frombuffer(picture.constBits(), np.uint8).astype(int)
        return int((abs(values - np.bincount(values).argmax()) > 64).sum())

    bold = ink()
    view.setStyle(table.style())
    assert by_style == []
    plain = counters_table.TableCell._replace
    monkeypatch.setattr(
        counters_table.CounterModel, "cell",
        lambda model, *place, really=counters_table.CounterModel.cell: plain(really(model, *place), role="text"),
    )  # fmt: skip
    assert 0 < ink() < bold
