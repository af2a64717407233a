"""Every action works by its key, as the user presses it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser
from pytestqt.qtbot import QtBot
from ui.stand import click_in_menu

from warpview.trace.frame import Mark
from warpview.ui.commands.actions import JUMPS, MENUS, TABLE, shown_key
from warpview.ui.main_window import MainWindow

LOWEST_SCREEN = 720  # pixels


def press(window: MainWindow, key: str) -> None:
    """The key, to whatever has the focus."""
    combination = QKeySequence(key)[0]
    target = window.focusWidget() or window
    QTest.keyClick(target, combination.key(), combination.keyboardModifiers())
    window.staged.finish()
    window.presenter.present()


def step(window: MainWindow) -> int:
    return window.selection.now.step


def test_opens_at_the_first_step(window: MainWindow) -> None:
    assert window.session.setup.variant == "reduction/interleaved"
    assert window.session.setup.device == "8800gtx"
    assert step(window) == 0
    assert window.caption.text.endswith("Press → to step.")
    assert window.caption.text.startswith("Block 0, warp 0 is about to")


@pytest.mark.parametrize(("on", "back"), [("Right", "Left"), ("PgDown", "PgUp")])
def test_steps_the_selected_warp(window: MainWindow, on: str, back: str) -> None:
    press(window, on)
    press(window, on)
    trace = window.session.run.trace
    assert step(window) == trace.next_of_warp(1, 0, 0)
    assert trace.event(step(window)).warp == 0
    press(window, back)
    assert step(window) == 1
    press(window, back)
    assert step(window) == 0


@pytest.mark.parametrize(("on", "back"), [("Shift+Right", "Shift+Left"), ("Shift+PgDown", "Shift+PgUp")])
def test_steps_any_warp_and_selects_it(window: MainWindow, on: str, back: str) -> None:
    for _ in range(3):
        press(window, on)
    assert step(window) == 3
    event = window.session.run.trace.event(3)
    assert window.selection.now.key == (event.block, event.warp)
    press(window, back)
    assert step(window) == 2


def test_a_jump_is_kept_for_the_run_that_is_about_to_arrive(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "V")
    assert window.session.shown.variant == "reduction/interleaved"
    press(window, "C")
    press(window, "C")
    assert window.caption.text == "The jump to the next bank conflict follows as soon as Strided index has run."
    qtbot.waitUntil(lambda: window.session.current and not window.runner.busy)
    run = window.session.run
    assert run.trace.find(0, Mark.CONFLICT) < step(window)
    assert step(window) in run.trace.steps_of_mark(Mark.CONFLICT)


def test_steps_lines(window: MainWindow) -> None:
    program, trace = window.session.run.program, window.session.run.trace
    press(window, "Down")
    first = program.instructions[trace.event(step(window)).pc].span.line
    press(window, "Down")
    assert program.instructions[trace.event(step(window)).pc].span.line != first
    press(window, "Up")
    assert program.instructions[trace.event(step(window)).pc].span.line == first
    press(window, "Up")
    assert step(window) == 0


@pytest.mark.parametrize("key", ["B", "D"])
def test_jumps_to_marks_and_back(window: MainWindow, key: str) -> None:
    mark: Mark = JUMPS[key][0]
    press(window, key)
    first = step(window)
    assert window.session.run.trace.event(first).marks & mark
    press(window, key)
    assert step(window) > first
    press(window, f"Shift+{key}")
    assert step(window) == first


@pytest.mark.parametrize("key", ["C", "G", "A", "F"])
def test_says_so_where_there_is_nothing_to_jump_to(window: MainWindow, key: str) -> None:
    press(window, key)
    assert step(window) == 0
    assert window.caption.text == f"There is no {JUMPS[key][1]} after this step."


def test_escape_empties_the_filter_of_the_library_and_gives_the_keyboard_back(window: MainWindow) -> None:
    if not window.library.isVisible():
        window.actions_["library"].trigger()
        window.staged.finish()
    field = window.library.filter
    field.setFocus()
    QTest.keyClicks(field, "transpose pad")
    shown = [variant.key for variant, item in window.library.items if not item.isHidden()]
    assert shown
    assert all(key.startswith("transpose/") for key in shown)
    assert window.library.no_match.isHidden()
    QTest.keyClicks(field, " xyz")
    assert window.library.no_match.text() == "No kernel matches “transpose pad xyz”."
    assert window.library.no_match.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert window.library.no_match.isHidden()
    assert not any(item.isHidden() for _, item in window.library.items)
    assert window.central.hasFocus()


def test_first_and_last(window: MainWindow) -> None:
    press(window, "End")
    assert step(window) == window.session.run.trace.steps
    press(window, "Right")
    assert "nothing more to execute" in window.caption.text
    press(window, "Home")
    assert step(window) == 0


def test_selects_warps_and_blocks(window: MainWindow) -> None:
    press(window, "2")
    assert window.selection.now.warp == 2
    press(window, "9")
    assert window.selection.now.warp == 2
    assert "only 4 warps" in window.caption.text
    press(window, "N")
    assert "No later block is resident" in window.caption.text


def test_jumps_can_stay_with_the_warp(window: MainWindow) -> None:
    press(window, "1")
    press(window, "W")
    press(window, "D")
    assert window.selection.now.key == (0, 1)
    assert window.session.run.trace.event(step(window)).warp == 1


def test_runs_and_pauses(window: MainWindow, qtbot: QtBot) -> None:
    speed = window.player.speed
    for _ in range(6):
        press(window, "]")
    assert window.player.speed > speed
    press(window, "Space")
    qtbot.waitUntil(lambda: step(window) > 3, timeout=3000)
    press(window, "Space")
    assert not window.player.playing
    press(window, "[")
    assert window.player.speed < 7


def test_running_stops_at_a_breakpoint(window: MainWindow, qtbot: QtBot) -> None:
    window.selection.update(line=8)
    press(window, "F9")
    assert window.selection.now.breakpoints == {8}
    window.player.set_speed(7)
    press(window, "Space")
    qtbot.waitUntil(lambda: not window.player.playing, timeout=3000)
    trace = window.session.run.trace
    assert window.session.run.program.instructions[trace.event(step(window)).pc].span.line == 8
    assert window.caption.text == "Stopped at a breakpoint."


def test_runs_to_the_selected_line(window: MainWindow) -> None:
    press(window, "R")
    assert "Click a source line first" in window.caption.text
    window.selection.update(line=12)
    press(window, "R")
    trace = window.session.run.trace
    assert window.session.run.program.instructions[trace.event(step(window)).pc].span.line == 12
    assert window.selection.now.line == 12


def test_goes_to_a_step(window: MainWindow) -> None:
    press(window, "J")
    QTest.keyClicks(window.transport.step, "214")
    QTest.keyClick(window.transport.step, Qt.Key.Key_Return)
    assert step(window) == 214


def test_bookmarks(window: MainWindow) -> None:
    files = window.dialogs
    press(window, ".")
    assert "no bookmark after this step" in window.caption.text
    for number, name in ((300, "later"), (100, "the comb")):
        window.player.go(number)
        files.ask_text = lambda *_, name=name: name
        press(window, "M")
    press(window, "Home")
    press(window, ".")
    assert step(window) == 100
    assert window.caption.text == "Bookmark: the comb"
    press(window, ".")
    assert step(window) == 300
    press(window, ",")
    assert step(window) == 100
    files.ask_text = lambda *_: ""
    press(window, "M")
    assert [mark.name for mark in window.selection.now.bookmarks] == ["later"]
    assert not window.history.grab().isNull()


def test_predict_hides_and_reveals(window: MainWindow) -> None:
    press(window, "P")
    press(window, "Right")
    assert window.presenter.context.predicting
    assert window.caption.text == "Block 0, warp 0: what is `tid` in lane 16 now? P reveals the answer."
    press(window, "P")
    assert not window.presenter.context.predicting
    assert window.caption.text.startswith("Block 0") or "warp 0" in window.caption.text


def test_type_size(window: MainWindow) -> None:
    press(window, "Ctrl++")
    assert window.look.scale > 1
    press(window, "Ctrl+0")
    press(window, "Ctrl+-")
    assert window.look.scale < 1
    press(window, "Ctrl+0")
    assert window.look.scale == 1


def test_presentation_and_back(window: MainWindow) -> None:
    press(window, "F11")
    assert window.presentation.on
    assert window.workspace.arrangement == "presentation"
    assert window.menuBar().isHidden()
    press(window, "PgDown")
    assert step(window) == 1
    press(window, "F11")
    assert not window.presentation.on
    assert window.look.scale == 1


def test_zoom_and_back(window: MainWindow) -> None:
    window.view_commands.zoom(window.counters)
    assert window.workspace.zoomed is window.counters
    assert not window.source.isVisible()
    press(window, "Z")
    assert window.workspace.zoomed is None
    assert window.source.isVisible()
    window.view_commands.zoom(window.counters)
    press(window, "Esc")
    assert window.workspace.zoomed is None


def test_from_a_menu_the_view_is_filled_that_the_pointer_came_from(window: MainWindow, qtbot: QtBot) -> None:
    view, other = window.workspace.views["divergence"], window.workspace.views["lanes"]
    window.workspace.raise_view("divergence")
    QCursor.setPos(view.mapToGlobal(view.rect().center()))
    qtbot.waitUntil(lambda: window.workspace.pointed_view is view)
    menu = next(entry.menu() for entry in window.menuBar().actions() if entry.text().replace("&", "") == "View")
    menu.aboutToHide.connect(lambda: QCursor.setPos(other.mapToGlobal(other.rect().center())))
    click_in_menu(window, window.actions_["zoom"])
    assert window.workspace.zoomed is view


def test_no_menu_is_higher_than_a_small_screen(window: MainWindow) -> None:
    window.look.set_scale(1.25)
    window.staged.finish()
    menus = [entry.menu() for entry in window.menuBar().actions()]
    assert {menu.title(): menu.sizeHint().height() for menu in menus if menu.sizeHint().height() > LOWEST_SCREEN} == {}


def test_key_table_lists_every_key(window: MainWindow) -> None:
    from warpview.ui.panels.keys_page import KeysPage, table_html

    html = table_html(window.look)
    for row in TABLE:
        if row.keys and not row.id.startswith(("warp_", "layout_", "previous_", "next_any")):
            assert row.text in html
    assert "Next barrier (⇧ previous)" in html
    assert "Next instruction (⇧ of any warp)" in html
    press(window, "?")
    page = window.findChild(KeysPage)
    assert page is not None
    assert page.isVisible()
    page.reject()


@pytest.mark.parametrize(("scale", "width"), [(1.0, 1600), (1.0, 1280), (1.5, 1280), (1.5, 900)])
def test_the_key_table_needs_no_sidewise_scrolling(window: MainWindow, scale: float, width: int) -> None:
    from warpview.ui.panels.keys_page import KeysPage

    window.look.set_scale(scale)
    window.resize(width, LOWEST_SCREEN)
    press(window, "?")
    page = window.findChild(KeysPage)
    assert page is not None
    text = page.findChild(QTextBrowser)
    assert text is not None
    QApplication.processEvents()
    assert text.horizontalScrollBar().maximum() == 0
    page.reject()


def test_every_action_is_a_menu_entry_with_its_key(window: MainWindow) -> None:
    bar = window.menuBar()
    assert tuple(action.text().replace("&", "") for action in bar.actions()) == MENUS
    assert len(MENUS) <= 8
    for row in TABLE:
        menu = window.actions_.menus[row.menu]
        entry = next(a for a in menu.actions() if a.objectName() == row.id)
        assert [s.toString() for s in entry.shortcuts()] == [QKeySequence(k).toString() for k in row.keys]


def test_every_menu_has_a_letter_of_its_own(window: MainWindow) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    letters = [title[title.index("&") + 1].lower() for title in titles]
    assert len(set(letters)) == len(MENUS)


def test_no_menu_is_higher_than_a_projector(window: MainWindow) -> None:
    bar = window.menuBar()
    heights = {entry.text(): entry.menu().sizeHint().height() for entry in bar.actions()}
    assert {title: height for title, height in heights.items() if height > 720 - bar.height()} == {}


def test_no_key_is_given_twice() -> None:
    keys = [QKeySequence(key).toString() for row in TABLE for key in row.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("id_", "words"), [("next", "→"), ("larger", "Ctrl++"), ("next_any", "Shift+→"), ("keys", "?"), ("compile", "F5")]
)
def test_keys_are_written_as_people_write_them(id_: str, words: str) -> None:
    assert shown_key(next(row for row in TABLE if row.id == id_)) == words
