"""Back brings again whatever was chosen, thrown away or put away."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.backend import source_of
from ui.rest import come_to_rest
from ui.stand import Stand

from warpview.sim.launch import Cancelled
from warpview.ui.main_window import MainWindow
from warpview.ui.session.backend import Progress
from warpview.ui.teaching.lessons import parse


def go(window: MainWindow, qtbot: QtBot, way: str = "back") -> None:
    """Back or forward, and the run of it awaited."""
    window.actions_[way].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=5000)
    window.presenter.present()


def test_the_kernel_with_its_step_selection_and_bookmarks(window: MainWindow, qtbot: QtBot) -> None:
    window.player.go(30)
    window.player.bookmark("here")
    window.selection.update(warp=2, line=11, breakpoints=frozenset({9}))
    before = window.selection.now
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["next_variant"].trigger()
    assert window.selection.now.bookmarks == ()
    after = window.selection.now
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=5000)
    window.presenter.present()
    come_to_rest(window)
    assert window.caption.text.startswith("Back: Interleaved, divergent on ")
    assert window.session.setup.variant == "reduction/interleaved"
    assert window.selection.now == before
    assert window.source.text == source_of().text
    assert window.library.tree.currentItem().text(0).endswith("Interleaved, divergent")
    go(window, qtbot, "forward")
    assert window.session.setup.variant == "reduction/strided_index"
    assert window.selection.now == after


@pytest.mark.parametrize("what", ["device", "preset", "launch", "switch", "field"])
def test_device_launch_and_switches(window: MainWindow, qtbot: QtBot, what: str) -> None:
    before = window.session.setup
    with qtbot.waitSignal(window.session.run_changed):
        if what == "device":
            window.session.set_device("h200")
        elif what == "preset":
            window.session.set_preset("full")
        elif what == "launch":
            window.session.set_launch(block=(64, 1, 1))
            window.session.start()
        elif what == "switch":
            window.actions_["if_converted"].trigger()
        else:
            window.launch_bar.grid.setText("3")
            window.launch_bar.grid.returnPressed.emit()
    after = window.session.setup
    assert after != before
    go(window, qtbot)
    assert window.session.setup == before
    assert window.launch_bar.grid.text() == "4"
    assert window.actions_["if_converted"].isChecked() == before.if_converted
    go(window, qtbot, "forward")
    assert window.session.setup == after


def test_an_edit_that_was_thrown_away(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["edit"].trigger()
    QTest.keyClicks(window.source.editor, "// mine")
    edited = window.source.text
    window.source.announce_edit()
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["revert"].trigger()
    come_to_rest(window)
    assert "Alt+←" in window.caption.text
    assert window.source.text == source_of().text
    go(window, qtbot)
    assert window.source.text == edited
    assert window.session.setup.edited
    assert window.session.drafts.text("reduction/interleaved") == edited
    assert window.session.run.program.source.text == edited


def test_what_was_typed_last_is_not_lost_on_the_way(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["edit"].trigger()
    QTest.keyClicks(window.source.editor, "// x")
    edited = window.source.text
    with qtbot.waitSignal(window.session.run_changed):
        window.session.set_device("h200")
    assert window.source.text == window.session.setup.text == edited
    go(window, qtbot)
    assert (window.session.setup.device, window.source.text) == ("8800gtx", edited)


def test_jumps_bookmarks_layout_and_lessons(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.player.go(12)
    window.actions_["last"].trigger()
    go(window, qtbot)
    assert window.selection.now.step == 12
    window.dialogs.ask_text = lambda *_: "a"
    window.actions_["bookmark"].trigger()
    window.dialogs.ask_text = lambda *_: ""
    window.actions_["bookmark"].trigger()
    assert window.selection.now.bookmarks == ()
    go(window, qtbot)
    assert [mark.name for mark in window.selection.now.bookmarks] == ["a"]
    window.workspace.set_shown("global", False)
    window.actions_["reset_layout"].trigger()
    assert "global" in window.workspace.shown()
    go(window, qtbot)
    assert "global" not in window.workspace.shown()


def test_a_lesson_that_was_closed(window: MainWindow, qtbot: QtBot) -> None:
    text = "# One\n\n<!-- step: 4 -->\nFirst.\n\n<!-- step: 9 -->\nSecond.\n"
    window.lessons.open(parse(text, "one"), 1)
    window.actions_["close_lesson"].trigger()
    assert window.lessons.panel.isHidden()
    go(window, qtbot)
    assert window.lessons.panel.isVisible()
    assert (window.lessons.number, window.selection.now.step) == (1, 9)


def test_the_pages_of_a_lesson(window: MainWindow, qtbot: QtBot) -> None:
    pages = ("kernel: reduction/interleaved; step: 4", "kernel: reduction/strided_index; step: 9")
    text = "# Two\n\n" + "".join(f"<!-- {page} -->\nWords.\n\n" for page in pages)
    before = window.selection.now
    window.lessons.open(parse(text, "two"))
    with qtbot.waitSignal(window.session.run_changed):
        window.lessons.turn(True)
    assert (window.session.setup.variant, window.selection.now.step) == ("reduction/strided_index", 9)
    go(window, qtbot)
    assert (window.session.setup.variant, window.selection.now.step) == ("reduction/interleaved", 4)
    assert window.lessons.number == 0
    go(window, qtbot)
    assert window.lessons.lesson is None
    assert window.selection.now == before


def test_a_place_whose_run_was_cancelled_is_forgotten(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    window.player.go(30)
    with qtbot.waitSignal(window.session.run_changed):
        window.session.set_device("h200")

    def slow(report: Progress) -> None:
        while report("Simulating", 1, 4):
            QTest.qSleep(5)
        raise Cancelled

    stand.backend.before_trace = slow
    window.actions_["back"].trigger()
    window.actions_["cancel"].trigger()
    stand.backend.before_trace = lambda _: None
    with qtbot.waitSignal(window.session.run_changed):
        window.session.choose("reduction/strided_index")
    come_to_rest(window)
    assert not window.caption.text.startswith("Back")


def test_there_may_be_nothing(window: MainWindow) -> None:
    window.actions_["back"].trigger()
    assert window.caption.text == "There is nothing to go back to."
    window.actions_["forward"].trigger()
    assert window.caption.text == "There is nothing to go forward to."
