"""The window serves five minutes of a lecture, with the real simulator, at 1280x720, by keyboard alone."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.stand import Stand
from ui.view_texts import texts_of

from warpview.trace.frame import Mark
from warpview.ui.main_window import MainWindow
from warpview.ui.session import comparison_setups

COLD_MS = 240_000  # the first run of a fresh machine compiles the simulator


@pytest.fixture
def lecture(stand: Stand, painted: None) -> MainWindow:
    """The window as it opens, with the real simulator."""
    return stand.w


def press(window: MainWindow, key: str) -> None:
    combination = QKeySequence(key)[0]
    QTest.keyClick(window.focusWidget() or window, combination.key(), combination.keyboardModifiers())
    window.staged.finish()
    window.presenter.present()
    for view in window.views:
        view.flush()


def next_variant(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_changed, timeout=COLD_MS):
        press(window, "V")


def test_five_minutes_of_a_lecture(
    lecture: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    window = lecture
    monkeypatch.setattr(comparison_setups, "LARGE", comparison_setups.SMALL)  # the large launch takes twenty seconds
    # 1. It opens on the divergent reduction on an 8800 GTX, at step 0.
    assert window.session.variant.key == "reduction/interleaved"
    assert window.session.run.device.key == "8800gtx"
    assert window.selection.now.step == 0
    assert window.caption.text.endswith("Press → to step.")
    assert not window.banner.isVisible()
    # 2. The load: two 64-byte segments, all of them used.
    while window.presenter.context.frame.addresses is None:
        press(window, "Right")
    access = window.presenter.context.frame.access
    assert [t.size for t in access.transactions] == [64, 64]
    assert access.bytes_used == access.bytes_moved == 128
    # 3. The next divergence: sixteen lanes in a comb, two entries on the stack; the answer hidden, then revealed.
    press(window, "D")
    frame = window.presenter.context.frame
    assert window.session.run.program.source.line(window.source.editor.marks.done).strip().startswith("if (tid %")
    assert frame.event.taken.bit_count() == 16
    assert len(window.presenter.context.warp.paths) == 2
    press(window, "P")
    press(window, "Right")
    assert window.caption.text.endswith("P reveals the answer.")
    press(window, "P")
    assert "16 lanes" in window.caption.text or "Lanes 0, 2, 4" in window.caption.text
    # 4. The strided index: no comb, but conflicts, of two lanes, four, eight.
    next_variant(window, qtbot)
    assert window.session.variant.key == "reduction/strided_index"
    degrees = []
    while window.session.run.trace.find(window.selection.now.step, Mark.CONFLICT) is not None:
        press(window, "C")
        degrees.append(window.presenter.context.frame.access.degree)
    assert {2, 4, 8} <= set(degrees)
    # 5. Sequential addressing: no conflict. Then the bars, the other devices, and the file.
    next_variant(window, qtbot)
    assert window.session.variant.key == "reduction/sequential"
    press(window, "Home")
    press(window, "C")
    assert window.caption.text == "There is no bank conflict after this step."
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.pages.comparing, timeout=COLD_MS)
    charts = {chart.key: chart for chart in window.comparison.bars.charts}
    branches = [bar.value for bar in charts["divergent_branches"].bars[:3]]
    assert branches[0] > branches[1] >= branches[2]
    press(window, "Ctrl+D")
    qtbot.waitUntil(lambda: window.comparison.runs[0].title == "GeForce 8800 GTX", timeout=COLD_MS)
    assert any(run.device == "h200" for run in window.comparison.runs)
    path = tmp_path / "lecture.csv"
    window.dialogs.ask_save = lambda *_: path
    press(window, "Ctrl+E")
    with path.open() as file:
        rows = [(row["kernel"], row["device"]) for row in csv.DictReader(file)]
    assert ("reduce_sequential", "h200") in rows


def test_an_edit_with_an_error_and_without(lecture: MainWindow, qtbot: QtBot) -> None:
    window = lecture
    press(window, "E")
    editor = window.source.editor
    line = next(n for n, text in enumerate(window.source.text.splitlines(), 1) if "sdata[tid] +=" in text)
    editor.place_cursor(line)
    QTest.keyClicks(editor, "nonsense(1);")
    with qtbot.waitSignal(window.session.failed, timeout=COLD_MS):
        QTest.keyClick(editor, Qt.Key.Key_F5)
    problem = window.banner.problems[0]
    assert problem.span is not None
    assert problem.span.line == line
    editor.undo()
    QTest.keyClicks(editor, "// the same")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    with qtbot.waitSignal(window.session.run_changed, timeout=COLD_MS):
        QTest.keyClick(editor, Qt.Key.Key_F5)
    assert not window.banner.isVisible()


def test_a_file_of_ones_own(lecture: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(
        "__global__ void twice(float *a, const float *b, int n)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] = 2 * b[i];\n}\n"
    )
    lecture.dialogs.ask_open = lambda *_: path
    with qtbot.waitSignal(lecture.session.run_changed, timeout=COLD_MS):
        press(lecture, "Ctrl+O")
    assert lecture.session.run.program.kernel == "twice"
    press(lecture, "End")
    assert lecture.session.run.counters["global_st_requests"] == 16


def spoken(window: MainWindow, key: str) -> str:
    """What a picture says of itself."""
    view = window.workspace.views[key]
    view.flush()
    return texts_of(view)[-1]


def covered(window: MainWindow, key: str) -> bool:
    """Whether the answer is hidden in a picture."""
    view = window.workspace.views[key]
    view.flush()
    return bool(view.canvas.picture.covers)  # type: ignore[attr-defined]


def test_the_hall_is_asked(lecture: MainWindow, qtbot: QtBot) -> None:
    """How many transactions, which lanes, how many wavefronts: hidden, asked and revealed at each access."""
    window = lecture
    press(window, "P")
    while window.presenter.context.frame.addresses is None:
        press(window, "PgDown")
    assert covered(window, "global")
    assert "how many transactions" in window.caption.text
    press(window, "P")
    assert not covered(window, "global")
    assert "2 transactions of 64 bytes" in window.caption.text
    press(window, "D")
    press(window, "P")
    assert covered(window, "lanes")
    assert "lanes" in window.caption.text
    press(window, "P")
    assert "16 of 32" in spoken(window, "lanes")
    next_variant(window, qtbot)
    press(window, "Home")
    press(window, "C")
    press(window, "P")
    assert covered(window, "shared")
    assert "how many wavefronts" in window.caption.text
    press(window, "P")
    assert "2-way conflict" in spoken(window, "shared")
    fronts = len(window.presenter.context.frame.access.wavefronts)
    for front in range(fronts):
        press(window, "U")
        assert window.selection.now.part == front
    press(window, "U")
    assert window.selection.now.part is None


def test_presenting_to_the_class(lecture: MainWindow) -> None:
    """Full screen, a clicker's keys, one view as large as it goes, larger type; and back by Esc."""
    window = lecture
    press(window, "F11")
    assert window.presentation.on
    for _ in range(4):
        press(window, "PgDown")
    steps = window.session.run.trace.steps_of_warp(0, 0).tolist()
    assert window.selection.now.step == steps[3]
    press(window, "PgUp")
    assert window.selection.now.step == steps[2]
    presented = window.look.scale
    press(window, "Ctrl++")
    assert window.look.scale > presented
    press(window, "Z")
    assert window.workspace.zoomed is not None
    press(window, "PgDown")
    assert window.selection.now.step == steps[3]
    press(window, "Z")
    assert window.workspace.zoomed is None
    press(window, "Esc")
    assert not window.presentation.on
    assert window.look.scale == 1.0


def test_the_next_lecture_begins_where_this_one_ended(lecture: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Bookmarks and the saved session, opened again after another kernel."""
    window = lecture
    files = window.dialogs
    for key, name in (("D", "the comb"), ("B", "they meet")):
        press(window, key)
        files.ask_text = lambda *_, name=name: name
        press(window, "M")
    press(window, "Home")
    press(window, ".")
    assert window.caption.text == "Bookmark: the comb"
    comb = window.selection.now.step
    path = tmp_path / "lecture.warpview"
    files.ask_save = lambda *_: path
    press(window, "Ctrl+Alt+S")
    next_variant(window, qtbot)
    assert window.selection.now.bookmarks == ()
    files.ask_open = lambda *_: path
    with qtbot.waitSignal(window.session.run_changed, timeout=COLD_MS):
        press(window, "Ctrl+O")
    assert window.session.variant.key == "reduction/interleaved"
    assert window.selection.now.step == comb
    press(window, ".")
    assert window.caption.text == "Bookmark: they meet"


def test_a_lesson_is_read(lecture: MainWindow, qtbot: QtBot) -> None:
    """Chosen in the menu by its letter, turned page by page, closed."""
    window = lecture
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_Return)
    window.activateWindow()
    lessons = window.lessons
    assert lessons.lesson is not None
    for number in range(3):
        assert lessons.number == number
        qtbot.waitUntil(lambda: not window.runner.busy, timeout=COLD_MS)
        assert lessons.panel.count.text().startswith(f"{number + 1} of {len(lessons.lesson.pages)}")
        view = lessons.lesson.directive(number).view
        assert view is None or window.workspace.views[view].isVisible()
        press(window, "Ctrl+PgDown")
    press(window, "Ctrl+PgUp")
    assert lessons.number == 2
