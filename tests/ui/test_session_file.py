"""A session is one file that brings everything back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend

from warpview.diagnostics import WarpviewError
from warpview.isa.types import Space
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.elements import Element
from warpview.ui.moving.snapshot import Bookmark, Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.session_file import Saved, from_text, to_text
from warpview.ui.teaching.lessons import files, load


def test_there_and_back() -> None:
    setup = Setup(
        "a/b", "text", "b.cu", "k<1>", "h200", "step", (2, 1, 1), (16, 16, 1), 64, (2, 1, 1), {"n": "4"}, edited=True
    )
    saved = Saved(
        setup,
        Snapshot(12, 1, 2, 3, 4, 5, "cycles", frozenset({7, 9}), (Bookmark("here", 12, 1, 2),)),
        '{"wide": [[1, 2]]}',
    )
    assert from_text(to_text(saved), "x.warpview") == saved


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"warpview": 99}', '{"warpview": 1, "setup": 3}'])
def test_what_is_not_a_session_is_refused(text: str) -> None:
    with pytest.raises(WarpviewError, match=r"x\.warpview"):
        from_text(text, "x.warpview")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"setup": {"grid": [2, 1]}}, "Expected 'array' of length 3 - at 'setup.grid'"),
        ({"setup": {"grid": [2, 1, "x"]}}, "Expected 'int', got 'str' - at 'setup.grid[2]'"),
        ({"setup": {"device": 8}}, "Expected 'str', got 'int' - at 'setup.device'"),
        ({"setup": {"edited": 1}}, "Expected 'bool', got 'int' - at 'setup.edited'"),
        ({"setup": {"arguments": {"n": 4}}}, "Expected 'str', got 'int' - at 'setup.arguments[...]'"),
        ({"setup": {"variant": None}}, "missing required field 'variant' - at 'setup'"),
        ({"place": {"lane": "3"}}, "Expected 'int | null', got 'str' - at 'place.lane'"),
        ({"place": {"bookmarks": [{"step": 1, "block": 0, "warp": 0}]}}, "'name' - at 'place.bookmarks[0]'"),
        ({"place": 4}, "Expected 'object', got 'int' - at 'place'"),
        ({"layout": 4}, "Expected 'str', got 'int' - at 'layout'"),
        ({"warpview": "one"}, "Expected 'int', got 'str' - at 'warpview'"),
    ],
)
def test_the_key_at_fault_is_named(change: dict, words: str) -> None:
    content = json.loads(to_text(Saved(Setup("a/b", "text", "b.cu", "", "h200"), Snapshot())))
    for key, value in change.items():
        if not isinstance(value, dict):
            content[key] = value
        for inner, wrong in value.items() if isinstance(value, dict) else ():
            content[key][inner] = wrong
            if wrong is None:
                del content[key][inner]
    with pytest.raises(WarpviewError) as caught:
        from_text(json.dumps(content), "x.warpview")
    assert words in str(caught.value)


def test_what_a_later_version_adds_and_an_earlier_lacked_does_not_matter() -> None:
    saved = Saved(Setup("a/b", "text", "b.cu", "", "h200"), Snapshot(7))
    content = json.loads(to_text(saved))
    content["setup"]["colour"] = "red"
    del content["place"]["bookmarks"], content["setup"]["traced"], content["layout"]
    assert from_text(json.dumps(content), "x.warpview") == saved


def test_an_element_and_its_colours_come_back() -> None:
    place = Snapshot(3, element=Element("tile[1]", Space.SHARED, 4, 4, 2), part=1, colours="lane")
    saved = Saved(Setup("a/b", "text", "b.cu", "", "h200"), place)
    assert from_text(to_text(saved), "x.warpview") == saved


def test_another_start_finds_everything(
    own_window: MainWindow, qtbot: QtBot, tmp_path: Path, look: Look, backend: RealBackend,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Saved without the ending, opened in a own_window that has never seen the edit."""
    own_window.actions_["edit"].trigger()
    QTest.keyClicks(own_window.source.editor, "// mine ")
    own_window.source.set_editing(False)
    with qtbot.waitSignal(own_window.session.run_changed):
        own_window.session.set_device("h200")
    own_window.player.go(31)
    own_window.player.bookmark("here")
    typed = str(tmp_path / "lecture")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda parent, title, name, kinds: (typed, kinds))
    own_window.actions_["save_session"].trigger()
    settings = QSettings(str(tmp_path / "other.ini"), QSettings.Format.IniFormat)
    other = MainWindow(backend, Drafts(tmp_path / "other"), look, settings)
    qtbot.addWidget(other)
    other.show()
    with qtbot.waitSignal(other.session.run_changed):
        other.files.open_path(tmp_path / "lecture.warpview")
    assert other.session.setup == own_window.session.setup
    assert other.source.text.startswith("// mine")
    assert other.selection.now == own_window.selection.now
    other.close()


def test_another_start_knows_the_kernels_and_the_main_of_a_file(
    qtbot: QtBot, tmp_path: Path, look: Look, backend: RealBackend
) -> None:
    """The launches to choose from are those of the file, its text is what the disk has now."""
    path = tmp_path / "two.cu"
    text = """__global__ void first(float *a) { a[threadIdx.x] = 1.0f; }
__global__ void second(float *a) { a[threadIdx.x] = 2.0f; }
int main() { first<<<2, 32>>>(nullptr); second<<<1, 64>>>(nullptr); }
"""
    path.write_text(text)
    last = tmp_path / "last.warpview"
    for start in range(2):
        settings = QSettings(str(tmp_path / f"{start}.ini"), QSettings.Format.IniFormat)
        window = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings, last)
        window.show()
        with qtbot.waitSignal(window.session.run_changed):
            window.start(None if start else lambda opened=window: opened.files.open_path(path))
        qtbot.waitUntil(lambda opened=window: opened.session.own_file == path)
        assert [preset.entry for preset in window.session.variant.presets] == ["first", "second"]
        assert window.session.variant.is_program
        assert window.session.setup.text == path.read_text()
        window.close()
        window.deleteLater()
        path.write_text("// later\n" + text)


def test_an_edit_is_restored_as_far_as_it_was_typed(
    qtbot: QtBot, tmp_path: Path, look: Look, backend: RealBackend
) -> None:
    """A window is killed between two moments at which the session is written; its edit was written at each pause."""
    last = tmp_path / "last.warpview"
    for words in ("// first ", "// second "):
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings, last)
        window.show()
        with qtbot.waitSignal(window.session.run_changed):
            window.start()
        window.last_session.write()
        written = last.read_text()
        window.source.set_editing(True)
        QTest.keyClicks(window.source.editor, words)
        window.source.announce_edit()
        text = window.source.text
        window.close()
        window.deleteLater()
        last.write_text(written)  # as if the window had been killed before
        window = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings, last)
        window.show()
        with qtbot.waitSignal(window.session.run_changed):
            window.start()
        assert (window.source.text, window.session.setup.edited) == (text, True)
        window.close()
        window.deleteLater()
    assert text.startswith("// second // first ")


def test_a_device_that_is_not_there_is_told(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "x.warpview"
    path.write_text(to_text(Saved(Setup("a/b", "text", "b.cu", "", "h2000"), Snapshot())))
    window.files.open_path(path)
    assert "setup.device: there is no device 'h2000'" in window.banner.problems[0].message


def test_the_window_comes_back(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "lecture.warpview"
    files = window.dialogs
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["next_variant"].trigger()
    window.actions_["edit"].trigger()
    QTest.keyClicks(window.source.editor, "// mine ")
    window.source.set_editing(False)
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    window.player.go(123)
    window.player.bookmark("here")
    window.selection.update(warp=2, line=11, breakpoints=frozenset({8}))
    before, setup = window.selection.now, window.session.setup
    files.ask_save = lambda *_: path
    window.actions_["save_session"].trigger()
    with qtbot.waitSignal(window.session.run_changed):
        window.session.choose("reduction/interleaved")
    window.player.first()
    files.ask_open = lambda *_: path
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["open"].trigger()
    assert window.session.setup == setup
    assert window.source.text.startswith("// mine ")
    assert window.selection.now == before
    path.write_text("{}")
    window.actions_["open"].trigger()
    assert "lecture.warpview is not a warpview session" in window.banner.problems[0].message


def test_a_lesson_is_open_at_its_page_after_quitting(
    qtbot: QtBot, tmp_path: Path, look: Look, backend: RealBackend
) -> None:
    """One that comes with warpview and one of the user's own; at a later step than the page's, where it was left."""
    last, own = tmp_path / "last.warpview", tmp_path / "own.md"
    own.write_text(files()[0].read_text())
    for path in (files()[0], own):
        places = []
        for start in range(2):
            settings = QSettings(str(tmp_path / f"{path.stem}{start}.ini"), QSettings.Format.IniFormat)
            window = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings, last)
            window.show()
            with qtbot.waitSignal(window.session.run_changed):
                window.start()
            if not start:
                window.lessons.open(load(path), 1)
                qtbot.waitUntil(lambda opened=window: not opened.runner.busy and opened.session.current)
                window.player.step(True)
            qtbot.waitUntil(lambda opened=window: opened.lessons.panel.isVisible() and opened.session.current)
            count, place = window.lessons.panel.count.text(), window.selection.now
            places.append((window.lessons.open_page, count, place, window.prediction.lesson))
            window.actions_["quit"].trigger()
            window.deleteLater()
        assert places[0] == places[1]
        assert places[0][1].startswith("2 of")
        assert places[0][3] is not None
