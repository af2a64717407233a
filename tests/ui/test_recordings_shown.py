"""What the recorded history takes stands beside the steps, where there is room; its parts are told on hover."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLabel

from warpview.ui.main_window import MainWindow


def label(window: MainWindow) -> QLabel:
    return next(each for each in window.findChildren(QLabel) if each.accessibleName() == "Recorded history")


def test_it_is_shown_where_there_is_room(window: MainWindow, qapp: QApplication) -> None:
    assert not label(window).isVisible()
    window.resize(1600, 1000)
    qapp.processEvents()
    assert label(window).isVisible()
    assert label(window).text() == "·  history 7.6 MB of 1 GB"
    assert "4.8 MB states" in label(window).toolTip()


def test_what_is_gathered_is_added_when_it_comes(window: MainWindow) -> None:
    window.transport.show_recordings(50 << 20)
    assert "58 MB of 1 GB" in label(window).text()
