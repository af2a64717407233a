"""The stepping keys and the jumps stay with the warp, block, lane or element that is followed."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest
from ui.stand import place_in_history
from ui.test_keys import press, step
from ui.view_texts import texts_of

from warpview.isa.types import Space
from warpview.trace.access_log import AccessLog
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.elements import Element, find_element
from warpview.ui.views.arrays.arrays import ArraysView


def event(window: MainWindow) -> object:
    return window.session.run.trace.event(step(window))


def follow_element(window: MainWindow, qtbot: QtBot, name: str) -> None:
    """Follow an element and wait until its accesses are known."""
    window.dialogs.ask_text = lambda *_: name
    press(window, "X")
    qtbot.waitUntil(lambda: window.player.steps() is not None, timeout=3000)


def test_a_block_is_followed(window: MainWindow) -> None:
    press(window, "Shift+W")
    assert window.actions_["follow_block"].isChecked()
    assert window.transport.mode.currentText() == "follow block"
    seen = []
    for _ in range(8):
        press(window, "Right")
        seen.append((event(window).block, event(window).warp))
    assert {block for block, _ in seen} == {0}
    assert len({warp for _, warp in seen}) > 1
    press(window, "D")
    assert event(window).block == 0
    press(window, "Left")
    assert event(window).block == 0


def test_a_lane_is_followed(window: MainWindow) -> None:
    press(window, "1")
    press(window, "Q")
    press(window, "Q")
    press(window, "L")
    assert window.player.followed == "block 0, warp 1, lane 1"
    trace = window.session.run.trace
    steps = trace.steps_of_lane(0, 1, 1).tolist()
    for expected in steps[:20]:
        press(window, "Right")
        assert step(window) == expected
    press(window, "Left")
    assert step(window) == steps[18]
    assert window.caption.followed.text() == f"block 0, warp 1, lane 1: step 19 of {len(steps)}"
    press(window, "2")
    assert window.player.followed == "block 0, warp 2, lane 1"
    press(window, "Shift+Q")
    assert window.player.followed == "block 0, warp 2, lane 0"


def test_a_lane_without_a_selection_is_the_first(window: MainWindow) -> None:
    press(window, "L")
    assert window.selection.now.lane == 0
    window.selection.update(lane=None)
    assert window.player.mode == "instruction"


def test_an_element_is_followed(window: MainWindow, qtbot: QtBot) -> None:
    follow_element(window, qtbot, "sdata[2]")
    trace = window.session.run.trace
    expected = [
        n for n in range(1, trace.steps + 1)
        if (where := trace.frame(n).addresses) is not None and where.space == Space.SHARED and trace.event(n).block == 0
        and any(where.address[lane] == 8 for lane in range(32) if where.mask >> lane & 1)
    ]  # fmt: skip
    assert len(expected) == 4
    walked = []
    while not walked or walked[-1] != step(window):
        walked.append(step(window))
        press(window, "Right")
    assert walked[1:] == expected
    assert "no accesses of sdata[2] of block 0 after this one" in window.caption.text
    assert window.caption.followed.text() == f"sdata[2] of block 0: access {len(expected)} of {len(expected)}"
    for _ in expected[1:]:
        press(window, "Left")
    assert step(window) == expected[0]
    press(window, "Left")
    assert step(window) == expected[0] - 1


def test_jumps_stay_with_an_element(window: MainWindow, qtbot: QtBot) -> None:
    window.session.choose("reduction/strided_index")
    qtbot.waitUntil(lambda: "strided" in window.session.run.program.kernel and not window.runner.busy, timeout=3000)
    press(window, "Home")
    follow_element(window, qtbot, "sdata[64]")
    press(window, "C")
    touched = window.player.steps()
    assert step(window) in touched
    press(window, "F")
    assert window.caption.text == "There is no finding of sdata[64] of block 0 after this step."


def test_esc_lets_go(window: MainWindow, qtbot: QtBot) -> None:
    follow_element(window, qtbot, "sdata[2]")
    assert window.caption.followed.isVisible()
    press(window, "Esc")
    assert window.player.mode == "instruction"
    assert not window.caption.followed.isVisible()
    assert window.selection.now.element is not None
    press(window, "Esc")
    assert window.selection.now.element is None


def test_a_wrong_name_says_what_there_is(window: MainWindow) -> None:
    window.dialogs.ask_text = lambda *_: "foo[1]"
    press(window, "X")
    assert window.caption.text.startswith("There is no 'foo[1]'; there are sdata[")
    assert window.player.mode == "instruction"
    assert not window.actions_["follow_element"].isChecked()


def test_running_goes_from_touch_to_touch(window: MainWindow, qtbot: QtBot) -> None:
    follow_element(window, qtbot, "sdata[2]")
    window.player.set_speed(7)
    press(window, "Space")
    qtbot.waitUntil(lambda: step(window) >= window.player.steps()[3], timeout=3000)
    press(window, "Space")
    assert step(window) in window.player.steps()


def test_the_element_goes_with_the_kernel(window: MainWindow, qtbot: QtBot) -> None:
    follow_element(window, qtbot, "sdata[2]")
    press(window, "V")
    qtbot.waitUntil(lambda: "strided" in window.session.run.program.kernel and not window.runner.busy, timeout=3000)
    assert window.selection.now.element.name == "sdata[2]"
    assert window.player.mode == "element"
    qtbot.waitUntil(lambda: window.player.steps() is not None, timeout=3000)


def test_the_touches_are_looked_for_in_the_worker(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the first element and of the next: among millions of accesses that takes longer than a frame."""
    threads: list[bool] = []
    search = AccessLog.steps_accessing

    def watched(*given: object) -> object:
        threads.append(threading.current_thread() is threading.main_thread())
        return search(*given)

    monkeypatch.setattr(AccessLog, "steps_accessing", watched)
    follow_element(window, qtbot, "sdata[21]")
    follow_element(window, qtbot, "sdata[22]")
    assert threads == [False, False]


@pytest.mark.parametrize("what", ["block", "lane", "any", "line"])
def test_the_list_offers_every_way(window: MainWindow, what: str) -> None:
    combo = window.transport.mode
    combo.setCurrentIndex(combo.findData(what))
    combo.activated.emit(combo.currentIndex())
    assert window.player.mode == what
    press(window, "Right")
    assert step(window) >= 1
    press(window, "Esc")
    assert window.player.mode == (what if what in ("any", "line") else "instruction")


def test_the_list_asks_for_an_element(window: MainWindow) -> None:
    window.dialogs.ask_text = lambda *_: None
    combo = window.transport.mode
    combo.setCurrentIndex(combo.findData("element"))
    combo.activated.emit(combo.currentIndex())
    assert window.player.mode == combo.currentData() == "instruction"


def test_parts_of_an_access(window: MainWindow, qtbot: QtBot) -> None:
    window.session.choose("reduction/strided_index")
    qtbot.waitUntil(lambda: "strided" in window.session.run.program.kernel and not window.runner.busy, timeout=3000)
    press(window, "Home")
    press(window, "U")
    assert "no memory" in window.caption.text
    press(window, "C")
    count = len(window.presenter.context.frame.access.wavefronts)
    seen = []
    for _ in range(count + 1):
        press(window, "U")
        seen.append(window.selection.now.part)
    assert seen == [*range(count), None]
    press(window, "Shift+U")
    assert window.selection.now.part == count - 1
    press(window, "Right")
    assert window.selection.now.part is None


def test_the_selection_remembers_the_element_in_a_session(window: MainWindow) -> None:
    from warpview.ui.session.session_file import Saved, from_text, to_text

    element = Element("out[1]", Space.GLOBAL, 4, 4)
    window.selection.update(element=element, colours="lane")
    text = to_text(Saved(window.session.setup, window.selection.now))
    assert from_text(text, "x").place.element == element


def arrays_alone(window: MainWindow, qtbot: QtBot) -> ArraysView:
    """The arrays view, filling the window."""
    window.resize(1600, 1000)
    window.staged.finish()
    view = window.workspace.views["arrays"]
    assert isinstance(view, ArraysView)
    window.workspace.zoom(view)
    qtbot.waitUntil(lambda: view.isVisible() and bool(view.plots))
    view.flush()
    come_to_rest(window)
    return view


def place_of(view: ArraysView, array: str, index: int) -> QPoint:
    """Where an element of an array stands in the view."""
    plot = next(p for p in view.plots if p.shown is not None and p.shown.array.name == array)
    row, column = plot.shown.shape.place(index)
    return view.canvas.mapFromScene(plot.vb.mapViewToScene(QPointF(column + 0.5, row + 0.5)))


def test_an_element_is_selected_by_a_click_and_let_go_by_another(window: MainWindow, qtbot: QtBot) -> None:
    view = arrays_alone(window, qtbot)
    place = place_of(view, "sdata", 5)
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.selection.now.element == find_element(window.session.run, 0, "sdata[5]")
    asked = []
    window.dialogs.ask_text = lambda *words: asked.append(words[-1])
    press(window, "X")
    assert asked == ["sdata[5]"]
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.selection.now.element is None


def test_arrays_are_coloured_by_key_and_by_mouse(window: MainWindow, qtbot: QtBot) -> None:
    view = arrays_alone(window, qtbot)
    press(window, "End")
    window.workspace.raise_view("global")
    press(window, "H")
    assert window.selection.now.colours == "warp"
    qtbot.waitUntil(lambda: "last accessed by" in texts_of(view), timeout=10_000)
    name = view.plots[0].shown.array.name
    says = view.hover_at(view.canvas.mapToScene(place_of(view, name, 33)))
    assert "read last by block 0, warp 1, lane 1 at step" in says
    button = next(b for b in view.findChildren(QToolButton) if b.text() == "by warp")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.selection.now.colours == "lane"
    assert button.text() == "by lane"
    for _ in range(5):
        press(window, "H")
    assert window.selection.now.colours == ""
    assert button.text() == "by value"


def test_a_guess_hides_the_parts(window: MainWindow) -> None:
    press(window, "P")
    press(window, "U")
    assert "P reveals the answer first" in window.caption.text
    assert window.selection.now.part is None


def test_the_touches_of_what_is_followed_are_a_row_of_the_history(window: MainWindow, qtbot: QtBot) -> None:
    bar = window.history
    before = [row.kind.name for row in bar.rows]
    follow_element(window, qtbot, "sdata[2]")
    window.presenter.present()
    assert [row.kind.name for row in bar.rows] == [*before, "access"]
    touched = window.player.steps()
    y = next(y for y in range(bar.height()) if (row := bar.row_at(y)) and row.kind.name == "access") + 2
    assert f"{len(touched)} accesses to sdata[2] of block 0" in bar.words_at(QPoint(2, y))
    goal = int(touched[1])
    there = QPoint(round(place_in_history(bar, goal).x()) + 1, y)
    QTest.mouseClick(bar.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, there)
    assert step(window) in touched
    window.player.go(goal)
    press(window, "Ctrl+T")
    assert step(window) == touched[2]
    press(window, "Ctrl+Shift+T")
    assert step(window) == goal
    press(window, "Escape")
    window.presenter.present()
    assert [row.kind.name for row in bar.rows] == before


def test_a_touch_of_nothing_says_what_to_do(window: MainWindow) -> None:
    press(window, "Ctrl+T")
    assert "press X" in window.caption.text


def test_between_accesses_the_last_one_is_named_as_past(window: MainWindow, qtbot: QtBot) -> None:
    follow_element(window, qtbot, "sdata[2]")
    steps = window.player.steps()
    first = int(steps[0])
    free = next(at for at in range(first + 1, int(steps[-1])) if at not in steps)
    done = int((steps < free).sum())
    for at, where in ((free, f"after access {done}"), (first, "access 1"), (first - 1, "before access 1")):
        window.player.go(at)
        window.presenter.present()
        assert window.caption.followed.text() == f"sdata[2] of block 0: {where} of {len(steps)}"
