"""The window bears errors one after another, values that cannot be read, work that does not end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend
from ui.rest import come_to_rest
from ui.stand import Stand

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.sim.launch import Cancelled
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.panels import progress
from warpview.ui.session.backend import SIMULATING, Progress
from warpview.ui.session.drafts import Drafts
from warpview.ui.teaching import meanwhile

PROGRAMS = Path(__file__).resolve().parents[1] / "host" / "programs"


def test_several_errors_are_gone_through(window: MainWindow) -> None:
    text = SourceText("a.cu", window.source.text)
    window.messages.problems([Diagnostic(f"wrong {n}", Span(text, 5 + n, 5, 3), hint=f"Do {n}.") for n in range(3)])
    banner, editor = window.banner, window.source.editor
    assert (banner.count.text(), banner.next.isVisible()) == ("1 of 3", True)
    assert "Wrong 0" in banner.words.text()
    assert "Do 0." in banner.words.text()
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert (banner.count.text(), editor.textCursor().blockNumber()) == ("2 of 3", 5)
    assert not window.source.editing
    banner.previous.click()
    banner.previous.click()
    assert (banner.count.text(), editor.textCursor().blockNumber()) == ("3 of 3", 6)
    window.messages.problems([Diagnostic("one")])
    assert not banner.next.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert "One" in banner.words.text()


def test_a_wrong_value_is_marked_as_it_is_typed(window: MainWindow, stand: Stand) -> None:
    bar = window.launch_bar
    scalar = bar.scalar_fields[0][1]
    cases = (
        (bar.grid, "4x?", "4×2"),
        (bar.block, "0", "64"),
        (bar.block, "64x64", "64"),
        (bar.shared, "-1", "16"),
        (scalar, "many", "512"),
    )
    for field, wrong, right in cases:
        tip = field.toolTip()
        field.setFocus()
        field.clear()
        QTest.keyClicks(field, wrong)
        assert field.property("wrong"), wrong
        assert field.toolTip().startswith("⚠")
        assert window.caption.text.startswith("⚠")
        field.clear()
        QTest.keyClicks(field, right)
        assert not field.property("wrong")
        assert field.toolTip() == tip
    runs = len(stand.backend.traced)
    bar.grid.setText("x")
    bar.block.setText("?")
    window.actions_["compile"].trigger()
    assert [p.message.split()[0] for p in window.banner.problems] == ["grid", "block"]
    assert len(stand.backend.traced) == runs


def test_a_launch_value_stays_while_the_source_is_typed_in(window: MainWindow) -> None:
    window.launch_bar.grid.setFocus()
    window.launch_bar.grid.clear()
    QTest.keyClicks(window.launch_bar.grid, "7")
    window.source.set_editing(True)
    QTest.keyClicks(window.source.editor, "// ")
    window.source.announce_edit()
    assert window.launch_bar.grid.text() == "7"


def test_work_that_does_not_end_says_so_and_esc_cancels(
    window: MainWindow, qtbot: QtBot, stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_MS", 200)
    stand.backend.before_trace = _until_cancelled
    window.actions_["compile"].trigger()
    qtbot.waitUntil(lambda: "it may never end" in window.progress.words.text(), timeout=5000)
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.progress.isVisible()
    assert not window.runner.busy
    assert window.caption.text.startswith("Cancelled")


def test_while_another_kernel_takes_long_the_views_say_whose_run_they_show(
    window: MainWindow, qtbot: QtBot, stand: Stand
) -> None:
    stand.backend.before_trace = _until_cancelled
    window.session.choose("vector/add")
    assert not window.outdated.isVisible()
    qtbot.waitUntil(window.outdated.isVisible, timeout=5000)
    assert window.outdated.words.endswith("the run of Interleaved, divergent until this source has run.")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.outdated.words.endswith("F5 runs this source.")


def test_a_kernel_that_needs_a_newer_device_names_one(window: MainWindow, qtbot: QtBot) -> None:
    window.session.choose("histogram/shared")
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)
    assert "The kernel " in window.banner.words.text()
    assert "needs compute capability 1.2" in window.banner.words.text()
    said = "Shift+K chooses another device: Tesla C1060, for example, has 1.3."
    assert said in window.banner.words.text() + window.banner.words.toolTip()


def test_what_is_missing_at_the_end_of_a_line_is_marked(window: MainWindow, qtbot: QtBot) -> None:
    window.source.set_editing(True)
    window.source.editor.selectAll()
    window.source.editor.insertPlainText(window.session.setup.text.replace("threadIdx.x;", "threadIdx.x", 1))
    window.source.announce_edit()
    window.actions_["compile"].trigger()
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)
    parts = [(part.cursor.blockNumber() + 1, part.cursor.selectedText())
             for part in window.source.editor.extraSelections()]  # fmt: skip
    assert (6, "x") in parts


def test_only_a_simulation_may_never_end(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_MS", -1)
    for words, endless in (("Preparing the simulator, 17 of 34", False), (SIMULATING, True)):
        for _ in range(2):
            window.progress.report(words, 1, 4)
        assert ("it may never end" in window.progress.words.text()) == endless


def test_a_message_about_another_kernel_goes(window: MainWindow, qtbot: QtBot) -> None:
    window.messages.problems([Diagnostic("of this kernel")])
    window.session.choose("reduction/strided_index")
    assert not window.banner.isVisible()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=5000)


def test_before_the_first_run_every_view_says_what_there_will_be(
    qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path
) -> None:
    backend = RealBackend()
    backend.before_trace = _until_cancelled
    window = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings)
    window.resize(1280, 720)
    window.staged.finish()
    window.show()
    window.start()
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    assert window.source.body.isVisible()
    for key in ("lanes", "shared", "global", "counters"):
        assert not window.workspace.views[key].body.isVisible(), key
    # The progress hides nothing that is there to be looked at.
    box = QRect(window.caption.mapTo(window, QPoint(0, 0)), window.caption.size())
    assert box.contains(window.progress.geometry())
    window.resize(1000, 640)
    window.staged.finish()
    come_to_rest(window)
    box = QRect(window.caption.mapTo(window, QPoint(0, 0)), window.caption.size())
    assert box.contains(window.progress.geometry())
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.caption.text == "Cancelled; F5 starts again."
    backend.before_trace = lambda _: None
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    qtbot.waitUntil(window.workspace.views["lanes"].body.isVisible, timeout=5000)
    window.close()
    window.deleteLater()


def test_where_the_first_source_is_wrong_the_caption_does_not_say_that_one_waits(
    qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.cu"
    path.write_text("__global__ void wrong(int *out)\n{\n    out[0] = missing;\n}\n")
    window = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings)
    window.show()
    window.start(lambda: window.files.open_path(path))
    qtbot.waitUntil(window.banner.isVisible)
    qtbot.waitUntil(lambda: window.caption.text == meanwhile.NOTHING)
    assert not window.runner.busy
    window.close()
    window.deleteLater()


@pytest.mark.parametrize(("name", "told"), [("vector_add.cu", []), ("texture_image.cu", [meanwhile.NO_LAUNCH])])
def test_the_caption_says_that_nothing_has_run_only_where_nothing_has(
    qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str,
    told: list[str],
) -> None:  # fmt: skip
    """A kernel runs as its file is opened; one whose texture only the program makes does not."""
    window = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings)
    said: list[str] = []
    show = window.caption.show_waiting
    monkeypatch.setattr(window.caption, "show_waiting", lambda words: (said.append(words), show(words)))
    window.show()
    window.start(lambda: window.files.open_path(PROGRAMS / name))
    qtbot.waitUntil(lambda: bool(said) if told else window.session.run is not None)
    come_to_rest(window)
    assert said == told
    window.close()
    window.deleteLater()


def test_counts_may_be_larger_than_a_c_int(window: MainWindow, qtbot: QtBot, stand: Stand) -> None:
    seen: list[int] = []
    window.runner.progressed.connect(lambda words, done, total: seen.append(total))
    stand.backend.before_trace = lambda report: report("Simulating", 1, 2**32)  # type: ignore[assignment,return-value]
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    assert seen == [2**32]


def _until_cancelled(report: Progress) -> None:
    while report(SIMULATING, 1, 4):
        QTest.qSleep(5)
    raise Cancelled
