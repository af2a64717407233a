"""The mouse does what the keys do, and links lead from view to view."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from ui.backend import NEIGHBOUR, OPENING, source_of
from ui.rest import come_to_rest
from ui.stand import WAIT_MS, Stand, place_in_history
from ui.view_texts import texts_of

from warpview.trace.frame import Mark
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.arguments_dialog import ArgumentsDialog
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.panels.history_plot import HistoryPlot
from warpview.ui.session import comparison_setups
from warpview.ui.session.landing import Landing

LEFT = Qt.MouseButton.LeftButton


def click(widget: QWidget, place: QPoint | QPointF | None = None) -> None:
    point = place.toPoint() if isinstance(place, QPointF) else place or widget.rect().center()
    QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, point)


def test_transport_buttons(window: MainWindow) -> None:
    buttons = window.transport.buttons
    click(buttons["next"])
    click(buttons["next"])
    assert window.selection.now.step > 1
    click(buttons["previous"])
    assert window.selection.now.step == 1
    click(buttons["last"])
    assert window.selection.now.step == window.session.run.trace.steps
    click(buttons["first"])
    assert window.selection.now.step == 0
    click(buttons["play"])
    assert window.player.playing
    click(buttons["play"])
    assert not window.player.playing


def mark_at(bar: HistoryBar, y: int) -> Mark | None:
    row = bar.row_at(y)
    return row.mark if row is not None else None


def test_history_is_clicked_and_dragged(window: MainWindow) -> None:
    bar = window.history
    QTest.mousePress(bar.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place_in_history(bar, 400).toPoint())
    assert abs(window.selection.now.step - 400) < 12
    QTest.mouseMove(bar.viewport(), place_in_history(bar, 200).toPoint())
    QTest.mouseRelease(bar.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place_in_history(bar, 200).toPoint())
    event = window.session.run.trace.event(window.selection.now.step)
    assert window.selection.now.key == (event.block, event.warp)


def test_the_history_lies_where_its_steps_are_looked_for(qtbot: QtBot, window: MainWindow) -> None:
    """At once, and not only after the next layout: the names at the left take room."""
    bar = HistoryBar(window.look)
    qtbot.addWidget(bar)
    bar.resize(800, 46)
    bar.set_run(None)  # no names, no room for them
    bar.set_run(window.session.run)
    (box,) = [plot.vb.sceneBoundingRect() for plot in bar.scene().items() if isinstance(plot, HistoryPlot)][-1:]
    whole = bar.stretches()[0]
    assert (box.left(), box.right()) == pytest.approx((whole.left, whole.right), abs=1.0)


def test_a_mark_in_the_history_is_hit_exactly(window: MainWindow) -> None:
    step = window.session.run.trace.find(300, Mark.DIVERGENCE)
    bar = window.history
    y = next(y for y in range(bar.height()) if mark_at(bar, y) == Mark.DIVERGENCE)
    click(bar.viewport(), QPoint(round(place_in_history(bar, step).x()) + 2, y + 2))
    assert window.session.run.trace.event(window.selection.now.step).marks & Mark.DIVERGENCE


def test_the_steps_around_now_of_a_long_run_stand_still_while_they_are_dragged(
    window: MainWindow, qtbot: QtBot
) -> None:  # fmt: skip
    window.session.choose("matmul/tiled")
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    bar = window.history
    bar.setFixedWidth(240)
    window.player.go(700)
    window.presenter.present()
    _whole, lens = bar.stretches()
    assert lens.first <= 700 <= lens.first + lens.steps
    there = QPoint(round(lens.x(lens.first + 3)), 2)
    assert f"{lens.first + 3}" in bar.words_at(there)
    QTest.mousePress(bar.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, there)
    window.presenter.present()
    assert bar.stretches()[1] == lens
    QTest.mouseMove(bar.viewport(), QPoint(round(lens.x(lens.first + 16)), 2))
    window.presenter.present()
    assert bar.stretches()[1] == lens
    assert window.selection.now.step == lens.first + 16
    QTest.mouseRelease(bar.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, there)
    assert bar.stretches()[1] != lens
    assert not bar.grab().isNull()


def test_a_finding_runs_through_all_rows_with_its_sign(window: MainWindow, qtbot: QtBot) -> None:
    bar = window.history
    window.session.show("mistakes/bins_not_cleared", "h200", None, Landing())
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    run = window.session.run
    window.presenter.present()
    found = run.trace.find(0, Mark.FINDING)
    picture = bar.grab().toImage()
    x, red = round(place_in_history(bar, found).x()), window.look.theme.qcolor("error")

    def red_at(y: int) -> bool:
        here = [picture.pixelColor(x + dx, y) for dx in (-1, 0, 1)]
        return any(abs(c.hue() - red.hue()) < 15 and c.saturation() > 40 for c in here)

    marks = run.trace.event(found).marks
    rows = {mark_at(bar, y) for y in range(5, bar.height() - 5)} - {None}
    assert Mark.FINDING in rows
    passed = [mark for mark in rows if mark == Mark.FINDING or not mark & marks]  # other events stand before the line
    assert len(passed) >= 2
    for mark in passed:
        heights = [y for y in range(5, bar.height() - 5) if mark_at(bar, y) == mark]
        assert sum(map(red_at, heights)) > 0.6 * len(heights), mark
    assert mark_at(bar, 5) == Mark.FINDING
    window.session.show(OPENING, "h200", None, Landing())
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    window.presenter.present()
    assert mark_at(bar, 5) != Mark.FINDING


def test_the_wheel_scrubs_the_history_and_the_pointer_is_told_what_is_there(window: MainWindow) -> None:
    bar, trace = window.history, window.session.run.trace
    window.player.go(100)
    window.presenter.present()
    place = QPointF(place_in_history(bar, 100))

    def turn(delta: int) -> None:
        event = QWheelEvent(
            place, bar.mapToGlobal(place), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(bar.viewport(), event)

    pace = max(1, round(trace.steps / bar.width()))
    turn(-120)
    turn(-120)
    on = window.selection.now.step - 100
    assert 2 * pace <= on <= 4 * pace
    turn(120)
    assert window.selection.now.step - 100 == on // 2
    y = next(y for y in range(bar.height()) if mark_at(bar, y) == Mark.DIVERGENCE) + 2
    step = trace.find(0, Mark.DIVERGENCE)
    assert "D jumps to the next" in bar.words_at(QPoint(round(place_in_history(bar, step).x()), y))
    assert "divergent branches in" in bar.words_at(QPoint(2, y))
    assert bar.words_at(QPoint(round(place_in_history(bar, 0).x()), 1)).startswith("Step 0")
    bar.set_hidden(True)
    assert bar.words_at(place_in_history(bar, trace.steps).toPoint()) == "P reveals what comes from here on"
    assert bar.words_at(QPoint(round(place_in_history(bar, 0).x()), 1)).startswith("Step 0")
    bar.set_hidden(False)
    window.player.bookmark("here")
    window.presenter.present()
    assert "Bookmark: here" in bar.words_at(place_in_history(bar, window.selection.now.step).toPoint())
    assert not bar.grab().isNull()


def test_a_click_on_a_line_selects_it_and_its_instructions(window: MainWindow) -> None:
    editor = window.source.editor
    box = editor.blockBoundingGeometry(editor.document().findBlockByNumber(12)).translated(editor.contentOffset())
    click(editor.viewport(), QPointF(60, box.center().y()))
    assert window.selection.now.line == 13
    window.presenter.present()
    window.workspace.raise_view("instructions")
    instructions = window.workspace.views["instructions"]
    instructions.flush()
    assert any("ld.shared" in text for text in texts_of(instructions))
    assert not editor.hasFocus()


def test_a_click_on_a_line_number_is_a_breakpoint(window: MainWindow) -> None:
    editor = window.source.editor
    box = editor.blockBoundingGeometry(editor.document().findBlockByNumber(7)).translated(editor.contentOffset())
    margin = editor.margin
    click(margin, QPointF(editor.margin.badge_width + 8, box.center().y()))
    assert window.selection.now.breakpoints == {8}
    click(margin, QPointF(editor.margin.badge_width + 8, box.center().y()))
    assert window.selection.now.breakpoints == frozenset()


def test_a_click_on_a_badge_selects_the_warp(window: MainWindow) -> None:
    window.player.jump(Mark.DIVERGENCE, "divergence", True)
    window.presenter.present()
    window.source.flush()
    editor = window.source.editor
    badge = next(badge for badge in editor.marks.badges if badge.warp not in (None, window.selection.now.warp))
    block = editor.document().findBlockByNumber(badge.line - 1)
    box = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
    click(editor.margin, QPointF(10, box.center().y()))
    assert window.selection.now.warp == badge.warp


def test_a_click_on_a_counter_colours_the_source(window: MainWindow) -> None:
    window.presenter.present()
    window.counters.flush()
    table = window.counters.list
    row = next(n for n in range(table.model().rowCount()) if table.model().index(n, 0).data() == "Divergent branches")
    click(table.viewport(), table.visualRect(table.model().index(row, 0)).center())
    assert window.selection.now.counter == "divergent_branches"
    window.presenter.present()
    window.source.flush()
    assert window.source.editor.heat.title == "Divergent branches"
    assert set(window.source.editor.heat.share) == {12, 17}


def test_counters_are_filtered_and_renamed(window: MainWindow) -> None:
    view = window.counters
    view.ensure_built()
    view.filter.setText("diverg")
    assert view.list.model().rowCount() == 1
    view.names.setCurrentIndex(2)
    assert view.list.model().index(0, 0).data() == "divergent_branch"
    view.filter.clear()
    assert view.list.model().rowCount() < len(view.table.rows)


def test_the_library_runs_what_is_chosen(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1600, 1000)
    window.staged.finish()
    window.actions_["library"].trigger()
    come_to_rest(window)
    item = window.library.item_of("reduction/strided_index")
    assert item is not None
    place = window.library.tree.visualItemRect(item).center()
    with qtbot.waitSignal(window.session.run_changed):
        click(window.library.tree.viewport(), place)
    assert window.source.text.startswith(source_of(NEIGHBOUR).text[:40])
    assert "Strided index" in window.library.lesson.text()


def test_the_library_is_filtered_and_keys_go_on_stepping(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1600, 1000)
    window.staged.finish()
    window.actions_["library"].trigger()
    panel = window.library
    panel.filter.setFocus()
    QTest.keyClicks(panel.filter, "padded")
    titles = [item.text(0) for variant, item in panel.items if not item.isHidden()]
    assert titles
    assert all("add" in title or "Scan" in title or "swizzled" in title for title in titles)
    assert window.selection.now.step == 0, "what is typed is no command"
    window.escape.leave()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.selection.now.step == 1
    QTest.keyClick(panel.tree, Qt.Key.Key_Down)
    assert window.session.setup.variant == "reduction/interleaved"


def test_variants_by_key_keep_the_place(window: MainWindow, qtbot: QtBot) -> None:
    window.player.jump(Mark.DIVERGENCE, "divergence", True)
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["next_variant"].trigger()
    event = window.session.run.trace.event(window.selection.now.step)
    assert window.session.run.program.instructions[event.pc].span.line == 13
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["previous_variant"].trigger()
    assert window.session.setup.variant == "reduction/interleaved"


def test_another_device(window: MainWindow, qtbot: QtBot) -> None:
    box = window.launch_bar.device
    with qtbot.waitSignal(window.session.run_changed):
        box.setCurrentIndex(box.findData("h200"))
        box.activated.emit(box.currentIndex())
    assert window.session.run.device.key == "h200"


def test_launch_fields(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    bar = window.launch_bar
    bar.grid.setText("8")
    bar.block.setText("16x16")
    with qtbot.waitSignal(window.session.run_changed):
        click(bar.run)
    assert stand.backend.traced[-1].grid == (8, 1, 1)
    assert stand.backend.traced[-1].block == (16, 16, 1)
    bar.grid.setText("many")
    runs = len(stand.backend.traced)
    QTest.keyClick(bar.grid, Qt.Key.Key_Return)
    assert len(stand.backend.traced) == runs
    assert "grid 'many'" in window.banner.problems[0].message
    assert bar.grid.property("wrong")


def test_another_n_changes_the_buffers(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    _, field = window.launch_bar.scalar_fields[0]
    field.setText("256")
    with qtbot.waitSignal(window.session.run_changed):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert stand.backend.traced[-1].arguments == {"input": "hash:256:100", "output": "blank:4", "n": "256"}


def test_all_arguments_in_a_dialog(window: MainWindow) -> None:
    dialog = ArgumentsDialog(window.session.setup, {}, window)
    assert dialog.arguments() == window.session.setup.arguments
    dialog.deleteLater()


def test_presets(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    box = window.launch_bar.preset
    assert [box.itemText(n) for n in range(box.count())][:2] == ["small", "large"]
    box.setCurrentIndex(1)
    with qtbot.waitSignal(window.session.run_changed, timeout=60_000):
        box.activated.emit(1)
    assert stand.backend.traced[-1].preset == box.itemData(1)


def test_comparison_page(
    window: MainWindow, qtbot: QtBot, stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison_setups, "LARGE", comparison_setups.SMALL)  # the worker's time is not the subject
    with qtbot.waitSignal(window.session.run_changed, timeout=WAIT_MS):
        window.session.choose("vector/circular_shift")
    window.actions_["compare_variants"].trigger()
    qtbot.waitUntil(lambda: window.pages.comparing, timeout=WAIT_MS)
    assert {"inst_executed", "global_ld_sectors"} <= {chart.key for chart in window.comparison.bars.charts}
    window.grab()
    window.dialogs.ask_save = lambda *_: tmp_path / "out.csv"
    window.actions_["export_counters"].trigger()
    ran = [run for run in window.comparison.runs if not run.problem]
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1 + len(ran)
    window.dialogs.ask_save = lambda *_: tmp_path / "out.png"
    window.actions_["export_counters"].trigger()
    assert not QImage(str(tmp_path / "out.png")).isNull()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.pages.comparing
    window.actions_["compare_devices"].trigger()
    qtbot.waitUntil(lambda: window.pages.comparing, timeout=WAIT_MS)
    assert window.comparison.runs[0].title == "GeForce 8800 GTX"
    QTest.keyClick(window, Qt.Key.Key_Right)
    window.presenter.present()
    assert not window.pages.comparing


def test_export_of_the_run(window: MainWindow, stand: Stand, tmp_path: Path) -> None:
    window.dialogs.ask_save = lambda *_: tmp_path / "run.csv"
    window.actions_["export_counters"].trigger()
    text = (tmp_path / "run.csv").read_text()
    assert len(text.splitlines()) == 2
    assert "Wrote" in window.caption.text
    window.dialogs.ask_save = lambda *_: None
    window.actions_["export_counters"].trigger()
    assert (tmp_path / "run.csv").read_text() == text


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_every_view_can_be_exported(window: MainWindow, tmp_path: Path, ending: str) -> None:
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    for view in window.views:
        path = tmp_path / f"{view.key}.{ending}"
        view.export(path)
        if ending == "png":
            image = QImage(str(path))
            assert (image.width(), image.height()) == (2 * view.width(), 2 * view.height())
        else:
            assert path.read_text().startswith("<?xml")


def test_export_of_a_view_through_the_menu(window: MainWindow, tmp_path: Path) -> None:
    window.dialogs.ask_save = lambda *_: tmp_path / "view.png"
    window.actions_["export_view"].trigger()
    assert (tmp_path / "view.png").exists()
    window.dialogs.ask_save = lambda *_: tmp_path / "no such folder" / "view.png"
    window.actions_["export_view"].trigger()
    assert "No such file or directory" in window.banner.problems[0].message


def test_the_heat_of_another_counter(window: MainWindow) -> None:
    source, instructions = window.source, window.workspace.views["instructions"]
    source.heat_button.choice.aboutToShow.emit()
    entries = {entry.text(): entry for entry in source.heat_button.choice.actions()}
    assert entries["Warp instructions"].isChecked()
    entries["Divergent branches"].trigger()
    window.presenter.present()
    source.flush()
    instructions.show()
    instructions.flush()
    assert source.editor.heat.title == "Divergent branches"
    assert source.heat_button.text() == "Divergent branches"
    for view in (source, instructions):
        assert any("Divergent branches, up to" in entry.words for entry in view.legend())
    line = next(iter(source.editor.heat.words))
    assert "Divergent branches" in source.editor.words_at(line)
    entries["Warp instructions"].trigger()
    assert window.selection.now.counter is None
