"""One launch of several in sequence is stepped through, and counters cover all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.backend import OPENING
from ui.stand import Stand
from ui.test_keys import press

from warpview.sim.launch import Cancelled
from warpview.ui.main_window import MainWindow
from warpview.ui.session.backend import Setup
from warpview.ui.session.engine import Engine
from warpview.ui.views.counters.counters_table import LAUNCH, NAME, SERIES


@pytest.fixture
def series(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.session.choose("scan/device_wide")  # blocks, their sums, and what came before each block
    qtbot.waitUntil(lambda: not window.runner.busy)
    return window


def _settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.busy)


def test_a_single_launch_offers_no_choice(window: MainWindow) -> None:
    assert not window.launch_bar.launch.isVisible()
    press(window, "Ctrl+Right")
    assert "single launch" in window.caption.text
    window.counters.ensure_built()  # as when it comes into sight
    assert window.counters.list.isColumnHidden(SERIES)


def test_launches_are_chosen_in_the_bar(series: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    box = series.launch_bar.launch
    assert box.isVisible()
    assert [box.itemText(n) for n in range(box.count())] == ["launch 1 of 3", "launch 2 of 3", "launch 3 of 3"]
    assert box.itemData(1, Qt.ItemDataRole.ToolTipRole).startswith("scan_blocks, grid 1, block 4")
    box.activated.emit(2)
    _settle(series, qtbot)
    assert stand.backend.traced[-1].traced == 2
    assert series.session.run.part.index == 2
    assert box.currentIndex() == 2


def test_launches_are_chosen_by_key(series: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    for _ in range(2):
        press(series, "Ctrl+Right")
        _settle(series, qtbot)
    assert stand.backend.traced[-1].traced == 2
    press(series, "Ctrl+Right")
    assert "last of 3 launches" in series.caption.text
    press(series, "Ctrl+Left")
    _settle(series, qtbot)
    assert stand.backend.traced[-1].traced == 1
    series.session.choose(OPENING)
    _settle(series, qtbot)
    assert (stand.backend.traced[-1].variant, stand.backend.traced[-1].traced) == (OPENING, 0)
    assert not series.launch_bar.launch.isVisible()


def test_the_bar_shows_the_shape_of_the_chosen_launch(series: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    bar = series.launch_bar
    series.session.set_traced(1)
    _settle(series, qtbot)
    assert (bar.grid.text(), bar.block.text()) == ("1", "4")
    press(series, "F5")
    _settle(series, qtbot)
    assert (stand.backend.traced[-1].grid, stand.backend.traced[-1].block) == ((4, 1, 1), (64, 1, 1))
    bar.block.setText("8")
    press(series, "F5")
    _settle(series, qtbot)
    assert (stand.backend.traced[-1].grid, stand.backend.traced[-1].block) == ((4, 1, 1), (8, 1, 1))
    assert (bar.grid.text(), bar.block.text()) == ("1", "8")


def test_the_counters_of_all_launches_stand_beside(series: MainWindow, qtbot: QtBot) -> None:
    of_each = []
    for k in range(3):
        series.session.set_traced(k)
        _settle(series, qtbot)
        of_each.append(series.session.run.counters["inst_executed"])
    series.view_commands.zoom(series.counters)
    series.counters.flush()
    view = series.counters.list
    assert not view.isColumnHidden(SERIES)
    model = view.model()
    for row in range(model.rowCount()):
        if model.index(row, NAME).data() == "Warp instructions":
            launch, total = (int(model.index(row, c).data().replace("\u202f", "")) for c in (LAUNCH, SERIES))
            assert (launch, total) == (of_each[-1], sum(of_each))
            return
    raise AssertionError("no row of warp instructions")


def test_the_engine_traces_the_launch_that_is_asked_for() -> None:
    engine = Engine()
    variant = next(v for f in engine.families() for v in f.variants if v.key == "scan/device_wide")
    preset = variant.presets[0]
    assert len(preset.launches) == 3
    assert preset.launches[1].grid != preset.launches[0].grid
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, "8800gtx").with_preset(preset)
    kernels = []
    for k in range(3):
        run = engine.trace(replace(setup, traced=k), lambda *_: True)
        assert run.part is not None
        assert (run.part.index, run.part.count) == (k, 3)
        assert run.trace is not None
        kernels.append(run.program.kernel)
    assert len(set(kernels)) > 1
    with pytest.raises(Cancelled):
        engine.trace(setup, lambda *_: False)
