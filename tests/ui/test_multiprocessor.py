"""The doors of the multiprocessor view open their views."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from warpview.ui.main_window import MainWindow
from warpview.ui.views.machine import multiprocessor_model as model


def test_a_click_on_a_part_opens_its_view(window: MainWindow, qtbot: QtBot) -> None:
    window.workspace.raise_view("multiprocessor")
    view = window.workspace.views["multiprocessor"]
    view.flush()
    place = model.layout(view.context, *view.picture_size(), view.unit())
    at = view.canvas.mapFromScene(QPointF(place.registers.cx, place.registers.cy))
    qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(window.workspace.views["occupancy"].isVisible)
