"""Editing in place never steps and loses nothing, and errors are where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.backend import NEIGHBOUR, RealBackend, source_of
from ui.stand import Stand

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts


def edit(window: MainWindow, line: int, text: str) -> None:
    window.actions_["edit"].trigger()
    window.source.editor.place_cursor(line)
    QTest.keyClicks(window.source.editor, text)


def test_typing_never_steps(window: MainWindow) -> None:
    edit(window, 1, "dcgabfprznewjkv?[] 123")
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_PageDown, Qt.Key.Key_Space):
        QTest.keyClick(window.source.editor, key)
    assert window.selection.now.step == 0
    assert not window.player.playing
    assert "dcgabfprznewjkv?[] 123" in window.source.text
    QTest.keyClick(window.source.editor, Qt.Key.Key_Escape)
    assert not window.source.editing
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.selection.now.step == 1


def test_typing_in_the_filter_never_steps(window: MainWindow) -> None:
    window.counters.filter.setFocus()
    QTest.keyClicks(window.counters.filter, "divergent ")
    QTest.keyClick(window.counters.filter, Qt.Key.Key_Left)
    assert window.selection.now.step == 0
    assert window.counters.filter.text() == "divergent "


def test_a_double_click_edits_there(window: MainWindow) -> None:
    editor = window.source.editor
    box = editor.blockBoundingGeometry(editor.document().findBlockByNumber(4)).translated(editor.contentOffset())
    QTest.mouseDClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    QTest.mouseRelease(editor.viewport(), Qt.MouseButton.LeftButton)  # or it stays down
    assert window.source.editing
    assert editor.textCursor().blockNumber() == 4


def test_f5_runs_what_is_in_the_editor(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    edit(window, 1, "// mine ")
    with qtbot.waitSignal(window.session.run_changed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    assert stand.backend.traced[-1].text.startswith("// mine ")
    assert stand.backend.traced[-1].edited
    assert window.session.run.program.source.text.startswith("// mine ")


def test_an_error_is_a_banner_with_its_place(window: MainWindow, qtbot: QtBot) -> None:
    run = window.session.run
    edit(window, 7, "@")
    with qtbot.waitSignal(window.session.failed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    assert window.banner.isVisible()
    assert window.banner.problems[0].message == "expected an expression, found '@'"
    assert window.source.editor.problems[0].span.line == 7
    assert "expected an expression" in window.source.editor.words_at(7)
    assert window.session.run is run
    window.source.set_editing(False)
    window.banner.place_wanted.emit(7, 1)
    assert window.source.editing
    assert window.source.editor.textCursor().blockNumber() == 6
    QTest.keyClick(window.source.editor, Qt.Key.Key_Delete)
    assert window.source.editor.problems == ()
    with qtbot.waitSignal(window.session.run_changed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    assert not window.banner.isVisible()


def test_an_error_goes_when_the_source_is_that_of_the_run_again(window: MainWindow, qtbot: QtBot) -> None:
    before = window.source.text
    edit(window, 1, "int oops = ")
    with qtbot.waitSignal(window.session.failed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    assert window.banner.isVisible()
    assert window.outdated.isVisible()
    QTest.keyClick(window.source.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.source.text == before
    qtbot.waitUntil(lambda: not window.outdated.isVisible())
    assert not window.banner.isVisible()


def test_errors_are_underlined_as_one_types(window: MainWindow, qtbot: QtBot) -> None:
    edit(window, 3, "@")
    qtbot.waitUntil(lambda: len(window.source.editor.problems) == 1, timeout=3000)
    assert not window.banner.isVisible()


def test_undo_and_redo(window: MainWindow) -> None:
    edit(window, 1, "x")
    QTest.keyClick(window.source.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.source.text == source_of().text
    QTest.keyClick(window.source.editor, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.source.text.startswith("x")


def test_lines_are_indented_like_the_one_before(window: MainWindow) -> None:
    window.actions_["edit"].trigger()
    editor = window.source.editor
    lines = window.source.text.splitlines()
    before = next(n for n, line in enumerate(lines, 1) if line.strip().startswith("sdata[tid] +="))
    indent = lines[before - 1].partition("sdata")[0]
    assert len(indent) >= 8
    editor.place_cursor(before, 200)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "y;")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert window.source.text.splitlines()[before] == f"{indent}y;  "  # to the next stop


def test_edits_outlive_the_kernel_and_the_window(
    own_window: MainWindow, qtbot: QtBot, look: Look, tmp_path: Path, settings: QSettings
) -> None:
    edit(own_window, 1, "// kept ")
    with qtbot.waitSignal(own_window.session.run_changed):
        own_window.actions_["next_variant"].trigger()
    assert not own_window.source.text.startswith("// kept")
    with qtbot.waitSignal(own_window.session.run_changed):
        own_window.actions_["previous_variant"].trigger()
    assert own_window.source.text.startswith("// kept")
    own_window.close()
    again = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings)
    assert again.source.text.startswith("// kept")
    assert again.session.setup.edited
    again.close()
    again.deleteLater()


def test_revert(window: MainWindow, qtbot: QtBot) -> None:
    edit(window, 1, "// no ")
    window.source.announce_edit()
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["revert"].trigger()
    assert window.source.text == source_of().text
    assert not window.session.setup.edited


def test_save_as_and_open(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    edit(window, 1, "// saved ")
    path = tmp_path / "mine.cu"
    window.dialogs.ask_save = lambda *_: path
    window.actions_["save_as"].trigger()
    assert path.read_text().startswith("// saved ")
    assert window.session.setup.file_name == str(path)
    assert not window.session.setup.edited
    other = tmp_path / "other.cu"
    other.write_text(source_of(NEIGHBOUR).text)
    window.dialogs.ask_open = lambda *_: other
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["open"].trigger()
    assert window.source.text == source_of(NEIGHBOUR).text
    assert window.session.variant.title == "other.cu"


def test_a_file_that_is_not_there(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.session.failed):
        window.session.open_file(tmp_path / "none.cu")
    assert "none.cu" in window.banner.problems[0].message


def test_find_and_go_to_line(window: MainWindow) -> None:
    window.actions_["find"].trigger()
    field = window.source.find_bar.field
    QTest.keyClicks(field, "sdata[0]")
    assert window.source.editor.textCursor().selectedText() == "sdata[0]"
    field.clear()
    QTest.keyClicks(field, "nowhere")
    assert window.source.find_bar.found.text() == "not found"
    window.actions_["go_to_line"].trigger()
    QTest.keyClicks(field, "12")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.source.editor.textCursor().blockNumber() == 11
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not window.source.find_bar.isVisible()


def test_long_work_shows_progress_and_can_be_cancelled(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    run = window.session.run

    def slow(progress: object) -> None:
        from warpview.sim.launch import Cancelled

        while progress("Simulating …", 1, 4):  # type: ignore[operator]
            QTest.qSleep(5)
        raise Cancelled

    stand.backend.before_trace = slow
    window.actions_["compile"].trigger()
    qtbot.waitUntil(lambda: window.progress.isVisible() and window.progress.words.text().startswith("Simulating …"))
    assert window.progress.bar.value() == 250
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Right)
    assert window.selection.now.step == 1
    window.actions_["cancel"].trigger()
    assert not window.progress.isVisible()
    assert window.session.run is run


@pytest.mark.parametrize("name", ["light", "dark", "high contrast"])
def test_every_theme_draws(window: MainWindow, name: str) -> None:
    window.look.set_theme(name)
    window.sync()
    assert window.actions_[f"theme_{'contrast' if name == 'high contrast' else name}"].isChecked()
    assert not window.grab().isNull()


def test_keys_step_again_after_f5_and_edit_on_after_an_error(window: MainWindow, qtbot: QtBot) -> None:
    edit(window, 1, "// mine ")
    with qtbot.waitSignal(window.session.run_changed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    text, before = window.source.text, window.selection.now.step
    assert not window.source.editing
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_D)
    window.presenter.present()
    assert window.source.text == text
    assert window.selection.now.step > before
    edit(window, 1, "int oops = ")
    with qtbot.waitSignal(window.session.failed):
        QTest.keyClick(window.source.editor, Qt.Key.Key_F5)
    assert window.source.editing
    assert window.source.editor.hasFocus()
