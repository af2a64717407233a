"""A lesson's pages set in the window what they say, by key, by mouse and from the menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from support.lessons import lessons
from ui.rest import come_to_rest
from ui.stand import Stand

from warpview.trace.frame import Mark
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.lesson_panel import LessonPanel
from warpview.ui.session.landing import Landing
from warpview.ui.teaching.lessons import Lesson, parse
from warpview.ui.views.counters.counters_table import LAUNCH

LESSON = """# Two kinds of trouble

<!-- kernel: reduction/interleaved; device: 8800gtx; preset: step; step: divergence 2; view: divergence -->

Lanes **disagree** at `tid % (2 * s) == 0`.

<!-- predict: yes -->

How many of them?

<!-- kernel: reduction/strided_index; step: conflict 1; view: shared -->

Two lanes on one bank.

<!-- device: h200; warp: 2; step: line 7; view: counters -->

The same on an H200.

<!-- step: finding 3; view: lanes -->

There is none.
"""


@pytest.fixture
def lesson() -> Lesson:
    return parse(LESSON, "trouble.md")


def press(window: MainWindow, key: str) -> None:
    combination = QKeySequence(key)[0]
    QTest.keyClick(window.focusWidget() or window, combination.key(), combination.keyboardModifiers())
    window.staged.finish()


def hinted(window: MainWindow) -> list[str]:
    return [view.key for view in window.views if "hinted" in view.lit]


def line(window: MainWindow) -> int:
    run = window.session.run
    return int(run.program.instructions[run.trace.event(window.selection.now.step).pc].span.line)


def test_the_pages_by_key(window: MainWindow, qtbot: QtBot, stand: Stand, lesson: Lesson) -> None:
    runs = len(stand.backend.traced)
    window.lessons.open(lesson)
    trace = window.session.run.trace
    second = trace.find(trace.find(0, Mark.DIVERGENCE), Mark.DIVERGENCE)
    assert window.selection.now.step == second
    assert len(stand.backend.traced) == runs  # what is set up already is not run again
    assert hinted(window) == ["divergence"]
    assert window.lessons.panel.count.text() == "1 of 5 ▾"
    press(window, "Ctrl+PgDown")
    assert window.presenter.context.predicting
    assert window.selection.now.step == second
    with qtbot.waitSignal(window.session.run_changed):
        press(window, "Ctrl+PgDown")
    assert window.session.setup.variant == "reduction/strided_index"
    assert not window.presenter.context.predicting
    assert window.session.run.trace.event(window.selection.now.step).marks & Mark.CONFLICT
    assert "Two lanes on one bank" in window.lessons.panel.text.toPlainText()
    with qtbot.waitSignal(window.session.run_changed):
        press(window, "Ctrl+PgDown")
    assert window.session.setup.device == "h200"
    assert (window.selection.now.warp, line(window)) == (2, 7)
    assert not window.counters.isHidden()
    press(window, "Ctrl+PgDown")
    assert window.banner.problems[0].message == "trouble.md:19: step: This run has no finding number 3."
    press(window, "Ctrl+PgDown")
    assert window.caption.text == "This is the last page."
    with qtbot.waitSignal(window.session.run_changed):
        window.lessons.open(lesson, 2)
    assert window.session.setup.device == "8800gtx"


def test_the_pages_by_mouse(window: MainWindow, lesson: Lesson) -> None:
    window.lessons.open(lesson)
    panel = window.lessons.panel
    assert not panel.previous.isEnabled()
    QTest.mouseClick(panel.next, Qt.MouseButton.LeftButton)
    assert panel.count.text() == "2 of 5 ▾"
    assert window.actions_["predict"].isChecked()
    QTest.mouseClick(panel.previous, Qt.MouseButton.LeftButton)
    assert panel.count.text() == "1 of 5 ▾"
    assert not window.actions_["predict"].isChecked()
    QTest.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)
    assert panel.isHidden()
    assert hinted(window) == []


def test_a_lesson_from_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    menu = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Lessons")
    titles = [lesson.title for lesson in lessons()]
    entries = menu.actions()[: len(titles)]
    assert [entry.text().split("  ", 1)[1] for entry in entries] == titles
    entries[0].trigger()
    assert window.lessons.panel.title.text() == titles[0]
    assert entries[0].isChecked()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    assert window.session.setup.variant == lessons()[0].directive(0).kernel
    window.actions_["close_lesson"].trigger()
    assert not entries[0].isChecked()
    press(window, "Ctrl+PgDown")
    assert "choose one in the Lessons menu" in window.caption.text


def test_the_panel_is_under_the_library_or_a_strip(window: MainWindow, lesson: Lesson) -> None:
    window.window_layout.library_wanted = True
    window.lessons.open(lesson)
    panel = window.lessons.panel
    assert panel.isVisible()
    assert panel.width() > window.width() - 40  # the library is folded
    heights = set()
    for _ in range(2):
        come_to_rest(window)
        heights.add(panel.height())
        press(window, "Ctrl+PgDown")
    assert len(heights) == 1
    window.resize(1600, 1000)
    window.staged.finish()
    come_to_rest(window)
    assert panel.isVisible()
    assert window.library.isAncestorOf(panel)
    below = panel.mapTo(window, QPoint(0, 0)).y() > window.library.tree.mapTo(window, QPoint(0, 0)).y()
    assert below
    press(window, "Ctrl+B")
    assert panel.isVisible()
    assert not window.library.isAncestorOf(panel)
    press(window, "Ctrl+B")
    assert window.library.isAncestorOf(panel)
    press(window, "F11")
    assert panel.isVisible()
    press(window, "F11")
    window.actions_["close_lesson"].trigger()
    assert window.library.lesson.isVisible()


def test_the_view_of_the_page_is_in_front_in_a_small_window(window: MainWindow) -> None:
    window.actions_["everything"].trigger()
    # The strip takes the height that the views would need side by side.
    step = "<!-- kernel: reduction/interleaved; step: divergence 2; view: "
    window.lessons.open(parse(f"# T\n{step}counters -->\nOne.\n{step}occupancy -->\nTwo.", "t.md"))
    assert window.workspace.arrangement == "small"
    come_to_rest(window)
    assert window.counters.isVisible()
    press(window, "Ctrl+PgDown")
    come_to_rest(window)
    assert window.workspace.views["occupancy"].isVisible()
    assert hinted(window) == ["occupancy"]
    window.actions_["close_lesson"].trigger()
    assert window.workspace.arrangement == "narrow"


def test_a_view_without_a_place_fills_the_window(window: MainWindow, qtbot: QtBot, lesson: Lesson) -> None:
    window.presentation.set_on(True)
    with qtbot.waitSignal(window.session.run_changed):
        window.lessons.open(lesson, 3)
    assert window.counters.isVisible()
    press(window, "Ctrl+PgDown")
    assert hinted(window) == ["lanes"]


def test_a_launch_changed_meanwhile_is_put_right(window: MainWindow, qtbot: QtBot, lesson: Lesson) -> None:
    window.lessons.open(lesson)
    window.session.set_launch(grid=(8, 1, 1))
    with qtbot.waitSignal(window.session.run_changed):
        press(window, "Ctrl+PgDown")
    assert window.session.setup.grid == (4, 1, 1)


def test_a_cancelled_run_is_made_up_for(window: MainWindow, qtbot: QtBot, lesson: Lesson) -> None:
    window.lessons.open(lesson, 2)
    window.actions_["cancel"].trigger()
    assert not window.runner.busy
    with qtbot.waitSignal(window.session.run_changed):
        window.lessons.open(lesson, 2)
    assert window.session.run.trace.event(window.selection.now.step).marks & Mark.CONFLICT


def test_what_the_user_hides_stays_hidden(window: MainWindow, lesson: Lesson) -> None:
    press(window, "P")
    window.lessons.open(lesson)
    assert window.presenter.predicting


def test_the_page_of_a_run_overtaken_by_another_is_dropped(window: MainWindow, qtbot: QtBot, lesson: Lesson) -> None:
    window.lessons.open(lesson, 2)
    window.session.set_device("h200")
    with qtbot.waitSignal(window.session.run_changed):
        pass
    assert window.session.run.device.key == "h200"
    assert window.lessons.panel.isVisible()


def test_a_page_says_what_it_is_about_where_another_kernel_runs_and_leads_back(
    window: MainWindow, qtbot: QtBot, lesson: Lesson
) -> None:
    """Back and forward have the same words as the way there."""
    window.lessons.open(lesson, 1)
    panel, session = window.lessons.panel, window.session
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    page = panel.text.toPlainText()
    note = "This page is about Interleaved, divergent on GeForce 8800 GTX. Return to the page"

    def says_note(there: bool, variant: str) -> None:
        qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
        assert session.setup.variant == variant
        assert panel.text.toPlainText().replace("\n", " ").startswith(f"⚠ {note}") == there

    press(window, "V")
    says_note(True, "reduction/strided_index")
    press(window, "Alt+Left")
    says_note(False, "reduction/interleaved")
    press(window, "Alt+Right")
    says_note(True, "reduction/strided_index")
    panel.text.anchorClicked.emit(QUrl("page:"))
    says_note(False, "reduction/interleaved")
    assert panel.text.toPlainText() == page
    press(window, "Alt+Left")
    says_note(True, "reduction/strided_index")
    press(window, "Ctrl+PgDown")  # whose kernel that is
    says_note(False, "reduction/strided_index")


def test_a_lesson_of_ones_own(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(LESSON, encoding="utf-8")
    files = window.dialogs
    files.ask_open = lambda *_: path
    window.actions_["open_lesson"].trigger()
    assert window.lessons.panel.title.text() == "Two kinds of trouble"
    path.write_text(LESSON.replace("device: h200", "device: h20"), encoding="utf-8")
    window.actions_["open_lesson"].trigger()
    assert window.banner.problems[0].message.startswith("mine.md:15: device: there is no device 'h20'; did you mean")
    assert "mine.md" in window.banner.problems[0].hint
    path.write_text(LESSON.replace("divergence 2", "diversion 2"), encoding="utf-8")
    window.actions_["open_lesson"].trigger()
    assert window.banner.problems[0].message.startswith("mine.md:3: step: 'diversion 2' is not a step")
    files.ask_open = lambda *_: tmp_path / "none.md"
    window.actions_["open_lesson"].trigger()
    assert "none.md" in window.banner.problems[0].message
    files.ask_open = lambda *_: None
    window.actions_["open_lesson"].trigger()
    assert window.lessons.panel.isVisible()


# ---- what a page may ask, and give away only when it is asked for

ASKED = """# Questions
<!-- kernel: reduction/interleaved; step: divergence 2; view: lanes; counter: barriers -->

## First

How many?

<!-- answer -->

Sixteen.

<!-- step: conflict 1; view: shared; zoom: yes -->

## Second

Look.

<!-- view: lanes -->

Third, which has no heading and begins like this.
"""


@pytest.fixture
def asked(window: MainWindow, qtbot: QtBot) -> Lesson:
    lesson = parse(ASKED.replace("conflict 1", "barrier 1"), "asked.md")
    window.lessons.open(lesson)
    qtbot.waitUntil(lambda: window.prediction.lesson is not None)
    return lesson


def test_the_answer_of_a_page_waits_for_p(window: MainWindow, asked: Lesson) -> None:
    panel = window.lessons.panel
    assert "Sixteen" not in panel.text.toPlainText()
    assert "Press P" in panel.text.toPlainText()
    press(window, "P")
    window.presenter.present()
    assert "Sixteen" in panel.text.toPlainText()
    press(window, "P")
    window.presenter.present()
    assert "Sixteen" not in panel.text.toPlainText()
    press(window, "Ctrl+PgDown")
    press(window, "Ctrl+PgUp")
    assert not window.presenter.predicting  # nor do the views hide the evidence: the page has no "ask"
    assert "Sixteen" not in panel.text.toPlainText()


def test_a_page_selects_a_counter_and_zooms_for_itself_only(window: MainWindow, asked: Lesson) -> None:
    assert window.selection.now.counter == "barriers"
    press(window, "Ctrl+PgDown")
    assert window.selection.now.counter is None
    assert window.workspace.zoomed is window.workspace.views["shared"]
    assert window.lessons.panel.isVisible()
    press(window, "Ctrl+PgDown")
    assert window.workspace.zoomed is None
    press(window, "Ctrl+PgUp")
    assert window.workspace.zoomed is window.workspace.views["shared"]
    press(window, "Ctrl+PgUp")
    assert window.workspace.zoomed is None
    assert window.selection.now.counter == "barriers"


def test_a_closed_lesson_leaves_no_counter_selected_and_the_table_where_it_was(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.workspace.raise_view("counters", keep=True)
    come_to_rest(window)
    bar = window.counters.list.verticalScrollBar()
    before = bar.value()
    window.lessons.open(parse(ASKED.replace("barriers", "shared_st_bank_conflicts"), "asked.md"))
    qtbot.waitUntil(lambda: window.prediction.lesson is not None)
    window.workspace.raise_view("counters", keep=True)
    come_to_rest(window)
    assert bar.value() != before
    window.actions_["close_lesson"].trigger()
    come_to_rest(window)
    assert window.selection.now.counter is None
    assert bar.value() == before


def test_what_a_page_asks_for_stays_in_sight_when_its_kernel_is_changed(stand: Stand, window: MainWindow) -> None:
    """The last page of *Tiling* asks how many load requests the next variant makes: their row was below the others,
    and the steps of that variant brought another view to the stage."""
    counters = window.counters
    window.lessons.open(lessons()[5])
    stand.settle()
    for _ in window.lessons.open_page[0].pages[1:]:
        press(window, "Ctrl+PgDown")
        stand.settle()

    def requests_in_sight() -> int:
        """Return the number in the row, if it can be seen; else 0."""
        come_to_rest(window)
        row = counters.table.row_of("global_ld_requests")
        box = counters.list.visualRect(counters.table.index(row, LAUNCH))
        return counters.table.shown[row].launch if counters.list.viewport().rect().contains(box) else 0

    assert counters.isVisible()
    assert requests_in_sight() == 128
    press(window, "V")
    stand.settle()
    assert window.session.variant.key == "stencil/five_point_tiled"
    press(window, "Right")
    press(window, "End")
    assert counters.isVisible()
    assert requests_in_sight() == 68
    window.lessons.close()
    press(window, "Home")
    press(window, "D")
    assert window.workspace.views["divergence"].isVisible(), "the stage follows the step again"


def test_a_view_that_the_user_zoomed_gives_its_place_to_that_of_the_page(window: MainWindow, asked: Lesson) -> None:
    window.workspace.zoom(window.workspace.views["divergence"])
    press(window, "Ctrl+PgDown")
    assert window.workspace.zoomed is window.workspace.views["shared"]
    press(window, "Ctrl+PgDown")
    assert window.workspace.zoomed is window.workspace.views["lanes"]


def test_the_contents_lead_to_any_page(window: MainWindow, qtbot: QtBot, asked: Lesson) -> None:
    press(window, "Shift+P")
    menu = window.lessons.panel.findChild(QMenu)
    entries = [action for action in menu.actions() if not action.isSeparator()]
    assert [entry.text() for entry in entries] == [
        "1  First",
        "2  Second",
        "3  Third, which has no heading and begins …",
    ]
    assert [entry.isChecked() for entry in entries] == [True, False, False]
    entries[2].trigger()
    menu.close()
    assert window.lessons.number == 2
    assert window.lessons.panel.count.text() == "3 of 3 ▾"


@pytest.mark.parametrize("width", [1280, 1600])
def test_no_page_of_ours_is_cut(window: MainWindow, width: int) -> None:
    window.resize(width, 720 if width == 1280 else 1000)
    window.staged.finish()
    panel = window.lessons.panel
    window.lessons.open(lessons()[0])  # which makes room for the panel; the runs of the pages are not looked at
    for lesson in lessons():
        for number in range(len(lesson.pages)):
            panel.show_page(lesson, number)
            panel.set_answered(True)
            come_to_rest(window)
            assert not panel.text.verticalScrollBar().maximum(), f"{lesson.name}, page {number + 1}"


# ---- what a page asks is judged

JUDGED = """# Judged
<!-- kernel: reduction/interleaved; step: divergence 1; view: lanes; ask: lanes -->

How many lanes add?

<!-- answer -->

Every second one.

<!-- step: divergence 1 -->

And on.
"""


@pytest.fixture
def judged(window: MainWindow, qtbot: QtBot) -> LessonPanel:
    window.lessons.open(parse(JUDGED, "judged.md"))
    qtbot.waitUntil(lambda: window.presenter.predicting)
    window.presenter.present()
    return window.lessons.panel


def lanes_of_step(window: MainWindow) -> int:
    event = window.session.run.trace.event(window.selection.now.step)
    return 32 - (event.taken & 0xFFFFFFFF).bit_count()


def test_a_guess_typed_in_the_field_is_judged_by_the_run(window: MainWindow, judged: LessonPanel) -> None:
    assert judged.guess.isVisible()
    QTest.mouseClick(judged.guess, Qt.MouseButton.LeftButton)
    QTest.keyClicks(judged.guess, "8")
    assert window.prediction.guess == "8"
    assert "Every second" not in judged.text.toPlainText()
    QTest.keyClick(judged.guess, Qt.Key.Key_Return)
    window.presenter.present()
    assert f"✗ You said 8: it is {lanes_of_step(window)} lanes. Every second one." in judged.text.toPlainText()
    assert not judged.guess.isEnabled()
    assert window.central.hasFocus()


def test_digits_typed_anywhere_stand_in_the_field_and_the_right_one_is_said_to_be(
    window: MainWindow, judged: LessonPanel
) -> None:
    right = lanes_of_step(window)
    for digit in str(right):
        press(window, digit)
    assert judged.guess.text() == str(right)
    press(window, "P")
    window.presenter.present()
    assert f"✓ You said {right}: right, {right} lanes." in judged.text.toPlainText()
    press(window, "P")
    window.presenter.present()
    assert "Every second" not in judged.text.toPlainText()
    assert judged.guess.isEnabled()
    assert judged.guess.text() == ""
    assert window.presenter.predicting


def test_without_a_guess_the_number_is_said(window: MainWindow, judged: LessonPanel) -> None:
    press(window, "P")
    window.presenter.present()
    assert f"It is {lanes_of_step(window)} lanes. Every second one." in judged.text.toPlainText()


def test_a_page_that_asks_nothing_has_no_field(window: MainWindow, judged: LessonPanel) -> None:
    press(window, "Ctrl+PgDown")
    assert not judged.guess.isVisible()
    press(window, "Ctrl+PgUp")
    assert judged.guess.isVisible()


@pytest.mark.parametrize("any_result", [True, False])
def test_a_page_may_let_an_edit_compute_anything(stand: Stand, any_result: bool) -> None:
    lesson = lessons()[0]
    with stand.another_run():
        stand.w.lessons.open(lesson, len(lesson.pages) - 1)
    assert lesson.directive(len(lesson.pages) - 1).any_result
    if not any_result:
        with stand.another_run():
            stand.w.session.show(None, None, None, Landing())
    text = stand.w.source.text
    assert "threadIdx.x % 2" in text
    stand.press("E")
    editor = stand.w.source.editor
    editor.setTextCursor(editor.document().find("threadIdx.x % 2"))
    QTest.keyClicks(editor, "threadIdx.x / 16 % 2")
    with stand.another_run():
        stand.press("F5")
    assert stand.setup.edited
    assert ([f.kind for f in stand.w.session.run.findings] == []) == any_result
    assert stand.w.banner.isVisible() != any_result
    stand.press("D")  # the keys step again
    assert stand.w.source.text.count("D") == text.count("D")


def test_what_a_page_asks_is_not_told_by_the_banner(window: MainWindow, qtbot: QtBot) -> None:
    """The first page of the lesson on atomics asks why an update is lost; the finding of its run says it."""
    lesson = next(each for each in lessons() if "atomics" in each.name)
    window.lessons.open(lesson)
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    come_to_rest(window)
    assert window.session.run is not None
    assert window.session.run.findings
    assert not window.banner.isVisible()
    press(window, "P")
    assert window.banner.isVisible()
    press(window, "P")
    assert not window.banner.isVisible(), "asked again"
    window.lessons.close()
    assert window.banner.isVisible()
