"""The headers of the stage show the number of each view, in their places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from ui.backend import run_of
from ui.rest import come_to_rest
from ui.test_keys import press

from warpview.trace.frame import Mark
from warpview.ui.arranging.stage_tabs import HEADER_SPACE, UNDERLINE, StageHeader, StageTabs
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext


def headline(key: str, context: FrameContext) -> str:
    return next(view for view in VIEWS if view.key == key).headline(context)


def _context(kernel: str, mark: Mark, device: str = "8800gtx", **more: object) -> FrameContext:
    run = run_of(kernel, device)
    step = run.trace.find(0, mark)
    assert step is not None
    event = run.trace.event(step)
    return FrameContext(run, run.trace.frame(step), Snapshot(step, event.block, event.warp), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "kernel", "mark", "words"),
    [
        ("divergence", "reduction/interleaved", Mark.DIVERGENCE, "16/32"),
        ("shared", "reduction/strided_index", Mark.CONFLICT, "2-way"),
        ("global", "transpose/naive_32", Mark.UNCOALESCED, "12.5 %"),
        ("occupancy", "reduction/interleaved", Mark.DIVERGENCE, "83 %"),
        ("timeline", "reduction/interleaved", Mark.DIVERGENCE, ""),
    ],
)
def test_numbers_of_real_steps(key: str, kernel: str, mark: Mark, words: str) -> None:
    assert headline(key, _context(kernel, mark)) == words
    assert headline(key, _context(kernel, mark, predicting=True)) == ""


def test_waiting_warps_are_counted() -> None:
    context = _context("reduction/interleaved", Mark.BARRIER)
    waiting = sum(bool(warp.at_barrier) for warp in context.frame.warps)
    assert waiting > 0
    assert headline("barrier", context) == f"{waiting} wait"


def test_headers_say_their_numbers_and_lie_within_the_window(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)
    press(window, "D")
    come_to_rest(window)
    headers = {header.view.key: header for header in stage.headers}
    assert headers["divergence"].text() == "Divergence"  # on the stage, with its number in its own heading
    assert headers["occupancy"].text() == "Occupancy 83 %"
    headers["occupancy"].click()
    assert headers["divergence"].text() == "Divergence 16/32"
    assert headers["occupancy"].text() == "Occupancy"
    shown = [header for header in stage.headers if header.isVisible()]
    assert len(shown) > 8
    for n, header in enumerate(shown):
        assert stage.rect().contains(header.geometry())
        assert header.width() >= header.sizeHint().width()
        assert not any(header.geometry().intersects(other.geometry()) for other in shown[:n])
        assert not header.geometry().intersects(stage.follow_button.geometry())


def test_headers_without_room_are_offered_in_a_menu(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)
    window.resize(1280, 720)
    window.staged.finish()
    press(window, "D")
    without = [header for n, header in enumerate(stage.headers) if header.isHidden() and stage.isTabVisible(n)]
    assert [header.view.key for header in without][-1] == "console"
    assert stage.more_button.isVisible()
    assert len({header.y() for header in stage.headers if header.isVisible()}) == 1, "one row"
    stage.more_button.click()
    (menu,) = (menu for menu in stage.findChildren(QMenu) if menu.isVisible())
    assert [action.text() for action in menu.actions()] == [header.text() for header in without]
    menu.actions()[-1].trigger()
    menu.close()
    assert stage.currentWidget() is without[-1].view
    assert without[-1].isVisible(), "the header of the view on the stage is in the row"
    assert stage.rect().contains(without[-1].geometry())
    assert not without[-1].geometry().intersects(stage.more_button.geometry())
    shown = [header for header in stage.headers if header.isVisible()]
    assert all(one.geometry().right() < other.geometry().left() + 1 for one, other in pairwise(shown))


def _margins(header: StageHeader) -> tuple[int, int]:
    """Return the columns left and right of what a header says."""
    image = header.grab(QRect(0, 0, header.width() - 2, header.height() - UNDERLINE)).toImage()
    ground = image.pixel(0, 0)
    ink = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in range(image.height()))]
    return ink[0], header.width() - 1 - ink[-1]


def test_a_name_without_its_number_stands_in_the_middle_of_its_header(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)
    header = next(header for header in stage.headers if header.view.key == "barrier")
    press(window, "B")
    while header.isChecked():
        press(window, "Shift+Right")
    assert header.text() == f"Barrier {header.number}"
    press(window, "Home")
    assert header.text() == "Barrier"
    left, right = _margins(header)
    assert left > window.look.px(HEADER_SPACE) + 5, "the row keeps its places"
    assert abs(left - right) <= 2
    window.look.set_theme("dark")
    left, right = _margins(header)
    assert left <= window.look.px(HEADER_SPACE) + 2, "the row is laid out anew"
    assert abs(left - right) <= 2


def test_while_the_stage_follows_no_room_is_kept_for_the_number_of_an_access(window: MainWindow) -> None:
    """It is that of the view on the stage, whose header does not say it."""
    (stage,) = window.workspace.findChildren(StageTabs)
    header = next(header for header in stage.headers if header.view.key == "global")
    numbers = set()
    for step in range(1, 40):
        window.player.go(step)
        window.presenter.present()
        numbers.add(header.number)
    assert "100 %" in numbers
    left, right = _margins(header)
    assert max(left, right) <= window.look.px(HEADER_SPACE) + 2


def test_numbers_stay_when_the_type_grows(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)
    press(window, "D")
    before = [header.number for header in stage.headers]
    assert "16/32" in before
    window.look.set_scale(1.4)
    assert [header.number for header in stage.headers] == before


def test_numbers_come_back_when_the_answer_is_revealed(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)
    press(window, "D")
    header = next(header for header in stage.headers if header.view.key == "divergence")
    assert header.number == "16/32"
    press(window, "P")
    assert header.number == ""
    press(window, "P")
    assert header.number == "16/32"


def test_only_the_header_of_the_view_on_the_stage_is_checked(window: MainWindow) -> None:
    (stage,) = window.workspace.findChildren(StageTabs)

    def checked() -> list[str]:
        return [header.view.key for header in stage.headers if header.isChecked()]

    press(window, "/")  # filters the counters
    assert checked() == ["counters"]
    press(window, "Esc")
    for step in range(1, 12):
        window.player.go(step)
        window.presenter.present()
        assert checked() == [stage.currentWidget().key]
    header = next(header for header in stage.headers if header.isChecked())
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert checked() == [header.view.key]
