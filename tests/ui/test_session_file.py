"""A session is one file that brings everything back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from warpview.diagnostics import WarpviewError
from warpview.ui.backend import Setup
from warpview.ui.main_window import MainWindow
from warpview.ui.session_file import Saved, from_text, to_text
from warpview.ui.snapshot import Bookmark, Snapshot


def test_there_and_back() -> None:
    setup = Setup("a/b", "text", "b.cu", "k<1>", "h200", "step", (2, 1, 1), (16, 16, 1), 64, {"n": "4"}, edited=True)
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


def test_the_window_comes_back(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "lecture.warpview"
    files = window.commands.files
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
        window.session.choose("reduction/divergent")
    window.player.first()
    files.ask_open = lambda *_: path
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["open"].trigger()
    assert window.session.setup == setup
    assert window.source.text.startswith("// mine ")
    assert window.selection.now == before
    path.write_text("{}")
    window.actions_["open"].trigger()
    assert "lecture.warpview is not a session" in window.banner.problems[0].message
