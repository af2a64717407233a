"""The lanes show values of threads that there are, and of variables that have one."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from ui.test_keys import press

from warpview.ui.main_window import MainWindow
from warpview.ui.views.lanes.lane_values_model import shown_variables, strip


def names(window: MainWindow) -> list[str]:
    assert window.presenter.context is not None
    return [variable.name for variable in shown_variables(window.presenter.context, None)]


def test_a_variable_is_shown_once_it_may_have_been_set(window: MainWindow) -> None:
    press(window, "Home")
    assert names(window) == []
    press(window, "Right")
    assert names(window) == ["tid"]
    press(window, "D")
    assert {"tid", "i", "s"} <= set(names(window))


def test_lanes_beyond_the_end_of_the_block_have_no_value(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_changed, timeout=20_000):
        window.session.set_launch(block=(4, 1, 1))
        window.session.start()
    for _ in range(2):
        press(window, "Right")
    context = window.presenter.context
    assert context is not None
    shown = {v.name: s for v in shown_variables(context, None) if (s := strip(context, v)) is not None}
    assert shown["tid"].texts == ("0", "1", "2", "3", *[""] * 28)
