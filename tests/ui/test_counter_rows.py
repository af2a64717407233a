"""Rows of the counter table: pinned on top, and compared with the run before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui.fakes import FakeBackend
from ui.test_keys import press

from warpview.ui.drafts import Drafts
from warpview.ui.main_window import MainWindow
from warpview.ui.theme import Look
from warpview.ui.views.counters_table import EARLIER, NAME, PIN, SO_FAR


@pytest.fixture
def table(window: MainWindow) -> MainWindow:
    window.resize(1280, 720)
    window.commands.zoom(window.counters)
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
    name = _names(table)[2]
    view = table.counters.list
    place = view.visualRect(view.model().index(2, NAME)).center()
    view.customContextMenuRequested.emit(QPoint(place))
    menu = next(m for m in table.counters.findChildren(QMenu) if m.actions())
    assert menu.actions()[0].text() == f"Pin on top: {name}"
    menu.actions()[0].trigger()
    menu.close()
    assert _names(table)[0] == f"{PIN} {name}"
    view.customContextMenuRequested.emit(QPoint(5, 10_000))


def test_pins_are_remembered(
    table: MainWindow, qtbot: QtBot, look: Look, settings: QSettings, backend: FakeBackend, tmp_path: Path
) -> None:
    table.counters.toggle_pin("barriers")
    table.close()
    again = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings)
    assert again.counters.pins == ("barriers",)
    again.close()
    again.deleteLater()


def test_the_run_before_stands_beside_with_the_difference(table: MainWindow, qtbot: QtBot) -> None:
    assert table.counters.list.isColumnHidden(EARLIER)
    first = table.session.run.counters["divergent_branches"]
    assert first
    table.session.choose("reduction/strided")
    qtbot.waitUntil(lambda: not table.runner.busy)
    table.counters.flush()
    assert not table.counters.list.isColumnHidden(EARLIER)
    row = next(r for r in table.counters.table.rows if r.counter.key == "divergent_branches")
    assert row.earlier == first
    percent = 100 * (row.launch - first) / first
    assert row.from_earlier.endswith(f"{abs(percent):.0f} %" if abs(percent) >= 0.5 else "=")
    model = table.counters.list.model()
    assert any(model.index(n, EARLIER).data() == row.from_earlier for n in range(model.rowCount()))
