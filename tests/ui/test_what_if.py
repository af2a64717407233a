"""The sliders of the occupancy view work from the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui.test_keys import press, step

from warpview.ui.main_window import MainWindow
from warpview.ui.views.machine.occupancy_model import OccupancyByResource


@pytest.fixture
def keyed(window: MainWindow) -> MainWindow:
    window.resize(1600, 1000)
    window.staged.finish()
    press(window, "O")
    window.workspace.views["occupancy"].flush()
    return window


def asked(window: MainWindow) -> tuple[int, int, int]:
    window.workspace.views["occupancy"].flush()
    question = window.workspace.views["occupancy"].what_if
    return (question.threads, question.registers, question.shared)


def test_arrows_move_the_slider_and_not_the_run(keyed: MainWindow) -> None:
    assert keyed.focusWidget() is keyed.workspace.views["occupancy"].canvas
    press(keyed, "Right")
    assert asked(keyed) == (160, 11, 512)
    press(keyed, "Shift+Right")
    assert asked(keyed)[0] == 416
    press(keyed, "Left")
    press(keyed, "Left")
    assert asked(keyed)[0] == 352
    press(keyed, "Down")
    press(keyed, "Right")
    assert asked(keyed) == (352, 12, 512)
    press(keyed, "Tab")
    press(keyed, "Right")
    assert asked(keyed)[2] > 512
    press(keyed, "Up")
    press(keyed, "Left")
    assert asked(keyed)[1] == 11
    assert step(keyed) == 0
    press(keyed, "Home")
    assert keyed.workspace.views["occupancy"].what_if is None


def test_esc_gives_the_keys_back(keyed: MainWindow) -> None:
    press(keyed, "Esc")
    assert keyed.focusWidget() is not keyed.workspace.views["occupancy"].canvas
    QTest.keyClick(keyed, Qt.Key.Key_Right)
    assert step(keyed) == 1
    assert keyed.workspace.views["occupancy"].what_if is None


def test_a_view_without_room_for_them_fills_the_window(window: MainWindow) -> None:
    window.resize(960, 540)
    window.staged.finish()
    press(window, "O")
    window.workspace.views["occupancy"].flush()
    assert window.workspace.views["occupancy"].has_curves
    press(window, "Right")
    assert asked(window)[0] == 160


def test_values_between_those_of_the_curve() -> None:
    curve = OccupancyByResource("shared", "", (0, 256, 512), (1, 1, 1), 1)
    assert curve.neighbour(300, 1) == 512
    assert curve.neighbour(300, -1) == 256
    assert curve.neighbour(256, -1) == 0
    assert curve.neighbour(0, -1) == 0
    assert curve.neighbour(512, 8) == 512
