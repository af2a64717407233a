"""The comparison page in its three forms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from ui.fakes import FakeBackend, make_run
from ui.test_keys import press

from warpview.ui.backend import Measured, Progress, Setup
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.comparison import BARS, LADDER, ROOFLINE


class Timed(FakeBackend):
    """Measures in earnest: all the counters of the hand-made runs."""

    def measure(self, setups: Sequence[tuple[str, Setup]], progress: Progress) -> list[Measured]:
        counters = make_run().counters
        return [
            Measured(title, setup.entry, setup.device, {**counters, "time_us": 10.0 / (n + 1)})
            for n, (title, setup) in enumerate(setups)
        ]


@pytest.fixture
def backend() -> FakeBackend:
    return Timed()


def test_a_key_leads_through_bars_ladder_and_roofline(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+Shift+K")
    assert "Ctrl+K compares the variants" in window.caption.text
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.comparing)
    page = window.comparison
    assert page.tabs.currentIndex() == BARS
    assert page.filter.isVisible()
    spoken = {}
    for tab in (LADDER, ROOFLINE):
        press(window, "Ctrl+Shift+K")
        assert page.tabs.currentIndex() == tab
        assert not page.filter.isVisible()
        window.grab()
        assert page.picture is not None
        spoken[tab] = page.picture.spoken
    assert "Strided index: 5 µs" in spoken[LADDER]
    assert "2.00×" in spoken[LADDER]
    assert "% of the roof above it" in spoken[ROOFLINE]
    press(window, "Ctrl+Shift+K")
    assert page.tabs.currentIndex() == BARS


def test_devices_are_no_ladder(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.comparing)
    window.comparison.tabs.setCurrentIndex(LADDER)
    press(window, "Ctrl+D")
    qtbot.waitUntil(lambda: window.comparison.runs[0].title == "GeForce 8800 GTX")
    assert not window.comparison.tabs.isTabVisible(LADDER)
    assert window.comparison.tabs.currentIndex() != LADDER
    window.comparison.tabs.setCurrentIndex(BARS)
    press(window, "Ctrl+Shift+K")
    assert window.comparison.tabs.currentIndex() == ROOFLINE


def test_the_roofline_is_exported_as_it_is_shown(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    press(window, "Ctrl+K")
    qtbot.waitUntil(lambda: window.comparing)
    window.comparison.tabs.setCurrentIndex(ROOFLINE)
    window.comparison.export_picture(tmp_path / "roofline.png")
    assert not QImage(str(tmp_path / "roofline.png")).isNull()
